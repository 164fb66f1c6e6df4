"""A batch: one thing that is done to many memories of a user, which somebody has looked at before it begins."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from memory.scope import UserScope

PREVIEWED_MS: Final = 600_000
"""So long a batch can be begun after it was previewed."""


class BatchOp(StrEnum):
    """What is done to each of the memories."""

    FORGET = "forget"
    ARCHIVE = "archive"
    RESTORE = "restore"


class BatchState(StrEnum):
    """Where a batch stands. One that is only previewed is gone after a while."""

    PREVIEWED = "previewed"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether there is something to do."""
        return self in {BatchState.WAITING, BatchState.RUNNING}


class LeftOut(StrEnum):
    """Why a memory is no part of a batch, or nothing was done to it after all."""

    UNKNOWN = "unknown"
    """The user has no such memory."""
    PENDING = "pending"
    """Its session is still to be finalised: it would be made into the same memory again."""
    SAME = "same"
    """It is as the batch would make it."""
    PROFILE = "profile"
    """Profiles are made of the other memories."""
    LINK = "link"
    """A link is forgotten, never archived."""
    SAFETY = "safety"
    """What safety rests on is changed by UpsertFacts, ConfirmFacts and DecideReview."""
    CORE = "core"
    """Of category core or system, and nobody said that these are meant too."""
    FAILED = "failed"
    """A bug: it stands in the log."""


class BatchKey(NamedTuple):
    """Which batch."""

    tenant: str
    job_id: str

    def __str__(self) -> str:
        """As it is queued."""
        return f"{self.tenant}/{self.job_id}"

    @classmethod
    def parse(cls, text: str) -> "BatchKey":
        """The inverse of str()."""
        tenant, _, job_id = text.partition("/")
        return cls(tenant, job_id)


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch. Times are in ms; None: not yet.

    `done`: of how many of its `total` memories, in their order, it is decided what becomes of them; `failed`: how many
    of these stayed as they were. `erasure_id`: of the erasure that a batch which forgets is.
    """

    key: BatchKey
    user: str
    op: BatchOp
    total: int
    created_ms: int
    include_core: bool = False
    state: BatchState = BatchState.PREVIEWED
    by: str = ""
    why: str = ""
    done: int = 0
    failed: int = 0
    started_ms: int | None = None
    ended_ms: int | None = None
    erasure_id: str = ""
    stops: bool = False
    """Somebody has cancelled it while it ran."""

    @property
    def is_begun(self) -> bool:
        """Whether somebody has begun it, or wanted to: one that is only previewed is no job yet."""
        return self.state is not BatchState.PREVIEWED

    @property
    def goes_on(self) -> bool:
        """Whether it runs, and some of it is still to be done."""
        return self.state is BatchState.RUNNING and not self.stops and self.done < self.total

    @property
    def scope(self) -> UserScope:
        """Whose memories."""
        return UserScope(self.key.tenant, self.user)


class Confirmed(NamedTuple):
    """What somebody says of a batch that is to begin: it must be what was previewed."""

    user: str
    number: int
    by: str
    why: str


Failures = dict[str, LeftOut]
"""By memory id."""
