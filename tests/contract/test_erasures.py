"""What is left of names, what a receipt says of files, and what forgetting costs when others are alive."""

import asyncio
import binascii
from collections.abc import Callable
from typing import Any

import pytest

from memory import limits
from memory.errors import NotFound, StoreUnavailable
from memory.model.caller import Caller
from memory.model.erasure_calls import ForgetMemoryRequest
from memory.scope import ConversationScope, UserScope
from memory.stores.redis.erasures import AppendOnlyFile, RedisErasures
from memory.stores.redis.keys import ConversationKeys, kept_profile_key, nameless_tag, old_kept_profile_key
from memory.stores.redis.sessions import RedisSessions
from tests.contract.test_forgetting import over
from tests.inprocess import World

WHO = "victim4711"
FEW, MANY = 200, 4_000


async def names(world: World, word: str) -> list[bytes]:
    """Keys with the word in their names, or in what they hold."""
    (keys,) = await world.commands.run(("KEYS", "*"))
    read = {b"list": ("LRANGE", 0, -1), b"hash": ("HGETALL",), b"string": ("GET",)}
    read |= {b"zset": ("ZRANGE", 0, -1), b"set": ("SMEMBERS",)}
    found = []
    for key in keys:
        (kind,) = await world.commands.run(("TYPE", key))
        name, *rest = read[kind if isinstance(kind, bytes) else kind.encode()]
        (held,) = await world.commands.run((name, key, *rest))
        found += [key] if word in repr((key, held)) else []
    return sorted(found)


@pytest.mark.parametrize("what", [{}, {"conversation_id": f"{WHO}-c"}], ids=["user", "conversation"])
async def test_no_name_and_no_value_of_the_session_store_says_who_was_forgotten(
    here: World, what: dict[str, str]
) -> None:
    for _ in range(3):  # ended sessions of one conversation
        await here.write("我头痛。", "好的。", f"{WHO}-c", user_id=WHO)
        await here.finalize(f"{WHO}-c")
    await here.write("我头痛。", "好的。", f"{WHO}-c", user_id=WHO, idempotency_key=f"{WHO}-key")
    await here.call("UpsertFacts", user_id=WHO, facts={"allergies": ["青霉素"]})
    await here.query(f"{WHO}-c", user_id=WHO)
    assert len(await names(here, WHO)) > 5
    await here.call("ForgetMemory", user_id=WHO, **what)
    left = await names(here, WHO if not what else f"{WHO}-c")
    assert left == []


async def test_empty_session_that_expired_is_found_when_its_user_is_forgotten(here: World) -> None:
    await here.call("CreateShortMemory", conversation_id="empty", user_id=WHO)
    await here.expire("empty")
    await here.sweep()
    assert await names(here, WHO)
    await here.call("ForgetMemory", user_id=WHO)
    assert await names(here, WHO) == []


async def test_write_before_an_erasure_is_still_known_by_its_idempotency_key(here: World) -> None:
    first = await here.write("我头痛。", "好的。", user_id=WHO, idempotency_key="k")
    await here.call("ForgetMemory", user_id=WHO)
    again = await here.write("我头痛。", "好的。", user_id=WHO, idempotency_key="k")
    assert (again.replayed, again.seq) == (True, first.seq)


async def test_outcome_that_an_older_gateway_has_kept_is_found(here: World) -> None:
    await here.write("我头痛。", "好的。", user_id=WHO, idempotency_key="k")
    _, _, kept, _, old, _ = ConversationKeys.of(ConversationScope("default", "c")).of_write("k")
    await here.commands.run(("RENAME", kept, old))
    assert (await here.write("我头痛。", "好的。", user_id=WHO, idempotency_key="k")).replayed


async def test_profile_that_an_older_gateway_has_kept_is_shown_and_goes_with_the_next(here: World) -> None:
    scope = UserScope("default", WHO)
    await here.call("UpsertFacts", user_id=WHO, facts={"allergies": ["青霉素"]})
    await here.commands.run(("RENAME", kept_profile_key(scope), old_kept_profile_key(scope)))
    kept = await here.sessions.kept_profile(scope)
    assert kept is not None
    assert "青霉素" in kept.safety_json.decode()
    await here.call("UpsertFacts", user_id=WHO, remove={"allergies": ["青霉素"]})
    assert await here.commands.run(("EXISTS", old_kept_profile_key(scope))) == [0]


@pytest.mark.parametrize("tag", ["default/c", "t1/" + "x" * 128, "a/b", "clinic/conv_1"])
def test_nameless_tag_is_of_the_same_cluster_slot(tag: str) -> None:
    made = nameless_tag(tag)
    assert binascii.crc_hqx(made[1:-1].encode(), 0) % 16384 == binascii.crc_hqx(tag.encode(), 0) % 16384
    assert tag not in made


