"""What memories are made with."""

from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from memory.ports import Embedder, Judge, Mind, Reviewer
from memory.privacy.replacer import Replacer


@dataclass(frozen=True, slots=True)
class Minds:
    """The minds, and what they need. `rules` say why a message gave nothing: asking costs nothing then.

    `replacer`: what the store is given instead of identifiers, in memories and in what is asked of them. `zone`: of the
    clocks of those who don't say when they spoke, for words like yesterday. `judge`: says of two labels whether they
    are one thing, and what a session says of memories; `reviewer`: decides routine questions; None: no model does.
    """

    mind: Mind
    rules: Mind
    embedder: Embedder | None
    locale: str
    replacer: Replacer = field(default_factory=Replacer)
    zone: tzinfo = UTC
    judge: Judge | None = None
    reviewer: Reviewer | None = None
