"""How tests make and search memory as tools do."""

import itertools
from typing import Any

from tests.inprocess import World

SAID_AT = "2025-11-05T10:00:00+08:00"


async def create(
    world: World, topic: str, object_: str | None = None, user: str = "u1", **fields: Any
) -> dict[str, Any]:
    body = {"subject": "我", "memory_type": "事实", "topic": topic, "object": object_, "occurred_at": SAID_AT, **fields}
    return await world.call("CreateMemory", user_id=user, **body)


async def join(world: World, source: str, target: str, relation: str = "导致", **fields: Any) -> dict[str, Any]:
    ends = {"source_memory_id": source, "target_memory_id": target}
    return await world.call("LinkMemories", user_id="u1", **ends, relation_type=relation, **fields)


async def search(world: World, query: str, **fields: Any) -> dict[str, Any]:
    return await world.call("SearchMemories", user_id="u1", query=query, **fields)


def found(answer: dict[str, Any]) -> dict[str, int | None]:
    """How far each memory stands off, by what it is about."""
    return {each["predicate"]: each.get("distance") for each in answer["memories"]}


async def chain(world: World, *topics: str) -> list[str]:
    """Memories, each of which leads to the next."""
    made = [(await create(world, topic))["memory_id"] for topic in topics]
    for ground, follows in itertools.pairwise(made):
        await join(world, ground, follows)
    return made
