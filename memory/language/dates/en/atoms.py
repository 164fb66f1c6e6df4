"""What the English words of dates mean: each function makes the atom of one pattern of `patterns`."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memory.language.dates import calendar as cal
from memory.language.dates import clock as clk
from memory.language.dates import told
from memory.language.dates.calendar import Atom
from memory.language.dates.scan import atom, clock_atom
from memory.language.numerals import ENGLISH_NUMBERS

_NUMBERS: Final = {
    **ENGLISH_NUMBERS,
    "a": 1,
    "an": 1,
    "another": 1,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "twenty-five": 25,
    "forty-five": 45,
    "a dozen": 12,
}
NUMBER: Final = "[0-9]{1,4}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True))
_UNITS: Final = {"s": "second", "h": "hour", "d": "day", "w": "week", "q": "quarter", "y": "year"}
_TIMES: Final = {"fortnight": ("week", 2), "decade": ("year", 10)}
_HALVES: Final = {"hour": ("minute", 60, 30), "month": ("day", 30, 15), "year": ("month", 12, 6), "week": ("day", 7, 3)}

_MONTHS: Final = {
    name: i
    for i, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)
}
_DAYS: Final = {name: i for i, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_DIRECTION: Final = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_SEASONS: Final = {"spring": "spring", "summer": "summer", "fall": "autumn", "autumn": "autumn", "winter": "winter"}
_PARTS: Final = {
    "morning": "morning",
    "afternoon": "afternoon",
    "evening": "evening",
    "night": "evening",
    "noon": "noon",
    "lunchtime": "noon",
    "midday": "noon",
    "dusk": "dusk",
    "dawn": "small hours",
}
_DAY_SHIFTS: Final = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "tmr": 1,
    "tmrw": 1,
    "tomorow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "day before yesterday": -2,
}


_TENS: Final = {"twenties": 20, "thirties": 30, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}


def _nth(month: int, day: int, number: int) -> Callable[[int], date]:
    """The n-th of a weekday in a month; -1 is the last."""

    def when(year: int) -> date:
        if number < 0:
            last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            return last - timedelta(days=(last.weekday() - day) % 7)
        first = date(year, month, 1)
        return first + timedelta(days=(day - first.weekday()) % 7 + 7 * (number - 1))

    return when


def _same(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


_THANKSGIVING: Final = _nth(11, 3, 4)
FEASTS: Final[dict[str, Callable[[int], date]]] = {
    "new year's eve": _same(12, 31),
    "new years eve": _same(12, 31),
    "new year's day": _same(1, 1),
    "new year's": _same(1, 1),
    "valentine's day": _same(2, 14),
    "valentines day": _same(2, 14),
    "saint patrick's day": _same(3, 17),
    "st. patrick's day": _same(3, 17),
    "st patrick's day": _same(3, 17),
    "april fools' day": _same(4, 1),
    "april fool's day": _same(4, 1),
    "april fools": _same(4, 1),
    "earth day": _same(4, 22),
    "juneteenth": _same(6, 19),
    "the fourth of july": _same(7, 4),
    "the 4th of july": _same(7, 4),
    "independence day": _same(7, 4),
    "halloween": _same(10, 31),
    "veterans day": _same(11, 11),
    "christmas eve": _same(12, 24),
    "christmas day": _same(12, 25),
    "christmas": _same(12, 25),
    "xmas": _same(12, 25),
    "boxing day": _same(12, 26),
    "mother's day": _nth(5, 6, 2),
    "mothers day": _nth(5, 6, 2),
    "father's day": _nth(6, 6, 3),
    "fathers day": _nth(6, 6, 3),
    "memorial day": _nth(5, 0, -1),
    "labor day": _nth(9, 0, 1),
    "thanksgiving day": _THANKSGIVING,
    "thanksgiving": _THANKSGIVING,
    "black friday": lambda year: _THANKSGIVING(year) + timedelta(days=1),
}


_ASKS: Final = re.compile(
    r"(?<![a-z])(?:in|on|since|until|till|by|before|after|during|around|from|to|of|for)(?: the)? $", re.IGNORECASE
)
_ASKS_YEAR: Final = re.compile(r"(?<![a-z])(?:in|since|during|until|till|year|around|circa) $", re.IGNORECASE)
_ASKS_CHARS: Final = 12


def _asked(m: re.Match[str], words: re.Pattern[str] = _ASKS) -> bool:
    """Whether the word before asks for a date."""
    return words.search(m.string, max(0, m.start() - _ASKS_CHARS), m.start()) is not None


def _number(text: str) -> int:
    text = text.lower()
    return int(text) if text.isdigit() else _NUMBERS[text]


def _unit(text: str) -> tuple[str, int]:
    """The calendar's unit and how many of it."""
    text = text.lower()
    if text in _TIMES:
        return _TIMES[text]
    return ("minute" if text.startswith("mi") else "month" if text[0] == "m" else _UNITS[text[0]]), 1


