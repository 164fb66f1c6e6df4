"""ExportMemories and ImportMemories over SQLite and a real Weaviate: what goes out comes in again, each once."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from memory import limits
from memory.consolidation.reviews import USUAL_REVIEWS, question_of
from memory.consolidation.upkeep.settle import settler_of
from memory.consolidation.upkeep.users import UserLister
from memory.errors import InvalidInput, Overtaken, StoreUnavailable
from memory.model.caller import Caller
from memory.model.memory import Kind, Memory, is_marked, user_key
from memory.model.profile import Profile
from memory.model.search import IndexEntry
from memory.model.transfer_calls import MemoryRecord, ToldProfile
from memory.retrieval.decay import DecaySettings
from memory.scope import UserScope
from memory.stores.redis.users import RedisUsers
from tests.inprocess import EVERYONE, World

ELSEWHERE = Caller("elsewhere", EVERYONE.scopes)
ASKS = partial(question_of, decay=DecaySettings(), settings=USUAL_REVIEWS)
SAID = (
    "你好，我叫李雷，我对青霉素过敏，我有高血压。",
    "我住在北京，我特别喜欢吃四川火锅。",
    "说错了，不是青霉素，是头孢。",
    "我上个月搬家了，现在住在上海。",
    "我住在上海。我没有高血压。",
    "我对花生过敏，我对芒果过敏。",
    "我对花生不过敏。My kidney stones came back last summer.",
)
Json = dict[str, Any]


def lister(here: World) -> UserLister:
    return UserLister(RedisUsers(here.commands), here.sessions, here.store, here.memories)


async def settle(here: World, user: str, tenant: str = "default") -> None:
    """What the worker does with open entries."""
    parts = here.finaliser._rememberer
    settler = settler_of(here.memories, here.store, parts, parts._minds, here.service._reviews._clock)
    await settler.complete(UserScope(tenant, user))


async def live(here: World, user: str = "u1") -> None:
    """Somebody with all that can be: facts that were replaced, taken back, archived, used; what tools made; a link."""
    for number, said in enumerate(SAID):
        await here.write(said, "好的，记下了。", f"{user}-{number // 2}", user_id=user)
        if number % 2:
            await here.finalize(f"{user}-{number // 2}")
    await here.finalize(f"{user}-3")
    about = {"user_id": user}
    item = next(each for each in (await here.call("ListReviews", **about))["items"] if "花生" in each["why"])
    await here.call("DecideReview", item_id=item["item_id"], verdict="REJECT", why="问过本人")
    made = [
        (await here.call("CreateMemory", **about, subject="user", memory_type="fact", topic=topic))["memory_id"]
        for topic in ("失眠", "压力大", "睡不着")
    ]
    await here.call("LinkMemories", **about, source_memory_id=made[1], target_memory_id=made[0], relation_type="causes")
    await here.call("MergeNodes", **about, a="失眠", b="睡不着")
    triple = {"subject": "user", "predicate": "plays", "object": "围棋"}
    await here.call("UpsertFacts", **about, triples=[triple])
    await here.call("MarkUsed", **about, memory_ids=made[:1], used=True)
    await here.call("ArchiveMemory", **about, memory_id=made[1], why="过时了")
    await here.call("UpdateMemory", **about, memory_id=made[0], attributes={"地点": "家里"})
    await settle(here, user)


async def exported(here: World, user: str | None = None, caller: Caller = EVERYONE, **asked: Any) -> list[Json]:
    """All pages."""
    found, cursor = list[Json](), ""
    while True:
        page = await here.call("ExportMemories", caller, user_id=user, cursor=cursor, **asked)
        found += page["records"]
        cursor = page["cursor"]
        if not cursor:
            return found


async def imported(here: World, user: str, records: list[Json], caller: Caller = EVERYONE, **asked: Any) -> Json:
    return await here.call("ImportMemories", caller, user_id=user, records=records, **asked)


def digest(records: list[Json]) -> str:
    return hashlib.sha256(json.dumps(records, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def counts(answer: Json) -> tuple[int, int, int]:
    return answer["added"], answer["same"], answer["refused"]


def anonymous(records: list[Json]) -> Counter[str]:
    """Records without ids, each one's as often as it is there; what names another says which."""
    text = json.dumps(records, sort_keys=True, ensure_ascii=False)
    place = {each["memory_id"]: each["text"] for each in records}
    units = sorted({each["source"]["unit_id"] for each in records} - {""})
    for memory_id, said in place.items():
        text = text.replace(memory_id, "id of " + json.dumps(said, ensure_ascii=False)[1:-1])
    for unit in units:
        texts = sorted(each["text"] for each in records if each["source"]["unit_id"] == unit)
        text = text.replace(unit, "unit of " + json.dumps(texts[0], ensure_ascii=False)[1:-1])
    made = [{**each, "user_id": "somebody"} for each in json.loads(text)]
    return Counter(json.dumps(each, sort_keys=True, ensure_ascii=False) for each in made)


