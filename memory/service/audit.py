"""ListAudit and ListKeys: who asked for what, with the names of those who are known, and who may ask."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Final

from memory.model.audit import AuditEntry, AuditWanted, digest_of
from memory.model.audit_calls import (
    AuditItem,
    KeyItem,
    ListAuditRequest,
    ListAuditResponse,
    ListKeysRequest,
    ListKeysResponse,
)
from memory.model.caller import Caller
from memory.scope import UserScope
from memory.service.settings import Ports
from memory.session.times import moment_ms, rfc3339

_SHOWN_DIGITS: Final = 12
"""As logs show them."""
_LOOKED_AT: Final = 10_000
_TOGETHER: Final = 1_000


class AuditReader:
    """What an admin may see of the audit of their own tenant."""

    def __init__(self, ports: Ports) -> None:
        self._audit = ports.audit
        self._users = ports.users
        self._sessions = ports.sessions
        self._units = ports.store
        self._keys = ports.keys

    async def keys(self, caller: Caller, request: ListKeysRequest) -> ListKeysResponse:
        """The tenant's keys, and when each was last used."""
        keys = [each for each in self._keys.of(caller.tenant) if request.revoked or not each.revoked]
        used_ms = await self._used_ms(caller.tenant, {each.name for each in keys})
        items = [
            KeyItem(
                name=each.name or None,
                scopes=list(each.scopes),
                revoked=each.revoked,
                last_used_at=rfc3339(used_ms[each.name]) if each.name in used_ms else None,
            )
            for each in keys
        ]
        return ListKeysResponse(items=items, open=self._keys.open)

    async def _used_ms(self, tenant: str, names: Collection[str]) -> Mapping[str, int]:
        """When keys of these names last asked for something, as far as that is among the last requests."""
        used_ms: dict[str, int] = {}
        after = ""
        for _ in range(_LOOKED_AT // _TOGETHER if names else 0):
            found = await self._audit.page(tenant, AuditWanted(limit=_TOGETHER, after=after))
            for entry in found.entries:
                if entry.key in names:
                    used_ms[entry.key] = max(entry.at_ms, used_ms.get(entry.key, 0))
            after = found.after
            if not after or len(used_ms) == len(names):
                break
        return used_ms

    async def page(self, caller: Caller, request: ListAuditRequest) -> ListAuditResponse:
        """A page of entries."""
        user = request.user_id
        wanted = AuditWanted(
            limit=request.limit,
            about=frozenset() if user is None else await self._about(UserScope(caller.tenant, user)),
            conversation=digest_of(request.conversation_id) if request.conversation_id else "",
            operation=request.operation or "",
            key=request.key or "",
            refused=request.outcome == "refused",
            since_ms=moment_ms(request.since) if request.since else None,
            until_ms=moment_ms(request.until) if request.until else None,
            after=request.cursor,
        )
        found = await self._audit.page(caller.tenant, wanted)
        digests = {entry.user for entry in found.entries if entry.user}
        names = dict(await self._users.names(caller.tenant, digests)) if digests else {}
        if user is not None:
            names[digest_of(user)] = names[""] = user
        latest_first = sorted(found.entries, key=lambda entry: -entry.at_ms)  # several processes write them down
        return ListAuditResponse(items=[_item(entry, names) for entry in latest_first], cursor=found.after)

    async def _about(self, scope: UserScope) -> frozenset[str]:
        """The digests of a user, and of their conversations: a request may name one of these alone."""
        living, ended = await asyncio.gather(self._sessions.living(scope), self._units.conversations(scope))
        return frozenset(map(digest_of, (scope.user, *living, *ended)))


def _item(entry: AuditEntry, names: Mapping[str, str]) -> AuditItem:
    return AuditItem(
        at=rfc3339(entry.at_ms),
        key=entry.key or None,
        operation=entry.operation,
        status=entry.status,
        user_id=names.get(entry.user),
        user=entry.user[:_SHOWN_DIGITS] or None,
        conversation=entry.conversation[:_SHOWN_DIGITS] or None,
        memory_id=entry.memory or None,
    )
