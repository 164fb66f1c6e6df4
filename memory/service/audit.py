"""ListAudit: who asked for what, with the names of those who are known."""

import asyncio
from collections.abc import Mapping
from typing import Final

from memory.model.audit import AuditEntry, AuditWanted, digest_of
from memory.model.audit_calls import AuditItem, ListAuditRequest, ListAuditResponse
from memory.ports import AuditLog, MemUnits, Tails, UserList
from memory.scope import UserScope
from memory.service.settings import Caller
from memory.session.times import moment_ms, rfc3339

_SHOWN_DIGITS: Final = 12
"""As logs show them."""


class AuditReader:
    """What an admin may see of the audit of their own tenant."""

    def __init__(self, audit: AuditLog, users: UserList, sessions: Tails, units: MemUnits) -> None:
        self._audit = audit
        self._users = users
        self._sessions = sessions
        self._units = units

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