async def test_what_was_exported_and_erased_comes_back_as_it_was(over: World) -> None:
    await live(over)
    before, asked = await exported(over, "u1"), await over.call("ListReviews")
    profile = await over.call("GetProfile", user_id="u1")
    kinds = Counter(each["kind"] for each in before)
    assert set(kinds) == {"fact", "episode", "created", "link"} | ({"event"} & set(kinds))
    named = json.dumps(before)
    assert all(f'"{name}": "' in named for name in ("of", "decides", "contradicts", "superseded_by"))
    await over.call("ForgetMemory", user_id="u1")
    assert await exported(over, "u1") == []
    answer = await imported(over, "u1", before)
    assert counts(answer) == (len(before), 0, 0)
    assert [each["memory_id"] for each in answer["outcomes"]] == [each["memory_id"] for each in before]
    after = await exported(over, "u1")
    assert digest(after) == digest(before)
    assert await over.call("ListReviews") == asked != {"items": []}
    again = await over.call("GetProfile", user_id="u1")
    assert {**again, "version": 0} == {**profile, "version": 0}
    await settle(over, "u1")
    assert digest(await exported(over, "u1")) == digest(before), "also once entries are complete"
    assert counts(await imported(over, "u1", before)) == (0, len(before), 0)
    assert digest(await exported(over, "u1")) == digest(before)


async def test_what_was_imported_is_found_and_shown(over: World) -> None:
    await live(over)
    records = await exported(over, "u1")
    history = {each["memory_id"]: each.get("changes", []) for each in records}
    await over.call("ForgetMemory", user_id="u1")
    await over.query("c", user_id="u1")  # a copy that knows nothing of them
    await imported(over, "u1", records)
    found = await over.call("SearchMemories", user_id="u1", query="火锅", mode="keyword")
    assert "火锅" in found["memories"][0]["text"]
    await settle(over, "u1")
    found = await over.call("SearchMemories", user_id="u1", query="火锅", mode="vector")
    assert found["memories"]
    context = await over.query("c", user_id="u1")
    assert {"头孢", "青霉素"} <= set(context["safety"]["allergies"])
    assert [each["user_id"] for each in (await over.call("ListUsers"))["items"]] == ["u1"]
    for memory_id, changes in history.items():
        told = await over.call("GetMemoryHistory", memory_id=memory_id)
        assert [each["number"] for each in told["changes"]] == [each["number"] for each in changes]
    profile = await over.call("ListMemories", user_id="u1", kinds=["profile"])
    assert ["头孢" in each["text"] for each in profile["items"]] == [True]


@pytest.mark.parametrize("caller", [EVERYONE, ELSEWHERE], ids=["user", "tenant"])
async def test_copy_of_another_user_names_its_own(over: World, caller: Caller) -> None:
    await live(over)
    before, target = await exported(over, "u1"), "u1" if caller is ELSEWHERE else "u2"
    half = len(before) // 2
    for records in (before[half:], before[:half], before):  # what names another need not come with it
        answer = await imported(over, target, records, caller)
        assert answer["refused"] == 0
    assert answer["added"] == 0
    copy = await exported(over, target, caller)
    key = user_key(caller.tenant, target)
    assert all(is_marked(each["memory_id"], key) for each in copy)
    assert {each["user_id"] for each in copy} == {target}
    assert anonymous(copy) == anonymous(before)
    text = json.dumps(copy)
    old = [each["memory_id"] for each in before] + [each["source"]["unit_id"] for each in before]
    assert [each for each in old if each and each in text] == []
    assert digest(await exported(over, "u1")) == digest(before)
    fact = next(each for each in copy if each["kind"] == "fact")
    why = await over.call("ExplainMemory", caller, user_id=target, memory_id=fact["memory_id"])
    assert why["messages"] == [], "nobody reads another's dialogue by it"
    link = next(each for each in copy if each.get("predicate") == "causes")
    joined = {"source_memory_id": link["subject"], "target_memory_id": link["object"], "relation_type": "causes"}
    assert not (await over.call("LinkMemories", caller, user_id=target, **joined))["created"], "it is that very link"
    told = {"user_id": target, "a": "失眠", "b": "睡不着"}
    await over.call("SplitNodes", caller, **told)
    assert counts(await imported(over, target, before, caller)) == (0, len(before), 0)
    nodes = await over.call("GetGraph", caller, user_id=target, include=["merged"])
    assert not nodes.get("merged"), "what was taken off there does not come back"


