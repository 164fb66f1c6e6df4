"""Which memory a description means: by how much of its own words stand in what is remembered, and the reverse.

A model that joins two memories names them in words ("我今天不开心"), not by their ids. What it says is short, and one
word decides (开心, 不开心): signs and stems are compared, negations among them, and no word that only ties others.
"""

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final, NamedTuple

from memory.clinical.people import USER
from memory.graph.created import ASSISTANT, normal
from memory.graph.identity import differs
from memory.graph.wording import relatives_in
from memory.language.coreference.zh.words import SURNAMES
from memory.language.dates.reading import DateSpan, find_dates
from memory.language.terms import normalise, terms
from memory.model.memory import Memory, Type
from memory.zones import clock_at

SURE: Final = 0.7
"""Below this nothing is meant."""
LEAD: Final = 0.1
"""By so much the best must be ahead of the next."""
_OWN_SHARE: Final = 0.8
_UNLIKE: Final = 0.6
"""What one of these takes, so that nothing is meant: another day, a denial, another number, somebody else."""
_NICKNAMED: Final = re.compile(r"[小老阿][\u4e00-\u9fff](?=的|说|在|把|跟|和)")
_BY_ROLE: Final = re.compile(
    r"同事|朋友|室友|同学|邻居|老板|领导|客户|闺蜜|病友|网友|房东"
    r"|\b(?:(?:room|flat|house|class|team)mates?|neighbou?rs?|friends?|colleagues?|co-?workers?|boss|landlord|landlady)\b",
    re.IGNORECASE,
)
"""Who is no relative, by what they are to the user."""
_OWN: Final = re.compile(r"[我俺]|本人|\b(?:i|i'm|i've|my|me|mine)\b", re.IGNORECASE)
_NOBODY_SAID: Final = 0.15
"""What is taken where a description names nobody, and a memory is of somebody else: the user's own comes first."""
_NAME: Final = re.compile(r"(?<=[^.!?] )[A-Z][a-z]+\b|^[A-Z][a-z]+(?= [a-z])")
_NO_NAMES: Final = frozenset(
    ["I", "My", "The", "A", "An", "We", "Our", "It", "In", "On", "At", "For", "To", "She", "He"]
)
_DAY_IN: Final = {"month": "%Y-%m", "year": "%Y"}
_HAN_NAME: Final = re.compile(r"[\u4e00-\u9fff]{2,4}")
_CALLED: Final = re.compile(r"[A-Z][a-z]|^[小老阿][\u4e00-\u9fff]{1,2}$|老师$|医生$|大夫$|同学$")
_SELF: Final = ("我", "me", "us", "用户")
_PASSIVE: Final = re.compile(r"被|挨|让|叫|由|\bby\b")
_COLOUR: Final = re.compile(
    r"[红蓝绿黄黑白紫灰粉橙棕](?=色)|\b(?:red|blue|green|yellow|black|white|purple|gr[ae]y|pink|orange|brown)\b",
    re.IGNORECASE,
)
_WAY: Final = re.compile(r"\b(?:from|to)\b(?= [A-Z])")
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_TIES: Final = frozenset("我你您他她它们的了着过得到在是就都也和与跟把被让给很又再还呢吗吧啊呀这那个用户助手")
_SPEAKERS: Final = frozenset({"user", ASSISTANT, ""})
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|failed|refused?|denie[sd]|deny)\b|n['\u2019]t\b|"
    r"非常|[不没无未非]|否认|拒绝",
    re.IGNORECASE,
)


class Meant(NamedTuple):
    """A memory that a description may mean, and how well it fits, 0 to 1."""

    memory: Memory
    score: float


def ranked(description: str, memories: Sequence[Memory], now: datetime) -> list[Meant]:
    """The memories that a description may mean, the best first; of those that say the same, the last alone.

    A day that it names (今天, yesterday) is one of the memory, not a word of it. `now` is by the user's clock.
    """
    days = find_dates(description, now)
    bare = "".join(_without(description, days)) or description
    asked = _signs(bare) or _signs(description)
    if not asked:
        return []
    found = []
    for memory in memories:
        own, rest = (
            _signs(f"{memory.subject} {memory.text} {memory.source.quote}"),
            _signs(f"{memory.predicate} {memory.object}" if memory.predicate else memory.text),
        )
        common = len(asked & own) / len(asked)
        back = len(asked & rest) / len(rest) if rest else 0.0
        score = _OWN_SHARE * common + (1 - _OWN_SHARE) * back if common else 0.0
        said_so = all(description[day.start : day.end] in memory.text for day in days)
        if (not said_so and not _on(memory, days, now.tzinfo)) or _is_unlike(bare, memory):
            score -= _UNLIKE
        elif _is_anothers(memory) and not _names_anyone(bare):
            score -= _NOBODY_SAID
        found.append(Meant(memory, max(0.0, score)))
    found.sort(key=lambda one: (-one.score, -one.memory.occurred_ms, -one.memory.recorded_ms, one.memory.memory_id))
    return _each_once(found)


def decided(found: Sequence[Meant]) -> Memory | None:
    """The one that is meant; None where none fits, or another fits as well."""
    if not found or found[0].score < SURE:
        return None
    if len(found) > 1 and found[0].score - found[1].score < LEAD:
        return None
    return found[0].memory


