"""A gateway whose embedding endpoint is down when it starts, or is not what the settings say."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import Gateway, RedisServer, free_port

from tests.gateways import run_command
from tests.openai_server import DIMENSION, ScriptedServer
from tests.waiting import eventually, wait_until


def endpoint(port: int, dimensions: int) -> dict[str, str]:
    return {
        "EMBEDDINGS__PROVIDER": "openai",
        "EMBEDDINGS__MODEL": "test-model",
        "EMBEDDINGS__DIMENSIONS": str(dimensions),
        "EMBEDDINGS__DEADLINE_MS": "1000",
        "OPENAI__BASE_URL": f"http://127.0.0.1:{port}/v1",
        "SESSION__LOCALE": "en",
        "SERVER__PROCESSES": "1",
    }


async def call(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    """Beside the endpoint, which lives on this event loop."""
    status, answer = await asyncio.to_thread(gateway.post, operation, body)
    assert status == 200, answer
    return answer


async def search(gateway: Gateway) -> dict[str, Any]:
    return await call(gateway, "SearchMemories", user_id="u1", query="head")


async def say(gateway: Gateway) -> None:
    body = {"conversation_id": "c1", "user_id": "u1", "user_query": "My head hurts.", "agent_response": "I see."}
    await call(gateway, "WriteTurn", **body)
    await call(gateway, "FinalizeSessionMemory", conversation_id="c1")


async def state(gateway: Gateway) -> str:
    return str((await call(gateway, "GetFinalization", conversation_id="c1"))["state"])


@pytest.mark.long
@pytest.mark.parametrize("processes", ["1", "2"])
def test_gateway_that_cannot_learn_the_dimension_says_what_to_do(tmp_path: Path, processes: str) -> None:
    port = free_port()
    settings = endpoint(port, dimensions=0) | {"SERVER__PROCESSES": processes}
    environment = {f"ANAMNESIS_{name}": value for name, value in settings.items()}
    arguments = ("serve", "--port", "0", "--data-dir", str(tmp_path))
    refused = run_command(*arguments, environment=environment, timeout_s=30)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    for words in (f"http://127.0.0.1:{port}/v1", "Start the endpoint", "set embeddings.dimensions"):
        assert words in refused.stderr


@pytest.mark.long
async def test_gateway_that_knows_the_dimension_starts_without_the_endpoint(
    make_gateway: Callable[..., Gateway], redis_server: RedisServer
) -> None:
    port = free_port()
    gateway = make_gateway(redis_server, **endpoint(port, DIMENSION)).start()
    await say(gateway)
    answer = await search(gateway)
    assert (answer["mode"], answer["degraded"]) == ("keyword", ["embeddings"])
    assert await state(gateway) == "ENDING"
    async with ScriptedServer(port=port):

        async def in_memory() -> bool:
            return await state(gateway) == "ENDED"

        await eventually(in_memory, "the session is in memory once the endpoint answers")

        async def by_meaning() -> bool:  # each process asks the endpoint again in its own time
            answer = await search(gateway)
            return (answer["mode"], answer["degraded"], bool(answer["memories"])) == ("hybrid", [], True)

        await eventually(by_meaning, "searches are by meaning once the endpoint answers")


async def test_gateway_whose_endpoint_has_another_dimension_says_so_and_searches_by_words(
    make_gateway: Callable[..., Gateway], redis_server: RedisServer
) -> None:
    async with ScriptedServer() as server:
        port = int(server.url.rpartition(":")[2].partition("/")[0])
        gateway = make_gateway(redis_server, **endpoint(port, DIMENSION + 1))
        await asyncio.to_thread(gateway.start)
        await asyncio.to_thread(wait_until, lambda: "expected are 9" in gateway.text(), "the log says what is wrong")
        answer = await search(gateway)
        assert (answer["mode"], answer["degraded"]) == ("keyword", ["embeddings"])
