"""Many who make memories at once, by themselves on the machine: each is kept once, and found from then on."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.gateways import GatewayProcess, start_gateway
from tests.recovery.processes import scaled
from tests.recovery.tools import SETTINGS, ask, listed

TOGETHER = 64
EACH = 100
LOOKERS = 2
READS = scaled(500)
"""Searches of each looker at least."""


@pytest.mark.long
def test_sixty_four_who_write_at_once_over_two_processes_while_it_settles_lose_nothing(tmp_path: Path) -> None:
    """Each makes memories and links for a user of all; searches and settling go on meanwhile and see each once.

    A user has a share of each process, and a turn that does not come within three seconds is refused: that changes
    nothing, or what is asked again would be there twice.
    """
    two = {"ANAMNESIS_SERVER__PROCESSES": "2"}
    gateway = start_gateway(tmp_path, environment=SETTINGS | two)
    try:
        with ThreadPoolExecutor(TOGETHER + LOOKERS + 1) as pool:
            over = threading.Event()
            known: list[tuple[str, str]] = []
            looks = [pool.submit(looking, gateway, known, over) for _ in range(LOOKERS)]
            settles = pool.submit(settling, gateway, over)
            try:
                made = [each for part in pool.map(partial(writes, gateway, known), range(TOGETHER)) for each in part]
            finally:
                over.set()
            reads = sum(each.result() for each in looks)
            assert settles.result() > 0
        created = {each["predicate"]: each["memory_id"] for each in listed(gateway, "created")}
        links = [each for each in listed(gateway, "link") if each["predicate"] == "causes"]
    finally:
        gateway.kill()
    print(f"{len(made)} memories and {len(links)} links by {TOGETHER} at once, {reads} searches meanwhile")
    assert reads >= LOOKERS * READS
    assert created == {topic: memory_id for topic, memory_id, _ in made}
    assert len(created) == TOGETHER * EACH
    assert {each["memory_id"] for each in links} == {link for _, _, link in made if link}
    assert {end for each in links for end in (each["subject"], each["object"])} <= set(created.values())


def writes(gateway: GatewayProcess, known: list[tuple[str, str]], writer: int) -> list[tuple[str, str, str]]:
    """What one has made: topics, ids, and the link to the one before. Each is `known` once it is acknowledged."""
    made: list[tuple[str, str, str]] = []
    for number in range(EACH):
        topic = f"w{writer}n{number}"
        memory = ask(gateway, "CreateMemory", subject="我", memory_type="事实", topic=topic)
        assert memory is not None
        known.append((topic, str(memory["memory_id"])))
        link = ""
        if made:
            ends = {"source_memory_id": made[-1][1], "target_memory_id": memory["memory_id"]}
            joined = ask(gateway, "LinkMemories", **ends, relation_type="导致")
            assert joined is not None
            link = str(joined["link_id"])
        made.append((topic, str(memory["memory_id"]), link))
    return made


def looking(gateway: GatewayProcess, known: list[tuple[str, str]], over: threading.Event) -> int:
    """Searches for what is acknowledged: each finds it, and nothing twice. Returns how many, READS at least."""
    number = 0
    while number < READS or not over.is_set():
        if not known:
            time.sleep(0.01)
            continue
        topic, memory_id = random.choice(known)
        found = ask(gateway, "SearchMemories", query=topic, mode="keyword", limit=10)
        assert found is not None
        ids = [each["memory_id"] for each in found["memories"]]
        assert memory_id in ids
        assert len(ids) == len(set(ids))
        number += 1
    return number


def settling(gateway: GatewayProcess, over: threading.Event) -> int:
    """Settles again and again; returns how often."""
    number = 0
    while not over.is_set():
        assert ask(gateway, "SettleMemories", wait_ms=2_000) is not None
        number += 1
    return number
