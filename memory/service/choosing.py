"""Which of a user's memories a list is of, and a batch."""

from typing import Final

from memory.model.memory import TOLD_KINDS, Memory
from memory.model.memory_calls import MemoryChoice
from memory.model.search import Filter, MemoryPage
from memory.ports import MemoryStore
from memory.scope import UserScope

_USUAL_STATES: Final = ("held", "ended")
_SUPERSEDED: Final = "superseded"
_ARCHIVED: Final = "archived"
_PAGES_LOOKED_AT: Final = 20
"""For one page of an answer; then its cursor says where to go on."""


async def chosen(memories: MemoryStore, scope: UserScope, choice: MemoryChoice, cursor: str, limit: int) -> MemoryPage:
    """A page of those that fit, in the order of ids; it may have fewer than `limit`, and more behind it."""
    states = set(choice.states or _USUAL_STATES)
    wanted = Filter(
        kinds=tuple(choice.kinds or TOLD_KINDS),
        categories=tuple(choice.categories or ()),
        types=tuple(choice.types or ()),
        conversation=choice.conversation_id or "",
        with_past=not states.isdisjoint({_SUPERSEDED, _ARCHIVED}),
        with_archived=_ARCHIVED in states,
    )
    words = (choice.contains or "").casefold()
    found: list[Memory] = []
    for _ in range(_PAGES_LOOKED_AT):
        page = await memories.page(scope, wanted, cursor, limit - len(found))
        found += [each for each in page.memories if each.state in states and _has(each, words)]
        cursor = page.cursor
        if not cursor or len(found) >= limit:
            break
    return MemoryPage(found, cursor)


def _has(memory: Memory, words: str) -> bool:
    return not words or words in memory.text.casefold() or words in memory.object.casefold()
