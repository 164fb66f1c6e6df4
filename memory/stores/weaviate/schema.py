"""One collection for each index generation, and the note it carries: schema version, vector space, version of terms.

Every user has a Weaviate tenant in each: no filter that is forgotten lets one see another's, search within one user is
exact (flat index), and removing the tenant is what takes the bytes off the disk.
"""

import hashlib
import json
import re
from typing import Any, Final, NamedTuple

from memory.errors import SetupError
from memory.model.generation import Generation, not_there
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
"""What all collections of memories are called, each with a mark of its generation. The very first had none."""
_NAMES: Final = re.compile(rf"{COLLECTION}(?:_[0-9a-f]{{12}})?")
SCHEMA_VERSION: Final = 2
_FIRST: Final = 1

WORDS: Final = "words"
DOCUMENT: Final = "document"
PENDING: Final = "pending"
"""Whoever wrote the record could not make all of its entry in this generation."""
OWNER: Final = "owner"
"""The user as `tenant/user`: the name of a Weaviate tenant is a hash."""
SCORED: Final = "scored"
"""What scoring needs of a record, as one JSON array: reading seven properties of 1,000 records takes twice as long."""

_SELECTED: Final = ("kind", "category", "type", "conversation", "speaker", "subject", "predicate")
_ORDERED: Final = ("occurred_ms", "held_from_ms", "valid_to_ms", "id_order")
_FLAGS: Final = ("archived", "superseded", PENDING)
FILTERED: Final = (*_SELECTED, *_ORDERED, *_FLAGS)
_CONFLICT: Final = 422


class Kept(NamedTuple):
    """A generation and the collection that it is in."""

    collection: str
    generation: Generation


class Place(NamedTuple):
    """One user's tenant of a collection."""

    collection: str
    tenant: str


async def kept(client: WeaviateAsyncClient) -> list[Kept]:
    """All generations of the server, by the names of their collections.

    Collections of schema 1 are brought to ours on the way; SetupError is raised for one of a later program.
    """
    found = []
    for name, config in sorted((await client.collections.list_all(simple=True)).items()):
        if _NAMES.fullmatch(name):
            note = _read_note(config.description or "")
            if note.get("schema") == _FIRST:
                note |= {"schema": SCHEMA_VERSION, "terms": 1, "ready": True}
                await _migrate(client.collections.use(name), _generation(note))
            if note.get("schema") != SCHEMA_VERSION:
                raise SetupError(
                    f"the collection {name} has schema {note.get('schema')!r}, this program knows {SCHEMA_VERSION}: "
                    "upgrade the program, or name another Weaviate"
                )
            found.append(Kept(name, _generation(note)))
    return found


async def prepare(client: WeaviateAsyncClient, wanted: Generation, *, build: bool) -> str:
    """The collection of the wanted generation; made when there are no memories yet, or with `build`.

    Raises SetupError when it is not there, or not complete and not to be built, or of a later program.
    """
    there = await kept(client)
    for name, generation in there:
        if generation.is_same(wanted) and (generation.ready or build):
            return name
    is_empty = not any([await client.collections.use(name).tenants.get() for name, _ in there])
    if not build and not is_empty:
        raise not_there("Weaviate", wanted, [each.generation for each in there])
    name = f"{COLLECTION}_{hashlib.sha256(f'{wanted.space}/{wanted.terms}'.encode()).hexdigest()[:12]}"
    await _create(client, name, Generation(wanted.space, wanted.terms, ready=is_empty))
    return name


async def make_ready(client: WeaviateAsyncClient, name: str, generation: Generation) -> None:
    """Note that the generation had every record."""
    await client.collections.use(name).config.update(description=_note(generation))


def users_part(client: WeaviateAsyncClient, place: Place) -> CollectionAsync:
    """The collection as one user's tenant sees it; costs nothing."""
    return client.collections.use(place.collection).with_tenant(place.tenant)


def _note(generation: Generation) -> str:
    about = {"about": "Memories of Anamnesis", "schema": SCHEMA_VERSION}
    return json.dumps(about | {"space": generation.space, "terms": generation.terms, "ready": generation.ready})


def _read_note(description: str) -> dict[str, Any]:
    try:
        found = json.loads(description)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _generation(note: dict[str, Any]) -> Generation:
    return Generation(note.get("space", ""), note["terms"], ready=bool(note["ready"]))


async def _migrate(collection: CollectionAsync, generation: Generation) -> None:
    """From schema 1 to 2 in place: records lack the two new properties, which means what it did before."""
    for each in _properties():
        if each.name in {OWNER, PENDING}:
            try:
                await collection.config.add_property(each)
            except UnexpectedStatusCodeError as error:
                if error.status_code != _CONFLICT:  # another process was faster
                    raise
    await collection.config.update(description=_note(generation))


async def _create(client: WeaviateAsyncClient, name: str, generation: Generation) -> None:
    try:
        await client.collections.create(
            name,
            description=_note(generation),
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
        for name in (DOCUMENT, SCORED, OWNER)
    ]
    return [words, *selected, *ordered, *flags, *kept]