def make_ago(m: re.Match[str]) -> Atom:
    """Three weeks ago, two days from now: the unit that holds that moment."""
    unit, times = _unit(m["ago_unit"])
    sign = 1 if m["ago_side"].lower().startswith(("from", "hence")) else -1
    return _away(m, "ago", (unit, times), sign)


def make_later(m: re.Match[str]) -> Atom | None:
    """Three days later: counted from the day that was told of."""
    if not (m["lat_couple"] or m["lat_n"]) or m["lat_to"]:
        return None
    unit, times = _unit(m["lat_unit"])
    count = 2 if m["lat_couple"] else _number(m["lat_n"])
    return atom(m, cal.DAY, told.later(unit, count * times, from_now=False))


def make_next_day(m: re.Match[str]) -> Atom:
    """The next day, the following morning: after the day that was told of."""
    day = told.days_on(1)
    if not m["nd_part"]:
        return atom(m, cal.DAY, day)
    part = clk.part(_PARTS[m["nd_part"].lower()])

    return atom(m, cal.PART, lambda frame, outer: part(frame, next_day) if (next_day := day(frame, outer)) else None)


def make_in(m: re.Match[str]) -> Atom:
    """In three weeks, unless the clause is past: "I lost five kilos in two months" says how long it took."""
    made = _away(m, "in", _unit(m["in_unit"]), 1)
    meaning = made.meaning

    def unless_past(frame: cal.Frame, outer: cal.Stretch | None) -> cal.Stretch | None:
        return None if frame.tense() < 0 else meaning(frame, outer)

    return made._replace(meaning=unless_past)


def _away(m: re.Match[str], name: str, unit_times: tuple[str, int], sign: int) -> Atom:
    unit, times = unit_times
    if m[f"{name}_few"]:
        return atom(m, cal.DAY, cal.few(unit, sign))
    if m[f"{name}_halfof"]:
        smaller, _, half = _HALVES.get(unit, ("hour", 0, 12))
        return atom(m, cal.DAY, cal.shift(smaller, sign * half))
    count = 2 if m[f"{name}_couple"] else _number(m[f"{name}_n"])
    if m[f"{name}_to"]:
        return atom(m, cal.DAY, cal.shift_between(unit, sign * count * times, sign * _number(m[f"{name}_to"]) * times))
    if (m[f"{name}_half"] or m[f"{name}_half2"] or m[f"{name}_point"]) and unit in _HALVES:
        unit, whole, half = _HALVES[unit]
        count = count * whole + half
    return atom(m, cal.DAY, cal.shift(unit, sign * count * times))


def make_running(m: re.Match[str]) -> Atom:
    """The last three days, the next few weeks, the past month."""
    if m["run_past"]:
        return atom(m, cal.DAY, cal.running(m["run_past"].lower(), 1, -1))
    unit, times = _unit(m["run_unit"])
    sign = -1 if m["run_lead"].lower() in {"last", "past", "previous"} else 1
    if m["run_few"]:
        return atom(m, cal.DAY, cal.running(unit, cal.FEW_OTHERS - 2, sign))
    count = 2 if m["run_couple"] else _number(m["run_n"])
    return atom(m, cal.DAY, cal.running(unit, count * times, sign))


def make_day(m: re.Match[str]) -> Atom:
    """Yesterday, today, tomorrow and the days beside them."""
    return atom(m, cal.DAY, cal.shift("day", _DAY_SHIFTS[m["day_n"].lower()]))


def make_night(m: re.Match[str]) -> Atom:
    """Last night and tonight: evenings of a known day."""
    words = m["night_n"].lower()
    shift = {"last night": -1, "the night before last": -2}.get(words, 0)
    return atom(m, cal.PART, clk.part("evening", shift))


