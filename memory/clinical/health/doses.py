"""How much of which medicine: what is said of an amount, of times and of how long belongs to one of those named."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.right_amount import right_amount
from memory.clinical.lexicon import Mention
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause, pattern

_NEAR: Final = 40
"""Letters between a medicine and what is said of it."""
_BARE: Final = re.compile(r"[\d.]+")
_LEAD_MAX: Final = 16
"""Letters of a sentence that may stand before an amount of what the sentence before it named."""
_JOINED: Final = re.compile(r"\s*(?:of|的)?\s*(?:my|the|a|an)?\s*")
"""Between an amount and the medicine that it is of: 5 mg of amlodipine, 半片艾司唑仑."""
_RIGHT_BEHIND: Final = re.compile(
    r"\s*(?:tablets?|pills?|capsules?|inhaler|injections?|片|胶囊|缓释片|肠溶片|注射液|针)?\s*[:：(（]?\s*"
)
"""Between a medicine and its amount, where nothing comes between."""
_EACH: Final = re.compile(r"各|均|都|\b(?:each|both|all)\b")
"""An amount of all the medicines of a list."""
_COUNTED: Final = re.compile(r"[片粒颗袋支]")
_AMOUNT_ZH: Final = r"[\d.一二两三四五六七八九十半]+\s*(?:mg|毫克|g|克|ml|毫升|个?单位|[片粒颗袋支丸包滴喷针]半?)"
WAS_AND_IS: Final = re.compile(
    rf"[，,]?\s?(?:以前|原来|之前|原先)(?:都|是|每[天次]|一[天次]|吃|用|打|喝|服)*{_AMOUNT_ZH}[^。；\n\ue000-\ue008]{{0,4}}?"
    rf"(?:现在|如今)(?:都|是|改|就|要|加到|减到|每[天次]|一[天次]|吃|用|打|喝|服)*(?P<x>{_AMOUNT_ZH})"
    r"(?![^，。]{0,2}(?:[不没]|烟|酒))"
    r"|(?: was| used to be)(?: on)? \d[\d.]*(?: ?(?:mg|mcg|units?|ml))?,?(?: and| but)? now "
    r"(?:it'?s |on |at |down to |up to )?(?P<x2>\d[\d.]*(?: ?(?:mg|mcg|units?|ml))?)(?![\d:/]| of\b)"
)
"""Right behind a medicine: how much it was, and how much it is."""
_BESIDE: Final = "DYRTOG"
"""Families of words of which a time is told that stands in a clause beside them and no medicine."""
_WEEKDAYS_EN: Final = (
    r"(?:on |from )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thurs?|fri|sat|sun)"
    r"(?:(?:,? (?:to|and|until|till|through) |, ?|-|/)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed"
    r"|thurs?"
    r"|fri|sat|sun))*|(?:on |at )?(?:the )?(?:weekends?|weekdays|week days|alternate days|other days)"
)
_WEEKDAYS_ZH: Final = (
    r"(?:(?:周|星期|礼拜)[一二三四五六日天末](?:[到至和、-](?:周|星期|礼拜)?[一二三四五六日天末])*"
    r"|工作日|平时|单日|双日)"
)
_TIMES: Final = pattern(
    r"\s*(?:in the (?:morning|evening|afternoon)|at (?:night|noon|bedtime|breakfast|lunch|dinner|teatime)"
    rf"|\b(?:{_WEEKDAYS_EN})\b|{_WEEKDAYS_ZH}"
    r"|[，,、和]|\b(?:and|then|plus|once)\b|早上?|中午|下午|晚上?|睡前|\s)*"
)
"""Between the parts of a day's amount: 16 units in the morning and 12 at night."""
_LAST_PART: Final = pattern(
    r"\s*(?:in the (?:morning|evening|afternoon)|at (?:night|noon|bedtime|breakfast|lunch|dinner|teatime)"
    rf"|(?:{_WEEKDAYS_EN})\b)"
)
_FIRST_PART: Final = re.compile(rf"(?:早上?|中午|下午|晚上?|睡前|{_WEEKDAYS_ZH})$")
_PART_ALONE: Final = re.compile(
    r"(?:in the (?:morning|evening|afternoon)|at (?:breakfast|lunch|dinner|noon|teatime)),? (?:and|then|plus) "
    r"(?P<x>\d+(?:\.\d+)?)(?= (?:in the|at (?:night|bedtime|breakfast|lunch|dinner|noon|teatime)))"
)
"""A part of it whose unit was said before."""

_PART: Final = "part"
"""The rest of a dose."""
_CHANGED: Final = "changed"
"""A dose that took another's place."""
_AMOUNTS: Final = frozenset({"dose", _PART, _CHANGED})
_DETAILS: Final = ("dose", "frequency", "duration")
Details = tuple[tuple[str, str], ...]


class _Said(NamedTuple):
    """Where it stands, and which detail it is."""

    name: str
    start: int
    end: int


