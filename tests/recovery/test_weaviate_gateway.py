"""Gateways whose MemUnits, profiles and memories are in Weaviate: what they share, and what they answer without it."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import PREFIX, Gateway, RedisServer
from weaviate_kit import holding

from tests.gateways import run_command
from tests.waiting import wait_until
from tests.weaviate_server import WeaviateServer

ALLERGY = "penicillin"
TALK = 40
SETTINGS = {"WEAVIATE__READ_DEADLINE_MS": "500", "WEAVIATE__WRITE_DEADLINE_MS": "1000", "SERVER__PROCESSES": "1",
             "SESSION__LOCALE": "en", "EMBEDDINGS__PROVIDER": "none"}  # fmt: skip

pytestmark = pytest.mark.integration


@pytest.fixture
def start_gateway(
    weaviate: WeaviateServer, redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> Callable[[str], Gateway]:
    """Start a gateway with a data folder of its own, as on another host."""

    def start(folder: str, **settings: str) -> Gateway:
        gateway = make_gateway(
            redis_server,
            data=folder,
            **(
                SETTINGS
                | {"WEAVIATE__URL": weaviate.url, "WEAVIATE__GRPC_PORT": str(weaviate.ports["grpc"])}
                | settings
            ),
        )
        return gateway.start()

    return start


def ok(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body)
    assert status == 200, answer
    return answer


def say(gateway: Gateway, conversation: str, text: str, user: str = "u1") -> dict[str, Any]:
    body = {"conversation_id": conversation, "user_id": user, "user_query": text, "agent_response": "I see."}
    return ok(gateway, "WriteTurn", **body)


def context(gateway: Gateway, conversation: str, **more: Any) -> dict[str, Any]:
    return ok(gateway, "QueryMemoryContext", **{"conversation_id": conversation, "user_id": "u1", "query": "?", **more})


def told(gateway: Gateway, allergy: str = ALLERGY, user: str = "u1") -> dict[str, Any]:
    return ok(gateway, "UpsertFacts", user_id=user, facts={"allergies": [allergy]})


def told_at_first(gateway: Gateway, allergy: str = ALLERGY) -> None:
    """The first that a new server is told may come too late on a busy machine: told again, as its refusal bids."""
    body = {"user_id": "u1", "facts": {"allergies": [allergy]}}
    wait_until(lambda: gateway.post("UpsertFacts", body)[0] == 200, "the first is told")


def ended(gateway: Gateway, conversation: str) -> None:
    ok(gateway, "FinalizeSessionMemory", conversation_id=conversation)
    wait_until(
        lambda: ok(gateway, "GetFinalization", conversation_id=conversation)["state"] == "ENDED",
        "the session is in memory",
    )


def component(gateway: Gateway, name: str) -> tuple[int, dict[str, Any]]:
    status, health = gateway.get("/health")
    return status, json.loads(health)["components"][name]


def forget_copies_of_this_run(redis_server: RedisServer) -> None:
    """What the TTL of the copies does to a user who was away for half an hour."""
    with redis_server.client() as client:
        for key in client.scan_iter(f"{PREFIX}:profile:*"):
            client.delete(key)


def test_gateways_on_two_hosts_share_what_is_remembered(start_gateway: Callable[[str], Gateway]) -> None:
    one, two = start_gateway("one"), start_gateway("two")
    told_at_first(one)
    say(one, "c1", "My head hurts and I live in Bergen.")
    ended(one, "c1")
    resumed = context(two, "c1")
    assert resumed["resumed"]
    assert "My head hurts" in resumed["history"]
    assert resumed["safety"]["allergies"] == [ALLERGY]
    assert ok(two, "GetProfile", user_id="u1")["allergies"] == [ALLERGY]
    told(two, "aspirin")
    assert context(one, "c1")["safety"]["allergies"] == [ALLERGY, "aspirin"]
    explained = ok(two, "ExplainMemory", user_id="u1", conversation_id="c1", seq=resumed["seq"] - 1)
    assert [message["content"] for message in explained["messages"]] == ["My head hurts and I live in Bergen."]
    assert component(two, "store") == (200, {"status": "ok", "kind": "weaviate"})
    assert not list(one.data.glob("*.sqlite3"))


def test_forgotten_user_is_gone_from_both_servers(
    start_gateway: Callable[[str], Gateway], weaviate: WeaviateServer, redis_server: RedisServer
) -> None:
    gateway = start_gateway("one")
    for conversation in ("c1", "c2"):
        say(gateway, conversation, "canary of the forgotten: my head hurts")
        ended(gateway, conversation)
    told_at_first(gateway, "canary-allergy")
    context(gateway, "c1")
    (listed,) = ok(gateway, "ListUsers")["items"]
    assert (listed["user_id"], listed["conversations"]) == ("u1", 2)
    receipt = ok(gateway, "ForgetMemory", user_id="u1")
    assert ok(gateway, "ListUsers")["items"] == []
    assert (receipt["memunits"], receipt["profile"], receipt["store"]) == (2, True, "weaviate")
    assert holding(weaviate, "canary") == []
    with redis_server.client() as client:
        kept = [key for key in client.keys("*profile*") if client.get(key) != b"erased"]
    assert kept == []
    assert ok(gateway, "GetProfile", user_id="u1")["allergies"] == []
    assert not context(gateway, "c1")["resumed"]
    told(gateway, "latex")
    assert context(gateway, "c1")["safety"]["allergies"] == ["latex"]


def test_many_are_archived_restored_and_forgotten_at_once_by_whichever_gateway(
    start_gateway: Callable[[str], Gateway],
) -> None:
    one, other = start_gateway("one"), start_gateway("other")
    made = {"user_id": "u1", "subject": "Ada", "memory_type": "fact"}
    ids = {ok(one, "CreateMemory", **made, topic=f"idle talk {number}")["memory_id"] for number in range(TALK)}
    say(one, "c1", f"I am allergic to {ALLERGY}.")
    ended(one, "c1")
    for op, states in (("archive", []), ("restore", ["archived"]), ("forget", [])):
        choice = {"contains": "idle", "states": states or ["held"]}
        seen = ok(other, "PreviewBatch", user_id="u1", op=op, choice=choice)
        assert (seen["count"], seen["left_out"]) == (TALK, {})
        job = ok(one, "StartBatch", user_id="u1", batch_token=seen["batch_token"], confirm_count=TALK)["job_id"]
        wait_until(lambda job=job: ok(other, "GetJob", job_id=job)["state"] == "done", f"{op} is done")
        assert ok(other, "GetJob", job_id=job)["failed"] == 0
        left = {each["memory_id"] for each in ok(other, "ListMemories", user_id="u1", limit=1000)["items"]}
        assert left & ids == (ids if op == "restore" else set())
    assert ok(one, "GetProfile", user_id="u1")["allergies"] == [ALLERGY]


@pytest.mark.parametrize("trouble", ["killed", "frozen"])
def test_gateway_without_weaviate_goes_on_and_hides_no_allergy(
    start_gateway: Callable[[str], Gateway], weaviate: WeaviateServer, redis_server: RedisServer, trouble: str
) -> None:
    gateway = start_gateway("one")
    told_at_first(gateway)
    say(gateway, "old", "My head hurts.")
    ended(gateway, "old")
    say(gateway, "living", "My knee hurts.")
    told(gateway, "latex", user="u2")
    forget_copies_of_this_run(redis_server)
    weaviate.kill() if trouble == "killed" else weaviate.freeze()

    found = context(gateway, "living")
    assert found["safety"]["allergies"] == [ALLERGY], "the last known facts, though the truth can't be read"
    assert ALLERGY in found["context"]
    assert "profile" in found["degraded"]
    assert_refused_with_retry_after(gateway, "UpsertFacts", facts={"allergies": ["aspirin"]})
    assert_refused_with_retry_after(gateway, "UpsertPreferences", preferences={"time": "morning"})
    again = context(gateway, "living", include=["session", "full_history"])
    assert again["safety"]["allergies"] == [ALLERGY], "a change that failed hides nothing"
    assert again["session"]["user_snapshot"]["allergies"] == [ALLERGY]
    assert context(gateway, "old")["safety"]["allergies"] == [ALLERGY]
    say(gateway, "living", "My back hurts.")
    say(gateway, "new", "My tooth hurts.")
    ok(gateway, "CreateShortMemory", conversation_id="newer", user_id="u1")
    ok(gateway, "CheckpointShortMemory", conversation_id="living")
    unknown = context(gateway, "of-u3", user_id="u3")
    assert unknown["safety"]["allergies"] == []
    assert "profile" in unknown["degraded"]
    ok(gateway, "FinalizeSessionMemory", conversation_id="living")
    for name in ("store", "memories"):
        status, state = component(gateway, name)
        assert (status, state["status"], state["kind"]) == (200, "degraded", "weaviate")
        assert "Weaviate" in state["reason"]

    weaviate.start() if trouble == "killed" else weaviate.thaw()
    wait_until(lambda: component(gateway, "store")[1]["status"] == "ok", "the store answers")
    assert context(gateway, "old")["safety"]["allergies"] == [ALLERGY]
    wait_until(lambda: not context(gateway, "old")["degraded"], "nothing is missing any more")
    assert told(gateway, "aspirin")["allergies"] == [ALLERGY, "aspirin"]
    assert context(gateway, "old")["safety"]["allergies"] == [ALLERGY, "aspirin"]
    assert context(gateway, "of-u2", user_id="u2")["safety"]["allergies"] == ["latex"]
    wait_until(
        lambda: ok(gateway, "GetFinalization", conversation_id="living")["state"] == "ENDED",
        "what ended during the outage is in memory",
    )
    assert "My back hurts." in context(gateway, "living")["history"]


def test_profile_is_never_shown_empty_while_weaviate_comes_back(
    start_gateway: Callable[[str], Gateway], weaviate: WeaviateServer, redis_server: RedisServer
) -> None:
    gateway = start_gateway("one")
    told_at_first(gateway)
    say(gateway, "c1", "My head hurts.")
    weaviate.kill()
    forget_copies_of_this_run(redis_server)
    assert "profile" in context(gateway, "c1")["degraded"]
    with redis_server.client() as client:
        assert not list(client.scan_iter(f"{PREFIX}:profile:*")), "what can't be read is not copied as if it were true"
    weaviate.start()

    def shown_without_a_word() -> bool:
        found = context(gateway, "c1")
        assert found["safety"]["allergies"] == [ALLERGY]
        return "profile" not in found["degraded"]

    wait_until(shown_without_a_word, "the profile is read again")


def test_gateway_starts_before_weaviate(start_gateway: Callable[[str], Gateway], weaviate: WeaviateServer) -> None:
    weaviate.stop()
    gateway = start_gateway("one")
    say(gateway, "c1", "My head hurts.")
    assert_refused_with_retry_after(gateway, "UpsertFacts", facts={"allergies": [ALLERGY]})
    weaviate.start()
    wait_until(lambda: component(gateway, "store")[1]["status"] == "ok", "the store answers")
    told_at_first(gateway)
    assert context(gateway, "c1")["safety"]["allergies"] == [ALLERGY]


def assert_refused_with_retry_after(gateway: Gateway, operation: str, **body: Any) -> None:
    request = urllib.request.Request(
        f"{gateway.url}/v1/{operation}",
        json.dumps({"user_id": "u1", **body}).encode(),
        {"Content-Type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    with refused.value as answer:
        assert answer.code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert json.loads(answer.read())["code"] in {"store_unavailable", "deadline_exceeded"}


def test_doctor_looks_at_weaviate_and_says_what_to_do(
    weaviate: WeaviateServer, redis_server: RedisServer, tmp_path: Path
) -> None:
    environment = {
        "REDIS_URL": redis_server.url,
        "WEAVIATE_URL": weaviate.url,
        "WEAVIATE_GRPC_PORT": str(weaviate.ports["grpc"]),
        "ANAMNESIS_WEAVIATE__READ_DEADLINE_MS": "500",
    }
    arguments = ("doctor", "--data-dir", str(tmp_path / "data"))
    done = run_command(*arguments, environment=environment, timeout_s=40)
    assert (done.returncode, f"weaviate at {weaviate.url}" in done.stdout) == (0, True), done.stdout + done.stderr
    weaviate.kill()
    done = run_command(*arguments, environment=environment, timeout_s=40)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stdout.splitlines() if " store " in line[:12]]
    assert line.startswith("FAIL")
    assert weaviate.url in line
    assert "Is it started" in line


def test_who_operates_sees_the_store_and_its_indexes_and_when_they_are_away(
    weaviate: WeaviateServer, start_gateway: Callable[..., Gateway]
) -> None:
    gateway = start_gateway("operated")

    def found() -> tuple[dict[str, Any], list[str] | None]:
        checks = {each["subject"]: each for each in ok(gateway, "RunDoctor")["checks"]}
        return checks["store"], ok(gateway, "GetSettings", section="weaviate")["versions"].get("generations")

    store, generations = found()
    assert (store["ok"], store["text"]) == (True, f"weaviate at {weaviate.url}: MemUnits, profiles and memories")
    assert generations
    assert generations[0].startswith("no vectors, terms version")
    weaviate.kill()
    try:
        store, generations = found()
        assert not store["ok"]
        assert "is weaviate.url right?" in store["text"]
        assert generations is None
    finally:
        weaviate.start()
