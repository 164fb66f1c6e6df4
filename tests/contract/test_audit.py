"""Who asked for what: kept for each tenant, found by whom it was about, and bounded."""

from typing import Any

import pytest

from memory.model.audit import AuditEntry, AuditWanted, digest_of
from memory.model.caller import Caller
from memory.model.keys import Key
from memory.stores.redis import audit as adapter
from memory.stores.redis.audit import RedisAudit
from memory.stores.redis.keys import audit_key
from tests.inprocess import EVERYONE, World

STRANGER = Caller("elsewhere", frozenset({"admin"}))
MEMORY = "0a5f2b8e-6c9d-5f10-8e2a-3b7c1d9e4f60"
DAY_MS = 86_400_000
WELL = 200


def entry(operation: str, *, at_ms: int = 1, key: str = "", status: int = WELL, **named: str) -> AuditEntry:
    """One, with ids as callers name them."""
    user, conversation = named.get("user", ""), named.get("conversation", "")
    digests = (each and digest_of(each) for each in (user, conversation))
    return AuditEntry(at_ms, key, operation, status, *digests, named.get("memory", ""))


async def noted(here: World, *entries: AuditEntry, tenant: str = "default") -> None:
    await RedisAudit(here.commands, 1_000, DAY_MS).note([(tenant, each) for each in entries])


async def asked_for(here: World, caller: Caller = EVERYONE, **asked: Any) -> list[str]:
    """The operations of all entries, read in pages."""
    return [each["operation"] for each in await here.pages("ListAudit", caller, **asked)]


async def test_the_newest_are_first_and_pages_leave_out_and_repeat_none(here: World) -> None:
    await noted(here, *(entry(f"Op{number}") for number in range(23)))
    everything = [f"Op{number}" for number in reversed(range(23))]
    for limit in (1, 5, 23, 100):
        assert await asked_for(here, limit=limit) == everything


async def test_what_several_processes_wrote_down_is_shown_by_when_it_was_answered(here: World) -> None:
    await noted(here, entry("Third", at_ms=3), entry("First", at_ms=1), entry("Second", at_ms=2))
    assert await asked_for(here) == ["Third", "Second", "First"]


async def test_each_filter_leaves_what_fits(here: World) -> None:
    await noted(
        here,
        entry("WriteTurn", key="bot", user="ann", conversation="c1"),
        entry("GetMemory", key="nurse", user="bob", memory=MEMORY, status=404),
        entry("ListUsers", key="nurse", status=403),
        entry("ListUsers", key="admin"),
    )
    assert await asked_for(here, key="nurse") == ["ListUsers", "GetMemory"]
    assert await asked_for(here, operation="ListUsers") == ["ListUsers", "ListUsers"]
    assert await asked_for(here, outcome="refused") == ["ListUsers", "GetMemory"]
    assert await asked_for(here, user_id="ann") == ["WriteTurn"]
    assert await asked_for(here, conversation_id="c1") == ["WriteTurn"]
    assert await asked_for(here, key="nurse", operation="ListUsers", outcome="refused") == ["ListUsers"]
    assert await asked_for(here, user_id="nobody") == []
    (told,) = (await here.call("ListAudit", operation="GetMemory"))["items"]
    assert told == {
        "at": "1970-01-01T00:00:00.001Z",
        "key": "nurse",
        "operation": "GetMemory",
        "status": 404,
        "user": digest_of("bob")[:12],
        "memory_id": MEMORY,
    }


async def test_what_named_a_conversation_alone_is_found_by_whose_it_is(here: World) -> None:
    await here.write("我头痛。", "好的。", "ended", user_id="ann")
    await here.finalize("ended")
    await here.write("我发烧。", "好的。", "alive", user_id="ann")
    await noted(
        here,
        entry("QueryMemoryContext", conversation="alive"),
        entry("GetTimeline", conversation="ended"),
        entry("GetTimeline", conversation="of-somebody-else"),
    )
    assert await asked_for(here, user_id="ann") == ["GetTimeline", "QueryMemoryContext"]
    page = await here.call("ListAudit", user_id="ann")
    assert {each["user_id"] for each in page["items"]} == {"ann"}


