"""What a mind is given of a dialogue, and what it makes of it. Nothing here is believed before it is checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta, timezone
from typing import NamedTuple

from memory.model.memory import Type
from memory.model.statement import Statement


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `own`: by the user whose memory it becomes; `speaker`: a name, else an agent, else the role.

    `offset_minutes`: how far ahead of UTC the speaker's clock stood at `at_ms`, for words like yesterday.
    """

    seq: int
    speaker: str
    own: bool
    text: str
    at_ms: int
    offset_minutes: int = 0

    @property
    def clock(self) -> timezone:
        """The clock of the speaker."""
        return timezone(timedelta(minutes=self.offset_minutes)) if self.offset_minutes else UTC


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A stretch of conversation, without tool results, system prompts and memories that were recalled in it.

    `tenant`: who pays when reading it costs something. `alone`: only the user speaks, to the plug-in brain: statements
    are wanted. `before`: what an agent said right before it.
    """

    messages: Sequence[Said]
    user_name: str
    locale: str
    tenant: str = ""
    alone: bool = False
    before: str = ""


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A triple, and words of message `seq` that say it. `subject` is "user", a relative, or a name.

    `mind`: who found it, when that is not who found the others; `attributes`: what else is said of it.
    """

    seq: int
    subject: str
    predicate: str
    object: str
    polarity: str
    quote: str
    importance: float = 0.5
    mind: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundEvent:
    """Something that happened (or will) at a time, in a sentence that stands alone."""

    seq: int
    text: str
    occurred_ms: int
    quote: str
    importance: float = 0.5
    type: Type = Type.EVENT


class FoundCause(NamedTuple):
    """What led to what, in words of message `seq`: those of the reason, of what came of it, and those that say both."""

    seq: int
    cause: str
    effect: str
    quote: str


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """The stretch as one participant lived it."""

    participant: str
    text: str


class Likely(NamedTuple):
    """Two labels that may be one thing, and words of the user in which each of them stands."""

    one: str
    other: str
    said_of_one: str
    said_of_other: str


class Held(NamedTuple):
    """A fact that is held, as a judge is shown it; `said`: the words that told it, `at_ms`: when."""

    subject: str
    predicate: str
    object: str
    said: str
    at_ms: int


class Correction(NamedTuple):
    """That message `seq` takes something held back, or ends it, in these words; `held`: its place among what was shown.

    `right`: what holds instead; empty: nothing does.
    """

    held: int
    seq: int
    quote: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found. `skipped`: for messages that gave nothing, why (a stable reason).

    `statements`: of a dialogue that is `alone`. `mind`: who found it, when that is not the mind that was asked.
    `dropped`: how many of its finds were of no use from the start, by reason. `causes`: what led to what.
    """

    facts: Sequence[FoundFact] = ()
    events: Sequence[FoundEvent] = ()
    episodes: Sequence[FoundEpisode] = ()
    skipped: Mapping[int, str] = field(default_factory=dict)
    mind: str = ""
    statements: Sequence[Statement] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    causes: Sequence[FoundCause] = ()
