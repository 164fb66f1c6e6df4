"""The user of these figures: created memories, and links between them."""

import random
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Final

from benchmarks.memories.material import NOW_MS
from memory.consolidation.derive import indexed
from memory.graph.created import Creation, created
from memory.graph.links import Joining, link
from memory.model.memory import Memory, Type
from memory.model.search import IndexEntry
from memory.ports import MemoryStore
from memory.scope import UserScope

USER: Final = UserScope("default", "user")
WORDS: Final = ("加班", "失眠", "头痛", "出差", "搬家", "跑步", "复查", "考试", "开会", "生气", "迟到", "请假")
_AT_ONCE: Final = 500


class Clock:
    """Stands still, behind all that was told."""

    def now_ms(self) -> int:
        """The same each time."""
        return NOW_MS


def told(subject: str, word: str, number: int, thing: str, user: UserScope = USER) -> Memory:
    """A created fact, told so many ms before now."""
    return created(user, Creation(subject, Type.FACT, word, NOW_MS - number, object=thing), stage="")


def linked(ground: Memory, follows: Memory) -> Memory:
    """A link that one causes the other."""
    return link(USER, Joining(ground, "causes", follows, importance=0.6, quote="", told_ms=NOW_MS))


def various(size: int, dice: random.Random) -> list[Memory]:
    """About so many facts of the user and of others, about things that several of them name."""

    def one(number: int) -> Memory:
        who = "我" if number % 2 else f"人{dice.randrange(size // 8)}"
        return told(who, dice.choice(WORDS), number, f"物{dice.randrange(size // 3)}")

    return list({each.memory_id: each for each in map(one, range(size))}.values())


async def put(store: MemoryStore, entries: Iterable[IndexEntry], user: UserScope = USER) -> None:
    """Store them, some at a time."""
    left = iter(entries)
    while some := list(islice(left, _AT_ONCE)):
        await store.put(user, some)


async def fill(store: MemoryStore, memories: Sequence[Memory], pairs: Iterable[tuple[Memory, Memory]]) -> None:
    """Store memories, and a link between each pair."""
    every = chain(memories, (linked(*pair) for pair in pairs))
    await put(store, (IndexEntry(each, indexed(each).terms, None) for each in every))
