"""Since when something is, by the clock of who says for how long."""

from datetime import datetime, timedelta, timezone

import pytest

from memory.language.dates.onset import onset

NOW = datetime(2026, 11, 18, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday


@pytest.mark.parametrize(
    ("lasting", "begun"),
    [
        ("三天了", "2026-11-15"),
        ("已经两周", "2026-11-04"),
        ("从上周五开始", "2026-11-13"),
        ("十天前开始", "2026-11-08"),
        ("昨晚开始", "2026-11-17"),
        ("半年了", "2026-05"),
        ("十年了", "2016"),
        ("两个半月", "2026-09-04"),
        ("2小时", "2026-11-18"),
        ("for two weeks", "2026-11-04"),
        ("since Monday", "2026-11-16"),
        ("three days ago", "2026-11-15"),
        ("since 2019", "2019"),
        ("a couple of weeks", "2026-11-04"),
        ("for half a year", "2026-05"),
        ("2 nights", "2026-11-16"),
    ],
)
def test_how_long_it_lasts_says_when_it_began(lasting: str, begun: str) -> None:
    assert onset(lasting, NOW) == begun


@pytest.mark.parametrize("vague", ["好几天", "从小", "一直", "明天", "since childhood", "all day", "a while", ""])
def test_what_names_no_time_that_is_over_has_no_beginning(vague: str) -> None:
    assert onset(vague, NOW) == ""
