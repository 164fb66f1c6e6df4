"""The two collections, and the note that each carries: schema version, and of memories their vector space.

In both every user has a Weaviate tenant: no filter that is forgotten lets one see another's, search within one user is
exact (flat index), and removing the tenant is what takes the bytes off the disk.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from memory.errors import SetupError, StoreUnavailable
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import (
    CollectionAsync,
    Configure,
    DataType,
    Property,
    StopwordsPreset,
    Tokenization,
    UnexpectedStatusCodeError,
    VectorDistances,
    WeaviateAsyncClient,
)

COLLECTION: Final = "AnamnesisMemory"
LONG_TERM: Final = "AnamnesisLongTerm"
SCHEMA_VERSION: Final = 1

WORDS: Final = "words"
DOCUMENT: Final = "document"
SCORED: Final = "scored"
"""What scoring needs of a record, as one JSON array: reading seven properties of 1,000 records takes twice as long."""

_SELECTED: Final = ("kind", "category", "type", "conversation", "speaker", "subject", "predicate")
_ORDERED: Final = ("occurred_ms", "held_from_ms", "valid_to_ms", "id_order")
_FLAGS: Final = ("archived", "superseded")
FILTERED: Final = (*_SELECTED, *_ORDERED, *_FLAGS)
_CONFLICT: Final = 422
_PREPARE_S: Final = 10.0

CONVERSATION: Final = "conversation"
MESSAGES: Final = "messages"
PROFILE: Final = "profile"


class Preparation:
    """Makes or checks a collection, once for each client that the connection has made."""

    def __init__(
        self, connection: WeaviateConnection, prepare: Callable[[WeaviateAsyncClient], Awaitable[None]]
    ) -> None:
        self._connection = connection
        self._prepare = prepare
        self._generation = -1

    async def now(self) -> None:
        """Do it now. Raises SetupError, and StoreUnavailable when the server does not answer."""
        await self._run(_PREPARE_S)

    async def once(self) -> None:
        """Do it unless it was done for this client; within the deadline of a read, as some read waits for it.

        Raises StoreUnavailable, not SetupError: a gateway that runs already goes on without the store.
        """
        if self._generation != self._connection.generation:
            try:
                await self._run(self._connection.settings.read_deadline_s)
            except SetupError as error:
                raise StoreUnavailable(error.detail) from error

    async def _run(self, deadline_s: float) -> None:
        await self._connection.run(self._prepare, deadline_s)
        self._generation = self._connection.generation


async def prepare(client: WeaviateAsyncClient, space: str) -> None:
    """Make the collection of memories, or check it. Raises SetupError when it is of another schema or space."""
    if not await client.collections.exists(COLLECTION):
        await _create(client, space)
    collection = client.collections.use(COLLECTION)
    stored = (await _checked_note(collection)).get("space", "")
    if space and not stored:
        await collection.config.update(description=_note(space))
    elif space and stored != space:
        raise SetupError(
            f"the memories in Weaviate have vectors of {stored}, the settings say {space}: "
            "vectors of two models can't be compared. Set embeddings back, or name another Weaviate"
        )


async def prepare_long_term(client: WeaviateAsyncClient) -> None:
    """Make the collection of MemUnits and profiles, or check it. Raises SetupError when it is of another schema."""
    if not await client.collections.exists(LONG_TERM):
        texts = (CONVERSATION, DOCUMENT, MESSAGES, PROFILE)
        await _make(
            client,
            LONG_TERM,
            description=json.dumps({"about": "MemUnits and profiles of Anamnesis", "schema": SCHEMA_VERSION}),
            vector_config=Configure.Vectors.self_provided(vector_index_config=Configure.VectorIndex.none()),
            properties=[_kept(name) for name in texts],
        )
    await _checked_note(client.collections.use(LONG_TERM))


def users_part(client: WeaviateAsyncClient, tenant: str, collection: str = COLLECTION) -> CollectionAsync:
    """A collection as one user's tenant sees it; costs nothing."""
    return client.collections.use(collection).with_tenant(tenant)


async def _checked_note(collection: CollectionAsync) -> dict[str, object]:
    note = _read_note((await collection.config.get(simple=True)).description or "")
    if note.get("schema") != SCHEMA_VERSION:
        raise SetupError(
            f"the collection {collection.name} has schema {note.get('schema')!r}, this program knows {SCHEMA_VERSION}: "
            "upgrade the program, or name another Weaviate"
        )
    return note


def _note(space: str) -> str:
    return json.dumps({"about": "Memories of Anamnesis", "schema": SCHEMA_VERSION, "space": space})


def _read_note(description: str) -> dict[str, object]:
    try:
        found = json.loads(description)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


async def _create(client: WeaviateAsyncClient, space: str) -> None:
    await _make(
        client,
        COLLECTION,
        description=_note(space),
        inverted_index_config=Configure.inverted_index(stopwords_preset=StopwordsPreset.NONE),
        vector_config=Configure.Vectors.self_provided(
            vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
        ),
        properties=_properties(),
    )


async def _make(client: WeaviateAsyncClient, name: str, **settings: Any) -> None:
    tenants = Configure.multi_tenancy(auto_tenant_creation=True, auto_tenant_activation=True)
    try:
        await client.collections.create(name, multi_tenancy_config=tenants, **settings)
    except UnexpectedStatusCodeError as error:
        if error.status_code != _CONFLICT:  # another process was faster: what it made is checked now
            raise


def _properties() -> list[Property]:
    """Only what is filtered by has an index: each costs every user's tenant open files and a write."""
    words = Property(
        name=WORDS,
        data_type=DataType.TEXT,
        tokenization=Tokenization.WHITESPACE,
        index_searchable=True,
        index_filterable=False,
    )
    selected = [
        Property(
            name=name,
            data_type=DataType.TEXT,
            tokenization=Tokenization.FIELD,
            index_filterable=True,
            index_searchable=False,
        )
        for name in _SELECTED
    ]
    ordered = [Property(name=name, data_type=DataType.INT, index_filterable=True) for name in _ORDERED]
    flags = [Property(name=name, data_type=DataType.BOOL, index_filterable=True) for name in _FLAGS]
    return [words, *selected, *ordered, *flags, _kept(DOCUMENT), _kept(SCORED)]


def _kept(name: str) -> Property:
    """A text that is only stored: no index knows it."""
    return Property(name=name, data_type=DataType.TEXT, index_filterable=False, index_searchable=False)
