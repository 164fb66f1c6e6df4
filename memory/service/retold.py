"""What a tool call tells that is remembered: nothing new is made of what stands there, or of what was recalled."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from memory.clinical.people import USER
from memory.graph.created import ASSISTANT, anew, normal, says_the_same
from memory.graph.times import is_time
from memory.model.memory import Kind, Memory, Type
from memory.ports import MemoryStore
from memory.scope import UserScope

_SAYING: Final = (Kind.CREATED, Kind.FACT, Kind.EVENT, Kind.PROFILE)
_TURNS_MAX: Final = 32
"""So often the same may end, or be changed, and be told again, each time as a memory of its own."""
_SAYS_NOTHING: Final = frozenset({
    "记得", "记住", "记忆", "知道", "了解", "说", "说过", "提到", "提到过", "提过", "告诉", "回忆", "回忆起", "想起",
    "信息", "内容", "事实", "情况", "备注", "remember", "remembers", "remembered", "recall", "recalls", "memory",
    "memories", "know", "knows", "known", "say", "says", "said", "mentioned", "mentions", "told", "tells", "fact",
    "facts", "information", "info", "note", "notes",
})  # fmt: skip
"""Topics that add nothing to a sentence: whoever remembers it says it."""


class Standing(NamedTuple):
    """A memory under the id under which it is to be stored, and what is remembered for it already."""

    made: Memory
    there: Memory | None


async def standing(memories: MemoryStore, scope: UserScope, made: Memory) -> Standing:
    """Where a memory that is told belongs.

    What ended before it was so again, and what was changed and says something else now, stays as it is: the new one
    has a place of its own, the same whenever it is told.
    """
    found = await memories.get(scope, (made.memory_id,))
    if not found:
        return Standing(made, await _told_already(memories, scope, made))
    is_it = _is_it(found[0], made)
    if is_it and found[0].valid_to_ms is None:
        return Standing(made, found[0])
    turns = [anew(scope, made, turn) for turn in range(1, _TURNS_MAX)]
    stored = {each.memory_id: each for each in await memories.get(scope, [each.memory_id for each in turns])}
    held = (each for each in turns if each.memory_id in stored and _is_it(stored[each.memory_id], made))
    if is_it:  # told of a time when it was so, and it has ended: it holds again, but where it does so already
        again = next((each for each in held if stored[each.memory_id].state == "held"), None)
        return Standing(again, stored[again.memory_id]) if again else Standing(made, found[0])
    free = (each for each in turns if each.memory_id not in stored or _is_it(stored[each.memory_id], made))
    place = next(free, turns[-1])
    return Standing(place, stored.get(place.memory_id))


def _is_it(there: Memory, made: Memory) -> bool:
    """Whether what stands there says the same still, and had not ended before that was so again."""
    ended_before = there.valid_to_ms is not None and there.valid_to_ms <= made.held_from_ms
    return says_the_same(there, made) and not ended_before


async def _told_already(memories: MemoryStore, scope: UserScope, made: Memory) -> Memory | None:
    """What is held and says all that a new memory would.

    One that was changed to say it, a fact of the same parts, or one whose whole sentence it is: with attributes or
    denied it says more.
    """
    found = await memories.saying(scope, made.text)
    same = (each for each in found if each.kind is Kind.CREATED and each.state == "held" and _is_alike(each, made))
    if known := next(same, None):
        return known
    if made.attributes or made.polarity == "-":
        return None
    facts = await memories.facts(scope, made.subject, made.predicate)
    told = (each for each in facts if each.kind is Kind.FACT and each.polarity == "+" and each.state == "held")
    if known := next((each for each in told if normal(each.object) == normal(made.object)), None):
        return known
    if not _adds_nothing(made):
        return None
    found = await memories.saying(scope, made.object or made.predicate)
    return next((each for each in _of_the_words(found, made) if each.state == "held"), None)


def _is_alike(there: Memory, made: Memory) -> bool:
    """Whether it says the same, of the same time where it is something that happens."""
    if made.type is Type.EVENT and there.occurred_ms != made.occurred_ms and not any(map(is_time, made.attributes)):
        return False
    return says_the_same(there, made)


def _adds_nothing(made: Memory) -> bool:
    """Whether nothing is told but the sentence: that a grandmother doubts it, or says it, is another memory."""
    return made.subject in {USER, ASSISTANT} and (not made.object or normal(made.predicate) in _SAYS_NOTHING)


def _of_the_words(found: list[Memory], made: Memory) -> Iterator[Memory]:
    """Those that say in a sentence what the new one's object does, or without one what it is about.

    A thing that a memory is about is no sentence; and the same may happen, and be said, again.
    """
    kinds = _SAYING if made.type is Type.EVENT else (*_SAYING, Kind.EPISODE)
    for each in found:
        if each.kind in kinds and normal(each.text) not in {normal(each.object), normal(each.predicate)}:
            yield each
