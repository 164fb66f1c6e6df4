"""A memory: a long-term record that was derived from a MemUnit and says where it comes from."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, get_args

from memory.model.change import Change, change_fields, change_of
from memory.model.memunit import NAMESPACE
from memory.scope import ConversationScope

PASSAGE_CHARS_MAX: Final = 4_000
_MARK_DIGITS: Final = 8


class Kind(StrEnum):
    """What a memory is. An episode is a stretch of dialogue, or one message of it.

    A created one was made by a tool call (CreateMemory); a link joins two others and is never searched for itself.
    """

    EPISODE = "episode"
    FACT = "fact"
    EVENT = "event"
    PROFILE = "profile"
    CREATED = "created"
    LINK = "link"


class Category(StrEnum):
    """How a memory fades (memory/retrieval/decay.py). `system` and `core` never do."""

    SYSTEM = "system"
    CORE = "core"
    FACT = "fact"
    EPISODE = "episode"


TOLD_KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.LINK)
"""What says something by itself."""
StateName = Literal["held", "ended", "superseded", "archived"]
STATES: Final = get_args(StateName)
CALLER: Final = "caller"
"""Who made a fact that was told as a triple, where others name a mind."""
STAGED: Final = "staged"
CONSOLIDATED: Final = "consolidated"


class Type(StrEnum):
    """What a memory is about: it decides the rate of an exponential decay."""

    EVENT = "event"
    FACT = "fact"
    RELATION = "relation"
    OPINION = "opinion"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from: messages of a conversation by seq, and words that stand in them."""

    conversation: str
    unit_id: str
    seqs: Sequence[int]
    quote: str


@dataclass(frozen=True, slots=True)
class Memory:
    """One record. Times are milliseconds since the epoch; None: not set, without an end.

    `speaker` and `position` (its seq) are those of the message that an episode's passage is; `mind` names what
    derived it. A fact has subject, predicate, object, polarity ("+" or "-") and attributes: what else is said of it.
    `strength` is what uses have added, `importance` how much it matters (0..1). `shown`: in how many contexts it stood,
    the last time at `accessed_ms`; `accesses`: how many answers rested on it, the last one of `boosted_ms`. A link's
    subject and object are the ids of what it joins, its predicate is the relation. `stage`: "staged" while its index
    entry is still to be completed, else empty. `updated_ms`: when a caller last changed it; None: nobody has.
    `kept_ms`: when somebody last decided that it is kept: from then on it fades anew, `kept_scale` times as much as it
    would have by itself. `reviewed_ms`: when a question about it was last decided. `changes`: the oldest first.
    """

    memory_id: str
    user_id: str
    kind: Kind
    category: Category
    type: Type
    text: str
    source: Source
    occurred_ms: int
    recorded_ms: int
    importance: float = 0.5
    strength: float = 1.0
    subject: str = ""
    predicate: str = ""
    object: str = ""
    polarity: str = "+"
    attributes: Mapping[str, str] = field(default_factory=dict)
    speaker: str = ""
    position: int = 0
    mind: str = "rules"
    valid_from_ms: int | None = None
    valid_to_ms: int | None = None
    superseded_by: str = ""
    archived_ms: int | None = None
    accesses: int = 0
    accessed_ms: int | None = None
    boost_day: int = 0
    boosted: float = 0.0
    """Strength that uses have added on day number `boost_day` (days since the epoch)."""
    shown: int = 0
    boosted_ms: int | None = None
    stage: str = ""
    updated_ms: int | None = None
    kept_ms: int | None = None
    kept_scale: float = 1.0
    reviewed_ms: int | None = None
    changes: Sequence[Change] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing has ended it or taken its place."""
        return self.valid_to_ms is None and not self.superseded_by

    @property
    def held_from_ms(self) -> int:
        """Since when it is so: since it happened where nothing else is known."""
        return self.occurred_ms if self.valid_from_ms is None else self.valid_from_ms

    @property
    def state(self) -> StateName:
        """How it stands: the first of archived, superseded, ended, that it is, else held."""
        if self.archived_ms is not None:
            return "archived"
        if self.superseded_by:
            return "superseded"
        return "held" if self.holds else "ended"

    @property
    def is_verified(self) -> bool:
        """Whether somebody has said so themself: what a person confirms or puts right is told by them, too."""
        return self.mind == CALLER

    @property
    def fading_since_ms(self) -> int:
        """From when its time is counted: its last access, or that it was kept, else its record."""
        return max(self.accessed_ms or 0, self.kept_ms or 0) or self.recorded_ms


def memory_id(scope: ConversationScope, user: str, seqs: Sequence[int], kind: Kind, content: str) -> str:
    """Deterministic id: of tenant, conversation, seq range, kind and hash of the content, and its user.

    What derives the same memory again from the same messages writes the same record again.
    """
    digest = hashlib.sha256(content.encode()).hexdigest()
    return id_of(f"{scope}/{min(seqs)}-{max(seqs)}/{kind}/{digest}", scope.tenant, user)


def fact_id(scope: ConversationScope, user: str, seq: int, triple: tuple[str, str, str], polarity: str) -> str:
    """The id of a fact that message `seq` tells: also before it is stored, for who has read it of that message."""
    return memory_id(scope, user, (seq,), Kind.FACT, "\n".join((*triple, polarity)))


def id_of(name: str, tenant: str, user: str) -> str:
    """The id that a name stands for: its uuid5, the last digits of which are the user's mark.

    By the mark a store that keeps users apart knows where to look for a record of which only the id is known.
    """
    return str(uuid.uuid5(NAMESPACE, name))[:-_MARK_DIGITS] + user_key(tenant, user)[:_MARK_DIGITS]


def user_key(tenant: str, user: str) -> str:
    """64 hexadecimal digits that stand for a user."""
    return hashlib.sha256(f"{tenant}/{user}".encode()).hexdigest()


def is_marked(memory_id: str, key: str) -> bool:
    """Whether an id may be that of a record of the user with this key."""
    return mark_of(memory_id) == key[:_MARK_DIGITS]


def mark_of(memory_id: str) -> str:
    """The mark of the user whose record it is: the beginning of the user's key."""
    return memory_id[-_MARK_DIGITS:]


