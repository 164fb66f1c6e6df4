"""How much somebody likes a thing, and when: in their own words, or nothing."""

import pytest

from memory.extraction.facts.manner import manner_of
from memory.extraction.rules_mind import extract
from memory.model.extraction import Dialogue, Said

SAID = {
    "我很喜欢喝咖啡": {"degree": "很"},
    "我特别讨厌香菜": {"degree": "特别"},
    "我不太喜欢吃辣": {"degree": "不太"},
    "我最喜欢的水果是芒果": {"degree": "最"},
    "我超爱吃火锅": {"degree": "超"},
    "其实我挺不喜欢爬山的": {"degree": "挺"},
    "我喜欢跑步": {},
    "我爱人喜欢跑步": {},
    "我小时候喜欢画画": {},
    "下雨天我喜欢待在家里看书": {"condition": "下雨天"},
    "我只有在心情好的时候喜欢唱歌": {"condition": "只有在心情好的时候"},
    "夏天我很喜欢游泳": {"condition": "夏天", "degree": "很"},
    "要是不加糖我就喜欢喝咖啡": {"condition": "要是不加糖"},
    "我平时喜欢看书": {},
    "我有时候喜欢一个人待着": {},
    "我每天都喜欢散步": {},
    "I really love jazz": {"degree": "really"},
    "I absolutely hate cilantro": {"degree": "absolutely"},
    "I like tea very much": {"degree": "very much"},
    "I love hiking a lot": {"degree": "a lot"},
    "I kind of enjoy running": {"degree": "kind of"},
    "My favourite fruit is mango": {"degree": "favourite"},
    "I like tea": {},
    "I like coffee when it is cold": {"condition": "when it is cold"},
    "When it rains I like to read": {"condition": "When it rains"},
    "I only like fish if it is fresh": {"condition": "if it is fresh"},
    "I love the way she asked if": {},
}


@pytest.mark.parametrize(("quote", "manner"), SAID.items(), ids=list(SAID))
def test_manner_is_what_is_said(quote: str, manner: dict[str, str]) -> None:
    assert manner_of("like", quote) == manner


def test_only_likes_have_one() -> None:
    assert manner_of("allergy", "我很喜欢青霉素") == {}


def test_facts_carry_it() -> None:
    said = [Said(1, "user", own=True, text="我特别讨厌香菜。", at_ms=1_700_000_000_000)]
    (fact,) = extract(Dialogue(said, user_name="", locale="zh")).facts
    assert (fact.object, fact.polarity, fact.attributes) == ("香菜", "-", {"degree": "特别"})
