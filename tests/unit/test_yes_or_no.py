"""Answers that only say yes or no to what a question names, or which of it."""

import pytest

from memory.clinical.answers import may_answer
from memory.clinical.findings import ALLERGY
from memory.clinical.safety import read_safety
from tests.growth import assert_grows


def told(before: str, text: str, about: str = "user") -> list[tuple[str, str, bool, str]]:
    found = read_safety(text, before, about)
    return [(each.kind, each.text, each.possible, each.subject) for each in found if not each.denied]


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("Do you have asthma?", "yes, brown inhaler twice a day", [("disease", "asthma", False)]),
        ("以前确诊过哮喘吗？", "确诊过，小学就开始喷药，现在信必可一天两回", [("disease", "哮喘", False)]),
        ("您有糖尿病吗?平时吃什么药?", "有的,5年了。二甲双胍0.5一天两次", [("disease", "糖尿病", False)]),
        ("Have you had your gallbladder removed?", "Yep.", [("surgery", "cholecystectomy", False)]),
        ("您的阑尾还在吗？", "早没啦，初二那年割的", [("surgery", "阑尾切除", False)]),
        ("Are you allergic to penicillin?", "Yes", [("allergy", "penicillin", False)]),
        (
            "Can you take ibuprofen?",
            "Absolutely not, my airway shut the one time I did",
            [("allergy", "ibuprofen", False)],
        ),
        ("您能吃布洛芬吗？", "不行！一吃眼皮就肿得睁不开", [("allergy", "布洛芬", False)]),
        ("Can you take ibuprofen?", "no I can't", [("allergy", "ibuprofen", True)]),
        (
            "Do you have diabetes, high blood pressure or heart disease?",
            "the middle one",
            [("disease", "hypertension", False)],
        ),
        ("您得的是高血压还是糖尿病？", "后面那个", [("disease", "糖尿病", False)]),
        ("您得的是高血压还是糖尿病？", "都有", [("disease", "高血压", False), ("disease", "糖尿病", False)]),
        ("您有没有高血压、糖尿病等慢性病？", "有的", [("disease", "高血压", True), ("disease", "糖尿病", True)]),
        ("Do you have asthma?", "yes I think so", [("disease", "asthma", True)]),
        ("I see asthma in your notes. Is that right?", "Yes", [("disease", "asthma", False)]),
        ("The record says penicillin allergy. Is that right?", "Yes it is", [("allergy", "penicillin", False)]),
        ("档案上写着青霉素过敏。是吗？", "是的", [("allergy", "青霉素", False)]),
        ("Do you have chest pain or heart disease?", "yes", [("disease", "heart disease", True)]),
        ("Do you have any illness, for example diabetes?", "yes", [("disease", "diabetes", True)]),
        ("Do you have asthma?", "yes, and eczema", [("disease", "asthma", False), ("disease", "eczema", False)]),
        ("Do you have diabetes or high blood pressure?", "yes, diabetes", [("disease", "diabetes", False)]),
        (
            "您是否有以下慢性病:高血压、糖尿病、心脏病?",
            "前面两个都有",
            [("disease", "高血压", False), ("disease", "糖尿病", False)],
        ),
    ],
)
def test_yes_says_what_the_question_names(before: str, text: str, wanted: list[tuple[str, str, bool]]) -> None:
    assert sorted(told(before, text)) == sorted((*each, "user") for each in wanted)
    assert may_answer(text), "a write reads the question before it"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Do you have asthma?", "No that's my twin"),
        ("Do you have asthma?", "yes, as a child"),
        ("Have you had your tonsils removed?", "still in there, sadly"),
        ("是不是有乙肝？", "不是"),
        ("您不对青霉素过敏，对吗？", "是的"),
        ("Amoxicillin helps here unless you have an allergy. Is your right ear still hurting?", "Yes"),
        ("阿司匹林能吃吗？", "能啊，吃过好多回，没事"),
        ("您有哮喘吗？", "那是我弟，我没有"),
        ("Do you have asthma?", "yes? why do you ask"),
    ],
)
def test_what_says_no_or_speaks_of_another_says_nothing(before: str, text: str) -> None:
    assert told(before, text) == []


def test_what_a_message_names_itself_counts_and_not_the_example_of_the_question() -> None:
    assert told("Do you have any allergies, for example to penicillin?", "yes, to shellfish") == [
        ("allergy", "shellfish", False, "user")
    ]


def test_yes_to_a_question_about_a_relative_is_the_relatives() -> None:
    assert told("Does your mum have diabetes?", "yes") == [("disease", "diabetes", False, "your mum")]


def test_question_without_end_is_read_in_linear_time() -> None:
    assert_grows(lambda before: told(before, "yes"), lambda n: "Do you have asthma? " * n, 200)


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "Not sure",
            "Dunno",
            "Maybe",
            "Let me check",
            "Hang on",
            "Yes it does",
            "Several",
            "A few",
            "Not really sure",
        ),
        *(
            "记不清",
            "记不得了",
            "忘记了",
            "好像有",
            "对的没错",
            "对对对",
            "稍等",
            "等一下",
            "好几种",
            "有一些",
            "说不好",
            "问一下",
        ),
    ],
)
@pytest.mark.parametrize("question", ["Do you have any allergies?", "您对什么过敏吗？"])
def test_answer_that_names_nothing_is_no_allergy(question: str, answer: str) -> None:
    assert [each.text for each in read_safety(answer, question) if each.kind == ALLERGY] == []


@pytest.mark.parametrize("answer", ["Zorvex", "Yes, kiwis", "唯泰达", "有，榴莲", "Notrafen", "问荆"])
def test_answer_that_is_a_name_alone_is_an_allergy(answer: str) -> None:
    assert [each.kind for each in read_safety(answer, "您对什么过敏吗？Any allergies?")] == [ALLERGY]
