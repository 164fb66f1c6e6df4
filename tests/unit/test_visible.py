"""What a stranger wrote is shown, never obeyed: in terminals, logs and drawings."""

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import terminal
from gateway.cli import main
from memory.graph.drawing import graphml, mermaid
from memory.graph.triples import Edge, Graph, Node
from memory.visible import visible, visible_line

OBEYED = [*range(9), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F),
          *range(0x2066, 0x206A)]  # fmt: skip
HOSTILE = "".join(map(chr, OBEYED))


@pytest.mark.parametrize("code", OBEYED, ids=hex)
def test_character_that_is_obeyed_is_shown_as_its_escape(code: int) -> None:
    assert visible(f"a{chr(code)}b") == f"a\\u{code:04x}b"


def test_plain_text_in_any_language_stays() -> None:
    text = "我头痛三天了 – née Müller 👩\u200d⚕️ مرحبا\n\tשלום \U00010000 é"
    assert visible(text) == text
    assert visible_line("a\nb\tc") == "a\\nb c"


@given(st.text())
def test_visible_json_is_the_same_json(text: str) -> None:
    shown = visible(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(shown) == {"text": text}
    assert not set(shown) & set(HOSTILE)


def test_half_a_character_can_be_printed() -> None:
    assert visible("a\ud800b").encode() == b"a\\ud800b"


def test_drawings_hold_nothing_that_is_obeyed() -> None:
    label = f"x{HOSTILE}y"
    nodes = [Node("n1", label, "person"), Node("n2", "b", "thing")]
    drawn = Graph(nodes=nodes, edges=[Edge("n1", label, "n2", memory_id=label, valid=True)])
    for text in (mermaid(drawn), graphml(drawn)):
        assert not set(text) & set(HOSTILE)
        assert "u001b" in text


def test_command_that_is_refused_shows_what_it_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "x", "--\x1b[31mred\u202e"])
    told = capsys.readouterr().err
    assert "\\u001b[31mred\\u202e" in told
    assert not set(told) & set(HOSTILE)


def test_replay_of_a_line_with_an_escape_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "\x1b]0;title\x07.jsonl")]) == 2
    told = capsys.readouterr().err
    assert "\\u001b]0;title\\u0007" in told
    assert not set(told) & set(HOSTILE)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_data_goes_as_it_is_to_a_pipe_and_shown_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, screen = io.StringIO(), Terminal()
    for out in (pipe, screen):
        monkeypatch.setattr(sys, "stdout", out)
        terminal.hand_on("a\x1b[2Jb\n")
    assert pipe.getvalue() == "a\x1b[2Jb\n"
    assert screen.getvalue() == "a\\u001b[2Jb\n"
