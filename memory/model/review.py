"""Open questions about memories: what a person, a rule or a model is to decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from memory.errors import FieldError, InvalidInput
from memory.model.memory import Memory


class Cause(StrEnum):
    """Why a memory is to be looked at."""

    CONTRADICTION = "contradiction"
    """Of safety: somebody took back what is held, or said the contrary of it."""
    UNCERTAIN = "uncertain"
    """Of safety: something may be so; somebody has to ask."""
    FADING = "fading"
    """It fades, and leaves soon."""
    PROMOTE = "promote"
    """It was used so often that it may be one that never fades."""


class Verdict(StrEnum):
    """What is decided."""

    APPLY = "APPLY"
    """It is as the memory in question says."""
    REJECT = "REJECT"
    """It is not."""
    PROMOTE = "PROMOTE"
    KEEP = "KEEP"
    DELETE = "DELETE"


SAFETY: Final = (Cause.CONTRADICTION, Cause.UNCERTAIN)
"""Persons alone decide about these."""
VERDICTS: Final = {
    Cause.CONTRADICTION: (Verdict.APPLY, Verdict.REJECT),
    Cause.UNCERTAIN: (Verdict.APPLY, Verdict.REJECT),
    Cause.FADING: (Verdict.KEEP, Verdict.PROMOTE, Verdict.DELETE),
    Cause.PROMOTE: (Verdict.PROMOTE, Verdict.KEEP, Verdict.DELETE),
}
"""What can be decided about each."""
OF_MODELS: Final = {
    Cause.FADING: (Verdict.KEEP, Verdict.DELETE),
    Cause.PROMOTE: (Verdict.PROMOTE, Verdict.KEEP, Verdict.DELETE),
}
"""What a model may decide, about the only causes of which it is asked."""


class Question(NamedTuple):
    """One question about a memory: why it is asked, and since when (ms), or from when on."""

    cause: Cause
    opened_ms: int


class OpenReview(NamedTuple):
    """A question with the memory that it is about."""

    opened_ms: int
    memory_id: str
    user: str


class ReviewPlace(NamedTuple):
    """A place in the order of reviews: by the time, then by the memory's id."""

    opened_ms: int = 0
    memory_id: str = ""


class Shown(NamedTuple):
    """As much of a memory as a reviewer sees: its words, on which day they were said, in how many answers used.

    `fact`: what they say of whom, where it is one.
    """

    text: str
    day: str
    uses: int
    fact: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What a reviewer decides on this day: about a memory, beside others of the same user.

    `searched`: the words that it has had others looked for by. `may_search`: whether it may do so (again) instead of
    deciding.
    """

    cause: Cause
    memory: Shown
    beside: Sequence[Shown]
    today: str
    searched: Sequence[str] = ()
    may_search: bool = False


class Search(NamedTuple):
    """A reviewer wants to see the memories that fit these words first."""

    words: str


class Ruling(NamedTuple):
    """What a reviewer decides, and why: one line."""

    verdict: Verdict
    why: str


def no_question(memory: Memory) -> Question | None:  # noqa: ARG001 - it is an Asks
    """For a store of which nobody asks what is to be decided."""
    return None


def item_id(memory_id: str, question: Question) -> str:
    """The id of a review: what it asks of which memory, since when. Asked anew it is another one."""
    return f"{memory_id}.{question.cause}.{question.opened_ms}"


def item_of(text: str) -> tuple[str, Question]:
    """The inverse of `item_id`. Raises InvalidInput for what is no such id."""
    parts = text.split(".")
    try:
        memory_id, cause, opened = parts
        return memory_id, Question(Cause(cause), int(opened))
    except ValueError:
        message = "is no id that ListReviews gave"
        raise InvalidInput(f"item_id {message}", fields=(FieldError("item_id", message),)) from None
