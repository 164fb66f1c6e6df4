"""What was found in a dialogue, once what was put right in it, and what it ends, is in it too. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.findings import ALLERGY, ANYTHING, CONTRADICTS, DISEASE, ENDED, TAKEN_BACK
from memory.clinical.languages import in_use
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one
from memory.clinical.sketch import TEXT_CHARS_MAX, Sketch, sketch
from memory.extraction.endings.known import Known
from memory.extraction.endings.put_right import facts_put_right
from memory.extraction.endings.reading import endings
from memory.extraction.endings.reasons import reason_for
from memory.model.extraction import Dialogue, Extraction, FoundFact
from memory.session.safety import LIST_OF

_PART_OF_MORE: Final = re.compile(r"^(?:足|肾|眼|性|视网膜|神经|并发|引起|导致|造成|的问题)|^[ -]related|^ attacks?")
"""Behind a disease: another one that comes of it is denied, or that it is the cause."""

_WITH_A_REASON: Final = frozenset((DISEASE, ALLERGY))
"""What only a reason ends: it outweighs that somebody took it back without one."""


def with_changes(found: Extraction, said: Dialogue, stored: Sequence[Known]) -> Extraction:
    """What was found, and what of it and of what is stored was put right, or has ended since."""
    of_others = {fact.seq for fact in found.facts if fact.subject != USER and fact.predicate in LIST_OF}
    right = list(facts_put_right(said, [*stored, *_told(found)], of_others))
    found = with_reasons(_with_right(found, right), said)
    told = _told(found)
    over = endings(said, found.facts, [*stored, *told])
    taken_back = {(each.seq, *_about(each)) for each in right if each.polarity == "-"}
    over = [fact for fact in over if fact.predicate in _WITH_A_REASON or (fact.seq, *_about(fact)) not in taken_back]
    claimed = {(fact.seq, fact.predicate, fact.object): fact.quote for fact in _claims(found)}
    texts = {each.seq: each.text for each in said.messages}
    over = [fact for fact in over if fact.polarity == "+" or _is_said_after(fact, claimed, texts)]
    ended = {(fact.subject, fact.predicate, fact.object) for fact in over if fact.polarity == "-"}
    at_once = {(*_about(fact), fact.seq) for fact in over if fact.polarity == "-"}
    kept = [
        fact
        for fact in found.facts
        if (_about(fact) not in ended if fact.polarity == "-" else (*_about(fact), fact.seq) not in at_once)
    ]
    return replace(found, facts=[*kept, *over])


def with_reasons(found: Extraction, said: Dialogue) -> Extraction:
    """A denial of an allergy or a lasting disease that says why it is so no longer ends what was held."""
    texts = {each.seq: each.text for each in said.messages}
    drawn: dict[int, Sketch] = {}

    def told(fact: FoundFact) -> FoundFact:
        of_safety = fact.predicate == ALLERGY or (fact.predicate == DISEASE and disease_lasts(fact.object))
        plain = fact.polarity == "-" and fact.object != ANYTHING and TAKEN_BACK not in fact.attributes
        text = texts.get(fact.seq, "")[:TEXT_CHARS_MAX]
        if not (of_safety and plain and fact.subject == USER and text):
            return fact
        if fact.seq not in drawn:
            drawn[fact.seq] = sketch(text, in_use().lexicon)
        why = reason_for(drawn[fact.seq], fact.quote, fact.object, fact.predicate)
        if not why or _PART_OF_MORE.search(text.partition(fact.object)[2]):
            return fact
        return replace(fact, attributes={ENDED: why, **fact.attributes})

    return replace(found, facts=[told(each) for each in found.facts])


def with_doubts(found: Extraction, told: Sequence[Known]) -> Extraction:
    """A denial of what a caller has put into the profile's lists says so, whatever its reason: a person decides."""

    def doubted(fact: FoundFact) -> FoundFact:
        plain = fact.polarity == "-" and fact.subject == USER and TAKEN_BACK not in fact.attributes
        of = (each for each in told if each.predicate == fact.predicate)
        if not plain or fact.object == ANYTHING or not any(is_of_one(fact.object, each.object) for each in of):
            return fact
        return replace(fact, attributes={**fact.attributes, CONTRADICTS: fact.object})

    return replace(found, facts=[doubted(each) for each in found.facts])


def _with_right(found: Extraction, right: Sequence[FoundFact]) -> Extraction:
    """What was found with what was put right: a denial that is one of both says that somebody took it back."""
    taken_back = {(each.seq, *_about(each)) for each in right if each.polarity == "-"}
    claimed = {(each.seq, *_about(each)) for each in found.facts if each.polarity == "+"}
    kept = [each for each in found.facts if each.polarity == "+" or (each.seq, *_about(each)) not in taken_back]
    more = [each for each in right if each.polarity == "-" or (each.seq, *_about(each)) not in claimed]
    return replace(found, facts=[*kept, *more])


def _told(found: Extraction) -> list[Known]:
    """What is claimed of the user."""
    return [
        Known(fact.predicate, fact.object, fact.seq)
        for fact in found.facts
        if fact.subject == USER and fact.polarity == "+"
    ]


def _is_said_after(over: FoundFact, claimed: Mapping[tuple[int, str, str], str], texts: Mapping[int, str]) -> bool:
    """Whether nothing in the same message claims what it ends; of a disease, or only what was said before it."""
    quote = claimed.get((over.seq, over.predicate, over.object))
    text = texts.get(over.seq, "")
    if quote is None or over.predicate != DISEASE:  # what is not borne stays claimed: the test may be of something else
        return quote is None
    return quote != over.quote and text.find(over.quote) > text.find(quote) >= 0


def _claims(found: Extraction) -> list[FoundFact]:
    """What users claim of their safety: the same message does not end it."""
    return [fact for fact in found.facts if fact.subject == USER and fact.polarity == "+" and fact.predicate in LIST_OF]


def _about(fact: FoundFact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object