async def test_session_that_gets_its_user_is_on_his_list_before_it_is_his(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash between the two must not leave a session that forgetting cannot find."""
    await here.write("我头痛。", "好的。")

    async def killed(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(RedisSessions, "_enlist", killed)
        with pytest.raises(StoreUnavailable):
            await here.write("我头痛。", "好的。", user_id=WHO)
    assert await names(here, WHO) == []
    await here.write("我头痛。", "好的。", user_id=WHO)
    assert (await here.call("ForgetMemory", user_id=WHO))["sessions"] == 1


@pytest.mark.parametrize("what", [{}, {"conversation_id": "mine"}], ids=["user", "conversation"])
async def test_forgetting_costs_the_same_however_many_strangers_are_alive(
    here: World, monkeypatch: pytest.MonkeyPatch, what: dict[str, str]
) -> None:
    """Bytes of replies and commands, not time: of 20 times as many strangers."""
    costs = []
    for strangers in (FEW, MANY):
        batch = [("ZADD", "short_term_memory:deadlines", 9_999_999_999_999, f"default/s{n}") for n in range(strangers)]
        await here.commands.run(*batch)
        await over(here, "我对青霉素过敏。", "mine", WHO)
        await here.write("我头痛。", "好的。", "mine", user_id=WHO)
        sent: list[int] = []
        run = here.commands.run

        async def counted(*commands: Any, sent: list[int] = sent, run: Any = run) -> Any:
            replies = await run(*commands)
            sent.append(len(repr(replies)) + len(commands))
            return replies

        with monkeypatch.context() as patch:
            patch.setattr(here.commands, "run", counted)
            await here.call("ForgetMemory", user_id=WHO, **what)
        costs.append(sum(sent))
    assert costs[1] <= 1.1 * costs[0], costs


@pytest.mark.parametrize("what", [{}, {"conversation_id": "mine"}], ids=["user", "conversation"])
async def test_dry_run_counts_what_forgetting_takes_and_changes_nothing(here: World, what: dict[str, str]) -> None:
    await over(here, "我对青霉素过敏。", "mine", WHO)
    await here.write("我头痛。", "好的。", "mine", user_id=WHO)
    await here.call("UpsertFacts", user_id=WHO, facts={"allergies": ["头孢"]})
    before = await names(here, WHO), await here.call("ListMemories", user_id=WHO)
    counted = await here.call("ForgetMemory", user_id=WHO, dry_run=True, **what)
    assert (counted["dry_run"], counted["erasure_id"], counted["erased_at"]) == (True, "", "")
    assert (await names(here, WHO), await here.call("ListMemories", user_id=WHO)) == before
    receipt = await here.call("ForgetMemory", user_id=WHO, **what)
    assert receipt["dry_run"] is False
    counts = ("memunits", "sessions", "profile", *([] if what else ["memories"]))
    assert {name: counted[name] for name in counts} == {name: receipt[name] for name in counts}
    with pytest.raises(NotFound):
        await here.call("ForgetMemory", user_id="nobody", conversation_id="mine", dry_run=True)


async def test_erasure_is_told_to_its_own_tenant_alone(here: World) -> None:
    receipt = await here.call("ForgetMemory", user_id=WHO)
    named = {"erasure_id": receipt["erasure_id"]}
    assert (await here.call("GetErasure", **named))["state"] == "DONE"
    with pytest.raises(NotFound):
        await here.call("GetErasure", Caller("other", frozenset({"admin"})), **named)


class Files:
    """The ErasedFiles port of something that is cleaned when the test says so."""

    def __init__(self) -> None:
        self.number, self.done = 0, 0

    async def asked(self) -> int:
        self.number += 1
        return self.number

    async def cleaned(self) -> int:
        return self.done

    async def clean(self) -> None:
        self.done = self.number


async def test_receipt_waits_for_files_as_long_as_it_is_told_and_no_longer(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ForgetMemoryRequest(user_id=WHO).wait_ms == limits.ERASURE_WAIT_MS
    files = Files()
    monkeypatch.setattr(here.memories, "files", files)
    pending = await here.call("ForgetMemory", user_id=WHO, wait_ms=0)
    assert (pending["state"], pending["store_files"]["state"]) == ("PENDING", "pending")
    named = {"erasure_id": pending["erasure_id"]}
    assert (await here.call("GetErasure", **named))["state"] == "PENDING"
    waiting = asyncio.create_task(here.call("GetErasure", **named, wait_ms=limits.WAIT_MS_MAX))
    await asyncio.sleep(0)
    await files.clean()
    assert (await waiting)["store_files"] == {"state": "rewritten", "advice": ""}


async def test_rewrite_that_began_before_an_erasure_does_not_count_for_it(
    make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here: World = await make_world()
    files = AppendOnlyFile(here.commands, lambda: True)
    log = RedisErasures(here.commands, files)
    first = await log.end(await log.begin(), "default", None)
    run, begun = here.commands.run, 0

    async def rewriting(*commands: Any) -> Any:
        nonlocal begun
        if commands[0][0] == "BGREWRITEAOF":
            begun += 1
            if begun == 1:  # another erasure comes while the first rewrite is under way
                await log.end(await log.begin(), "default", None)
            return [b"Background append only file rewriting started"]
        if commands[0][0] == "INFO":
            return [b"aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0\r\naof_last_bgrewrite_status:ok\r\n"]
        return await run(*commands)

    monkeypatch.setattr(here.commands, "run", rewriting)
    await files.clean()
    assert (await files.cleaned(), await files.asked()) == (first.session_files, 2)
    await files.clean()
    await files.clean()
    assert (await files.cleaned(), begun) == (2, 2)
