"""Days, times of day and amounts of a label in one form each: 14 Feb 2022 as 2022-2-14, 1.5 litres as 1500ml. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from memory.language.numerals import CHINESE_DIGITS, ENGLISH_NUMBERS, chinese_number

_MONTHS: Final = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
_MONTH_OF: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_MONTH: Final = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAYS: Final = (
    re.compile(rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b"),
    re.compile(rf"{_YEAR}年(?P<month>\d{{1,2}})月(?:(?P<day>\d{{1,2}})[日号]?)?"),
    re.compile(r"(?<!\d)(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]?"),
    re.compile(rf"\b{_DAY} (?:of )?(?P<month>{_MONTH})\b\.?(?:,? {_YEAR}\b)?"),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.? {_DAY}\b(?:,? {_YEAR}\b)?"),
    re.compile(rf"\b{_YEAR}-(?P<month>0[1-9]|1[0-2])(?P<day>)(?![-\d])"),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.?,? {_YEAR}\b(?P<day>)"),
)
_NOON: Final = 12
_HALF: Final = 30
_QUARTER: Final = 15
_AFTERNOON: Final = ("下午", "傍晚")
_NIGHT: Final = ("晚上", "夜里", "半夜", "晚", "night")
_LATE: Final = 6
"""Of a night from six on it is before midnight."""
_EARLY: Final = 5
"""Of noon before five it is after."""
_PARTS: Final = "|".join((*_AFTERNOON, *_NIGHT, "早上", "早晨", "上午", "凌晨", "清晨", "中午", "早"))
_TIME_ZH: Final = re.compile(
    rf"(?P<part>{_PARTS})?(?P<hour>\d{{1,2}})(?:点钟?|时(?![候常间]))"
    r"(?:(?P<half>半)|(?P<quarter>一刻|三刻)|(?P<minute>\d{1,2})分?)?"
)
_TIME_24: Final = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})[:：](?P<minute>\d\d)(?: ?(?P<part>[ap])\.?m\b\.?)?(?![\d:])"
    r"(?: in the (?P<late>morning|afternoon|evening)| at (?P<night>night))?"
)
_TIME_EN: Final = re.compile(r"(?<![\d:.])(?P<hour>\d{1,2}) ?(?P<part>[ap])\.?m\b\.?")
_SPOKEN: Final = re.compile(
    r"\b(?:(?P<how>half|(?:a )?quarter) (?P<side>past|to|after)"
    r"|half) (?P<hour>\d{1,2})(?!\d)(?: ?(?P<part>[ap])\.?m\b\.?)?"
    r"(?: in the (?P<late>morning|afternoon|evening)| at (?P<night>night))?"
)
_AMOUNTS: Final[Sequence[tuple[str, float, str]]] = (
    ("mcg|ug|μg|微克", 0.001, "mg"),
    ("mg|毫克", 1, "mg"),
    ("kg|kgs|kilos?|kilograms?|公斤|千克", 1_000_000, "mg"),
    ("g|克|grams?", 1_000, "mg"),
    ("斤", 500_000, "mg"),
    ("两", 50_000, "mg"),
    ("ml|毫升|cc|milliliters?", 1, "ml"),
    ("l|升|liters?|litres?", 1_000, "ml"),
    ("mm|毫米", 1, "mm"),
    ("cm|厘米|公分|centimeters?", 10, "mm"),
    ("m|米|meters?", 1_000, "mm"),
    ("km|公里|千米|kilometers?", 1_000_000, "mm"),
    ("fortnights?", 14, "d"),
    ("weeks?|wks?|周|个?星期|个?礼拜", 7, "d"),
    ("days?|天", 1, "d"),
    (r"(?<!19\d\d)(?<!20\d\d)(?:years?|yrs?|年)", 12, "months"),
    ("months?|mths?|个月", 1, "months"),
    ("hours?|hrs?|个?小时|个?钟头", 60, "min"),
    ("minutes?|mins?|分钟", 1, "min"),
)
_AMOUNT: Final = re.compile(
    r"(?<![a-z0-9.-])(?P<number>\d{1,9}(?:\.\d{1,6})?)[ -]?(?:"
    + "|".join(f"(?P<u{index}>{names})" for index, (names, _, _) in enumerate(_AMOUNTS))
    + r")(?![a-z])"
)
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TENS: Final = {
    word: 10 * n
    for n, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_ORDINALS: Final = {
    word: n
    for n, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
            *("eighteenth", "nineteenth"),
        ),
        1,
    )
} | {f"{word[:-1]}ieth": n for word, n in _TENS.items()}
_TEENS: Final = range(11, 14)
_NUMBERS: Final = {**ENGLISH_NUMBERS, **_TENS, **_ORDINALS}
_AFTER_TENS: Final = (*tuple(ENGLISH_NUMBERS)[1:10], *(word for word in tuple(_ORDINALS)[:9] if word != "second"))
"""A thirty second timer is no thirty-second."""
_ALONE: Final = sorted((word for word in _NUMBERS if word != "one"), key=len, reverse=True)
_WORDS: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[ -]?(?P<rest>{'|'.join(_AFTER_TENS)})|(?P<alone>{'|'.join(_ALONE)}))\b"
)
"""`one` alone is more often a word than a number."""
_A_UNIT: Final = re.compile(r"\b(?:an? (?=(?:hour|minute|day|week|fortnight|month|year|dozen)s?\b)|half an (?=hour\b))")
_AND_A_HALF: Final = re.compile(r"(?<!\d)(\d{1,6})(?:个半(?=小时|钟头|月)| and a half (?=\w))")
_POINT: Final = re.compile(r"(?<!\d)(\d{1,6})点(\d|[一二三四五六七八九])(?=公|小时|个小时|升|米)")
_HOURLY: Final = re.compile(r"\b(\d{1,6})[ -]hourly\b")
_ONE_OF: Final = re.compile(
    r"(?<![\d十百千第周期拜二三四五六七八九])(?:一|那"
    r"|这)[把根个只件条块份台辆张本双位盆棵套部杯碗间所家架幅首座株朵匹头顶副串口](?!月|星|礼|小时|钟|半)"
)
_HALF_OF: Final = re.compile(r"(?<!个)半(?=斤|公斤|升|个?小时|个月|年|公里|米)")
_MONEY: Final = re.compile(r"(?<!\d)(\d{1,9})块(?:钱|([一二三四五六七八九\d])(?![\d头])|(?=$|[^头\w]))")
_DOZEN: Final = re.compile(r"(?:1 |\b)dozen\b")
_ONE_AND_A_HALF: Final = re.compile(r"\bone and a half\b")
_YEAR_ALONE: Final = re.compile(r"((?:19|20)\d\d)年")
_JIN: Final = re.compile(r"(?<!\d)(\d{1,6})斤(?:(\d)两|(半))")
_TWICE: Final = re.compile(r"\btwice\b")
_YEAR_ZH: Final = re.compile(r"([一二][〇零一二三四五六七八九]{3})(?=年)")
_LUNAR: Final = (("农历腊月", "农历12月"), ("农历冬月", "农历11月"), ("农历正月", "农历1月"), ("廿", "二十"))
_COUNTED_ZH: Final = re.compile(
    r"[零〇一二两三四五六七八九十百千]{1,16}(?=[天日号月年岁周次回片粒颗个块元点时分斤两克升米毫公小星礼滴支瓶袋包盒楼层室])"
)


_COUNTS: Final = re.compile(
    rf"[\d零〇一二两三四五六七八九十百千半那这廿腊冬正]|\b(?:twice|half|an?|dozen|{'|'.join(_NUMBERS)})\b"
)
"""What a label without any of them says nothing of."""


def in_figures(text: str) -> str:
    """A plain label with numbers as digits, and days, times and amounts each in one form."""
    if _COUNTS.search(text) is None:
        return text
    text = _THOUSANDS.sub("", text)
    text = _TWICE.sub("2 times", text)
    text = _ONE_AND_A_HALF.sub("1.5", text)
    text = _HOURLY.sub(r"\1 hours", _WORDS.sub(_spelt, text))
    text = _A_UNIT.sub(lambda found: "0.5 " if found[0].startswith("half") else "1 ", text)
    text = _HALF_OF.sub("0.5", _ONE_OF.sub("", _DOZEN.sub("12", text)))
    text = _YEAR_ZH.sub(lambda found: "".join(str(CHINESE_DIGITS[each]) for each in found[0]), text)
    for said, number in _LUNAR:
        text = text.replace(said, number)
    text = _COUNTED_ZH.sub(_counted, text)
    text = _AND_A_HALF.sub(r"\1.5", text)
    text = _POINT.sub(lambda found: f"{found[1]}.{CHINESE_DIGITS.get(found[2], found[2])}", text)
    text = _MONEY.sub(_money, text)
    text = _JIN.sub(lambda found: f"{int(found[1]) + int(found[2] or 5) / 10:g}斤", text)
    for each in _DAYS:
        text = each.sub(_day, text)
    for pattern, make in _TIMES:
        text = pattern.sub(make, text)
    return _AMOUNT.sub(_amount, _YEAR_ALONE.sub(r" \1 ", text))


def _spelt(found: re.Match[str]) -> str:
    last = found["alone"] or found["rest"]
    number = _NUMBERS[last] if found["alone"] else _TENS[found["tens"]] + _NUMBERS[last]
    return f"{number}{_ending(number)}" if last in _ORDINALS else str(number)


def _ending(number: int) -> str:
    """Of an ordinal in figures: the third dose is not three doses."""
    return "th" if number % 100 in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _counted(found: re.Match[str]) -> str:
    said = found[0]
    try:
        return str(chinese_number(said))
    except (KeyError, ValueError):
        return said


def _money(found: re.Match[str]) -> str:
    return f"{found[1]}.{CHINESE_DIGITS.get(found[2], found[2])}元" if found[2] else f"{found[1]}元"


def _day(found: re.Match[str]) -> str:
    named = found.groupdict()
    said = named["month"]
    month = _MONTH_OF.get(said) or int(said)
    return (
        " "
        + "-".join(filter(None, (named.get("year"), f"{month}", str(int(named["day"])) if named["day"] else "")))
        + " "
    )


def _clock(hour: int, minute: int, part: str) -> str:
    if part in _NIGHT:
        hour = hour + _NOON if _LATE <= hour < _NOON else hour % _NOON
    elif part == "中午":
        hour += _NOON if hour < _EARLY else 0
    elif part == "p" or part in _AFTERNOON:
        hour += _NOON if hour < _NOON else 0
    elif part == "a" and hour == _NOON:
        hour = 0
    return f" {hour}:{minute:02} "


def _time_zh(found: re.Match[str]) -> str:
    minute = _HALF if found["half"] else int(found["minute"] or 0)
    if found["quarter"]:
        minute = _QUARTER * CHINESE_DIGITS[found["quarter"][0]]
    return _clock(int(found["hour"]), minute, found["part"] or "")


def _time(found: re.Match[str]) -> str:
    said = found.groupdict()
    return _clock(int(found["hour"]), int(said.get("minute") or 0), _part(said))


def _spoken(found: re.Match[str]) -> str:
    minutes = _QUARTER if (found["how"] or "").endswith("quarter") else _HALF
    hour = int(found["hour"])
    if found["side"] == "to":
        hour, minutes = hour - 1 or _NOON, 60 - minutes
    return _clock(hour, minutes, _part(found.groupdict()))


def _part(said: Mapping[str, str | None]) -> str:
    """Of the day: night, p (after noon), a (before), or nothing said."""
    late = said.get("late")
    return said.get("night") or ("a" if late == "morning" else "p" if late else said.get("part") or "")


_TIMES: Final[Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]] = (
    (_SPOKEN, _spoken),
    (_TIME_24, _time),
    (_TIME_EN, _time),
    (_TIME_ZH, _time_zh),
)


def _amount(found: re.Match[str]) -> str:
    index = next(index for index in range(len(_AMOUNTS)) if found[f"u{index}"])
    _, times, unit = _AMOUNTS[index]
    return f" {float(found['number']) * times:.12g}{unit} "
