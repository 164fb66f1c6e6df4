"""Which labels are one thing: by what somebody has told, never by likeness alone. Nothing is rewritten by it.

A verdict is a record like a link: that two nodes are the same, or that they are not; labels are joined when a graph is
made. What must not be one is refused by guards: two numbers, a thing and its denial, two medicines.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sketch import simplified
from memory.graph.created import TOOL, called, normal
from memory.graph.gist import come_to_one
from memory.graph.shared import labels_of
from memory.graph.triples import KIN
from memory.graph.wording import HAN, UNIT, closed, places
from memory.language.numerals import ENGLISH_NUMBERS, chinese_number
from memory.language.words import listed
from memory.model.change import Op
from memory.model.memory import Category, Kind, Memory, Source, Type, id_of
from memory.privacy.placeholders import tells_nobody
from memory.scope import UserScope

SAME, DIFFERENT, MAYBE = "same", "different", "maybe"
_VERDICTS: Final = frozenset({SAME, DIFFERENT, MAYBE})
LAPSES_MS: Final = 30 * 86_400_000
"""So long a suggestion stands that nobody takes up."""
_NUMBER: Final = re.compile(rf"\d+(?:\.\d+)?(?:\s?(?:{UNIT})(?![a-z]))?")
_CHINESE: Final = re.compile(r"[零〇一二两三四五六七八九十百千]{1,16}(?!川)")
_COUNTED: Final = {word: str(number) for word, number in ENGLISH_NUMBERS.items() if word != "one"}
"""`one` is more often a word than a number."""
_ENGLISH: Final = re.compile(r"[a-z]+")
_LETTER: Final = re.compile(
    r"(?<![\w'\u2019])(?!e-)[b-hj-z](?![\w'\u2019])|(?<=\w[ -])[ai]$|[甲乙丙丁戊](?=[型肝级班方组流队区等]|$)"
)
_DAY_OR_MONTH: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\b"
)
_APART: Final = frozenset({"drug", "allergen", "disease", "operation", "device"})
"""Kinds of words of medicine that are one thing under one name alone; complaints and tests are told in many words."""
_OF_WORDS: Final = frozenset({"numbers", "medical_terms", "places"})
"""Guards that compare words which names of one thing may have in other forms."""
_DEGREE: Final = re.compile(r"(?:[偏过]?[高低]|high |low |raised |elevated )(?=\S)")
_DENIES: Final = re.compile(r"[不没无未非]|\b(?:not|no|never|without|non)\b|n['\u2019]t\b", re.IGNORECASE)


def node_id(scope: UserScope, key: str) -> str:
    """The id by which callers know a node: that of its label in one form and of this user alone; a memory's own.

    No two users have one, whatever their nodes are called, and a label cannot be read from it. The user keeps
    theirs under every name and in every language, a relative under every name.
    """
    kind, is_node, label = key.partition(":")
    room = "person" if kind in {USER, KIN} else "node"
    return id_of(f"{scope}/{room}/{normal(label)}", scope.tenant, scope.user) if is_node else key


def _one_form(key: str) -> str:
    """One key for nodes whose labels look the same."""
    kind, _, label = key.partition(":")
    return f"{kind}:{normal(label)}"


def verdict_id(scope: UserScope, verdict: str, one: str, other: str) -> str:
    """The id of a verdict on two nodes, whichever is named first."""
    first, second = sorted((_one_form(one), _one_form(other)))
    return id_of(f"{scope}/{Kind.LINK}/{verdict}/{first}/{second}", scope.tenant, scope.user)


class Telling(NamedTuple):
    """Who says it (a mind), when, why, and how surely, 0 to 1."""

    told_ms: int
    reason: str = ""
    mind: str = TOOL
    sure: float = 1.0


def verdict(scope: UserScope, word: str, one: str, other: str, telling: Telling) -> Memory:
    """That two nodes, by their keys, are the same, different, or may be the same."""
    told_ms = telling.told_ms
    return Memory(
        memory_id=verdict_id(scope, word, one, other),
        user_id=scope.user,
        kind=Kind.LINK,
        category=Category.SYSTEM,
        type=Type.RELATION,
        text=word,
        source=Source("", "", (), telling.reason),
        occurred_ms=told_ms,
        recorded_ms=told_ms,
        importance=telling.sure,
        subject=_one_form(one),
        predicate=word,
        object=_one_form(other),
        mind=telling.mind,
        valid_from_ms=told_ms,
    )


def is_verdict(record: Memory) -> bool:
    """Whether a link record is a verdict on two nodes."""
    return record.kind is Kind.LINK and record.predicate in _VERDICTS


def merged(records: Iterable[Memory]) -> list[Memory]:
    """The verdicts by which labels are one, those that hold."""
    return _held(records, SAME)


def joined(records: Iterable[Memory]) -> list[tuple[str, str]]:
    """The labels that are the same, by the verdicts that hold."""
    return [(label_of(each.subject), label_of(each.object)) for each in merged(records)]


def apart(records: Iterable[Memory]) -> set[frozenset[str]]:
    """The labels, in one form, that are different, by the verdicts that hold."""
    return {pair_of(each) for each in _held(records, DIFFERENT)}


def pair_of(record: Memory) -> frozenset[str]:
    """The two labels that a verdict is about, in one form."""
    return frozenset((normal(label_of(record.subject)), normal(label_of(record.object))))


class Classes:
    """Which labels are one by the verdicts that hold, and which must not be; labels in one form."""

    def __init__(self, records: Iterable[Memory]) -> None:
        held = list(records)
        self._apart = apart(held)
        self._with: dict[str, set[str]] = {}
        for one, other in joined(held):
            self.join(frozenset((normal(one), normal(other))))

    def join(self, ends: frozenset[str]) -> None:
        """Two labels are one from now on, with all that are one with either."""
        together = set[str]().union(*(self.one_with(label) for label in ends))
        for label in together:
            self._with[label] = together

    def one_with(self, label: str) -> set[str]:
        """All labels that are one with a label, itself too."""
        return self._with.get(label, {label})

    def may_be_one(self, ends: frozenset[str]) -> bool:
        """Whether two labels are not one yet, and nothing forbids it of any two of those that would be one."""
        one, other = (self.one_with(label) for label in sorted(ends))
        if one is other:
            return False
        return not any(guard(a, b) or frozenset((a, b)) in self._apart for a in one for b in other)


def suggested(records: Sequence[Memory], now_ms: int) -> list[Memory]:
    """Of which two labels somebody may say that they are one: nobody has, nor the opposite; the surest first."""
    classes = Classes(records)
    found = [
        each
        for each in _held(records, MAYBE)
        if each.recorded_ms + LAPSES_MS > now_ms and classes.may_be_one(pair_of(each))
    ]
    return sorted(found, key=lambda each: (-each.importance, each.memory_id))


def between(records: Iterable[Memory], one: str, other: str) -> list[Memory]:
    """The verdicts on a way by which one label is the same as another, from the other on; empty: there is none."""
    held = _held(records, SAME)
    came: dict[str, Memory | None] = {normal(one): None}
    frontier = [normal(one)]
    for label in frontier:
        for each in held:
            for beyond in pair_of(each) - {label} if label in pair_of(each) else ():
                if beyond not in came:
                    came[beyond] = each
                    frontier.append(beyond)
    way: list[Memory] = []
    at = normal(other)
    while (step := came.get(at)) is not None:
        way.append(step)
        (at,) = pair_of(step) - {at}
    return way


def _held(records: Iterable[Memory], word: str) -> list[Memory]:
    """Those that hold; of two on one pair that say the opposite at the same time the later."""
    held = [each for each in records if is_verdict(each) and each.holds]
    last = {pair_of(each): each for each in sorted(held, key=_told) if each.predicate != MAYBE}
    return [each for each in held if each.predicate == word and (word == MAYBE or last[pair_of(each)] is each)]


def _told(record: Memory) -> tuple[int, bool]:
    renewed = (each.at_ms for each in reversed(record.changes) if each.op is Op.RENEWED)
    return next(renewed, record.recorded_ms), record.predicate == DIFFERENT


def label_of(key: str) -> str:
    """The label of a node, which its key holds behind its kind; empty for a memory."""
    return key.partition(":")[2]


def guard(one: str, other: str) -> str:
    """Which guard forbids that two labels are one thing; empty: none does.

    Those that compare words forbid nothing where two labels come to the same names, days and amounts: 15:30 and
    下午三点半.
    """
    if tells_nobody(one) or tells_nobody(other):
        return "redacted"
    against = _against(one, other)
    return "" if against in _OF_WORDS and come_to_one(one, other) else against


def _against(one: str, other: str) -> str:
    a, b = (closed(text) if HAN.search(text) else text for text in (simplified(normal(one)), simplified(normal(other))))
    if term_of(a)[1] and term_of(a) == term_of(b):  # two names of one medicine
        return ""
    bare, other_bare = _without_terms(a), _without_terms(b)  # 三七 and 无花果 count and deny nothing
    if _numbers(bare) != _numbers(other_bare):
        return "numbers"
    if _opposed(a, b):
        return "opposites"
    if _bare_of_degree(a) == b or _bare_of_degree(b) == a:
        return "degree"
    if (_DENIES.search(bare) is None) != (_DENIES.search(other_bare) is None):
        return "denial"
    return _other_terms(a, b)


def differs(description: str, said: str) -> bool:
    """Whether a description names a number, an opposite, a place or a word of medicine that what was said does not."""
    a, b = simplified(normal(description)), simplified(normal(said))
    if not set(_numbers(_without_terms(a))) <= set(_numbers(b)) or _opposed(a, b):
        return True
    named, told = (frozenset(concept for _, concept in _terms(text)) for text in (a, b))
    return not named <= told or any(place in a and place not in b for place in places())


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
    return [each.memory_id for each in verdicts if not pair_of(each) <= said]


def term_of(text: str) -> tuple[str, str]:
    """The word of medicine that a label is as a whole: its kind and what it means; empty for another."""
    found = in_use().lexicon.mentions(text)
    whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return (found[0].kind, in_use().lexicon.concept_of(found[0].term)) if whole else ("", "")


def _terms(text: str) -> list[tuple[str, str]]:
    """The words of medicine in a text that are one thing under one name alone: their kinds and what they mean."""
    lexicon = in_use().lexicon
    return [(each.kind, lexicon.concept_of(each.term)) for each in lexicon.mentions(text) if each.kind in _APART]


def _without_terms(text: str) -> str:
    """A label without the words of medicine in it, and without a place."""
    if text in places():
        return ""
    for found in reversed(in_use().lexicon.mentions(text)):
        text = text[: found.start] + text[found.end :]
    return text


def _numbers(text: str) -> list[str]:
    """What counts or tells apart: numbers as digits, letters that stand alone (plan B), days and months."""
    found = [each.replace(" ", "") for each in _NUMBER.findall(text)]
    found += [str(chinese_number(each)) for each in _CHINESE.findall(text)]
    found += [_COUNTED[word] for word in _ENGLISH.findall(text) if word in _COUNTED]
    return sorted([*found, *_LETTER.findall(text), *_DAY_OR_MONTH.findall(text)])


def _opposed(a: str, b: str) -> bool:
    """Whether one has a word where the other has its opposite."""
    for line in (*listed("zh", "opposites"), *listed("en", "opposites")):
        left, right = line.split()
        for here, there in ((left, right), (right, left)):
            if _has(a, here) and _has(b, there) and not _has(a, there) and not _has(b, here):
                return True
    return False


def _bare_of_degree(text: str) -> str:
    """What a label says is high or low: 血压 of 高血压; empty where it says so of nothing."""
    found = _DEGREE.match(text)
    return text[found.end() :].strip() if found else ""


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() and not word.endswith("-") else
                     re.escape(word.rstrip("-")), text) is not None  # fmt: skip


def _other_terms(a: str, b: str) -> str:
    """Two medicines, diseases or operations of other names, or two places."""
    here, there = (dict(_terms(text)) for text in (a, b))
    if any(here[kind] != there[kind] for kind in here.keys() & there.keys()):
        return "medical_terms"
    return "places" if a != b and {a, b} <= places() else ""
