"""A batch outlives kills: what was previewed is done, each once, whatever is written meanwhile."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.gateways import GatewayProcess, start_gateway
from tests.waiting import wait_until

OLD = 2_500
TOGETHER = 8
KILLS = 2


def ask(gateway: GatewayProcess, operation: str, **body: Any) -> dict[str, Any]:
    answer = gateway.post(operation, body)
    assert answer.status == 200, answer
    return dict(answer.json())


def made(gateway: GatewayProcess, topic: str) -> str:
    asked = {"user_id": "ann", "subject": "ann", "memory_type": "fact", "topic": topic}
    return str(ask(gateway, "CreateMemory", **asked)["memory_id"])


def there(gateway: GatewayProcess) -> set[str]:
    found, cursor, states = set[str](), "", ["held", "ended", "superseded", "archived"]
    while True:
        page = ask(gateway, "ListMemories", user_id="ann", states=states, limit=1000, cursor=cursor)
        found |= {each["memory_id"] for each in page["items"]}
        cursor = page["cursor"]
        if not cursor:
            return found


def writing(gateway: GatewayProcess, written: list[str], until: threading.Event) -> None:
    """Make memories until the gateway dies, or that is enough; those that were acknowledged."""
    for number in itertools.count():
        if until.is_set():
            return
        try:
            written.append(made(gateway, f"new number {len(written)}.{number}"))
        except (OSError, AssertionError):
            return


def under_way(gateway: GatewayProcess, job_id: str, beyond: int) -> bool:
    """Whether it has come further; fails when it is done before anybody could kill it."""
    job = ask(gateway, "GetJob", job_id=job_id)
    assert job["state"] != "done", "it was too quick to be killed"
    return int(job["done"]) > beyond


def ended(gateway: GatewayProcess, job_id: str) -> dict[str, Any] | None:
    job = ask(gateway, "GetJob", job_id=job_id)
    return job if job["state"] == "done" else None


@pytest.mark.long
def test_a_batch_that_is_killed_again_and_again_does_what_was_previewed(tmp_path: Path) -> None:
    gateway = start_gateway(tmp_path)
    with ThreadPoolExecutor(TOGETHER) as pool:
        old = set(pool.map(partial(made, gateway), (f"old number {number}" for number in range(OLD))))
    seen = ask(gateway, "PreviewBatch", user_id="ann", op="forget", choice={"contains": "old number"})
    assert (seen["count"], seen["left_out"]) == (OLD, {})
    body = {"user_id": "ann", "batch_token": seen["batch_token"], "confirm_count": OLD}
    job_id, written, done = ask(gateway, "StartBatch", **body)["job_id"], list[str](), 0
    for _ in range(KILLS):
        enough = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(writing, gateway, written, enough)
            wait_until(partial(under_way, gateway, job_id, done), "it goes on")
            gateway.kill()
            enough.set()
        gateway = start_gateway(tmp_path)
        done = ask(gateway, "StartBatch", **body)["done"]
        assert done, "the same token begins nothing anew"
    try:
        job = wait_until(partial(ended, gateway, job_id), "it is done")
        assert (job["state"], job["done"], job["failed"], job["failures"]) == ("done", OLD, 0, [])
        left = there(gateway)
    finally:
        gateway.kill()
    assert left.isdisjoint(old)
    assert written, "somebody wrote meanwhile"
    assert left >= set(written), "and nothing else went"
    assert len(left - set(written)) <= KILLS, "each kill may hide that one was kept"
