"""What is forgotten leaves every file by the gateway's own doing: the test writes, fails, forgets, waits and looks."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
from processes import Gateway, RedisServer

from gateway.process.sockets import socket_path
from tests.waiting import wait_until

CANARY = "canary7quartz"
"""In everything that is said."""
WHO = "victim4711onyx"
"""In the ids of user, conversations and idempotency keys."""
NO_EMBEDDER = {"EMBEDDINGS__PROVIDER": "none"}


def ok(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body, timeout_s=40)
    assert status == 200, (operation, answer)
    return answer


def files(gateway: Gateway) -> Iterator[Path]:
    """Data folder, log, and the memory that processes share."""
    for folder in (gateway.data, Path("/dev/shm")):  # noqa: S108 - looked at, not written
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield gateway.log


def holding(gateway: Gateway, *words: str) -> list[str]:
    found = []
    for path in files(gateway):
        try:
            content = path.read_bytes()
        except OSError:  # it has gone, or is somebody else's
            continue
        meant = [CANARY] if path == gateway.log else words  # lines about a conversation name it
        found += [f"{path}: {word}" for word in meant if word.encode() in content]
    return found


READS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
print(connection.execute("SELECT count(*) FROM memories").fetchone(), flush=True)
sys.stdin.read()
"""