async def test_of_somebody_forgotten_the_entries_stay_and_the_name_goes(here: World) -> None:
    await here.write("我头痛。", "好的。", "c1", user_id="ann")
    await noted(here, entry("WriteTurn", user="ann", conversation="c1"))
    (known,) = (await here.call("ListAudit"))["items"]
    assert known["user_id"] == "ann"
    await here.call("ForgetMemory", user_id="ann")
    (left,) = (await here.call("ListAudit"))["items"]
    assert left == {name: value for name, value in known.items() if name != "user_id"}
    assert await asked_for(here, user_id="ann") == ["WriteTurn"]
    (keys,) = await here.commands.run(("KEYS", "*"))
    for key in keys:
        assert b"ann" not in key
        (kind,) = await here.commands.run(("TYPE", key))
        if kind == b"hash":
            (fields,) = await here.commands.run(("HGETALL", key))
            assert b"ann" not in fields


async def test_a_tenant_sees_its_own(here: World) -> None:
    await here.call("UpsertFacts", STRANGER, user_id="ann", facts={"allergies": ["青霉素"]})
    await noted(here, entry("WriteTurn", user="ann"))
    await noted(here, entry("GetProfile", user="ann"), tenant="elsewhere")
    assert await asked_for(here) == ["WriteTurn"]
    assert await asked_for(here, STRANGER) == ["GetProfile"]
    (own,) = (await here.call("ListAudit"))["items"]
    assert "user_id" not in own, "that ann is known elsewhere says nothing here"


async def test_since_and_until_go_by_when_it_was_written_down(here: World) -> None:
    key = audit_key("default")
    for moment in (1_000, 2_000, 3_000):
        fields = ("t", moment, "k", "", "o", f"Op{moment}", "s", 200, "u", "", "c", "", "m", "")
        await here.commands.run(("XADD", key, f"{moment}-0", *fields), ("PEXPIRE", key, DAY_MS))
    second = "1970-01-01T00:00:02Z"
    assert await asked_for(here, since=second) == ["Op3000", "Op2000"]
    assert await asked_for(here, until=second) == ["Op1000"]
    assert await asked_for(here, since=second, until="1970-01-01T00:00:03Z", limit=1) == ["Op2000"]


async def test_few_among_many_are_found_by_going_on(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_READ", 10)
    monkeypatch.setattr(adapter, "_REPLIES_MAX", 2)
    await noted(here, *(entry("Rare" if number % 33 == 0 else "Common") for number in range(100)))
    found = await RedisAudit(here.commands, 1_000, DAY_MS).page("default", AuditWanted(50, operation="Rare"))
    assert (len(found.entries), bool(found.after)) == (1, True), "it is not looked further than so far"
    assert await asked_for(here, operation="Rare") == ["Rare"] * 4


async def test_no_more_are_kept_than_so_many_and_none_for_ever(here: World) -> None:
    await noted(here, *(entry(f"Op{number}") for number in range(1_500)))
    kept = await asked_for(here, limit=500)
    assert 1_000 <= len(kept) <= 1_101
    assert kept[0] == "Op1499"
    ((ttl,),) = [await here.commands.run(("PTTL", audit_key("default")))]
    assert 0 < ttl <= DAY_MS


async def test_what_is_too_old_goes(here: World) -> None:
    key = audit_key("default")
    fields = ("t", 1, "k", "", "o", "Old", "s", 200, "u", "", "c", "", "m", "")
    await here.commands.run(*(("XADD", key, f"{1 + number}-0", *fields) for number in range(250)))
    await noted(here, *(entry(f"New{number}", at_ms=10 * DAY_MS) for number in range(3)))
    kept = await asked_for(here, limit=500)
    assert kept[:3] == ["New2", "New1", "New0"]
    assert len(kept) < 3 + 100, "whole blocks of a hundred go"


class Ring:
    """Keys of two tenants."""

    open = False

    def of(self, tenant: str) -> list[Key]:
        return [Key(name, ("read",), revoked=False) for name in ("bot", "nurse", "old")] if tenant == "default" else []


async def test_keys_say_when_they_were_last_used_as_far_as_is_looked(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.service.audit._LOOKED_AT", 6)
    monkeypatch.setattr("memory.service.audit._TOGETHER", 2)
    monkeypatch.setattr(here.service._audit, "_keys", Ring())
    await noted(here, entry("GetMemory", key="old", at_ms=1_000))
    await noted(here, entry("GetMemory", key="nurse", at_ms=3_000), entry("GetMemory", key="nurse", at_ms=2_000))
    await noted(
        here, *(entry("WriteTurn", key="bot", at_ms=at) for at in (4_000, 5_000, 6_000)), entry("X", key="gone")
    )
    found = await here.call("ListKeys")
    used = {each["name"]: each.get("last_used_at") for each in found["items"]}
    assert used == {"bot": "1970-01-01T00:00:06.000Z", "nurse": "1970-01-01T00:00:03.000Z", "old": None}
    assert (await here.call("ListKeys", STRANGER))["items"] == []
