"""Safety facts of a dialogue by rule, as facts to remember: the floor under every mind.

A mind may add and refine; what the rules found of allergies, diseases and operations stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.findings import POSSIBLE, Finding
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, Extraction, FoundFact, Said
from memory.session.safety import LIST_OF, POSSIBLE_PREFIX

_IMPORTANCE: Final = 1.0
_POSSIBLE_IMPORTANCE: Final = 0.6


def with_safety(extraction: Extraction, dialogue: Dialogue) -> Extraction:
    """What a mind found, united with what the rules find for safety.

    Of a message in which the rules find a kind of fact the mind's own of that kind that say the same in other words, or
    give to the user what the rules give to somebody else, are left out.
    """
    read = list(_read(dialogue))
    rules = [fact for fact, _ in read if fact is not None]
    told = [(seq, finding) for _, (seq, finding) in read]
    kept = [fact for fact in extraction.facts if not any(_same(fact, seq, finding) for seq, finding in told)]
    seqs = {fact.seq for fact in rules}
    skipped = {seq: reason for seq, reason in extraction.skipped.items() if seq not in seqs}
    return replace(extraction, facts=[*kept, *rules], skipped=skipped)


def _read(dialogue: Dialogue) -> Iterator[tuple[FoundFact | None, tuple[int, Finding]]]:
    for said, before in _own(dialogue.messages):
        for finding in read_safety(said.text, before):
            fact = _fact(said, finding) if finding.subject == USER else None
            yield fact, (said.seq, finding)


def _own(messages: Sequence[Said]) -> Iterator[tuple[Said, str]]:
    """The messages of the user whose memory it is, each with what was said before it by an agent."""
    before = ""
    for said in messages:
        if said.own and said.speaker == USER:
            yield said, before
        before = "" if said.own else said.text


def _fact(said: Said, finding: Finding) -> FoundFact:
    possible = finding.status == POSSIBLE
    return FoundFact(
        seq=said.seq,
        subject=USER,
        predicate=(POSSIBLE_PREFIX if possible else "") + finding.kind,
        object=finding.text,
        polarity=finding.polarity,
        quote=finding.quote,
        importance=_POSSIBLE_IMPORTANCE if possible else _IMPORTANCE,
        mind=NAME,
    )


def _same(fact: FoundFact, seq: int, finding: Finding) -> bool:
    if fact.seq != seq or fact.subject != USER or fact.predicate not in LIST_OF or fact.polarity != "+":
        return False
    if fact.predicate != finding.kind or finding.polarity != "+":
        return False
    mine, theirs = finding.text.casefold(), fact.object.casefold()
    return mine in theirs or theirs in mine
