"""What the pieces of a date stand for on the calendar, in no language.

A date in a text is a chain of atoms, coarse to fine: a year, a month in it, a day of that month, a part of
that day, a clock time in that part. An atom knows what it means inside the stretch that the coarser atoms
gave, and what it means alone; an atom that makes no sense there answers None. The functions here make those
meanings; the words that ask for them stand in the modules of the languages.
"""

import calendar
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

YEAR: Final = 9
HALF: Final = 8  # halves, quarters and seasons of a year
MONTH: Final = 7
WEEK: Final = 6
EDGE: Final = 5  # the beginning, middle or end of something coarser
DAY: Final = 4
WEEKDAY: Final = 3  # below DAY, so that "Tuesday, 7 May" is one date
PART: Final = 2
CLOCK: Final = 1

SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}

FEW_DAYS: Final = 7
FEW_OTHERS: Final = 5


class Stretch(NamedTuple):
    """From `begin` up to but not including `until`."""

    begin: datetime
    until: datetime
    grain: str


class Frame(NamedTuple):
    """What a date is read against: the moment, and the tense of its clause (-1 past, 0 unknown, 1 to come).

    `told`: the day that the text spoke of right before, where it named one.
    """

    now: datetime
    tense: Callable[[], int]
    told: datetime | None = None

    @property
    def today(self) -> datetime:
        """The day of now, at its beginning."""
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)


Meaning = Callable[[Frame, Stretch | None], Stretch | None]


class Atom(NamedTuple):
    """A piece of a date in the text. `weak`: no date unless beside another; `fixed`: the same for every now."""

    start: int
    end: int
    rank: int
    meaning: Meaning
    weak: bool = False
    fixed: bool = False


def _at(like: datetime, year: int, month: int = 1, day: int = 1) -> datetime:
    return like.replace(year=year, month=month, day=day, hour=0, minute=0, second=0, microsecond=0)


