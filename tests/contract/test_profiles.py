"""Safety facts and preferences: the truth in the long-term store, a copy in Redis that is never stale."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from memory.errors import InvalidInput, StoreUnavailable
from memory.limits import PROFILE_FACTS_PER_KIND_MAX
from memory.model import requests as ask
from memory.scope import ConversationScope, UserScope
from memory.stores.redis.memories import RedisLocks
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.long_term import WeaviateLongTermStore
from memory.stores.weaviate.schema import LONG_TERM
from tests.inprocess import EVERYONE, World
from tests.weaviate_server import empty

U1 = UserScope("default", "u1")


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def here(request: pytest.FixtureRequest, commands: Any, make_world: Callable[..., Any]) -> AsyncIterator[World]:
    """A service whose profiles are in each of the long-term stores."""
    if request.param == "sqlite":
        yield await make_world()
        return
    server = request.getfixturevalue("weaviate")
    await empty(server, LONG_TERM)
    async with AsyncExitStack() as stack:
        store = WeaviateLongTermStore(WeaviateConnection(server.settings()), RedisLocks(commands))
        stack.push_async_callback(store.close)
        await store.start()
        yield await make_world(store=store)


async def upsert(world: World, **facts: list[str]) -> Any:
    body = {"user_id": "u1", "facts": facts}
    return await world.service.upsert_facts(EVERYONE, ask.UpsertFactsRequest.model_validate(body))


async def test_safety_facts_stand_first_in_every_context(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    await upsert(here, allergies=["青霉素", "头孢"], surgery_history=["阑尾切除"])
    await here.checkpoint("用户头痛")
    context = await here.query()
    assert context["context"] == "安全信息：过敏史：青霉素、头孢；手术史：阑尾切除\n历史摘要: 用户头痛"
    ids = {each.pop("fact_id") for each in context["safety"]["details"]}
    assert len(ids) == 3
    assert context["safety"] == {
        "allergies": ["青霉素", "头孢"],
        "chronic_diseases": [],
        "surgery_history": ["阑尾切除"],
        "states": [],
        "details": [
            {"kind": "allergy", "text": "青霉素", "status": "confirmed"},
            {"kind": "allergy", "text": "头孢", "status": "confirmed"},
            {"kind": "surgery", "text": "阑尾切除", "status": "confirmed"},
        ],
        "no_known_allergies": False,
    }


async def test_conversation_that_changed_hands_costs_one_profile_load(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("我叫小明", "好", user_id="u1")
    await here.query(query="x")
    await here.finalize()
    await here.write("我叫小红", "好", user_id="u2")
    loads: list[UserScope] = []
    load = here.store.get_profile

    async def counted(scope: UserScope) -> Any:
        loads.append(scope)
        return await load(scope)

    monkeypatch.setattr(here.store, "get_profile", counted)
    for _ in range(5):
        await here.query(query="x")
    assert loads == [UserScope("default", "u2")]


async def test_facts_outlive_every_session_and_conversation(here: World) -> None:
    await upsert(here, allergies=["青霉素"])
    assert "青霉素" in (await here.query("never-written", user_id="u1"))["context"]


async def test_upsert_doubles_nothing_and_remove_takes_off(here: World) -> None:
    await upsert(here, allergies=["青霉素", "Aspirin"])
    profile = await upsert(here, allergies=[" aspirin "])
    assert (profile.allergies, profile.version) == (["青霉素", "Aspirin"], 1)
    body = {"user_id": "u1", "remove": {"allergies": ["青霉素"]}}
    profile = await here.service.upsert_facts(EVERYONE, ask.UpsertFactsRequest.model_validate(body))
    assert (profile.allergies, profile.version) == (["Aspirin"], 2)


async def test_preferences_are_set_and_taken_off(here: World) -> None:
    def request(**preferences: object) -> ask.UpsertPreferencesRequest:
        return ask.UpsertPreferencesRequest(user_id="u1", preferences=preferences, name="王女士")

    await here.service.upsert_preferences(EVERYONE, request(time="上午", doctor={"sex": "女"}))
    profile = await here.service.upsert_preferences(EVERYONE, request(time=None))
    assert (profile.preferences, profile.name) == ({"doctor": {"sex": "女"}}, "王女士")


async def test_acknowledged_upsert_is_seen_by_the_next_query(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    for number in range(20):
        await upsert(here, allergies=[f"药{number}"])
        assert f"药{number}" in (await here.query())["safety"]["allergies"]


async def test_slow_reader_never_overwrites_a_newer_copy(here: World) -> None:
    await upsert(here, allergies=["旧"])
    old = await here.sessions.read(
        ConversationScope("default", "c"), "u1", profile_stamp=b"o200k_base:zh"
    )  # what a reader held before the change
    await upsert(here, allergies=["新"])
    assert old.profile is not None
    await here.sessions.put_profile(U1, old.profile, b"o200k_base:zh", 0)
    assert (await here.query(user_id="u1"))["safety"]["allergies"] == ["旧", "新"]


async def test_copy_of_another_server_run_is_not_believed(here: World) -> None:
    await upsert(here, allergies=["青霉素"])
    key = "short_term_memory:profile:{default/u1}"
    (copy,) = await here.commands.run(("GET", key))
    stale = copy.replace("青霉素".encode(), "旧药".encode())
    version, stamp, rest = stale.split(b"\n", 2)
    await here.commands.run(("SET", key, b"\n".join((version, stamp + b"-before", rest)), "EX", 100))
    assert (await here.query(user_id="u1"))["safety"]["allergies"] == ["青霉素"]


async def test_crash_between_truth_and_copy_leaves_no_stale_copy(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await upsert(here, allergies=["旧"])

    async def die(*_: object, **__: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(here.sessions, "put_profile", die)
        with pytest.raises(StoreUnavailable):
            await upsert(here, allergies=["新"])
    assert "新" in (await here.query(user_id="u1"))["safety"]["allergies"]


async def test_long_term_store_down_says_degraded(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write("我头痛", "多久了", user_id="u1")

    async def down(*_: object) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(here.store, "get_profile", down)
    context = await here.query()
    assert context["degraded"] == ["profile"]
    assert context["turn_count"] == 1


async def test_long_term_store_down_shows_what_was_last_known(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    await upsert(here, allergies=["青霉素"])

    async def down(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(here.store, "get_profile", down)
        patch.setattr(here.store, "update_profile", down)
        assert (await here.query(user_id="u1"))["degraded"] == [], "the copy of before is the truth"
        with pytest.raises(StoreUnavailable):
            await upsert(here, allergies=["头孢"])
        context = await here.query(include=["session"])
        assert context["degraded"] == ["profile"]
        assert context["context"].startswith("安全信息：过敏史：青霉素")
        assert context["safety"]["allergies"] == context["session"]["user_snapshot"]["allergies"] == ["青霉素"]
    await upsert(here, allergies=["头孢"])
    context = await here.query()
    assert (context["safety"]["allergies"], context["degraded"]) == (["青霉素", "头孢"], [])


async def test_ended_conversation_is_of_its_user_while_the_long_term_store_is_down(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that comes back names the conversation alone."""
    await upsert(here, allergies=["青霉素"])
    await here.write("我头痛", "多久了", user_id="u1")
    await here.finalize()
    await here.work()
    seq = (await here.session()).seq

    async def down(*_: object) -> None:
        raise StoreUnavailable

    for operation in ("get_profile", "latest_memunit"):
        monkeypatch.setattr(here.store, operation, down)
    context = await here.query()
    assert context["degraded"] == ["history", "profile"]
    assert context["context"].startswith("安全信息：过敏史：青霉素")
    assert (await here.session()).seq == seq > 0


