"""What a reader of the graphs of 35 consultations, and of the safety facts of 300, found wrong."""

import pytest

from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety

Said = tuple[str, str, str, bool]


def health(text: str, before: str = "") -> list[Said]:
    return [(each.kind, each.text, each.subject, each.denied) for each in read_health(text, before)]


def safety(text: str, before: str = "") -> list[Said]:
    return [(each.kind, each.text, each.subject, each.denied) for each in read_safety(text, before)]


@pytest.mark.parametrize("text", ["没有出现消化不良的症状。", "孩子没有发生消化不良。"])
def test_what_did_not_appear_is_not_had(text: str) -> None:
    assert not [each for each in health(text) if not each[3]]


def test_what_was_not_heard_is_denied() -> None:
    assert health("我没有听到过喘鸣音。") == [("symptom", "喘鸣", "user", True)]


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("我五十岁的妈妈头晕", "妈妈"),
        ("我妈妈说自己头晕", "我妈妈"),
        ("我妈妈有糖尿病，我自己头晕", "user"),
        ("自己在家量血压，头晕", "user"),
    ],
)
def test_oneself_is_whoever_is_spoken_of_and_an_age_is_no_part_of_a_relative(text: str, whose: str) -> None:
    assert [each[2] for each in health(text) if each[1] == "头晕"] == [whose]


def test_what_is_to_be_tried_has_done_no_harm() -> None:
    asked = "可以尝试用温盐水漱口来缓解喉咙不适。此外，避免吃辛辣、刺激喉咙的食物。"
    assert safety("谢谢医生的建议，我会注意保持喉咙湿润，并尝试温盐水漱口。如果症状持续，我会去咨询的。", asked) == []


@pytest.mark.parametrize("text", ["我没有鼻炎和哮喘的病史。", "没有鼻炎的病史", "没有高血压、糖尿病病史"])
def test_who_denies_two_diseases_does_not_deny_all(text: str) -> None:
    assert "*" not in [each[1] for each in safety(text)]


@pytest.mark.parametrize("text", ["没有病史", "没有高血压、糖尿病等病史", "没有高血压等慢性病"])
def test_who_denies_all_denies_all(text: str) -> None:
    assert ("disease", "*", "user", True) in safety(text)


@pytest.mark.parametrize(
    ("text", "all_of_it"), [("没感冒", False), ("没有鼻炎", False), ("没有", True), ("没有哈哈", True)]
)
def test_an_answer_denies_what_it_names(text: str, all_of_it: bool) -> None:  # noqa: FBT001 - a row of a table
    asked = "最近感冒没有，之前有没有鼻前庭炎、鼻炎及鼻窦炎病史？"
    assert (("disease", "*", "user", True) in safety(text, asked)) is all_of_it


def test_what_was_hurt_was_not_operated_on() -> None:
    asked = "您之前有过类似的伤害或者手术吗？"
    assert safety("这是我第一次受到这么严重的手指伤害。", asked) == []
    assert [each[0] for each in safety("手指", "您做过什么手术吗？")] == ["surgery"]
    first = safety("第一次是阑尾，第二次是胆囊", "您做过什么手术吗？")
    assert [each[1] for each in first] == ["阑尾", "胆囊"]


@pytest.mark.parametrize("text", ["我主要是对花粉、尘螨过敏", "我过敏性鼻炎已经持续了2年，主要是对花粉、尘螨过敏。"])
def test_mainly_is_no_if(text: str) -> None:
    """主要是 holds 要是, which is if."""
    found = read_safety(text)
    assert {each.text for each in found if each.kind == "allergy" and not each.possible} == {"花粉", "尘螨"}
    assert safety("我要是对青霉素过敏呢") == []
