"""Exported memories as files: lines of JSON that can be imported again, a table for spreadsheets, a text to read."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from memory.errors import InvalidInput
from memory.model.memory import Kind
from memory.session.times import rfc3339
from memory.visible import visible_line

Json = dict[str, Any]

NAME: Final = "anamnesis-memories"
FORMAT: Final = 1
_LINE_BYTES_MAX: Final = 4 * 1024 * 1024
"""Of a file that is read: a longer line is no record."""
BOM: Final = "\ufeff"
"""By this a spreadsheet knows that a table is UTF-8."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell of a formula begins with (OWASP, CSV injection)."""
_PLAIN: Final = ("user_id", "memory_id", "kind", "category", "type", "text", "subject", "predicate", "object")
_TIMES: Final = ("occurred", "recorded", "valid_from", "valid_to", "archived")
_DAY_CHARS: Final = 10
PROFILE: Final = "profile"
"""By this a record is what callers have told of a user, and no memory."""
_FIRST_MS: Final = -(2**63)
COLUMNS: Final = (
    *_PLAIN, "denied", "attributes", "speaker", "importance", "mind", *(f"{name}_at" for name in _TIMES),
    "superseded_by", "conversation", "seqs", "quote",
)  # fmt: skip
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "title": "Memories as of {as_of}",
        "line": "- {day} [{kind}] {text}{more}",
        "ended": " (until {day})",
        "superseded": " (replaced)",
        "archived": " (archived)",
        "quote": "    “{quote}” {conversation}",
        "end": "{count} memories",
        "told": "- [{kind}] {text}",
        "name": "name",
        "allergies": "told: allergy",
        "chronic_diseases": "told: chronic disease",
        "surgery_history": "told: operation",
        "preferences": "preference",
        Kind.EPISODE: "episode",
        Kind.FACT: "fact",
        Kind.EVENT: "event",
        Kind.CREATED: "created",
        Kind.LINK: "link",
    },
    "zh": {
        "title": "截至 {as_of} 的记忆",
        "line": "- {day} [{kind}] {text}{more}",
        "ended": "（至 {day}）",
        "superseded": "（已被取代）",
        "archived": "（已归档）",
        "quote": "    “{quote}” {conversation}",
        "end": "共 {count} 条记忆",
        "told": "- [{kind}] {text}",
        "name": "姓名",
        "allergies": "登记的过敏",
        "chronic_diseases": "登记的慢性病",
        "surgery_history": "登记的手术",
        "preferences": "偏好",
        Kind.EPISODE: "片段",
        Kind.FACT: "事实",
        Kind.EVENT: "事件",
        Kind.CREATED: "由工具创建",
        Kind.LINK: "关联",
    },
}
LOCALES: Final = tuple(_WORDS)


class Head(NamedTuple):
    """What stands before the records. `user_id`: whose they are; empty: of all users."""

    as_of: str
    user_id: str = ""


class Writer(Protocol):
    """Makes a file of records that come one after the other, ordered by user; what it returns is to be written."""

    def begin(self, head: Head) -> str:
        """What stands first."""
        ...

    def add(self, record: Json) -> str:
        """One record."""
        ...

    def end(self) -> str:
        """What stands last."""
        ...


