"""Check 23: a conversation is followed by events, from whichever process, and nothing is left of who follows it."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator, Mapping
from typing import Any, Self
from urllib.parse import urlencode

import pytest
import redis

from gateway.auth import hash_key
from gateway.client import AsyncClient, Client, ProblemError
from tests.deadlines import LATE_S
from tests.gateways import LOOPBACK, Answer, GatewayProcess, start_gateway
from tests.http.conftest import Start
from tests.servers import running, valkey_binary
from tests.waiting import wait_until

NURSE, BOT, DESK, STRANGER = "ana_of_the_nurse", "ana_of_the_bot", "ana_of_the_desk", "ana_of_another_tenant"
PROMISED_S, AFTER_TABS_S, AFTER_SIGTERM_S = 1.5, 5.0, 3.0
ENVIRONMENT = {
    "ANAMNESIS_AUTH__KEYS": json.dumps(
        [
            {"hash": hash_key(key), "tenant": tenant, "scopes": scopes, "name": key}
            for key, tenant, scopes in (
                (NURSE, "t1", ["admin"]),
                (BOT, "t1", ["read", "write"]),
                (DESK, "t1", ["write"]),
                (STRANGER, "t2", ["admin"]),
            )
        ]
    ),
    "ANAMNESIS_SERVER__PROCESSES": "1",
    "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
}
OPEN = {name: value for name, value in ENVIRONMENT.items() if "AUTH" not in name}


class Stream:
    """A stream of events, as it comes."""

    def __init__(
        self, gateway: GatewayProcess, key: str = "", headers: Mapping[str, str] | None = None, **asked: str
    ) -> None:
        lines = {"Host": LOOPBACK, **({"Authorization": f"Bearer {key}"} if key else {}), **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._socket = socket.create_connection((LOOPBACK, gateway.port), timeout=30)
        self._socket.sendall(f"GET /v1/WatchConversation?{urlencode(asked)} HTTP/1.1\r\n{head}\r\n".encode())
        self._reader = self._socket.makefile("rb")
        self.status = int(self._reader.readline().split()[1])
        fields = [line.decode("latin-1").partition(": ") for line in iter(self._reader.readline, b"\r\n")]
        self.headers = {name.lower(): value.strip() for name, _, value in fields}
        self.body = self._reader.read(int(self.headers.get("content-length", "0")))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()
        self._socket.close()

    def event(self) -> dict[str, str]:
        """The next event; its data is JSON. Empty when the stream has ended."""
        fields: dict[str, str] = {}
        for line in iter(self._reader.readline, b""):
            name, _, value = line.decode().strip().partition(": ")
            if not name and "data" in fields:
                return fields
            fields[name] = value
        return {}

    def told(self) -> dict[str, Any]:
        """What the next event says."""
        return dict(json.loads(self.event()["data"]))

    def silent_for(self, seconds: float) -> bool:
        """Whether nothing comes for so long but the line that is always there."""
        self._socket.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            while (line := self._reader.readline()).startswith((b"retry", b"\r\n")):
                pass
            return not line
        return True


def write(gateway: GatewayProcess, conversation: str, key: str | None = BOT, user: str = "ann") -> None:
    said = {"conversation_id": conversation, "user_id": user, "user_query": "secret7quartz", "agent_response": "ok"}
    assert gateway.post("WriteTurn", said, key=key).status == 200


def figure(gateway: GatewayProcess, name: str) -> float:
    lines = gateway.get("/metrics").body.decode().splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with running(valkey_binary()) as url:
        yield url


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[tuple[GatewayProcess, GatewayProcess]]:
    """Two gateways on one Redis and one folder of data."""
    folder = tmp_path_factory.mktemp("pair")
    environment = ENVIRONMENT | {"REDIS_URL": redis_url, "ANAMNESIS_DATA__DIR": str(folder / "data")}
    both = [start_gateway(folder, environment=environment) for _ in range(2)]
    yield both[0], both[1]
    for gateway in both:
        gateway.kill()


@pytest.fixture
def one(pair: tuple[GatewayProcess, GatewayProcess]) -> GatewayProcess:
    return pair[0]


def test_every_change_by_another_gateway_is_told_within_its_deadline(
    pair: tuple[GatewayProcess, GatewayProcess],
) -> None:
    one, other = pair
    write(other, "told")
    end = {"conversation_id": "told"}
    with Stream(one, NURSE, conversation_id="told", user_id="ann") as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        first = stream.event()
        assert (first["event"], json.loads(first["data"])["revision"]) == ("conversation", first["id"])
        for change, states in (
            (lambda: write(other, "told"), {"ACTIVE"}),
            (lambda: other.post("UpdateGlobalState", end | {"current_intent": "triage"}, key=BOT), {"ACTIVE"}),
            (lambda: other.post("FinalizeSessionMemory", end, key=BOT), {"ENDING", "ENDED"}),
        ):
            began = time.monotonic()
            change()
            told = stream.told()
            assert time.monotonic() - began <= PROMISED_S + LATE_S
            assert told["state"] in states
        while told["state"] != "ENDED":
            told = stream.told()
        assert told["turn_count"] == 2
        assert "secret7quartz" not in json.dumps(told)
        write(other, "told")
        assert (stream.told()["state"], first["id"] != told["revision"]) == ("ACTIVE", True)


def test_change_by_any_of_four_processes_is_told_at_all_of_them(
    pair: tuple[GatewayProcess, GatewayProcess], redis_url: str
) -> None:
    with contextlib.ExitStack() as open_ones:
        four = list(pair)
        for _ in range(2):
            four.append(start_gateway(pair[0].folder, environment=ENVIRONMENT | {"REDIS_URL": redis_url}))
            open_ones.callback(four[-1].kill)
        write(four[0], "of-four")
        streams = [open_ones.enter_context(Stream(each, NURSE, conversation_id="of-four")) for each in four]
        assert [stream.told()["turn_count"] for stream in streams] == [1, 1, 1, 1]
        for turns, each in enumerate(four, 2):
            began = time.monotonic()
            write(each, "of-four")
            last = [stream.event() for stream in streams]
            assert time.monotonic() - began <= PROMISED_S + LATE_S
            assert {json.loads(event["data"])["turn_count"] for event in last} == {turns}
        known = {"Last-Event-ID": last[0]["id"]}
        with Stream(
            four[3], NURSE, known, conversation_id="of-four"
        ) as elsewhere:  # who comes again to another process
            write(four[2], "of-four")
            assert elsewhere.told()["turn_count"] == 6


def test_who_comes_again_is_told_only_what_is_new(one: GatewayProcess) -> None:
    write(one, "again")
    with Stream(one, BOT, conversation_id="again") as stream:
        known = stream.event()["id"]
    assert one.post("GetTimeline", {"conversation_id": "again"}, key=BOT).json()["revision"] == known
    with Stream(one, BOT, {"Last-Event-ID": known}, conversation_id="again", since="older") as stream:
        assert stream.silent_for(1.2)
    write(one, "again")
    with Stream(one, BOT, {"Last-Event-ID": known}, conversation_id="again") as stream:
        assert stream.told()["turn_count"] == 2
    with Stream(one, BOT, conversation_id="again", since=known) as stream:
        assert stream.told()["turn_count"] == 2


@pytest.mark.parametrize(
    ("key", "asked"),
    [(STRANGER, {}), (NURSE, {"user_id": "bob"}), (STRANGER, {"user_id": "ann"})],
    ids=["another tenant", "another user", "another tenant, the right user"],
)
def test_a_stranger_is_answered_as_of_what_does_not_exist(one: GatewayProcess, key: str, asked: dict[str, str]) -> None:
    write(one, "anns")
    with Stream(one, BOT, conversation_id="anns") as stream:
        known = stream.event()["id"]
    for headers in ({}, {"Last-Event-ID": known}):
        with (
            Stream(one, key, headers, conversation_id="anns", **asked) as refused,
            Stream(one, key, headers, conversation_id="nobodys", **asked) as absent,
        ):
            assert (refused.status, absent.status, refused.body) == (404, 404, absent.body)
    timeline = one.post("GetTimeline", {"conversation_id": "anns", **asked}, key=key)
    assert timeline.body == absent.body


@pytest.mark.parametrize(
    ("key", "asked", "status", "code"),
    [
        ("", {"conversation_id": "c"}, 401, "unauthorized"),
        (DESK, {"conversation_id": "c"}, 403, "forbidden"),
        (BOT, {}, 400, "invalid_input"),
        (BOT, {"conversation_id": "c", "since": "no revision"}, 400, "invalid_input"),
        (BOT, {"conversation_id": "c", "secret": "x"}, 400, "invalid_input"),
    ],
)
def test_what_cannot_be_watched_is_refused_before_the_stream(
    one: GatewayProcess, key: str, asked: dict[str, str], status: int, code: str
) -> None:
    with Stream(one, key, **asked) as stream:
        assert (stream.status, json.loads(stream.body)["code"]) == (status, code)
        assert stream.headers["content-type"] == "application/problem+json"


def test_other_methods_are_refused_and_head_gets_the_head(one: GatewayProcess) -> None:
    write(one, "head")
    path, known = "/v1/WatchConversation?conversation_id=head", {"Authorization": f"Bearer {BOT}"}
    refused: Answer = one.send(path, b"{}", known)
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")
    head = one.send(path, b"", known, method="HEAD")
    assert (head.status, head.media) == (200, "text/event-stream")
    wait_until(lambda: figure(one, "anamnesis_streams") == 0, "nothing is open")


def test_watch_of_what_is_forgotten_ends(one: GatewayProcess) -> None:
    write(one, "gone", user="leaver")
    with Stream(one, BOT, conversation_id="gone") as stream:
        stream.event()
        assert one.post("ForgetMemory", {"user_id": "leaver"}, key=NURSE).status == 200
        assert stream.event() == {}
    with Stream(one, BOT, conversation_id="gone") as stream:
        assert stream.status == 404


def test_watching_writes_no_key_and_renews_no_ttl(one: GatewayProcess, redis_url: str) -> None:
    """Check 13. What the gateway does by itself, and the audit, has keys of its own."""
    write(one, "still")
    client = redis.Redis.from_url(redis_url)
    tag = b"{t1/still}"

    def kept() -> dict[bytes, bytes | None]:
        return {key: client.dump(key) for key in client.scan_iter(count=10_000) if tag in key}

    def ends_at() -> dict[bytes, int]:
        return {key: client.execute_command("PEXPIRETIME", key) for key in kept()}

    before, lapsing = kept(), ends_at()
    assert before
    with contextlib.ExitStack() as open_ones:
        streams = [open_ones.enter_context(Stream(one, BOT, conversation_id="still")) for _ in range(5)]
        for stream in streams:
            stream.event()
            assert stream.silent_for(1.2)
        assert (kept(), ends_at()) == (before, lapsing)
    keys = {key for key in client.scan_iter(count=10_000) if b"still" in key}
    assert keys == before.keys()


def test_a_key_has_streams_of_its_own_and_only_so_many(one: GatewayProcess) -> None:
    write(one, "many")
    with contextlib.ExitStack() as open_ones:
        for _ in range(8):
            assert open_ones.enter_context(Stream(one, BOT, conversation_id="many")).status == 200
        with Stream(one, BOT, conversation_id="many") as ninth:
            assert (ninth.status, json.loads(ninth.body)["code"]) == (429, "stream_limited")
            assert int(ninth.headers["retry-after"]) > 0
        with Stream(one, NURSE, conversation_id="many") as of_another_key:
            assert of_another_key.status == 200
        with Stream(one, NURSE, conversation_id="nobodys") as refused:
            assert refused.status == 404
    wait_until(lambda: figure(one, "anamnesis_streams") == 0, "all have left", within_s=AFTER_TABS_S)
    with Stream(one, BOT, conversation_id="many") as stream:
        assert stream.status == 200, "there is room again"


def test_each_stream_opened_or_refused_is_one_entry_of_the_audit(one: GatewayProcess) -> None:
    write(one, "seen")
    asked = {"operation": "WatchConversation", "conversation_id": "seen"}
    with Stream(one, NURSE, conversation_id="seen") as stream:
        stream.event()
        write(one, "seen")
        stream.event()
    with Stream(one, DESK, conversation_id="seen") as refused:
        assert refused.status == 403

    def noted() -> list[Any]:
        return list(one.post("ListAudit", {"operation": asked["operation"], "limit": 500}, key=NURSE).json()["items"])

    wait_until(lambda: any(each["key"] == DESK for each in noted()))
    named = one.post("ListAudit", asked, key=NURSE).json()["items"]
    assert [(each["key"], each["status"]) for each in named] == [(NURSE, 200)]
    assert (DESK, 403) in [(each["key"], each["status"]) for each in noted()]


def test_redis_that_does_not_answer_is_told_once_and_the_stream_goes_on(one: GatewayProcess, redis_url: str) -> None:
    write(one, "trouble")
    client = redis.Redis.from_url(redis_url)
    with Stream(one, BOT, conversation_id="trouble") as stream:
        before = stream.event()
        client.execute_command("CLIENT", "PAUSE", "4000", "ALL")
        troubled = stream.event()
        assert (troubled["event"], "id" in troubled) == ("trouble", False)
        assert json.loads(troubled["data"])["code"] in {"store_unavailable", "deadline_exceeded"}
        after = stream.event()
        assert (after["event"], after["id"]) == ("conversation", before["id"])
        write(one, "trouble")
        assert stream.told()["turn_count"] == 2


def test_streams_take_no_place_of_requests(start: Start) -> None:
    gateway = start(environment=OPEN | {"ANAMNESIS_SERVER__IN_FLIGHT_MAX": "2"})
    write(gateway, "c", None)
    with contextlib.ExitStack() as open_ones:
        for _ in range(10):
            assert open_ones.enter_context(Stream(gateway, conversation_id="c")).status == 200
        assert (figure(gateway, "anamnesis_streams"), figure(gateway, "anamnesis_requests_in_flight")) == (10, 0)
        write(gateway, "c", None)


def test_a_hundred_streams_that_are_left_are_gone(start: Start) -> None:
    gateway = start(environment=OPEN | {"ANAMNESIS_SERVER__STREAMS_MAX": "100"})
    write(gateway, "c", None)
    with contextlib.ExitStack() as open_ones:
        for _ in range(100):
            assert open_ones.enter_context(Stream(gateway, conversation_id="c")).told()["turn_count"] == 1
        assert figure(gateway, "anamnesis_streams") == 100
    wait_until(lambda: figure(gateway, "anamnesis_streams") == 0, "all have left", within_s=AFTER_TABS_S)
    wait_until(lambda: figure(gateway, "anamnesis_connections") <= 1, "connections", within_s=AFTER_TABS_S)


def test_the_65th_stream_is_refused_and_64_do_not_hold_up_the_end_of_the_process(start: Start) -> None:
    gateway = start(environment=OPEN | {"ANAMNESIS_SERVER__SHUTDOWN_TIMEOUT_S": "60"})
    write(gateway, "c", None)
    with contextlib.ExitStack() as open_ones:
        streams = [open_ones.enter_context(Stream(gateway, conversation_id="c")) for _ in range(64)]
        assert {stream.status for stream in streams} == {200}
        with Stream(gateway, conversation_id="c") as one_more:
            assert (one_more.status, json.loads(one_more.body)["code"]) == (429, "stream_limited")
        began = time.monotonic()
        assert gateway.stop() == 0
        assert time.monotonic() - began <= AFTER_SIGTERM_S + LATE_S
        assert all(stream.told()["turn_count"] == 1 and stream.event() == {} for stream in streams)
        assert "Traceback" not in gateway.log_text()


def test_client_follows_over_a_restart_and_misses_nothing(start: Start) -> None:
    gateway = start(environment=OPEN)
    write(gateway, "c", None)
    port = str(gateway.port)

    async def follow() -> list[int]:
        turns = []
        async with AsyncClient(gateway.url) as client:
            async for changed in client.watch_conversation(conversation_id="c"):
                turns.append(changed.turn_count)
                if len(turns) == 1:
                    await asyncio.to_thread(gateway.kill)
                    again = await asyncio.to_thread(lambda: start("own", "--port", port, environment=OPEN))
                    await asyncio.to_thread(write, again, "c", None)
                elif turns[-1] == 2:
                    return turns
        raise AssertionError

    assert asyncio.run(follow())[-1] == 2


def test_client_raises_what_it_is_refused_and_can_be_left(one: GatewayProcess) -> None:
    write(one, "left")
    with Client(one.url, BOT) as client:
        with pytest.raises(ProblemError) as refused:
            next(iter(client.watch_conversation(conversation_id="nobodys")))
        assert (refused.value.status, refused.value.code) == (404, "not_found")
        for changed in client.watch_conversation(conversation_id="left", user_id="ann"):
            assert changed.state == "ACTIVE"
            break
    wait_until(lambda: figure(one, "anamnesis_streams") == 0, "it has left", within_s=AFTER_TABS_S)
