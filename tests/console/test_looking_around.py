"""Whoever looks at everything changes nothing in the gateway, and leaves nothing behind in the browser."""

import re
from typing import Any, Final

import redis
from playwright.sync_api import CDPSession

from memory.stores.redis.keys import DEADLINES
from tests.console.conftest import Visit, Visiting
from tests.console.test_quality import memory_screen, screens
from tests.gateways import GatewayProcess

MEGABYTE: Final = 1_000_000
HEAP_MAX: Final = 60 * MEGABYTE
MORE_MAX: Final = 1.2
"""What is not let go of with its screen adds up to more than that, in as many screens again."""
NODES_MAX: Final = 3_000
CHANGES: Final = 50
LIVING: Final = ("patient-en-3", "patient-zh-3")
MOVES_BY_ITSELF: Final = re.compile(
    rb"short_term_memory:(?:audit|workers|jobs|counts|lock|deadlines|fence|\{erasures\}"
    rb"|to_count|open_batches|unfinished)(?:$|[:_])"
)
"""Who asked, what workers say of themselves, their queues and locks, what they are done with (a batch leaves its queue
a minute later), what was counted of all (decision 55). The deadlines of those who live are looked at by themselves."""


def everything(gateway: GatewayProcess) -> list[str]:
    return [*screens("en")[:-1], memory_screen(gateway, "en")]


def kept(gateway: GatewayProcess) -> dict[bytes, Any]:
    """Every key of the session store, with its value and when it lapses; a mark of a write before lapses soon."""
    with redis.Redis(unix_socket_path=str(gateway.folder / "data" / "valkey" / "valkey.sock")) as store:
        keys = [key for key in store.scan_iter(count=1_000) if not MOVES_BY_ITSELF.match(key)]
        keys = [key for key in keys if not (store.type(key) == b"string" and store.get(key).startswith(b"dropped:"))]
        values = {key: (store.dump(key), store.execute_command("PEXPIRETIME", key)) for key in keys}
        return values | {name.encode(): store.zscore(DEADLINES, f"default/{name}") for name in LIVING}


def test_looking_writes_no_key_and_renews_none(visiting: Visiting, gateway: GatewayProcess) -> None:
    visit = visiting()
    visit.go()
    before = kept(gateway)
    assert all(before[name.encode()] for name in LIVING), "their conversations go on"
    for screen in everything(gateway):
        visit.go(screen)
    after = kept(gateway)
    assert after.keys() == before.keys()
    assert [key for key, was in before.items() if after[key] != was] == []


def walk(visit: Visit, paths: list[str], changes: int) -> None:
    """So many changes of the screen, in one document."""
    for number in range(changes):
        visit.page.evaluate("path => { location.hash = path }", paths[number % len(paths)])
        visit.settle()


def weighed(devtools: CDPSession) -> tuple[float, float]:
    """Bytes of the heap, and nodes that are kept, once nothing is left that can go."""
    devtools.send("HeapProfiler.collectGarbage")
    devtools.send("HeapProfiler.collectGarbage")
    figures = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    return figures["JSHeapUsedSize"], figures["Nodes"]


def test_many_screens_are_left_and_forgotten(visiting: Visiting, gateway: GatewayProcess) -> None:
    visit = visiting()
    page = visit.go()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    paths = everything(gateway)
    changes = -(-CHANGES // len(paths)) * len(paths)  # whole rounds: both walks end on the same screen
    walk(visit, paths, changes)  # what is loaded and compiled once is there
    first_heap, first_nodes = weighed(devtools)
    walk(visit, paths, changes)
    heap, nodes = weighed(devtools)
    assert heap <= HEAP_MAX
    assert heap <= first_heap * MORE_MAX, (first_heap, heap)
    assert nodes <= first_nodes * MORE_MAX, (first_nodes, nodes)


def test_no_screen_is_larger_than_a_page_need_be(visiting: Visiting, gateway: GatewayProcess) -> None:
    body = {"user_id": "patient-many", "triples": []}
    told = [{"subject": "Ada", "predicate": "knows", "object": f"thing {number}"} for number in range(150)]
    for start in range(0, len(told), 50):
        assert gateway.post("UpsertFacts", body | {"triples": told[start : start + 50]}).status == 200
    visit = visiting()
    sizes = {}
    for screen in [*everything(gateway), "/people/patient-many/memories", "/people/patient-many"]:
        page = visit.go(screen)
        sizes[screen] = page.evaluate("() => document.querySelectorAll('*').length")
    assert sizes["/people/patient-many/memories"] > sizes["/people/patient-en/memories"], "it has a whole page of rows"
    assert {screen: size for screen, size in sizes.items() if size > NODES_MAX} == {}