def make_other_day(m: re.Match[str]) -> Atom:
    """The other day: one of the last few."""
    return atom(m, cal.DAY, cal.few("day", -1))


def make_part(m: re.Match[str]) -> Atom:
    """The morning: of this day, or of the day beside it; night and a bare word only beside a day."""
    lead = (m["p_lead"] or "").lower()
    name = _PARTS[m["p_name"].lower()]
    if lead == "this":
        return atom(m, cal.PART, clk.part(name, 0))
    return atom(m, cal.PART, clk.part(name), weak=m["p_name"].lower() == "night" or not (lead and _asked(m)))


def make_weekday(m: re.Match[str]) -> Atom:
    """A weekday of the week that its word names."""
    lead = (m["wd_lead"] or "").lower().removeprefix("the ")
    number = _DAYS[(m["wd_long"] or m["wd_short"])[:3].lower()]
    if lead.endswith(("coming", "past", "upcoming")):
        return atom(m, cal.DAY, cal.weekday(number, -1 if lead.endswith("past") else 1))
    if lead in {"last", "previous", "this", "next"}:
        return atom(m, cal.DAY, cal.weekday_of(_DIRECTION[lead], number))
    return atom(m, cal.WEEKDAY, cal.weekday(number), weak=bool(m["wd_short"]))


def make_weekday_before_last(m: re.Match[str]) -> Atom:
    """The Friday before last."""
    return atom(m, cal.DAY, cal.weekday_before_last(_DAYS[m["wl_day"][:3].lower()]))


def make_week(m: re.Match[str]) -> Atom:
    """Last week, the week after next."""
    words = m[0].lower()
    step = -2 if "before last" in words else 2 if "after next" in words else 0
    step = step or (-1 if "last" in words or "previous" in words else 1 if "next" in words or "coming" in words else 0)
    return atom(m, cal.WEEK, cal.shift("week", step))


def make_weekend(m: re.Match[str]) -> Atom:
    """A weekend of the week that its word names."""
    lead = (m["we_lead"] or "").lower()
    step = next((step for word, step in _DIRECTION.items() if lead.endswith(word)), None)
    if m["we_last"]:
        return atom(m, cal.DAY, cal.weekend(-2))
    return atom(m, cal.DAY, cal.weekend(step if lead != "this coming" else 0), weak=not lead)


def _month_number(text: str) -> int:
    return _MONTHS[text[:3].lower()]


def make_month_day(m: re.Match[str]) -> Atom | None:
    """7 May, May 7th."""
    day = int(m["md_first"] or m["md_after"])
    if not 1 <= day <= 31:  # noqa: PLR2004
        return None
    return atom(m, cal.DAY, cal.month_day(_month_number(m["md_m1"] or m["md_m2"]), day))


def make_month(m: re.Match[str]) -> Atom:
    """A month; short names and names that are words only beside a date or after a word that asks."""
    lead = (m["mo_lead"] or "").lower()
    name = m["mo_name"] or m["mo_lower"] or "may"
    toward = {"last": -1, "this past": -1, "next": 1, "this coming": 1}.get(lead, 0)
    alone = bool(lead) or _asked(m) or len(name) > 5 or name.lower() == "july"  # noqa: PLR2004
    return atom(m, cal.MONTH, cal.month(_month_number(name), toward), weak=not alone)


def make_calendar_unit(m: re.Match[str]) -> Atom:
    """Last month, this year, next quarter."""
    words, unit = m["cu_lead"].lower(), m["cu_unit"].lower()
    step = {"last": -1, "previous": -1, "this": 0, "next": 1, "the coming": 1}[words.removeprefix("the ")]
    return atom(m, {"year": cal.YEAR, "month": cal.MONTH}.get(unit, cal.HALF), cal.shift(unit, step))


def make_unit_before_last(m: re.Match[str]) -> Atom:
    """The year before last, the month after next."""
    unit = m["ub_unit"].lower()
    step = -2 if m["ub_side"].lower() == "before last" else 2
    return atom(m, cal.YEAR if unit == "year" else cal.MONTH, cal.shift(unit, step))


def make_year(m: re.Match[str]) -> Atom:
    """A year by number; weak unless a word asks for it."""
    return atom(m, cal.YEAR, cal.year(int(m["y_n"])), weak=not _asked(m, _ASKS_YEAR), fixed=True)


