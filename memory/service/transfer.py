"""ExportMemories and ImportMemories: whole memories out of a store, and into one."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from memory.clinical.people import USER
from memory.consolidation.knowledge.profiles import places_of
from memory.consolidation.remember import Rememberer
from memory.consolidation.transfer import Fault, covered, entries_of, made_theirs, read, record_of, told_record
from memory.consolidation.upkeep.users import UserLister
from memory.errors import FieldError, InvalidInput, StoreUnavailable
from memory.limits import CREATED_PER_USER_MAX, EXPORT_PAGE_CHARS_MAX, LINKS_PER_USER_MAX
from memory.model.caller import Caller
from memory.model.memory import STATES, Kind, Memory
from memory.model.search import Filter
from memory.model.transfer_calls import (
    RECORD_ID,
    ExportMemoriesRequest,
    ExportMemoriesResponse,
    ImportMemoriesRequest,
    ImportMemoriesResponse,
    MemoryRecord,
    ProfileRecord,
    RecordOutcome,
    ToldProfile,
)
from memory.ports import Counted
from memory.privacy.placeholders import is_nobody
from memory.scope import ID_PATTERN, UserScope
from memory.service.memory_updates import ask_to_settle
from memory.service.settings import Ports
from memory.service.told_profiles import ToldProfiles
from memory.service.transfer_words import reason
from memory.session.times import rfc3339

_ALL: Final = Filter(kinds=tuple(kind for kind in Kind if kind is not Kind.PROFILE), with_past=True, with_archived=True)
_SLICE: Final = 100
"""Records that are read at once before it is known how long they are."""
_USERS_LOOKED_AT: Final = 200
"""For one page; then its cursor says where to go on."""
_USER: Final = re.compile(ID_PATTERN)
_MEMORY: Final = re.compile(RECORD_ID)
_Told = Memory | RecordOutcome | Fault
"""A record that was read, or what has become of it already."""
_ROOM: Final[Mapping[Counted, int]] = {Kind.CREATED: CREATED_PER_USER_MAX, Kind.LINK: LINKS_PER_USER_MAX}


class _Place(NamedTuple):
    """Where a page begins: behind a memory of a user; empty: at the beginning."""

    user: str = ""
    memory_id: str = ""


class Transfer:
    """What goes out is as it is stored; what comes in is made the user's, and overwrites nothing."""

    def __init__(self, ports: Ports, lister: UserLister, rememberer: Rememberer) -> None:
        self._ports = ports
        self._memories = ports.memories
        self._lister = lister
        self._rememberer = rememberer
        self._told = ToldProfiles(ports.store, ports.sessions, rememberer)

    async def give(self, caller: Caller, request: ExportMemoriesRequest) -> ExportMemoriesResponse:
        """A page. Raises InvalidInput for a cursor that is none; StoreUnavailable while not all users are listed."""
        place = _place(request)
        if request.user_id is None and not await self._lister.is_made():
            raise StoreUnavailable("the worker still lists the users of before there was a list")
        as_of, states = rfc3339(self._ports.clock.now_ms()), frozenset(request.states or STATES)
        found, cursor = await self._page(caller.tenant, request, place)
        records: list[MemoryRecord | ProfileRecord] = []
        for each in found:
            if isinstance(each, ProfileRecord):
                records += [each] if "held" in states else []
            elif each.state in states:
                records.append(MemoryRecord.model_validate(record_of(each)))
        return ExportMemoriesResponse(records=records, cursor=cursor, as_of=as_of)

    async def _page(
        self, tenant: str, request: ExportMemoriesRequest, place: _Place
    ) -> tuple[list[Memory | ProfileRecord], str]:
        """What is behind a place, in any state, and the cursor of the next page."""
        found: list[Memory | ProfileRecord] = []
        chars = users = 0
        async for user, after in self._users(tenant, request.user_id, place):
            more, last, scope = True, after, UserScope(tenant, user)
            while more:
                if len(found) >= request.limit or chars >= EXPORT_PAGE_CHARS_MAX or users >= _USERS_LOOKED_AT:
                    return found, f"{user}/{last}"
                if not last:
                    told = told_record(await self._ports.store.get_profile(scope))
                    found += [ProfileRecord.model_validate(told)] if told else []
                    chars += len(str(told))
                most = _next(max(1, request.limit - len(found)), len(found), chars)
                page = await self._memories.page(scope, _ALL, last, most)
                found += page.memories
                chars += sum(map(_chars, page.memories))
                more, last = page.cursor != "", page.cursor
            users += 1
        return found, ""

    async def _users(self, tenant: str, named: str | None, place: _Place) -> AsyncIterator[_Place]:
        """Whose memories come next, by their ids, and behind which of theirs."""
        if named is not None or place.user:
            yield _Place(named or place.user, place.memory_id)
        if named is None:
            async for user in self._lister.everybody(tenant, place.user):
                yield _Place(user)

    async def take(self, caller: Caller, request: ImportMemoriesRequest) -> ImportMemoriesResponse:
        """Store what is new. Repeated it changes nothing, or finishes what was cut off.

        Raises Overtaken when something of the user is forgotten meanwhile: then nothing of it is stored.
        """
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        told_under = await self._told.standing(scope)
        read = await asyncio.to_thread(self._read, scope, request.records)
        profiles = [each for each in read if isinstance(each, ToldProfile)]
        became = iter(await self._told.take(told_under, profiles, dry_run=request.dry_run) if profiles else ())
        told = [next(became) if isinstance(each, ToldProfile) else each for each in read]
        there = {each.memory_id for each in await self._memories.get(scope, [one.memory_id for one in _memories(told)])}
        told = await self._with_room(scope, told, there)
        new = {each.memory_id: each for each in _memories(told) if each.memory_id not in there}
        if not request.dry_run:
            await self._store(scope, list(new.values()), _memories(told))
        return _answer(told, new, request)

    def _read(self, scope: UserScope, records: Sequence[Mapping[str, Any]]) -> list[Memory | ToldProfile | Fault]:
        cover = partial(self._ports.minds.replacer.text, scope.tenant)
        told = map(read, records)
        return [made_theirs(covered(each, cover), scope) if isinstance(each, Memory) else each for each in told]

    async def _with_room(self, scope: UserScope, told: Sequence[_Told], there: Collection[str]) -> list[_Told]:
        """Those of a kind of which the user has enough are refused, as they are where tools make them."""
        over: set[str] = set()
        for kind, most in _ROOM.items():
            new = {
                each.memory_id: each for each in _memories(told) if each.kind is kind and each.memory_id not in there
            }
            room = max(0, most - await self._memories.count(scope, kind)) if new else 0
            over |= set(list(new)[room:])
        return [
            Fault("full", each.kind) if isinstance(each, Memory) and each.memory_id in over else each for each in told
        ]

    async def _store(self, scope: UserScope, new: Sequence[Memory], every: Sequence[Memory]) -> None:
        """What follows is done for those that are there too: they may be of a call that was cut off."""
        if not every:
            return
        await self._ports.sessions.drop_profile(scope)
        if new:
            await self._memories.put(scope, await asyncio.to_thread(entries_of, new))
        facts = [each.memory_id for each in every if each.kind is Kind.FACT and not is_nobody(each.subject)]
        groups = places_of(scope, [each for each in every if _is_of_a_group(each)])
        await self._rememberer.settle_again(scope, await self._memories.get(scope, facts), *groups)
        await self._ports.sessions.drop_profile(scope)
        await ask_to_settle(self._ports.jobs, scope)


