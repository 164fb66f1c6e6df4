import json
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.dates.reading import find_dates, resolve_dates
from tests.growth import assert_grows

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
NOW = datetime(2026, 11, 18, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday


def table(name):
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def said(text, now=NOW):
    return [text[d.start : d.end] for d in find_dates(text, now)]


def days(text, now=NOW):
    return [(f"{d.begin:%Y-%m-%d}", f"{d.until:%Y-%m-%d}", d.grain) for d in find_dates(text, now)]


# dates_past: the past told by 做的手术 without 了; 12 of its 24 rows were right before it was told, 23 on the next run.
# The first table was written before the rules, which got 77 of its 80 when they first ran. The second was written
# after they got all 80; its first run was 38 of 40, and two of its rows were corrected then: one held a second date,
# one said that "the early 1990s" was none.
@pytest.mark.parametrize(
    "row", table("dates.jsonl") + table("dates_second.jsonl") + table("dates_past.jsonl"), ids=lambda row: row["text"]
)
def test_dates_in_a_sentence_are_found_where_they_lie(row):
    found = find_dates(row["text"], datetime.fromisoformat(row["now"]))
    expected = [(row["begin"], row["until"], row["grain"])] if row["begin"] else []
    assert [(d.begin.isoformat(), d.until.isoformat(), d.grain) for d in found] == expected


@pytest.mark.parametrize(
    "text",
    [
        "体温38.5度",
        "我有3点建议，三点原因",
        "好一点了，有一点疼",
        "5mg 3次/日，一天三次",
        "版本3.12.1，v2024.5.7",
        "电话13812345678，身份证110101199003074219",
        "血压120/80，血糖5.6",
        "头痛三天，发烧两周，吃了三个月的药",
        "手术三天后拆线",
        "饭后两小时吃",
        "每周三复诊，每天早上八点服药，每年五月体检",
        "孕32周，一周三次，三年级",
        "三年前列腺增生的诊断",
        "早上好，晚上好",
        "5号楼3号床，10号线",
        "比例1:50，比分2:10",
        "I may go, the sun is up and I sat down",
        "for three days, three times a day, every Friday, on Mondays",
        "It fell 3 points, I am 45 years old, 2 mg twice daily",
        "Order 20240507123456 costs $1999.50, 2000 mg",
        "192.168.1.10 port 8080, 1.2.3",
        "Good morning! Good night!",
    ],
)
def test_dates_in_text_without_dates_are_none(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("昨天发烧，上周三去过医院，明早八点复查", ["昨天", "上周三", "明早八点"]),
        ("２０２４年５月７日和昨天", ["２０２４年５月７日", "昨天"]),
        ("Yesterday I was ill, on Monday I was fine.", ["Yesterday", "Monday"]),
        ("昨天meeting, then yesterday开会", ["昨天", "yesterday"]),
        ("mid-July, 1.5小时前", ["mid-July", "1.5小时前"]),
        ("the week before 25 August 2023", ["the week before 25 August 2023"]),
        ("下周一早上九点，周三8点半", ["下周一早上九点", "周三8点半"]),
        ("Thursday night, tomorrow evening", ["Thursday night", "tomorrow evening"]),
        ("10:30 on May 7, 2024", ["10:30 on May 7, 2024"]),
        ("Wednesday, 7 May 2025 at 3 pm", ["Wednesday, 7 May 2025 at 3 pm"]),
        ("5月7日（周四）上午", ["5月7日（周四）", "上午"]),
    ],
)
def test_dates_of_a_text_stand_left_to_right_at_their_places(text, spans):
    assert said(text) == spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5月1日到7日休息", [("2026-05-01", "2026-05-02", "day"), ("2026-05-07", "2026-05-08", "day")]),
        ("from Monday to Friday", [("2026-11-16", "2026-11-17", "day"), ("2026-11-20", "2026-11-21", "day")]),
    ],
)
def test_dates_of_a_range_end_in_the_month_or_week_of_its_beginning(text, expected):
    assert days(text) == expected


