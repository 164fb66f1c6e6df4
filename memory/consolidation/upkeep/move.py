"""Copying a whole store into another one, and proving that both hold the same."""

import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from memory.model.memory import to_fields
from memory.model.profile import Profile
from memory.model.search import IndexEntry, Vector
from memory.ports import LongTermStore, MemoryArchive
from memory.scope import ConversationScope, UserScope

_TOGETHER: Final = 100
_VECTOR_TOLERANCE: Final = 1e-5
"""A store may mend a record by changing its vector in a last bit."""

Observer = Callable[[int, int, int], None]
"""Is told (users looked at, of how many, records looked at) as the work goes on."""


@dataclass(frozen=True, slots=True)
class Stock:
    """All long-term stores of one kind."""

    memories: MemoryArchive
    units: LongTermStore


@dataclass(slots=True)
class Holding:
    """What one user has of one sort: how many, and a hash over all of them."""

    count: int = 0
    digest: str = ""


@dataclass(slots=True)
class Comparison:
    """One user's holdings at the source and the target, and the ids by what is wrong with them."""

    source: Holding = field(default_factory=Holding)
    target: Holding = field(default_factory=Holding)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether both hold the same."""
        return self.source == self.target and not (self.missing or self.extra or self.differing)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Comparisons by user: of memories, of MemUnits, of profiles."""

    memories: dict[str, Comparison]
    memunits: dict[str, Comparison]
    profiles: dict[str, Comparison]


def _unobserved(users: int, of: int, records: int) -> None:
    """Nobody watches."""


class Mover:
    """Copies from one stock to another; at the source nothing changes. Run again, it goes on where it was."""

    def __init__(self, source: Stock, target: Stock) -> None:
        self._source = source
        self._target = target

    async def copy(self, observe: Observer = _unobserved) -> int:
        """Write what the target lacks, and what the source has changed since; returns how many memories that were.

        Every write is durable. Raises what the stores raise.
        """
        users = await self._source.memories.count_users()
        looked = records = written = 0
        async for scope in self._source.memories.users():
            async for batch in _batches(self._source.memories.entries(scope)):
                written += await self._copy_memories(scope, batch)
                records += len(batch)
                observe(looked, users, records)
            looked += 1
            observe(looked, max(users, looked), records)
        await self._copy_units()
        return written

    async def compare(self, observe: Observer = _unobserved) -> Verdict:
        """Read both whole, and say of each user what there is and what differs."""
        memories: dict[str, Comparison] = {}
        users = await self._source.memories.count_users()
        records = 0
        for stock in (self._source, self._target):
            async for scope in stock.memories.users():
                if str(scope) not in memories:
                    found = await self._compare_memories(scope)
                    records += found.source.count
                    memories[str(scope)] = found
                    observe(min(len(memories), users), users, records)
        units = _compare(await _units_by_user(self._source.units), await _units_by_user(self._target.units))
        profiles = _compare(await _profiles_by_user(self._source.units), await _profiles_by_user(self._target.units))
        return Verdict(memories, units, profiles)

    async def prune(self, verdict: Verdict) -> int:
        """Erase what only the target has, by a comparison; returns how many memories.

        MemUnits go by conversation, as they are forgotten; of one that the source still has, they are copied again.
        """
        gone = 0
        for name, found in verdict.memories.items():
            if found.extra:
                gone += await self._target.memories.erase(_scope(name), found.extra)
        for name, found in verdict.profiles.items():
            if found.extra:
                await self._target.units.erase_profile(_scope(name))
        for name, found in verdict.memunits.items():
            owner = _scope(name)
            for conversation in sorted({key.partition("/")[0] for key in found.extra}):
                place = ConversationScope(owner.tenant, conversation)
                await self._target.units.erase_conversation(place, (owner.user,))
        if any(found.extra for found in verdict.memunits.values()):
            await self._copy_units()
        return gone

    async def _copy_memories(self, scope: UserScope, batch: list[IndexEntry]) -> int:
        wanted = {entry.memory.memory_id: entry.memory for entry in batch}
        there = {each.memory_id: each for each in await self._target.memories.get(scope, list(wanted))}
        stale = [memory_id for memory_id, memory in there.items() if memory.text != wanted[memory_id].text]
        if stale:  # profiles that were made anew: their index texts are others too
            await self._target.memories.erase(scope, stale)
        there = {key: memory for key, memory in there.items() if key not in stale}
        new = [entry for entry in batch if entry.memory.memory_id not in there]
        changed = [memory_id for memory_id, memory in there.items() if memory != wanted[memory_id]]
        if new:
            await self._target.memories.put(scope, new)
        if changed:
            await self._target.memories.change(scope, changed, lambda old: wanted[old.memory_id])
        return len(new) + len(changed)

    async def _copy_units(self) -> None:
        async for unit in self._source.units.all_memunits():
            there = await self._target.units.get_memunit(unit.scope, unit.unit_id)
            if there is None or there.content_hash() != unit.content_hash():
                await self._target.units.put_memunit(unit)
        async for scope, profile in self._source.units.all_profiles():
            if await self._target.units.get_profile(scope) != profile:
                await self._target.units.update_profile(scope, partial(_instead, profile))

    async def _compare_memories(self, scope: UserScope) -> Comparison:
        """Both sides in the order of ids, side by side: no more is held than one record of each."""
        found = Comparison()
        sums = hashlib.sha256(), hashlib.sha256()
        left, right = self._source.memories.entries(scope), self._target.memories.entries(scope)
        here, there = await anext(left, None), await anext(right, None)
        while here is not None or there is not None:
            a, b = _id(here), _id(there)
            if here is not None and a <= b:
                found.source.count += 1
                sums[0].update(_content(here))
            if there is not None and b <= a:
                found.target.count += 1
                sums[1].update(_content(there))
            if here is None or there is None or a != b:
                (found.missing if a < b else found.extra).append(min(a, b))
            elif _content(here) != _content(there) or not _close(here.vector, there.vector):
                found.differing.append(a)
            here = await anext(left, None) if a <= b else here
            there = await anext(right, None) if b <= a else there
        found.source.digest, found.target.digest = (each.hexdigest() for each in sums)
        return found


