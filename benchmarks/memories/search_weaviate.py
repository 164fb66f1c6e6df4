"""The same search on Weaviate, beside the server's own hybrid query. Loading it takes seconds."""

import uuid
from collections.abc import Callable
from typing import Final

from benchmarks.memories.material import DIMENSION, Asked, person
from benchmarks.memories.search import LIMIT, Bare, Sides, Spent, figure, measure, questions
from benchmarks.memories.sweep import Size
from benchmarks.memories.table import Figure
from benchmarks.weaviate import Weaviate
from memory.language.terms import distinct, terms
from memory.scope import UserScope
from memory.stores.weaviate.client import WeaviateConnection, WeaviateSettings
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from memory.stores.weaviate.records import tenant_name
from memory.stores.weaviate.schema import DOCUMENT, WORDS, Place, kept, users_part
from tests.weaviate_server import DueTimes

BARE: Final = (
    "bare Weaviate, same server: one hybrid query of its client in the user's tenant (BM25 of the cut words and the "
    "vector, alpha 0.5, limit 10), the document of each hit"
)
_DEADLINE_S: Final = 30.0


async def measured(server: Weaviate, seed: int, size: Size, asked: int, announce: Callable[[str], None]) -> Figure:
    """Fill, measure, and remove the users again: the server may be the caller's."""
    settings = WeaviateSettings(server.url, server.grpc_port, server.api_key, _DEADLINE_S, _DEADLINE_S)
    connection = WeaviateConnection(settings)
    store = WeaviateMemoryStore(connection, "", DIMENSION, Outside(DueTimes(), lambda _memory: None))
    run = uuid.uuid4().hex[:8]
    filled = []
    try:
        await store.start()
        for number in range(size.users):
            one = person(seed, number, size.memories_of_each)
            scope = _of_run(one.scope, run)
            await store.put(scope, one.entries)
            filled.append(scope)
            announce(f"Weaviate: memories of {number + 1:,} of {size.users:,} users")
        some = [
            each._replace(scope=_of_run(each.scope, run))
            for each in questions(seed, size.users, size.memories_of_each, asked)
        ]
        (collection, _), *_ = await connection.read(kept)  # the store refuses a server that has another
        sides = Sides(store, _bare(connection, collection), server.pid)
        rounds: list[tuple[Spent, Spent]] = await measure(sides, some, size.rounds, announce)
    finally:
        for scope in filled:
            await store.erase_user(scope)
        await store.close()
    name = f"search, Weaviate, {size.memories:,} of {size.users:,} users"
    return figure(name, BARE, rounds, by_cpu=server.pid != 0)


def _of_run(scope: UserScope, run: str) -> UserScope:
    return UserScope(scope.tenant, f"{run}-{scope.user}")


def _bare(connection: WeaviateConnection, collection: str) -> Bare:
    known: dict[str, str] = {}

    async def ask(one: Asked) -> int:
        words = known.get(one.text)
        if words is None:
            words = known[one.text] = " ".join(distinct(terms(one.text)))
        found = await connection.read(
            lambda client: users_part(client, Place(collection, tenant_name(one.scope))).query.hybrid(
                words,
                vector=one.vector.tolist(),
                alpha=0.5,
                query_properties=[WORDS],
                limit=LIMIT,
                return_properties=[DOCUMENT],
            )
        )
        return len(found.objects)

    return ask