async def test_all_users_are_exported_in_one_order(over: World) -> None:
    for user in ("b", "a.1", "a-2", "B"):
        await over.call(
            "UpsertFacts", user_id=user, triples=[{"subject": "user", "predicate": p, "object": "x"} for p in "pqr"]
        )
    await over.write("只说了一句。", "好的。", "alive", user_id="aa")
    for limit in (1, 2, 5, 100):
        found = [(each["user_id"], each["memory_id"]) for each in await exported(over, limit=limit)]
        assert found == sorted(found)
        assert Counter(user for user, _ in found) == dict.fromkeys(("B", "a-2", "a.1", "b"), 3)
    assert await exported(over, caller=ELSEWHERE) == []


async def test_an_export_does_not_begin_before_all_users_are_listed(over: World) -> None:
    (keys,) = await over.commands.run(("KEYS", "*"))
    await over.commands.run(("DEL", *keys))
    with pytest.raises(StoreUnavailable):
        await over.call("ExportMemories")
    assert (await over.call("ExportMemories", user_id="u1"))["records"] == []


async def test_states_and_cursors_are_those_of_the_request(over: World) -> None:
    await live(over)
    every = await exported(over, "u1")
    by_state = [
        await exported(over, "u1", states=[state], limit=3) for state in ("held", "ended", "superseded", "archived")
    ]
    assert sum(map(len, by_state)) == len(every)
    assert len(by_state[2]) > 0 < len(by_state[3])
    for cursor in ("u2/", "u1/x", "/", "u1 /", "x"):
        with pytest.raises(InvalidInput):
            await over.call("ExportMemories", user_id="u1", cursor=cursor)


async def test_a_page_of_long_texts_is_shorter(over: World) -> None:
    long = "长" * 40_000
    records = [record(number, text=f"{number}{long}") for number in range(150)]
    for start in range(0, 150, 30):
        assert counts(await imported(over, "u1", records[start : start + 30])) == (30, 0, 0)
    page = await over.call("ExportMemories", user_id="u1", limit=150)
    assert len(page["records"]) * 40_000 > limits.EXPORT_PAGE_CHARS_MAX
    assert len(page["records"]) < 150
    assert len(await exported(over, "u1", limit=150)) == 150


def record(number: int = 0, **changes: Any) -> Json:
    """A record of nobody's, that can be imported."""
    return {
        "memory_id": f"00000000-0000-4000-8000-{number + 1:012}",
        "user_id": "u1",
        "kind": "fact",
        "category": "fact",
        "type": "fact",
        "text": "喜欢喝茶",
        "source": {"conversation": "c", "unit_id": "", "seqs": [1], "quote": "喜欢喝茶"},
        "occurred_ms": 1_763_764_800_000,
        "recorded_ms": 1_763_764_800_000,
        "subject": "user",
        "predicate": "likes",
        "object": f"喝茶{number}",
        **changes,
    }


