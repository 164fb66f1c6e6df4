"""What is not to be stored is in no byte of the store, and what is stored is still worth something."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway.commands.pseudonyms import lines
from gateway.config.privacy import Privacy
from memory.consolidation.finalise import Run
from memory.model.finalization import Finalization, FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.model.search import Filter
from memory.ports import Pseudonyms
from memory.privacy.policy import KINDS, Policy
from memory.privacy.replacer import Replacer
from memory.providers.siv_pseudonyms import SivPseudonyms
from memory.scope import ConversationScope, UserScope
from memory.service.memunits import memunit_at
from memory.session.journal import header
from tests.inprocess import World

KEYS = SivPseudonyms({"default": [b"1" * 64], "other": [b"2" * 64]})
CANARIES = {
    "email": "li.lei@mail.example.com",
    "url": "https://example.com/li-lei?b=1",
    "mobile": "138 1234 5678",
    "landline": "(010)62345678转801",
    "phone": "+44 20 7946 0958",
    "id_card": "11010519491231002X",
    "passport": "E12345678",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "ssn": "123-45-6789",
    "ip": "192.168.17.23",
    "plate": "京A12345",
    "birth": "1990年3月7日",
    "account": "LL_messenger77",
    "name": "李雷",
    "address": "北京市朝阳区建国路88号",
}
"""Full-width, spaced and plain ones, as people write them."""
TOLD = [
    "你好，我叫李雷，1990年3月7日出生，今年35岁，住在北京市朝阳区建国路88号。",
    "手机138 1234 5678，座机(010)62345678转801，国外打+44 20 7946 0958，邮箱li.lei@mail.example.com，我对青霉素过敏。",
    "身份证号11010519491231002X，护照号：E12345678，SSN 123-45-6789，昨天李雷的血压150/95。",
    "卡号 4111 1111 1111 1111，IBAN DE89 3704 0044 0532 0130 00 ，微信号：LL_messenger77，车牌京A12345，我有高血压。",
    "报告在https://example.com/li-lei?b=1 ，服务器192.168.17.23。上周三138 1234 5678打不通，我去医院做了检查。",
]
AGES = {("[name_1]", "30岁"), ("[name_2]", "40岁")}
ALL = dict.fromkeys(KINDS, "redact")


def replacer(policy: dict[str, Any], pseudonyms: Pseudonyms | None = KEYS) -> Replacer:
    return Replacer(Policy.of(policy), pseudonyms)


async def told(here: World, user: str = "u", conversation: str = "c") -> None:
    """A session in which every kind of identifier is told, summarised by its bot, and ended with a last word."""
    for number, text in enumerate(TOLD):
        await here.write(text, f"好的，记下了：{text}", conversation, user_id=user)
        if number == 2:
            await here.checkpoint(f"患者李雷，手机{CANARIES['mobile']}，身份证{CANARIES['id_card']}。", conversation)
    await here.finalize(conversation, summary=f"李雷留下了邮箱{CANARIES['email']}。")


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def plain_forms(value: str) -> set[bytes]:
    """The value as it was said, without its spaces, and as JSON would escape it."""
    forms = {value, "".join(value.split()), json.dumps(value)[1:-1]}
    return {form.encode() for form in forms}


def in_clear(data: bytes) -> list[str]:
    return [kind for kind, value in CANARIES.items() if any(form in data for form in plain_forms(value))]


async def unit_of(here: World) -> MemUnit:
    unit = await here.store.latest_memunit(ConversationScope("default", "c"))
    assert unit is not None
    return unit


async def memories_of(here: World, user: str = "u") -> list[Any]:
    page = await here.memories.page(UserScope("default", user), Filter(), "", 1_000)
    return list(page.memories)


@pytest.mark.parametrize("choice", ["redact", "pseudonym"])
async def test_replaced_identifiers_are_in_no_byte_of_the_store(
    make_world: Callable[..., Any], tmp_path: Path, choice: str
) -> None:
    here = await make_world(minds={"replacer": replacer({"default": choice})})
    await told(here)
    assert await memories_of(here)
    assert in_clear(bytes_of(tmp_path)) == [], "neither in the file nor in its write-ahead log"


async def test_kept_identifiers_are_found_by_the_same_look(make_world: Callable[..., Any], tmp_path: Path) -> None:
    here = await make_world()
    await told(here)
    assert in_clear(bytes_of(tmp_path)) == list(CANARIES), "the look at the bytes can fail"


async def test_redis_holds_what_was_said_while_a_session_lives_and_nothing_of_it_once_it_is_memory(
    make_world: Callable[..., Any],
) -> None:
    here = await make_world(minds={"replacer": replacer(ALL)})
    for text in TOLD:
        await here.write(text, "好的", user_id="u")
    assert TOLD[1] in [message["content"] for message in (await here.query())["messages"]]
    assert in_clear(await redis_bytes(here)) == list(CANARIES)
    await here.finalize(summary=f"邮箱{CANARIES['email']}")
    assert in_clear(await redis_bytes(here)) == []


async def redis_bytes(here: World) -> bytes:
    """All values of the session store."""
    reads = {b"hash": ("HGETALL",), b"list": ("LRANGE", 0, -1), b"zset": ("ZRANGE", 0, -1), b"set": ("SMEMBERS",)}
    (keys,) = await here.commands.run(("KEYS", "*"))
    found: list[Any] = []
    for key in keys:
        (kind,) = await here.commands.run(("TYPE", key))
        name, *rest = reads.get(kind, ("GET",))
        (value,) = await here.commands.run((name, key, *rest))
        found += value if isinstance(value, list | tuple | set) else [value]
    return b"\n".join(part if isinstance(part, bytes) else repr(part).encode() for part in found)


async def test_facts_of_a_redacted_name_carry_the_mark_and_the_others_are_what_they_were(
    make_world: Callable[..., Any],
) -> None:
    here = await make_world(minds={"replacer": replacer(ALL)})
    await told(here)
    facts = {(m.predicate, m.object) for m in await memories_of(here) if m.kind == "fact"}
    assert ("name", "[name]") in facts
    assert ("allergy", "青霉素") in facts
    assert ("disease", "高血压") in facts
    for memory in await memories_of(here):
        for seq in memory.source.seqs:
            unit = await memunit_at(here.store, ConversationScope("default", "c"), seq)
            said = "".join(entry["content"] for entry in json.loads(unit.messages) if entry["seq"] == seq)
            if memory.kind in {"fact", "event"}:
                assert memory.source.quote in said, "every quote stands in its message, as both are stored"


async def test_pseudonyms_are_taken_back_by_their_tenant_and_nobody_else(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"default": "pseudonym"})})
    await told(here)
    passages = sorted((m.position, m.text) for m in await memories_of(here) if m.position and m.speaker == "user")
    contents = [text for _, text in passages]
    stored = [json.dumps({"text": content}, ensure_ascii=False) + "\n" for content in contents]
    revealed = [json.loads(line)["text"] for line in lines(KEYS, "default", stored, Counter())]
    assert revealed == TOLD
    assert list(lines(KEYS, "other", stored, Counter())) == stored


async def test_pseudonymised_number_is_found_by_asking_for_it(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"mobile": "pseudonym", "name": "pseudonym"})})
    await here.write("我的手机是13812345678", "好", "c1", user_id="u")
    await here.write("我的手机是13912345678", "好", "c2", user_id="u")
    await here.finalize("c1")
    await here.finalize("c2")
    found = await here.call("SearchMemories", user_id="u", query="13912345678是谁的", mode="keyword")
    assert found["memories"][0]["source"]["conversation_id"] == "c2"
    assert "[mobile:" in found["memories"][0]["text"]


async def test_finalisation_run_again_writes_the_same_records(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"default": "pseudonym"})})
    for text in TOLD:
        await here.write(text, "好的", user_id="u")
    outcome = await here.sessions.seal(ConversationScope("default", "c"), force=True, cause="asked")
    key = FinalizationKey(ConversationScope("default", "c"), outcome.pending[0])
    written = []
    for _ in range(2):  # an attempt without the fence closes nothing
        attempt = Finalization(key, SessionState.ENDING, 9, 1, "asked", "u", 0)
        await here.finaliser._consolidate(Run(attempt, (), ()))
        written.append((await unit_of(here), await memories_of(here)))
    assert written[0] == written[1]
    assert len(await here.store.conversations(UserScope("default", "u"))) == 1


async def test_ids_say_nothing_of_what_was_redacted(make_world: Callable[..., Any]) -> None:
    found = []
    for number in ("13812345678", "13912345678"):
        here = await make_world(minds={"replacer": replacer({"mobile": "redact"})})
        await here.write(f"我的手机是{number}，我对青霉素过敏", "好", user_id="u")
        await here.finalize()
        found.append({(m.memory_id, m.text) for m in await memories_of(here) if m.position or m.kind == "fact"})
        await here.call("ForgetMemory", user_id="u")
    assert found[0] == found[1], "ids are made of the text without the number: it cannot be guessed from them"


async def test_resumed_session_sees_what_is_stored_and_counts_it_exactly(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"default": "pseudonym"})})
    await told(here)
    context = await here.query()
    assert in_clear(json.dumps(context, ensure_ascii=False).encode()) == []
    await here.write("我又来了，电话还是138 1234 5678", "欢迎", user_id="u")
    reading = await here.sessions.read(ConversationScope("default", "c"), None, whole=True, profile_stamp=b"")
    for entry in (*reading.archive, *reading.live):
        fields = json.loads(entry)
        line = f"{'用户' if fields['role'] == 'user' else 'AI'}: {fields['content']}\n"
        assert header(entry)[2] == await here.tokens.count(line)


async def test_second_session_does_not_replace_marks_again(make_world: Callable[..., Any], tmp_path: Path) -> None:
    here = await make_world(minds={"replacer": replacer({"default": "pseudonym"})})
    await told(here)
    await told(here)
    unit = await unit_of(here)
    revealed = next(lines(KEYS, "default", [unit.summary.replace("\n", " ") + "\n"], Counter()))
    assert "[mobile:" not in revealed
    assert in_clear(bytes_of(tmp_path)) == []


async def test_explain_counts_what_was_replaced_by_kind(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"mobile": "redact", "email": "redact"})})
    await told(here)
    (seq,) = [m.position for m in await memories_of(here) if m.speaker == "user" and m.position and "青霉素" in m.text]
    told_of = await here.call("ExplainMemory", user_id="u", conversation_id="c", seq=seq)
    assert "identifiers were replaced before it was stored: 1 email, 1 mobile" in told_of["reasons"]


async def test_people_whose_names_are_redacted_stay_different_people(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": replacer({"name": "redact"})})
    messages = [
        {"role": "user", "name": name, "content": content}
        for name, content in (("韩梅梅", "我对青霉素过敏，今年30岁"), ("王芳", "我有高血压，今年40岁，韩梅梅是我妹妹"))
    ]
    await here.call("WriteMessages", conversation_id="c", user_id="u", messages=messages)
    await here.finalize()
    memories = await memories_of(here)
    assert {m.speaker for m in memories if m.position} == {"[name_1]", "[name_2]"}
    assert {(m.subject, m.object) for m in memories if m.predicate == "age"} == AGES
    assert all(not m.superseded_by for m in memories), "marks of two people are no reason to end a fact"
    assert not any("韩梅梅" in repr(m) or "王芳" in repr(m) for m in memories)


async def test_default_policy_changes_nothing_where_there_are_no_identifiers(make_world: Callable[..., Any]) -> None:
    stored = []
    for minds in ({}, {"replacer": replacer(dict(Privacy().store), None)}):
        here = await make_world(minds=minds)
        for text in (TOLD[0], TOLD[1], "我有高血压，上周三去医院做了检查。血压150/95，体温38.5度。"):
            await here.write(text, "好的", user_id="u", occurred_at="2025-11-22T00:00:00Z")
        await here.finalize()
        memories = [replace(m, memory_id="", recorded_ms=0, source=m.source.quote) for m in await memories_of(here)]  # type: ignore[arg-type]
        stored.append(sorted(map(repr, memories)))
        await here.call("ForgetMemory", user_id="u")
    assert stored[0] == stored[1]
