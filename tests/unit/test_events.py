"""What a stream of events says: a change once, trouble once, and how things stand when it is over."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from gateway.http import events
from memory.errors import MemoryGatewayError, NotFound, StoreUnavailable

Found = str | None | MemoryGatewayError


@dataclass(frozen=True, slots=True)
class Thing:
    """How something stands."""

    revision: str

    def model_dump_json(self) -> str:
        return json.dumps({"revision": self.revision})


class Looking:
    """Answers looks in this order, and says in the end that the thing is gone."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._found = list(found)
        self.known: list[str] = []

    async def __call__(self, known: str) -> Thing | None:
        self.known.append(known)
        found = self._found.pop(0) if self._found else NotFound()
        if isinstance(found, MemoryGatewayError):
            raise found
        return None if found is None else Thing(found)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK_S", "_TROUBLED_S"):
        monkeypatch.setattr(events, name, 0.001)


def said(look: Looking, first: bytes = b'{"revision": "1"}') -> list[dict[str, Any]]:
    """The events, each with its id and name; comments are left out."""

    async def all_of_it() -> bytes:
        return b"".join([piece async for piece in events.changes("thing", look, first, "1")])

    found = []
    for block in asyncio.run(all_of_it()).decode().split("\r\n\r\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\r\n") if line and not line.startswith(":"))
        if "event" in fields:
            found.append({"id": fields.get("id"), "event": fields["event"], **json.loads(fields["data"])})
    return found


def changed(revision: str) -> dict[str, Any]:
    return {"id": revision, "event": "thing", "revision": revision}


def test_change_is_told_once_and_looked_for_from_the_revision_that_was_told() -> None:
    look = Looking([None, "2", None, None, "3"])
    assert said(look) == [changed("1"), changed("2"), changed("3")]
    assert look.known == ["1", "1", "2", "2", "2", "3"]


def test_what_the_peer_knows_already_is_not_told_again() -> None:
    assert said(Looking([None, "2"]), first=b"") == [changed("2")]


def test_trouble_is_told_once_and_then_how_things_stand_also_when_nothing_has_changed() -> None:
    down = StoreUnavailable()
    look = Looking([down, down, down, "1", None, down, "2"])
    trouble = {"id": None, "event": "trouble", "code": "store_unavailable"}
    assert said(look) == [changed("1"), trouble, changed("1"), trouble, changed("2")]


def test_any_other_error_ends_it() -> None:
    assert said(Looking([MemoryGatewayError(), "2"])) == [changed("1")]


def test_silence_is_filled_with_comments_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_COMMENT_S", 0.0)

    async def pieces() -> list[bytes]:
        return [piece async for piece in events.changes("thing", Looking([None, "2", None]), b"", "1")]

    first, *rest = asyncio.run(pieces())
    assert first == b"retry: 2000\r\n\r\n"
    assert [piece.startswith(b":") for piece in rest] == [True, False, True]


def test_peer_that_comes_again_is_asked_to_wait_two_seconds() -> None:
    async def first() -> bytes:
        stream = events.changes("thing", Looking([]), b"{}", "1")
        try:
            return await anext(stream)
        finally:
            await stream.aclose()

    assert asyncio.run(first()) == b"retry: 2000\r\n\r\nid: 1\r\nevent: thing\r\ndata: {}\r\n\r\n"