CHANGE = {"number": 1, "at_ms": 1, "op": "updated", "by": "nurse", "before": {"valid_to_ms": None}}
WRONG: tuple[tuple[Json, str, str], ...] = (
    ({"colour": "red"}, "no memory has a field colour", "记忆没有字段 colour"),
    ({"stage": "staged"}, "no memory has a field stage", "记忆没有字段 stage"),
    ({"memory_id": "1"}, "the field memory_id is not as it has to be", "字段 memory_id 不符合要求"),
    ({"memory_id": "00000000-0000-0000-0000-000000000000"}, "the field memory_id is not", "字段 memory_id 不"),
    ({"memory_id": "00000000-0000-4000-8000-00000000000A"}, "the field memory_id is not", "字段 memory_id 不"),
    ({"text": "x" * 50_001}, "the field text is too long", "字段 text 过长"),
    ({"text": ""}, "the field text is not", "字段 text 不"),
    ({"text": 5}, "the field text is not", "字段 text 不"),
    ({"kind": "dream"}, "the field kind is not", "字段 kind 不"),
    ({"kind": "profile", "category": "core"}, "a profile is made from facts", "画像由事实生成"),
    ({"category": "episode"}, "no memory of this kind has the category episode", "没有类别 episode"),
    ({"kind": "event", "category": "system"}, "no memory of this kind has the category system", "没有类别 system"),
    ({"valid_from_ms": 2, "valid_to_ms": 1}, "it ends before it begins", "结束时间早于开始时间"),
    ({"occurred_ms": 10**15}, "the field occurred_ms is not", "字段 occurred_ms 不"),
    ({"occurred_ms": 1.5}, "the field occurred_ms is not", "字段 occurred_ms 不"),
    ({"importance": 1.01}, "the field importance is not", "字段 importance 不"),
    ({"predicate": ""}, "the field predicate is missing", "字段 predicate 缺失"),
    ({"source": {"conversation": "a/b", "unit_id": "", "seqs": [], "quote": ""}}, "the field source", "字段 source"),
    ({"superseded_by": "somebody"}, "the field superseded_by", "字段 superseded_by"),
    ({"kind": "link", "category": "system"}, "the field predicate is not", "字段 predicate 不"),
    ({"changes": [CHANGE | {"op": "dreamt"}]}, "the field changes.0.op is not", "字段 changes.0.op 不"),
    ({"changes": [CHANGE | {"before": {"shown": 3}}]}, "no memory has a field changes.0.before.s", "没有字段 c"),
    ({"changes": [CHANGE | {"after": {"valid_to_ms": "x"}}]}, "the field changes.0.after.valid_to_ms", "字段 changes"),
    ({"changes": [CHANGE, CHANGE]}, "the field changes is not", "字段 changes 不"),
    ({"attributes": {"a": 5}}, "the field attributes.a is not", "字段 attributes.a 不"),
)  # fmt: skip


async def test_records_that_cannot_be_are_refused_one_by_one(over: World) -> None:
    missing = {name: value for name, value in record().items() if name != "type"}
    records = [record(1), *(record(2, **wrong) for wrong, _, _ in WRONG), missing, record(3), record(3)]
    for locale, at in (("en", 1), ("zh", 2)):
        answer = await imported(over, "u1", records, dry_run=True, locale=locale)
        assert [each["outcome"] for each in answer["outcomes"]] == ["added", *["refused"] * 26, "added", "same"]
        for row, outcome in zip(WRONG, answer["outcomes"][1:], strict=False):
            assert row[at] in outcome["reason"], row
    assert "type" in answer["outcomes"][-3]["reason"]
    assert await exported(over, "u1") == []
    assert (await over.call("ListUsers"))["items"] == [], "a dry run lists nobody"
    await RedisUsers(over.commands).enlist(UserScope("default", "u9"), (), 1_000)
    await imported(over, "u9", records, dry_run=True)
    assert (await over.call("ListUsers"))["items"][0]["last_active_at"].startswith("1970"), "nor is it activity"
    await RedisUsers(over.commands).remove(UserScope("default", "u9"))
    assert counts(await imported(over, "u1", records)) == (2, 1, 26)
    assert {each["object"] for each in await exported(over, "u1")} == {"喝茶1", "喝茶3"}
    assert counts(await imported(over, "u9", [missing])) == (0, 0, 1)
    assert [each["user_id"] for each in (await over.call("ListUsers"))["items"]] == ["u1"]


@pytest.mark.parametrize(
    ("most", "made"),
    [
        (limits.RECORD_TEXT_CHARS_MAX, lambda n: {"text": "长" * n}),
        (limits.RECORD_NAME_CHARS_MAX, lambda n: {"predicate": "p" * n}),
        (limits.RECORD_SEQS_MAX, lambda n: {"source": record()["source"] | {"seqs": [1] * n}}),
    ],
    ids=["text", "name", "seqs"],
)
async def test_each_field_of_a_record_is_bounded(over: World, most: int, made: Callable[[int], Json]) -> None:
    sizes = [record(number, **made(size)) for number, size in enumerate((most - 1, most, most + 1))]
    assert counts(await imported(over, "u1", sizes)) == (2, 0, 1)


async def test_what_is_there_is_not_overwritten(over: World) -> None:
    await imported(over, "u1", [record()])
    (stored,) = await exported(over, "u1")
    await over.call("ArchiveMemory", user_id="u1", memory_id=stored["memory_id"])
    changed = await exported(over, "u1")
    assert counts(await imported(over, "u1", [record(text="another"), stored])) == (0, 2, 0)
    assert await exported(over, "u1") == changed


