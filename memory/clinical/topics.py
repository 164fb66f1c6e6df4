"""What a question is after and a passage about, where they share no word: medicines, tests, days, complaints."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from memory.clinical.kin import KIN_EN
from memory.clinical.languages import in_use
from memory.clinical.lexicon import Mention

_SORE: Final = (
    "pain|\\w+ache|rash|wound|cough|fever|swelling|leg|arm|knee|back|head|stomach|tummy|throat|chest|skin|eyes?|ears?"
    "|foot|feet|ankle|wrist|hips?|shoulder|neck|breathing|sleep|mood"
)
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    "drug": re.compile(
        r"药|吃的|medic|tablet|pill|\bdose|painkiller|antidepress|prescri|\bdrug|contracept|inhaler|cream",
        re.IGNORECASE,
    ),
    "test": re.compile(
        r"检查|化验|片子|结果|数值|试验|指标|报告|\btest|\bscan|result|reading|blood|x-?ray|\bshow", re.IGNORECASE
    ),
    "visit": re.compile(
        r"复查|复诊|预约|挂号|的号|哪天|几号|门诊|产检|appointment|appt|follow.?up|clinic|\bvisit|booked|when am i"
        r"|what (?:day|time)|which day",
        re.IGNORECASE,
    ),
    "complaint": re.compile(
        r"哪(?:里|儿|些地方)?(?:不舒服|不适|难受|疼|痛)|不舒服(?:吗|了|的地方)|什么(?:症状|不舒服)|症状|主诉|病情"
        r"|(?:身体|情况|恢复|现在|最近|近来|病人|患者|好)[^，。]{0,6}怎么样|好(?:点|些)(?:了)?(?:吗|没)"
        r"|\bsymptoms?\b|(?<!(?:send|make|file) a )\bcomplaints?\b(?! (?:about|against|form))"
        r"|what(?:'s| is) (?:wrong|the matter|the (?:main )?problem)"
        r"|main (?:problem|concern|issue)|\bwhat brought\b"
        rf"|\bhow (?:is|are|am|was|has|have) (?:he|she|they|i|(?:the|my|your) (?:patient|{KIN_EN}|{_SORE}))\b",
        re.IGNORECASE,
    ),
    "allergy": re.compile(r"过敏|不能碰|allerg|stay away|not buy|avoid", re.IGNORECASE),
}
_TOLD: Final[Mapping[str, re.Pattern[str]]] = {
    "test": re.compile(r"结果|阳性|阴性|\d+\.\d|正常|查|normal|came back|result", re.IGNORECASE),
    "visit": re.compile(
        r"\d+[号日月点]|周[一二三四五六日]|礼拜|明天|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d(?:am|pm)"
        r"|\d{1,2}(?:st|nd|rd|th)\b"
        r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d",
        re.IGNORECASE,
    ),
    "allergy": re.compile(r"过敏|起.{0,4}疙瘩|肿|allerg|react|hives|rash", re.IGNORECASE),
}
_DRUG: Final = "drug"
COMPLAINT: Final = "complaint"
_FELT: Final = frozenset({"symptom", "reaction"})
_ORGAN: Final = "organ"
_NO_THING: Final = frozenset({"idiom", _ORGAN})


class About(NamedTuple):
    """What a text is about: things of medicine by name, parts of the body, topics."""

    things: frozenset[str]
    parts: frozenset[str]
    topics: frozenset[str]


def asked(text: str) -> About:
    """What a question is after."""
    mentions = in_use().lexicon.mentions(text.lower())
    topics = frozenset(name for name, words in _ASKED.items() if words.search(text))
    return About(_names(mentions, _thing), _names(mentions, _part), topics)


def told(text: str) -> About:
    """What a passage is about."""
    mentions = in_use().lexicon.mentions(text.lower())
    topics = {name for name, words in _TOLD.items() if words.search(text)}
    if any(mention.kind == _DRUG for mention in mentions):
        topics.add(_DRUG)
    despairs = any(health.complaints[0].search(text.lower()) for health in in_use().healths)
    if despairs or any(mention.kind in _FELT for mention in mentions):
        topics.add(COMPLAINT)
    return About(_names(mentions, _thing), _names(mentions, _part), frozenset(topics))


def _names(mentions: Iterable[Mention], of: Callable[[Mention], bool]) -> frozenset[str]:
    return frozenset(each.term.name.lower() for each in mentions if of(each))


def _thing(mention: Mention) -> bool:
    return mention.kind not in _NO_THING


def _part(mention: Mention) -> bool:
    return mention.kind == _ORGAN
