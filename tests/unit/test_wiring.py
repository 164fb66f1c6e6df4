"""What is loaded beside the first requests, and settings that need one another."""

import asyncio

import pytest

from gateway.config.sources import load
from gateway.wiring import composition
from gateway.wiring.memories import LateRules
from gateway.wiring.stores import Stores
from memory.errors import SetupError
from memory.model.extraction import Dialogue


async def test_rules_are_loaded_once_however_often_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[str] = []
    monkeypatch.setattr("gateway.wiring.memories.terms", warmed.append)
    rules = LateRules()
    dialogue = Dialogue(messages=(), user_name="", locale="zh")
    await asyncio.gather(rules.warm_up(), rules.extract(dialogue), rules.extract(dialogue))
    await rules.extract(dialogue)
    assert len(warmed) == 1


def test_a_model_that_judges_answers_is_one_that_there_is() -> None:
    settings = load(None, {}, {("curation", "judge"): "openai"})
    stores = Stores(*[None] * 3)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match=r"mind\.provider"):
        composition._curator(settings, stores, None)
    assert composition._curator(load(None, {}, {("curation", "boost"): "off"}), stores, None) is None
