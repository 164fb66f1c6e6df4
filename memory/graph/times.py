"""Times in the attributes of a created memory: understood by the dates of the language, written in one form."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from memory.language.choice import has_han
from memory.language.dates.reading import DateSpan, find_dates

_KEY: Final = re.compile(r"时间|日期|时刻|时候|\b(?:time|date|day|when|start|end|since|until|from|to)\b", re.IGNORECASE)
_PARTS: Final = (
    (6, {"zh": "凌晨", "en": "small hours"}),
    (11, {"zh": "上午", "en": "morning"}),
    (12, {"zh": "中午", "en": "noon"}),
    (17, {"zh": "下午", "en": "afternoon"}),
    (18, {"zh": "傍晚", "en": "dusk"}),
    (22, {"zh": "夜间", "en": "evening"}),
    (24, {"zh": "深夜", "en": "late evening"}),
)
"""By the hour before which a part of the day begins."""
_FORMS: Final = {
    "minute": "%Y-%m-%d %H:%M",
    "hour": "%Y-%m-%d %H:%M",
    "day": "%Y-%m-%d",
    "month": "%Y-%m",
    "year": "%Y",
}


class Understood(NamedTuple):
    """A time of an attribute: as it was said, and what stretch that is; no stretch: it was not understood."""

    key: str
    said: str
    span: DateSpan | None


def is_time(key: str) -> bool:
    """Whether an attribute of this name is a time."""
    return _KEY.search(key.replace("_", " ")) is not None


def understood(attributes: Mapping[str, str], now: datetime) -> list[Understood]:
    """The times among attributes, seen from `now`, whose clock is that of who says it."""
    found = []
    for key, said in attributes.items():
        if is_time(key):
            spans = find_dates(said, now)
            found.append(Understood(key, said, spans[0] if spans else None))
    return found


def written(time: Understood) -> str:
    """The time in one form: 2025-11-05, 2025-11-05 08:00, 2025-11-04 夜间.

    What a date stands among says more than the date: then the date is put behind it, in brackets.
    """
    if time.span is None:
        return time.said
    plain = _plain(time.span, "zh" if has_han(time.said) else "en")
    rest = (time.said[: time.span.start] + time.said[time.span.end :]).strip(" ,，。.的")
    return f"{time.said} ({plain})" if rest and plain not in time.said else plain if not rest else time.said


def _plain(span: DateSpan, locale: str) -> str:
    if span.grain in _FORMS:
        return span.begin.strftime(_FORMS[span.grain])
    day = span.begin.strftime(_FORMS["day"])
    if span.grain == "part":
        return f"{day} {next(name[locale] for hour, name in _PARTS if span.begin.hour < hour)}"
    last = (span.until - timedelta(microseconds=1)).strftime(_FORMS["day"])
    return day if last == day else f"{day}/{last}"
