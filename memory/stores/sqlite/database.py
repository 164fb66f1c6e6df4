"""One SQLite file: a thread that writes, a thread that reads, and what errors mean.

Several processes of one host may share the file (WAL); SQLite's own locks order their writes.
"""

import asyncio
import logging
import re
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from memory.errors import MemoryGatewayError, SetupError, StoreFull, StoreUnavailable
from memory.stores.sqlite.soundness import DAMAGE_ADVICE, is_damage, refusal, require_known_version
from memory.stores.sqlite.together import Together
from memory.stores.sqlite.words import counts

T = TypeVar("T")

_LOG: Final = logging.getLogger("anamnesis.sqlite")
SCHEMA_VERSION: Final = "4"
_MIGRATIONS: Final = {"1": "migrate_1.sql", "2": "migrate_2.sql", "3": "migrate_3.sql"}
"""By the version that a file has; each ends with the version that it has then."""
BUSY_TIMEOUT_MS: Final = 5_000
_MIGRATION_TIMEOUT_MS: Final = 600_000
"""Another process may be bringing the file to a new version already."""
_MEETING_S: Final = 0.02
_LOOKS_MS: Final = 3
"""SQLite looks after 1 ms and after 2 more."""
_MODE: Final = 0o600
_FULL_CODES: Final = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}
"""How a disk without room shows, wherever SQLite was when it met it."""
_NAMED: Final = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def _text(name: str) -> str:
    return resources.files("memory.stores.sqlite").joinpath(name).read_text(encoding="utf-8")


def named_queries(name: str) -> Mapping[str, str]:
    """The queries of a file of this package by name."""
    _, *parts = _NAMED.split(_text(name))
    return dict(zip(parts[::2], parts[1::2], strict=True))


SQL: Final = named_queries("queries.sql")
"""The queries of queries.sql by name."""


