"""How the atoms of dates are looked for: tables of rules, each one pattern, tried in order at each place."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, NamedTuple

from memory.language.dates import calendar as cal
from memory.language.dates import clock as clk
from memory.language.dates.calendar import Atom, Meaning

FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "，！？；（）"} | {
    0x3000: 0x20,
    0xA0: 0x20,
    0x2019: 0x27,
    0x2013: 0x2D,
    0x2014: 0x2D,
    0xFF0D: 0x2D,
    0x9EDE: 0x70B9,  # 點 as 点
    0x9031: 0x5468,  # 週 as 周
    0x5F8C: 0x540E,  # 後 as 后
    0x865F: 0x53F7,  # 號 as 号
}
"""One character for one, so that places in the folded text are places in the text."""


class Rule(NamedTuple):
    """A pattern and what makes its atom; None from `build` means that the words say no date after all."""

    name: str
    pattern: str
    build: Callable[[re.Match[str]], Atom | None]


class Scanner:
    """A table of rules as one pattern; the names of all groups are unique in it."""

    def __init__(self, rules: Sequence[Rule], opening: str, closing: str = "") -> None:
        """Join the rules; `opening` is what must hold before, and `closing` after each of them."""
        self._build = {rule.name: rule.build for rule in rules}
        body = "|".join(f"(?P<{rule.name}>{rule.pattern})" for rule in rules)
        self._pattern = re.compile(f"{opening}(?:{body}){closing}", re.IGNORECASE | re.ASCII)

    def atoms(self, folded: str) -> list[Atom]:
        """All atoms, left to right, none over another."""
        found: list[Atom] = []
        match = self._pattern.search(folded)
        while match is not None:
            atom = self._build[match.lastgroup or ""](match)
            if atom is not None:
                found.append(atom)
            match = self._pattern.search(folded, match.end() if atom is not None else match.start() + 1)
        return found


def atom(match: re.Match[str], rank: int, meaning: Meaning, *, weak: bool = False, fixed: bool = False) -> Atom:
    """The whole match as an atom."""
    return Atom(match.start(), match.end(), rank, meaning, weak, fixed)


def _whole_date(match: re.Match[str], year: str, month: str, day: str) -> Atom | None:
    try:
        begin = datetime(int(year), int(month), int(day))  # noqa: DTZ001 - takes the zone of now later
    except ValueError:
        return None
    return atom(match, cal.DAY, cal.fixed(begin, "day"), fixed=True)


def _iso_moment(match: re.Match[str]) -> Atom | None:
    zone = match["im_zone"]
    try:
        begin = datetime.fromisoformat(f"{match['im_date']}T{match['im_clock']}")
    except ValueError:
        return None
    if zone:
        hours, minutes = (0, 0) if zone in "Zz" else (int(zone[1:3]), int(zone[-2:]))
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
        if offset >= timedelta(days=1):
            return None
        begin = begin.replace(tzinfo=timezone(offset) if offset else UTC)
    return atom(match, cal.CLOCK, cal.fixed(begin, "minute"), fixed=True)


def _year_first(match: re.Match[str]) -> Atom | None:
    return _whole_date(match, match["yf_y"], match["yf_m"], match["yf_d"])


def _year_month(match: re.Match[str]) -> Atom | None:
    begin = datetime(int(match["ym_y"]), int(match["ym_m"]), 1)  # noqa: DTZ001 - takes the zone of now later
    return atom(match, cal.MONTH, cal.fixed(begin, "month"), fixed=True)


def _year_last(match: re.Match[str]) -> Atom | None:
    """American order with slashes unless the first number is no month; dots put the day first."""
    first, second, year = match["yl_a"], match["yl_b"], match["yl_y"]
    if match["yl_s"] == "." or int(first) > 12:  # noqa: PLR2004
        first, second = second, first
    if len(year) == 2:  # noqa: PLR2004
        if match["yl_s"] != "/":
            return None
        year = ("19" if int(year) >= 70 else "20") + year  # noqa: PLR2004
    return _whole_date(match, year, first, second)


def _month_day(match: re.Match[str]) -> Atom | None:
    month, day = int(match["md_m"] or match["md_m2"]), int(match["md_d"] or match["md_d2"])
    return atom(match, cal.DAY, cal.month_day(month, day)) if 1 <= month <= 12 else None  # noqa: PLR2004


def _clock(match: re.Match[str]) -> Atom | None:
    return clock_atom(match, match["ck_h"], int(match["ck_m"]), match["ck_ap"])


_WAKES_AFTER: Final = re.compile(r"[^，。,.！!？?\d]{0,4}(?:起床|醒|起来)")
_WAKES_BEFORE: Final = re.compile(
    r"(?:w[ao]ken?|waking|g[eo]ts?|getting)(?: \w{2,4})? up(?: at| around| about)? ?$", re.IGNORECASE
)


def waking(match: re.Match[str]) -> bool:
    """Whether somebody wakes or gets up then, which is seldom in the afternoon."""
    text, start = match.string, match.start()
    return bool(_WAKES_AFTER.match(text, match.end()) or _WAKES_BEFORE.search(text, max(0, start - 24), start))


def clock_atom(
    match: re.Match[str], hour: str, minute: int | None, half: str | None, *, weak: bool = False
) -> Atom | None:
    """A clock time; `half` is am or pm as written. An hour with a leading zero counts to 24."""
    number = int(hour)
    exact = hour[0] == "0" or waking(match)
    if half:
        if not 1 <= number <= 12:  # noqa: PLR2004
            return None
        number, exact = number % 12 + (12 if half[0] in "pP" else 0), True
    if number > 24 or (minute or 0) > 59:  # noqa: PLR2004
        return None
    return atom(match, cal.CLOCK, clk.clock(number, minute, exact=exact), weak=weak)


HALF_DAY: Final = r"[ap](?:m|\.m\.?)(?![A-Za-z0-9])"

DIGITS: Final = Scanner(
    [
        Rule(
            "iso",
            r"(?P<im_date>(?:1[89]|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2})[T ](?P<im_clock>[0-2][0-9]:[0-5][0-9])"
            r"(?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?P<im_zone>Z|[+-][0-9]{2}:?[0-9]{2})?",
            _iso_moment,
        ),
        Rule(
            "year_first",
            r"(?P<yf_y>(?:1[89]|2[01])[0-9]{2})(?P<yf_s>[-/.]) ?(?P<yf_m>[0-9]{1,2})(?P=yf_s) ?(?P<yf_d>[0-9]{1,2})",
            _year_first,
        ),
        Rule("year_month", r"(?P<ym_y>(?:19|20)[0-9]{2})[-/](?P<ym_m>0[1-9]|1[0-2])", _year_month),
        Rule(
            "year_last",
            r"(?P<yl_a>[0-9]{1,2})(?P<yl_s>[-/.])(?P<yl_b>[0-9]{1,2})(?P=yl_s)(?P<yl_y>(?:1[89]|2[01])?[0-9]{2})",
            _year_last,
        ),
        Rule(
            "month_day",
            r"(?P<md_m>[0-9]{1,2})[./](?P<md_d>[0-9]{1,2})[号日]|"
            r"(?<=on )(?P<md_m2>1[0-2]|0?[1-9])/(?P<md_d2>3[01]|[12][0-9]|0?[1-9])",
            _month_day,
        ),
        Rule(
            "clock",
            rf"(?<!比)(?<!比例)(?<!比分)(?P<ck_h>[01]?[0-9]|2[0-4]):(?P<ck_m>[0-5][0-9])(?::[0-5][0-9])?"
            rf"(?: ?(?P<ck_ap>{HALF_DAY}))?",
            _clock,
        ),
    ],
    opening=r"(?<![A-Za-z0-9./:_-])(?=[0-9])",
    closing=r"(?![A-Za-z0-9_]|[-/.:][0-9])",
)
"""Dates and clock times in digits, as both languages write them."""
