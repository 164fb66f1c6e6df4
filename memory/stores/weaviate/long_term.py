"""MemUnits and profiles on Weaviate: nothing here is found by an index, so there is nothing that a crash can unfind."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Final

from memory import fences as fence_names
from memory.errors import SetupError, TemporaryError
from memory.model.memunit import MemUnit
from memory.model.profile import Profile
from memory.scope import ConversationScope, Fence, UserScope
from memory.stores.weaviate import listing, objects, placement
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.faults import Refused
from memory.stores.weaviate.locks import UserLock, UserLocks
from memory.stores.weaviate.objects import Slice, Stored
from memory.stores.weaviate.placement import Entry
from memory.stores.weaviate.records import before, is_id
from memory.stores.weaviate.schema import (
    CONVERSATION,
    DOCUMENT,
    LONG_TERM,
    PROFILE,
    Place,
    Preparation,
    prepare_long_term,
)
from memory.stores.weaviate.tenants import OpenTenants

_ENTRIES: Final = 200
_EDITIONS: Final = 20
_NOBODY: Final = UserScope("default", "nobody")


class WeaviateLongTermStore:
    """The LongTermStore port over a Weaviate server. `lock` must hold between processes when several write.

    Reads cost one round trip for a profile, two for a MemUnit.
    """

    kind = "weaviate"

    def __init__(self, connection: WeaviateConnection, lock: UserLock | None = None) -> None:
        self._connection = connection
        self._locks = UserLocks(lock)
        self._open = OpenTenants(connection, connection.settings.open_users_max)
        self._preparation = Preparation(connection, prepare_long_term)

    async def start(self) -> None:
        """Make the collection or check it.

        Raises SetupError when it is of another schema, or when the API key is not accepted; StoreUnavailable when
        the server does not answer (then the first call that it does answer checks).
        """
        try:
            await self._preparation.now()
        except Refused as error:
            raise SetupError(f"{error.detail}: check weaviate.api_key") from error

    async def close(self) -> None:
        """Close the connection."""
        await self._open.settle()
        await self._connection.close()

    async def check(self) -> None:
        """Raise StoreUnavailable or DeadlineExceeded when the server does not answer."""
        await self.get_profile(_NOBODY)

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As they stand in the session store."""
        return await self._locks.standing(names)

    async def put_memunit(self, unit: MemUnit, fences: Sequence[Fence] = ()) -> None:
        """Store a MemUnit under its id; its entry goes first, so that no MemUnit is ever without one.

        Fences are looked at before and after the write: when one was raised meanwhile, the MemUnit is removed again.
        Raises InvariantBroken for one of more than 64 MB.
        """
        made, entry = placement.unit_object(unit), placement.entry_of(unit)
        directory, shelf = await self._directory(unit.scope.tenant), self._use(entry.shelf)
        undo = partial(self._erase, unit.scope, shelf, [entry])
        lock = _lock_of(unit.scope, shelf)
        async with self._locks.hold(lock, fences), self._locks.undone_by(undo, fences):
            if await self._entry(directory, unit.scope, entry.unit_id) != entry:
                await objects.insert(self._connection, directory, [placement.entry_object(entry)])
            await objects.insert(self._connection, shelf, [made])

    async def get_memunit(self, scope: ConversationScope, unit_id: str) -> MemUnit | None:
        """Read a MemUnit back; None when it is not there (or not this conversation's)."""
        if not is_id(unit_id):
            return None
        entry = await self._entry(await self._directory(scope.tenant), scope, unit_id)
        return await self._first(scope, [entry] if entry else [])

    async def own_memunit(self, scope: UserScope, unit_id: str) -> MemUnit | None:
        """Read a user's MemUnit; None when the user has no such one."""
        if not is_id(unit_id) or placement.edition_of(unit_id) is not None:
            return None
        found = await objects.stored(self._connection, await self._shelf(scope), [unit_id])
        return next((placement.to_unit(each.properties) for each in found.values()), None)

    async def own_memunits(self, scope: UserScope, conversation: str, after: str, limit: int) -> list[MemUnit]:
        """A user's MemUnits in the order of their ids. Looks at each that comes before the last of them."""
        shelf, ids = await self._shelf(scope), list[str]()
        last = after if is_id(after) else None
        while len(ids) < limit:
            page = await objects.page(self._connection, shelf, Slice(last, _ENTRIES, [CONVERSATION]))
            ids += [each.memory_id for each in page if _is_of(each, conversation)]
            if len(page) < _ENTRIES:
                break
            last = page[-1].memory_id
        found = await objects.stored(self._connection, shelf, ids[:limit])
        return [placement.to_unit(each.properties) for each in found.values()]

    async def latest_memunit(self, scope: ConversationScope) -> MemUnit | None:
        """The conversation's last MemUnit."""
        return await self._first(scope, await self._entries(scope))

    async def memunit_from(self, scope: ConversationScope, seq: int) -> MemUnit | None:
        """The first MemUnit of a conversation that ends with message `seq`, or later."""
        entries = [entry for entry in await self._entries(scope) if entry.seq_to >= seq]
        return await self._first(scope, sorted(entries, key=lambda entry: entry.seq_to))

    async def conversations(self, scope: UserScope) -> list[str]:
        """The conversations of which a user has MemUnits. Looks at each of them."""
        pages = objects.walk(self._connection, await self._shelf(scope), [CONVERSATION])
        return sorted({each.properties[CONVERSATION] async for page in pages for each in page if _is_unit(each)})

    async def last_ended(self, scope: UserScope) -> dict[str, int]:
        """The conversations of which a user has MemUnits, with ends. Looks at each of them, without its messages."""
        last: dict[str, int] = {}
        async for page in objects.walk(self._connection, await self._shelf(scope), [CONVERSATION, DOCUMENT]):
            for each in filter(_is_unit, page):
                conversation = each.properties[CONVERSATION]
                last[conversation] = max(last.get(conversation, 0), placement.ended_ms(each.properties))
        return last

    async def count(self, scope: UserScope, conversation: str = "") -> int:
        """How many MemUnits a user has. Looks at each of them."""
        pages = objects.walk(self._connection, await self._shelf(scope), [CONVERSATION])
        of = [each.properties[CONVERSATION] async for page in pages for each in page if _is_unit(each)]
        return of.count(conversation) if conversation else len(of)

    async def erase_conversation(self, scope: ConversationScope, users: Sequence[str]) -> int:
        """Remove these users' MemUnits of a conversation. A shelf on which nothing remains goes with its files.

        Otherwise the bytes leave the disk when the server compacts, or with the user (docs/weaviate.md).
        """
        await self._preparation.once()
        gone = 0
        for user in users:
            shelf = self._use(placement.shelf_of(scope.tenant, user))
            async with self._locks.forgetting(_lock_of(scope, shelf), [fence_names.of_owner(scope, user)]):
                entries = [entry for entry in await self._entries(scope) if entry.shelf == shelf.tenant]
                gone += await self._erase(scope, shelf, entries)
        return gone

    async def _erase(self, scope: ConversationScope, shelf: Place, entries: Sequence[Entry]) -> int:
        """MemUnits first, then their entries. The caller holds the shelf."""
        there = [entry.unit_id for entry in entries if await self._is_there(shelf, entry.unit_id)]
        await objects.delete(self._connection, shelf, there)
        if entries and shelf.tenant != placement.shelf_of(scope.tenant, ""):
            await self._remove_empty(shelf)
        directory = await self._directory(scope.tenant)
        await objects.delete(self._connection, directory, [entry.entry_id for entry in entries])
        return len(there)

    async def erase_profile(self, scope: UserScope) -> bool:
        """Remove a user's profile, as `erase_conversation`."""
        shelf = await self._shelf(scope)
        was_there = False
        async with self._locks.forgetting(_lock_name(shelf), [fence_names.of_user(scope)]):
            while editions := await self._editions(shelf, _EDITIONS):
                was_there = True
                await objects.delete(self._connection, shelf, list(editions))
            await self._remove_empty(shelf)
        return was_there

    async def get_profile(self, scope: UserScope) -> Profile:
        """A user's profile; an empty one (version 0) when nothing is known."""
        shelf = await self._shelf(scope)
        return _newest(scope, await self._editions(shelf, 1))

    async def update_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        """Read, change and write under the user's lock, which holds over all processes.

        Each change is an edition of its own, numbered by the lock's fence: one that arrives late, from a holder whose
        lock has lapsed or whose write has timed out, stands behind those of later holders and changes nothing.
        """
        shelf = await self._shelf(scope)
        async with self._locks.hold(_lock_name(shelf), scope.fences) as fence:
            editions = await self._editions(shelf, _EDITIONS)
            profile = _newest(scope, editions)
            after = change(profile)
            if after.version != profile.version:
                last = max((placement.edition_of(each) or 0 for each in editions), default=0)
                made = placement.profile_object(scope, after, max(fence, last + 1))
                undo = partial(objects.delete, self._connection, shelf, [str(made.uuid)])
                async with self._locks.undone_by(undo, scope.fences):
                    await objects.insert(self._connection, shelf, [made])
                with contextlib.suppress(TemporaryError):  # what is left over counts for nothing; the next change tries
                    await objects.delete(self._connection, shelf, list(editions))
        return after

    async def all_memunits(self) -> AsyncIterator[MemUnit]:
        """Every MemUnit that a directory names, by tenant. One round trip for each."""
        async for place, first in self._places():
            if placement.is_entry(first):
                async for page in objects.walk(self._connection, place, None):
                    for each in page:
                        unit = await self._unit(placement.entry_in(each))
                        if unit is not None:
                            yield unit

    async def all_profiles(self) -> AsyncIterator[tuple[UserScope, Profile]]:
        """Every user's profile: the newest edition is the first object of a shelf."""
        async for _, first in self._places():
            if not _is_unit(first):
                yield placement.owned_profile(first.properties)

    async def _places(self) -> AsyncIterator[tuple[Place, Stored]]:
        """Every directory and shelf with its first object, without its messages."""
        await self._preparation.once()
        for tenant in await listing.tenants(self._connection, [LONG_TERM]):
            place = self._use(tenant)
            for first in await objects.page(self._connection, place, Slice(None, 1, [CONVERSATION, PROFILE])):
                yield place, first

    async def _shelf(self, scope: UserScope) -> Place:
        await self._preparation.once()
        return self._use(placement.shelf_of(scope.tenant, scope.user))

    async def _directory(self, tenant: str) -> Place:
        await self._preparation.once()
        return self._use(placement.directory_of(tenant))

    def _use(self, name: str) -> Place:
        place = Place(LONG_TERM, name)
        self._open.use(place)
        return place

    async def _entry(self, directory: Place, scope: ConversationScope, unit_id: str) -> Entry | None:
        found = await objects.stored(self._connection, directory, [placement.entry_id(scope, unit_id)])
        entries = (placement.to_entry(each, scope) for each in found.values())
        return next((entry for entry in entries if entry and entry.unit_id == unit_id), None)

    async def _entries(self, scope: ConversationScope) -> list[Entry]:
        """The conversation's entries, the last session first."""
        directory = await self._directory(scope.tenant)
        entries: list[Entry] = []
        after = placement.before_entries(scope)
        while True:
            page = await objects.page(self._connection, directory, Slice(after, _ENTRIES))
            own = [entry for entry in (placement.to_entry(each, scope) for each in page) if entry]
            entries += own
            if len(own) < _ENTRIES:
                break
            after = page[-1].memory_id
        return sorted(entries, key=lambda entry: (entry.session_number, entry.seq_to), reverse=True)

    async def _first(self, scope: ConversationScope, entries: Iterable[Entry]) -> MemUnit | None:
        """The first of the MemUnits that is there: one that is being written has its entry already."""
        for entry in entries:
            unit = await self._unit(entry)
            if unit is not None and unit.scope == scope:
                return unit
        return None

    async def _unit(self, entry: Entry) -> MemUnit | None:
        found = await objects.stored(self._connection, self._use(entry.shelf), [entry.unit_id])
        return next((placement.to_unit(each.properties) for each in found.values()), None)

    async def _is_there(self, shelf: Place, unit_id: str) -> bool:
        """Without reading its messages."""
        wanted = Slice(before(unit_id), 1, [CONVERSATION])
        found = await objects.page(self._connection, shelf, wanted)
        return any(each.memory_id == unit_id for each in found)

    async def _remove_empty(self, shelf: Place) -> None:
        """The caller holds the shelf's lock."""
        if not await objects.page(self._connection, shelf, Slice(None, 1, [CONVERSATION])):
            await self._open.remove(shelf)

    async def _editions(self, shelf: Place, limit: int) -> dict[str, Stored]:
        """The newest editions of the shelf's profile, the newest first."""
        page = await objects.page(self._connection, shelf, Slice(None, limit, [PROFILE]))
        return {each.memory_id: each for each in page if not _is_unit(each)}


def _is_unit(found: Stored) -> bool:
    return placement.edition_of(found.memory_id) is None


def _is_of(found: Stored, conversation: str) -> bool:
    return _is_unit(found) and (not conversation or found.properties[CONVERSATION] == conversation)


def _lock_name(shelf: Place) -> str:
    """Not that of the user's memories, though the tenant is named alike there: the two never wait for each other."""
    return f"long-term:{shelf.tenant}"


def _lock_of(scope: ConversationScope, shelf: Place) -> str:
    """The shelf of nobody is never removed, and many write to it: there the lock is that of the conversation."""
    nobodys = shelf.tenant == placement.shelf_of(scope.tenant, "")
    return f"long-term:{fence_names.of_nobody(scope)}" if nobodys else _lock_name(shelf)


def _newest(scope: UserScope, editions: dict[str, Stored]) -> Profile:
    newest = next(iter(editions.values()), None)
    return Profile(scope.user) if newest is None else placement.owned_profile(newest.properties)[1]
