"""What asks the model of a scripted server, as the product puts it together, but impatient."""

from dataclasses import replace
from typing import Any

from memory.providers.budget import Budget, BudgetLimits, InMemoryLedger
from memory.providers.openai_asking import Endpoint
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_mind import OpenAIMindSettings
from tests.openai_server import ScriptedServer


def asking(
    server: ScriptedServer, *, tokens: int = 0, retries_max: int = 1, **settings: Any
) -> tuple[OpenAIMindSettings, Endpoint]:
    """Settings of a mind, and its endpoint, to be closed. `tokens`: of a tenant's day; 0: as many as it likes."""
    patience = {"deadline_s": 10.0, "retries_max": retries_max, "backoff_s": 0.001, "breaker_failures_max": 100}
    point = OpenAIEndpoint(server.url, "key", **patience)
    chosen = replace(OpenAIMindSettings("a-model", point, locale="auto"), **settings)
    budget = Budget(BudgetLimits(tokens_per_day=tokens), InMemoryLedger(), lambda: "2026-11-24")
    return chosen, Endpoint(chosen.asked, budget, len, lambda: 0.0)
