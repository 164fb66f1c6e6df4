"""A file that is damaged, or another program's, is refused in words, and nothing is written to it."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memory.errors import SetupError, StoreUnavailable
from memory.model.profile import Profile
from memory.scope import UserScope
from memory.stores.sqlite.database import SCHEMA_VERSION
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.soundness import require_sound

PAGE = 4096
USERS = 2_000
PATIENCE_S = 5.0
NEWEST = int(SCHEMA_VERSION)


def flat(path: Path) -> bytes:
    """The bytes of a store with many users, its log of writes taken in."""

    async def make() -> None:
        store = SqliteLongTermStore(path)
        await store.start()
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path)) as file:
        row = ("t", 1, "n", "[]", "[]", "[]", '{"likes": "%s"}' % ("tea " * 50))
        query = "INSERT INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        file.executemany(query, [(row[0], f"u{number}", *row[1:]) for number in range(USERS)])
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return flat(tmp_path_factory.mktemp("sound") / "anamnesis.sqlite3")


def middle(content: bytes) -> int:
    return len(content) // 2 // PAGE * PAGE


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "header": lambda content: bytes(100) + content[100:],
    "page-of-zeros": lambda content: content[: middle(content)] + bytes(PAGE) + content[middle(content) + PAGE :],
    "page-of-noise": lambda content: content[: middle(content)] + b"\xa5" * PAGE + content[middle(content) + PAGE :],
    "cut-off": lambda content: content[: middle(content)],
    "cut-off-within-a-page": lambda content: content[: PAGE + 100],
    "a-text": lambda _: b"not a database at all\n" * 500,
    "two-bytes": lambda _: b"hi",
    "schema": lambda content: content[:100] + b"\xff" * 200 + content[300:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_file_is_refused_with_what_to_do(damage: str, sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    path.write_bytes(DAMAGE[damage](sound))
    before = path.read_bytes()
    with pytest.raises(SetupError, match=r"(damaged|not an SQLite file).*put back the last backup"):
        require_sound(path, NEWEST, PATIENCE_S)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["header", "a-text", "two-bytes", "schema"])
async def test_opening_a_damaged_file_is_refused_with_what_to_do(damage: str, sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    path.write_bytes(DAMAGE[damage](sound))
    store = SqliteLongTermStore(path)
    with pytest.raises(SetupError, match="put back the last backup"):
        await store.start()
    await store.close()
    assert path.read_bytes() == DAMAGE[damage](sound)


def test_sound_file_and_none_and_an_empty_one_pass(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    require_sound(path, NEWEST, PATIENCE_S)
    path.write_bytes(b"")
    require_sound(path, NEWEST, PATIENCE_S)
    path.write_bytes(sound)
    require_sound(path, NEWEST, PATIENCE_S)
    require_sound(path, NEWEST, 0.0)


def test_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "anamnesis.sqlite3").mkdir()
    with pytest.raises(SetupError, match="is not a file: move it away"):
        require_sound(tmp_path / "anamnesis.sqlite3", NEWEST, PATIENCE_S)


async def test_page_found_damaged_later_is_told_as_damage(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    path.write_bytes(DAMAGE["page-of-zeros"](sound))
    store = SqliteLongTermStore(path)
    await store.start()
    with pytest.raises(StoreUnavailable, match=r"is damaged: .*put back the last backup"):
        assert [profile async for _, profile in store.all_profiles()]
    await store.close()


def schema(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as file:
        return {str(name) for (name,) in file.execute("SELECT name FROM sqlite_master")}


@pytest.mark.parametrize("version", ["5", "99"])
async def test_file_of_a_later_program_is_refused_and_nothing_is_written(
    version: str, sound: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE store SET value = ? WHERE key = 'schema_version'", (version,))
        file.commit()
        file.executescript(
            "ALTER TABLE profiles RENAME TO people; DROP INDEX memories_by_speaker; PRAGMA journal_mode = DELETE;"
        )
    content, names = path.read_bytes(), schema(path)
    store = SqliteLongTermStore(path)
    with pytest.raises(SetupError, match=r"upgrade the program\. Nothing was changed"):
        await store.start()
    await store.close()
    assert schema(path) == names
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("CREATE TABLE memories (id TEXT, text TEXT)", "not a store of this program"),
        ("CREATE TABLE store (key TEXT, value TEXT); INSERT INTO store VALUES ('schema_version', '0')", "no program"),
        ("CREATE TABLE store (key TEXT, value TEXT); INSERT INTO store VALUES ('schema_version', 'x')", "no program"),
        ("CREATE TABLE store (key TEXT, value TEXT); INSERT INTO store VALUES ('color', 'blue')", "no program"),
    ],
)
async def test_file_of_an_unknown_layout_is_refused_and_nothing_is_written(
    layout: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(layout)
    content = path.read_bytes()
    store = SqliteLongTermStore(path)
    with pytest.raises(SetupError, match=said):
        await store.start()
    await store.close()
    assert path.read_bytes() == content


async def test_file_whose_making_was_cut_off_is_made_whole(tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    with closing(sqlite3.connect(path)) as file:
        file.executescript("CREATE TABLE store (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    store = SqliteLongTermStore(path)
    await store.start()
    assert await store.get_profile(UserScope("t", "u")) == Profile("u")
    await store.close()


async def test_file_that_another_program_keeps_locked_is_told(
    sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.stores.sqlite.database.BUSY_TIMEOUT_MS", 50)
    path = tmp_path / "anamnesis.sqlite3"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store = SqliteLongTermStore(path)
        with pytest.raises(SetupError, match="locked by another program"):
            await store.start()
        await store.close()


async def test_files_of_the_store_are_their_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    before = os.umask(0o022)
    try:
        store = SqliteLongTermStore(path)
        await store.start()
        await store.update_profile(UserScope("t", "u"), lambda found: found)
        rights = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        await store.close()
    finally:
        os.umask(before)
    assert rights == dict.fromkeys(rights, 0o600)
    assert {"anamnesis.sqlite3", "anamnesis.sqlite3-wal", "anamnesis.sqlite3-shm"} <= set(rights)