class Session:
    """A connection, used by one thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def row(self, query: str, **values: object) -> sqlite3.Row | None:
        """The first row of a named query. The statement is ended: an open one would keep the log of writes."""
        return next(iter(self.rows(query, **values)), None)

    def rows(self, query: str, **values: object) -> list[sqlite3.Row]:
        """All rows of a named query."""
        return self.connection.execute(SQL[query], values).fetchall()

    def write(self, query: str, values: Mapping[str, object]) -> int:
        """Run a named query; returns how many rows it changed."""
        return self.connection.execute(SQL[query], values).rowcount

    def write_many(self, query: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a named query for each of `rows`."""
        self.connection.executemany(SQL[query], rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock from here on; all or nothing."""
        self._begin()
        with self.connection:
            yield

    def _begin(self) -> None:
        """Take the write lock, as patiently as the connection is.

        SQLite itself looks for it ever less often, at last every 0.1 s: while others take it in turn, who waits longest
        would look least.
        """
        (patience_ms,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        deadline = time.monotonic() + patience_ms / 1000
        self.connection.execute(f"PRAGMA busy_timeout = {_LOOKS_MS}")
        try:
            while True:
                try:
                    self.connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                        raise
                else:
                    return
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {patience_ms}")


class Database:
    """The file. `write`, `read` and `read_long` run work on threads of their own, each in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store_id = ""
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="sqlite-write")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="sqlite-read")
        self._reading_long = ThreadPoolExecutor(1, thread_name_prefix="sqlite-long")
        self._writer: Session | None = None
        self._reader: Session | None = None
        self._long_reader: Session | None = None
        self._puts: Together[Callable[[Session], Any]] = Together("sqlite-puts", self._put_each)
        self._looks: Together[Callable[[Session], Any]] = Together("sqlite-looks", self._look_at_each)

    async def start(self) -> None:
        """Open the file, or make it, for this user alone.

        Raises SetupError, before anything was written to it, when it is a later version's or another program's,
        damaged, locked, or cannot be opened.
        """
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._writing, self._open)
            self._reader = Session(await loop.run_in_executor(self._reading, self._connect))
            self._long_reader = Session(await loop.run_in_executor(self._reading_long, self._connect))
        except sqlite3.Error as error:
            raise refusal(self.path, error) from error

    async def close(self) -> None:
        """Close the file; what is committed is durable already."""
        for session, thread in (
            (self._reader, self._reading),
            (self._long_reader, self._reading_long),
            (self._writer, self._writing),
        ):
            if session is not None:
                await self._run(thread, session.connection.close)
            thread.shutdown()
        self._reader = self._long_reader = self._writer = None

    async def write(self, work: Callable[[Session], T]) -> T:
        """Run work that may write. Raises StoreFull, StoreUnavailable."""
        return await self._run(self._writing, lambda: work(_opened(self._writer)))

    async def write_together(self, work: Callable[[Session], T]) -> T:
        """Run work that may write, in one transaction with what others ask for meanwhile: all of it is durable at once.

        `work` opens none of its own. What raises an error of the product is undone alone; an error of SQLite's undoes,
        and is raised for, all of them. Raises StoreFull, StoreUnavailable.
        """
        return cast("T", await self._puts.do(work))

    async def _put_each(self, works: Sequence[Callable[[Session], Any]]) -> list[Any]:
        return await self.write(partial(_in_one_transaction, works=works))

    async def read(self, work: Callable[[Session], T]) -> T:
        """Run work that only reads; it sees what was committed before. Raises StoreUnavailable."""
        return await self._run(self._reading, lambda: work(_opened(self._reader)))

    async def look(self, work: Callable[[Session], T]) -> T:
        """As `read`, for a few rows by their keys: what many look for at the same time is one visit to the thread.

        What one raises, the others are not told.
        """
        return cast("T", await self._looks.do(work))

    async def _look_at_each(self, works: Sequence[Callable[[Session], Any]]) -> list[Any]:
        return await self.read(partial(self._each, works))

    def _each(self, works: Sequence[Callable[[Session], Any]], session: Session) -> list[Any]:
        given: list[Any] = []
        for work in works:
            try:
                given.append(work(session))
            except sqlite3.Error as error:
                given.append(self._meaning(error))
            except Exception as error:  # noqa: BLE001 - raised for who asked for it
                given.append(error)
        return given

    async def read_long(self, work: Callable[[Session], T]) -> T:
        """The same for work that may take seconds: other reading doesn't wait for it."""
        return await self._run(self._reading_long, lambda: work(_opened(self._long_reader)))

    def _connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(_MODE)  # SQLite gives its log and index of the log the same rights
        except OSError as error:
            raise SetupError(f"cannot open the long-term store {self.path}: {error}") from error
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _open(self) -> None:
        connection = self._connect()
        require_known_version(connection, self.path, int(SCHEMA_VERSION))
        _log_ahead(connection)
        self._writer = session = Session(connection)
        if _is_old(session):
            _LOG.warning(
                "the long-term store is of an older schema: it is brought to %s, or waited for", SCHEMA_VERSION
            )
            connection.execute(f"PRAGMA busy_timeout = {_MIGRATION_TIMEOUT_MS}")
        _make(session, self.path)
        _migrate(session)
        self.store_id = setting(session, "store_id")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")

    async def _run(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        except sqlite3.Error as error:
            raise self._meaning(error) from error

    def _meaning(self, error: sqlite3.Error) -> StoreFull | StoreUnavailable:
        if getattr(error, "sqlite_errorcode", None) in _FULL_CODES:
            return StoreFull(f"the long-term store has no room: {error}")
        if is_damage(error):
            return StoreUnavailable(f"the long-term store {self.path} is damaged: {error}. {DAMAGE_ADVICE}")
        return StoreUnavailable(f"the long-term store does not answer: {error}")


def _in_one_transaction(session: Session, works: Sequence[Callable[[Session], Any]]) -> list[Any]:
    """What each gives, or the error of the product that it raises: that one is undone, the others stand."""
    done: list[Any] = []
    with session.transaction():
        for work in works:
            session.connection.execute("SAVEPOINT one")
            try:
                done.append(work(session))
            except MemoryGatewayError as error:
                session.connection.execute("ROLLBACK TO one")
                done.append(error)
            session.connection.execute("RELEASE one")
    return done


def setting(session: Session, key: str) -> str:
    """A value of the table `store`; empty when it is not set."""
    row = session.row("get_setting", key=key)
    return str(row["value"]) if row else ""


def _is_old(session: Session) -> bool:
    """Whether the file is there, and of a version that is to be brought to ours."""
    there = session.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'store'").fetchone()
    return there is not None and setting(session, "schema_version") in _MIGRATIONS


def _make(session: Session, path: Path) -> None:
    """Make what is missing of the schema, whole or not at all, unless a later program made it in the meantime."""
    with session.transaction():
        require_known_version(session.connection, path, int(SCHEMA_VERSION))
        for statement in _statements(_text("schema.sql")):
            session.connection.execute(statement)
        session.write("put_setting", {"key": "schema_version", "value": SCHEMA_VERSION})
        session.write("put_setting", {"key": "store_id", "value": uuid.uuid4().hex})


def _statements(script: str) -> Iterator[str]:
    """Its statements one by one: SQLite's own way to run a script would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _migrate(session: Session) -> None:
    """Bring a file of an older version to ours, each step whole or not at all. Several processes may try at once."""
    while (version := setting(session, "schema_version")) in _MIGRATIONS:
        with session.transaction():
            if setting(session, "schema_version") == version:
                _LOG.warning("bringing the long-term store on from schema version %s", version)
                _run_all(session, named_queries(_MIGRATIONS[version]))
        session.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _run_all(session: Session, queries: Mapping[str, str]) -> None:
    """Statements in their order; one that names _N for each index generation of the file."""
    session.connection.create_function("word_counts", 1, lambda words: counts(words.split()), deterministic=True)
    for query in queries.values():
        numbers = [row["number"] for row in session.rows("generations")] if "_N" in query else [0]
        for number in numbers:
            session.connection.execute(query.replace("_N", f"_{number}"))


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Let the file have a log of writes. SQLite's own patience does not hold for this: two who open a new file meet."""
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_MEETING_S)
        else:
            return


def _opened(session: Session | None) -> Session:
    if session is None:
        raise StoreUnavailable("the long-term store is not open")
    return session