@contextmanager
def backup(file: Path) -> Iterator[None]:
    """A reader as a process of its own: this one's locks would end with the first look at the same file."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", READS, str(file)], **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield
        process.communicate()


def live(gateway: Gateway, name: str, round_: int = 0) -> dict[str, str]:
    """A session with the canary wherever a caller can put one."""
    about = {"conversation_id": f"{WHO}-{name}", "user_id": WHO}
    state = {"entities": {"x": CANARY}, "current_intent": CANARY, "slot": {"y": CANARY}}
    for number in range(3):
        said = {"user_query": f"{CANARY}，我对青霉素过敏。", "agent_response": f"{CANARY}，好的。", "agent_code": "a"}
        tools = [{"name": CANARY, "content": CANARY}]
        key = f"{WHO}-{round_}-{number}"
        ok(gateway, "WriteTurn", **about, **said, idempotency_key=key, state=state, tool_results=tools)
    ok(gateway, "CheckpointShortMemory", conversation_id=about["conversation_id"], summary=CANARY)
    ok(gateway, "QueryMemoryContext", **about, query=CANARY)
    return about


def fill(gateway: Gateway) -> None:
    """Sessions that live, ended twice and are empty; facts, preferences, and what the brain was told."""
    for round_, name in enumerate(("ended", "ended", "alive")):
        about = live(gateway, name, round_)
        if name == "ended":
            assert ok(gateway, "FinalizeSessionMemory", **_conversation(about), wait_ms=30_000)["state"] == "ENDED"
    ok(gateway, "CreateShortMemory", conversation_id=f"{WHO}-empty", user_id=WHO)
    ok(gateway, "WriteTurn", conversation_id=f"{WHO}-adopted", user_query=CANARY, agent_response=CANARY)
    ok(gateway, "WriteTurn", conversation_id=f"{WHO}-adopted", user_id=WHO, user_query=CANARY, agent_response=CANARY)
    told = {"subject": "user", "predicate": "like", "object": CANARY, "quote": CANARY}
    ok(gateway, "UpsertFacts", user_id=WHO, facts={"allergies": [CANARY]}, triples=[told])
    ok(gateway, "UpsertPreferences", user_id=WHO, preferences={"a": CANARY}, name=CANARY)
    ok(gateway, "ProcessMemory", user_id=WHO, input=CANARY)
    ok(gateway, "EndSession", user_id=WHO)
    ok(gateway, "SearchMemories", user_id=WHO, query=CANARY)
    remember(gateway)


def remember(gateway: Gateway) -> None:
    """What tools make, with the canary as topic, object, attribute, quote and reason; made one, and suggested."""
    body = {"user_id": WHO, "subject": CANARY, "memory_type": "fact", "quote": CANARY}
    things = (f"{CANARY} colour", f"{CANARY} color", f"color {CANARY}", f"{CANARY} by another name")
    made = [
        ok(gateway, "CreateMemory", **body, topic=CANARY, object=thing, attributes={CANARY: CANARY})["memory_id"]
        for thing in things
    ]
    ends = {"source_memory_id": made[0], "target_memory_id": made[1]}
    ok(gateway, "LinkMemories", user_id=WHO, **ends, relation_type="causes", quote=CANARY)
    ok(gateway, "MergeNodes", user_id=WHO, a=things[0], b=things[3], reason=CANARY)
    steps = ok(gateway, "SettleMemories", user_id=WHO)["steps"]
    assert (steps["merged"], steps["suggested"]) == (1, 1), steps
    ok(gateway, "SplitNodes", user_id=WHO, a=things[0], b=things[1], reason=CANARY)


def _conversation(about: dict[str, str]) -> dict[str, str]:
    return {"conversation_id": about["conversation_id"]}


def settled(gateway: Gateway, receipt: dict[str, Any]) -> dict[str, Any]:
    """Wait for GetErasure to say so."""

    def done() -> dict[str, Any] | None:
        found = ok(gateway, "GetErasure", erasure_id=receipt["erasure_id"], wait_ms=5_000)
        return found if found["state"] == "DONE" else None

    return dict(wait_until(done, "the files are clean"))


def test_forgotten_user_leaves_no_byte_in_any_file_also_after_a_restart(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway(**NO_EMBEDDER, LOG__LEVEL="debug", LOG__ACCESS="true").start()
    ok(gateway, "WriteTurn", conversation_id="kept", user_id="other", user_query="我头痛。", agent_response="好的。")
    fill(gateway)
    assert {Path(line.partition(": ")[0]).suffix for line in holding(gateway, CANARY)} >= {".aof"}
    receipt = ok(gateway, "ForgetMemory", user_id=WHO)
    assert receipt["sessions"] >= 4
    found = settled(gateway, receipt)
    assert [found[name] for name in ("session_files", "store_files")] == [{"state": "rewritten", "advice": ""}] * 2
    assert holding(gateway, CANARY, WHO) == []
    gateway.kill()
    gateway.start()
    assert holding(gateway, CANARY, WHO) == []
    assert settled(gateway, receipt)["state"] == "DONE"
    assert ok(gateway, "ListMemories", user_id=WHO)["items"] == []
    assert "我头痛" in ok(gateway, "QueryMemoryContext", conversation_id="kept")["history"]


def test_forgotten_dead_letter_leaves_no_byte(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway(**NO_EMBEDDER, FINALIZATION__ATTEMPTS_MAX="2").start()
    about = live(gateway, "failed")
    journal = f"short_term_memory:journal:{{default/{about['conversation_id']}}}"
    client = redis.Redis(unix_socket_path=str(socket_path(gateway.data.resolve() / "valkey", "valkey")))
    with client:  # a journal that nothing can read: its session is a dead letter
        client.lset(journal, 1, f'{{"seq":3,"turn":1,"at":1,"tok":9,"role":{CANARY}'.encode())
    ended = ok(gateway, "FinalizeSessionMemory", **_conversation(about), wait_ms=30_000)
    assert ended["state"] == "FAILED", ended
    assert holding(gateway, CANARY)
    receipt = ok(gateway, "ForgetMemory", **about)
    assert settled(gateway, receipt)["state"] == "DONE"
    assert holding(gateway, CANARY, WHO) == []


def test_rewrite_that_a_crash_cut_off_is_finished_by_the_next_gateway(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway(**NO_EMBEDDER).start()
    live(gateway, "alive")
    receipt = ok(gateway, "ForgetMemory", user_id=WHO, wait_ms=0)
    gateway.kill()
    (gateway.data / "valkey" / "temp-rewriteaof-bg-1.aof").write_text(CANARY)  # what a rewrite had begun to write
    gateway.start()
    assert settled(gateway, receipt)["state"] == "DONE"
    assert holding(gateway, CANARY, WHO) == []


def test_erasure_whose_process_died_on_the_way_is_taken_for_asked(make_gateway: Callable[..., Gateway]) -> None:
    """Deleted, but not yet asked for: the entry of what is under way says so to whoever looks next."""
    gateway = make_gateway(**NO_EMBEDDER).start()
    socket = gateway.data / "valkey" / "valkey.sock"
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.set(f"left:{CANARY}", CANARY)
        client.delete(f"left:{CANARY}")
        assert holding(gateway, CANARY)
        client.zadd("short_term_memory:{erasures}:open", {"died": 1})
        wait_until(lambda: not holding(gateway, CANARY), "the file is written anew")
        assert client.zcard("short_term_memory:{erasures}:open") == 0


def test_log_that_a_reader_holds_is_said_and_emptied_when_he_ends_also_by_the_next_gateway(
    make_gateway: Callable[..., Gateway],
) -> None:
    gateway = make_gateway(**NO_EMBEDDER).start()
    for restarts in (False, True):
        about = live(gateway, f"read-{restarts}")
        assert ok(gateway, "FinalizeSessionMemory", **_conversation(about), wait_ms=30_000)["state"] == "ENDED"
        with backup(gateway.data / "anamnesis.sqlite3"):
            receipt = ok(gateway, "ForgetMemory", user_id=WHO)
            assert (receipt["state"], receipt["store_files"]["state"]) == ("PENDING", "pending")
            assert "backup" in receipt["store_files"]["advice"]
            assert any("sqlite3" in line for line in holding(gateway, CANARY))
            asked = ok(gateway, "GetErasure", erasure_id=receipt["erasure_id"])
            assert asked["state"] == "PENDING"
            if restarts:
                gateway.kill()
        if restarts:
            gateway.start()
        assert settled(gateway, receipt)["store_files"] == {"state": "rewritten", "advice": ""}
        assert holding(gateway, CANARY, WHO) == []


def test_files_of_another_redis_are_not_ours_and_the_receipt_says_what_its_operator_must_do(
    make_gateway: Callable[..., Gateway], redis_server: RedisServer
) -> None:
    gateway = make_gateway(redis_server, **NO_EMBEDDER).start()
    live(gateway, "alive")
    receipt = ok(gateway, "ForgetMemory", user_id=WHO)
    assert (receipt["state"], receipt["session_files"]["state"]) == ("DONE", "not ours to rewrite")
    assert "BGREWRITEAOF" in receipt["session_files"]["advice"]
    assert receipt["store_files"]["state"] == "rewritten"
    assert ok(gateway, "GetErasure", erasure_id=receipt["erasure_id"]) == {
        name: receipt[name] for name in ("erasure_id", "state", "erased_at", "session_files", "store_files")
    }
    with redis_server.client() as client:
        client.bgrewriteaof()  # as told
        wait_until(lambda: not _rewriting(client), "it is written anew")
    assert [line for line in holding(gateway, CANARY, WHO) if str(redis_server.folder) in line] == []


def _rewriting(client: Any) -> bool:
    found = client.info("persistence")
    return bool(found["aof_rewrite_in_progress"] or found["aof_rewrite_scheduled"])


def test_many_erasures_at_once_share_rewrites(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway(**NO_EMBEDDER).start()
    for number in range(30):
        said = {"user_query": f"{CANARY} {number}", "agent_response": "好的。"}
        ok(gateway, "WriteTurn", conversation_id=f"c{number}", user_id=f"u{number}", **said)
    receipts = [ok(gateway, "ForgetMemory", user_id=f"u{number}", wait_ms=0) for number in range(30)]
    assert settled(gateway, receipts[-1])["state"] == "DONE"
    assert {ok(gateway, "GetErasure", erasure_id=each["erasure_id"])["state"] for each in receipts} == {"DONE"}
    assert holding(gateway, CANARY) == []
    manifest = next((gateway.data / "valkey" / "appendonlydir").glob("*.manifest")).read_text(encoding="utf-8")
    rewrites = max(int(line.split()[3]) for line in manifest.splitlines())
    print(f"30 erasures, {rewrites - 1} rewrites")
    assert rewrites - 1 < 15
