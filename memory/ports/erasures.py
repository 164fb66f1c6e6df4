"""The ports of erasure: what is still to be done when rows and keys are gone, and what is known of each erasure."""

from typing import NamedTuple, Protocol


class ErasedFiles(Protocol):
    """Files of a store of ours in which what was erased may stand for a while: a log of writes, an append-only file.

    Erasures are counted; the counts survive a restart. All methods raise StoreUnavailable.
    """

    async def asked(self) -> int:
        """How many erasures there were."""
        ...

    async def cleaned(self) -> int:
        """Up to which of them no byte is left."""
        ...

    async def clean(self) -> None:
        """Do what can be done now so that no byte is left; to be called again until `cleaned` has come up."""
        ...


class ErasureRecord(NamedTuple):
    """One erasure: what the files must have been cleaned up to. None: they are not ours."""

    erased_ms: int
    session_files: int | None
    store_files: int | None


class ErasureLog(Protocol):
    """What is known of erasures, for 30 days: nothing of whom or what was erased.

    An erasure that was begun and whose process died is asked for by whoever looks after the files next.
    """

    files: ErasedFiles | None
    """Those of the session store; None when they are not ours to rewrite."""

    async def begin(self) -> str:
        """Before the first deletion: an id for the erasure."""
        ...

    async def end(self, erasure_id: str, tenant: str, store_files: int | None) -> ErasureRecord:
        """After the last deletion: ask that the session store's files be written anew, and keep the record."""
        ...

    async def record(self, erasure_id: str, tenant: str) -> ErasureRecord | None:
        """None when this tenant has no such erasure (any more)."""
        ...
