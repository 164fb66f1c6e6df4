"""How long a complaint lasts, where only an answer says it."""

import pytest

from memory.clinical.findings import DURATION, SYMPTOM
from memory.clinical.health.how_long import told_how_long
from memory.clinical.health.reading import read_health
from memory.clinical.people import USER
from memory.extraction.facts.clinical import with_health
from memory.extraction.rules_mind import extract
from memory.model.extraction import Dialogue, Said


@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("你好，这种情况多长时间了？", "今天早晨", "今天"),
        ("像这样有多久？", "有半个月左右了", "有半个月左右了"),
        ("您好，这种情况有多长时间了？", "差不多一个星期多了", "差不多一个星期多了"),
        ("How long has this been going on?", "about 6 weeks", "about 6 weeks"),
        ("When did it start?", "since yesterday", "since yesterday"),
    ],
)
def test_the_words_of_the_answer(before: str, text: str, told: str) -> None:
    assert told_how_long(text, before) == told


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("How long have you been taking it?", "about 6 weeks"),
        ("降压药吃了多久？", "三年"),
        ("怀孕多久了？", "三个月"),
        ("体温多少？", "今天38度"),
        ("这种情况多久了？", "不记得了"),
    ],
)
def test_what_is_asked_of_something_else_or_not_said(before: str, text: str) -> None:
    assert told_how_long(text, before) == ""


def complaints(*said: tuple[str, str]) -> dict[str, str]:
    messages = [
        Said(number, USER if role == USER else "assistant", own=role == USER, text=text, at_ms=10**12 + number)
        for number, (role, text) in enumerate(said, 1)
    ]
    dialogue = Dialogue(messages, "", "zh")
    facts = with_health(extract(dialogue), dialogue, by_rules=True).facts
    return {fact.object: fact.attributes.get(DURATION, "") for fact in facts if fact.predicate == SYMPTOM}


def test_a_complaint_lasts_as_the_answer_says() -> None:
    told = complaints(
        (USER, "胃胀，昨天开始有点恶心"), ("bot", "胃胀多久了？"), (USER, "两三个月了"), (USER, "今天还咳嗽")
    )
    assert (told["胃胀"], told["咳嗽"]) == ("昨天开始", "今天")
    told = complaints((USER, "头皮有一块疼"), ("bot", "这种情况多久了？"), (USER, "持续半年了"), (USER, "还有点掉发"))
    assert told["头皮有一块疼"] == "持续半年了"
    assert "持续半年了" not in {lasts for name, lasts in told.items() if "头皮" not in name}


@pytest.mark.parametrize("text", ["这两天感冒特别难受，一直在吃药", "昨天淋雨感冒了，流鼻涕"])
def test_a_passing_disease_that_is_felt_is_had(text: str) -> None:
    assert any("感冒" in each.text for each in read_health(text) if not each.denied)
