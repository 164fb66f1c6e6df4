"""What is loaded beside the first requests."""

import asyncio

import pytest

from gateway.wiring.memories import LateRules
from memory.model.extraction import Dialogue


async def test_rules_are_loaded_once_however_often_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[str] = []
    monkeypatch.setattr("gateway.wiring.memories.terms", warmed.append)
    rules = LateRules()
    dialogue = Dialogue(messages=(), user_name="", locale="zh")
    await asyncio.gather(rules.warm_up(), rules.extract(dialogue), rules.extract(dialogue))
    await rules.extract(dialogue)
    assert len(warmed) == 1
