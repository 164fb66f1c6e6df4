"""How a message sounds: whether it tells of its speaker, and what that makes of what the rules have found."""

import pytest

from benchmarks.triage import train
from memory.clinical import likely
from memory.clinical.asserted import TOLD, UNTOLD, WEIGHTS, doubt, runs
from memory.clinical.drawing import drawn_of
from memory.clinical.findings import ALLERGY, DISEASE
from memory.clinical.safety import read_safety
from memory.clinical.sketch import LETTERS
from tests.growth import assert_grows
from tests.taught import assert_taught

REPORTS = [
    "我有高血压和糖尿病，一直在吃药，最近头晕",
    "I've had asthma since I was a kid and my chest is tight today",
    "去年做了胆囊切除，现在右上腹又疼",
    "I'm allergic to penicillin, it brings me out in hives",
]
OTHERS = [
    "听说有糖尿病的人不能吃西瓜，是真的吗？我同学问的",
    "is it true that people with asthma can't take ibuprofen? asking for a quiz",
    "如果对青霉素过敏的话，一般会有什么反应呢？",
    "my neighbour's cat has diabetes, can she eat chicken?",
]


@pytest.mark.parametrize("text", REPORTS)
def test_a_report_sounds_like_one(text: str) -> None:
    assert doubt(runs(drawn_of(text).drawn)) < UNTOLD


@pytest.mark.parametrize("text", OTHERS)
def test_a_question_or_what_others_have_does_not(text: str) -> None:
    assert doubt(runs(drawn_of(text).drawn)) > UNTOLD


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我对青霉素过敏，请问可以吃头孢吗？", "青霉素"),
        ("我青霉素过敏，能吃阿莫西林吗", "青霉素"),
        ("医生您好，我对磺胺类药物过敏，孩子也有点咳嗽，怎么办？", "磺胺类药物"),
        ("我妈有糖尿病，我自己对海鲜过敏，能打新冠疫苗吗？", "海鲜"),
        ("我花生过敏，这个饼干我能吃吗？朋友说没事", "花生"),
        ("我做过阑尾手术，现在肚子疼是怎么回事？", "阑尾"),
        ("我有甲亢，老公想要孩子，可以怀孕吗？", "甲亢"),
        ("我有癫痫，想考驾照可以吗？", "癫痫"),
        ("我是糖尿病人，帮我做个一周食谱", "糖尿病"),
        ("我妈说我小时候对青霉素过敏，打过针休克过", "青霉素"),
        ("I'm allergic to penicillin, can I take amoxicillin?", "penicillin"),
        ("Hello, I'm allergic to shellfish and I'm going to Japan, what do I say in a restaurant?", "shellfish"),
        ("My mum has diabetes and I'm allergic to peanuts, can I have satay?", "peanuts"),
        ("My son has a fever. I am allergic to aspirin, can I touch his medicine?", "aspirin"),
        ("I have epilepsy, do you think I can drive?", "epilepsy"),
        ("I have Crohn's disease. What questions should I ask my doctor?", "crohn"),
        ("I have type 1 diabetes, write me a meal plan", "type 1 diabetes"),
    ],
)
def test_a_plain_statement_beside_a_question_is_listed(text: str, name: str) -> None:
    listed = [each.text for each in read_safety(text) if each.subject == "user" and not each.possible]
    assert any(name in each for each in listed), listed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我有痛风，帮我写个请假条", "痛风"),
        ("我对花生过敏，能帮我写一张卡片去餐厅给服务员看吗？", "花生"),
        ("听说布洛芬伤胃，我有胃溃疡，能吃吗？", "胃溃疡"),
        ("I read that grapefruit is bad with statins, I have AF, what do you think?", "atrial fibrillation"),
    ],
)
def test_what_is_said_beside_something_to_be_written_or_read_is_possible(text: str, name: str) -> None:
    assert [name in each.text for each in read_safety(text) if each.possible] == [True]


def test_nothing_learnt_is_no_verdict() -> None:
    assert TOLD < doubt(runs("")) < 1
    assert TOLD < doubt(runs("ðþæ ðþæ ðþæ")) < 1


def test_diseases_are_all_alike_to_it() -> None:
    assert runs(drawn_of("我有高血压").drawn) == runs(drawn_of("我有青光眼").drawn)
    assert "W 我 有 D" in runs(drawn_of("我有青光眼").drawn)


def test_no_family_has_the_letter_of_a_run_of_words() -> None:
    assert "W" not in LETTERS


@pytest.mark.parametrize("text", ["有青光眼的人，能不能做核磁？", "医生您好，甲减患者，要不要告诉医生？"])
def test_firm_words_in_a_text_that_sounds_like_none_are_to_be_confirmed(text: str) -> None:
    assert [(each.kind, each.possible) for each in read_safety(text)] == [(DISEASE, True)]


def test_a_medicine_that_upsets_a_stomach_stays_possible() -> None:
    found = read_safety("My stomach cramps whenever I take ibuprofen")
    assert [(each.kind, each.possible) for each in found] == [(ALLERGY, True)]


def test_a_substance_beside_harm_is_not_made_firm_by_a_disease_that_is_reported() -> None:
    found = read_safety("I'm bipolar, on lithium 8 yrs, hands shaking more than usual")
    assert [(each.kind, each.possible) for each in found if not each.possible] == [(DISEASE, False)]


def test_cost_grows_with_the_text() -> None:
    assert_grows(lambda text: doubt(runs(text)), lambda size: "我有青光眼，她没有。" * size, 400)


@pytest.mark.long
def test_the_file_of_messages_is_what_the_sentences_teach() -> None:
    assert_taught(WEIGHTS, train.doubts())


@pytest.mark.long
def test_the_file_of_words_is_what_the_sentences_teach() -> None:
    taught = train.likelihoods()
    assert_taught(
        likely.WEIGHTS,
        {f"{kind}\t{run}": weight for kind, weights in taught.items() for run, weight in weights.items()},
    )
