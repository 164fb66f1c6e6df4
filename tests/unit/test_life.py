"""Facts of a life by frames, what ends them, and what is none: sentences of our own, none of the measured sets."""

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from memory.clinical.languages import in_use
from memory.extraction.life.en.grammar import EN
from memory.extraction.life.reading import read_life
from memory.extraction.life.zh.grammar import ZH


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
        ("昨天顺产，是个儿子。", ("family", "儿子")),
        ("我老婆生了对双胞胎。", ("family", "双胞胎")),
        ("闺女七斤二两，母女平安。", ("family", "闺女")),
        ("It's a boy! Born on Sunday.", ("family", "boy")),
        ("Our daughter finally arrived on Friday.", ("family", "daughter")),
        ("我爷爷去世三年了。", ("family", "爷爷去世")),
        ("老伴去年过世了。", ("state", "丧偶")),
        ("Gran passed away in March.", ("family", "Gran passed away")),
        ("My husband died two years ago.", ("state", "widowed")),
        ("我和老婆离婚了。", ("state", "离婚")),
        ("My husband and I divorced last spring.", ("state", "divorced")),
        ("She and I split up, so I'm single again.", ("state", "single")),
        ("Mum went into a care home in May.", ("family", "Mum went into a care home")),
        ("在准备备孕。", ("plan", "备孕")),
        ("we're trying for a baby", ("plan", "trying for a baby")),
        ("我被公司裁了。", ("job", "失业")),
        ("I was made redundant in June.", ("state", "unemployed")),
        ("I've finally retired.", ("job", "retired")),
        ("现在在超市收银。", ("job", "超市收银")),
        ("我不干保安了，现在开早餐店。", ("job", "早餐店")),
        ("I got a new job driving a school bus.", ("job", "driving a school bus")),
        ("在县城买了套房子。", ("residence", "县城")),
        ("两口子带娃回了洛阳。", ("residence", "洛阳")),
        ("We're up in Durness now.", ("residence", "Durness")),
        ("greetings, I'm writing to you from Utrecht", ("residence", "Utrecht")),
        ("I'm eating fish and eggs again.", ("habit", "fish and eggs")),
        ("家里就一只乌龟了。", ("pet", "乌龟")),
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
        ("我不当会计了。", ("job", "会计")),
        ("I can't stand mushrooms any more.", ("like", "mushrooms")),
        ("I've gone right off curry.", ("like", "curry")),
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
        "My colleague moved to Denver.",
        "I read an article about people who quit coffee.",
        "They play a role in shaping communities.",
        "thanks, that's a nice reminder",
        "I have a picture from a holiday in Malta.",
        "My labs came back fine.",
        "Should I move to Oslo?",
        "我同事生了个女儿。",
        "我想生个女儿。",
        "我们快要离婚了。",
        "我爸妈离婚了。",
        "They let me go home from hospital.",
        "I had a girl do my hair.",
        "If my husband died, who would look after me?",
        "We're fine now.",
        "I can't stand on my left leg.",
    ],
)
def test_what_is_asked_supposed_or_somebody_elses_is_nothing_of_the_user(text: str) -> None:
    assert {(who, kind) for who, kind, _, denied in told(text) if who == "user" and not denied} == set()


def test_no_frame_stands_twice() -> None:
    for life in (ZH, EN):
        frames = [(frame.predicate, frame.words.pattern, frame.denied) for frame in life.frames]
        assert len(set(frames)) == len(frames)


def patterns() -> Iterator[str]:
    """Those of all grammars."""
    for life in (ZH, EN):
        yield from (frame.words.pattern for frame in life.frames)
    for _, *grammars in in_use().all:
        for each in grammars:
            values = (getattr(each, field.name) for field in fields(each))
            yield from (value.pattern for value in values if isinstance(value, re.Pattern))


def test_no_pattern_was_written_with_a_backspace_for_the_edge_of_a_word() -> None:
    assert [each for each in patterns() if "\b" in each] == []


def test_no_pattern_was_written_with_a_pair_for_a_repetition() -> None:
    assert [each for each in patterns() if re.search(r"\(\d+, \d+\)", each)] == []


def test_facts_of_relatives_are_theirs() -> None:
    assert ("我妈妈", "habit", "太极", False) in told("我妈妈每天打太极。")


def test_quote_is_the_clause_that_says_it() -> None:
    (found,) = read_life("今天不舒服。上个月搬到苏州了，还没适应。")
    assert found.quote == "上个月搬到苏州了"
