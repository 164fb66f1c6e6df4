"""Copies of profiles: one that is believed for a while, and one that is kept for when the truth cannot be asked."""

import json
import secrets
from functools import lru_cache
from typing import Final

from memory.limits import PROFILE_DROPPED_S
from memory.model.session import ProfileCopy
from memory.scope import UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import kept_profile_key, profile_key
from memory.stores.redis.wire import Commands

_MARK_BYTES: Final = 8
_ERASED: Final = b"erased"
_ERASED_MS: Final = 60_000
"""Longer than a reader may hold what it has read of the long-term store before it leaves a copy."""
_DROPPED: Final = b"dropped:"
_DROPPED_MS: Final = round(PROFILE_DROPPED_S * 1000)


class ProfileCopies:
    """Both copies of each user's profile."""

    def __init__(self, connection: Commands, ttl_ms: int, kept_ms: int) -> None:
        self._redis = connection
        self._ttl_ms = ttl_ms
        self._kept_ms = kept_ms

    def believed(self, value: bytes | None, stamp: bytes) -> ProfileCopy | None:
        """What a reply holds under `profile_key`; None when it is not there, dropped or from other settings."""
        if value is None or value.startswith(_DROPPED):
            return None
        return _copy(value) if value.split(b"\n", 2)[1] == self._run_stamp(stamp) else None

    async def put(self, scope: UserScope, copy: ProfileCopy, stamp: bytes, dropped: str) -> None:
        """One script: set unless there is a newer one, or the mark of another drop."""
        full_stamp = self._run_stamp(stamp)
        value = b"\n".join(
            (
                b"%d" % copy.version,
                full_stamp,
                copy.safety_json,
                copy.safety_line_json,
                b"%d" % copy.safety_tokens,
                copy.snapshot_json,
                b"1" + json.dumps(copy.speakers).encode() if copy.remembers else b"0",
            )
        )
        kept_ms = self._kept_ms if copy.version or copy.remembers else 0
        await scripts.PUT_PROFILE.run(
            self._redis,
            (profile_key(scope), kept_profile_key(scope)),
            (copy.version, full_stamp, value, self._ttl_ms, kept_ms, dropped),
        )

    async def drop(self, scope: UserScope) -> str:
        """A mark in its place: for a moment nobody stores what was read before, but who has made the mark."""
        mark = _DROPPED + secrets.token_hex(_MARK_BYTES).encode()
        (reply,) = await self._redis.run(("SET", profile_key(scope), mark, "PX", _DROPPED_MS))
        require(reply)
        return mark.decode()

    async def kept(self, scope: UserScope) -> ProfileCopy | None:
        """GET; whichever run of the server and setting of the gateway it is from."""
        (reply,) = await self._redis.run(("GET", kept_profile_key(scope)))
        value = require(reply)
        return None if value in {None, _ERASED} else _copy(value)

    async def erase(self, scope: UserScope) -> None:
        """SET of a mark that lapses and DEL, in a transaction."""
        mark = ("SET", kept_profile_key(scope), _ERASED, "PX", _ERASED_MS)
        replies = await self._redis.run(("MULTI",), mark, ("DEL", profile_key(scope)), ("EXEC",))
        require(replies[-1])

    def _run_stamp(self, stamp: bytes) -> bytes:
        """A copy is good for one run of the server: one that restarts may have lost the last second."""
        return _stamped(stamp, self._redis.server.get("run_id", ""))


@lru_cache(maxsize=16)
def _stamped(stamp: bytes, run: str) -> bytes:
    return stamp + b":" + run.encode()


def _copy(value: bytes) -> ProfileCopy:
    version, _, safety, line, tokens, snapshot, remembers = value.split(b"\n")
    names = json.loads(remembers[1:] or b"[]")
    return ProfileCopy(int(version), safety, line, int(tokens), snapshot, remembers[:1] == b"1", tuple(names))