async def test_a_fact_that_comes_in_meets_those_that_are_there(over: World) -> None:
    await over.write("我住在上海。", "好的。", "c", user_id="u1")
    await over.finalize("c")
    older = record(predicate="residence", object="北京", text="我住在北京", occurred_ms=1_600_000_000_000)
    await imported(over, "u1", [older])
    held = await exported(over, "u1", states=["held"])
    assert [each["object"] for each in held if each.get("predicate") == "residence"] == ["上海"]


async def test_identifiers_are_covered_on_the_way_in(over: World, monkeypatch: pytest.MonkeyPatch) -> None:
    card = "6222021234567890123"
    change = CHANGE | {"before": {"text": f"我的卡号{card}"}, "after": {"object": f"卡号{card}"}, "why": card}
    said = record(text=f"我的银行卡号是{card}", changes=[change])
    covering = type(over.finaliser._rememberer._minds.replacer)
    monkeypatch.setattr(covering, "text", lambda _self, _tenant, said: said.replace(card, "[card]"))
    await imported(over, "u1", [said])
    assert card not in json.dumps(await exported(over, "u1"))


async def test_an_import_that_an_erasure_overtakes_leaves_nothing(over: World, monkeypatch: pytest.MonkeyPatch) -> None:
    put = type(over.memories).put

    async def after_an_erasure(self: Any, scope: UserScope, entries: list[IndexEntry]) -> None:
        if scope.user == "u1" and any(each.memory.kind is Kind.FACT for each in entries):
            monkeypatch.undo()
            await over.call("ForgetMemory", user_id="u1")
        await put(self, scope, entries)

    monkeypatch.setattr(type(over.memories), "put", after_an_erasure)
    with pytest.raises(Overtaken):
        await imported(over, "u1", [record()])
    assert await exported(over, "u1") == []
    assert (await over.call("ListUsers"))["items"] == []
    assert counts(await imported(over, "u1", [record()])) == (1, 0, 0), "asked again it is a new wish"


async def test_what_was_cut_off_behind_the_write_is_done_by_the_repetition(
    over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    allergy = record(predicate="allergy", object="花生", category="core", text="我对花生过敏")
    await over.write("你好。", "您好。", "c", user_id="u1")
    await over.query("c")  # leaves a copy that knows nothing of it

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(type(over.finaliser._rememberer), "settle_again", down)
        with pytest.raises(StoreUnavailable):
            await imported(over, "u1", [allergy])
    assert counts(await imported(over, "u1", [allergy])) == (0, 1, 0)
    assert (await over.query("c", user_id="u1"))["safety"]["allergies"] == ["花生"]
    profile = await over.call("ListMemories", user_id="u1", kinds=["profile"])
    assert ["花生" in each["text"] for each in profile["items"]] == [True]


async def test_two_imports_at_once_store_each_once(over: World) -> None:
    records = [record(number) for number in range(40)]
    answers = await asyncio.gather(*(imported(over, "u1", records) for _ in range(4)))
    assert all(each["added"] + each["same"] == 40 for each in answers)
    assert len(await exported(over, "u1")) == 40


async def test_a_kind_that_is_full_takes_no_more(over: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.service.transfer._ROOM", {Kind.CREATED: 3})
    made = [record(number, kind="created", mind="tool") for number in range(5)]
    answer = await imported(over, "u1", made)
    assert counts(answer) == (3, 0, 2)
    assert "as many of the kind created" in answer["outcomes"][-1]["reason"]
    assert counts(await imported(over, "u1", made)) == (0, 3, 2)


async def test_profile_of_a_group_is_made_anew(over: World) -> None:
    for name, said in (("Mia", "I am allergic to peanuts and I have a cat."), ("Tom", "I have asthma.")):
        message = {"role": "user", "name": name, "content": said}
        await over.call("WriteMessages", conversation_id="group", user_id="u1", messages=[message])
    await over.finalize("group")
    before = await over.call("ListMemories", user_id="u1", kinds=["profile"])
    assert any("Mia" in each["text"] for each in before["items"])
    records = await exported(over, "u1")
    await over.call("ForgetMemory", user_id="u1")
    await imported(over, "u1", records)
    assert await over.call("ListMemories", user_id="u1", kinds=["profile"]) == before


def test_every_field_of_a_memory_is_exported() -> None:
    assert set(MemoryRecord.model_fields) == set(Memory.__slots__) - {"stage"}
    assert set(ToldProfile.model_fields) == set(Profile.__slots__) - {"user_id", "version"}
