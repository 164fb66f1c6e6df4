"""What is written down behind answers: what came meanwhile in one write, of each key the last, never without bound."""

import asyncio

import pytest

from gateway.work.background import BackgroundTasks
from memory.service import behind
from memory.service.behind import Behind


class Pen:
    """Writes when it is let, and fails when it is told to."""

    def __init__(self) -> None:
        self.written: list[dict[str, int]] = []
        self.lets, self.fails = asyncio.Event(), False

    async def write(self, values: dict[str, int]) -> None:
        self.written.append(values)
        await self.lets.wait()
        if self.fails:
            raise RuntimeError("out of ink")


async def test_what_comes_during_a_write_goes_into_the_next_one() -> None:
    pen, background = Pen(), BackgroundTasks()
    waiting: Behind[str, int] = Behind(pen.write, background, "test")
    waiting.put("a", 1)
    await asyncio.sleep(0)
    for number in range(2, 5):
        waiting.put("b", number)
    waiting.put("c", 5)
    pen.lets.set()
    await background.drain(5)
    assert pen.written == [{"a": 1}, {"b": 4, "c": 5}]


async def test_a_write_that_fails_stops_no_later_one() -> None:
    pen, background = Pen(), BackgroundTasks()
    waiting: Behind[str, int] = Behind(pen.write, background, "test")
    pen.lets.set()
    pen.fails = True
    waiting.put("a", 1)
    await background.drain(5)
    pen.fails = False
    waiting.put("b", 2)
    await background.drain(5)
    assert pen.written == [{"a": 1}, {"b": 2}]


async def test_no_more_wait_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behind, "_WAITING_MAX", 2)
    pen, background = Pen(), BackgroundTasks()
    waiting: Behind[str, int] = Behind(pen.write, background, "test")
    waiting.put("a", 1)
    await asyncio.sleep(0)
    for number, key in enumerate("bcdb"):
        waiting.put(key, number)
    pen.lets.set()
    await background.drain(5)
    assert pen.written == [{"a": 1}, {"b": 3, "c": 1}]