def details_of(
    reading: Reading, health: HealthGrammar, medicines: Mapping[int, Sequence[Mention]]
) -> Mapping[int, Mapping[str, Details]]:
    """Dose, frequency and duration as said: by the place of a list of medicines, and the name of each."""
    places = sorted(medicines)
    owned: dict[int, list[_Said]] = {at: [] for at in places}
    for said in _all_said(reading, health, places):
        owner = _owner(reading, places, said)
        if owner is not None:
            owned[owner].append(said)
    return {at: _shared_out(reading, at, medicines[at], owned[at]) for at in places if owned[at]}


def _all_said(reading: Reading, health: HealthGrammar, places: Sequence[int]) -> Iterator[_Said]:
    """What it was changed to before what it is: the first of a kind counts. A bare number only beside a medicine."""
    for at in places:
        if changed := WAS_AND_IS.match(reading.drawn, at + 1):
            yield _Said(_CHANGED, *changed.span("x" if changed["x"] else "x2"))
    for name, words in (
        (_CHANGED, health.dose_now),
        ("dose", health.dose),
        ("frequency", health.frequency),
        ("duration", health.lasting),
    ):
        for found in words.finditer(reading.drawn):
            start, end = found.span("x")
            if name in _AMOUNTS:
                start, end = right_amount(reading.drawn, end) or (start, end)
            bare = words is health.dose and _BARE.fullmatch(reading.drawn, start, end)
            if not bare or set(range(start - 4, start)).intersection(places):  # a sugar of 14 is none
                yield _Said(name, start, end)
    for found in _PART_ALONE.finditer(reading.drawn):
        yield _Said(_PART, *found.span("x"))


def _owner(reading: Reading, places: Sequence[int], said: _Said) -> int | None:
    drawn, clause = reading.drawn, reading.sketch.clause_at(said.start)
    index = bisect_left(places, said.start)
    last = places[index - 1] if index else None
    following = places[index] if index < len(places) and places[index] >= said.end else None
    if last is not None and (said.start - last > _NEAR or "\n" in drawn[last : said.start]):
        last = None
    if following is not None and reading.sketch.clause_at(following).number != clause.number:
        following = None
    if last is None:
        return following if following is not None and following - said.end <= _NEAR else None
    own = reading.sketch.clause_at(last).number == clause.number
    right_behind = _RIGHT_BEHIND.fullmatch(drawn, last + 1, said.start)
    if following is not None and not right_behind and (not own or _JOINED.fullmatch(drawn, said.end, following)):
        return following
    return last if own or _goes_on(reading, reading.sketch.clause_at(last), clause, said) else None


def _goes_on(reading: Reading, named: Clause, clause: Clause, said: _Said) -> bool:
    """Whether a later clause says it of the medicine that was named: Metformin. 500 mg, twice a day."""
    if named.sentence == clause.sentence:
        others = reading.sketch.groups_in(clause.start, clause.end, _BESIDE)
        return said.name != "duration" or not any(True for _ in others)
    return said.name != "duration" and said.start - clause.start <= _LEAD_MAX


def _shared_out(reading: Reading, at: int, members: Sequence[Mention], said: Sequence[_Said]) -> Mapping[str, Details]:
    """To all of a list; an amount to the one beside it, unless it is said of each."""
    dose, one = _dose(reading, at, said), None
    if dose and len(members) > 1 and not _EACH.search(reading.drawn, at + 1, dose.end):
        one = members[-1 if dose.start > at else 0]
    found: dict[str, str] = {"dose": reading.sketch.quote(dose.start, dose.end)} if dose else {}
    beside = (*(one for one in said if one.start > at), *(one for one in said[::-1] if one.start < at))
    for each in sorted((one for one in beside if one.name in _DETAILS), key=lambda one: _DETAILS.index(one.name)):
        told = reading.sketch.quote(each.start, each.end)
        if each.name not in found and not any(told in known for known in found.values()):
            found[each.name] = told
    if dose and dose.name == _CHANGED and _COUNTED.search(found.get("frequency", "")):
        del found["frequency"]  # 一天一片，现在两片: it says how many it was
    details = tuple(found.items())
    return {each.term.name: details for each in members if one is None or each is one}


def _dose(reading: Reading, at: int, said: Sequence[_Said]) -> _Said | None:
    """The first amount behind a medicine, or the last before it, with the other parts of the day's."""
    doses = [each for each in said if each.name in _AMOUNTS and each.start > at]
    doses = doses or [each for each in said[::-1] if each.name in _AMOUNTS]
    if not doses:
        return None
    first = last = doses[0]
    for one, other in pairwise(sorted(set(doses))):
        apart = one.end < other.start or not reading.drawn[one.end - 1].isdigit()
        if one.end == last.end and apart and _TIMES.fullmatch(reading.drawn, one.end, other.start):
            last = other
    if first is last:
        return first
    behind = _LAST_PART.match(reading.drawn, last.end)
    before = _FIRST_PART.search(reading.drawn[: first.start])
    return _Said("dose", before.start() if before else first.start, behind.end() if behind else last.end)
