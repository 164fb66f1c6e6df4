"""Whether a file is a store that this program may write to: asked before anything is written, in it or beside it."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from memory.errors import SetupError

_ERRORS_SHOWN_MAX: Final = 3
_STEPS_BETWEEN_LOOKS: Final = 100_000
_TABLES: Final = ("memunits", "memories", "profiles")
"""What is kept for users."""
_CODE: Final = 0xFF
"""The low byte of SQLite's result codes is the kind of error, the rest says more."""
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_ROOM: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_CLOSED: Final = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH}
DAMAGE_ADVICE: Final = (
    "Stop all gateways on it; put back the last backup, or save what can be read with `sqlite3 FILE .recover` into a "
    "new file. Sessions that still live are not in it, and are safe"
)
"""What to do about a damaged file."""


def require_sound(path: Path, newest: int, patience_s: float) -> None:
    """Look at the version and at every page of a file, if there is one, for at most `patience_s` seconds.

    Nothing is written. Raises SetupError that says what is wrong and what to do. What is left after that time is not
    looked at: about half a gigabyte a second is.
    """
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return
    if not path.is_file():
        raise SetupError(f"the long-term store {path} is not a file: move it away")
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            require_known_version(connection, path, newest)
            until = time.monotonic() + patience_s
            connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS_BETWEEN_LOOKS)
            found = connection.execute(f"PRAGMA quick_check({_ERRORS_SHOWN_MAX})").fetchall()
    except sqlite3.Error as error:
        if kind_of(error) == sqlite3.SQLITE_INTERRUPT:
            return
        raise refusal(path, error) from error
    if [tuple(row) for row in found] != [("ok",)]:
        lines = [line for row in found for line in str(row[0]).splitlines() if not line.startswith("***")]
        shown = "; ".join(lines[:_ERRORS_SHOWN_MAX])
        raise SetupError(f"the long-term store {path} is damaged ({shown}). {DAMAGE_ADVICE}")


def holds_memories(path: Path) -> bool:
    """Whether a sound store has anything in it. Nothing is written. Raises SetupError when it cannot be read."""
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            tables = _tables(connection)
            asked = (f"SELECT 1 FROM {table} LIMIT 1" for table in _TABLES if table in tables)  # noqa: S608 - our names
            return any(connection.execute(query).fetchone() for query in asked)
    except sqlite3.Error as error:
        raise refusal(path, error) from error


def require_known_version(connection: sqlite3.Connection, path: Path, newest: int) -> None:
    """Raise SetupError for a file that another program wrote, or a later version of this one. Nothing is written."""
    tables = _tables(connection)
    if not tables:
        return
    if "store" not in tables:
        raise SetupError(
            f"{path} is an SQLite file, but not a store of this program, or of a version before its first: "
            "move it away, or choose another data.dir"
        )
    settings = {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM store")}
    version = settings.get("schema_version", "")
    if not settings or (version.isdecimal() and 1 <= int(version) <= newest):
        return  # without any setting: its making was cut off, and is done again
    if version.isdecimal() and int(version) > newest:
        raise SetupError(
            f"{path} has schema version {version}, this program knows {newest}: upgrade the program. "
            "Nothing was changed"
        )
    raise SetupError(
        f"{path} has a schema version that no program wrote ({version or 'none'}): put back its last backup, or move "
        "it away. Nothing was changed"
    )


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def refusal(path: Path, error: sqlite3.Error) -> SetupError:
    """What an error at opening means to whoever starts a gateway."""
    kind = kind_of(error)
    if kind in _DAMAGED:
        what = "is not an SQLite file" if kind == sqlite3.SQLITE_NOTADB else "is damaged"
        return SetupError(f"the long-term store {path} {what} ({error}). {DAMAGE_ADVICE}")
    if kind in _BUSY:
        return SetupError(f"the long-term store {path} is locked by another program ({error}): end that, or wait")
    if kind in _NO_ROOM:
        return SetupError(f"the disk of the long-term store {path} fails or is full ({error}): make room, or mend it")
    if kind in _CLOSED:
        return SetupError(f"cannot open the long-term store {path}: {error}. May this user write to it and its folder?")
    return SetupError(f"cannot open the long-term store {path}: {error}")


def kind_of(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; 0 for an error that has none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & _CODE


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file itself is damaged."""
    return kind_of(error) in _DAMAGED
