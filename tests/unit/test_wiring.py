"""What is loaded beside the first requests, and settings that need one another."""

import asyncio
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from gateway.config.sources import load
from gateway.observe.metrics import Metrics
from gateway.wiring.curation import judging_of
from gateway.wiring.memories import Costs, LateRules, minds_of
from gateway.wiring.privacy import privacy_of
from memory.consolidation.judging import UNJUDGED
from memory.consolidation.minds import Minds
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
    ports: Any = SimpleNamespace(memories=None, store=None, minds=Minds(LateRules(), LateRules(), None, "zh"))
    with pytest.raises(SetupError, match=r"mind\.provider"):
        judging_of(settings, ports)
    assert judging_of(load(None, {}, {("curation", "boost"): "off"}), ports) == UNJUDGED
    by_rules = judging_of(load(None, {}, {}), ports)
    assert (by_rules.curator is not None, by_rules.corrector) == (True, None)


@pytest.mark.parametrize(("review", "refused"), [("model", True), ("human", False), ("rules", False)])
async def test_a_model_that_reviews_memories_is_one_that_there_is(
    review: str,
    refused: bool,  # noqa: FBT001 - a case
) -> None:
    settings = load(None, {}, {("curation", "review"): review})
    privacy, costs = privacy_of(settings, Metrics()), Costs(*[None] * 3)  # type: ignore[arg-type]
    async with AsyncExitStack() as stack:
        if refused:
            with pytest.raises(SetupError, match=r"curation\.review is model.*set mind\.provider"):
                minds_of(settings, privacy, LateRules(), None, costs, stack)
        else:
            assert minds_of(settings, privacy, LateRules(), None, costs, stack).reviewer is None
