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
    ("Where are you?", "Wellington. Moved up in August", ("residence", "Wellington")),
    ("", "I haven't had a drink since the bank holiday", ("state", "quit drinking")),
    ("", "I'm in my second year at Linn-Benton Community College", ("job", "Linn-Benton Community College")),
    ("", "I'm at Oregon State now", ("job", "Oregon State")),
    ("", "I sleep at night now", ("habit", "sleep at night")),
    ("", "Mum let me get a gecko", ("pet", "gecko")),
    ("", "we're off, single at 33", ("state", "single")),
    ("", "我现在在外婆家这边的望湖中学上学", ("job", "望湖中学")),
    ("", "考上市二中了，住校", ("job", "市二中")),
    ("", "下周起在安澜地铁当安检", ("job", "安澜地铁当安检")),
    ("要办婚礼了？", "证上周已经领了，酒席元旦办", ("state", "已婚")),
    ("", "现在睡前听书，十分钟就着", ("habit", "听书")),
    ("", "短视频卸载了，改成看二十页纸书", ("habit", "看二十页纸书")),
    ("", "我改学篆刻了", ("habit", "篆刻")),
    ("", "现在跟江边的大爷们冬泳", ("habit", "冬泳")),
    ("", "每天早上跑五公里", ("habit", "跑五公里")),
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
    ("Where are you?", "Tired. And cold"),
    ("Where are you?", "In Spain, on holiday till Sunday"),
    ("", "I'm at A&E now, waiting"),
    ("", "I'm at Tesco now"),
    ("", "I haven't had a drink since this morning, I'm so thirsty"),
    ("", "he hasn't kept anything down, haven't had a drink for 6 hours"),
    ("", "现在在医院做检查"),
    ("", "医生让我晚上改成打胰岛素"),
    ("", "我的药改成喝冲剂了"),
    ("", "睡前喝药吗"),
    ("Where are you hurting?", "Knee mostly"),
    ("", "I'm at work now"),
    ("", "this is my second year at uni"),
    ("", "我在医院上班的路上"),
    ("", "睡前喝点水就好了吗？"),
    ("", "医生让我改成看心内科"),
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
