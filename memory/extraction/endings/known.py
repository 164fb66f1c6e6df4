"""What is held as true of a user, and how it is denied."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memory.clinical.findings import ENDED
from memory.clinical.languages import in_use
from memory.clinical.people import USER, People
from memory.clinical.sketch import TEXT_CHARS_MAX, Clause, Sketch, sketch
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import importance_of

_SHE_SAYS: Final = re.compile(
    r"^\W*(?:so |and |but )?(?:she|he|they) (?:now )?(?:says?|said|told me|confirmed|thinks)(?: that)? (?=it\b"
    r"|i\b|i'|that\b|the\b)",
    re.IGNORECASE,
)
"""Before what somebody says of the user, who is not named: a doctor, as a rule."""


class Known(NamedTuple):
    """What is held as true of the user; `seq`: of the message that says it, 0 when another session did."""

    predicate: str
    object: str
    seq: int = 0


def own_messages(dialogue: Dialogue) -> Iterator[Said]:
    """What the user said, under no other name."""
    return (said for said in dialogue.messages if said.own and said.speaker == USER)


def spoken_of(text: str) -> set[str]:
    """Who a text speaks of; empty for somebody who is no more than she."""
    drawn = sketch(text[:TEXT_CHARS_MAX], in_use().lexicon)
    return {name for grammar in in_use().grammars for name in People(drawn, grammar).named}


def alone(dialogue: Dialogue) -> bool:
    """Whether the user speaks of nobody by a name or a word for a relative."""
    return all(spoken_of(each.text) <= {USER, ""} for each in own_messages(dialogue))


def denial(said: Said, known: Known, quote: str) -> FoundFact:
    """That it holds no longer, in the user's words."""
    importance = importance_of(known.predicate)
    return FoundFact(
        said.seq, USER, known.predicate, known.object, "-", quote, importance, NAME, attributes={ENDED: "true"}
    )


def is_users_own(drawn: Sketch, clause: Clause) -> bool:
    """Whether a clause speaks of nobody but the user, or of the user too."""
    said = _SHE_SAYS.sub("", drawn.text[drawn.places[clause.start] : drawn.places[clause.end]])
    own = sketch(said, in_use().lexicon)
    named = {name for grammar in in_use().grammars for name in People(own, grammar).named}
    return not named or USER in named
