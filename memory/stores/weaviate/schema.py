"""The collections, and the note that each carries: schema version, and of memories what their index is made with.

Memories have a collection for each index generation, MemUnits and profiles have one. Every user has a Weaviate tenant
in each: no filter that is forgotten lets one see another's, search within one user is exact (flat index), and removing
the tenant is what takes the bytes off the disk.
"""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from memory.errors import SetupError, StoreUnavailable
from memory.model.generation import Generation, not_there
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
"""What all collections of memories are called, each with a mark of its generation. The very first had none."""
LONG_TERM: Final = "AnamnesisLongTerm"
_NAMES: Final = re.compile(rf"{COLLECTION}(?:_[0-9a-f]{{12}})?")
SCHEMA_VERSION: Final = 3
LONG_TERM_VERSION: Final = 1
_FIRST, _SECOND = 1, 2

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
_PREPARE_S: Final = 10.0

CONVERSATION: Final = "conversation"
MESSAGES: Final = "messages"
PROFILE: Final = "profile"


class Kept(NamedTuple):
    """A generation and the collection that it is in."""

    collection: str
    generation: Generation


class Place(NamedTuple):
    """One user's tenant of a collection."""

    collection: str
    tenant: str


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


async def kept(client: WeaviateAsyncClient) -> list[Kept]:
    """All generations of the server, by the names of their collections.

    Collections of an earlier schema are brought to ours on the way; SetupError is raised for one of a later program.
    """
    found = []
    for name, config in sorted((await client.collections.list_all(simple=True)).items()):
        if _NAMES.fullmatch(name):
            note = _read_note(config.description or "")
            if note.get("schema") == _FIRST:
                note |= {"terms": 1, "ready": True}
                await _add_properties(client.collections.use(name))
            if note.get("schema") in {_FIRST, _SECOND}:
                note |= {"schema": SCHEMA_VERSION}
                await note_down(client, name, _generation(note))
            _check_version(name, note, SCHEMA_VERSION)
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


async def note_down(client: WeaviateAsyncClient, name: str, generation: Generation) -> None:
    """Let the collection say what it is now: of our schema, and whether it has had every record."""
    await client.collections.use(name).config.update(description=_note(generation))


async def prepare_long_term(client: WeaviateAsyncClient) -> None:
    """Make the collection of MemUnits and profiles, or check it. Raises SetupError when it is of another schema."""
    if not await client.collections.exists(LONG_TERM):
        await _make(
            client,
            LONG_TERM,
            description=json.dumps({"about": "MemUnits and profiles of Anamnesis", "schema": LONG_TERM_VERSION}),
            vector_config=Configure.Vectors.self_provided(vector_index_config=Configure.VectorIndex.none()),
            properties=[_kept_only(name) for name in (CONVERSATION, DOCUMENT, MESSAGES, PROFILE)],
        )
    config = await client.collections.use(LONG_TERM).config.get(simple=True)
    _check_version(LONG_TERM, _read_note(config.description or ""), LONG_TERM_VERSION)


def users_part(client: WeaviateAsyncClient, place: Place) -> CollectionAsync:
    """The collection as one user's tenant sees it; costs nothing."""
    return client.collections.use(place.collection).with_tenant(place.tenant)


def _check_version(name: str, note: dict[str, Any], version: int) -> None:
    if note.get("schema") != version:
        raise SetupError(
            f"the collection {name} has schema {note.get('schema')!r}, this program knows {version}: "
            "upgrade the program, or name another Weaviate"
        )


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


async def _add_properties(collection: CollectionAsync) -> None:
    """From schema 1 to 2 in place: records lack the two new properties, which means what it did before."""
    for each in _properties():
        if each.name in {OWNER, PENDING}:
            try:
                await collection.config.add_property(each)
            except UnexpectedStatusCodeError as error:
                if error.status_code != _CONFLICT:  # another process was faster
                    raise


async def _create(client: WeaviateAsyncClient, name: str, generation: Generation) -> None:
    await _make(
        client,
        name,
        description=_note(generation),
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
    return [words, *selected, *ordered, *flags, *(_kept_only(name) for name in (DOCUMENT, SCORED, OWNER))]


def _kept_only(name: str) -> Property:
    """A text that is only stored: no index knows it."""
    return Property(name=name, data_type=DataType.TEXT, index_filterable=False, index_searchable=False)
