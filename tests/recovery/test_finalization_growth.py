"""Finalising grows with the length of a session, and not with its square; its memory does not grow at all."""

import json
import resource
import time
from collections.abc import Iterator

import pytest
from kit import Kit, NoQueue, scope
from processes import RedisServer, scaled

from memory.model.finalization import FinalizationKey
from memory.model.requests import WriteMessagesRequest
from tests.inprocess import EVERYONE

SAID = {
    "mixed": (
        "我今天去了公园，感觉头痛，吃了两片阿司匹林。",
        "昨天我妈妈说她有高血压，每天要吃药。",
        "我下周三要去北京出差，见张医生。",
        "请问青霉素过敏的人可以打疫苗吗？",
    ),
    "plain": ("嗯", "好的", "谢谢", "知道了"),
    "en": (
        "I went to the park today and took two aspirin.",
        "My mother said she has hypertension.",
        "Next Wednesday I fly to Boston to meet Dr. Smith.",
        "Can people allergic to penicillin get vaccinated?",
    ),
}
SHORT, TIMES = 500, 8
GROWTH_MAX = 1.25
"""4,000 turns cost at most 10 times what 500 do. (Up to there a session costs less: the summary of what came before is
read again with each unit, and not yet full.)"""
AT_ONCE = 250
LONG = 8_000
"""Turns; TEST_SCALE=20 makes them 160,000."""
PUSHED_AT_ONCE = 4_000
GROWTH_MIB_MAX = 200


def messages(turns: int, variant: str) -> Iterator[dict[str, str]]:
    texts = SAID[variant]
    for number in range(turns):
        yield {"role": "user", "content": f"{number} {texts[number % len(texts)]}"}
        yield {"role": "assistant", "content": "好的，请多休息。"}


async def sealed(kit: Kit, name: str, turns: int, variant: str) -> FinalizationKey:
    service = kit.service(NoQueue())
    every = list(messages(turns, variant))
    for begin in range(0, len(every), 2 * AT_ONCE):
        request = {"conversation_id": name, "user_id": f"u-{name}", "messages": every[begin : begin + 2 * AT_ONCE]}
        await service.write_messages(EVERYONE, WriteMessagesRequest.model_validate(request))
    outcome = await kit.sessions.seal(scope(name), force=True, cause="asked")
    assert outcome.sealed is not None
    return FinalizationKey(scope(name), outcome.sealed)


async def cost_s(kit: Kit, name: str, turns: int, variant: str) -> float:
    """Processor time of all threads that finalising a session of so many turns takes."""
    key = await sealed(kit, name, turns, variant)
    began = time.process_time()
    assert await kit.finaliser().run(key)
    return time.process_time() - began


@pytest.mark.long
@pytest.mark.parametrize("variant", SAID)
async def test_finalising_eight_times_as_much_costs_at_most_ten_times_as_much(kit: Kit, variant: str) -> None:
    """One session against eight that are together as long, best of five: each measures as much work."""
    await cost_s(kit, "warm", 10, variant)
    ratios = []
    for attempt in range(5):
        shorts = [await cost_s(kit, f"short-{attempt}-{number}", SHORT, variant) for number in range(TIMES)]
        ratios.append(await cost_s(kit, f"long-{attempt}", TIMES * SHORT, variant) / sum(shorts))
        if ratios[-1] <= GROWTH_MAX:
            break
    print(f"{variant}: {TIMES * SHORT} turns cost {TIMES * min(ratios):.1f} times what {SHORT} do")
    assert min(ratios) <= GROWTH_MAX


@pytest.mark.long
@pytest.mark.parametrize("died", [0, 1])
async def test_what_is_stored_is_looked_through_once_an_attempt_and_not_once_a_unit(kit: Kit, died: int) -> None:
    pages = 0
    page = kit.memories.page

    async def counted(*args: object, **named: object) -> object:
        nonlocal pages
        pages += 1
        return await page(*args, **named)  # type: ignore[arg-type]

    key = await sealed(kit, "died", TIMES * SHORT, "plain")
    for _ in range(died):
        await kit.finaliser().begin(key)
    kit.memories.page = counted  # type: ignore[method-assign,assignment]
    assert await kit.finaliser().run(key)
    assert pages <= 8, "those of the conversation, and of the profiles"


@pytest.mark.long
async def test_journal_from_before_sessions_were_bounded_is_finalised_in_bounded_memory(
    kit: Kit, redis_server: RedisServer
) -> None:
    turns = scaled(LONG)
    kit = kit.with_times(journal_ttl_ms=86_400_000)  # the kit's would lapse before a slow machine is done
    key = await sealed(kit, "huge", 2, "plain")
    push(redis_server, key, turns)
    before = peak_mib()
    assert await kit.finaliser().run(key)
    grown = peak_mib() - before
    print(f"{turns} turns: the peak of memory grew by {grown:.0f} MiB")
    assert grown <= GROWTH_MIB_MAX


def push(redis_server: RedisServer, key: FinalizationKey, turns: int) -> None:
    """Make a sealed journal longer, as an older gateway would have let it grow."""
    sealed_key = f"short_term_memory:sealed:{{{key.scope}}}:{key.number}:journal"
    with redis_server.client() as client:
        last = json.loads(client.lindex(sealed_key, -1))
        entries = []
        for number, message in enumerate(messages(turns, "plain"), 1):
            entry = {"seq": last["seq"] + number, "turn": last["turn"] + (number + 1) // 2, "at": last["at"] + number}
            entries.append(json.dumps(entry | {"tok": 7} | message, ensure_ascii=False, separators=(",", ":")))
            if len(entries) == PUSHED_AT_ONCE:
                client.rpush(sealed_key, *entries)
                entries = []
        if entries:
            client.rpush(sealed_key, *entries)


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
