"""The doctor: one look at a time, no check longer than its time, and no secret in what it finds."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from gateway.config.settings import Settings
from gateway.config.sources import load
from gateway.operating.checks import Looks, at_data, at_embedder, at_mind, at_redis, checks_of
from gateway.operating.findings import Check, Finding, found_by
from gateway.operating.masking import Masking
from gateway.operating.service import Doctor
from memory.errors import ModelUnavailable

NOTHING = Masking(load(None, {}, {}))
ALL: frozenset[str] = frozenset()


@dataclass
class Gate:
    """A check that waits until it is let through, and counts."""

    begun: int = 0
    at_once: int = 0
    most: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> Finding:
        self.begun += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.reached.set()
        await self.open.wait()
        self.at_once -= 1
        return Finding("gate", ok=True, text=f"look {self.begun}")


def doctor(checks: Mapping[str, Check], deadline_s: float = 60.0) -> Doctor:
    return Doctor(checks, NOTHING, deadline_s)


async def test_who_comes_while_somebody_looks_is_told_the_same() -> None:
    gate = Gate()
    one = doctor({"gate": gate})
    asking = [asyncio.create_task(one.look(ALL)) for _ in range(8)]
    await gate.reached.wait()
    gate.open.set()
    found = await asyncio.gather(*asking)
    assert gate.begun == 1
    assert [each[0].text for each in found] == ["look 1"] * 8
    assert (await one.look(ALL))[0].text == "look 2", "who comes later is told how it is then"


async def test_look_at_less_waits_for_one_at_all() -> None:
    gate = Gate()
    one = doctor({"gate": gate, "mind": gate})
    asking = [asyncio.create_task(one.look(without)) for without in (ALL, frozenset({"mind"}))]
    await gate.reached.wait()
    await asyncio.sleep(0)
    assert gate.begun == 2, "the look at all, whose checks are made together"
    gate.open.set()
    found = await asyncio.gather(*asking)
    assert [len(each) for each in found] == [2, 1]
    assert (gate.begun, gate.most) == (3, 2)


async def test_caller_who_leaves_does_not_end_the_look_of_another() -> None:
    gate = Gate()
    one = doctor({"gate": gate})
    leaving, staying = (asyncio.create_task(one.look(ALL)) for _ in range(2))
    await gate.reached.wait()
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    gate.open.set()
    assert (await staying)[0].text == "look 1"
    assert gate.begun == 1


async def test_check_that_takes_too_long_is_a_finding_beside_the_others() -> None:
    async def well() -> Finding:
        return Finding("well", ok=True, text="fine")

    found = await doctor({"stuck": Gate(), "well": well}, deadline_s=0.01).look(ALL)
    assert [(each.subject, each.ok, each.text) for each in found] == [
        ("stuck", False, "no answer in time"),
        ("well", True, "fine"),
    ]


async def test_look_that_goes_on_ends_with_the_gateway() -> None:
    gate = Gate()
    one = doctor({"gate": gate})
    asking = asyncio.create_task(one.look(ALL))
    await gate.reached.wait()
    await one.close()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_finding_has_no_secret_in_it() -> None:
    masking = Masking(load(None, {"OPENAI_API_KEY": "sk-canary7quartz"}, {}))

    async def fails() -> Finding:
        raise ModelUnavailable("the key sk-canary7quartz is refused")

    async def tells() -> Finding:
        return Finding("mind", ok=True, text="by sk-canary7quartz")

    assert (await found_by("mind", fails, masking)).text == "the key *** is refused"
    assert (await found_by("mind", tells, masking)).text == "by ***"


@dataclass
class Server:
    server: Mapping[str, str]
    connected: bool = True
    loading: bool = False
    last_error: str = ""


@pytest.mark.parametrize(
    ("server", "ok", "text"),
    [
        (Server({"redis_version": "7.0.15", "aof_enabled": "1"}), True, "redis 7.0.15, noeviction"),
        (Server({"valkey_version": "9.1.2", "redis_version": "7.2.4", "aof_enabled": "1"}), True, "valkey 9.1.2"),
        (Server({"redis_version": "6.2.0", "aof_enabled": "1"}), False, "version 6.2.0 is too old"),
        (Server({"redis_version": "7.4.0", "aof_enabled": "0"}), False, "append-only file is off"),
        (Server({"redis_version": "7.4.0", "maxmemory_policy": "allkeys-lru"}), False, "may evict sessions"),
        (Server({}, connected=False, last_error="refused"), False, "cannot be reached: refused"),
    ],
)
async def test_redis_is_looked_at_by_what_it_says_of_itself(server: Server, ok: bool, text: str) -> None:  # noqa: FBT001 - a table
    found = await at_redis(server)
    assert found.ok is ok
    assert text in found.text


@dataclass
class Model:
    largest_request: tuple[int, int] = (1000, 1000)
    asked: int = 0

    async def probe(self) -> None:
        self.asked += 1


async def test_mind_is_asked_once_and_its_endpoint_named_without_whom_it_lets_in() -> None:
    environment = {"OPENAI_BASE_URL": "https://joe:canary@models.example/v1?key=canary", "ANAMNESIS_MIND__MODEL": "m"}
    settings = load(None, environment, {})
    model = Model()
    found = await at_mind(settings, model)
    assert (found.ok, found.text, model.asked) == (True, "m at https://***@models.example/v1?*** answers", 1)
    short = load(None, environment | {"ANAMNESIS_BUDGET__TOKENS_PER_DAY": "100"}, {})
    assert not (await at_mind(short, model)).ok
    assert (await at_mind(settings, None)).text == "rules: no model is called"


class Embedder:
    space, dimension = "s/3", 3

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def queries(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[1.0, 0.0, 0.0] for _ in texts]


async def test_embedder_is_asked_what_no_cache_can_answer() -> None:
    embedder = Embedder()
    for _ in range(2):
        assert (await at_embedder(embedder)).ok  # type: ignore[arg-type]
    assert len(set(embedder.asked)) == 2


def test_folder_in_which_others_have_rights_is_told_with_what_to_do() -> None:
    settings = Settings()
    assert at_data(settings, 0).ok
    assert "chmod -R go= anamnesis-data" in at_data(settings, 3).text


async def test_checks_are_told_in_one_order_whoever_makes_them() -> None:
    gate = Gate()
    looks = Looks(data=gate, redis=gate, store=gate, tokens=gate, worker=gate, mind=gate, embedder=gate)
    checks = checks_of(load(None, {}, {}), looks)
    assert list(checks) == [
        "python", "access", "privacy", "data", "redis", "store", "tokens", "worker", "mind", "embedder",
    ]  # fmt: skip
    assert (await checks["access"]()).text == "127.0.0.1:8077, loopback only, no key"
