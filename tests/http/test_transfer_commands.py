"""`anamnesis export` and `anamnesis import` against real gateways, also ones that are killed under them."""

import io
import json
import threading
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gateway.cli import main
from gateway.commands.record_files import Head, Lines
from tests.gateways import GatewayProcess
from tests.http.conftest import Keys, Start
from tests.waiting import wait_until

SAID = ("我对青霉素过敏，我有高血压。", "说错了，不是青霉素，是头孢。我住在上海。", "=1+2")
RECORDS = 3_000


def live(gateway: GatewayProcess, user: str, key: str | None = None) -> None:
    """A conversation that is in memory."""
    body = {"conversation_id": f"of-{user}", "user_id": user, "agent_response": "好的。"}
    for said in SAID:
        assert gateway.post("WriteTurn", body | {"user_query": said}, key=key).status == 200
    end = {"conversation_id": f"of-{user}", "wait_ms": 20_000}
    assert gateway.post("FinalizeSessionMemory", end, key=key).json()["state"] == "ENDED"


def command(gateway: GatewayProcess, *words: object, key: str = "") -> int:
    return main([*map(str, words), "--url", gateway.url, *(["--api-key", key] if key else [])])


def records(gateway: GatewayProcess, user: str) -> list[dict[str, Any]]:
    found, cursor = list[dict[str, Any]](), ""
    while True:
        page = gateway.post("ExportMemories", {"user_id": user, "limit": 1_000, "cursor": cursor}).json()
        found += page["records"]
        cursor = page["cursor"]
        if not cursor:
            return found


