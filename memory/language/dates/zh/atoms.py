"""What the Chinese words of dates mean: each function makes the atom of one pattern of `patterns`."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memory.language.dates import calendar as cal
from memory.language.dates import clock as clk
from memory.language.dates import told
from memory.language.dates.calendar import Atom
from memory.language.dates.scan import atom, waking
from memory.language.numerals import CHINESE_DIGITS, chinese_number

HAN_NUMBER: Final = "零〇一二两三四五六七八九十百"
NUMBER: Final = rf"[0-9]{{1,4}}|[{HAN_NUMBER}]{{1,6}}"
UNIT: Final = r"秒钟?|分钟?|个?小时|个?钟头|天|日|周|个?星期|个?礼拜|个月|个?季度|年"
_UNITS: Final = {
    "秒": "second",
    "分": "minute",
    "小": "hour",
    "钟": "hour",
    "天": "day",
    "日": "day",
    "周": "week",
    "星": "week",
    "礼": "week",
    "月": "month",
    "季": "quarter",
    "年": "year",
}
_HALVES: Final = {"hour": ("minute", 60, 30), "month": ("day", 30, 15), "year": ("month", 12, 6), "week": ("day", 7, 3)}
"""A unit and a half as counts of a smaller one."""

_PARTS: Final = (
    (r"凌晨|半夜|午夜|后半夜", "small hours"),
    (r"大清早|一大早|一早|清晨|早晨|早上|早间|上午|清早|晨间", "morning"),
    (r"中午|正午|晌午", "noon"),
    (r"下午|午后", "afternoon"),
    (r"傍晚|黄昏", "dusk"),
    (r"晚上|晚间|夜里|夜间|夜晚", "evening"),
    (r"深夜", "late"),
)
PART_WORDS: Final = "|".join(words for words, _ in _PARTS)
_PART_OF: Final = {word: name for words, name in _PARTS for word in words.split("|")}
_SHORT_PARTS: Final = {"早": "morning", "晨": "morning", "晚": "evening", "夜": "evening", "午": "noon"}
_DAY_SHORT: Final = {"前": -2, "昨": -1, "今": 0, "明": 1, "后": 2}
_DAYS: Final = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEARS: Final = {"大前": -3, "前": -2, "去": -1, "上": -1, "今": 0, "本": 0, "明": 1, "来": 1, "后": 2, "大后": 3}
_STEPS: Final = {"上上": -2, "上": -1, "上一": -1, "这": 0, "这一": 0, "本": 0, "下": 1, "下一": 1, "下下": 2}
_EDGES: Final = {"初": "start", "头": "start", "上旬": "start", "中": "mid", "中旬": "mid"}
_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}

_FIXED_FEASTS: Final = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "妇女节": (3, 8),
    "三八节": (3, 8),
    "植树节": (3, 12),
    "愚人节": (4, 1),
    "劳动节": (5, 1),
    "五一": (5, 1),
    "青年节": (5, 4),
    "护士节": (5, 12),
    "儿童节": (6, 1),
    "六一": (6, 1),
    "建党节": (7, 1),
    "建军节": (8, 1),
    "八一": (8, 1),
    "教师节": (9, 10),
    "国庆": (10, 1),
    "十一": (10, 1),
    "万圣夜": (10, 31),
    "万圣节": (10, 31),
    "光棍节": (11, 11),
    "双十一": (11, 11),
    "双11": (11, 11),
    "双十二": (12, 12),
    "双12": (12, 12),
    "平安夜": (12, 24),
    "圣诞": (12, 25),
    "跨年夜": (12, 31),
}
_MOVING_FEASTS: Final = {"母亲节": (5, 6, 2), "父亲节": (6, 6, 3), "感恩节": (11, 3, 4)}
"""Month, weekday and which of them."""


def nth_weekday(month: int, weekday: int, number: int) -> Callable[[int], date]:
    """The n-th of a weekday in a month, by year."""

    def when(year: int) -> date:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))

    return when


def same_day(month: int, day: int) -> Callable[[int], date]:
    """The same day each year."""
    return lambda year: date(year, month, day)


def _unit(text: str) -> str:
    return _UNITS[text.removeprefix("个")[0]]


def _pair(number: str) -> tuple[str, str] | None:
    """两三 is two or three; a number read digit by digit has four of them."""
    if len(number) == 2 and number[0] in "一二两三四五六七八" and number[1] in CHINESE_DIGITS:  # noqa: PLR2004
        return number[0], number[1]
    return None


def make_ago(m: re.Match[str]) -> Atom | None:
    """三天前, 两三周后: the unit that holds that moment."""
    unit = _unit(m["ago_unit"])
    sign = -1 if m["ago_side"] == "前" else 1
    if sign > 0 and m["ago_unit"] == "日":
        return None
    if m["ago_few"] and m["ago_few"][0] == "十":
        return atom(m, cal.DAY, cal.shift_between(unit, sign * 11, sign * 19))
    if m["ago_few"]:
        return atom(m, cal.DAY, cal.few(unit, sign))
    near, far = m["ago_n"], m["ago_to"]
    if far is None and (pair := _pair(near)):
        near, far = pair
    count = chinese_number(near)
    if far is not None:
        return atom(m, cal.DAY, cal.shift_between(unit, sign * count, sign * chinese_number(far)))
    if unit == "year" and count >= 1000:  # noqa: PLR2004
        return None
    if (m["ago_half"] or m["ago_and"] or m["ago_point"]) and unit in _HALVES:
        unit, whole, half = _HALVES[unit]
        count = count * whole + half
    return atom(m, cal.DAY, cal.shift(unit, -count) if sign < 0 else told.later(unit, count))


def make_next_day(m: re.Match[str]) -> Atom:
    """第二天, 次日, 第三天: days counted from the one that was told of."""
    return atom(m, cal.DAY, told.days_on(chinese_number(m["nd_n"]) - 1 if m["nd_n"] else 1))


def make_half_ago(m: re.Match[str]) -> Atom:
    """半小时前, 半年后."""
    unit, _, half = _HALVES[_unit(m["half_unit"])]
    return atom(m, cal.DAY, cal.shift(unit, -half if m["half_side"] == "前" else half))


def make_again(m: re.Match[str]) -> Atom:
    """再过两天."""
    return atom(
        m, cal.DAY, cal.shift(_unit(m["again_unit"]), chinese_number((_pair(m["again_n"]) or (m["again_n"],))[-1]))
    )


def make_running(m: re.Match[str]) -> Atom | None:
    """最近三天, 未来两周, 前几天."""
    unit, lead = _unit(m["run_unit"]), m["run_lead"]
    sign = 1 if lead in {"未来", "接下来", "接下来的", "今后", "往后", "未来的"} else -1
    few = m["run_n"] in {"几", "些"}
    if lead in {"前", "头"}:
        # 前两天 is the other day; 前三天 would be the first three days of something.
        if m["run_n"] == "两" and unit == "day":
            return atom(m, cal.DAY, cal.shift_between(unit, -1, -3))
        return atom(m, cal.DAY, cal.few(unit, -1)) if few else None
    if lead == "这" and not few and m["run_n"] != "两":
        return None
    count = cal.FEW_OTHERS - 2 if few else chinese_number((_pair(m["run_n"]) or (m["run_n"],))[-1])
    return atom(m, cal.DAY, cal.running(unit, count, sign))


def make_year(m: re.Match[str]) -> Atom | None:
    """2024年, 二〇二四年, 去年; two digits only where a month or a birth follows."""
    if m["y_rel"]:
        return atom(m, cal.YEAR, cal.shift("year", _YEARS[m["y_rel"]]))
    if m["y_short"]:
        short = int(m["y_short"])
        number = short + (1900 if short >= 50 else 2000)  # noqa: PLR2004
    else:
        number = chinese_number(m["y_n"])
    if not 1000 <= number <= 2999:  # noqa: PLR2004
        return None
    return atom(m, cal.YEAR, cal.year(number), fixed=True)


def make_decade(m: re.Match[str]) -> Atom:
    """九十年代."""
    tens = chinese_number(m["dec_n"])
    century = 1900 if m["dec_c"] or tens > 20 else 2000  # noqa: PLR2004
    return atom(m, cal.YEAR, cal.decade(century + tens), fixed=True)


def make_edge(m: re.Match[str]) -> Atom:
    """年底, 月初, 中旬."""
    unit = "year" if "年" in m[0] else "month" if m["e_month"] else None
    place = _EDGES.get((m["e_y"] or m["e_m"] or m["e_month"] or m["e_year"]).lstrip("年月"), "end")
    return atom(m, cal.EDGE, cal.edge(place, unit), weak=unit is None)


def make_half(m: re.Match[str]) -> Atom:
    """上半年, 第三季度."""
    if m["q_rel"]:
        return atom(m, cal.HALF, cal.shift("quarter", _STEPS[m["q_rel"]]))
    if m["q_n"]:
        return atom(m, cal.HALF, cal.quarter(chinese_number(m["q_n"])))
    return atom(m, cal.HALF, cal.half(1 if m["h_n"] == "上" else 2))


def make_season(m: re.Match[str]) -> Atom:
    """夏天 counts only beside a year; 今夏 and 这个夏天 alone."""
    name = _SEASONS[m["s_short"] or m["s_name"]]
    if m["s_year"]:
        return atom(m, cal.HALF, cal.season(name, _YEARS[m["s_year"]]))
    if m["s_step"]:
        return atom(m, cal.HALF, cal.season(name, _STEPS[m["s_step"]]))
    return atom(m, cal.HALF, cal.season(name), weak=True)


def make_month(m: re.Match[str]) -> Atom | None:
    """三月, 上个月."""
    if m["m_rel"]:
        return atom(m, cal.MONTH, cal.shift("month", _STEPS[m["m_rel"]]))
    number = chinese_number(m["m_n"])
    return atom(m, cal.MONTH, cal.month(number)) if 1 <= number <= 12 else None  # noqa: PLR2004


def make_month_day(m: re.Match[str]) -> Atom | None:
    """5月7号, 三月五号."""
    month, day = chinese_number(m["zd_m"]), chinese_number(m["zd_d"])
    if not (1 <= month <= 12 and 1 <= day <= 31):  # noqa: PLR2004
        return None
    return atom(m, cal.DAY, cal.month_day(month, day))


def make_day_of_month(m: re.Match[str]) -> Atom | None:
    """15号; 15日 only beside a month."""
    day = chinese_number(m["d_n"])
    return atom(m, cal.DAY, cal.day_of_month(day), weak=m["d_mark"] == "日") if 1 <= day <= 31 else None  # noqa: PLR2004


def make_week(m: re.Match[str]) -> Atom:
    """上周, 下周五, 上周末."""
    step, name = m["w_step"], m["w_day"]
    if name == "末":
        return atom(m, cal.DAY, cal.weekend(_STEPS[step]))
    if name is None:
        return atom(m, cal.WEEK, cal.shift("week", _STEPS[step]))
    return atom(m, cal.DAY, cal.weekday_of(_STEPS[step], _weekday(name)))


def _weekday(name: str) -> int:
    return {"天": 6, "日": 6}.get(name) or chinese_number(name) - 1


def make_bare_weekday(m: re.Match[str]) -> Atom:
    """周三, 周末."""
    if m["wd_n"] is None or m["wd_n"] == "末":
        return atom(m, cal.DAY, cal.weekend())
    return atom(m, cal.WEEKDAY, cal.weekday(_weekday(m["wd_n"])))


def make_day(m: re.Match[str]) -> Atom:
    """前天, 今天, 大后天."""
    return atom(m, cal.DAY, cal.shift("day", _DAYS[m["day_n"]]))


def make_day_part(m: re.Match[str]) -> Atom:
    """昨晚, 明早."""
    return atom(
        m, cal.PART, clk.part(_SHORT_PARTS[m["dp_part"][0]], _DAY_SHORT[m["dp_day"] or m["dp_far"] or m["dp_eve"]])
    )


def make_part(m: re.Match[str]) -> Atom:
    """下午; 早 and 晚 only beside a day or hour."""
    short = m["p_short"] or m["p_late"]
    if short:
        return atom(m, cal.PART, clk.part(_SHORT_PARTS[short]), weak=True)
    return atom(m, cal.PART, clk.part(_PART_OF[m["p_word"]]))


_LOUD_BEFORE: Final = re.compile(r"(?:[在到从至于约才就等]|现在|已经|大概|差不多|早上|定在)[ ]?$")
_QUIET_BEFORE: Final = re.compile(
    r"(?:[第这那有提几共些列如下说讲谈差好快慢早晚大小多少]|以下|总结|其中|记住|做到|注意|满足|同意|具备|分|还有"
    r"|下面|强调)[ ]?$"
)
_LOUD_AFTER: Final = re.compile(
    r"左右|多(?!建)|[之以]?[前后](?!面)|开始|开会|出发|起床|集合|见面?(?!解)|碰头|上[课班]|下[课班]|睡|醒|吃[饭药]|"
    r"的(?:火车|飞机|航班|高铁|会|课|电影|闹钟|号)|提醒|叫我|打电话|[去到来走回](?!处)|半|关门|开门|结束"
    r"|吧?[。！!，,？?]|$"
)
_QUIET_AFTER: Final = re.compile(
    r"[ ]?的?(?:[点儿也都不没]|建议|意见|原因|理由|要求|注意|问题|说明|好处|坏处|内容|希望|区别|不同|症状|特点|"
    r"感受|想法|疑问|看法|要|体会|收获|经验|启示|事|可|值|首|第|就|需|食|胃|小|钱|东西|水)|[:：]"
)


def make_clock(m: re.Match[str]) -> Atom | None:
    """A clock time; a bare 三点 needs a word beside it that says so, because it also counts points."""
    hour = chinese_number(m["c_h"])
    minute: int | None = None
    if m["c_half"]:
        minute = 30
    elif m["c_quarter"]:
        minute = 15 * chinese_number(m["c_quarter"])
    elif m["c_m"]:
        minute = chinese_number(m["c_m"])
    if hour > 24 or (minute or 0) > 59:  # noqa: PLR2004
        return None
    sure = True if minute is not None or m["c_full"] else _told_by_neighbours(m)
    if sure is None:
        return None
    exact = m["c_h"][0] == "0" or hour in {0, 24} or waking(m)
    return atom(m, cal.CLOCK, clk.clock(hour, minute, exact=exact), weak=not sure)


def _told_by_neighbours(m: re.Match[str]) -> bool | None:
    """Whether 三点 is a time: True, False if only beside a date, None if never."""
    after = _LOUD_AFTER.match(m.string, m.end())
    few = m["c_h"] in set("一二两三四1234")
    if after and few and (not after[0] or after[0] in "。！!，,？?"):
        after = None
    if _QUIET_AFTER.match(m.string, m.end()) or (m["c_h"] == "一" and not after):
        return None
    before = m.string[max(0, m.start() - 4) : m.start()]
    if m["c_mark"] == "时" or _QUIET_BEFORE.search(before):
        return False
    return bool(after or _LOUD_BEFORE.search(before))


def make_feast(m: re.Match[str]) -> Atom:
    """A feast with a day of its own; those of the lunar calendar are left out."""
    name = m["f_name"]
    moving = _MOVING_FEASTS.get(name)
    when = nth_weekday(*moving) if moving else same_day(*_FIXED_FEASTS[name])
    return atom(m, cal.DAY, cal.feast(when))


FEASTS: Final = "|".join([*(n for n in _FIXED_FEASTS if n not in {"五一", "六一", "八一", "十一"}), *_MOVING_FEASTS])
