"""What a tool call tells in the very words of a memory: nothing new is made of what was recalled."""

from collections.abc import Iterable, Iterator
from typing import Final

from memory.graph.created import normal
from memory.language.terms import distinct, terms
from memory.model.memory import Kind, Memory, Type
from memory.model.search import Filter, Probe
from memory.ports import MemoryStore
from memory.scope import UserScope

_SAYING: Final = (Kind.CREATED, Kind.FACT, Kind.EVENT, Kind.PROFILE)
_LOOKED_AT: Final = 20
"""Of those that have its words, the best: a memory of the very words is among them."""


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
    return next(filter(_is_held, same), None) or await _in_its_words(memories, scope, made)


async def _in_its_words(memories: MemoryStore, scope: UserScope, made: Memory) -> Memory | None:
    """The memory that says in a sentence what the new one's object does, or without one what it is about."""
    said = normal(made.object or made.predicate)
    if not (words := distinct(terms(said))):
        return None
    kinds = _SAYING if made.type is Type.EVENT else (*_SAYING, Kind.EPISODE)  # the same may happen, and be said, again
    pool = await memories.pool(scope, Probe(words, None, Filter(kinds=kinds), best=_LOOKED_AT))
    ranked = sorted(range(len(pool.candidates)), key=lambda place: -float(pool.lexical[place]))[:_LOOKED_AT]
    found = await memories.get(scope, [pool.candidates[place].memory_id for place in ranked if pool.lexical[place] > 0])
    return next(filter(_is_held, _of_the_words(found, said)), None)


def _is_held(memory: Memory) -> bool:
    return memory.holds and memory.archived_ms is None


def _of_the_words(found: Iterable[Memory], said: str) -> Iterator[Memory]:
    """Those that say this in a sentence: a thing that a memory is about is no sentence."""
    for each in found:
        if normal(each.text) == said and said not in {normal(each.object), normal(each.predicate)}:
            yield each