def parsed(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_file_of_all_users_goes_out_and_comes_in(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = start("here"), start("there")
    for user in ("ann", "bob"):
        live(here, user)
    wait_until(lambda: here.post("ExportMemories", {}).status == 200, "users are listed")
    file = tmp_path / "all.jsonl"
    assert command(here, "export", file) == 0
    head, *lines, end = parsed(file)
    assert (head["export"], "user_id" in head, end["count"]) == ("anamnesis-memories", False, len(lines))
    assert Counter(line["user_id"] for line in lines) == {user: len(records(here, user)) for user in ("ann", "bob")}
    assert file.stat().st_mode & 0o777 == 0o600
    assert not file.with_name("all.jsonl.part").exists()
    assert command(there, "import", file, "--dry-run") == 0
    assert "dry run" in capsys.readouterr().out
    assert records(there, "ann") == []
    assert command(there, "import", file) == 0
    assert f"added {len(lines)}, same 0, refused 0" in capsys.readouterr().out
    for user in ("ann", "bob"):
        assert records(there, user) == records(here, user)
    found = there.post("SearchMemories", {"user_id": "ann", "query": "上海", "mode": "keyword"}).json()["memories"]
    assert "上海" in found[0]["text"]
    assert "头孢" in there.post("GetProfile", {"user_id": "ann"}).json()["allergies"]
    assert command(there, "import", file) == 0
    assert f"added 0, same {len(lines)}, refused 0" in capsys.readouterr().out
    assert command(there, "import", file, "--user", "carl") == 2
    assert "memories of 2 users" in capsys.readouterr().err


def test_copy_by_standard_output_and_input(
    open_gateway: GatewayProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    live(open_gateway, "transfer-1")
    assert command(open_gateway, "export", "-", "--user", "transfer-1") == 0
    text = capsys.readouterr().out
    assert json.loads(text.splitlines()[0])["user_id"] == "transfer-1"
    given = SimpleNamespace(buffer=io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", given)
    assert command(open_gateway, "import", "-", "--user", "transfer-2") == 0
    copy = records(open_gateway, "transfer-2")
    of_both = (sorted(each["text"] for each in those) for those in (copy, records(open_gateway, "transfer-1")))
    assert len(set(map(tuple, of_both))) == 1
    assert len(copy) == len(text.splitlines()) - 2


@pytest.mark.parametrize("form", ["csv", "txt"])
def test_other_forms_are_for_people(open_gateway: GatewayProcess, tmp_path: Path, form: str) -> None:
    live(open_gateway, f"transfer-{form}")
    file = tmp_path / f"x.{form}"
    words = ("export", file, "--user", f"transfer-{form}", "--format", form, "--locale", "zh")
    assert command(open_gateway, *words) == 0
    text = file.read_text(encoding="utf-8")
    assert ("[事实] 我住在上海" if form == "txt" else '"\'=1+2"') in text
    assert text.startswith("\ufeff" if form == "csv" else "截至")


def test_refused_records_are_named_by_their_lines(
    open_gateway: GatewayProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.jsonl"
    write(file, [made(1), made(2, category="episode"), made(3)])
    assert command(open_gateway, "import", file, "--user", "transfer-4", "--locale", "zh") == 1
    told = capsys.readouterr()
    assert "line 3: 这种记忆没有类别 episode" in told.err
    assert "added 2, same 0, refused 1" in told.out
    file.write_bytes(file.read_bytes()[:-20])
    assert command(open_gateway, "import", file, "--user", "transfer-5") == 2
    assert records(open_gateway, "transfer-5") == []


def test_who_may_not_is_refused_and_no_file_is_left(
    keyed_gateway: GatewayProcess, keys: Keys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "not.jsonl"
    assert command(keyed_gateway, "export", file, key=keys.writer) == 1
    assert '"forbidden"' in capsys.readouterr().err
    write(file, [made(1)])
    assert command(keyed_gateway, "import", file, key=keys.writer) == 1
    assert command(keyed_gateway, "import", tmp_path / "nowhere") == 2
    assert command(keyed_gateway, "export", tmp_path / "no" / "folder") == 2
    assert [each.name for each in tmp_path.iterdir()] == ["not.jsonl"]


def made(number: int, **more: Any) -> dict[str, Any]:
    """A record, of somebody elsewhere."""
    return {
        "memory_id": f"00000000-0000-4000-8000-{number:012}",
        "user_id": "elsewhere",
        "kind": "fact",
        "category": "fact",
        "type": "opinion",
        "text": f"喜欢第 {number} 种茶",
        "source": {"conversation": "c", "unit_id": "", "seqs": [1], "quote": f"喜欢第 {number} 种茶"},
        "occurred_ms": 1_763_764_800_000 + number,
        "recorded_ms": 1_763_764_800_000,
        "subject": "user",
        "predicate": f"p{number % 50}",
        "object": f"茶{number}",
        **more,
    }


def write(path: Path, those: list[dict[str, Any]]) -> None:
    writer = Lines()
    text = writer.begin(Head("2026-01-31T08:30:00.000Z")) + "".join(map(writer.add, those))
    path.write_text(text + writer.end(), encoding="utf-8")


def test_import_that_was_killed_in_its_midst_is_finished_by_the_next(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "many.jsonl"
    home = made(1, predicate="residence", object="上海")
    write(file, [home, *(made(number) for number in range(2, RECORDS + 1))])
    gateway = start("here", environment={"ANAMNESIS_EMBEDDINGS__PROVIDER": "none"})
    status: list[int] = []
    importing = threading.Thread(target=lambda: status.append(command(gateway, "import", file, "--user", "u")))
    importing.start()
    wait_until(lambda: gateway.post("ListMemories", {"user_id": "u", "limit": 1}).json()["items"], "some are in")
    gateway.kill()
    importing.join(60)
    assert status == [1]
    assert "cannot reach the gateway" in capsys.readouterr().err
    again = start("here", environment={"ANAMNESIS_EMBEDDINGS__PROVIDER": "none"})
    stored = len(records(again, "u"))
    assert 0 < stored < RECORDS
    assert command(again, "import", file, "--user", "u") == 0
    assert f"added {RECORDS - stored}, same {stored}, refused 0" in capsys.readouterr().out
    found = records(again, "u")
    assert len({each["memory_id"] for each in found}) == len(found) == RECORDS
    (profile,) = again.post("ListMemories", {"user_id": "u", "kinds": ["profile"]}).json()["items"]
    assert "上海" in profile["text"]