class Lines:
    """Lines of JSON, the last of which says how many records there were, and the SHA-256 of all lines before it."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._count = 0

    def begin(self, head: Head) -> str:
        """The head."""
        whose = {"user_id": head.user_id} if head.user_id else {}
        return self._line({"export": NAME, "format": FORMAT, "as_of": head.as_of, **whose})

    def add(self, record: Json) -> str:
        """A line of its own."""
        self._count += 1
        return self._line(record)

    def end(self) -> str:
        """What tells a whole file from one that was cut off or changed."""
        return _json({"end": True, "count": self._count, "sha256": self._digest.hexdigest()})

    def _line(self, value: Json) -> str:
        line = _json(value)
        self._digest.update(line.encode())
        return line


class Table:
    """A table for spreadsheets. What would be a formula there is a text."""

    def begin(self, _head: Head) -> str:
        """The names of the columns."""
        return BOM + _row(COLUMNS)

    def add(self, record: Json) -> str:
        """A row; of what callers have told of a user one for each."""
        if PROFILE in record:
            rows = [self._told(record["user_id"], name, said) for name, said in _told(record[PROFILE])]
            return "".join(rows)
        source = record["source"]
        cells = {name: str(record.get(name, "")) for name in (*_PLAIN, "speaker", "superseded_by")}
        cells |= {f"{name}_at": _moment(record.get(f"{name}_ms")) for name in _TIMES}
        cells |= {"conversation": source["conversation"], "quote": source["quote"]}
        cells["seqs"] = " ".join(map(str, source["seqs"]))
        cells["denied"] = "true" if record.get("polarity") == "-" else "false"
        cells["importance"] = f"{record.get('importance', 0.5):.3f}"
        cells["mind"] = record.get("mind", "rules")
        attributes = record.get("attributes")
        cells["attributes"] = json.dumps(attributes, ensure_ascii=False, separators=(",", ":")) if attributes else ""
        return _row([cells[name] for name in COLUMNS])

    def end(self) -> str:
        """Nothing."""
        return ""

    def _told(self, user: str, name: str, said: str) -> str:
        cells = {"user_id": user, "kind": PROFILE, "text": said, "predicate": name, "object": said}
        return _row([cells.get(column, "") for column in COLUMNS])


class Text:
    """A text for people, in their language: of each user what was said or happened, in the order of time; no links."""

    def __init__(self, locale: str) -> None:
        self._words = _WORDS[locale]
        self._user = ""
        self._told: list[tuple[int, str]] = []
        self._count = 0

    def begin(self, head: Head) -> str:
        """Of when it is."""
        return self._words["title"].format(as_of=head.as_of) + "\n"

    def add(self, record: Json) -> str:
        """What is complete by now: another user's records are, once one comes of the next."""
        before = self._of_one() if record["user_id"] != self._user else ""
        self._user = record["user_id"]
        if PROFILE in record:
            words = self._words
            self._told += [
                (_FIRST_MS, words["told"].format(kind=words[name], text=visible_line(said)) + "\n")
                for name, said in _told(record[PROFILE])
            ]
        elif record["kind"] != Kind.LINK:
            self._told.append((record["occurred_ms"], self._line(record)))
            self._count += 1
        return before

    def end(self) -> str:
        """The last user's, and how many there were."""
        return self._of_one() + "\n" + self._words["end"].format(count=self._count) + "\n"

    def _of_one(self) -> str:
        told, self._told = sorted(self._told), []
        return f"\n{self._user}\n" + "".join(line for _, line in told) if told else ""

    def _line(self, record: Json) -> str:
        words, source, more = self._words, record["source"], ""
        if record.get("archived_ms") is not None:
            more = words["archived"]
        elif record.get("superseded_by"):
            more = words["superseded"]
        elif record.get("valid_to_ms") is not None:
            more = words["ended"].format(day=_moment(record["valid_to_ms"])[:_DAY_CHARS])
        day, text = _moment(record["occurred_ms"])[:_DAY_CHARS], visible_line(record["text"])
        line = words["line"].format(day=day, kind=words[record["kind"]], text=text, more=more) + "\n"
        if not source["quote"] or source["quote"] == record["text"]:
            return line
        quote = words["quote"].format(quote=visible_line(source["quote"]), conversation=source["conversation"])
        return line + quote.rstrip() + "\n"


def _told(profile: Json) -> Iterator[tuple[str, str]]:
    """Each thing that callers have told: of which list, and what."""
    for name, told in profile.items():
        if isinstance(told, dict):
            yield from ((name, f"{key}: {_plain(value)}") for key, value in told.items())
        else:
            yield from ((name, said) for said in ([told] if isinstance(told, str) else told))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _row(cells: Sequence[str]) -> str:
    row = io.StringIO()
    csv.writer(row, quoting=csv.QUOTE_ALL).writerow(
        [f"'{each}" if each.startswith(_FORMULA) else each for each in cells]
    )
    return row.getvalue()


def _moment(at_ms: int | None) -> str:
    return "" if at_ms is None else rfc3339(at_ms)


class Checked(NamedTuple):
    """A file that is whole: how many records it has, and of how many users."""

    memories: int
    users: int


def checked(file: BinaryIO) -> Checked:
    """Look through a file of lines from its beginning. Raises InvalidInput when it is not whole, or none of ours."""
    digest, users, count = hashlib.sha256(), set[str](), 0
    last: Json = {}
    for number, line, value in _values(file):
        if number == 1 and (value.get("export"), value.get("format")) != (NAME, FORMAT):
            raise InvalidInput(f"line 1 is not the head of an export ({NAME}, format {FORMAT})")
        if "end" in last:
            raise InvalidInput(f"line {number}: something stands behind the end")
        last = value
        if "end" not in value:
            digest.update(line)
        if number > 1 and "end" not in value:
            count += 1
            users.add(_user_of(number, value))
    if "end" not in last:
        raise InvalidInput("the file was cut off: its last line is missing")
    if (last.get("count"), last.get("sha256")) != (count, digest.hexdigest()):
        raise InvalidInput("the file was changed, or a part of it is missing: its sums do not agree")
    return Checked(count, len(users))


def records(file: BinaryIO) -> Iterator[tuple[int, int, Json]]:
    """The records of a file that was checked, from its beginning: number of the line, its bytes, the record."""
    for number, line, value in _values(file):
        if number > 1 and "end" not in value:
            yield number, len(line), value


def _values(file: BinaryIO) -> Iterator[tuple[int, bytes, Json]]:
    file.seek(0)
    number = 0
    while line := file.readline(_LINE_BYTES_MAX):
        number += 1
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise InvalidInput(f"line {number} is no object in JSON: the file was cut off, or is no export")
        yield number, line, value


def _user_of(number: int, record: Json) -> str:
    user = record.get("user_id")
    if not isinstance(user, str):
        raise InvalidInput(f"line {number} does not say whose it is")
    return user
