"""After a whole life no key stays for ever, but those with a reason."""

import re
from typing import Any

from kit import CALLER, Kit, end, replay_request, say, unfinished
from processes import RedisServer

from gateway.work.jobs import QUEUE
from memory.errors import InvariantBroken
from memory.model.requests import (
    CheckpointShortMemoryRequest,
    CreateShortMemoryRequest,
    QueryMemoryContextRequest,
    UpdateGlobalStateRequest,
    UpsertFactsRequest,
)
from memory.stores.redis.keys import PERMANENT
from tests.waiting import eventually

QUEUE_KEYS = {
    f"{QUEUE}:stream": "docket's jobs that are due; acknowledged ones are deleted from it",
    f"{QUEUE}:queue": "docket's jobs that wait for their time, a sorted set",
    f"{QUEUE}:workers": "which docket workers are alive; each drops the silent ones",
    f"{QUEUE}:worker-tasks:*": "which tasks a docket worker knows; dropped with the worker",
    f"{QUEUE}:task-workers:*": "which docket workers know a task; dropped with the last of them",
}
BUSY_KEYS = {
    f"{QUEUE}:runs:*": "a job that waits or runs; gone when it is done",
    f"{QUEUE}:progress:*": "how far a job is; gone when it is done",
}
FAILED = re.compile(r"short_term_memory:(sealed|finalization|conversation):\{default/fails\}.*")


def unexplained(client: Any, *, busy: bool = False) -> list[str]:
    """Keys without a TTL that nobody named; `busy`: jobs may be under way."""
    names = (*PERMANENT, *QUEUE_KEYS, *(BUSY_KEYS if busy else ()))
    named = [re.escape(name).replace(r"\*", ".*") for name in names]
    reasons = re.compile("|".join(named))
    found = []
    for key in map(bytes.decode, client.scan_iter(count=1000)):
        forever = client.ttl(key) == -1
        if forever and not reasons.fullmatch(key) and not FAILED.fullmatch(key):
            found.append(key)
    return found


async def no_jobs(client: Any) -> bool:
    return not any(client.keys(pattern) for pattern in BUSY_KEYS)


async def live(service: Any, conversation: str) -> None:
    """Everything that may happen to a session, but its end."""
    await service.create_short_memory(CALLER, CreateShortMemoryRequest(conversation_id=conversation, user_id="user_1"))
    await say(service, conversation, "1", idempotency_key="key", user_id="user_1")
    state = {"entities": {"disease": "flu"}, "slot": {"step": 1}, "current_intent": "book"}
    await service.update_global_state(
        CALLER, UpdateGlobalStateRequest(conversation_id=conversation, agent_code="triage", **state)
    )
    facts = {"allergies": ["penicillin"]}
    await service.upsert_facts(CALLER, UpsertFactsRequest(user_id="user_1", conversation_id=conversation, facts=facts))
    for recent_turns in (1, 5):
        await say(service, conversation, f"2-{recent_turns}")
        await service.checkpoint_short_memory(
            CALLER, CheckpointShortMemoryRequest(conversation_id=conversation, recent_turns=recent_turns)
        )
    await say(service, conversation, "3")
    asked = QueryMemoryContextRequest(conversation_id=conversation, model_context_window=10, query="?")
    assert (await service.query_memory_context(CALLER, asked)).should_checkpoint


async def test_keys_after_a_whole_life_have_a_ttl_or_a_reason(kit: Kit, redis_server: RedisServer) -> None:
    jobs = await kit.docket(attempts_max=2)
    service = kit.service(jobs)
    kit.store.fault = lambda unit: InvariantBroken("no") if unit.scope.conversation == "fails" else None
    with redis_server.client() as client:
        for conversation in ("ends", "fails", "lives"):
            await live(service, conversation)
            assert not unexplained(client), "while the session lives"
        for conversation in ("ends", "fails"):
            await end(service, conversation)
            assert not unexplained(client, busy=True), "while it ends"
        await service.create_short_memory(CALLER, CreateShortMemoryRequest(conversation_id="empty", user_id="user_1"))
        await end(service, "empty")

        async def settled() -> bool:
            return [f.state for f in await unfinished(service)] == ["FAILED"]

        await eventually(settled, "one session ended and one failed")
        await eventually(lambda: no_jobs(client), "no job is left")
        await say(service, "ends", "again")
        await say(service, "fails", "again")
        assert not unexplained(client), "after the end"
        failed = [key for key in map(bytes.decode, client.scan_iter()) if FAILED.fullmatch(key)]
        assert {key.split(":")[1] for key in failed if client.ttl(key) == -1} == {
            "sealed",
            "finalization",
            "conversation",
        }
        forever = sorted(key for key in map(bytes.decode, client.scan_iter()) if client.ttl(key) == -1)
        print(f"keys: {client.dbsize()}, without a TTL: {forever}")


async def test_keys_of_a_failed_session_get_their_ttl_back_with_the_replay(kit: Kit, redis_server: RedisServer) -> None:
    jobs = await kit.docket(attempts_max=2)
    service = kit.service(jobs)
    kit.store.fault = lambda _: InvariantBroken("no")
    await say(service, "fails", "1")
    await end(service, "fails")

    async def failed() -> bool:
        return [f.state for f in await unfinished(service)] == ["FAILED"]

    async def over() -> bool:
        return not await unfinished(service)

    await eventually(failed, "it failed")
    kit.store.fault = lambda _: None
    await service.replay_finalization(CALLER, replay_request("fails"))
    await eventually(over, "it ended")
    with redis_server.client() as client:
        keys = [key for key in map(bytes.decode, client.scan_iter()) if FAILED.fullmatch(key)]
        assert sorted(key.split(":")[1] for key in keys) == ["conversation", "finalization"]
        assert all(client.ttl(key) > 0 for key in keys)
