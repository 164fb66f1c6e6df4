"""What tools make outlives a kill: all that was acknowledged is there once, and is settled at last."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.gateways import GatewayProcess, start_gateway
from tests.recovery.tools import SETTINGS, ask, listed
from tests.waiting import wait_until

WRITERS = 12
KILLS = 3
WRITES_S = 1.5


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
