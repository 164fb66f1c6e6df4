"""`anamnesis rules`: a line of JSON for each line of JSON, and the number of one that is none."""

import io
import json
import sys

import pytest

from gateway.cli import RULES, main

LINE = {"text": "我对青霉素过敏。 \U0001f600", "now": "2026-01-31T08:30:00Z"}


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (rb'{"text": "a\ud800b"}', "is not Unicode"),
        (rb'{"text": "a", "context": [{"speaker": "user", "text": "\udfff"}]}', "is not Unicode"),
        (rb'{"text": "a", "user_name": "\udfff"}', "is not Unicode"),
        (b'{"text": "a\xff"}', "is not Unicode"),
        (b"{", "is not what is expected"),
        (b"{}", "has no `text`"),
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
