"""Who asked for what: a stream for each tenant, bounded by number and by age, that goes when nobody asks any more."""

from collections.abc import Sequence
from typing import Any, Final

from memory.model.audit import AuditEntry, AuditFound, AuditWanted
from memory.stores.redis.connection import require
from memory.stores.redis.keys import audit_key
from memory.stores.redis.wire import Command, Commands

_READ: Final = 1_000
"""Entries of one reply."""
_REPLIES_MAX: Final = 10
"""Of one page: where few of very many match it ends before it is full."""
_TRIMMED_MS: Final = 3_600_000
"""So seldom each gateway looks for entries that are too old."""


class RedisAudit:
    """The AuditLog port. Every entry has the same fields, in one order: so a stream keeps their names once."""

    def __init__(self, connection: Commands, entries_max: int, kept_ms: int) -> None:
        """`entries_max`: of a tenant; the stream has up to a hundred more. `kept_ms`: how long, to an hour."""
        self._redis = connection
        self._entries_max = entries_max
        self._kept_ms = kept_ms
        self._trimmed_ms: dict[str, int] = {}

    async def note(self, entries: Sequence[tuple[str, AuditEntry]]) -> None:
        """XADD for each, and what bounds the stream, in one write."""
        commands: list[Command] = [self._add(tenant, entry) for tenant, entry in entries]
        for tenant, at_ms in {tenant: entry.at_ms for tenant, entry in entries}.items():
            commands += self._bound(tenant, at_ms)
        for reply in await self._redis.run(*commands):
            require(reply)

    def _add(self, tenant: str, entry: AuditEntry) -> Command:
        at, key, op, status, user, talk, memory = entry
        head: Command = ("XADD", audit_key(tenant), "MAXLEN", "~", self._entries_max, "*")
        return (*head, "t", at, "k", key, "o", op, "s", status, "u", user, "c", talk, "m", memory)

    def _bound(self, tenant: str, now_ms: int) -> list[Command]:
        """The whole stream goes when nothing comes any more; once an hour, what is too old in it."""
        bound: list[Command] = [("PEXPIRE", audit_key(tenant), self._kept_ms)]
        if tenant not in self._trimmed_ms or now_ms - self._trimmed_ms[tenant] >= _TRIMMED_MS:
            self._trimmed_ms[tenant] = now_ms
            bound.append(("XTRIM", audit_key(tenant), "MINID", "~", max(0, now_ms - self._kept_ms)))
        return bound

    async def page(self, tenant: str, wanted: AuditWanted) -> AuditFound:
        """XREVRANGE, some thousand entries a page at the most."""
        last = f"({wanted.after}" if wanted.after else "+" if wanted.until_ms is None else f"({wanted.until_ms}-0"
        first = "-" if wanted.since_ms is None else str(wanted.since_ms)
        found: list[AuditEntry] = []
        count = _READ if wanted.chooses else wanted.limit + 1
        for _ in range(_REPLIES_MAX):
            (reply,) = await self._redis.run(("XREVRANGE", audit_key(tenant), last, first, "COUNT", count))
            for place, fields in require(reply):
                entry = _entry(fields)
                if wanted.has(entry):
                    found.append(entry)
                    if len(found) == wanted.limit:
                        return AuditFound(found, place.decode())
                last = f"({place.decode()}"
            if len(reply) < count:
                return AuditFound(found, "")
        return AuditFound(found, last[1:])


def _entry(fields: Sequence[Any]) -> AuditEntry:
    at, key, operation, status, user, conversation, memory = (each.decode() for each in fields[1::2])
    return AuditEntry(int(at), key, operation, int(status), user, conversation, memory)
