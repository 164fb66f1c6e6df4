"""`anamnesis replay --finalize`: how far it is, and what did not become memory."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.commands import replay
from tests.http.conftest import Start
from tests.servers import redis_binary, running


@pytest.fixture
def redis_url() -> Iterator[str]:
    with running(redis_binary()) as url:
        yield url


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    """Ten conversations of one turn."""
    file = tmp_path / "dialogues.jsonl"
    lines = [
        {"conversation": f"c{n}", "role": role, "content": f"我头痛{n}天了"}
        for n in range(10)
        for role in ("user", "assistant")
    ]
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_replay_that_finalizes_says_how_far_it_is_and_ends_with_all_in_memory(
    start: Start, dialogues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = start()
    assert main(["replay", str(dialogues), "--finalize", "--url", gateway.url]) == 0
    shown = capsys.readouterr()
    assert "finalized      10, not done 0" in shown.out
    assert [line for line in shown.err.splitlines() if line.startswith("finalizing")] == [
        f"finalizing: {n} of 10" for n in range(1, 11)
    ]


def test_replay_names_the_sessions_that_did_not_become_memory_and_exits_1(
    start: Start,
    redis_url: str,
    dialogues: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = start("own", "--no-worker", environment={"REDIS_URL": redis_url})
    monkeypatch.setattr(replay, "STALLED_AFTER_S", 0.5)
    assert main(["replay", str(dialogues), "--finalize", "--json", "--url", gateway.url]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["complete"]
    assert (report["in_journals"], report["finalized"], report["errors"]) == (20, 0, [])
    assert sorted(report["unfinished"]) == [f"c{n}: ENDING" for n in range(10)]
    assert main(["replay", str(dialogues), "--prefix", "again-", "--finalize", "--url", gateway.url]) == 1
    assert "finalized      0, not done 10\n  again-c" in capsys.readouterr().out
