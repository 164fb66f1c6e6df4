"""The embedded Valkey cannot start, or has no room: what a gateway says, and that it says it once."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import Gateway, turn

from gateway.process.valkey_trouble import trouble_in
from tests.gateways import run_command
from tests.servers import valkey_binary
from tests.waiting import wait_until

SAYS_SO_WITHIN_S = 10.0
MIB = 2**20


@pytest.fixture
def stopped(make_gateway: Callable[..., Gateway]) -> Gateway:
    """A gateway that has run: one session lives, another is in memory."""
    gateway = make_gateway(FINALIZATION__HOLD_S="1").start()
    for number in range(30):
        assert gateway.post("WriteTurn", turn("lives", f"turn-{number}"))[0] == 200
    assert gateway.post("WriteTurn", turn("ended", "x") | {"user_id": "u1"})[0] == 200
    body = {"conversation_id": "ended", "wait_ms": 20_000}
    assert gateway.post("FinalizeSessionMemory", body, timeout_s=30)[1]["state"] == "ENDED"
    gateway.stop()
    return gateway


def refused(gateway: Gateway) -> str:
    """What `serve` says; it ends with status 2, soon, and does not try again and again."""
    before = len(gateway.text())
    began = time.monotonic()
    gateway.spawn()
    assert gateway.process is not None
    assert gateway.process.wait(30) == 2, gateway.text()[before:]
    took, said = time.monotonic() - began, gateway.text()[before:]
    assert took < SAYS_SO_WITHIN_S
    assert "Traceback" not in said
    assert "starts again" not in said
    told = [line for line in said.splitlines() if line.startswith("anamnesis: ")]
    listens = ["listening on" in line for line in told]
    assert listens in ([False], [True, False]), said
    return said


def newest_part(gateway: Gateway) -> Path:
    return max((gateway.data / "valkey" / "appendonlydir").glob("*.incr.aof"), key=lambda part: part.stat().st_mtime)


def test_a_damaged_append_only_file_is_told_and_mended_as_told(stopped: Gateway) -> None:
    part = newest_part(stopped)
    with part.open("r+b") as file:
        place = part.read_bytes().index(b"\r\n*", part.stat().st_size // 2) + 2
        file.seek(place)
        file.write(b"?damaged?")  # a line that begins with # would be a remark
    said = refused(stopped)
    assert "its append-only file is damaged" in said
    assert str(part) in said
    command = said[said.index("`") + 1 : said.rindex("`")]
    subprocess.run(["bash", "-c", command], input=b"y\n", check=True, stdout=subprocess.DEVNULL, timeout=30)
    stopped.start()
    assert stopped.post("WriteTurn", turn("lives", "again"))[0] == 200


def test_a_missing_part_of_the_append_only_file_is_told(stopped: Gateway) -> None:
    newest_part(stopped).unlink()
    assert "a part of its append-only file is missing" in refused(stopped)


def test_a_manifest_of_nonsense_is_told(stopped: Gateway) -> None:
    (stopped.data / "valkey" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n", encoding="ascii")
    assert "its append-only file is damaged" in refused(stopped)


def test_a_missing_append_only_folder_beside_memories_is_told_and_given_up_by_hand(stopped: Gateway) -> None:
    folder = stopped.data / "valkey" / "appendonlydir"
    shutil.rmtree(stopped.data / "valkey")
    said = refused(stopped)
    assert f"mkdir -p {folder}" in said
    folder.mkdir(parents=True)
    stopped.start()
    assert stopped.get("/health")[0] == 200


def test_a_store_without_memories_needs_no_append_only_folder(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway().start()
    gateway.stop()
    shutil.rmtree(gateway.data / "valkey")
    gateway.start()


def test_damage_that_shows_when_a_killed_valkey_comes_back_ends_the_gateway(stopped: Gateway) -> None:
    stopped.start()
    (stopped.data / "valkey" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n", encoding="ascii")
    assert stopped.process is not None
    for child in Path(f"/proc/{stopped.process.pid}/task/{stopped.process.pid}/children").read_text().split():
        if b"valkey" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), 9)
    assert stopped.process.wait(20) == 2
    assert stopped.text().count("the embedded Valkey did not start") == 1


def test_trouble_of_a_log_that_says_nothing_is_not_lasting(tmp_path: Path) -> None:
    assert trouble_in("", tmp_path).lasting is False
    assert trouble_in("1:M 1 Jan 2026 00:00:00.000 # something else", tmp_path).text == "something else"


# --- no room -------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "none", folder], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip(f"this user may not mount a file system: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def filled(folder: Path, name: str = "filler", left: int = 0) -> Path:
    """Fill a file system, but for some bytes. It may take less than it says is free."""
    filler = folder / name
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while (free := shutil.disk_usage(folder).free - left) > 0:
            file.write(b"x" * min(free, 4096))
    return filler


@pytest.mark.parametrize("durability", ["everysec", "always"])
def test_a_full_disk_of_the_embedded_valkey_is_store_full_until_there_is_room(
    small_disk: Path, make_gateway: Callable[..., Gateway], durability: str
) -> None:
    settings = {"SERVER__PROCESSES": "1", "SESSION__DURABILITY": durability, "EMBEDDINGS__PROVIDER": "none"}
    gateway = make_gateway(**settings)
    gateway.data = small_disk / "data"
    gateway.start()
    assert gateway.post("WriteTurn", turn("c", "before"))[0] == 200
    filler = filled(small_disk)
    codes: set[str] = set()

    def full() -> bool:
        status, body = gateway.post("WriteTurn", turn("c", "y" * 4_000))
        codes.add(str(body.get("code", status)))
        return "store_full" in codes

    wait_until(full, "a write is refused as store_full")
    assert codes <= {"200", "store_full", "store_unavailable"}
    filler.unlink()
    wait_until(lambda: gateway.post("WriteTurn", turn("c", "after"))[0] == 200, "writes go on")
    status, body = gateway.post("QueryMemoryContext", {"conversation_id": "c", "model_context_window": 10_000_000})
    assert (status, "q:before" in body["history"], "q:after" in body["history"]) == (200, True, True)


def test_a_full_disk_of_the_long_term_store_is_store_full(
    small_disk: Path, make_gateway: Callable[..., Gateway], start_redis: Callable[..., object]
) -> None:
    gateway = make_gateway(start_redis(), SERVER__PROCESSES="1", EMBEDDINGS__PROVIDER="none")
    gateway.data = small_disk / "data"
    gateway.start()
    facts = {"user_id": "u1", "preferences": {"likes": "x" * 1_000}}
    assert gateway.post("UpsertPreferences", facts)[0] == 200
    filler = filled(small_disk)
    answers = [
        gateway.post("UpsertPreferences", {"user_id": f"u{n}", "preferences": {"n": "y" * 1_000}}) for n in range(40)
    ]
    refusals = {(status, body["code"]) for status, body in answers if status != 200}
    assert refusals == {(503, "store_full")}
    assert gateway.post("WriteTurn", turn("c", "sessions go on"))[0] == 200
    filler.unlink()
    wait_until(lambda: gateway.post("UpsertPreferences", facts)[0] == 200, "writes go on")


def test_check_program_that_the_advice_names_is_in_the_binary() -> None:
    asked = subprocess.run(
        ["bash", "-c", f"exec -a valkey-check-aof {valkey_binary()}"], check=False, capture_output=True, timeout=20
    )
    assert b"check-aof" in asked.stdout + asked.stderr


def test_doctor_says_what_serve_would(stopped: Gateway) -> None:
    (stopped.data / "valkey" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n", encoding="ascii")
    done = run_command("doctor", "--data-dir", str(stopped.data))
    assert done.returncode != 0
    assert "its append-only file is damaged" in done.stdout
