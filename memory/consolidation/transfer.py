"""Memories as records that go to another store: read and checked, made another user's, and indexed. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from memory.consolidation.derive import flags, indexed
from memory.graph.identity import is_verdict, verdict_id
from memory.graph.links import link_id
from memory.model.change import Change
from memory.model.memory import Category, Kind, Memory, from_fields, id_of, is_marked, mark_of, to_fields, user_key
from memory.model.profile import SAFETY_KINDS, Profile, ProfileChange, apply_change, require_room
from memory.model.relations import RELATIONS
from memory.model.search import IndexEntry
from memory.model.transfer_calls import RECORD_ID, MemoryRecord, ProfileRecord, ToldProfile
from memory.scope import UserScope

_TOLD: Final = ("name", *SAFETY_KINDS, "preferences")
"""What of a profile is told by callers."""
_PROFILE: Final = "profile"
"""What a record has that is no memory."""
_STAGE: Final = "stage"
"""A word on the index, not on the memory."""
_ID: Final = re.compile(RECORD_ID)
_USUAL: Final = {
    each.name: each.default_factory() if each.default_factory is not MISSING else each.default
    for each in fields(Memory)
    if each.default is not MISSING or each.default_factory is not MISSING
}
_CATEGORIES: Final[Mapping[Kind, tuple[Category, ...]]] = {
    Kind.EPISODE: (Category.EPISODE, Category.FACT),
    Kind.FACT: (Category.FACT, Category.CORE),
    Kind.EVENT: (Category.FACT, Category.CORE),
    Kind.CREATED: (Category.FACT, Category.CORE),
    Kind.LINK: (Category.SYSTEM,),
}
"""How memories of a kind may fade."""
_SAID: Final = ("subject", "predicate", "object")
_WORDS: Final = ("text", "subject", "object", "attributes")
"""Of what a change notes, what somebody has said."""

Text = Callable[[str], str]


class Fault(NamedTuple):
    """Why a record cannot be imported: a word of `memory.service.transfer_words`, and what it is about."""

    word: str
    what: str = ""


def record_of(memory: Memory) -> dict[str, Any]:
    """Plain JSON values of a memory, for a MemoryRecord: what is as it mostly is, is left out."""
    every = to_fields(memory)
    return {
        name: value for name, value in every.items() if name != _STAGE and (name not in _USUAL or value != _USUAL[name])
    }


def told_record(profile: Profile) -> dict[str, Any] | None:
    """What callers have told of a user, for a ProfileRecord; None: nothing."""
    told = {name: value for name in _TOLD if (value := getattr(profile, name))}
    return {"user_id": profile.user_id, "profile": _plain(told)} if told else None


def _plain(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


def with_told(profile: Profile, told: ToldProfile) -> Profile:
    """A profile with what was told elsewhere: what is there stays. Raises InvalidInput where there is no room."""
    change = ProfileChange(
        add={kind: getattr(told, kind) for kind in SAFETY_KINDS},
        preferences={name: value for name, value in told.preferences.items() if name not in profile.preferences},
        name=None if profile.name else told.name,
    )
    return require_room(profile, apply_change(profile, change))


def read(record: Mapping[str, Any]) -> Memory | ToldProfile | Fault:
    """The memory that a record is, or what was told of a user; or what is wrong with it."""
    try:
        if _PROFILE in record:
            return ProfileRecord.model_validate(record).profile
        memory = from_fields(MemoryRecord.model_validate(record).model_dump())
    except ValidationError as error:
        return _fault(error)
    return _unlikely(memory) or memory


def _fault(error: ValidationError) -> Fault:
    """The first thing that is wrong."""
    problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
    word = {"extra_forbidden": "unknown", "missing": "missing", "string_too_long": "long", "too_long": "long"}
    return Fault(word.get(problem["type"], "wrong"), ".".join(map(str, problem["loc"])))


def _unlikely(memory: Memory) -> Fault | None:
    """What is well-formed, and yet no memory."""
    if memory.kind is Kind.PROFILE:
        return Fault("profile")
    if memory.category not in _CATEGORIES[memory.kind]:
        return Fault("category", memory.category)
    if memory.kind in {Kind.FACT, Kind.LINK} and (lacking := [name for name in _SAID if not getattr(memory, name)]):
        return Fault("missing", lacking[0])
    if memory.kind is Kind.LINK and not _joins(memory):
        return Fault("wrong", "predicate")
    since, until = memory.valid_from_ms, memory.valid_to_ms
    if since is not None and until is not None and until < since and not memory.superseded_by:
        return Fault("order")
    numbers = [each.number for each in memory.changes]
    return None if numbers == sorted(set(numbers)) else Fault("wrong", "changes")


def _joins(link: Memory) -> bool:
    """Whether it joins two memories, or is a verdict on two nodes."""
    ends = (link.subject, link.object)
    return is_verdict(link) or (link.predicate in RELATIONS and all(map(_ID.match, ends)))


def made_theirs(memory: Memory, scope: UserScope) -> Memory:
    """The memory as this user's: its ids stay where they are this user's, else they follow from what they were.

    Whatever it names of its old owner's is named as it will be itself, without being looked at.
    """
    memory = replace(memory, user_id=scope.user)
    if is_marked(memory.memory_id, user_key(scope.tenant, scope.user)):
        return memory
    mark = mark_of(memory.memory_id)

    def renamed(text: str) -> str:
        return _copied(scope, text) if _ID.match(text) and is_marked(text, mark) else text

    source, changes = memory.source, [_renamed_change(each, renamed) for each in memory.changes]
    made = replace(
        memory,
        memory_id=_copied(scope, memory.memory_id),
        subject=renamed(memory.subject),
        object=renamed(memory.object),
        superseded_by=renamed(memory.superseded_by),
        attributes={name: renamed(said) for name, said in memory.attributes.items()},
        # the dialogue does not come along, and of whoever has it none is shown to another
        source=replace(source, unit_id=_copied(scope, source.unit_id) if source.unit_id else ""),
        changes=tuple(changes),
    )
    return replace(made, memory_id=_joining_id(scope, made)) if made.kind is Kind.LINK else made


def _copied(scope: UserScope, name: str) -> str:
    """The id that stands for another user's, or another tenant's, in this user's memories."""
    return id_of(f"{scope}/copy/{name}", scope.tenant, scope.user)