def to_fields(memory: Memory) -> dict[str, object]:
    """Plain JSON values of every field; the inverse of `from_fields`. What most records do not have is left out."""
    fields: dict[str, object] = {name: getattr(memory, name) for name in _ALWAYS}
    fields |= {name: value for name in _SELDOM if (value := getattr(memory, name)) != _SELDOM[name]}
    if memory.changes:
        fields["changes"] = [change_fields(each) for each in memory.changes]
    source = memory.source
    fields["source"] = {
        "conversation": source.conversation,
        "unit_id": source.unit_id,
        "seqs": list(source.seqs),
        "quote": source.quote,
    }
    return fields


def from_fields(fields: Mapping[str, Any]) -> Memory:
    """The memory that `to_fields` took apart. A field that a later program has added is passed over."""
    source = fields["source"]
    return Memory(
        **{name: value for name, value in fields.items() if name in _PLAIN},
        kind=_KINDS[fields["kind"]],
        category=_CATEGORIES[fields["category"]],
        type=_TYPES[fields["type"]],
        source=Source(source["conversation"], source["unit_id"], tuple(source["seqs"]), source["quote"]),
        changes=tuple(map(change_of, fields.get("changes", ()))),
    )


_SELDOM: Final = {"kept_ms": None, "kept_scale": 1.0, "reviewed_ms": None}
_ALWAYS: Final = tuple(name for name in Memory.__slots__ if name not in {"source", "changes", *_SELDOM})
_PLAIN: Final = frozenset(Memory.__slots__) - {"kind", "category", "type", "source", "changes"}
_KINDS: Final = {str(each): each for each in Kind}
_CATEGORIES: Final = {str(each): each for each in Category}
_TYPES: Final = {str(each): each for each in Type}
