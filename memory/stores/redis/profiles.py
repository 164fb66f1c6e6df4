"""Copies of profiles: one that is believed for a while, and one that is kept for when the truth cannot be asked."""

import json
import secrets
from functools import lru_cache
from typing import Final

from memory.limits import PROFILE_DROPPED_S
from memory.model.session import CoreLines, ProfileCopy
from memory.scope import UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.keys import forgotten_key, kept_profile_key, old_kept_profile_key, profile_key
from memory.stores.redis.wire import Commands

_MARK_BYTES: Final = 8
_FORGOTTEN_MS: Final = 30 * 86_400_000
"""Longer than a reader may sleep between what it has read of the long-term store and the copy that it leaves of it."""
_DROPPED: Final = b"dropped:"
_FORM: Final = b"4"
"""Of copies: one that a gateway of another form has left is not believed, but kept for an outage."""
_LATER: Final = (b"[]", b"[]", b"0")
"""Parts that forms have gained: relatives, lines that always stand in a context, the tokens of these."""
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

    async def forgotten(self, scope: UserScope) -> int:
        """How often something of this user was forgotten: to be asked for before the truth is read, for `put`."""
        (reply,) = await self._redis.run(("GET", forgotten_key(scope)))
        return int(require(reply) or 0)

    async def put(self, scope: UserScope, copy: ProfileCopy, stamp: bytes, forgotten: int, dropped: str) -> None:
        """One script: set unless there is a newer one, the mark of another drop, or something was forgotten since."""
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
                copy.relatives_json,
                copy.core.lines_json,
                b"%d" % copy.core.tokens,
            )
        )
        kept_ms = self._kept_ms if copy.version or copy.remembers else 0
        await scripts.PUT_PROFILE.run(
            self._redis,
            _keys(scope),
            (copy.version, full_stamp, value, self._ttl_ms, kept_ms, dropped, forgotten),
        )

    async def drop(self, scope: UserScope) -> str:
        """A mark in its place: for a moment nobody stores what was read before, but who has made the mark."""
        mark = _DROPPED + secrets.token_hex(_MARK_BYTES).encode()
        (reply,) = await self._redis.run(("SET", profile_key(scope), mark, "PX", _DROPPED_MS))
        require(reply)
        return mark.decode()

    async def kept(self, scope: UserScope) -> ProfileCopy | None:
        """Two GETs; whichever run of the server, and setting and version of the gateway it is from."""
        replies = await self._redis.run(("GET", kept_profile_key(scope)), ("GET", old_kept_profile_key(scope)))
        values = [value for value in map(require, replies) if value is not None and b"\n" in value]
        return _copy(values[0]) if values else None

    async def erase(self, scope: UserScope) -> None:
        """One script."""
        await scripts.ERASE_PROFILE.run(self._redis, _keys(scope), (_FORGOTTEN_MS,))

    def _run_stamp(self, stamp: bytes) -> bytes:
        """A copy is good for one run of the server: one that restarts may have lost the last second."""
        return _stamped(stamp, self._redis.server.get("run_id", ""))


def _keys(scope: UserScope) -> tuple[str, ...]:
    return profile_key(scope), kept_profile_key(scope), old_kept_profile_key(scope), forgotten_key(scope)


@lru_cache(maxsize=16)
def _stamped(stamp: bytes, run: str) -> bytes:
    return b":".join((stamp, run.encode(), _FORM))


def _copy(value: bytes) -> ProfileCopy:
    """A copy of an earlier form lacks its last parts, one of a later form has more of them."""
    version, _, safety, line, tokens, snapshot, remembers, *later = value.split(b"\n")
    relatives, lines, lines_tokens = (*later, *_LATER[len(later) :])[: len(_LATER)]
    names = tuple(json.loads(remembers[1:])) if len(remembers) > 1 else ()
    core = CoreLines(lines, int(lines_tokens))
    return ProfileCopy(int(version), safety, line, int(tokens), snapshot, remembers[:1] == b"1", names, relatives, core)
