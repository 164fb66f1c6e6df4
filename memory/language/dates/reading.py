"""The dates a text speaks of, Chinese and English, as stretches on the calendar.

People say when in a few ways that compose: "last month" + "the 15th" + "in the afternoon" + "at three". So the
text is cut into atoms (`zh`, `en` and `scan`), and atoms side by side are read as
one date, the coarser giving the stretch in which the finer is looked for (`calendar`).

What the words stand for where people differ:
- Weeks begin on Monday; the weekend is Saturday and Sunday. 上周三 and "last Wednesday" are of the week before,
  下周五 and "next Friday" of the week after. A weekday, month or day of a month alone is this week's or this
  year's, unless the clause's tense asks for the one before or after.
- N units ago or from now is the unit that holds that moment: a day, a week, a month, an hour. A few days are
  seven, a few of another unit two to five; both begin next to now.
- Spring is March to May, winter December to February. "Last summer" and 去年夏天 are of the year before.
- The morning is 6 to 12, noon 11 to 13, the afternoon 12 to 18, the evening and night 18 to 24, the small hours
  0 to 6. A clock hour from 1 to 6 without any of these is in the afternoon. A part of the day alone that is still
  to come is yesterday's where its clause tells of the past. In brackets a part of a day is that day.
- 第二天 and "the next day" count from the day that the text spoke of before, as 三天后 does when that is over.
- The beginning, middle and end of a month are its ten days; of a year January, the middle third and December.
- 05/07/2023 is the 7th of May, unless the first number is no month; 7.5.2023 is the 7th of May, too.
How long something lasts (三天, for three days), what returns (每周三, every morning) and feasts of the lunar
calendar are not dates here.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from memory.language.dates import calendar as cal
from memory.language.dates.calendar import Atom, Frame, Stretch, unit_around
from memory.language.dates.en.patterns import ENGLISH
from memory.language.dates.scan import DIGITS, FULL_WIDTH
from memory.language.dates.tense import tense_around
from memory.language.dates.zh.patterns import CHINESE

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_DIGIT: Final = re.compile(r"[0-9]")

_DAYS: Final = frozenset({"day", "part", "hour", "minute"})

_CHAIN_ATOMS_MAX: Final = 6
_GAP_CHARS_MAX: Final = 16
_LINK: Final = re.compile(
    r"[ \t]{0,2}[,，]?[ \t]{0,2}的?"
    r"(?:[(（]|-|(?:(?:of|in|on|at|by|around|about|from|since|until|during|later|the) ){0,3})?",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r"[ ]?(?:到|至|~|～|-{1,2}|to|until|till|through)[ ]?(?:the )?", re.IGNORECASE)
_NOTED: Final = re.compile(r"[ ]?[(（][0-9]{1,4}(?:-[0-9]{2}|[)）]| (?:to|至) )")
_RECURS_WINDOW_CHARS: Final = 12
_RECURS_SIGNS: Final = ("每", "天天", "逢", "very", "ach")
_RECURS: Final = re.compile(
    r"(?:每(?:次|回|天|日|晚|早|周|星期|礼拜|月|年|个|逢|隔)?的?|天天|逢|"
    r"(?<![a-z])(?:every|each)(?: other| single)?)[ ]?$",
    re.IGNORECASE,
)


class DateSpan(NamedTuple):
    """A date in a text: `text[start:end]` says it, from `begin` up to but not including `until`.

    `grain` is decade, year, half (of a year), quarter, season, month, week, weekend, day, part (of a day), hour,
    minute, or span for a stretch that the calendar has no name for. Both moments carry the zone of `now`.
    """

    start: int
    end: int
    begin: datetime
    until: datetime
    grain: str


class _Found(NamedTuple):
    span: DateSpan
    chain: list[Atom]
    part: Stretch | None
    fixed: bool


def find_dates(text: str, now: datetime) -> list[DateSpan]:
    """All dates of the text, left to right, none over another.

    `now` may have a zone or none. Never raises: a date that the calendar does not have is left out.
    """
    return [found.span for found in _found(text, now)]


def resolve_dates(text: str, now: datetime) -> str:
    """The text with each date that depends on `now` followed by the date itself in brackets.

    "上周三去了医院" becomes "上周三（2026-11-11）去了医院". Dates that name their year stay as they are, and a
    date that such brackets follow already is left alone.
    """
    pieces: list[str] = []
    done = 0
    for found in _found(text, now):
        span = found.span
        if found.fixed or _NOTED.match(text, span.end):
            continue
        pieces.append(text[done : span.end])
        done = span.end
        pieces.append(_note(span, chinese=bool(_HAN.search(text, span.start, span.end))))
    return "".join([*pieces, text[done:]])


def _found(text: str, now: datetime) -> Iterator[_Found]:
    folded = text if text.isascii() else text.translate(FULL_WIDTH)
    atoms = _atoms(folded)
    previous: _Found | None = None
    place, recurring_until = 0, -1
    while place < len(atoms):
        chain = [atoms[place]]
        carried = _carried(folded, previous, chain[0])
        told = previous.span.begin if previous is not None and previous.span.grain in _DAYS else None
        alone = not chain[0].weak or carried is not None
        found = _read(folded, chain, now, carried, told) if alone else None
        for following in atoms[place + 1 : place + _CHAIN_ATOMS_MAX]:
            if not _linked(folded, chain[-1], following):
                break
            longer = _read(folded, [*chain, following], now, carried, told)
            if longer is None:
                break
            chain.append(following)
            found = longer
        place += len(chain)
        if found is None:
            continue
        start, end = found.span[:2]
        if _recurs(folded, start) or (recurring_until >= 0 and _RANGE.fullmatch(folded, recurring_until, start)):
            recurring_until = end
            continue
        if carried and previous:
            found = found._replace(fixed=previous.fixed or found.fixed)
        yield found
        previous = found


def _atoms(folded: str) -> list[Atom]:
    atoms: list[Atom] = []
    if _DIGIT.search(folded):
        atoms += DIGITS.atoms(folded)
    if _HAN.search(folded):
        atoms += CHINESE.atoms(folded)
    if _LATIN.search(folded):
        atoms += ENGLISH.atoms(folded)
    atoms.sort(key=lambda a: (a.start, -a.end))
    apart: list[Atom] = []
    for atom in atoms:
        if not apart or atom.start >= apart[-1].end:
            apart.append(atom)
    return apart


def _linked(folded: str, left: Atom, right: Atom) -> bool:
    start, end = left.end, right.start
    if start == end:
        return True
    if end - start > _GAP_CHARS_MAX or _LINK.fullmatch(folded, start, end) is None:
        return False
    if "," not in folded[start:end] and "，" not in folded[start:end]:
        return True
    # Over a comma only from coarse to fine, but for "May 7, 2023" and "Sunday, 7 May".
    year = right.rank == cal.YEAR and right.weak
    return left.rank > right.rank or year or (left.rank == cal.WEEKDAY and right.rank == cal.DAY)


def _recurs(folded: str, start: int) -> bool:
    before = folded[max(0, start - _RECURS_WINDOW_CHARS) : start]
    return any(sign in before for sign in _RECURS_SIGNS) and _RECURS.search(before) is not None


def _coarseness(atom: Atom) -> int:
    return atom.rank


def _read(
    folded: str, chain: list[Atom], now: datetime, carried: Stretch | None, told: datetime | None
) -> _Found | None:
    """The chain as one date, coarse to fine; None if it makes no sense as one."""
    start, end = chain[0].start, chain[-1].end
    ordered = chain[:]
    if len(chain) > 1:
        ordered.sort(key=_coarseness, reverse=True)
        if len({a.rank for a in chain}) < len(chain):
            return None
    frame = Frame(now, lambda: tense_around(folded, start, end), told)
    for outer in (carried, None) if carried else (None,):
        stretch = _resolved(ordered, frame, outer)
        if stretch is not None:
            break
    if stretch is None:
        return None
    if len(chain) > 1 and folded[chain[-1].start - 1] in "(（" and folded[end : end + 1] in {")", "）"}:
        end += 1
    part = stretch if stretch.grain == "part" else None
    fixed = any(a.fixed for a in chain)
    return _Found(DateSpan(start, end, *stretch), ordered, part, fixed)


def _resolved(ordered: list[Atom], frame: Frame, outer: Stretch | None) -> Stretch | None:
    stretch = outer
    try:
        for atom in ordered:
            stretch = atom.meaning(frame, stretch)
            if stretch is None:
                return None
    except (ValueError, OverflowError):
        return None
    if outer is not None and stretch is not None and stretch.begin < outer.begin:
        return None
    return stretch


def _carried(folded: str, previous: _Found | None, first: Atom) -> Stretch | None:
    """What the beginning of a range gives to its end: 5月1日到7日, from Monday to Friday, 下午3点到5点."""
    if previous is None or first.start - previous.span.end > _GAP_CHARS_MAX:
        return None
    if _RANGE.fullmatch(folded, previous.span.end, first.start) is None:
        return None
    begin = previous.span.begin
    units = {cal.PART: "day", cal.WEEKDAY: "week", cal.DAY: "month", cal.MONTH: "year"}
    try:
        if first.rank == cal.CLOCK:
            half = begin.hour // 6 * 6  # afternoon or evening, as the range's beginning
            day = unit_around(begin, "day")
            return Stretch(begin.replace(hour=half, minute=0), day.until, "part") if half > 6 else day  # noqa: PLR2004
        return unit_around(begin, units[first.rank]) if first.rank in units else None
    except (ValueError, OverflowError):
        return None


def _note(span: DateSpan, *, chinese: bool) -> str:
    first, last = _ends(span)
    joined = first if last is None else f"{first}{' 至 ' if chinese else ' to '}{last}"
    return f"（{joined}）" if chinese else f" ({joined})"


def _ends(span: DateSpan) -> tuple[str, str | None]:
    """The first and the last of a stretch as people write them; one if it has one name. A part of a day is its day."""
    begin, until = span.begin, span.until
    if span.grain in {"hour", "minute"}:
        return f"{begin:%Y-%m-%d %H:%M}", None
    if span.grain != "part" and (begin.hour or begin.minute or until.hour or until.minute):
        same_day = begin.date() == (until - timedelta(minutes=1)).date()
        end = "24:00" if not (until.hour or until.minute) else f"{until:%H:%M}"
        return f"{begin:%Y-%m-%d %H:%M}", end if same_day else f"{until:%Y-%m-%d %H:%M}"
    shape = {"decade": "%Y", "year": "%Y", "half": "%Y-%m", "quarter": "%Y-%m", "season": "%Y-%m", "month": "%Y-%m"}
    form = shape.get(span.grain, "%Y-%m-%d")
    first, last = begin.strftime(form), (until - timedelta(minutes=1)).strftime(form)
    return first, last if last != first else None
