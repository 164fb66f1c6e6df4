"""What a query says beside its words: whom it names, which days, and whether it asks for a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from memory.language.dates.reading import find_dates
from memory.language.terms import distinct, terms

_TIMED: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this|since|week(?:end)?s?|months?|years?|days?|morning|evening|"
    r"night|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|20\d\d)\b|"
    r"昨|今天|今早|今晚|明天|前天|后天|上周|上个?月|去年|前年|今年|明年|下周|下个?月|这周|本周|周末|周[一二三四五六日天]|星期|礼拜|"
    r"[0-9一二三四五六七八九十两几]{1,8}(?:天|周|个月|年|个?小时)[前后]|[0-9一二三四五六七八九十]{1,8}[月号日]|早上|上午|中午|下午|晚上|春天|夏天|秋天|冬天|20\d\d",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"^\W*(?:when|(?:in |on |at )?(?:what|which) (?:date|day|month|year|time|week)|how long|since when|until when)\b|"
    r"什么时候|什么时间|何时|哪[一]?[天年月日]|几[号月点]|多久|多长时间|哪个?(?:月|年|星期)|星期几|周几|多少天|多少年",
    re.IGNORECASE,
)
_POSSESSIVE: Final = r"(?:['\u2019]s)?"
_FINE: Final = ("day", "part", "hour", "minute")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time that a query names, in ms; `fine`: a day or less."""

    from_ms: int
    to_ms: int
    fine: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How a query is searched for. `plain` is its text without people's names: what is embedded."""

    terms: Sequence[str]
    plain: str
    named: str
    windows: Sequence[Window]
    when: bool


def timed(text: str) -> bool:
    """Whether a text has a word of time."""
    return _TIMED.search(text) is not None


def plan(query: str, speakers: Sequence[str], now_ms: int, zone: tzinfo = UTC) -> Plan:
    """Read a query. `speakers` are the names that records of this user have; roles and agents are none.

    Its days begin and end by the clock of `zone`.
    """
    names = [name for name in speakers if name and _named(name).search(query)]
    plain = query
    for name in names:
        plain = _named(name).sub("", plain)
    plain = " ".join(plain.split()) or query
    now = datetime.fromtimestamp(now_ms / 1000, zone)
    return Plan(
        terms=distinct(terms(plain)),
        plain=plain,
        named=names[0] if len(names) == 1 else "",
        windows=[Window(_ms(date.begin), _ms(date.until), date.grain in _FINE) for date in find_dates(query, now)],
        when=_WHEN.search(query) is not None,
    )


def _named(name: str) -> re.Pattern[str]:
    if name.isascii():
        return re.compile(rf"\b{re.escape(name)}\b{_POSSESSIVE}", re.IGNORECASE)
    return re.compile(re.escape(name))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
