"""What the service is told about its surroundings."""

from collections.abc import Iterable
from dataclasses import dataclass

from memory.consolidation.minds import Minds
from memory.language.choice import AUTO, first_language, spoken
from memory.ports import (
    Announcements,
    AuditLog,
    Background,
    Batches,
    Claims,
    Clock,
    Counts,
    ErasureLog,
    JobQueue,
    KeyRing,
    LongTermStore,
    MemoryArchive,
    SessionStore,
    Spending,
    TokenCounter,
    UserList,
)


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Defaults of the session tier (config.yaml, section `session`). Times are in milliseconds.

    `stamp` names what token counts are made with: encoding and locale. With the locale "auto" a session's own stamp
    names its language too, behind a slash: that of the first words in it that show one, for good (docs/decisions/0026).
    `lease_ms`: what has been begun and shows nothing after this long is taken up by somebody else.
    `active_exact_ms`: how late it may be noted that a user went on writing.
    `standing`: what decides, beside the stamp, which lines copies of profiles carry (docs/decisions/0057).
    `turns_max`, `bytes_max`: what a session has when the next write opens the next one; 0: any number.
    """

    locale: str
    token_threshold_ratio: float
    recent_turns: int
    model_context_window: int
    auto_checkpoint: bool
    lease_ms: int
    stamp: bytes
    turns_max: int = 0
    bytes_max: int = 0
    active_exact_ms: int = 1_000
    standing: bytes = b""

    @property
    def threshold_tokens(self) -> float:
        """At how many tokens a summary is due, for a request that says nothing else."""
        return self.token_threshold_ratio * self.model_context_window

    @property
    def copies(self) -> bytes:
        """What copies of profiles are made with."""
        return self.stamp + self.standing

    @property
    def counting(self) -> str:
        """The locale whose labels are counted: those of speakers cost the same in each (a test asks)."""
        return spoken(self.locale, ())

    def stamped(self, texts: Iterable[str]) -> bytes:
        """The stamp for a session in which these are said next."""
        language = first_language(texts) if self.locale == AUTO else ""
        return self.stamp + b"/" + language.encode() if language else self.stamp

    def counted_alike(self, stamp: bytes) -> bool:
        """Whether a session's token counts are those that would be made today."""
        return stamp.partition(b"/")[0] == self.stamp

    def locale_in(self, stamp: bytes, texts: Iterable[str] = ()) -> str:
        """The locale of a session by its stamp; while that names no language, of these texts."""
        if self.locale != AUTO:
            return self.locale
        return stamp.partition(b"/")[2].decode() or spoken(AUTO, texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything outside that the service uses."""

    sessions: SessionStore
    store: LongTermStore
    memories: MemoryArchive
    users: UserList
    audit: AuditLog
    keys: KeyRing
    batches: Batches
    claims: Claims
    counts: Counts
    minds: Minds
    tokens: TokenCounter
    jobs: JobQueue
    erasures: ErasureLog
    announcements: Announcements
    clock: Clock
    background: Background
    spending: Spending | None = None
    """None: no model is paid for."""