def _instead(profile: Profile, _: Profile) -> Profile:
    return profile


_LAST: Final = "~"
"""After every id."""


def _id(entry: IndexEntry | None) -> str:
    return _LAST if entry is None else entry.memory.memory_id


def _scope(name: str) -> UserScope:
    tenant, _, user = name.partition("/")
    return UserScope(tenant, user)


def _content(entry: IndexEntry) -> bytes:
    """All of an entry but the numbers of its vector."""
    said = [to_fields(entry.memory), list(entry.terms), entry.asks, entry.timed, entry.vector is not None]
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode()


def _close(a: Vector | None, b: Vector | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=0, atol=_VECTOR_TOLERANCE))


async def _batches(entries: AsyncIterator[IndexEntry]) -> AsyncIterator[list[IndexEntry]]:
    batch: list[IndexEntry] = []
    async for entry in entries:
        batch.append(entry)
        if len(batch) == _TOGETHER:
            yield batch
            batch = []
    if batch:
        yield batch


Contents = dict[str, dict[str, str]]
"""Hashes by id, by user."""


async def _units_by_user(units: LongTermStore) -> Contents:
    found: Contents = defaultdict(dict)
    async for unit in units.all_memunits():
        found[f"{unit.scope.tenant}/{unit.user_id}"][f"{unit.scope.conversation}/{unit.unit_id}"] = unit.content_hash()
    return found


async def _profiles_by_user(units: LongTermStore) -> Contents:
    return {str(scope): {"profile": _profile_hash(profile)} async for scope, profile in units.all_profiles()}


def _profile_hash(profile: Profile) -> str:
    fields = {name: getattr(profile, name) for name in Profile.__slots__}
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list).encode()).hexdigest()


def _compare(source: Contents, target: Contents) -> dict[str, Comparison]:
    return {
        user: _comparison(source.get(user, {}), target.get(user, {})) for user in sorted(source.keys() | target.keys())
    }


def _comparison(source: dict[str, str], target: dict[str, str]) -> Comparison:
    return Comparison(
        _holding(source),
        _holding(target),
        missing=sorted(source.keys() - target.keys()),
        extra=sorted(target.keys() - source.keys()),
        differing=sorted(key for key in source.keys() & target.keys() if source[key] != target[key]),
    )


def _holding(contents: dict[str, str]) -> Holding:
    return Holding(len(contents), hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest())
