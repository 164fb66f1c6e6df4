"""Answers that only sound like a yes, and questions of which a yes tells no having."""

import pytest

from memory.clinical.safety import read_safety
from tests.growth import assert_grows


def listed(asked: str, said: str) -> set[str]:
    found = read_safety(said, asked)
    return {each.text for each in found if each.subject == "user" and not each.possible and not each.denied}


def possible(asked: str, said: str) -> set[str]:
    return {each.text for each in read_safety(said, asked) if each.subject == "user" and each.possible}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Do you have asthma?", "absolutely not"),
        ("Do you have asthma?", "sadly no"),
        ("Do you have asthma?", "yes, sorry no"),
        ("Do you have asthma?", "i have no idea"),
        ("Do you have asthma?", "i have never had it"),
        ("Do you have asthma?", "i am fine"),
        ("Are you allergic to penicillin?", "definitely not"),
        ("Are you allergic to penicillin?", "yes i can take it"),
        ("Are you allergic to latex?", "yeah no"),
        ("有哮喘吗?", "当然没有"),
        ("有哮喘吗?", "嗯,没有"),
        ("有哮喘吗?", "对了,明天几点来"),
        ("有冠心病吗?", "做过检查,没事"),
        ("对青霉素过敏吗?", "当然不"),
        ("You are allergic to penicillin. Is that right?", "that is wrong"),
        ("您青霉素过敏,是吗?", "是我爱人"),
        ("Are you allergic to penicillin or latex?", "both no"),
        ("Do you have asthma or diabetes?", "the first one no"),
        ("您有高血压、糖尿病、冠心病吗?", "前两个没有"),
        ("您对青霉素、头孢过敏吗?", "都是阴性"),
        ("1. Do you have asthma? 2. Do you have diabetes?", "1, no"),
        ("胆囊还在吗?", "没切"),
        ("阑尾还在吗?", "准备切"),
        ("Do you still have your appendix?", "yes no problems with it"),
        ("How long have you had asthma?", "how would i know"),
        ("How is your asthma?", "how is yours"),
        ("When were you diagnosed with lupus?", "2019 but it was later retracted"),
        ("还有高血压吗?", "还好"),
        ("Have you had a knee replacement?", "twice cancelled"),
    ],
)
def test_a_yes_that_is_none(asked: str, said: str) -> None:
    assert listed(asked, said) == set()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Are you booked for a knee replacement?", "yes"),
        ("您是来做白内障手术的吗?", "是"),
        ("How long have you been waiting for the hip replacement?", "6 months"),
        ("Have you been vaccinated against hepatitis B?", "yes last year"),
        ("Do you know what asthma is?", "yes"),
        ("接触过肺结核病人吗?", "有"),
        ("Is your peanut allergy gone?", "yes"),
        ("What would you like help with? 1. Asthma 2. Diabetes 3. Something else", "1"),
        ("Which operation are you booked for? 1 hip replacement 2 knee replacement", "2"),
        ("Do you take cetirizine for your allergies?", "yes daily"),
        ("您过敏时吃氯雷他定吗?", "是的"),
        ("You're allergic to penicillin, so what did they give you?", "clarithromycin"),
        ("您对青霉素过敏,那用的什么药?", "阿奇霉素"),
        ("Which antibiotic are you not allergic to?", "cipro"),
        ("Any drug allergies?", "ramipril 5mg once a day"),
        ("What happens if you miss your bisoprolol?", "palpitations"),
        ("停了缬沙坦会怎么样?", "头晕"),
        ("Do you have any food allergies?", "I don't eat pork"),
        ("Ever had an operation?", "broke my leg"),
    ],
)
def test_a_question_that_asks_of_no_having(asked: str, said: str) -> None:
    assert listed(asked, said) == set()


@pytest.mark.parametrize(
    ("asked", "said", "name"),
    [
        ("Do you have asthma?", "absolutely", "asthma"),
        ("Do you have asthma?", "unfortunately yes", "asthma"),
        ("Do you have epilepsy?", "Yes but no fits for 2 years, still on keppra", "epilepsy"),
        ("Are you allergic to penicillin?", "sadly, yes", "penicillin"),
        ("Are you allergic to penicillin?", "severely", "penicillin"),
        ("Are you allergic to penicillin?", "anaphylaxis", "penicillin"),
        ("对青霉素过敏吗?", "会休克", "青霉素"),
        ("对青霉素过敏吗?", "非常过敏", "青霉素"),
        ("对青霉素过敏吗?", "皮试阳性", "青霉素"),
        ("有糖尿病吗?", "有一阵子了", "糖尿病"),
        ("Do you still have your spleen?", "no", "spleen removed"),
        ("阑尾还在吗?", "没了", "阑尾切除"),
        ("胆囊还在吗?", "切了", "胆囊切除"),
        ("Are you allergic to any medicines?", "penicillin", "penicillin"),
        ("您还有哮喘吗?", "还有呢", "哮喘"),
        ("Are you allergic to anything before we give you something for the rash?", "penicillin", "penicillin"),
        ("Have you ever taken a medicine and ended up with an allergic reaction?", "penicillin", "penicillin"),
        ("您有没有药物过敏，我给您开抗过敏的药？", "青霉素", "青霉素"),
    ],
)
def test_a_yes_in_other_words(asked: str, said: str, name: str) -> None:
    assert listed(asked, said) == {name}


@pytest.mark.parametrize(
    ("asked", "said", "name"),
    [
        ("Are you allergic to penicillin?", "I think so", "penicillin"),
        ("Are you allergic to penicillin?", "apparently", "penicillin"),
        ("对青霉素过敏吗?", "好像是", "青霉素"),
        ("Any allergies? Any medications?", "lisinopril", "lisinopril"),
        ("Do you have any allergies to medicines, foods or latex?", "yes", "latex"),
    ],
)
def test_what_is_guessed_is_for_a_person_to_ask(asked: str, said: str, name: str) -> None:
    assert listed(asked, said) == set()
    assert name in possible(asked, said)


@pytest.mark.parametrize("said", [" ", "absolutely ", "第一个", "都是", "tested "])
def test_reading_grows_with_the_length_alone(said: str) -> None:
    assert_grows(
        lambda text: read_safety(text, "Are you allergic to penicillin?"),
        lambda size: "Allergies: penicillin" + said * size + "x",
        2_000,
    )
