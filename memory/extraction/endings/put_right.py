"""What the user took back of what is held of their health, and said instead: as facts to remember.

What was wrong is denied and not ended: a person decides about it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.corrections.reading import KINDS, Held, before, corrections, held_of, put_right
from memory.extraction.endings.known import Known, own_messages
from memory.extraction.facts.clinical import fact_of
from memory.model.extraction import Dialogue, FoundFact
from memory.session.context import without_safety_line
from memory.session.safety import POSSIBLE_PREFIX

RIVALS: Final = frozenset((*KINDS, *(POSSIBLE_PREFIX + kind for kind in KINDS)))
"""Predicates of what may be put right."""


def says_right(dialogue: Dialogue) -> bool:
    """Whether something is put right in a dialogue, whatever is held."""
    return any(corrections(without_safety_line(said.text)) for said in own_messages(dialogue))


def facts_put_right(dialogue: Dialogue, known: Sequence[Known]) -> Iterator[FoundFact]:
    """What is right, and that what was wrong is denied. `known`: what is stored, and what was found in the dialogue."""
    later = list[Held]()
    for said in own_messages(dialogue):
        found = corrections(without_safety_line(said.text))
        told = (each for each in sorted(known, key=_said) if each.predicate in RIVALS and each.seq <= said.seq)
        held = [_held(each)._replace(now=each.seq == said.seq) for each in told]
        for finding in put_right(found, [*held, *later]) if found else ():
            later += before(held_of([finding]))
            yield fact_of(said, finding)


def _held(known: Known) -> Held:
    kind = known.predicate.removeprefix(POSSIBLE_PREFIX)
    return Held(kind, known.object, here=known.seq > 0, possible=kind != known.predicate)


def _said(known: Known) -> int:
    return known.seq
