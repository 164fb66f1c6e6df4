"""Whoever has read something, sleeps while it is forgotten, and wakes: nothing of it comes back."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from memory import fences
from memory.errors import Overtaken
from memory.model.finalization import FinalizationKey
from memory.ports import MemoryStore
from memory.scope import ConversationScope, UserScope
from tests.contract.memory_stores import U1, entry, key, memory
from tests.contract.test_forgetting import everything, over
from tests.inprocess import World

CANARY = "CANARY 我对青霉素过敏。"
USER = UserScope("default", "u1")
PLACE = ConversationScope("default", "c")
ALL: dict[str, Any] = {"user_id": "u1"}
CONVERSATION: dict[str, Any] = {"user_id": "u1", "conversation_id": "c"}


class Sleeper:
    """Puts the first call of a method to sleep; `awake` lets it go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, method: str, *, after: bool = False) -> None:
        self.asleep, self.awake = asyncio.Event(), asyncio.Event()
        work: Callable[..., Awaitable[Any]] = getattr(owner, method)

        async def slept(*arguments: Any, **named: Any) -> Any:
            monkeypatch.undo()
            found = await work(*arguments, **named) if after else None
            self.asleep.set()
            await self.awake.wait()
            return found if after else await work(*arguments, **named)

        monkeypatch.setattr(owner, method, slept)


async def forget_during(world: World, sleeper: Sleeper, doing: Awaitable[Any], **what: Any) -> Any:
    """Forget while `doing` sleeps; returns what it gives when it wakes, or its error."""
    task = asyncio.ensure_future(doing)
    await sleeper.asleep.wait()
    await world.call("ForgetMemory", **what)
    sleeper.awake.set()
    return (await asyncio.gather(task, return_exceptions=True))[0]


async def allergies(world: World) -> list[str]:
    return (await world.query("another", user_id="u1"))["safety"]["allergies"]


@pytest.mark.parametrize("method", ["put", "change"])
@pytest.mark.parametrize("what", [ALL, CONVERSATION], ids=["user", "conversation"])
async def test_attempt_that_sleeps_before_a_write_of_memories_brings_nothing_back(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, what: dict[str, Any]
) -> None:
    await over(here, "我对青霉素过敏。", "earlier")  # so that there is a fact to supersede
    await here.write(CANARY, "好的。", user_id="u1")
    await here.call("FinalizeSessionMemory", conversation_id="c")
    (key_,) = here.jobs.waiting
    sleeper = Sleeper(monkeypatch, here.memories, method)
    assert await forget_during(here, sleeper, here.finaliser.run(key_), **what) is False
    assert b"CANARY" not in await everything(here, tmp_path)
    assert await allergies(here) == ([] if what is ALL else ["青霉素"])


@pytest.mark.parametrize("user", ["u1", ""], ids=["ones", "nobodys"])
async def test_attempt_that_sleeps_before_it_writes_the_memunit_brings_nothing_back(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: str
) -> None:
    named = {"user_id": user} if user else {}
    await here.write(CANARY, "好的。", **named)
    await here.call("FinalizeSessionMemory", conversation_id="c")
    if not user:  # with it goes what belongs to nobody
        await here.write("我头痛。", "好的。", user_id="u1")
    sleeper = Sleeper(monkeypatch, here.store, "put_memunit")
    (key_,) = here.jobs.waiting
    assert await forget_during(here, sleeper, here.finaliser.run(key_), **CONVERSATION) is False
    assert await here.store.latest_memunit(PLACE) is None
    assert b"CANARY" not in await everything(here, tmp_path)


