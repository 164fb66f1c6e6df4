"""Since when: the day, month or year in which something began that has lasted for so long by now."""

import re
from datetime import datetime, timedelta
from typing import Final

from memory.language.dates.reading import find_dates

_CHINESE: Final = re.compile(
    r"(?P<amount>(?:半|[0-9]{1,3}|[一二两三四五六七八九十]{1,3})个?半?)多?"
    r"(?P<unit>小时|钟头|天|日|夜|晚上|周|星期|礼拜|月|年)(?P<half>半)?(?![前级级龄轻])"
)
_ENGLISH: Final = re.compile(
    r"\b(?P<amount>[0-9]{1,3}|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|a couple(?: of)?)"
    r"[ -](?P<unit>hour|hr|day|night|week|wk|month|mth|year|yr)s?\b(?! ago)",
    re.IGNORECASE,
)
_UNITS: Final = {"夜": "天", "晚上": "天", "钟头": "小时", "night": "day", "hr": "hour", "mth": "month", "wk": "week"}
_SHAPES: Final = {"year": "%Y", "half": "%Y", "decade": "%Y", "quarter": "%Y-%m", "season": "%Y-%m", "month": "%Y-%m"}


def onset(lasting: str, now: datetime) -> str:
    """When it began that is said to last so: `三天了`, `for two weeks`, `since Monday`, `从上周五开始`.

    An ISO date, as `2026-11-15`; of months and years as much of it as is known, `2026-09` and `2016`. Empty when the
    words name no time that is over by `now`: `好几天`, `since then`.
    """
    dated = [date for date in find_dates(lasting, now) if date.begin <= now]
    if dated:
        return _shown(dated[0].begin, dated[0].grain)
    if found := _CHINESE.search(lasting):
        return _ago(f"{found['amount']}{_unit(found)}{found['half'] or ''}前", now)
    if found := _ENGLISH.search(lasting):
        return _ago(f"{found['amount']} {_unit(found)}s ago", now)
    return ""


def _unit(found: re.Match[str]) -> str:
    unit = found["unit"].lower()
    return _UNITS.get(unit, unit)


def _ago(text: str, now: datetime) -> str:
    dates = find_dates(text, now)
    if not dates:
        return ""
    begin, grain = dates[0].begin, dates[0].grain
    if grain == "week":  # so many weeks back it was the same day of the week
        begin += timedelta(days=now.weekday())
    return _shown(begin, grain)


def _shown(begin: datetime, grain: str) -> str:
    return begin.strftime(_SHAPES.get(grain, "%Y-%m-%d"))