def test_dates_of_a_clock_range_end_in_the_half_day_of_its_beginning():
    first, last = find_dates("明天下午3点到5点开会", NOW)
    assert (first.begin.hour, last.begin.hour, last.begin.day) == (15, 17, 19)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("周五我去了医院", "2026-11-13"),
        ("周五我要去医院", "2026-11-20"),
        ("12月3号做过检查", "2025-12-03"),
        ("12月3号要做检查", "2026-12-03"),
        ("On Friday I went home", "2026-11-13"),
        ("On Monday I will go home", "2026-11-23"),
        ("My exam will be in March", "2027-03-01"),
        ("We met in December", "2025-12-01"),
    ],
)
def test_date_without_year_or_week_follows_the_tense_of_its_clause(text, begin):
    assert [found[0] for found in days(text)] == [begin]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("晚上睡的有着凉", "2026-11-17"),
        ("晚上没睡好，一直咳了一夜", "2026-11-17"),
        ("晚上要去复诊", "2026-11-18"),
        ("晚上可以喝酒吗", "2026-11-18"),
        ("早上吐了两次", "2026-11-18"),
        ("in the evening I felt sick", "2026-11-17"),
        ("in the evening I will call", "2026-11-18"),
        ("this morning I felt sick", "2026-11-18"),
    ],
)
def test_part_of_a_day_is_over_where_its_clause_tells_of_the_past(text, day):
    assert [found[0] for found in days(text)] == [day]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("上周五吃了海鲜，第二天就起了疹子", "2026-11-14"),
        ("11月10号做了手术，次日发烧", "2026-11-11"),
        ("上周五吃了海鲜，隔天早上起了疹子", "2026-11-14"),
        ("11月10号做了手术，第三天还在疼", "2026-11-12"),
        ("11月1号打了针，三天后起了疹子", "2026-11-04"),
        ("昨天看了医生，三天后要复诊", "2026-11-21"),
        ("On November 10 I had surgery and the next day I had a fever", "2026-11-11"),
        ("On November 10 I had surgery; the following morning I threw up", "2026-11-11"),
        ("I ate shrimp on November 1 and two days later I had hives", "2026-11-03"),
    ],
)
def test_next_day_counts_from_the_day_that_was_told_of(text, second):
    assert days(text)[-1][0] == second


@pytest.mark.parametrize(
    "text",
    ["第二天怎么办", "每隔天吃一次", "the next day", "two days later", "去年很累，第二天也累", "the next days or so"],
)
def test_next_day_of_no_day_is_no_date(text):
    assert not [found for found in days(text) if found[2] in {"day", "part"}]


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("上周三去了医院", "上周三（2026-11-11）去了医院"),
        ("last week I was ill", "last week (2026-11-09 to 2026-11-15) I was ill"),
        ("去年结的婚", "去年（2025）结的婚"),
        ("last night", "last night (2026-11-17)"),
        ("the Friday before last", "the Friday before last (2026-11-06)"),
        ("the Tuesday before last", "the Tuesday before last (2026-11-10)"),
        ("the Wednesday before last", "the Wednesday before last (2026-11-04)"),
        ("下午开会", "下午（2026-11-18）开会"),
        ("明早八点一刻", "明早八点一刻（2026-11-19 08:15）"),
        ("两个月前", "两个月前（2026-09）"),
        ("2024-05-07 and May 7th, 2023 and 2020年", "2024-05-07 and May 7th, 2023 and 2020年"),
        ("没有日期", "没有日期"),
        ("", ""),
    ],
)
def test_resolved_text_has_each_relative_date_followed_by_the_absolute(text, resolved):
    assert resolve_dates(text, NOW) == resolved
    assert resolve_dates(resolved, NOW + timedelta(seconds=1)) == resolved


@pytest.mark.parametrize("zone", [None, UTC, ZoneInfo("Europe/Berlin")])
def test_dates_carry_the_zone_of_now(zone):
    now = datetime(2026, 3, 29, 4, 30, tzinfo=zone)
    found = find_dates("two hours ago, yesterday at 3 pm, 2024-05-07T10:00:00Z, next week", now)
    assert len(found) == 4
    assert all(d.begin.tzinfo is zone and d.until.tzinfo is zone for d in found)


def test_moment_with_a_zone_is_told_in_the_zone_of_now():
    assert find_dates("2024-05-07T10:30:00Z", NOW)[0].begin.isoformat() == "2024-05-07T18:30:00+08:00"


HAN_PIECES = list("三十年月日前后上周末点半在去9-/:.")
PIECES = [
    *HAN_PIECES,
    "9999",
    "2024",
    "12",
    "31",
    "ago",
    "in",
    "last",
    "next",
    "May",
    "the",
    "of",
    "at",
    "pm",
    "a",
    "week",
]


@given(
    text=st.one_of(
        st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map(lambda p: "".join(p) + " " + " ".join(p))
    ),
    now=st.datetimes(timezones=st.sampled_from([None, UTC, ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York")])),
)
def test_dates_of_any_text_at_any_moment_are_ordered_and_nothing_is_raised(text, now):
    found = find_dates(text, now)
    assert all(d.begin < d.until and d.begin.tzinfo is now.tzinfo for d in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(0 <= d.start < d.end <= len(text) for d in found)
    resolve_dates(text, now)


@pytest.mark.parametrize(
    "piece",
    ["1", "一", "三天", "一二", "the ", "in the ", "May ", "2024-", "1:", "上", "年", "at 3 ", "周一", "a ", "半", " "],
)
def test_dates_take_time_linear_in_the_length_of_a_hostile_text(piece):
    assert_grows(lambda text: find_dates(text, NOW), lambda chars: (piece * chars)[:chars], 20_000)
