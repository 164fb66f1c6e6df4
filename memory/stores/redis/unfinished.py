"""Ended sessions that are not in memory yet: listed for all tenants together, the oldest first."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from memory.model.finalization import Finalization, FinalizationKey
from memory.model.lifecycle import SessionState
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import UNFINISHED, SealedKeys
from memory.stores.redis.wire import Commands

_LOOKED_AT_ONCE: Final = 100


def waits(known: Finalization | None) -> bool:
    """Whether a session is still to be brought into memory, by itself or by a replay."""
    return known is not None and known.state is not SessionState.ENDED


def finalization_of(key: FinalizationKey, reply: list[Any]) -> Finalization | None:
    """The record of an ending, as HGETALL gives it; None: there is none."""
    fields = {reply[i].decode(): reply[i + 1].decode() for i in range(0, len(reply), 2)}
    if "state" not in fields:
        return None
    return Finalization(
        key=key,
        state=SessionState(fields["state"]),
        fence=int(fields["fence"]),
        attempts=int(fields["attempts"]),
        cause=fields["cause"],
        user_id=fields["user"],
        sealed_ms=int(fields["sealed"]),
        summary=fields.get("summary", ""),
        recent_turns=int(fields.get("recent", 0)),
        reason=fields.get("reason", ""),
        steps=tuple(step for step in fields.get("steps", "").split(",") if step),
        memory_ids=tuple(json.loads(fields.get("memory_ids", "[]"))),
        skipped=fields.get("skipped", ""),
    )


async def enlist(redis: Commands, key: FinalizationKey) -> None:
    """One script."""
    await scripts.LIST_UNFINISHED.run(redis, (UNFINISHED,), (str(key), key.number))


async def delist(redis: Commands, keys: Sequence[FinalizationKey]) -> None:
    """ZREM."""
    if keys:
        (reply,) = await redis.run(("ZREM", UNFINISHED, *(str(key) for key in keys)))
        require(reply)


async def listed(
    redis: Commands, tenant: str, limit: int, after: FinalizationKey | None, state: SessionState | None
) -> list[Finalization]:
    """Walks the list once, in pages; entries that were closed while nobody was looking are dropped on the way."""
    found: list[Finalization] = []
    async for page in _pages(redis, tenant, after):
        found += [one for one in page if state in {None, one.state}]
        if len(found) >= limit:
            break
    return found[:limit]


async def _pages(redis: Commands, tenant: str, after: FinalizationKey | None) -> AsyncIterator[list[Finalization]]:
    (reply,) = await redis.run(("ZRANGE", UNFINISHED, 0, -1))
    keys = [FinalizationKey.parse(text.decode()) for text in require(reply)]
    own = [key for key in keys if key.scope.tenant == tenant and (after is None or _place(key) > _place(after))]
    for at in range(0, len(own), _LOOKED_AT_ONCE):
        page = own[at : at + _LOOKED_AT_ONCE]
        replies = await redis.run(*(("HGETALL", SealedKeys.of(key).finalization) for key in page))
        known = [finalization_of(key, require(reply)) for key, reply in zip(page, replies, strict=True)]
        await delist(redis, [key for key, one in zip(page, known, strict=True) if not waits(one)])
        yield [one for one in known if one is not None and waits(one)]


def _place(key: FinalizationKey) -> tuple[int, str]:
    """Where it stands in the list: by its number, which is a time, and of the same number by name."""
    return key.number, str(key)
