"""CreateMemory: what a tool call says, as a memory. Said again it is the same one."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from memory.clinical.people import USER
from memory.language.choice import has_han
from memory.model.memory import STAGED, Category, Kind, Memory, Source, Type, id_of
from memory.scope import UserScope

TOOL: Final = "tool"
"""The mind of what a tool call made."""
ASSISTANT: Final = "assistant"
_ME: Final = ("我", "用户", "本人", "我自己", "user", "the user", "i", "me", "myself")
_SPEAKS: Final = ("自己", "患者", "病人", "the patient", "patient")
"""Who a bot of a clinic writes that the user is, as a subject: it writes of whom it speaks with."""
_PERSONS: Final = {
    **dict.fromkeys((*_ME, *_SPEAKS), USER),
    **dict.fromkeys(("你", "助手", "ai助手", "ai", "assistant", "the assistant", "you"), ASSISTANT),
}
_LABELS: Final = {USER: {"zh": "用户", "en": "user"}, ASSISTANT: {"zh": "助手", "en": "assistant"}}
_NOT: Final = {"zh": "并非：", "en": "not: "}
_SPACE: Final = re.compile(r"\s+")
_POWERS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_RAISED: Final = re.compile(rf"(?<=\d)(?:[{_POWERS}]+|[\u00bc-\u00be\u2150-\u215e])")


@dataclass(frozen=True, slots=True)
class Creation:
    """What is to be remembered. Times are ms; `happened_ms`: when it was, where that is known.

    `polarity` "-": it is not so. `seqs`: the messages of `conversation` that say it.
    """

    subject: str
    type: Type
    topic: str
    told_ms: int
    object: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    importance: float = 0.5
    polarity: str = "+"
    conversation: str = ""
    seqs: Sequence[int] = ()
    quote: str = ""
    happened_ms: int | None = None


def whom(subject: str) -> str:
    """Who is meant: `user` for 我 and I, `assistant` for 你 and you, else the name as it is."""
    return _PERSONS.get(normal(subject), subject)


def to_whom(relation: Creation) -> str:
    """What a memory's object is: `user` for 我 and me, to whom somebody stands in a relation; else as it is."""
    is_user = relation.type is Type.RELATION and normal(relation.object) in _ME
    return USER if is_user else relation.object


def names_of(subject: str) -> tuple[str, ...]:
    """What a subject may be called, in every language."""
    return (*_LABELS.get(subject, {}).values(), subject)


def called(subject: str, locale: str) -> str:
    """What a reader calls a subject, or an object that is the user."""
    return _LABELS[subject][locale] if subject in _LABELS else subject


@lru_cache(maxsize=100_000)
def normal(label: str) -> str:
    """One form of labels that look the same: width, case and spaces do not count. Every word does, and every power."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", _RAISED.sub(_apart, label))).strip().casefold()


def _apart(raised: re.Match[str]) -> str:
    """10⁵ is no 105, and 1½ no 11⁄2."""
    return f"^{raised[0]}" if raised[0][0] in _POWERS else f" {raised[0]}"


def created(scope: UserScope, creation: Creation, *, stage: str = STAGED) -> Memory:
    """The memory. An event of no known time counts once a conversation; any other counts once."""
    subject, creation = whom(creation.subject), replace(creation, object=to_whom(creation))
    happened_ms = creation.told_ms if creation.happened_ms is None else creation.happened_ms
    return Memory(
        memory_id=id_of(f"{scope}/{Kind.CREATED}/{_digest(subject, creation)}", scope.tenant, scope.user),
        user_id=scope.user,
        kind=Kind.CREATED,
        category=Category.FACT,  # a tool call is an agent's word: it makes nothing that safety rests on
        type=creation.type,
        text=sentence(subject, creation),
        source=Source(creation.conversation, "", tuple(creation.seqs), creation.quote),
        occurred_ms=happened_ms,
        recorded_ms=creation.told_ms,
        importance=creation.importance,
        subject=subject,
        predicate=creation.topic,
        object=creation.object,
        polarity=creation.polarity,
        attributes=dict(creation.attributes),
        mind=TOOL,
        valid_from_ms=happened_ms,
        stage=stage,
    )


def anew(scope: UserScope, made: Memory, turn: int) -> Memory:
    """The same told another time, after what stood there ended or was changed: a record of its own."""
    name = f"{scope}/{Kind.CREATED}/{made.memory_id}/{turn}"
    return replace(made, memory_id=id_of(name, scope.tenant, scope.user))


def says_the_same(one: Memory, other: Memory) -> bool:
    """Whether two created memories have the same parts, whatever they are called by."""
    first, second = (_parts(each.subject, _creation_of(each)) for each in (one, other))
    return first == second


def retold(memory: Memory) -> Memory:
    """A created memory whose attributes have changed, with the sentence that says them."""
    return replace(memory, text=sentence(memory.subject, _creation_of(memory)))


def is_reworded(memory: Memory) -> bool:
    """Whether somebody put its words right: they are not the sentence that says its parts, in either language."""
    creation = _creation_of(memory)
    said = (sentence(memory.subject, replace(creation, subject=who)) for who in (memory.subject, *_PERSONS))
    return memory.text not in set(said)


def _creation_of(memory: Memory) -> Creation:
    return Creation(
        subject=memory.subject,
        type=memory.type,
        topic=memory.predicate,
        told_ms=memory.recorded_ms,
        object=memory.object,
        attributes=memory.attributes,
        polarity=memory.polarity,
        quote=memory.source.quote,
    )


def sentence(subject: str, creation: Creation) -> str:
    """What is remembered in words that stand alone, in the language of its words."""
    said = (creation.topic, creation.object, creation.quote, *creation.attributes.values(), creation.subject)
    locale = "zh" if any(map(has_han, said)) else "en"
    denied = _NOT[locale] if creation.polarity == "-" else ""
    attributes = [(key, value) for key, value in creation.attributes.items() if value]
    to = called(creation.object, locale) if creation.type is Type.RELATION else creation.object
    if locale == "zh":
        core = f"{denied}{called(subject, locale)}{creation.topic}" + (f"：{to}" if to else "")
        more = "，".join(f"{key}：{value}" for key, value in attributes)
        return f"{core}（{more}）" if more else core
    core = f"{denied}{called(subject, locale)} – {creation.topic}" + (f": {to}" if to else "")
    more = ", ".join(f"{key}: {value}" for key, value in attributes)
    return f"{core} ({more})" if more else core


def _parts(subject: str, creation: Creation) -> list[object]:
    return [
        creation.type,
        normal(subject),
        normal(creation.topic),
        normal(creation.object),
        creation.polarity,
        sorted((normal(key), normal(value)) for key, value in creation.attributes.items()),
    ]


def _digest(subject: str, creation: Creation) -> str:
    parts = _parts(subject, creation)
    if creation.type is Type.EVENT and creation.happened_ms is None:
        parts.append(creation.conversation)
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
