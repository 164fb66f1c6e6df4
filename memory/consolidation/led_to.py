"""Links between what a unit gives: of one message, what stands in its reason led to what stands in what came of it.

The words of the user decide (`memory.graph.connectives`), or a mind that quotes them. What a message gives and neither
stretch holds is not linked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from memory.graph.connectives import Cause, causes
from memory.graph.links import Joining, link
from memory.model.extraction import FoundCause, Said
from memory.model.history import RULES
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.relations import CAUSES
from memory.scope import UserScope
from memory.session.safety import POSSIBLE_PREFIX

_IMPORTANCE: Final = 0.5
_CONNECTIVE_CHARS: Final = 8
_CAUSED_BY_NONE: Final = frozenset(
    {"name", "sex", "age", "allergy", "disease", "state", "pregnancy", "breast_feeding", "family", "implant", "device"}
)
"""What a message may say behind a reason and is none of its consequences; an allergy rests on nothing but itself."""
_LEADS_TO_NONE: Final = frozenset({"name", "sex", "family"})
"""What stands in a reason and is none: "my brother has asthma, so" tells that there is a brother."""
_AT_ONCE_MAX: Final = 2
"""Memories in one stretch: of more nobody can tell which is meant."""
_LINKED_KINDS: Final = (Kind.FACT, Kind.EVENT)


def led_to(
    unit: MemUnit, memories: Sequence[Memory], said: Mapping[int, Said], found: Sequence[FoundCause], mind: str
) -> list[Memory]:
    """The links, each once; those of the words themselves first. Pure."""
    scope = UserScope(unit.scope.tenant, unit.user_id)
    by_seq: dict[int, list[Memory]] = defaultdict(list)
    for memory in memories:
        doubted = memory.predicate.startswith(POSSIBLE_PREFIX)
        if memory.kind in _LINKED_KINDS and memory.source.seqs and not doubted and memory.polarity == "+":
            by_seq[memory.source.seqs[0]].append(memory)
    made: dict[str, Memory] = {}
    for seq, told in by_seq.items():
        message = said[seq]
        if len(told) < 2 or not message.own:  # noqa: PLR2004 - a link has two ends
            continue
        stated = [(each, RULES) for each in causes(message.text)]
        stated += [(each, mind) for each in _quoted([one for one in found if one.seq == seq], message.text)]
        for cause, by in stated:
            for ground, follows in _ends(cause, told, message.text):
                joining = Joining(ground, CAUSES, follows, _IMPORTANCE, cause.quote, message.at_ms, by)
                one = link(scope, joining)
                made.setdefault(one.memory_id, one)
    return list(made.values())


def _quoted(found: Sequence[FoundCause], text: str) -> Iterator[Cause]:
    """What a mind found, where its words stand in the message and do not overlap."""
    for _, cause, effect, quote in found:
        first, second = text.find(cause), text.find(effect)
        apart = first + len(cause) <= second or second + len(effect) <= first
        if cause and effect and min(first, second) >= 0 and apart and quote in text:
            yield Cause((first, first + len(cause)), (second, second + len(effect)), quote)


def _ends(cause: Cause, told: Sequence[Memory], text: str) -> Iterator[tuple[Memory, Memory]]:
    placed = [(memory, span) for memory in told if (span := _place(memory, text)) is not None]
    grounds = [memory for memory, span in placed if _within(span, cause.cause)]
    follow = [memory for memory, span in placed if _within(span, cause.effect)]
    if max(len(grounds), len(follow)) > _AT_ONCE_MAX:
        return
    for ground, follows in product(grounds, follow):
        of_one = ground.memory_id != follows.memory_id and ground.subject == follows.subject
        if of_one and ground.predicate not in _LEADS_TO_NONE and follows.predicate not in _CAUSED_BY_NONE:
            yield ground, follows


def _place(memory: Memory, text: str) -> tuple[int, int] | None:
    """Where in its message a memory stands: its object as it was said, else its quote."""
    quote = memory.source.quote
    start = text.find(quote) if quote else -1
    if start < 0:
        return None
    for said in (memory.object, memory.object.rpartition("(")[2].removesuffix(")")):
        at = quote.find(said) if said else -1
        if at >= 0:
            return start + at, start + at + len(said)
    return start, start + len(quote)


def _within(span: tuple[int, int], stretch: tuple[int, int]) -> bool:
    """Whether it stands in a stretch; a connective before it or a sign behind it may stand out."""
    return stretch[0] - _CONNECTIVE_CHARS <= span[0] and span[1] <= stretch[1] + 1 and span[1] > stretch[0]
