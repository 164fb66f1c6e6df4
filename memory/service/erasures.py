"""What is said of files after an erasure: what is in them until they are written anew, and by whom."""

import asyncio
from typing import Final, NamedTuple

from memory.errors import NotFound
from memory.model.caller import Caller
from memory.model.erasure_calls import ErasedBytes, ErasureResponse, GetErasureRequest
from memory.ports import ErasedFiles, ErasureLog, ErasureRecord, MemoryStore
from memory.session.times import rfc3339

_POLL_S: Final = 0.05
_REDIS_PENDING: Final = "The append-only file is written anew in the background, also after a restart. Ask GetErasure."
_REDIS_NOT_OURS: Final = (
    "This Redis is not run by the gateway: its append-only file, snapshots and replicas keep what was deleted until "
    "they are written anew. Its operator runs BGREWRITEAOF, and BGSAVE where snapshots are kept, on it and on each "
    "replica, and deletes older backups."
)
_STORE_PENDING: Final = (
    "Another program (a backup?) reads the file, so its log of writes cannot be emptied yet. The gateway does so as "
    "soon as that ends, also after a restart. Ask GetErasure."
)
_CLEAN: Final = ErasedBytes(state="rewritten", advice="")


class _Said(NamedTuple):
    state: str
    session_files: ErasedBytes
    store_files: ErasedBytes


class Erasures:
    """Records erasures, and says where they stand."""

    def __init__(self, log: ErasureLog, memories: MemoryStore) -> None:
        self._log = log
        self._memories = memories

    async def begin(self) -> str:
        """Before the first deletion."""
        return await self._log.begin()

    async def end(self, erasure_id: str, tenant: str, wait_ms: int) -> ErasureResponse:
        """After the last deletion: have the files cleaned, and wait so long for it."""
        files = self._memories.files
        record = await self._log.end(erasure_id, tenant, await files.asked() if files else None)
        return await self._response(erasure_id, record, wait_ms)

    async def get(self, caller: Caller, request: GetErasureRequest) -> ErasureResponse:
        """Where an erasure stands. Raises NotFound for one that is not this tenant's, or older than 30 days."""
        record = await self._log.record(request.erasure_id, caller.tenant)
        if record is None:
            raise NotFound("there is no such erasure, or it is longer ago than 30 days")
        return await self._response(request.erasure_id, record, request.wait_ms)

    def counted(self) -> ErasureResponse:
        """What a dry run says of files: what a real one finds once all is done."""
        said = self._said(_would_be_clean(self._log.files), _would_be_clean(self._memories.files))
        return ErasureResponse(erasure_id="", erased_at="", **said._asdict())

    async def _response(self, erasure_id: str, record: ErasureRecord, wait_ms: int) -> ErasureResponse:
        deadline = asyncio.get_running_loop().time() + wait_ms / 1000
        said = await self._look(record)
        while said.state == "PENDING" and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(_POLL_S)
            said = await self._look(record)
        return ErasureResponse(erasure_id=erasure_id, erased_at=rfc3339(record.erased_ms), **said._asdict())

    async def _look(self, record: ErasureRecord) -> _Said:
        return self._said(
            await _is_clean(self._log.files, record.session_files),
            await _is_clean(self._memories.files, record.store_files),
        )

    def _said(self, session_clean: bool | None, store_clean: bool | None) -> _Said:  # noqa: FBT001 - None: not ours
        state = "PENDING" if session_clean is False or store_clean is False else "DONE"
        session_files = _bytes(session_clean, _REDIS_PENDING, _REDIS_NOT_OURS)
        return _Said(state, session_files, _bytes(store_clean, _STORE_PENDING, self._memories.erasure))


async def _is_clean(files: ErasedFiles | None, number: int | None) -> bool | None:
    """None: they are not ours."""
    return None if files is None or number is None else await files.cleaned() >= number


def _would_be_clean(files: ErasedFiles | None) -> bool | None:
    return None if files is None else True


def _bytes(clean: bool | None, pending: str, not_ours: str) -> ErasedBytes:  # noqa: FBT001 - None: not ours
    if clean is None:
        return ErasedBytes(state="not ours to rewrite", advice=not_ours)
    return _CLEAN if clean else ErasedBytes(state="pending", advice=pending)
