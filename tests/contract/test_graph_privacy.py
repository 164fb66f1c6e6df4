"""Identifiers of all kinds in every field of the tools: what reaches the store, an endpoint, and another's node."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from memory.errors import Guarded, MemoryGatewayError
from memory.privacy.policy import KINDS
from memory.privacy.withheld import Withheld
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_embedder import OpenAIEmbedder, OpenAIEmbedderSettings
from memory.providers.openai_judge import OpenAIJudge
from tests.contract.lives import ON_ONE_STORE
from tests.contract.memory_stores import DIMENSION
from tests.contract.test_graph_stores import CUES
from tests.contract.test_privacy import ALL, CANARIES, bytes_of, in_clear, plain_forms, replacer
from tests.inprocess import FakeCommands, World, world
from tests.openai_models import asking
from tests.openai_server import ScriptedServer

U: dict[str, Any] = {"user_id": "u1"}
SAID = {kind: CUES.get(kind, "{}").format(value) for kind, value in CANARIES.items()}
"""Each as people say it, with what tells that it is one."""
REDACTED = {"replacer": replacer(ALL)}


@pytest.fixture
async def endpoint() -> AsyncIterator[ScriptedServer]:
    """Its judge is unsure of all."""
    async with ScriptedServer(chat=lambda _: '{"pairs": []}') as running:
        yield running


@pytest.fixture
def units(tmp_path: Path) -> Path:
    (tmp_path / "units").mkdir()
    return tmp_path / "units"


@asynccontextmanager
async def asked_of(
    endpoint: ScriptedServer, opened: Callable[..., Any], units: Path, counter: Any, **minds: Any
) -> AsyncIterator[World]:
    """A service over a store, which embeds and judges at an endpoint that is shown no identifier."""
    withheld = Withheld(frozenset(KINDS))
    point = OpenAIEndpoint(endpoint.url, "key")
    embedder = OpenAIEmbedder(OpenAIEmbedderSettings("e", point, DIMENSION, withheld=withheld))
    settings, chat = asking(endpoint, withheld=withheld)
    commands = FakeCommands()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(embedder.close)
        stack.push_async_callback(chat.close)
        stack.push_async_callback(commands.client.aclose)
        store, close = await opened(embedder.space)
        stack.push_async_callback(close)
        chosen = {"memories": store, "embedder": embedder, "minds": {"judge": OpenAIJudge(settings, chat)} | minds}
        yield await stack.enter_async_context(world(commands, units, counter, **chosen))


async def create(here: World, subject: str, topic: str, thing: str, **fields: Any) -> str:
    body = {"memory_type": "fact", **fields, "subject": subject, "topic": topic, "object": thing}
    return str((await here.call("CreateMemory", **U, **body))["memory_id"])


async def in_every_field(here: World, said: str, number: int) -> None:
    """Where a tool or a person can say something; what is refused says it too."""
    first = await create(here, said, f"说{said}", said, quote=said, attributes={said: said})
    second = await create(here, f"小店{number}", "卖", f"茶{number}", attributes={"备注": said})
    ends = {"source_memory_id": first, "target_memory_id": second}
    linked = await here.call("LinkMemories", **U | ends, relation_type="相关", quote=said)
    await here.call("UpdateMemory", **U, memory_id=second, attributes={said: said}, why=said)
    await here.call("UpdateMemory", **U, memory_id=second, text=said, why=said)
    for operation in ("MergeNodes", "SplitNodes"):
        with contextlib.suppress(Guarded):
            await here.call(operation, **U, a=f"小店{number}", b="铺子", reason=said)
    described = {"source": said, "target": said}
    for operation, body in (
        ("LinkMemories", {**described, "relation_type": "导致"}),
        ("FindPath", described),
        ("GetGraph", {"about": said}),
        ("SearchMemories", {"query": said, "search_mode": "deep"}),
        ("UnlinkMemories", {"link_id": linked["link_id"]}),
        ("ArchiveMemory", {"memory_id": second, "why": said}),
    ):
        with contextlib.suppress(MemoryGatewayError):
            await here.call(operation, **U, **body)


async def everything(here: World) -> None:
    """All kinds in every field, and what is made of them afterwards."""
    await create(here, "铺子", "开在", "街角")
    for number, said in enumerate(SAID.values()):
        await in_every_field(here, said, number)
    for thing in ("check-up", "checkup"):  # may be one: the judge is asked, and shown the words that say it
        await create(here, "铺子", "做", thing, quote="；".join(SAID.values()))
    assert (await here.call("SettleMemories", **U, wait_ms=60_000))["state"] == "settled"


def stored(request: pytest.FixtureRequest, opened_for: str, folder: Path) -> list[str]:
    """Which kinds stand in clear in a file of the store."""
    if opened_for == "sqlite":
        return in_clear(bytes_of(folder))
    server = request.getfixturevalue("weaviate")
    return [
        kind for kind, value in CANARIES.items() if any(server.holding(form.decode()) for form in plain_forms(value))
    ]


def asked(endpoint: ScriptedServer) -> list[str]:
    """Which kinds the endpoint was shown."""
    assert {request.path for request in endpoint.requests} == {"embeddings", "chat/completions"}
    return in_clear(json.dumps([request.body for request in endpoint.requests], ensure_ascii=False).encode())


@pytest.mark.parametrize("policy", ["redact", "pseudonym", "keep"])
async def test_identifiers_in_every_field_of_a_tool_reach_neither_the_store_nor_an_endpoint(
    request: pytest.FixtureRequest,
    endpoint: ScriptedServer,
    opened: Callable[..., Any],
    units: Path,
    counter: Any,
    policy: str,
) -> None:
    covered = {} if policy == "keep" else {"replacer": replacer({"default": policy})}
    async with asked_of(endpoint, opened, units, counter, **covered) as here:
        await everything(here)
        found = stored(request, request.node.callspec.params["opened"], units.parent)
    assert asked(endpoint) == []
    assert found == (list(CANARIES) if policy == "keep" else []), "what is kept is found by the same look"


@pytest.mark.parametrize(
    ("cue", "value"),
    [
        ("微信号", CANARIES["account"]), ("WeChat ID", CANARIES["account"]),
        ("姓名", CANARIES["name"]), ("叫", CANARIES["name"]), ("name", "John Smith"),
        ("住在", CANARIES["address"]), ("家庭住址", CANARIES["address"]), ("lives at", "12 Baker Street"),
        ("出生日期", CANARIES["birth"]), ("生日", CANARIES["birth"]), ("date of birth", "7 March 1990"),
    ],
)  # fmt: skip
@ON_ONE_STORE
async def test_identifier_whose_cue_stands_in_another_field_is_one(
    make_world: Callable[..., Any], tmp_path: Path, cue: str, value: str
) -> None:
    here = await make_world(minds=REDACTED)
    made = await create(here, "我", cue, value)
    await create(here, "我", "资料", "一份", attributes={cue: value})
    await here.call("UpdateMemory", **U, memory_id=made, attributes={cue: value})
    await here.call("UpsertFacts", **U, triples=[{"subject": "user", "predicate": cue, "object": value}])
    texts = [each["text"] for each in await here.pages("ListMemories", **U, kinds=["created"])]
    assert all("[" in text for text in texts)
    assert value.encode() not in bytes_of(tmp_path)


@pytest.mark.parametrize("predicate", ["name", "residence"])
@ON_ONE_STORE
async def test_fact_that_a_caller_tells_or_puts_right_is_replaced_by_its_predicate(
    make_world: Callable[..., Any], tmp_path: Path, predicate: str
) -> None:
    here = await make_world(minds=REDACTED)
    value = CANARIES["name" if predicate == "name" else "address"]
    await here.call("UpsertFacts", **U, triples=[{"subject": "user", "predicate": predicate, "object": "深圳"}])
    (fact,) = await here.pages("ListMemories", **U, kinds=["fact"])
    if predicate != "name":  # which is for UpsertFacts to say
        await here.call("UpdateMemory", **U, memory_id=fact["memory_id"], object=value)
    for who in ("user", "小王"):
        await here.call("UpsertFacts", **U, triples=[{"subject": who, "predicate": predicate, "object": value}])
    facts = await here.pages("ListMemories", **U, kinds=["fact"])
    assert [each["object"] for each in facts] == ["[name]" if predicate == "name" else "[address]"] * 2
    assert value.encode() not in bytes_of(tmp_path)


@ON_ONE_STORE
async def test_labels_that_became_the_same_mark_lead_from_nobody_to_nobody(make_world: Callable[..., Any]) -> None:
    """Two numbers, and two nicknames: [mobile] and [name] of one memory are not those of the other."""
    here = await make_world(minds=REDACTED)
    made = [await create(here, "老张", "打", "13812345678"), await create(here, "老李", "打", "13912345670")]
    for who, name in (("小红", "李雷"), ("小绿", "王芳")):
        await create(here, who, "别名", f"姓名{name}", memory_type="relation")
    await here.call("SettleMemories", **U)
    shown = await here.call("GetGraph", **U, include=["merged", "suggestions"])
    labels = sorted(node["label"] for node in shown["nodes"])
    assert labels == sorted(["老张", "老李", "[mobile]", "[mobile]", "小红", "小绿", "姓名[name]", "姓名[name]"])
    assert (shown["merged"], shown["suggestions"]) == ([], [])
    assert len({node["id"] for node in shown["nodes"]}) == len(labels)
    for source, target in (("老张", "老李"), ("小红", "小绿")):
        assert (await here.call("FindPath", **U, source=source, target=target))["paths"] == []
    found = await here.call("SearchMemories", **U, query="老张", search_mode="deep", expand_depth=3)
    assert {each["memory_id"] for each in found["memories"] if each.get("distance") != 0} & set(made) == set()
    for end in ("[mobile]", next(node["id"] for node in shown["nodes"] if node["label"] == "[mobile]")):
        with pytest.raises(Guarded) as refused:
            await here.call("MergeNodes", **U, a=end, b="老李")
        assert refused.value.more == {"guard": "redacted"}


@ON_ONE_STORE
async def test_label_under_a_pseudonym_is_the_same_thing_each_time(make_world: Callable[..., Any]) -> None:
    """Its key tells two values apart: 老张 and 老李 share a number, 老王 has another."""
    here = await make_world(minds={"replacer": replacer({"default": "pseudonym"})})
    for who, number in (("老张", "13812345678"), ("老李", "13812345678"), ("老王", "13912345670")):
        await create(here, who, "打", number)
    assert len((await here.call("FindPath", **U, source="老张", target="老李"))["paths"]) == 1
    assert (await here.call("FindPath", **U, source="老张", target="老王"))["paths"] == []
