"""What the user took back of what is held of their health, and said instead: as facts to remember.

What was wrong is denied and not ended: a person decides about it.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from memory.clinical.corrections.held import KINDS, Held, before, held_of, put_right
from memory.clinical.corrections.reading import corrections
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


def facts_put_right(dialogue: Dialogue, known: Sequence[Known], of_others: Collection[int] = ()) -> Iterator[FoundFact]:
    """What is right, and that what was wrong is denied. `known`: what is stored, and what was found in the dialogue.

    `of_others`: messages that tell what a relative has.
    """
    later, before_it = list[Held](), 0
    for said in own_messages(dialogue):
        found = corrections(without_safety_line(said.text))
        told = (each for each in sorted(known, key=_said) if each.predicate in RIVALS and each.seq <= said.seq)
        held = [_held(each, said.seq, before_it) for each in told]
        others = [Held("", "", last=seq == before_it, now=seq == said.seq, own=False) for seq in of_others]
        put = put_right(found, [*held, *later, *(each for each in others if each.last or each.now)]) if found else ()
        later = before([*later, *held_of(put)])
        before_it = said.seq
        for finding in put:
            yield fact_of(said, finding)


def _held(known: Known, seq: int, before_it: int) -> Held:
    """As it is held at message `seq`; `before_it` is the user's last message before."""
    kind = known.predicate.removeprefix(POSSIBLE_PREFIX)
    return Held(
        kind,
        known.object,
        here=known.seq > 0,
        possible=kind != known.predicate,
        now=known.seq == seq,
        last=known.seq == before_it > 0,
    )


def _said(known: Known) -> int:
    return known.seq