async def test_attempt_that_was_overtaken_writes_nothing_when_its_memories_are_forgotten_singly(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    outcome = await here.sessions.seal(PLACE, force=True, cause="asked")
    key_ = FinalizationKey(PLACE, outcome.pending[0])
    sleeper = Sleeper(monkeypatch, here.memories, "put")
    late = asyncio.create_task(here.finaliser.run(key_))
    await sleeper.asleep.wait()
    assert await here.finaliser.run(key_)
    (fact,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    await here.call("ForgetMemory", user_id="u1", memory_id=fact["memory_id"])
    left = await here.call("ListMemories", user_id="u1")
    sleeper.awake.set()
    assert await late is False
    assert await here.call("ListMemories", user_id="u1") == left
    assert await allergies(here) == []


async def test_attempt_that_was_overtaken_by_another_writes_nothing(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is forgotten: a model answers anew each time, so the two have made different memories."""
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    outcome = await here.sessions.seal(PLACE, force=True, cause="asked")
    key_ = FinalizationKey(PLACE, outcome.pending[0])
    sleeper = Sleeper(monkeypatch, here.memories, "put")
    late = asyncio.create_task(here.finaliser.run(key_))
    await sleeper.asleep.wait()
    assert await here.finaliser.run(key_)
    put, written = type(here.memories).put, []

    async def counted(self: Any, scope: UserScope, entries: Any) -> None:
        await put(self, scope, entries)
        written.extend(entries)

    monkeypatch.setattr(type(here.memories), "put", counted)
    sleeper.awake.set()
    assert await late is False
    assert written == []


async def test_forgetting_one_memory_holds_up_no_session_of_the_same_user(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(here, "我住在北京。", "earlier")
    (fact,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    await here.call("FinalizeSessionMemory", conversation_id="c")
    (key_,) = here.jobs.waiting
    sleeper = Sleeper(monkeypatch, here.memories, "put")
    memory_id = {"user_id": "u1", "memory_id": fact["memory_id"]}
    refused = await forget_during(here, sleeper, here.finaliser.run(key_), **memory_id)
    assert isinstance(refused, Overtaken), "the attempt is made again, and does not count"
    assert (await here.sessions.finalization(key_)).attempts == 0
    await here.work()
    assert await allergies(here) == ["青霉素"]


@pytest.mark.parametrize("body", [
    {"facts": {"allergies": ["CANARY"]}},
    {"triples": [{"subject": "user", "predicate": "allergy", "object": "CANARY"}]},
], ids=["facts", "triples"])  # fmt: skip
async def test_upsert_that_sleeps_while_its_user_is_forgotten_changes_nothing(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any]
) -> None:
    await over(here, "我对青霉素过敏。")
    owner, method = (here.store, "update_profile") if "facts" in body else (here.memories, "put")
    sleeper = Sleeper(monkeypatch, owner, method)
    refused = await forget_during(here, sleeper, here.call("UpsertFacts", user_id="u1", **body), **ALL)
    assert isinstance(refused, Overtaken)
    assert b"CANARY" not in await everything(here, tmp_path)


async def test_copy_of_a_profile_that_was_read_before_it_was_forgotten_is_not_kept_however_late_it_comes(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(here, "我对青霉素过敏。")
    sleeper = Sleeper(monkeypatch, here.sessions, "put_profile")
    await forget_during(here, sleeper, here.query("another", user_id="u1"), **ALL)
    assert await here.sessions.kept_profile(USER) is None
    assert await allergies(here) == []


async def test_checkpoint_that_sleeps_while_its_conversation_is_forgotten_stays_out_of_the_next_session(
    make_world: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await make_world(model_context_window=200, auto_checkpoint=False)
    await here.write(CANARY * 10, "好的。", user_id="u1")
    sleeper = Sleeper(monkeypatch, here.sessions, "checkpoint")
    task = asyncio.create_task(here.checkpoint())
    await sleeper.asleep.wait()
    await here.call("ForgetMemory", **CONVERSATION)
    await here.write("别的事。", "好的。", user_id="u1")
    sleeper.awake.set()
    await task
    assert b"CANARY" not in await everything(here, tmp_path)
    assert "CANARY" not in str(await here.query(user_id="u1"))


async def test_session_is_not_begun_with_what_was_forgotten_since_it_was_read(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(here, CANARY)
    await here.commands.run(("DEL", "short_term_memory:conversation:{default/c}"))  # as after its seven days
    sleeper = Sleeper(monkeypatch, here.store, "latest_memunit", after=True)
    written = await forget_during(here, sleeper, here.write("别的事。", "好的。", user_id="u1"), **ALL)
    assert written.turn_count == 1
    assert "CANARY" not in str(await here.query(user_id="u1"))
    assert b"CANARY" not in await everything(here, tmp_path)


async def test_write_under_a_raised_fence_is_refused_and_the_next_is_not(store: MemoryStore) -> None:
    await store.put(U1, [entry(1)])
    name = fences.of_user(U1)
    before = U1.under(await store.fences([name]))
    await store.put(before, [entry(2)])
    assert await store.forget(U1, [key(1)]) == 1
    for late in (
        lambda: store.put(before, [entry(1), entry(3)]),
        lambda: store.change(before, [key(2)], lambda _: memory(2, text="late")),
        lambda: store.erase(before, [key(2)]),
    ):
        with pytest.raises(Overtaken):
            await late()
    assert [each.text for each in await store.get(U1, [key(1), key(2), key(3)])] == ["text 2"]
    await store.put(U1.under(await store.fences([name])), [entry(3)])
    assert await store.count(U1) == 2


async def test_every_way_to_forget_raises_the_fence_of_its_user_alone(store: MemoryStore) -> None:
    other = UserScope(U1.tenant, "somebody-else")
    names = [fences.of_user(U1), fences.of_user(other)]
    numbers = []
    for forget in (
        lambda: store.forget(U1, [key(1)]),
        lambda: store.erase_conversation(U1, "c1"),
        lambda: store.erase_user(U1),
    ):
        await store.put(U1, [entry(1)])
        await forget()
        numbers.append([fence.number for fence in await store.fences(names)])
    assert numbers == [[1, 0], [2, 0], [3, 0]]
    assert not any(re.search(U1.user, name) for name in names)


async def test_attempt_raises_the_fence_against_those_before_it(store: MemoryStore) -> None:
    session = FinalizationKey(PLACE, 1)
    first, second = (U1.under((fences.of_attempt(session, number),)) for number in (1, 2))
    await store.put(first, [entry(1)])
    await store.put(second, [entry(2)])
    with pytest.raises(Overtaken):
        await store.put(first, [entry(3)])
    await store.put(second, [entry(4)])
    assert await store.count(U1) == 3
