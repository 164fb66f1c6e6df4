"""Which labels are one thing: by what somebody has told, never by likeness alone. Nothing is rewritten by it.

A verdict is a record like a link: that two nodes are the same, or that they are not; labels are joined when a graph is
made. What must not be one is refused by guards: two numbers, a thing and its denial, two medicines.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Final

from memory.clinical.languages import in_use
from memory.graph.created import TOOL, called, normal
from memory.graph.links import holds
from memory.graph.shared import labels_of
from memory.language.words import listed
from memory.model.memory import Category, Kind, Memory, Source, Type, id_of
from memory.scope import UserScope

SAME, DIFFERENT = "same", "different"
_VERDICTS: Final = frozenset({SAME, DIFFERENT})
_UNIT: Final = "mg|mcg|ug|μg|g|kg|ml|l|cm|mm|m|%"
_NUMBER: Final = re.compile(rf"\d+(?:\.\d+)?(?:\s?(?:{_UNIT}))?|[零一二两三四五六七八九十百千]+")
_DIGITS: Final = {sign: str(number) for number, sign in enumerate("零一二三四五六七八九")} | {"两": "2", "十": "10"}
_DENIES: Final = re.compile(r"[不没无未非]|\b(?:not|no|never|without|non)\b|n['\u2019]t\b", re.IGNORECASE)


def verdict_id(scope: UserScope, verdict: str, one: str, other: str) -> str:
    """The id of a verdict on two nodes, whichever is named first."""
    first, second = sorted((one, other))
    return id_of(f"{scope}/{Kind.LINK}/{verdict}/{first}/{second}", scope.tenant, scope.user)


def verdict(scope: UserScope, word: str, one: str, other: str, *, reason: str, told_ms: int) -> Memory:
    """That two nodes, by their ids, are the same or different."""
    return Memory(
        memory_id=verdict_id(scope, word, one, other),
        user_id=scope.user,
        kind=Kind.LINK,
        category=Category.SYSTEM,
        type=Type.RELATION,
        text=word,
        source=Source("", "", (), reason),
        occurred_ms=told_ms,
        recorded_ms=told_ms,
        importance=1.0,
        subject=one,
        predicate=word,
        object=other,
        mind=TOOL,
        valid_from_ms=told_ms,
    )


def is_verdict(record: Memory) -> bool:
    """Whether a link record is a verdict on two nodes."""
    return record.kind is Kind.LINK and record.predicate in _VERDICTS


def joined(records: Iterable[Memory]) -> list[tuple[str, str]]:
    """The labels that are the same, by the verdicts that hold."""
    return [(_label(each.subject), _label(each.object)) for each in _held(records, SAME)]


def apart(records: Iterable[Memory]) -> set[frozenset[str]]:
    """The labels, in one form, that are different, by the verdicts that hold."""
    return {_ends(each) for each in _held(records, DIFFERENT)}


def between(records: Iterable[Memory], one: str, other: str) -> list[Memory]:
    """The verdicts on a way by which one label is the same as another, from the other on; empty: there is none."""
    held = _held(records, SAME)
    came: dict[str, Memory | None] = {normal(one): None}
    frontier = [normal(one)]
    for label in frontier:
        for each in held:
            for beyond in _ends(each) - {label} if label in _ends(each) else ():
                if beyond not in came:
                    came[beyond] = each
                    frontier.append(beyond)
    way: list[Memory] = []
    at = normal(other)
    while (step := came.get(at)) is not None:
        way.append(step)
        (at,) = _ends(step) - {at}
    return way


def _held(records: Iterable[Memory], word: str) -> list[Memory]:
    return [each for each in records if is_verdict(each) and each.predicate == word and holds(each)]


def _ends(record: Memory) -> frozenset[str]:
    """The two labels of a verdict, in one form."""
    return frozenset((normal(_label(record.subject)), normal(_label(record.object))))


def _label(node_id: str) -> str:
    """The label of a node, which its id holds behind its kind."""
    return node_id.partition(":")[2]


def guard(one: str, other: str) -> str:
    """Which guard forbids that two labels are one thing; empty: none does."""
    a, b = normal(one), normal(other)
    if _term(a)[1] and _term(a) == _term(b):  # two names of one medicine
        return ""
    bare, other_bare = _without_terms(a), _without_terms(b)  # 三七 and 无花果 count and deny nothing
    if _numbers(bare) != _numbers(other_bare):
        return "numbers"
    if _opposed(a, b):
        return "opposites"
    if (_DENIES.search(bare) is None) != (_DENIES.search(other_bare) is None):
        return "denial"
    return _other_terms(a, b)


def without_labels(every: Sequence[Memory], gone: Collection[str]) -> list[str]:
    """Ids of the verdicts on a label that no memory says any more once these are gone."""
    verdicts = [each for each in every if is_verdict(each)]
    if not verdicts:
        return []
    said: set[str] = set()
    for memory in every:
        if memory.memory_id not in gone:
            said |= labels_of(memory)
            said |= {normal(called(memory.subject, locale)) for locale in ("zh", "en")}
    return [
        each.memory_id for each in verdicts if not {normal(_label(each.subject)), normal(_label(each.object))} <= said
    ]


def _term(text: str) -> tuple[str, str]:
    """The word of medicine that a label is as a whole: its kind and name; empty for another."""
    found = in_use().lexicon.mentions(text)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return (found[0].kind, found[0].term.name) if whole else ("", "")


def _without_terms(text: str) -> str:
    """A label without the words of medicine in it, and without a place."""
    if text in _places():
        return ""
    for found in reversed(in_use().lexicon.mentions(text)):
        text = text[: found.start] + text[found.end :]
    return text


@cache
def _places() -> frozenset[str]:
    return frozenset(normal(each) for each in (*listed("zh", "places"), *listed("en", "places")))


def _numbers(text: str) -> list[str]:
    return sorted("".join(_DIGITS.get(sign, sign) for sign in found if sign != " ") for found in _NUMBER.findall(text))


def _opposed(a: str, b: str) -> bool:
    """Whether one has a word where the other has its opposite."""
    for line in (*listed("zh", "opposites"), *listed("en", "opposites")):
        left, right = line.split()
        for here, there in ((left, right), (right, left)):
            if _has(a, here) and _has(b, there) and not _has(a, there) and not _has(b, here):
                return True
    return False


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() and not word.endswith("-") else
                     re.escape(word.rstrip("-")), text) is not None  # fmt: skip


def _other_terms(a: str, b: str) -> str:
    """Two words of medicine of other names, or two places."""
    here, there = ({each.kind: each.term.name for each in in_use().lexicon.mentions(text)} for text in (a, b))
    if any(here[kind] != there[kind] for kind in here.keys() & there.keys()):
        return "medical_terms"
    return "places" if a != b and {a, b} <= _places() else ""
