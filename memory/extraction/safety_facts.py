"""Safety facts of a dialogue by rule, as facts to remember: the floor under every mind.

A mind may add and refine; what the rules found of allergies, diseases and operations stays.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memory.clinical.findings import DISEASE, Finding
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, Extraction, FoundFact, Said
from memory.session.context import without_safety_line
from memory.session.safety import LIST_OF, POSSIBLE_PREFIX

_IMPORTANCE: Final = 1.0
_POSSIBLE_IMPORTANCE: Final = 0.6


def with_safety(extraction: Extraction, dialogue: Dialogue, *, by_rules: bool) -> Extraction:
    """What a mind found, united with what these rules find for safety.

    What a model has found stays, and is not told a second time. Of other rules (`by_rules`) what they take for a safety
    fact of the user is left out: these read it with its surroundings.
    """
    own = {said.seq for said, _ in _own(dialogue)}
    kept = [fact for fact in extraction.facts if not (by_rules and fact.seq in own and _is_for_safety(fact))]
    found = [fact for fact in _found(dialogue) if not any(_same(each, fact) for each in kept)]
    seqs = {fact.seq for fact in found}
    skipped = {seq: reason for seq, reason in extraction.skipped.items() if seq not in seqs}
    return replace(extraction, facts=[*kept, *found], skipped=skipped)


def _found(dialogue: Dialogue) -> Iterator[FoundFact]:
    for said, before in _own(dialogue):
        for finding in read_safety(without_safety_line(said.text), before):
            if finding.subject == USER:
                yield _fact(said, finding)


def _own(dialogue: Dialogue) -> Iterator[tuple[Said, str]]:
    """The messages of the user whose memory it is, each with what was said before it by an agent."""
    before = dialogue.before
    for said in dialogue.messages:
        if said.own and said.speaker == USER:
            yield said, before
        before = "" if said.own else said.text


def _fact(said: Said, finding: Finding) -> FoundFact:
    return FoundFact(
        seq=said.seq,
        subject=USER,
        predicate=(POSSIBLE_PREFIX if finding.possible else "") + finding.kind,
        object=finding.text,
        polarity="-" if finding.denied else "+",
        quote=finding.quote,
        importance=_POSSIBLE_IMPORTANCE if finding.possible else _IMPORTANCE,
        mind=NAME,
    )


def _is_for_safety(fact: FoundFact) -> bool:
    claimed = fact.subject == USER and fact.polarity == "+" and fact.predicate in LIST_OF
    return claimed and (fact.predicate != DISEASE or disease_lasts(fact.object))


def _about(fact: FoundFact) -> tuple[int, str, str, str]:
    return fact.seq, fact.subject, fact.predicate, fact.polarity


def _same(known: FoundFact, fact: FoundFact) -> bool:
    """Whether two say the same of a message, be it in other words."""
    if _about(known) != _about(fact):
        return False
    one, other = known.object.casefold(), fact.object.casefold()
    return one in other or other in one