def _months_on(moment: datetime, months: int) -> datetime:
    """The first of the month, so many months on."""
    index = moment.year * 12 + moment.month - 1 + months
    return _at(moment, index // 12, index % 12 + 1)


def _years(like: datetime, year: int, count: int = 1, grain: str = "year") -> Stretch:
    return Stretch(_at(like, year), _at(like, year + count), grain)


def _months(first: datetime, count: int, grain: str) -> Stretch:
    begin = _at(first, first.year, first.month)
    return Stretch(begin, _months_on(begin, count), grain)


def _days(first: datetime, count: int, grain: str) -> Stretch:
    return Stretch(first, first + timedelta(days=count), grain)


def _monday(day: datetime) -> datetime:
    return day - timedelta(days=day.weekday())


def unit_around(moment: datetime, unit: str) -> Stretch:
    """The calendar unit that holds the moment; its grain is the unit's name."""
    if unit in {"hour", "minute", "second"}:
        begin = moment.replace(minute=0 if unit == "hour" else moment.minute, second=0, microsecond=0, fold=0)
        return Stretch(
            begin, begin + timedelta(minutes=60 if unit == "hour" else 1), "hour" if unit == "hour" else "minute"
        )
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "day":
        return _days(day, 1, unit)
    if unit == "year":
        return _years(day, day.year)
    if unit == "quarter":
        return _months(_at(day, day.year, (day.month - 1) // 3 * 3 + 1), 3, unit)
    if unit == "month":
        return _months(day, 1, unit)
    return _days(_monday(day), 7, unit)


def moved(moment: datetime, unit: str, count: int) -> datetime:
    """The moment so many units on; a day that its month lacks becomes the month's last."""
    if unit in {"second", "minute", "hour"}:
        step = timedelta(**{f"{unit}s": count})
        if moment.tzinfo is None:
            return moment + step
        # Through UTC, because an hour ago is an hour ago on the night the clocks change, too.
        return (moment.astimezone(UTC) + step).astimezone(moment.tzinfo)
    if unit in {"day", "week"}:
        return moment + timedelta(days=count * (7 if unit == "week" else 1))
    first = _months_on(moment, count * {"month": 1, "quarter": 3, "year": 12}[unit])
    last = calendar.monthrange(first.year, first.month)[1]
    return moment.replace(year=first.year, month=first.month, day=min(moment.day, last))


def _alone(make: Callable[[Frame], Stretch]) -> Meaning:
    """The meaning of an atom that stands in nothing coarser."""
    return lambda frame, outer: make(frame) if outer is None else None


def fixed(begin: datetime, unit: str) -> Meaning:
    """A stretch that the text names in full, in the zone of now unless it has its own."""

    def meaning(frame: Frame) -> Stretch:
        zone = frame.now.tzinfo
        if begin.tzinfo is not None and zone is not None:
            return unit_around(begin.astimezone(zone), unit)
        return unit_around(begin.replace(tzinfo=zone), unit)

    return _alone(meaning)


def shift(unit: str, count: int) -> Meaning:
    """The unit that holds the moment `count` units from now."""
    return _alone(lambda frame: unit_around(moved(frame.now, unit, count), unit))


def shift_between(unit: str, near: int, far: int) -> Meaning:
    """Everything from `near` to `far` units away; negative is past."""

    def meaning(frame: Frame) -> Stretch:
        ends = [unit_around(moved(frame.now, unit, count), unit) for count in sorted((near, far))]
        return Stretch(ends[0].begin, ends[1].until, "span")

    return _alone(meaning)


def few(unit: str, sign: int) -> Meaning:
    """A few units ago or from now: the last (next) seven days, or two to five of the other units."""
    if unit == "day":
        return shift_between(unit, sign, sign * FEW_DAYS)
    return shift_between(unit, 2 * sign, sign * FEW_OTHERS)


def running(unit: str, count: int, sign: int) -> Meaning:
    """The last (up to and with today) or the next (from tomorrow) so many units."""

    def meaning(frame: Frame) -> Stretch:
        if unit in {"second", "minute", "hour"}:
            ends = sorted((frame.now, moved(frame.now, unit, sign * count)))
            return Stretch(ends[0], ends[1], "span")
        if sign < 0:
            return Stretch(moved(frame.today, unit, -count), frame.today + timedelta(days=1), "span")
        tomorrow = frame.today + timedelta(days=1)
        return Stretch(tomorrow, moved(tomorrow, unit, count), "span")

    return _alone(meaning)


def _nearest(frame: Frame, make: Callable[[int], Stretch]) -> Stretch:
    """Of the stretches numbered round 0 (this year's, week's, month's) the one that the clause's tense asks for."""
    here = make(0)
    if here.begin > frame.now and frame.tense() < 0:
        return make(-1)
    if here.until <= frame.now and frame.tense() > 0:
        return make(1)
    return here


def _of_year(make: Callable[[datetime, int], Stretch], toward: int = 0) -> Meaning:
    """Something that each year has once; `toward` -1 and 1: the last one over, the next one to begin."""

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None:
            return make(outer.begin, outer.begin.year) if outer.grain == "year" and not toward else None
        year = frame.now.year
        if toward < 0:
            return make(frame.now, year if make(frame.now, year).until <= frame.now else year - 1)
        if toward > 0:
            return make(frame.now, year if make(frame.now, year).begin > frame.now else year + 1)
        return _nearest(frame, lambda step: make(frame.now, year + step))

    return meaning


def year(number: int) -> Meaning:
    """A year by its number."""
    return _alone(lambda frame: _years(frame.now, number))


def decade(first: int) -> Meaning:
    """Ten years from `first`."""
    return _alone(lambda frame: _years(frame.now, first, 10, "decade"))


def half(number: int) -> Meaning:
    """The first or second half of the year."""
    return _of_year(lambda like, y: _months(_at(like, y, number * 6 - 5), 6, "half"))


def quarter(number: int) -> Meaning:
    """A quarter of the year, 1 to 4."""
    return _of_year(lambda like, y: _months(_at(like, y, number * 3 - 2), 3, "quarter"))


def season(name: str, years: int | None = None) -> Meaning:
    """A season of the year before, this or the next (`years`), or of the year outside; winter begins in December."""
    month_number = SEASONS[name]

    def make(like: datetime, y: int) -> Stretch:
        return _months(_at(like, y, month_number), 3, "season")

    if years is None:
        return _of_year(make)

    def meaning(frame: Frame) -> Stretch:
        # In January this winter is the one that began last year.
        early = month_number == SEASONS["winter"] and frame.now.month < SEASONS["spring"]
        return make(frame.now, frame.now.year + years - early)

    return _alone(meaning)


def past_season(name: str) -> Meaning:
    """The last one that is over."""
    return _of_year(lambda like, y: _months(_at(like, y, SEASONS[name]), 3, "season"), -1)


def month(number: int, toward: int = 0) -> Meaning:
    """A month of the year, 1 to 12."""
    return _of_year(lambda like, y: _months(_at(like, y, number), 1, "month"), toward)


def month_day(number: int, day: int, toward: int = 0) -> Meaning:
    """A day by month and day; the 29th of February only in the years that have it."""
    return _of_year(lambda like, y: _days(_at(like, y, number, day), 1, "day"), toward)


def feast(when: Callable[[int], date], toward: int = 0) -> Meaning:
    """A feast whose day a year tells."""

    def make(like: datetime, y: int) -> Stretch:
        day = when(y)
        return _days(_at(like, day.year, day.month, day.day), 1, "day")

    return _of_year(make, toward)


def day_of_month(day: int) -> Meaning:
    """The 15th: of the month outside, else of this one."""

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None:
            return _days(outer.begin.replace(day=day), 1, "day") if outer.grain == "month" else None
        return _nearest(frame, lambda step: _days(_months_on(frame.now, step).replace(day=day), 1, "day"))

    return meaning


def nth_week(number: int, first: int, count: int) -> Meaning:
    """The n-th run of `count` days from weekday `first` in the month outside; -1 is the last."""

    def meaning(_: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is None or outer.grain != "month":
            return None
        ahead = timedelta(days=(first - outer.begin.weekday()) % 7)
        begin = outer.begin + ahead + timedelta(weeks=number - 1)
        if number < 0:
            back = timedelta(days=(outer.until.weekday() - first - 1) % 7 + 1)
            begin = outer.until - back
        if begin >= outer.until:
            return None
        return _days(begin, count, {1: "day", 2: "weekend"}.get(count, "week"))

    return meaning


def weekday(number: int, toward: int = 0) -> Meaning:
    """Monday is 0: of the week outside, or beside the day it names; alone this week's, or as the tense says."""

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None:
            if outer.grain == "week":
                return _days(outer.begin + timedelta(days=number), 1, "day")
            return outer if outer.grain == "day" else None
        if toward:
            ahead = (number - frame.today.weekday()) * toward % 7 or 7
            return _days(frame.today + timedelta(days=ahead * toward), 1, "day")
        this = _monday(frame.today) + timedelta(days=number)
        return _nearest(frame, lambda step: _days(this + timedelta(weeks=step), 1, "day"))

    return meaning


def weekday_before_last(number: int) -> Meaning:
    """A week before the last such weekday: on a Friday, the Friday before last is two weeks ago."""
    return _alone(
        lambda frame: _days(frame.today - timedelta(days=((frame.today.weekday() - number) % 7 or 7) + 7), 1, "day")
    )


def weekday_of(weeks: int, number: int) -> Meaning:
    """A weekday of the week so many weeks on."""
    return _alone(lambda frame: _days(_monday(frame.today) + timedelta(weeks=weeks, days=number), 1, "day"))


def weekend(weeks: int | None = None) -> Meaning:
    """Saturday and Sunday of the week so many weeks on; None: this week's, or as the tense says."""

    def of(frame: Frame, step: int) -> Stretch:
        return _days(_monday(frame.today) + timedelta(weeks=step, days=5), 2, "weekend")

    if weeks is None:
        return _alone(lambda frame: _nearest(frame, lambda step: of(frame, step)))
    return _alone(lambda frame: of(frame, weeks))


def weekday_beside(number: int, sign: int) -> Meaning:
    """The nearest such weekday before or after the day outside."""

    def meaning(_: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is None or outer.grain != "day":
            return None
        ahead = (number - outer.begin.weekday()) * sign % 7 or 7
        return _days(outer.begin + timedelta(days=ahead * sign), 1, "day")

    return meaning


def beside(unit: str, sign: int) -> Meaning:
    """The day, week or weekend before or after the day outside."""

    def meaning(_: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is None or outer.grain != "day":
            return None
        if unit == "day":
            return _days(outer.begin + timedelta(days=sign), 1, "day")
        if unit == "week":
            return _days(_monday(outer.begin) + timedelta(weeks=sign), 7, "week")
        saturday = _monday(outer.begin) + timedelta(days=5)
        if sign > 0 and outer.begin >= saturday:
            saturday += timedelta(weeks=1)
        if sign < 0:
            saturday -= timedelta(weeks=1)
        return _days(saturday, 2, "weekend")

    return meaning


def _edge_of(outer: Stretch, place: str) -> Stretch | None:
    begin = outer.begin
    third = {"early": 0, "start": 0, "mid": 1, "late": 2, "end": 2}[place]
    if outer.grain == "month":
        first = begin.replace(day=third * 10 + 1)
        return Stretch(first, outer.until if third == 2 else first + timedelta(days=10), "span")  # noqa: PLR2004
    if outer.grain == "week":
        days = {0: (0, 2), 1: (2, 2), 2: (4, 3)}[third]
        return _days(begin + timedelta(days=days[0]), days[1], "span")
    if outer.grain == "year" and place in {"start", "end"}:
        return _months(_at(begin, begin.year, 1 if place == "start" else 12), 1, "span")
    months = {"year": 4, "half": 2, "quarter": 1, "season": 1}.get(outer.grain)
    return _months(_months_on(begin, third * months), months, "span") if months else None


def edge(place: str, unit: str | None = None) -> Meaning:
    """The start, mid or end (or early, late) of what stands outside, else of this `unit`.

    Of a month its ten days, of a year its first or last month (early and late: a third), of a season a third.
    """

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is None and unit is not None:
            outer = unit_around(frame.now, unit)
        return _edge_of(outer, place) if outer is not None else None

    return meaning
