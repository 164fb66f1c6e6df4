"""What only the question before an answer explains: 换工作了？对，青禾教育."""

import pytest

from memory.extraction.life.reading import read_life

ANSWERS = [
    ("New place?", "Yep, Brightwater. Started on the 9th", ("job", "Brightwater")),
    ("Where do you work?", "At St Mary's Hospital, on the wards", ("job", "St Mary's Hospital")),
    ("您换工作了？", "对 上周一入职的青禾教育，工位靠窗", ("job", "青禾教育")),
    ("换单位了？", "嗯，从宏远跳到顺达冷链了，活差不多", ("job", "顺达冷链")),
    ("你换班了吗？", "换学校啦，搬家了，现在在实验二中", ("job", "实验二中")),
    ("", "我在河东中学念初二，走路二十分钟", ("job", "河东中学")),
    ("Have you moved?", "yes, up to Durham to be near the grandkids", ("residence", "Durham")),
    ("", "We've been in Cardiff since October", ("residence", "Cardiff")),
    ("她来看您吗？", "分了，我现在一个人，反倒清净", ("state", "单身")),
    ("您已经结婚了？", "嗯上周六办的，就一场，我赢了", ("state", "已婚")),
    ("", "我从八月份起就一滴不沾了", ("state", "已戒酒")),
    ("", "Don't drink anymore, 71 days today.", ("state", "quit drinking")),
    ("Are you off nicotine altogether?", "since Bonfire Night! nothing at all, not a puff", ("state", "quit smoking")),
    ("", "现在我超爱香菜，多放！", ("like", "香菜")),
]
NOTHING = [
    ("How are you?", "Yep, Brightwater. Started on the 9th"),
    ("您好些了吗？", "嗯上周六办的，就一场，我赢了"),
    ("药怎么分的？", "分了，我一个人吃"),
    ("Did you get a new dog?", "Yes, Biscuit."),
    ("New medicine?", "Yes, Brightwater."),
    ("您换药了？", "对，换了阿托伐他汀"),
    ("您住哪？", "在家呢"),
    ("换工作了？", "没有，还在原来那家"),
    ("Have you moved?", "No, back to bed though"),
    ("", "I was in Cardiff last week"),
    ("你们怎么样？", "分了两份，一份给他"),
    ("Where do you work?", "at home mostly"),
    ("New place?", "Started Monday"),
    ("New place?", "Not yet"),
    ("Do you drink?", "No more than anybody else"),
    ("Do you smoke?", "not now, I am eating"),
    ("", "我最爱你"),
    ("", "患者：特别爱打喷嚏"),
]


def told(text: str, before: str) -> set[tuple[str, str]]:
    return {(each.kind, each.text) for each in read_life(text, before) if not each.denied}


@pytest.mark.parametrize(("asked", "text", "fact"), ANSWERS)
def test_an_answer_is_read_with_its_question(asked: str, text: str, fact: tuple[str, str]) -> None:
    assert fact in told(text, asked)


@pytest.mark.parametrize(("asked", "text"), NOTHING)
def test_what_answers_something_else_is_nothing(asked: str, text: str) -> None:
    assert told(text, asked) == set()