def make_decade(m: re.Match[str]) -> Atom:
    """The 1990s, the nineties."""
    short = m["dec_s"] or m["dec_w"]
    if not short:
        return atom(m, cal.YEAR, cal.decade(int(m["dec_y"])), fixed=True)
    tens = int(short) if short.isdigit() else _TENS[short.lower()]
    return atom(m, cal.YEAR, cal.decade(tens + (1900 if tens > 20 else 2000)), fixed=True)  # noqa: PLR2004


def make_quarter(m: re.Match[str]) -> Atom:
    """Q1 to Q4."""
    return atom(m, cal.HALF, cal.quarter(int(m["q_n"])), weak=not _asked(m))


def make_season(m: re.Match[str]) -> Atom:
    """Last summer; a season alone only beside a year."""
    lead, name = (m["s_lead"] or "").lower(), _SEASONS[m["s_name"].lower()]
    if lead == "this past":
        return atom(m, cal.HALF, cal.past_season(name))
    if lead in {"last", "this", "next"}:
        return atom(m, cal.HALF, cal.season(name, _DIRECTION[lead]))
    return atom(m, cal.HALF, cal.season(name), weak=True)


def make_edge(m: re.Match[str]) -> Atom:
    """The end of the month; early, mid and late before a date."""
    word = (m["e_word"] or m["e_place"]).lower()
    places = {"beginning": "start", "middle": "mid", "very end": "end", "beginning of": "start", "end of": "end"}
    return atom(
        m, cal.EDGE, cal.edge(places.get(word, word), (m["e_unit"] or "").lower() or None), weak=not m["e_unit"]
    )


def make_nth_week(m: re.Match[str]) -> Atom:
    """The first weekend of a month, the last Friday of it."""
    number = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}[m["nw_n"].lower()]
    what = m["nw_what"].lower()
    first, count = {"week": (0, 7), "weekend": (5, 2)}.get(what) or (_DAYS[what[:3]], 1)
    return atom(m, cal.DAY, cal.nth_week(number, first, count), weak=True)


def make_beside(m: re.Match[str]) -> Atom:
    """The Friday before a day, the week after it."""
    what, sign = m["bs_what"].lower(), -1 if m["bs_side"].lower() == "before" else 1
    unit = "day" if what in {"day", "night"} else what
    meaning = (
        cal.beside(unit, sign) if unit in {"day", "week", "weekend"} else cal.weekday_beside(_DAYS[what[:3]], sign)
    )
    return atom(m, cal.WEEKDAY, meaning, weak=True)


def make_day_of_month(m: re.Match[str]) -> Atom | None:
    """The 15th."""
    day = int(m["dm_n"])
    return atom(m, cal.DAY, cal.day_of_month(day), weak=not _asked(m)) if 1 <= day <= 31 else None  # noqa: PLR2004


def make_feast(m: re.Match[str]) -> Atom:
    """A feast with a day of its own."""
    toward = _DIRECTION.get((m["f_lead"] or "").lower(), 0)
    return atom(m, cal.DAY, cal.feast(FEASTS[m["f_name"].lower()], toward))


def make_clock(m: re.Match[str]) -> Atom | None:
    """At 3 pm, three o'clock; "at 3" only beside a day."""
    written = m["c_h"] or m["c_h2"]
    hour = written if written.isdigit() else str(ENGLISH_NUMBERS[written.lower()])
    minute = int(m["c_m"]) if m["c_m"] else None
    return clock_atom(m, hour, minute, m["c_half"], weak=not (m["c_half"] or m["c_full"]))


def make_past_hour(m: re.Match[str]) -> Atom | None:
    """Half past four, quarter to nine."""
    hour = int(m["ph_h"]) if m["ph_h"].isdigit() else ENGLISH_NUMBERS[m["ph_h"].lower()]
    word = m["ph_m"].lower()
    minute = {"half": 30, "quarter": 15}.get(word.removeprefix("a ")) or _number(word)
    if m["ph_to"].lower() in {"to", "till", "before"}:
        hour, minute = (hour - 1) or 12, 60 - minute
    return clock_atom(m, str(hour), minute, m["ph_half"])


def make_noon(m: re.Match[str]) -> Atom:
    """Noon, and midnight at the end of the day."""
    hour = 12 if m["nn_word"].lower() == "noon" else 24
    return atom(m, cal.CLOCK, clk.clock(hour, None, exact=True))
