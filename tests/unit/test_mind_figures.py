"""What the mind of an endpoint tells of itself: tokens, and what became of its answers."""

from collections import Counter

from memory.extraction.rules_mind import RulesMind
from memory.model.extraction import Dialogue, Said
from memory.providers.budget import Budget, BudgetLimits, InMemoryLedger
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_mind import OpenAIMind, OpenAIMindSettings
from tests.openai_server import ScriptedServer, refusal

SAID = Dialogue((Said(1, "user", own=True, text="I am fine.", at_ms=0),), "", "en", "t1")
NOTHING_FOUND = '{"facts": [], "events": [], "episodes": []}'


async def test_mind_tells_what_was_used_refused_and_given_up() -> None:
    counts: Counter[str] = Counter()
    async with ScriptedServer(chat=lambda _: NOTHING_FOUND) as server:
        point = OpenAIEndpoint(server.url, "sk-test", retries_max=0)
        settings = OpenAIMindSettings("m", point, "en", noted=lambda what, count: counts.update({what: count}))
        mind = OpenAIMind(settings, Budget(BudgetLimits(), InMemoryLedger(), lambda: "2026-01-01"), RulesMind(), len)
        server.script = [refusal()]
        await mind.extract(SAID)
        assert counts == {"refused": 1, "used": 1, "tokens_in": 2, "tokens_out": 2}
        server.script = [refusal(), refusal()]
        assert (await mind.extract(SAID)).mind == "rules"
        assert counts == {"refused": 3, "used": 1, "gave_none": 1, "tokens_in": 4, "tokens_out": 4}
        await mind.close()
