"""`anamnesis rules`: a line of JSON for each line of JSON, and the number of one that is none."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.cli import RULES, main
from tests.gateways import ROOT

LINE = {"text": "我对青霉素过敏。 \U0001f600", "now": "2026-01-31T08:30:00Z"}


def test_command_whose_reader_has_gone_ends_without_a_word(tmp_path: Path) -> None:
    """As in `anamnesis rules facts < dialogues | head -1`."""
    given = tmp_path / "lines.jsonl"
    given.write_text((json.dumps(LINE) + "\n") * 5_000, encoding="utf-8")
    line = f"{sys.executable} -m gateway.cli rules privacy < {given} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stderr, len(done.stdout.splitlines()), done.stdout.splitlines()[-1]) == ("", 2, "141")


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (rb'{"text": "a\ud800b"}', "is not Unicode"),
        (rb'{"text": "a", "context": [{"speaker": "user", "text": "\udfff"}]}', "is not Unicode"),
        (rb'{"text": "a", "user_name": "\udfff"}', "is not Unicode"),
        (b'{"text": "a\xff"}', "is not Unicode"),
        (b"{", "is not JSON: Expecting"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"{}", "has no `text`"),
        (b'["text"]', "must be a JSON object with `text`, not an array"),
        (b"7", "must be a JSON object with `text`, not a number"),
        (b"null", "must be a JSON object with `text`, not null"),
        (b"true", "must be a JSON object with `text`, not true"),
        (b'"text"', "must be a JSON object with `text`, not a string"),
        (b'{"text": 7}', "has a `text` that is a number; it must be a string"),
        (b'{"text": null}', "has a `text` that is null; it must be a string"),
        (b'{"text": 0}', "has a `text` that is a number; it must be a string"),
        (b'{"text": "a", "user_name": ["b"]}', "has a `user_name` that is an array; it must be a string"),
        (b'{"text": "a", "now": 7}', "has a `now` that is a number; it must be a string"),
        (b'{"text": "a", "now": "noon"}', "has a `now` that is no time: 'noon'"),
        (b'{"text": "a", "context": "b"}', "has a `context` that is a string; it must be an array"),
        (b'{"text": "a", "context": null}', "has a `context` that is null; it must be an array"),
        (b'{"text": "a", "context": ["b"]}', "has a string as entry 1 of `context`"),
        (b'{"text": "a", "context": [{"text": "b"}]}', "has no string `speaker` in entry 1 of `context`"),
        (b'{"text": "a", "context": [{"speaker": "user", "text": 1}]}', "has no string `text` in entry 1 of `context`"),
    ],
    ids=ascii,
)
def test_line_that_no_rule_can_read_exits_2_and_is_named(
    kind: str, line: bytes, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = json.dumps(LINE, ensure_ascii=False).encode() + b"\n" + json.dumps(LINE).encode() + b"\n" + line + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert main(["rules", kind]) == 2
    shown = capsys.readouterr()
    assert f"line 3 {says}" in shown.err
    made = [json.loads(one) for one in shown.out.splitlines()]
    assert made == [made[0]] * 2, "those before it were read, escapes or not"
