"""What a message says led to what, by its connectives; and what is no reason."""

import pytest

from memory.graph.connectives import causes
from tests.growth import assert_grows


def said(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*each.cause)], text[slice(*each.effect)]) for each in causes(text)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("昨晚我失眠了，所以今天很困", "昨晚我失眠了", "今天很困"),
        ("因为昨晚没睡好，今天头疼", "昨晚没睡好", "今天头疼"),
        ("因为昨晚没睡好，又加班，所以今天头疼", "昨晚没睡好，又加班", "今天头疼"),
        ("我今天不开心，因为昨晚没睡好", "昨晚没睡好", "我今天不开心"),
        ("由于加班太多，导致胃疼犯了", "加班太多", "胃疼犯了"),
        ("吃了布洛芬导致胃出血。", "吃了布洛芬", "胃出血"),
        ("我换了工作。所以搬到了上海。", "我换了工作。", "搬到了上海。"),
        ("I couldn't sleep last night, so I am tired today", "I couldn't sleep last night", "I am tired today"),
        ("Because I work nights, I sleep badly.", "I work nights", "I sleep badly."),
        ("My knee hurts because of running", "running", "My knee hurts"),
        ("The new pills led to a rash", "The new pills", "a rash"),
        ("I changed jobs. So I moved to Leeds.", "I changed jobs.", "I moved to Leeds."),
    ],
)
def test_a_reason_that_is_said_is_read(text: str, cause: str, effect: str) -> None:
    (found,) = causes(text)
    start, end = (text[slice(*span)].strip() for span in (found.cause, found.effect))
    assert (start.rstrip("."), end.rstrip(".")) == (cause.rstrip("."), effect.rstrip("."))
    assert found.quote in text
    assert start.rstrip(".") in found.quote


@pytest.mark.parametrize(
    "text",
    [
        "是不是因为我吃了海鲜才过敏？",
        "如果下雨，所以我就不去",
        "不是因为药，是我自己的问题",
        "所以呢",
        "我先去医院，然后去上班",
        "I quit smoking so that I can breathe",
        "If I skip it, so I get dizzy, what then?",
        "Is it because of the pills?",
        "It might be due to stress",
        "I went to work and then to the shop",
        "So far so good",
        "",
    ],
)
def test_what_is_asked_supposed_or_merely_follows_is_no_reason(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize("unit", ["因为，", "so i ", "because ", "所以，因为", "led to a", "，", "因为"])
def test_reasons_are_read_in_linear_time(unit: str) -> None:
    assert_grows(causes, lambda size: unit * size, 8_000)
