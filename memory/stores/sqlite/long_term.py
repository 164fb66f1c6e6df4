"""MemUnits and profiles on SQLite: the embedded default. One file, WAL, durable commits."""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from memory import fences as fence_names
from memory.model.memunit import MemUnit
from memory.model.profile import SAFETY_KINDS, Profile
from memory.scope import ConversationScope, Fence, UserScope
from memory.stores.sqlite import erasures
from memory.stores.sqlite.database import Database, Session

_PAGE: Final = 100


class SqliteLongTermStore:
    """The LongTermStore port over a file, which `database` may share with others."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self.database = Database(path)

    @property
    def store_id(self) -> str:
        """Drawn when the file was made."""
        return self.database.store_id

    async def start(self) -> None:
        """Open the file, or make it. Raises SetupError when it is another version's or cannot be opened."""
        await self.database.start()

    async def close(self) -> None:
        """Close the file; what is committed is durable already."""
        await self.database.close()

    async def check(self) -> None:
        """Raise StoreUnavailable when the file cannot be read."""
        await self.database.read(lambda session: session.row("get_setting", key="schema_version"))

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As they stand in the file."""
        return await self.database.read(lambda session: erasures.standing(session, names))

    async def put_memunit(self, unit: MemUnit, fences: Sequence[Fence] = ()) -> None:
        """Store a MemUnit under its id; durable when this returns. Fences are looked at in the same transaction."""
        row = {
            "tenant": unit.scope.tenant,
            "conversation": unit.scope.conversation,
            "participants": json.dumps(list(unit.participants), ensure_ascii=False),
            **{name: getattr(unit, name) for name in _MEMUNIT_PLAIN},
        }

        def work(session: Session) -> None:
            with session.transaction():
                erasures.require(session, fences)
                session.write("put_memunit", row)

        await self.database.write(work)

    async def get_memunit(self, scope: ConversationScope, unit_id: str) -> MemUnit | None:
        """Read a MemUnit back; None when it is not there (or not this conversation's)."""
        names = {"tenant": scope.tenant, "conversation": scope.conversation, "unit_id": unit_id}
        row = await self.database.read(lambda session: session.row("get_memunit", **names))
        return _memunit(row) if row else None

    async def own_memunit(self, scope: UserScope, unit_id: str) -> MemUnit | None:
        """Read a user's MemUnit; None when the user has no such one."""
        names = {"tenant": scope.tenant, "user_id": scope.user, "unit_id": unit_id}
        row = await self.database.read(lambda session: session.row("own_memunit", **names))
        return _memunit(row) if row else None

    async def own_memunits(self, scope: UserScope, conversation: str, after: str, limit: int) -> list[MemUnit]:
        """A user's MemUnits in the order of their ids."""
        names = {"tenant": scope.tenant, "user_id": scope.user, "conversation": conversation, "after": after}
        rows = await self.database.read(lambda session: session.rows("own_memunits", **names, limit=limit))
        return [_memunit(row) for row in rows]

    async def latest_memunit(self, scope: ConversationScope) -> MemUnit | None:
        """The conversation's last MemUnit."""
        names = {"tenant": scope.tenant, "conversation": scope.conversation}
        row = await self.database.read(lambda session: session.row("latest_memunit", **names))
        return _memunit(row) if row else None

    async def memunit_from(self, scope: ConversationScope, seq: int) -> MemUnit | None:
        """The first MemUnit of a conversation that ends with message `seq`, or later."""
        names = {"tenant": scope.tenant, "conversation": scope.conversation, "seq": seq}
        row = await self.database.read(lambda session: session.row("memunit_from", **names))
        return _memunit(row) if row else None

    async def conversations(self, scope: UserScope) -> list[str]:
        """The conversations of which a user has MemUnits."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        rows = await self.database.read(lambda session: session.rows("conversations", **names))
        return [str(row["conversation"]) for row in rows]

    async def last_ended(self, scope: UserScope) -> dict[str, int]:
        """The conversations of which a user has MemUnits, each with when the last of these ended."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        rows = await self.database.read(lambda session: session.rows("last_ended", **names))
        return {str(row["conversation"]): int(row["ended_ms"]) for row in rows}

    async def count(self, scope: UserScope, conversation: str = "") -> int:
        """How many MemUnits a user has, by the index on them."""
        names = {"tenant": scope.tenant, "user_id": scope.user, "conversation": conversation}
        (row,) = await self.database.read(lambda session: session.rows("count_memunits", **names))
        return int(row["number"])

    async def erase_conversation(self, scope: ConversationScope, users: Sequence[str]) -> int:
        """Remove these users' MemUnits of a conversation; their bytes are overwritten, and leave the log of writes."""
        names = {"tenant": scope.tenant, "conversation": scope.conversation, "users": json.dumps(list(users))}
        raised = [fence_names.of_owner(scope, user) for user in users]
        return await self.database.write(partial(_erase, "erase_memunits", names, raised))

    async def erase_profile(self, scope: UserScope) -> bool:
        """Remove a user's profile, as `erase_conversation`."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        return bool(await self.database.write(partial(_erase, "erase_profile", names, [fence_names.of_user(scope)])))

    async def get_profile(self, scope: UserScope) -> Profile:
        """A user's profile; an empty one (version 0) when nothing is known."""
        return await self.database.read(lambda session: _profile(session, scope))

    async def update_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        """Read, change and write in one transaction that holds the write lock from its start."""
        return await self.database.write(lambda session: _change_profile(session, scope, change))

    async def all_memunits(self) -> AsyncIterator[MemUnit]:
        """Every MemUnit, by tenant and id."""
        last = {"tenant": "", "unit_id": ""}
        while rows := await self.database.read(partial(_page, "memunits_after", last)):
            for row in rows:
                yield _memunit(row)
            last = {name: rows[-1][name] for name in last}

    async def all_profiles(self) -> AsyncIterator[tuple[UserScope, Profile]]:
        """Every user's profile, by tenant and user."""
        last = {"tenant": "", "user_id": ""}
        while rows := await self.database.read(partial(_page, "profiles_after", last)):
            for row in rows:
                yield UserScope(row["tenant"], row["user_id"]), _profile_of(row)
            last = {name: rows[-1][name] for name in last}


def _erase(query: str, values: Mapping[str, object], raised: Sequence[str], session: Session) -> int:
    """One transaction: rows go, fences rise; returns how many rows are gone."""
    with erasures.erasing(session):
        erasures.raise_fences(session, raised)
        return session.write(query, values)


def _page(query: str, last: Mapping[str, str], session: Session) -> list[sqlite3.Row]:
    return session.rows(query, **last, limit=_PAGE)


def _profile(session: Session, scope: UserScope) -> Profile:
    row = session.row("get_profile", tenant=scope.tenant, user_id=scope.user)
    return Profile(scope.user) if row is None else _profile_of(row)


def _profile_of(row: sqlite3.Row) -> Profile:
    return Profile(
        user_id=row["user_id"],
        version=row["version"],
        name=row["name"],
        preferences=json.loads(row["preferences"]),
        **{kind: tuple(json.loads(row[kind])) for kind in SAFETY_KINDS},
    )


def _change_profile(session: Session, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
    with session.transaction():
        erasures.require(session, scope.fences)
        before = _profile(session, scope)
        after = change(before)
        if after.version != before.version:
            session.write("put_profile", _profile_row(scope, after))
    return after


_MEMUNIT_PLAIN: Final = tuple(name for name in MemUnit.__slots__ if name not in {"scope", "participants"})


def _memunit(row: sqlite3.Row) -> MemUnit:
    return MemUnit(
        scope=ConversationScope(row["tenant"], row["conversation"]),
        participants=tuple(json.loads(row["participants"])),
        **{name: row[name] for name in _MEMUNIT_PLAIN},
    )


def _profile_row(scope: UserScope, profile: Profile) -> dict[str, object]:
    return {
        "tenant": scope.tenant,
        "user_id": scope.user,
        "version": profile.version,
        "name": profile.name,
        "preferences": json.dumps(profile.preferences, ensure_ascii=False),
        **{kind: json.dumps(facts, ensure_ascii=False) for kind, facts in profile.safety().items()},
    }
