"""How often a deep search asks a real Weaviate: some times more than a fast one, however much hangs together."""

import itertools
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

import pytest
from weaviate_proxy import FaultyWeaviate

from memory.consolidation.derive import indexed
from memory.graph.created import Creation, created
from memory.graph.identity import MAYBE, SAME, Telling, verdict
from memory.graph.links import Joining, link
from memory.model.memory import Memory, Type
from memory.model.search import IndexEntry
from memory.scope import UserScope
from memory.service.linked import DeepSearch, Way
from memory.service.search import MemorySearch, SearchSettings, Wanted
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.inprocess import MovableClock
from tests.stores import never
from tests.weaviate_server import DueTimes, WeaviateServer

pytestmark = [pytest.mark.integration, pytest.mark.long]

USER: Final = UserScope("default", "user")
MORE_MAX: Final = 12
NOW_MS: Final = 1_763_764_800_000


def causing(pairs: Iterable[tuple[Memory, Memory]]) -> list[Memory]:
    return [link(USER, Joining(a, "causes", b, 0.6, "", NOW_MS)) for a, b in pairs]


def judged(word: str) -> list[Memory]:
    """Each of 40 things and the next by the same verdict."""
    ends = itertools.pairwise(f"thing:物{number}" for number in range(40))
    return [verdict(USER, word, one, other, Telling(NOW_MS)) for one, other in ends]


LINKED: Final[Mapping[str, Callable[[list[Memory]], list[Memory]]]] = {
    "nothing": lambda _: [],
    "a ring": lambda made: causing(zip(made, made[1:] + made[:1], strict=True)),
    "a hub": lambda made: causing((made[0], each) for each in made[1:]),
    "a chain of merges": lambda _: judged(SAME),
    "a chain of suggestions": lambda _: judged(MAYBE),
}


@pytest.fixture
async def between(weaviate: WeaviateServer, seed: int) -> AsyncIterator[FaultyWeaviate]:
    """Counts what is asked of the server, and fails none of it."""
    proxy = await FaultyWeaviate(weaviate, random.Random(seed)).start()
    yield proxy
    await proxy.stop()


async def stored(proxy: FaultyWeaviate) -> WeaviateMemoryStore:
    """A store that asks by way of the proxy."""
    settings = replace(proxy.server.settings(), url=f"http://127.0.0.1:{proxy.port}", grpc_port=proxy.grpc_port)
    store = WeaviateMemoryStore(WeaviateConnection(settings), "", 0, Outside(DueTimes(), never))
    await store.start()
    return store


def told(number: int, thing: str) -> Memory:
    return created(USER, Creation("我", Type.FACT, "失眠", NOW_MS + number, object=thing), stage="")


def memories(named: str) -> list[Memory]:
    """What several of them name is the same for all, for a few, or for none."""
    things = {
        "one thing": lambda _: "物",
        "few": lambda number: f"物{number % 40}",
        "own": lambda number: f"物{number}",
    }
    return list({each.memory_id: each for each in (told(n, things[named](n)) for n in range(200))}.values())


async def asked(proxy: FaultyWeaviate, search: DeepSearch, wanted: Wanted, steps: int) -> int:
    """How often, for one search."""
    before = proxy.passed
    found = await search.find(USER, wanted, Way(steps))
    assert found.results
    assert not found.degraded
    return proxy.passed - before


@pytest.mark.parametrize("linked", LINKED)
@pytest.mark.parametrize("named", ["few", "own"])
async def test_a_deep_search_asks_twelve_times_more_than_a_fast_one_at_most(
    between: FaultyWeaviate, named: str, linked: str
) -> None:
    store = await stored(between)
    made = memories(named)
    every = (*made, *LINKED[linked](made))
    await store.put(USER, [IndexEntry(each, indexed(each).terms, None) for each in every])
    search = DeepSearch(store, MemorySearch(store, None, MovableClock(), SearchSettings()))
    wanted = Wanted("失眠 物1", limit=10, speakers=())
    await asked(between, search, wanted, 0)  # what the first search asks once
    fast, near, far = [await asked(between, search, wanted, steps) for steps in (0, 1, 2)]
    print(f"{named}, {linked}: fast {fast}, one step {near}, two steps {far}")
    assert 0 < near - fast <= MORE_MAX
    assert far - fast <= 2 * MORE_MAX
    await store.close()
