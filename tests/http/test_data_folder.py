"""The data folder: its user's alone, and whole, or the gateway says in words why it does not start."""

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.gateways import GatewayProcess, run_command, start_gateway
from tests.http.conftest import Start
from tests.waiting import wait_until

SQLITE_FILE = "anamnesis.sqlite3"
QUICK = {"ANAMNESIS_EMBEDDINGS__PROVIDER": "none"}
PROMISED_S = 10.0
TURN = {"conversation_id": "c1", "user_id": "u1", "user_query": "My knee hurts.", "agent_response": "Since when?"}


def finish(gateway: GatewayProcess) -> None:
    """End the first conversation, and wait until it is in memory."""
    wait_until(lambda: gateway.get("/health").json()["components"]["worker"]["state"] == "working")
    body = {"conversation_id": "c1"}
    assert gateway.post("FinalizeSessionMemory", body).status == 200
    wait_until(lambda: gateway.post("GetFinalization", body).json()["state"] == "ENDED")


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a living session, and with memories; its gateway has ended in order."""
    gateway = start_gateway(tmp_path_factory.mktemp("used"), environment=QUICK)
    try:
        assert gateway.post("WriteTurn", TURN).status == 200
        finish(gateway)
        assert gateway.post("WriteTurn", TURN | {"conversation_id": "c2"}).status == 200
        gateway.stop()
    finally:
        gateway.kill()
    return gateway.folder / "data"


def rights(folder: Path) -> dict[str, str]:
    """The rights of the folder and of everything in it, of those that others share."""
    found = [folder, *folder.rglob("*")]
    return {str(each): oct(mode) for each in found if (mode := stat.S_IMODE(each.lstat().st_mode)) & 0o077}


def test_everything_a_gateway_makes_is_its_users_alone(start: Start, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        gateway = start(environment=QUICK)
    finally:
        os.umask(before)
    assert gateway.post("WriteTurn", TURN).status == 200
    finish(gateway)
    data = tmp_path / "own" / "data"
    names = {each.name for each in data.rglob("*")}
    assert {SQLITE_FILE, f"{SQLITE_FILE}-wal", f"{SQLITE_FILE}-shm", "valkey.sock"} <= names
    assert rights(data) == {}


def test_folder_with_wider_rights_is_narrowed_with_one_line(start: Start, used: Path, tmp_path: Path) -> None:
    data = tmp_path / "own" / "data"
    shutil.copytree(used, data)
    for each in (data, *data.rglob("*")):
        each.chmod(0o777 if each.is_dir() else 0o666)
    (data / "notes.txt").write_text("somebody else's", encoding="utf-8")
    (data / "notes.txt").chmod(0o644)
    gateway = start(environment=QUICK)
    assert rights(data) == {str(data / "notes.txt"): "0o644"}
    assert gateway.log_text().count("others had rights in the data folder") == 1
    gateway.stop()
    gateway = start(environment=QUICK)
    assert "others had rights" not in gateway.log_text()


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE store SET value = '99' WHERE key = 'schema_version'")
        file.commit()


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "header": (lambda path: overwrite(path, 0, bytes(100)), "put back the last backup"),
    "page": (lambda path: overwrite(path, 4096 * 5, bytes(4096)), "put back the last backup"),
    "cut-off": (lambda path: os.truncate(path, 4096 * 3), "put back the last backup"),
    "text": (lambda path: path.write_text("hello\n" * 2000, encoding="utf-8"), "put back the last backup"),
    "folder": (make_folder, "is not a file: move it away"),
    "empty": (lambda path: os.truncate(path, 0), "is empty, but"),
    "missing": (lambda path: path.unlink(), "is missing, but"),
    "newer": (make_newer, "upgrade the program"),
}


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("fault", FAULTS)
def test_gateway_on_a_damaged_store_ends_once_and_says_what_to_do(
    fault: str, processes: str, used: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(used, data, ignore=shutil.ignore_patterns("*-wal", "*-shm", "*.sock"))
    break_it, said = FAULTS[fault]
    break_it(data / SQLITE_FILE)
    started = time.monotonic()
    environment = QUICK | {"ANAMNESIS_SERVER__PROCESSES": processes}
    ended = run_command("serve", "--port", "0", "--data-dir", str(data), environment=environment)
    assert ended.returncode == 2, ended.stderr
    assert time.monotonic() - started < PROMISED_S
    lines = [line for line in ended.stderr.splitlines() if line.startswith("anamnesis:")]
    assert len(lines) == 1, ended.stderr
    assert said in lines[0]
    assert SQLITE_FILE in lines[0]
    assert "Traceback" not in ended.stderr
    assert "starts again" not in ended.stderr


def test_doctor_names_a_damaged_store(used: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(used, data, ignore=shutil.ignore_patterns("*-wal", "*-shm", "*.sock"))
    overwrite(data / SQLITE_FILE, 4096 * 5, bytes(4096))
    ended = run_command("doctor", "--data-dir", str(data), environment=QUICK)
    assert ended.returncode == 1
    assert "FAIL  data" in ended.stdout
    assert "put back the last backup" in ended.stdout


def test_folder_whose_first_start_was_cut_off_starts(start: Start, tmp_path: Path) -> None:
    gateway = start(environment=QUICK)
    gateway.stop()
    data = tmp_path / "own" / "data"
    shutil.rmtree(data / "valkey")
    (data / SQLITE_FILE).unlink()
    second = start("own", environment=QUICK)
    wait_until(lambda: second.get("/health").status == 200)
