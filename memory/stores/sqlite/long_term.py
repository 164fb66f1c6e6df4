"""The long-term store on SQLite: the embedded default. One file, WAL, durable commits.

Several processes of one host may share the file; SQLite's own locks order their writes.
"""

import asyncio
import json
import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

from memory.errors import SetupError, StoreFull, StoreUnavailable
from memory.model.memunit import MemUnit
from memory.model.profile import SAFETY_KINDS, Profile
from memory.scope import ConversationScope, UserScope

T = TypeVar("T")

SCHEMA_VERSION: Final = "1"
_BUSY_TIMEOUT_MS: Final = 5_000
_FULL_CODES: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_NAMED: Final = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def _text(name: str) -> str:
    return resources.files("memory.stores.sqlite").joinpath(name).read_text(encoding="utf-8")


def _queries() -> Mapping[str, str]:
    _, *parts = _NAMED.split(_text("queries.sql"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


_SQL: Final = _queries()


class SqliteLongTermStore:
    """MemUnits and profiles in one file. All work runs on one thread of its own, in order."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        self._connection: sqlite3.Connection | None = None
        self.store_id = ""

    async def start(self) -> None:
        """Open the file, or make it. Raises SetupError when it is another version's or cannot be opened."""
        await self._run(self._open)

    async def close(self) -> None:
        """Close the file; what is committed is durable already."""
        if self._connection is not None:
            await self._run(self._connection.close)
            self._connection = None
        self._thread.shutdown()

    async def check(self) -> None:
        """Raise StoreUnavailable when the file cannot be read."""
        await self._run(lambda: self._row("get_setting", key="schema_version"))

    async def put_memunit(self, unit: MemUnit) -> None:
        """Store a MemUnit under its id; durable when this returns."""
        row = {
            "tenant": unit.scope.tenant,
            "conversation": unit.scope.conversation,
            "participants": json.dumps(list(unit.participants), ensure_ascii=False),
            **{name: getattr(unit, name) for name in _MEMUNIT_PLAIN},
        }
        await self._run(lambda: self._write("put_memunit", row))

    async def get_memunit(self, scope: ConversationScope, unit_id: str) -> MemUnit | None:
        """Read a MemUnit back; None when it is not there (or not this conversation's)."""
        row = await self._run(
            lambda: self._row("get_memunit", tenant=scope.tenant, conversation=scope.conversation, unit_id=unit_id)
        )
        return _memunit(row) if row else None

    async def latest_memunit(self, scope: ConversationScope) -> MemUnit | None:
        """The conversation's last MemUnit."""
        row = await self._run(lambda: self._row("latest_memunit", tenant=scope.tenant, conversation=scope.conversation))
        return _memunit(row) if row else None

    async def get_profile(self, scope: UserScope) -> Profile:
        """A user's profile; an empty one (version 0) when nothing is known."""
        return await self._run(lambda: self._profile(scope))

    async def update_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        """Read, change and write in one transaction that holds the write lock from its start."""
        return await self._run(lambda: self._change_profile(scope, change))

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.OperationalError) as error:
            raise SetupError(f"cannot open the long-term store {self._path}: {error}") from error
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(_text("schema.sql"))
        self._connection = connection
        self._write("put_setting", {"key": "schema_version", "value": SCHEMA_VERSION})
        self._write("put_setting", {"key": "store_id", "value": uuid.uuid4().hex})
        version = self._setting("schema_version")
        if version != SCHEMA_VERSION:
            raise SetupError(
                f"{self._path} has schema version {version}, this program knows {SCHEMA_VERSION}: upgrade the program"
            )
        self.store_id = self._setting("store_id")

    def _setting(self, key: str) -> str:
        row = self._row("get_setting", key=key)
        return str(row["value"]) if row else ""

    async def _run(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, work)
        except sqlite3.Error as error:
            raise _meaning(error) from error

    def _row(self, query: str, **values: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._open_connection().execute(_SQL[query], values).fetchone()
        return row

    def _write(self, query: str, values: Mapping[str, Any]) -> None:
        self._open_connection().execute(_SQL[query], values)

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreUnavailable("the long-term store is not open")
        return self._connection

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._open_connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _profile(self, scope: UserScope) -> Profile:
        row = self._row("get_profile", tenant=scope.tenant, user_id=scope.user)
        if row is None:
            return Profile(scope.user)
        return Profile(
            user_id=scope.user,
            version=row["version"],
            name=row["name"],
            preferences=json.loads(row["preferences"]),
            **{kind: tuple(json.loads(row[kind])) for kind in SAFETY_KINDS},
        )

    def _change_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        with self._transaction():
            before = self._profile(scope)
            after = change(before)
            if after.version != before.version:
                self._write("put_profile", _profile_row(scope, after))
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


def _meaning(error: sqlite3.Error) -> StoreFull | StoreUnavailable:
    if getattr(error, "sqlite_errorcode", None) in _FULL_CODES:
        return StoreFull(f"the long-term store has no room: {error}")
    return StoreUnavailable(f"the long-term store does not answer: {error}")