async def test_kept_copy_is_shown_in_the_language_of_today(
    here: World, make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    await upsert(here, allergies=["penicillin"])
    english = await make_world(locale="en", stamp=b"o200k_base:en", store=here.store)

    async def down(*_: object) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(here.store, "get_profile", down)
    context = await english.query("never-written", user_id="u1")
    assert context["context"] == "Safety facts: allergies: penicillin"
    assert context["degraded"] == ["profile"]
    assert context["estimated_tokens"] > 0


async def test_copy_that_an_older_gateway_has_left_is_read_anew_and_kept_for_an_outage(
    here: World, commands: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It held the lists alone, and another version of the stamp."""
    await upsert(here, allergies=["青霉素"])
    for kind in ("profile", "kept_profile"):
        for key in await commands.run(("KEYS", f"*:{kind}:*")):
            (value,) = await commands.run(("GET", key[0]))
            version, stamp, _, *rest = value.split(b"\n")
            lists = b'{"allergies":["old"],"chronic_diseases":[],"surgery_history":[]}'
            await commands.run(("SET", key[0], b"\n".join((version, stamp.rpartition(b":")[0], lists, *rest))))

    async def down(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as outage:
        outage.setattr(here.store, "get_profile", down)
        answer = await here.query(user_id="u1")
    assert answer["degraded"] == ["profile"]
    assert (answer["safety"]["allergies"], answer["safety"]["details"]) == (["old"], [])
    assert (await here.query(user_id="u1"))["safety"]["allergies"] == ["青霉素"]


async def test_forgotten_profile_is_not_brought_back_by_a_slow_reader(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await upsert(here, allergies=["青霉素"])
    scope = ConversationScope("default", "c")
    old = (await here.sessions.read(scope, "u1", profile_stamp=b"o200k_base:zh")).profile
    assert old is not None
    read = await here.sessions.forgotten(U1)
    await here.call("ForgetMemory", user_id="u1")
    await here.sessions.put_profile(U1, old, b"o200k_base:zh", read)
    assert (await here.query(user_id="u1"))["safety"]["allergies"] == []

    async def down(*_: object) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(here.store, "get_profile", down)
    assert (await here.query(user_id="u1"))["safety"]["allergies"] == []
    assert await here.sessions.kept_profile(U1) is None


async def test_upsert_of_nothing_leaves_a_journal_that_can_be_read(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    for body in ({}, {"facts": {}}, {"remove": {}}, {"triples": []}):
        await here.call("UpsertFacts", user_id="u1", conversation_id="c", **body)
    for body in ({}, {"name": None}, {"preferences": {}}):
        await here.call("UpsertPreferences", user_id="u1", conversation_id="c", **body)
    (records,) = await here.commands.run(("LRANGE", "short_term_memory:records:{default/c}", 0, -1))
    assert {json.loads(record)["kind"] for record in records} == {"session", "facts", "preferences"}


async def test_upserts_are_noted_in_the_journal_of_their_conversation(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    body = {"user_id": "u1", "conversation_id": "c", "facts": {"allergies": ["青霉素"]}}
    await here.service.upsert_facts(EVERYONE, ask.UpsertFactsRequest.model_validate(body))
    (records,) = await here.commands.run(("LRANGE", "short_term_memory:records:{default/c}", 0, -1))
    assert b'"kind":"facts"' in records[-1]
    assert len((await here.query())["messages"]) == 2


async def test_profile_grows_to_its_limit_and_what_takes_off_is_never_refused(here: World) -> None:
    for start in range(0, PROFILE_FACTS_PER_KIND_MAX, 200):
        await upsert(here, allergies=[f"药{number}" for number in range(start, start + 200)])
    with pytest.raises(InvalidInput, match="up to 1000 allergies"):
        await upsert(here, allergies=["一"])
    await upsert(here, chronic_diseases=["高血压"], allergies=["药7"])
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["药7"]})
    await upsert(here, allergies=["一"])
    assert len((await here.call("GetProfile", user_id="u1"))["allergies"]) == PROFILE_FACTS_PER_KIND_MAX


async def test_a_session_that_is_shown_while_the_profile_cannot_be_read_says_so(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await upsert(here, allergies=["青霉素"])
    await here.write("我头痛", "多久了", user_id="u1")
    assert (await here.session()).degraded == []

    async def away(scope: UserScope) -> Any:
        raise StoreUnavailable("away")

    monkeypatch.setattr(here.store, "get_profile", away)
    shown = await here.session()
    assert shown.degraded == ["profile"]
    assert shown.session.user_snapshot.allergies == ["青霉素"]
