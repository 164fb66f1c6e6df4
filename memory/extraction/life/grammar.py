"""What a language has to say for facts of a life to be read: frames over one clause in lower case."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Pattern = re.Pattern[str]


class Frame(NamedTuple):
    """Words around a value. Group `x` is the value; a group `no` says that it is not so.

    `planned`: it speaks of what is to come, so that wanting it is no doubt. `given`: a value that is not said.
    `proper`: the value is the name that begins it, in capitals. `ours`: it is the user's too where it is said of
    somebody of the household, and whom it names itself does not own it. `own`: it is the user's, of whomever the
    clause before it spoke. `wide`: it may go on into the clauses behind the one in which it begins. `answers`: it is
    so only where a question says this before it.
    """

    predicate: str
    words: Pattern
    denied: bool = False
    planned: bool = False
    given: str = ""
    proper: bool = False
    ours: bool = False
    own: bool = False
    wide: bool = False
    answers: Pattern | None = None


@dataclass(frozen=True, slots=True)
class LifeGrammar:
    """Patterns of one language."""

    written: Pattern
    """A text in which this language says whole clauses."""
    frames: Sequence[Frame]
    unsure: Pattern
    """A clause of what is wanted, supposed, advised, over, or somebody else's word."""
    once: Pattern
    """A clause of one time: no habit."""
    doubtful: Pattern
    """The same of a plan: it is wanted, but not supposed or asked for."""
    edge: Pattern
    """What stands at the end of a value and is no part of it."""
    begins: Pattern
    """What stands at its beginning."""
    called: Pattern
    """The name of a pet, behind it: group x."""
    household: Pattern
    """Those of whom a frame that is `ours` may speak."""
    away: Pattern
    """Behind a place: somebody is there for some days."""
    not_there: Pattern
    """Before a place: one lives there no longer."""
    no_value: Mapping[str, Pattern]
    """By predicate: what is no value of it."""
