"""Exported memories as files: written for programs, spreadsheets and people, and read only when they are whole."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from gateway.commands.record_files import BOM, COLUMNS, Head, Lines, Table, Text, Writer, checked, records
from memory.errors import InvalidInput

HEAD = Head("2026-01-31T08:30:00.000Z")
FORMULAS = (
    "=1+2",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    '=HYPERLINK("http://x","y")',
    "＝1+2",
    "=cmd|' /C calc'!A0",
)


def record(number: int = 1, **more: Any) -> dict[str, Any]:
    source = {"conversation": "c", "unit_id": "", "seqs": [number], "quote": ""}
    return {
        "memory_id": f"m{number}",
        "user_id": "u1",
        "kind": "fact",
        "category": "fact",
        "type": "fact",
        "text": f"喝茶 {number}",
        "source": source,
        "occurred_ms": 86_400_000 * number,
        "recorded_ms": 0,
        **more,
    }


def written(writer: Writer, *those: dict[str, Any], head: Head = HEAD) -> str:
    return writer.begin(head) + "".join(map(writer.add, those)) + writer.end()


def file_of(*those: dict[str, Any]) -> bytes:
    return written(Lines(), *those).encode()


def test_lines_are_read_as_they_were_written() -> None:
    those = [record(1), record(2, user_id="u2"), record(3, text="\u2028换行\n和 \ud7ff")]
    file = io.BytesIO(file_of(*those))
    assert tuple(checked(file)) == (3, 2)
    assert [(number, value) for number, _, value in records(file)] == list(enumerate(those, 2))
    assert tuple(checked(io.BytesIO(file_of()))) == (0, 0)
    head = json.loads(written(Lines(), head=HEAD._replace(user_id="u1")).splitlines()[0])
    assert head == {"export": "anamnesis-memories", "format": 1, "as_of": HEAD.as_of, "user_id": "u1"}


def swapped(file: bytes) -> bytes:
    lines = file.splitlines(keepends=True)
    return b"".join([lines[0], lines[2], lines[1], *lines[3:]])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda _: b"", "cut off"),
        (lambda file: file[:-3], "line 4 is no object"),
        (lambda file: b"".join(file.splitlines(keepends=True)[:-1]), "cut off"),
        (lambda file: b"".join(file.splitlines(keepends=True)[1:]), "line 1 is not the head"),
        (lambda file: file.replace("喝茶 2".encode(), "喝茶 3".encode()), "changed"),
        (lambda file: file.replace(b'"format": 1', b'"format": 2'), "line 1 is not the head"),
        (lambda file: file.replace(b'"count": 2', b'"count": 3'), "changed"),
        (lambda file: file.replace(b"2026", b"2027"), "changed"),
        (swapped, "changed"),
        (lambda file: file + file.splitlines(keepends=True)[1], "behind the end"),
        (lambda file: file + file, "behind the end"),
        (lambda file: file.replace(b'"user_id"', b'"user"'), "line 2 does not say whose"),
        (lambda file: b"PK\x03\x04" + file, "line 1 is no object"),
        (lambda file: b"\xff" + file, "line 1 is no object"),
        (lambda _: b"[" * 100_000, "line 1 is no object"),
        (lambda _: b'{"a": "' + b"x" * 5_000_000, "line 1 is no object"),
    ],
)  # fmt: skip
def test_file_that_is_not_whole_is_refused(spoil: Callable[[bytes], bytes], told: str) -> None:
    file = file_of(record(1), record(2))
    with pytest.raises(InvalidInput, match=told):
        checked(io.BytesIO(spoil(file)))


def test_file_that_is_cut_off_anywhere_is_refused() -> None:
    file = file_of(record(1), record(2))
    for length in range(len(file) - 1):  # the end of the last line alone is not missed
        with pytest.raises(InvalidInput):
            checked(io.BytesIO(file[:length]))


@pytest.mark.parametrize("formula", FORMULAS)
def test_table_holds_no_formula(formula: str) -> None:
    source = {"conversation": formula, "unit_id": "", "seqs": [], "quote": formula}
    made = written(Table(), record(text=formula, object=formula, subject=formula, speaker=formula, source=source))
    assert made.startswith(BOM)
    names, cells = csv.reader(io.StringIO(made.removeprefix(BOM), newline=""))
    row = dict(zip(names, cells, strict=True))
    for name in ("text", "object", "subject", "speaker", "conversation", "quote"):
        assert row[name] == "'" + formula
    assert all(not cell or cell[0].isalnum() or cell[0] == "'" for cell in cells)


def test_table_has_a_row_for_each_memory() -> None:
    more = {"polarity": "-", "attributes": {"剂量": '5"mg'}, "valid_to_ms": -1_000, "importance": 0.25}
    made = written(Table(), record(1, **more), record(2))
    names, first, second = csv.reader(io.StringIO(made.removeprefix(BOM), newline=""))
    assert tuple(names) == COLUMNS
    row = dict(zip(names, first, strict=True))
    assert (row["denied"], row["valid_to_at"], row["importance"]) == ("true", "1969-12-31T23:59:59.000Z", "0.250")
    assert json.loads(row["attributes"]) == {"剂量": '5"mg'}
    assert (len(second), dict(zip(names, second, strict=True))["denied"]) == (len(COLUMNS), "false")


def test_text_is_in_the_order_of_time_and_in_the_readers_language() -> None:
    quoted = {"conversation": "c9", "unit_id": "", "seqs": [1], "quote": "\x1b[31m我爱喝茶\n真的"}
    those = [
        record(3, archived_ms=1),
        record(1, source=quoted, superseded_by="m3"),
        record(2, valid_to_ms=86_400_000 * 9),
        record(4, kind="link"),
        record(5, user_id="u2", kind="event"),
    ]
    assert written(Text("zh"), *those) == (
        "截至 2026-01-31T08:30:00.000Z 的记忆\n\n"
        "u1\n"
        "- 1970-01-02 [事实] 喝茶 1（已被取代）\n"
        "    “\\u001b[31m我爱喝茶\\n真的” c9\n"
        "- 1970-01-03 [事实] 喝茶 2（至 1970-01-10）\n"
        "- 1970-01-04 [事实] 喝茶 3（已归档）\n\n"
        "u2\n"
        "- 1970-01-06 [事件] 喝茶 5\n\n"
        "共 4 条记忆\n"
    )
    assert "[fact] 喝茶 3 (archived)" in written(Text("en"), *those)


TOLD = {
    "name": "=李雷",
    "allergies": ["青霉素", "花生"],
    "preferences": {"timezone": "Asia/Shanghai", "diet": {"no": ["猪肉"]}},
}


def test_what_callers_told_is_read_first_and_is_no_memory() -> None:
    told = {"user_id": "u1", "profile": TOLD}
    assert written(Text("zh"), told, record(1), {"user_id": "u2", "profile": {"allergies": ["\x1b芒果"]}}) == (
        "截至 2026-01-31T08:30:00.000Z 的记忆\n\n"
        "u1\n"
        '- [偏好] diet: {"no":["猪肉"]}\n'
        "- [偏好] timezone: Asia/Shanghai\n"
        "- [姓名] =李雷\n"
        "- [登记的过敏] 花生\n"
        "- [登记的过敏] 青霉素\n"
        "- 1970-01-02 [事实] 喝茶 1\n\n"
        "u2\n"
        "- [登记的过敏] \\u001b芒果\n\n"
        "共 1 条记忆\n"
    )
    file = file_of(told, record(1))
    assert tuple(checked(io.BytesIO(file))) == (2, 1)
    assert [value for _, _, value in records(io.BytesIO(file))] == [told, record(1)]


def test_a_table_has_a_row_for_each_thing_that_was_told() -> None:
    made = written(Table(), {"user_id": "u1", "profile": TOLD}, record(1))
    names, *rows = csv.reader(io.StringIO(made.removeprefix(BOM), newline=""))
    cells = [dict(zip(names, row, strict=True)) for row in rows]
    assert [(each["kind"], each["predicate"], each["object"]) for each in cells] == [
        ("profile", "name", "'=李雷"),
        ("profile", "allergies", "青霉素"),
        ("profile", "allergies", "花生"),
        ("profile", "preferences", "timezone: Asia/Shanghai"),
        ("profile", "preferences", 'diet: {"no":["猪肉"]}'),
        ("fact", "", ""),
    ]
    assert {each["user_id"] for each in cells} == {"u1"}
