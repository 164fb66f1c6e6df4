"""What is held as true of a user, and how it is denied."""

from collections.abc import Iterator
from typing import NamedTuple

from memory.clinical.findings import ENDED
from memory.clinical.people import USER
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import importance_of


class Known(NamedTuple):
    """What is held as true of the user; `seq`: of the message that says it, 0 when another session did."""

    predicate: str
    object: str
    seq: int = 0


def own_messages(dialogue: Dialogue) -> Iterator[Said]:
    """What the user said, under no other name."""
    return (said for said in dialogue.messages if said.own and said.speaker == USER)


def denial(said: Said, known: Known, quote: str) -> FoundFact:
    """That it holds no longer, in the user's words."""
    importance = importance_of(known.predicate)
    return FoundFact(
        said.seq, USER, known.predicate, known.object, "-", quote, importance, NAME, attributes={ENDED: "true"}
    )
