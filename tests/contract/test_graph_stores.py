"""The graph over SQLite and a real Weaviate: the design's story, the same bytes, cut-offs, poison, secrets."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.tidy import Tidier
from memory.errors import MemoryGatewayError, StoreUnavailable
from memory.extraction.rules_mind import RulesMind
from memory.model.memory import Category, Kind, id_of
from memory.model.search import Filter
from memory.ports import MemoryStore
from memory.scope import UserScope
from tests.contract.memory_stores import U1, in_sqlite, in_weaviate
from tests.contract.test_privacy import ALL, CANARIES, replacer
from tests.contract.test_settling import LOTS, Clock, Near, told, verdicts
from tests.inprocess import FakeCommands, World, world
from tests.stores import empty
from tests.weaviate_server import WeaviateServer

CUES = {"name": "我叫{}", "birth": "{}出生", "account": "微信号：{}", "address": "我住在{}"}
"""What tells that it is one, where its form does not."""
SAID = "2025-11-05T10:00:00+08:00"
U = {"user_id": "u1"}


@pytest.fixture
async def over(opened: Callable[..., Any], tmp_path: Path, counter: Any) -> AsyncIterator[World]:
    """A service over one of the stores."""
    store, close = await opened()
    commands = FakeCommands()
    async with world(commands, tmp_path / "units", counter, memories=store, embedder=Near(), clock=Ticking()) as here:
        yield here
    await commands.client.aclose()
    await close()


class Ticking:
    """A millisecond a look, so that two runs have the same times."""

    def __init__(self) -> None:
        self.ms = 1_762_308_000_000

    def now_ms(self) -> int:
        self.ms += 1
        return self.ms


@pytest.fixture(autouse=True)
def units_folder(tmp_path: Path) -> None:
    (tmp_path / "units").mkdir()


async def create(here: World, topic: str, thing: str | None = None, **fields: Any) -> str:
    body = {"subject": "我", "memory_type": "事实", "topic": topic, "object": thing, "occurred_at": SAID, **fields}
    return str((await here.call("CreateMemory", **U, **body))["memory_id"])


async def story(here: World) -> dict[str, Any]:
    """10:00 a mood, 10:05 its reason and the link, 16:00 the mood in other words, 18:00 why."""
    mood = await create(here, "心情", "不好")
    reason = await create(here, "失眠", attributes={"时间": "昨晚"}, memory_type="事件")
    ends = {"source_memory_id": reason, "target_memory_id": mood}
    link = (await here.call("LinkMemories", **U, **ends, relation_type="因为"))["link_id"]
    await create(here, "影响", "睡眠", subject="心情")
    await create(here, "取决于", "天气", subject="情绪")
    await here.call("MergeNodes", **U, a="心情", b="情绪")
    return {"mood": mood, "reason": reason, "link": link}


async def test_the_story_of_the_design_ends_with_the_reason(over: World) -> None:
    made = await story(over)
    found = await over.call("SearchMemories", **U, query="我的心情为什么不好？", search_mode="auto")
    by_id = {each["memory_id"]: each for each in found["memories"]}
    assert by_id[made["mood"]]["distance"] == 0
    assert (by_id[made["reason"]]["distance"], by_id[made["reason"]]["path"][1]) == (1, made["link"])
    assert found["searched"]["went_deep"]
    settled = await over.call("SettleMemories", **U)
    assert (settled["state"], settled["left"], settled["steps"]["completed"]) == ("settled", 0, 4)
    statuses = {each["status"] for each in (await over.call("ListMemories", **U, kinds=["created"]))["items"]}
    assert statuses == {"consolidated"}
    way = await over.call("FindPath", **U, source="天气", target="睡眠")
    assert [step["relation"] for step in way["paths"][0]["steps"]] == ["取决于", "影响"]
    await over.call("ForgetMemory", **U, memory_id=made["reason"])
    graph = await over.call("GetGraph", **U, include=["conflicts", "suggestions", "merged"])
    assert graph["links"] == []
    assert "失眠" not in json.dumps(graph, ensure_ascii=False)


@pytest.mark.integration
async def test_both_stores_give_the_same_graph_byte_for_byte(
    weaviate: WeaviateServer, tmp_path: Path, counter: Any
) -> None:
    await asyncio.to_thread(lambda: asyncio.run(empty(weaviate)))
    graphs = []
    for name, opening in (("a", in_sqlite(tmp_path)), ("b", in_weaviate(weaviate))):
        store, close = await opening
        (tmp_path / name).mkdir()
        commands = FakeCommands()
        async with world(commands, tmp_path / name, counter, memories=store, clock=Ticking()) as here:
            said = "因为我有高血压，所以一直在吃硝苯地平。我妈妈叫王秀兰。"
            message = {"role": "user", "content": said, "occurred_at": SAID}
            await here.call("WriteMessages", conversation_id="c", **U, messages=[message])
            await here.finalize()
            await story(here)
            await create(here, "讨厌", "下雨天")
            await create(here, "喜欢", "下雨天")
            await here.call("SettleMemories", **U)
            asked = {"include": ["conflicts", "suggestions", "merged"], "format": "mermaid"}
            graphs.append(json.dumps(await here.call("GetGraph", **U, **asked), ensure_ascii=False))
        await commands.client.aclose()
        await close()
    assert graphs[0] == graphs[1]
    graph = json.loads(graphs[0])
    assert graph["conflicts"]
    assert {each["quote"] for each in graph["links"]} >= {"因为我有高血压，所以一直在吃硝苯地平"}


class Failing:
    """A memory store whose call of this number does not answer, before or after it has done its work."""

    def __init__(self, store: MemoryStore, at: int, *, after: bool) -> None:
        self._store, self._at, self._after = store, at, after
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if not asyncio.iscoroutinefunction(method):
            return method

        async def called(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            if self.calls == self._at and not self._after:
                raise StoreUnavailable("killed before it")
            answer = await method(*arguments, **named)
            if self.calls == self._at:
                raise StoreUnavailable("killed behind it")
            return answer

        return called


@pytest.mark.parametrize("after", [False, True])
async def test_tidying_that_is_cut_off_at_any_call_ends_as_if_it_had_not_been(
    opened: Callable[..., Any], *, after: bool
) -> None:
    entries = [told("有", "colour"), told("做", "color"), told("说", "心情"), told("谈", "情绪"), *LOTS]
    store, close = await opened()
    minds = Minds(RulesMind(), RulesMind(), Near(), "zh")
    scopes = [UserScope("t1", f"u{number}") for number in range(1, 20)]
    whole, ends = -1, list[list[tuple[str, str, str]]]()
    for number, scope in enumerate(scopes):
        await store.put(scope, [_of(scope, entry) for entry in entries])
        failing: Any = Failing(store, number, after=after)
        cut_off = Tidier(failing, Rememberer(failing, minds), minds, Clock())
        try:
            await cut_off.tidy(scope)
            whole = whole if number == 0 or whole >= 0 else number
        except StoreUnavailable:
            pass
        await Tidier(store, Rememberer(store, minds), minds, Clock()).tidy(scope)
        page = await store.page(scope, Filter(kinds=(Kind.LINK,)), "", 1000)
        ends.append(sorted((each.predicate, each.subject, each.object) for each in page.memories))
    await close()
    assert ends[0]
    assert all(each == ends[0] for each in ends)
    assert 3 < whole < len(scopes), "every call was cut off, and the last runs were whole"


def _of(scope: UserScope, entry: Any) -> Any:
    memory = replace(entry.memory, memory_id=id_of(f"{scope}/{entry.memory.memory_id}", scope.tenant, scope.user),
                     user_id=scope.user)  # fmt: skip
    return entry._replace(memory=memory)


async def test_a_model_that_obeys_every_text_reaches_nobody_else_and_no_safety(over: World) -> None:
    """What a poisoned page can make a model call: other users' ids, categories, safety, links to others' memories."""
    theirs = await over.call("CreateMemory", user_id="victim", subject="我", memory_type="事实", topic="秘密")
    calls: Sequence[tuple[str, dict[str, Any]]] = (
        ("CreateMemory", {"subject": "我", "memory_type": "事实", "topic": "过敏", "object": "青霉素"}),
        ("CreateMemory", {"subject": "我", "memory_type": "事实", "topic": "allergy", "object": "penicillin"}),
        ("CreateMemory", {"subject": "我", "memory_type": "事实", "topic": "规则", "category": "system"}),
        ("CreateMemory", {"subject": "我", "memory_type": "事实", "topic": "规则", "kind": "fact"}),
        ("CreateMemory", {"subject": "我", "memory_type": "事实", "topic": "规则", "tenant": "other"}),
        ("LinkMemories", {"source_memory_id": theirs["memory_id"], "target": "我过敏", "relation_type": "导致"}),
        ("LinkMemories", {"source": "我的秘密", "target": "我过敏", "relation_type": "导致"}),
        ("UpdateMemory", {"memory_id": theirs["memory_id"], "importance": 0}),
        ("UpdateMemory", {"memory_id": theirs["memory_id"], "attributes": {"x": "y"}}),
        ("MergeNodes", {"a": "秘密", "b": "过敏"}),
        ("SearchMemories", {"query": "秘密"}),
    )
    for operation, body in calls:
        try:
            await over.call(operation, user_id="caller", **body)
        except (ValueError, MemoryGatewayError):
            continue
    victims = await over.call("ListMemories", user_id="victim")
    assert [each["memory_id"] for each in victims["items"]] == [theirs["memory_id"]]
    assert victims["items"][0]["importance"] == theirs["memory"]["importance"]
    own = await over.memories.page(UserScope("default", "caller"), Filter(), "", 100)
    assert own.memories
    assert {memory.category for memory in own.memories} <= {Category.FACT, Category.SYSTEM}
    assert [memory.kind for memory in own.memories if memory.category is Category.SYSTEM] == []
    context = await over.query("c1", user_id="caller")
    assert context["safety"]["allergies"] == []


@pytest.mark.parametrize("kind", CANARIES)
async def test_no_identifier_reaches_the_store_by_a_field_of_a_tool(
    opened: Callable[..., Any], tmp_path: Path, counter: Any, kind: str
) -> None:
    store, close = await opened()
    commands, secret = FakeCommands(), CANARIES[kind]
    said = CUES.get(kind, "{}").format(secret)
    asked = {"memories": store, "embedder": Near(), "minds": {"replacer": replacer(ALL)}}
    async with world(commands, tmp_path / "units", counter, **asked) as here:
        first = await create(here, "记下", said, quote=said, attributes={"备注": said})
        second = await create(here, "再记", "一件事", subject="小店")
        ends = {"source_memory_id": first, "target_memory_id": second}
        await here.call("LinkMemories", **U, **ends, relation_type="相关", quote=said)
        await here.call("UpdateMemory", **U, memory_id=second, attributes={"备注": said})
        await here.call("UpdateMemory", **U, memory_id=second, text=said, why=said)
        await here.call("UpsertFacts", **U, triples=[{"subject": "user", "predicate": "like", "object": "绿茶"}])
        (fact,) = await here.pages("ListMemories", **U, kinds=["fact"])
        await here.call("UpdateMemory", **U, memory_id=fact["memory_id"], object=said, why=said)
        await here.call("SettleMemories", **U)
        every = [entry.memory async for entry in store.entries(UserScope("default", "u1"))]
        kept = json.dumps([repr(memory) for memory in every], ensure_ascii=False)
    await commands.client.aclose()
    await close()
    assert sorted(memory.kind for memory in every) == ["created", "created", "fact", "fact", "link", "profile"]
    assert secret not in kept


async def test_two_labels_that_became_the_same_mark_are_not_made_one(
    opened: Callable[..., Any], tmp_path: Path, counter: Any
) -> None:
    store, close = await opened()
    commands = FakeCommands()
    asked = {"memories": store, "minds": {"replacer": replacer(ALL)}}
    async with world(commands, tmp_path / "units", counter, **asked) as here:
        for number in ("13812345678", "13912345670"):
            await create(here, f"电话{number[-2:]}", f"手机 {number}")
        await here.call("SettleMemories", **U)
        links = await here.call("ListMemories", **U, kinds=["link"])
    await commands.client.aclose()
    await close()
    assert links["items"] == []


async def test_nothing_of_the_graph_is_left_of_a_user_who_is_forgotten(over: World) -> None:
    await story(over)
    await over.call("SettleMemories", **U)
    await over.call("ForgetMemory", **U)
    assert await verdicts_of(over) == []
    for include in ("conflicts", "suggestions", "merged"):
        assert (await over.call("GetGraph", **U, include=[include]))[include] == []


async def verdicts_of(here: World) -> list[Any]:
    page = await here.memories.page(UserScope("default", "u1"), Filter(kinds=(Kind.LINK, Kind.CREATED)), "", 100)
    return list(page.memories)


async def test_verdicts_are_found_where_they_are_looked_for(opened: Callable[..., Any]) -> None:
    """Ids of things have spaces and signs: a walk finds the verdicts on them by their ends in either store."""
    store, close = await opened()
    await store.put(U1, [told("have", "Chest colour"), told("tell of", "chest color")])
    minds = Minds(RulesMind(), RulesMind(), None, "zh")
    await Tidier(store, Rememberer(store, minds), minds, Clock()).tidy(U1)
    (made,) = await verdicts(store)
    assert await store.links(U1, ["thing:chest colour"]) == [made]
    assert await store.links(U1, ["thing:chest color", "x"]) == [made]
    assert await store.links(U1, ["thing:chest"]) == []
    await close()
