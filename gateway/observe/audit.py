"""Who asked for what, noted behind the answers: some entries together, in one write to where they are kept."""

import asyncio
import logging
import re
from collections import deque
from itertools import islice
from typing import Final, Literal, NamedTuple

from gateway.observe.logs import State
from gateway.observe.metrics import Metrics
from memory.errors import MemoryGatewayError
from memory.model.audit import AuditEntry, digest_of
from memory.model.caller import Caller
from memory.ports import AuditLog, Background, Clock

_LOG: Final = logging.getLogger("anamnesis.audit")
_TOGETHER_S: Final = 0.1
_AGAIN_S: Final = 1.0
_WRITTEN_MAX: Final = 500
"""Entries of one write."""
_WAITING_MAX: Final = 10_000
"""Entries that wait while they cannot be written: beyond that they are lost, and counted."""
_ANSWERED: Final = 200
_MEMORY: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What ids of memories look like. What else somebody puts in their place might say whose they are."""

Level = Literal["off", "changes", "all"]


class Named(NamedTuple):
    """Ids that a request named; empty: none."""

    user: str = ""
    conversation: str = ""
    memory: str = ""


NOBODY: Final = Named()


class Auditor:
    """Notes the requests of those who are known by their key. Costs an answer nothing but a line in memory."""

    def __init__(self, log: AuditLog, level: Level, background: Background, clock: Clock, metrics: Metrics) -> None:
        """`level`: `changes` leaves out what only reads, unless it was refused."""
        self._log = log
        self._level = level
        self._background = background
        self._clock = clock
        self._metrics = metrics
        self._waiting: deque[tuple[str, AuditEntry]] = deque()
        self._writing = False
        self._one = asyncio.Lock()
        self._state = State(_LOG, "writing the audit")

    def note(self, caller: Caller, operation: str, status: int, named: Named = NOBODY, *, reads: bool = False) -> None:
        """Note one request. Never waits and never raises."""
        if self._level == "off" or (self._level == "changes" and reads and status == _ANSWERED):
            return
        if len(self._waiting) >= _WAITING_MAX:
            self._metrics.audit_lost += 1
            return
        entry = AuditEntry(
            self._clock.now_ms(),
            caller.name,
            operation,
            int(status),  # of HTTPStatus too
            named.user and digest_of(named.user),
            named.conversation and digest_of(named.conversation),
            named.memory if _MEMORY.fullmatch(named.memory) else "",
        )
        self._waiting.append((caller.tenant, entry))
        if not self._writing:
            self._writing = self._background.start(self._write, "audit")

    async def written(self) -> None:
        """Return when what was noted is kept, or could not be at once: then it goes on being tried. Never raises."""
        await self._empty()

    async def _write(self) -> None:
        try:
            await asyncio.sleep(_TOGETHER_S)
            while not await self._empty():  # noqa: ASYNC110 - it is tried again, not waited for
                await asyncio.sleep(_AGAIN_S)
        finally:
            self._writing = False

    async def _empty(self) -> bool:
        """Write down what waits; False when that is not possible now."""
        async with self._one:
            while self._waiting:
                taken = list(islice(self._waiting, _WRITTEN_MAX))
                try:
                    await self._log.note(taken)
                except MemoryGatewayError as error:
                    self._state.fails(error.code)
                    return False
                except Exception:  # noqa: BLE001 - a bug: later ones must not wait behind these
                    _LOG.exception("entries of the audit are lost")
                    self._metrics.audit_lost += len(taken)
                else:
                    self._state.works()
                for _ in taken:
                    self._waiting.popleft()
        return True
