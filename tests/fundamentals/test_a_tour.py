"""A tour of the product, in the order in which a bot meets it. Read it from top to bottom."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.client import AsyncClient, Client, ProblemError
from tests.gateways import start_gateway

SETTINGS = {
    "ANAMNESIS_SESSION__TTL_S": "2",
    "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.1",
    "ANAMNESIS_SESSION__RECENT_TURNS": "2",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway on the embedded default: no key, no server. Its sessions expire after two seconds."""
    folder: Path = tmp_path_factory.mktemp("tour")
    gateway = start_gateway(folder, environment=SETTINGS)
    yield gateway.url
    gateway.kill()


async def test_a_conversation_from_its_first_word_to_its_return(url: str) -> None:
    async with AsyncClient(url) as client:
        # Nobody has written yet: an empty context, and nothing is created.
        context = await client.query_memory_context(conversation_id="tour", user_id="wang", query="我头痛")
        assert (context.session_state, context.history) == ("NONE", "")

        # After its model has answered, the bot writes the turn. From here on it is kept.
        await client.write_turn(
            conversation_id="tour", user_id="wang", user_query="我头痛三天了", agent_response="体温多少？"
        )
        context = await client.query_memory_context(conversation_id="tour", query="38.5度")
        assert context.history == "用户: 我头痛三天了\nAI: 体温多少？"
        assert [message.role for message in context.messages] == ["user", "assistant"]

        # What must never be forgotten stands first in every context from now on.
        await client.upsert_facts(user_id="wang", facts={"allergies": ["青霉素"]})
        context = await client.query_memory_context(conversation_id="tour")
        assert context.context == "安全信息：过敏史：青霉素"

        # A summary covers what was said; what comes after it is sent in full.
        await client.checkpoint_short_memory(conversation_id="tour", summary="用户头痛三天")
        await client.write_turn(conversation_id="tour", user_query="38.5度", agent_response="建议去发热门诊")
        context = await client.query_memory_context(conversation_id="tour")
        assert context.mode == "SUMMARY_N"
        assert context.history.startswith("历史摘要: 用户头痛三天\n")
        assert context.history.endswith("用户: 38.5度\nAI: 建议去发热门诊")

        # The user falls silent. The session expires, and becomes memory by itself.
        async with asyncio.timeout(15):
            while (await client.get_session(conversation_id="tour")).state != "ENDED":
                await asyncio.sleep(0.05)
        assert (await client.get_finalization(conversation_id="tour")).memory_ids

        # Coming back starts a new session, from the summary and the last turns of the one before.
        await client.write_turn(conversation_id="tour", user_query="我回来了", agent_response="好些了吗？")
        context = await client.query_memory_context(conversation_id="tour")
        assert context.resumed
        assert "用户头痛三天" in context.summary
        assert "青霉素" in context.context
        assert context.history.endswith("用户: 我回来了\nAI: 好些了吗？")


async def test_a_model_keeps_memory_by_tools_and_finds_the_reason_when_it_is_asked_why(url: str) -> None:
    async with AsyncClient(url) as client:
        # At ten somebody is in a bad mood. A model calls a tool, and the bot says whose memory it is.
        mood = await client.create_memory(
            user_id="li", subject="我", memory_type="fact", topic="心情", object="不好", attributes={"时间": "今天"}
        )
        assert mood.status == "staged", "found by its words at once, by its meaning soon"

        # Five minutes later they say why: another memory, and a link from the reason to what came of it.
        sleep = await client.create_memory(
            user_id="li", subject="我", memory_type="event", topic="睡眠", object="不好", attributes={"时间": "昨晚"}
        )
        link = await client.link_memories(
            user_id="li",
            source_memory_description="昨晚睡眠不好",
            target_memory_description="今天心情不好",
            relation_type="causes",
        )
        assert (link.source_memory_id, link.target_memory_id) == (sleep.memory_id, mood.memory_id)

        # In the evening they ask why. The search follows the link, and says by which way it came to the reason.
        found = await client.search_memories(user_id="li", query="我为什么今天心情不好？", search_mode="auto")
        reason = next(memory for memory in found.memories if memory.memory_id == sleep.memory_id)
        assert reason.path == [mood.memory_id, link.link_id, sleep.memory_id]

        # Two days later it is told in other words. Tidying suggests that both are one thing; somebody says so.
        await client.create_memory(user_id="li", subject="我", memory_type="event", topic="失眠")
        await client.create_memory(user_id="li", subject="我", memory_type="fact", topic="困扰", object="睡不着觉")
        await client.settle_memories(user_id="li", wait_ms=30_000)
        graph = await client.get_graph(user_id="li", include=["suggestions"])
        assert [{each.a, each.b} for each in graph.suggestions] == [{"失眠", "睡不着觉"}]
        await client.merge_nodes(user_id="li", a="失眠", b="睡不着觉", reason="一回事")
        graph = await client.get_graph(user_id="li", about="失眠")
        assert {edge.relation for edge in graph.edges} == {"事件", "困扰"}, "both stand round the one node"

        # What is forgotten takes its links along.
        await client.forget_memory(user_id="li", memory_id=sleep.memory_id)
        assert (await client.get_graph(user_id="li")).links == []


def test_the_same_without_async_and_a_refusal(url: str) -> None:
    with Client(url) as client:
        client.write_turn(conversation_id="sync", user_query="hello", agent_response="hi", idempotency_key="k")
        again = client.write_turn(conversation_id="sync", user_query="hello", agent_response="hi", idempotency_key="k")
        assert again.replayed
        with pytest.raises(ProblemError) as refused:
            client.write_turn(conversation_id="no spaces", user_query="hello", agent_response="hi")
        assert (refused.value.status, refused.value.code) == (400, "invalid_input")


def test_the_demo_dialogues_can_be_replayed(url: str, tmp_path: Path) -> None:
    file = tmp_path / "dialogue.jsonl"
    lines = [{"conversation": "r", "role": r, "content": f"{r} {n}"} for n in range(5) for r in ("user", "assistant")]
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "gateway.cli", "replay", str(file), "--url", url, "--finalize", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert report["complete"]
    assert (report["acknowledged"], report["in_journals"], report["finalized"]) == (10, 10, 1)