def _memories(told: Sequence[_Told]) -> list[Memory]:
    return [each for each in told if isinstance(each, Memory)]


def _place(request: ExportMemoriesRequest) -> _Place:
    if not request.cursor:
        return _Place()
    user, _, memory_id = request.cursor.partition("/")
    known = _USER.fullmatch(user) and (not memory_id or _MEMORY.fullmatch(memory_id))
    if not known or request.user_id not in {None, user}:
        message = "is not one that ExportMemories gave for this user"
        raise InvalidInput(f"cursor {message}", fields=(FieldError("cursor", message),))
    return _Place(user, memory_id)


def _next(left: int, read: int, chars: int) -> int:
    """How many to read next: some at first, then as many as fit if they are as long as those were."""
    fitting = (EXPORT_PAGE_CHARS_MAX - chars) * read // max(1, chars)
    return min(left, max(_SLICE, fitting))


def _chars(memory: Memory) -> int:
    """Of its texts, about."""
    return len(memory.text) + len(memory.source.quote) + sum(len(str(each)) for each in memory.changes)


def _is_of_a_group(memory: Memory) -> bool:
    """Whether it tells of one of several people, of whom the profile of a conversation is made."""
    named = memory.kind is Kind.EPISODE and not memory.position and memory.subject != USER
    return named and memory.source.conversation != ""


def _answer(told: Sequence[_Told], new: Collection[str], request: ImportMemoriesRequest) -> ImportMemoriesResponse:
    """In the order of the records; what comes twice is added once."""
    left, outcomes = set(new), list[RecordOutcome]()
    for each in told:
        if isinstance(each, Fault):
            outcomes.append(RecordOutcome(outcome="refused", reason=reason(each, request.locale)))
            continue
        if isinstance(each, RecordOutcome):
            outcomes.append(each)
            continue
        outcomes.append(RecordOutcome(outcome="added" if each.memory_id in left else "same", memory_id=each.memory_id))
        left.discard(each.memory_id)
    counts = Counter(each.outcome for each in outcomes)
    return ImportMemoriesResponse(
        outcomes=outcomes,
        added=counts["added"],
        same=counts["same"],
        refused=counts["refused"],
        dry_run=request.dry_run,
    )
