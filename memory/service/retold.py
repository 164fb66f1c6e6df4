"""What a tool call tells in the very words of a memory: nothing new is made of what was recalled."""

from collections.abc import Iterator
from typing import Final

from memory.graph.created import normal
from memory.model.memory import Kind, Memory, Type
from memory.ports import MemoryStore
from memory.scope import UserScope

_SAYING: Final = (Kind.CREATED, Kind.FACT, Kind.EVENT, Kind.PROFILE)


async def told_already(memories: MemoryStore, scope: UserScope, made: Memory) -> Memory | None:
    """What is held and says all that a new memory would: a fact of the same parts, or one whose whole sentence it is.

    With attributes it says more; denied it says something else.
    """
    if made.attributes or made.polarity == "-":
        return None
    facts = await memories.facts(scope, made.subject, made.predicate)
    same = (
        each
        for each in facts
        if each.kind is Kind.FACT and each.polarity == "+" and normal(each.object) == normal(made.object)
    )
    if known := next((each for each in same if each.state == "held"), None):
        return known
    found = await memories.saying(scope, made.object or made.predicate)
    return next((each for each in _of_the_words(found, made) if each.state == "held"), None)


def _of_the_words(found: list[Memory], made: Memory) -> Iterator[Memory]:
    """Those that say in a sentence what the new one's object does, or without one what it is about.

    A thing that a memory is about is no sentence; and the same may happen, and be said, again.
    """
    kinds = _SAYING if made.type is Type.EVENT else (*_SAYING, Kind.EPISODE)
    for each in found:
        if each.kind in kinds and normal(each.text) not in {normal(each.object), normal(each.predicate)}:
            yield each
