"""Where MemUnits and profiles lie in Weaviate (docs/decisions/0010): shelves, a directory, and the objects in them.

A shelf is the Weaviate tenant of one user; what belongs to nobody has one shelf a tenant. A shelf holds the user's
profile and MemUnits. The directory, one Weaviate tenant for each tenant, says on which shelf each MemUnit of a
conversation is. Everything is found by its id, in the order of the ids, so no index and no filter decides anything:

- a profile's id is a number that falls with each edition: the first object of a shelf is the newest edition;
- a MemUnit's id is its own;
- an entry's id begins with the hash of its conversation: a conversation's entries stand together.
"""

import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from memory.errors import InvariantBroken
from memory.model.memunit import MemUnit
from memory.model.profile import SAFETY_KINDS, Profile
from memory.scope import ConversationScope, UserScope
from memory.stores.weaviate.driver import DataObject
from memory.stores.weaviate.objects import Stored
from memory.stores.weaviate.records import Properties, before, tenant_name
from memory.stores.weaviate.schema import CONVERSATION, DOCUMENT, MESSAGES, PROFILE

UNIT_BYTES_MAX: Final = 64 * 1024 * 1024
"""Of one MemUnit. The client sends no more than 100 MB at once, and takes seconds for that."""

_EDITIONS: Final = 2**64
_HALF: Final = 8
_PLAIN: Final = tuple(name for name in MemUnit.__slots__ if name not in {"scope", "participants", "messages"})
_PROFILE_PLAIN: Final = ("version", "name", "preferences")

Object = DataObject[Properties, None]


class Entry(NamedTuple):
    """A line of the directory: a MemUnit of a conversation, and the shelf that it is on."""

    entry_id: str
    conversation: str
    unit_id: str
    shelf: str
    session_number: int
    seq_from: int
    seq_to: int


def shelf_of(tenant: str, user: str) -> str:
    """The shelf of a user, or (no user) of what belongs to nobody."""
    return tenant_name(UserScope(tenant, user)) if user else _hash(f"nobody of {tenant}")


def directory_of(tenant: str) -> str:
    """Where a tenant's directory is. No user's shelf has this name: ids have no spaces."""
    return _hash(f"directory of {tenant}")


def entry_of(unit: MemUnit) -> Entry:
    """The line that a MemUnit needs."""
    return Entry(
        entry_id(unit.scope, unit.unit_id),
        _hash(str(unit.scope)),
        unit.unit_id,
        shelf_of(unit.scope.tenant, unit.user_id),
        unit.session_number,
        unit.seq_from,
        unit.seq_to,
    )


def entry_id(scope: ConversationScope, unit_id: str) -> str:
    """The id of a MemUnit's entry."""
    return str(uuid.UUID(bytes=_digest(scope)[:_HALF] + uuid.UUID(unit_id).bytes[_HALF:]))


def before_entries(scope: ConversationScope) -> str:
    """The id before the first that an entry of this conversation can have."""
    return before(str(uuid.UUID(bytes=_digest(scope)[:_HALF] + bytes(_HALF))))


def entry_object(entry: Entry) -> Object:
    """An entry as it is stored. It names nobody: hashes and numbers."""
    return DataObject(properties={DOCUMENT: json.dumps(entry[1:])}, uuid=entry.entry_id)


def is_entry(found: Stored) -> bool:
    """Whether an object that was read with its conversation and profile is an entry: that has neither."""
    return found.properties.get(CONVERSATION) is None and found.properties.get(PROFILE) is None


def entry_in(found: Stored) -> Entry:
    """The entry that was stored."""
    return Entry(found.memory_id, *json.loads(found.properties[DOCUMENT]))


def to_entry(found: Stored, scope: ConversationScope) -> Entry | None:
    """The entry that was stored; None when it is not of this conversation."""
    entry = entry_in(found)
    return entry if entry.conversation == _hash(str(scope)) else None


def unit_object(unit: MemUnit) -> Object:
    """A MemUnit as it is stored. Raises InvariantBroken for one that is too large."""
    if len(unit.messages) > UNIT_BYTES_MAX:
        raise InvariantBroken(f"a MemUnit of {len(unit.messages)} bytes: Weaviate takes up to {UNIT_BYTES_MAX}")
    fields: dict[str, object] = {name: getattr(unit, name) for name in _PLAIN}
    fields |= {"tenant": unit.scope.tenant, "participants": list(unit.participants)}
    properties = {
        CONVERSATION: unit.scope.conversation,
        DOCUMENT: json.dumps(fields, ensure_ascii=False),
        MESSAGES: unit.messages.decode(),
    }
    return DataObject(properties=properties, uuid=unit.unit_id)


def to_unit(properties: Mapping[str, Any]) -> MemUnit:
    """The MemUnit that an object is of."""
    fields = json.loads(properties[DOCUMENT])
    return MemUnit(
        scope=ConversationScope(fields["tenant"], properties[CONVERSATION]),
        participants=tuple(fields["participants"]),
        messages=properties[MESSAGES].encode(),
        **{name: fields[name] for name in _PLAIN},
    )


def ended_ms(properties: Mapping[str, Any]) -> int:
    """When the MemUnit that an object is of ended; its messages need not have been read."""
    return int(json.loads(properties[DOCUMENT])["ended_ms"])


def profile_id(edition: int) -> str:
    """The id of an edition of a profile: a later one stands before it."""
    return str(uuid.UUID(int=_EDITIONS - 1 - edition))


def edition_of(object_id: str) -> int | None:
    """Which edition of the profile an object of a shelf is; None for a MemUnit."""
    number = uuid.UUID(object_id).int
    return _EDITIONS - 1 - number if number < _EDITIONS else None


def profile_object(scope: UserScope, profile: Profile, edition: int) -> Object:
    """An edition of a profile as it is stored. It names the user: the name of the shelf is a hash."""
    owner = {"tenant": scope.tenant, "user": scope.user}
    fields = {"version": profile.version, "name": profile.name, "preferences": dict(profile.preferences)}
    text = json.dumps(owner | fields | profile.safety(), ensure_ascii=False)
    return DataObject(properties={PROFILE: text}, uuid=profile_id(edition))


def owned_profile(properties: Mapping[str, Any]) -> tuple[UserScope, Profile]:
    """The profile that an object is of, and whose it is. A field that a later program has added is passed over."""
    fields = json.loads(properties[PROFILE])
    scope = UserScope(fields["tenant"], fields["user"])
    known: dict[str, Any] = {name: fields[name] for name in _PROFILE_PLAIN}
    return scope, Profile(scope.user, **known | {kind: tuple(fields[kind]) for kind in SAFETY_KINDS})


def _digest(scope: ConversationScope) -> bytes:
    return hashlib.sha256(str(scope).encode()).digest()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