def _signs(text: str) -> frozenset[str]:
    folded = normalise(text)
    signs = {sign for sign in _HAN.findall(folded) if sign not in _TIES}
    words = {term for term in terms(folded) if not _HAN.search(term)} - {"user", ASSISTANT}
    return frozenset(signs | words)


def _without(text: str, spans: Sequence[DateSpan]) -> list[str]:
    pieces, at = [], 0
    for span in spans:
        pieces.append(text[at : span.start])
        at = span.end
    return [*pieces, text[at:]]


def _is_unlike(description: str, memory: Memory) -> bool:
    """Whether one word of a description says that another memory is meant, however many others are the same."""
    said = f"{memory.subject} {memory.text} {memory.source.quote}"
    if len(_NEGATED.findall(description)) != len(_NEGATED.findall(memory.text)):
        return True
    if differs(description, said) or not relatives_in(description) <= relatives_in(said):
        return True
    if any(normalise(each) not in normalise(said) for each in _others_in(description)):
        return True
    if _is_turned_round(description, memory) or _says_another(description, said):
        return True
    if _is_anothers(memory) and not _names(memory.subject, description):
        half = not _signs(memory.subject).isdisjoint(_signs(description))  # 小明, of his mother
        if half or _names_anyone(description):
            return True
    return _is_somebody(memory) and not _signs(memory.subject) <= _signs(description)


def _is_turned_round(description: str, memory: Memory) -> bool:
    """Whether whom something was done to does it there: 小李打了小王 is not that 小王 hit 小李."""
    verb = memory.predicate if _HAN.search(memory.predicate) else memory.predicate.partition(" ")[0]
    if not (memory.object and verb) or _PASSIVE.search(description) or _PASSIVE.search(memory.predicate):
        return False
    if not _is_called_like_a_person(memory.object):
        return False
    who = "|".join(map(re.escape, _SELF if memory.subject == USER else (memory.subject,)))
    turned = rf"{re.escape(memory.object)}\s?.{{0,4}}?{re.escape(verb)}(?:\W|.{{0,4}}?)(?:{who})(?![a-z])"
    return re.search(turned, description, re.IGNORECASE) is not None


def _says_another(description: str, said: str) -> bool:
    """Whether it names another colour, or says from where what is remembered says to where."""
    here, there = (
        {each.lower().replace("grey", "gray") for each in _COLOUR.findall(text)} for text in (description, said)
    )
    if here and there and here.isdisjoint(there):
        return True
    ways, others = ({each.lower() for each in _WAY.findall(text)} for text in (description, said))
    return bool(ways and others) and ways.isdisjoint(others)


def _is_called_like_a_person(label: str) -> bool:
    """Whether a label has the form of somebody's name: 王芳, 小明, 李老师; not a word that any thing may have."""
    surname = label[:1] in SURNAMES and _HAN_NAME.fullmatch(label) is not None
    return surname or _CALLED.search(label) is not None


def _is_anothers(memory: Memory) -> bool:
    """Whether it is of a relative, or of somebody else who stands near the user."""
    return bool(relatives_in(memory.subject) or _BY_ROLE.search(memory.subject)) and memory.subject not in _SPEAKERS


def _names_anyone(description: str) -> bool:
    """Whether it says of whom it is: of the user, a relative, or somebody else."""
    return bool(_OWN.search(description) or relatives_in(description) or _others_in(description))


def _names(subject: str, description: str) -> bool:
    """Whether a description names this relative, or this other: both, where it is the mother of somebody."""
    other = _BY_ROLE.search(subject)
    if other and normalise(other[0]) not in normalise(description):
        return False
    return relatives_in(subject) <= relatives_in(description)


def _others_in(description: str) -> set[str]:
    """Whom else it names, but for relatives: those are compared by what they are."""
    names = {each for each in _NAME.findall(description) if each not in _NO_NAMES and not relatives_in(each)}
    return names.union(_BY_ROLE.findall(description), _NICKNAMED.findall(description))


def _is_somebody(memory: Memory) -> bool:
    """Whether it is of a person other than those who speak; relatives are compared by themselves."""
    subject = memory.subject
    if subject in _SPEAKERS or relatives_in(subject):
        return False
    return memory.type is Type.RELATION or _is_called_like_a_person(subject)


def _each_once(found: Sequence[Meant]) -> list[Meant]:
    """Of memories that say the same but for their time, the one that fits best, and of those the last."""
    best: dict[tuple[str, ...], Meant] = {}
    for one in found:
        memory = one.memory
        said = (memory.subject, memory.predicate, memory.object) if memory.predicate else (memory.text,)
        best.setdefault((*map(normal, said), memory.polarity), one)
    return list(best.values())


def _on(memory: Memory, days: Sequence[DateSpan], zone: tzinfo | None) -> bool:
    """Whether it says that day, or is of it: who told it may have had another clock than who asks."""
    moment = clock_at(memory.occurred_ms, zone)
    return any(
        day.begin <= moment < day.until or f"{day.begin:{_DAY_IN.get(day.grain, '%Y-%m-%d')}}" in memory.text
        for day in days
    )
