"""Where sessions are cut into units: between turns, at silences, at limits, at another topic; never elsewhere."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.consolidation.boundaries import BoundarySettings, stretches
from memory.model.session import JournalMessage, Message, Role

HEADACHE = (
    "我这三天头痛得厉害，尤其是早上起床的时候，吃了布洛芬也不见好转，血压昨天量是一百四十，晚上睡觉也睡不踏实，总是醒来",
    "头痛伴有血压偏高要注意，布洛芬不要连续吃超过三天，建议早晚各量一次血压，记录下来，睡眠不好会加重头痛，必要时查头颅磁共振",
)
SKIN = (
    "孩子手肘内侧长了一片红疹，抓破以后流水，奶奶说是湿疹，用了炉甘石洗剂没有效果，是不是对牛奶鸡蛋过敏引起的皮肤问题",
    "婴幼儿湿疹与皮肤屏障受损有关，先做好保湿，破溃处可短期外用弱效激素软膏，回避可疑食物，衣物选纯棉，洗澡水温不要太高",
)


def talk(*turns: tuple[str, ...], gap_ms: int = 0, tokens: int = 10) -> list[JournalMessage]:
    """Turns of a user's message, an answer, and whatever more."""
    messages: list[JournalMessage] = []
    roles = (Role.USER, Role.ASSISTANT, Role.TOOL)
    for number, contents in enumerate(turns, 1):
        for role, content in zip(roles, contents, strict=False):
            messages.append(JournalMessage(len(messages) + 2, number, number * gap_ms, tokens, Message(role, content)))
    return messages


def starts(messages: list[JournalMessage], **settings: int | bool) -> list[int]:
    """Turn numbers at which a stretch begins."""
    return [messages[each.start].turn for each in stretches(messages, BoundarySettings(**settings))]


def test_stretches_of_nothing_are_none() -> None:
    assert stretches([], BoundarySettings()) == []


def test_stretches_of_short_talk_stay_whole() -> None:
    assert starts(talk(*[(f"问{n}", f"答{n}") for n in range(40)])) == [1]


def test_stretches_are_cut_at_a_silence() -> None:
    messages = talk(("早", "早"), ("在吗", "在"), gap_ms=1_800_000)
    assert starts(messages) == [1, 2]
    assert starts(messages, gap_ms=1_800_001) == [1]


def test_stretches_take_the_time_that_messages_carry_before_that_of_their_arrival() -> None:
    days = ("2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z")
    messages = [
        JournalMessage(n, n, 0, 5, Message(Role.USER, "今天也走了一万步", occurred_at=day))
        for n, day in enumerate(days, 1)
    ]
    assert starts(messages) == [1, 2]


def test_stretches_are_cut_before_they_pass_a_limit_and_never_inside_a_turn() -> None:
    messages = talk(*[("问", "答", "工具")] * 5)
    assert starts(messages, messages_max=6) == [1, 3, 5]
    assert starts(messages, messages_max=7) == [1, 3, 5]
    assert starts(messages, messages_max=1) == [1, 2, 3, 4, 5]
    assert starts(messages, tokens_max=59) == [1, 2, 3, 4, 5]
    assert starts(messages, tokens_max=60) == [1, 3, 5]


def test_stretches_are_cut_where_another_topic_begins() -> None:
    messages = talk(HEADACHE, HEADACHE, SKIN, SKIN)
    assert starts(messages) == [1, 3]
    assert starts(messages, by_topic=False) == [1]


def test_stretches_are_not_cut_where_the_same_words_go_on() -> None:
    assert starts(talk(*[HEADACHE] * 6)) == [1]


@given(
    turns=st.lists(st.lists(st.sampled_from([*HEADACHE, *SKIN, "好", ""]), min_size=1, max_size=3), max_size=14),
    messages_max=st.integers(1, 12),
    gap_ms=st.integers(1, 10),
)
def test_stretches_hold_every_message_once_in_order_and_whole_turns(
    turns: list[list[str]], messages_max: int, gap_ms: int
) -> None:
    messages = talk(*[tuple(turn) for turn in turns], gap_ms=3)
    found = stretches(messages, BoundarySettings(gap_ms=gap_ms, messages_max=messages_max))
    assert [index for each in found for index in each] == list(range(len(messages)))
    for left, right in pairwise(found):
        assert messages[left.stop - 1].turn != messages[right.start].turn
    for each in found:
        assert len(each) <= messages_max or messages[each.start].turn == messages[each.stop - 1].turn
