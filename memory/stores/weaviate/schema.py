"""The one collection all memories are in, and the note it carries: schema version and vector space.

Every user has a Weaviate tenant: no filter that is forgotten lets one see another's, search within one user is exact
(flat index), and removing the tenant is what takes the bytes off the disk.
"""

import json
from typing import Final

from memory.errors import SetupError
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


async def prepare(client: WeaviateAsyncClient, space: str) -> None:
    """Make the collection, or check the one that is there. Raises SetupError when it is of another schema or space."""
    if not await client.collections.exists(COLLECTION):
        await _create(client, space)
    collection = client.collections.use(COLLECTION)
    described = (await collection.config.get(simple=True)).description or ""
    note = _read_note(described)
    if note.get("schema") != SCHEMA_VERSION:
        raise SetupError(
            f"the collection {COLLECTION} has schema {note.get('schema')!r}, this program knows {SCHEMA_VERSION}: "
            "upgrade the program, or name another Weaviate"
        )
    stored = note.get("space", "")
    if space and not stored:
        await collection.config.update(description=_note(space))
    elif space and stored != space:
        raise SetupError(
            f"the memories in Weaviate have vectors of {stored}, the settings say {space}: "
            "vectors of two models can't be compared. Set embeddings back, or name another Weaviate"
        )


def users_part(client: WeaviateAsyncClient, tenant: str) -> CollectionAsync:
    """The collection as one user's tenant sees it; costs nothing."""
    return client.collections.use(COLLECTION).with_tenant(tenant)


def _note(space: str) -> str:
    return json.dumps({"about": "Memories of Anamnesis", "schema": SCHEMA_VERSION, "space": space})


def _read_note(description: str) -> dict[str, object]:
    try:
        found = json.loads(description)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


async def _create(client: WeaviateAsyncClient, space: str) -> None:
    try:
        await client.collections.create(
            COLLECTION,
            description=_note(space),
            multi_tenancy_config=Configure.multi_tenancy(auto_tenant_creation=True, auto_tenant_activation=True),
            inverted_index_config=Configure.inverted_index(stopwords_preset=StopwordsPreset.NONE),
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
            ),
            properties=_properties(),
        )
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
    kept = [
        Property(name=name, data_type=DataType.TEXT, index_filterable=False, index_searchable=False)
        for name in (DOCUMENT, SCORED)
    ]
    return [words, *selected, *ordered, *flags, *kept]
