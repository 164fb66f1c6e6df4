"""Their own name, as people tell it: it leads each context, so nothing else may be taken for one."""

import pytest

from memory.extraction.facts.reading import find_facts

NAMES = {
    "我叫王建国，今年56岁。": "王建国",
    "我的名字叫陈静。": "陈静",
    "你好，我叫Anna。": "Anna",
    "我不叫小王，我叫小黄。": "小黄",
    "医生，我是老患者了，叫我小周就行。": "小周",
    "请叫我老王。": "老王",
    "大家都叫我小李。": "小李",
    "姓名：李雷，性别：男": "李雷",
    "我叫李妈然。": "李妈然",
    "My name is Sarah and I have asthma.": "Sarah",
}
NO_NAMES = (
    "我叫救护车了。",
    "我叫了外卖。",
    "我叫他别来。",
    "我叫苦不迭。",
    "我叫不出名字来。",
    "我叫号叫了半天没人应。",
    "我叫家属来。",
    "我叫同事来。",
    "我叫护士了没人来。",
    "我叫过120了。",
    "我叫妈妈来。",
    "您叫我明天再来？",
    "您叫我老实点吃药。",
    "医生叫我小心饮食。",
    "她叫王秀英。",
    "My name is on the waiting list.",
    "Call me later please.",
    "They call me lazy.",
    "I'm called in for a test.",
    "Hi, this is Mike, my son's name is Tom.",
)


def names(text: str) -> list[str]:
    return [fact.object for fact in find_facts(text) if fact.predicate == "name" and fact.polarity == "+"]


@pytest.mark.parametrize(("text", "name"), NAMES.items(), ids=list(NAMES))
def test_a_name_is_found(text: str, name: str) -> None:
    assert names(text) == [name]


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_is_no_name_is_none(text: str) -> None:
    assert names(text) == []
