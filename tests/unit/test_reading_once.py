"""What reading a message costs: each thing is read once, and nothing is looked for that cannot be there."""

import re

import pytest

from memory.clinical.answerable import may_mean_more
from memory.clinical.asked import Question
from memory.clinical.findings import Finding
from memory.clinical.kin import KIN_ZH, OTHERS_ZH
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from memory.clinical.zh import ZH
from memory.model.session import Message, Role
from memory.service import hearing as hearing_module
from memory.service.hearing import Hearing

_HAN = re.compile(r"[\u4e00-\u9fff]+|bb")
_FIRST_LETTERS = re.compile(r"^\(\?=\[[^]]+\]\)")


def test_no_word_for_somebody_is_passed_over_by_its_first_letter() -> None:
    every = re.compile(_FIRST_LETTERS.sub("", ZH.people.pattern, count=1))
    assert every.pattern != ZH.people.pattern
    words = [
        *_HAN.findall(KIN_ZH),
        *_HAN.findall(OTHERS_ZH),
        "我",
        "患者",
        "本人",
        "自己",
        "她",
        "它",
        "佢",
        "两个孩子",
    ]
    for word in words:
        for text in (word, f"我{word}过敏", f"听{word}说，那个{word}有病", f"有位{word[1:]}{word}"):
            assert [(each.span(), each.lastgroup) for each in ZH.people.finditer(text)] == [
                (each.span(), each.lastgroup) for each in every.finditer(text)
            ], text


@pytest.mark.parametrize(
    "question",
    [
        "您怀孕了吗？",
        "现在在哺乳期吗？",
        "Are you breastfeeding?",
        "Any allergies?",
        "以前有什么慢性病？",
        "做过手术吗？",
        "您是母乳喂养吗？",
        "Do you take anything to thin your blood?",
        "吃完药后全身起疹子，是哪种药？",
        "Do you have asthma?",
        "青霉素呢？",
    ],
)
def test_question_for_what_safety_rests_on_may_be_answered_by_a_yes(question: str) -> None:
    assert may_mean_more(Question(question))


@pytest.mark.parametrize("question", ["", "哪里不舒服？", "多久了？", "How are you today?", "好的，明天见。"])
def test_other_questions_say_nothing_of_their_answers(question: str) -> None:
    assert not may_mean_more(Question(question))
    for answer in ("是的", "yes", "没有", "no", "嗯，两天了"):
        assert read_safety(answer, question) == []


def test_question_is_read_as_it_would_be_in_simplified_letters() -> None:
    assert Question("您對青黴素過敏嗎？").text == "您对青霉素过敏吗？"


def _say(text: str) -> Message:
    return Message(Role.USER, text, "", "", "")


def test_who_a_message_is_of_is_known_from_its_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    hearing = Hearing()
    text = "我妈对青霉素过敏"
    found = hearing.read_safety(text, "", USER)
    assert [(each.text, each.subject) for each in found] == [("青霉素", "我妈")]

    def refuse(text: str, question: str = "", about: str = USER) -> list[Finding]:
        raise AssertionError(f"read again: {text}")

    monkeypatch.setattr(hearing_module, "read_safety", refuse)
    assert hearing.spoken([_say(text)]).about("") == "我妈"


def test_what_was_never_read_is_read_to_know_who_it_is_of() -> None:
    assert Hearing().spoken([_say("我妈对青霉素过敏")]).about("") == "我妈"
