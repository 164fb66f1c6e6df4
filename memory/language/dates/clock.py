"""Parts of a day and clock times, in no language: the finest atoms of a date."""

from datetime import timedelta
from typing import Final

from memory.language.dates.calendar import Frame, Meaning, Stretch

PARTS: Final = {
    "small hours": (0, 6),
    "morning": (6, 12),
    "noon": (11, 13),
    "afternoon": (12, 18),
    "dusk": (17, 19),
    "evening": (18, 24),
    "late": (22, 24),
}

_PM_FROM_HOUR: Final = 7
"""A clock hour below this without any part of the day is meant in the afternoon: 3 o'clock is 15:00."""


def part(name: str, days: int | None = None) -> Meaning:
    """A part of the day outside, else of today; `days` binds it to a day that far from today.

    One that is still to come is yesterday's where the clause tells of the past.
    """
    first, last = PARTS[name]

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None and (days is not None or outer.grain != "day"):
            return None
        day = outer.begin if outer is not None else frame.today + timedelta(days=days or 0)
        if outer is None and days is None and day.replace(hour=first) > frame.now and frame.tense() < 0:
            day -= timedelta(days=1)
        until = day + timedelta(days=1) if last == 24 else day.replace(hour=last)  # noqa: PLR2004
        return Stretch(day.replace(hour=first), until, "part")

    return meaning


def _hour_in(hour: int, outer: Stretch | None) -> int:
    """The hour counted from the day's start, past 24 after midnight; a part of the day settles which half."""
    noon = 12
    if outer is None or outer.grain != "part":
        return hour + noon if hour and hour < _PM_FROM_HOUR else hour
    first = outer.begin.hour
    if first in {PARTS["small hours"][0], PARTS["morning"][0]}:
        return 0 if hour == noon and not first else hour
    if first >= PARTS["evening"][0]:
        return hour + (noon if 4 < hour <= noon else 24)  # noqa: PLR2004
    return hour + noon if hour < PARTS["noon"][0] else hour


def clock(hour: int, minute: int | None, *, exact: bool = False) -> Meaning:
    """A clock time of the day or part outside, else of today; `exact`: the hour is one of 0 to 24."""

    def meaning(_frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None and outer.grain not in {"day", "part"}:
            return None
        day = (outer.begin if outer is not None else _frame.now).replace(hour=0, minute=0, second=0, microsecond=0)
        counted = hour if exact or hour > 12 else _hour_in(hour, outer)  # noqa: PLR2004
        begin = day + timedelta(hours=counted, minutes=minute or 0)
        length = timedelta(hours=1) if minute is None else timedelta(minutes=1)
        return Stretch(begin, begin + length, "hour" if minute is None else "minute")

    return meaning