def _joining_id(scope: UserScope, link: Memory) -> str:
    """That of the same link, or verdict, told here: what joins the same is the same."""
    if is_verdict(link):
        return verdict_id(scope, link.predicate, link.subject, link.object)
    return link_id(scope, link.subject, link.predicate, link.object)


def _renamed_change(change: Change, renamed: Text) -> Change:
    item, dot, rest = change.decides.partition(".")
    return replace(
        change,
        before=_each(change.before, renamed),
        after=_each(change.after, renamed),
        decides=renamed(item) + dot + rest,
        of=renamed(change.of),
    )


def _each(noted: Mapping[str, Any], text: Text) -> dict[str, Any]:
    """With every text, also those of attributes."""
    return {
        name: text(value) if isinstance(value, str) else _each(value, text) if isinstance(value, Mapping) else value
        for name, value in noted.items()
    }


def covered(memory: Memory, cover: Text) -> Memory:
    """As the store may have it: what somebody has said, in the memory and in its changes. Ids stay."""

    def text(said: str) -> str:
        return said if _ID.match(said) else cover(said)

    def change(each: Change) -> Change:
        before, after = (
            {**noted, **_each({name: noted[name] for name in _WORDS if name in noted}, text)}
            for noted in (each.before, each.after)
        )
        return replace(each, why=text(each.why), before=before, after=after)

    return replace(
        memory,
        text=text(memory.text),
        subject=text(memory.subject),
        object=text(memory.object),
        attributes={name: text(said) for name, said in memory.attributes.items()},
        source=replace(memory.source, quote=text(memory.source.quote)),
        changes=tuple(map(change, memory.changes)),
    )


def entries_of(memories: Sequence[Memory]) -> list[IndexEntry]:
    """Index entries, found by their words; all but links are open, to be completed as reindexing makes them."""
    return [
        IndexEntry(each, indexed(each).terms, None, *flags(each), is_open=each.kind is not Kind.LINK)
        for each in memories
    ]
