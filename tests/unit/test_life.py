"""Facts of a life by frames, what ends them, and what is none: sentences of our own, none of the measured sets."""

import pytest

from memory.extraction.life.reading import read_life


def told(text: str, before: str = "") -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.kind, each.text, each.denied) for each in read_life(text, before)}


def claims(text: str) -> set[tuple[str, str]]:
    return {(kind, value) for who, kind, value, denied in told(text) if who == "user" and not denied}


def denials(text: str) -> set[tuple[str, str]]:
    return {(kind, value) for who, kind, value, denied in told(text) if who == "user" and denied}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我跳槽到一家银行上班了。", ("job", "银行")),
        ("现在跑网约车呢。", ("job", "网约车")),
        ("上个月搬到苏州了。", ("residence", "苏州")),
        ("我现在每天晚上慢跑。", ("habit", "慢跑")),
        ("晚饭后打一套八段锦。", ("habit", "八段锦")),
        ("家里领养了一只橘猫。", ("pet", "橘猫")),
        ("最近迷上了摄影。", ("like", "摄影")),
        ("I just moved to Denver with my sister.", ("residence", "Denver")),
        ("I got a job at a bakery downtown.", ("job", "bakery downtown")),
        ("driving a delivery van now", ("job", "driving a delivery van")),
        ("I go swimming twice a week.", ("habit", "swimming")),
        ("we adopted a greyhound", ("pet", "greyhound")),
        ("i'm vegan now", ("habit", "vegan")),
        ("I do some tutoring these days.", ("job", "tutoring")),
        ("they moved me, I'm on the front desk at a hotel now", ("job", "front desk at a hotel")),
        ("We live just outside Ludlow.", ("residence", "Ludlow")),
        ("sorted, I've a flat in Paisley", ("residence", "Paisley")),
        ("six weeks sober", ("habit", "sober")),
        ("quit in May, just vaping now", ("habit", "vaping")),
        ("I've come round to mushrooms", ("like", "mushrooms")),
        ("Off to Lisbon in June", ("plan", "Lisbon")),
    ],
)
def test_frame_reads_what_is_told(text: str, fact: tuple[str, str]) -> None:
    assert fact in claims(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("咖啡我早就戒了。", ("habit", "咖啡")),
        ("不喝奶茶了", ("habit", "奶茶")),
        ("gave up smoking in June", ("habit", "smoking")),
        ("I'm off coffee completely", ("habit", "coffee")),
        ("no longer vegan", ("habit", "vegan")),
        ("we lost our beagle last week", ("pet", "beagle")),
    ],
)
def test_what_is_over_is_denied_and_not_claimed(text: str, fact: tuple[str, str]) -> None:
    assert fact in denials(text)
    assert fact not in claims(text)


@pytest.mark.parametrize(
    "text",
    [
        "医生，您好",
        "谢谢医生",
        "我想搬到上海。",
        "我要不要每天跑步？",
        "如果我在银行上班就好了。",
        "我在医院做检查。",
        "我妈妈每天打太极。",
        "昨天吃了一次火锅。",
        "Should I start running every day?",
        "If I moved to Boston, would it help?",
        "My brother moved to Denver.",
        "I read an article about people who quit coffee.",
        "They play a role in shaping communities.",
        "thanks, that's a nice reminder",
        "I have a picture from a holiday in Malta.",
        "My labs came back fine.",
        "Should I move to Oslo?",
    ],
)
def test_what_is_asked_supposed_or_somebody_elses_is_nothing_of_the_user(text: str) -> None:
    assert {(who, kind) for who, kind, _, denied in told(text) if who == "user" and not denied} == set()


def test_facts_of_relatives_are_theirs() -> None:
    assert ("我妈妈", "habit", "太极", False) in told("我妈妈每天打太极。")


def test_quote_is_the_clause_that_says_it() -> None:
    (found,) = read_life("今天不舒服。上个月搬到苏州了，还没适应。")
    assert found.quote == "上个月搬到苏州了"
