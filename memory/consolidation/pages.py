"""All memories of a user that a filter lets in, page by page."""

from typing import Final

from memory.model.memory import Memory
from memory.model.search import Filter
from memory.ports import MemoryStore
from memory.scope import UserScope

_PAGE: Final = 1_000


async def all_of(memories: MemoryStore, scope: UserScope, wanted: Filter, most: int) -> tuple[list[Memory], bool]:
    """In the order of ids, about `most` of them, and whether there are more. Raises what the store raises."""
    found: list[Memory] = []
    cursor = ""
    while len(found) < most:
        page = await memories.page(scope, wanted, cursor, _PAGE)
        found += page.memories
        cursor = page.cursor
        if not cursor:
            break
    return found, bool(cursor)
