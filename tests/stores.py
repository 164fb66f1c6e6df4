"""Both memory stores for tests, with records that were derived as the gateway derives them."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.extraction.rules_mind import extract
from memory.language.terms import TERMS_VERSION
from memory.model.extraction import Dialogue, Extraction
from memory.model.memory import Memory
from memory.model.memunit import MemUnit, memunit_id
from memory.model.search import IndexEntry, Vector
from memory.ports import LongTermStore, MemoryArchive
from memory.scope import ConversationScope, UserScope
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import WeaviateAsyncClient
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.locks import OwnLocks
from memory.stores.weaviate.memories import WeaviateMemoryStore
from memory.stores.weaviate.schema import LONG_TERM, kept
from tests.weaviate_server import DueTimes, WeaviateServer

DIMENSION = 16
AT = 1_763_764_800_000
OpenStore = Callable[..., Awaitable[MemoryArchive]]
TOLD = [
    ("user", "我叫李雷，今年35岁。我对青霉素过敏。"),
    ("assistant", "好的，记下了。还有别的病史吗？"),
    ("user", "我有高血压，上周三去医院做了检查。"),
    ("user", "谢谢"),
    ("assistant", "不客气"),
    ("user", "My kidney stones came back last summer. Is that bad?"),
    ("tool", "血压 150/95"),
    ("user", "I live in Shanghai and I like running."),
]


class HashEmbedder:
    """The Embedder port: a vector that follows from the text and the name of the space, and counts what it made."""

    dimension = DIMENSION

    def __init__(self, space: str = "test/16", *, like: str = "") -> None:
        self.space = space
        self._seed = like or space
        self.made = 0

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.made += len(texts)
        return [self.vector(text) for text in texts]

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Vector:
        seed = int.from_bytes(hashlib.sha256(f"{self._seed} {text}".encode()).digest()[:8], "big")
        made = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
        return made / np.float32(np.linalg.norm(made))


class Rules:
    """The Mind port by rules, on this thread."""

    name = "rules"

    async def extract(self, dialogue: Dialogue) -> Extraction:
        return extract(dialogue)


def unit(scope: UserScope, conversation: str, told: Sequence[tuple[str, str]] = TOLD, seq_from: int = 1) -> MemUnit:
    """A unit of what was told, by role or `role:name`."""
    entries = [
        {"seq": i, "turn": i, "at": AT + i, "tok": 1, "role": role.partition(":")[0], "content": content}
        | ({"name": role.partition(":")[2]} if ":" in role else {})
        for i, (role, content) in enumerate(told, seq_from)
    ]
    seq_to = entries[-1]["seq"]
    messages = json.dumps(entries, ensure_ascii=False).encode()
    place = ConversationScope(scope.tenant, conversation)
    return MemUnit(
        unit_id=memunit_id(place, seq_from, seq_to, messages),
        scope=place,
        user_id=scope.user,
        session_number=1,
        seq_from=seq_from,
        seq_to=seq_to,
        turn_from=seq_from,
        turn_to=seq_to,
        started_ms=AT,
        ended_ms=AT + 1000,
        subject="",
        summary="",
        narrative="",
        participants=("user",),
        recent_turns=0,
        messages=messages,
    )


async def remember(
    memories: MemoryArchive, units: LongTermStore, embedder: HashEmbedder | None, one: MemUnit
) -> list[Memory]:
    """What finalisation does with a unit."""
    await units.put_memunit(one)
    rememberer = Rememberer(memories, Minds(Rules(), Rules(), embedder, "zh"))
    made = await rememberer.remember(one)
    await rememberer.refresh_profiles(UserScope(one.scope.tenant, one.user_id), one.scope)
    return made


async def all_entries(store: MemoryArchive, scope: UserScope) -> list[IndexEntry]:
    return [entry async for entry in store.entries(scope)]


def comparable(entries: Sequence[IndexEntry]) -> list[Any]:
    """Entries to the last bit, as what can be compared."""
    return [
        (e.memory, list(e.terms), e.asks, e.timed, None if e.vector is None else e.vector.tobytes()) for e in entries
    ]


def never(_: Memory) -> int | None:
    return None


@asynccontextmanager
async def opener_in_sqlite(folder: Path) -> AsyncIterator[OpenStore]:
    """Opens the store for a space, again and again; each is a process of its own as far as the file goes."""
    async with AsyncExitStack() as stack:

        async def make(space: str, *, build: bool = False, terms_version: int = TERMS_VERSION) -> MemoryArchive:
            database = Database(folder / "anamnesis.sqlite3")
            await database.start()
            stack.push_async_callback(database.close)
            store = SqliteMemoryStore(database, space, DIMENSION, never, terms_version=terms_version)
            await store.start(build=build)
            return store

        yield make


@asynccontextmanager
async def opener_in_weaviate(server: WeaviateServer) -> AsyncIterator[OpenStore]:
    """As `opener_in_sqlite`: they share locks and the index of what is due, as processes share them in Redis."""
    due, locks = DueTimes(), SharedLocks()
    async with AsyncExitStack() as stack:

        async def make(space: str, *, build: bool = False, terms_version: int = TERMS_VERSION) -> MemoryArchive:
            connection = WeaviateConnection(server.settings(tenants_known=("t1", "t2")))
            store = WeaviateMemoryStore(
                connection, space, DIMENSION, Outside(due, never), locks, terms_version=terms_version
            )
            stack.push_async_callback(store.close)
            await store.start(build=build)
            return store

        yield make


class SharedLocks(OwnLocks):
    """The UserLock port between stores of one process."""

    def __init__(self) -> None:
        super().__init__()
        self._locks: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[int]:
        async with self._locks.setdefault(name, asyncio.Lock()):
            yield next(self._holders)


async def empty(server: WeaviateServer) -> None:
    """Nothing is left of what another test stored."""
    connection = WeaviateConnection(server.settings())

    async def remove(client: WeaviateAsyncClient) -> None:
        await client.collections.delete([LONG_TERM, *(each.collection for each in await kept(client))])

    await connection.write(remove)
    await connection.close()
