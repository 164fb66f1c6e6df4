"""Two names are of one thing by what they name, never by what stands in the letters of one of them."""

import pytest

from memory.clinical.findings import ALLERGY
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one, is_part, name_of
from memory.extraction.facts.clinical import with_health
from memory.model.extraction import Dialogue, Extraction, FoundFact, Said

OF_ONE = [
    ("青霉素", "penicillin"),
    ("hypertension", "high blood pressure"),
    ("MS", "multiple sclerosis"),
    ("tylenol", "paracetamol"),
    ("貓", "猫过敏"),
    ("马 (馬)", "馬"),
    ("哮喘 (气喘)", "气喘"),
    ("penicillin (rash)", "penicillin"),
    ("青霉素（皮疹）", "青霉素"),
    ("青霉素", "青霉素钠"),
    ("青霉素", "青霉素类"),
    ("青霉素", "对青霉素过敏"),
    ("头孢", "头孢类"),
    ("头孢", "头孢类抗生素"),
    ("磺胺", "磺胺类药物"),
    ("罗红霉素", "罗红霉素缓释胶囊"),
    ("二甲双胍", "盐酸二甲双胍片"),
    ("糖尿病", "2型糖尿病"),
    ("diabetes", "2型糖尿病"),
    ("type 2 diabetes", "糖尿病 2型"),
    ("diabetes", "diabetes, type 2"),
    ("胃炎", "慢性胃炎"),
    ("鼻炎", "过敏性鼻炎"),
    ("膝关节置换", "左膝关节置换"),
    ("knee replacement", "left knee replacement"),
    ("kidney disease", "stage 3 chronic kidney disease"),
    ("asthma", "severe asthma"),
    ("Crohn’s", "crohn's disease"),
    ("peanut", "peanuts"),
    ("penicillin", "allergic to penicillins"),
    ("co-trimoxazole", "co trimoxazole"),
    ("zorbalin", "Zorbalins"),
    ("zorbalin", "zorbalin cream"),
]
APART = [
    ("RA", "migraine"),
    ("MS", "symptoms"),
    ("rice", "licorice"),
    ("egg", "eggplant"),
    ("pea", "peanut"),
    ("花", "花生"),
    ("花", "花粉"),
    ("花粉", "蒿花粉"),
    ("鱼", "鱼腥草"),
    ("虾", "虾皮"),
    ("花生", "花生酱"),
    ("头孢", "头孢曲松"),
    ("胰岛素", "甘精胰岛素"),
    ("黄连", "双黄连"),
    ("天疱疮", "类天疱疮"),
    ("糖尿病", "妊娠糖尿病"),
    ("diabetes", "gestational diabetes"),
    ("milk", "coconut milk"),
    ("nut", "brazil nut"),
    ("fish", "fish oil"),
    ("latex", "penicillin and latex"),
    ("penicillin (rash)", "aspirin (rash)"),
    ("1型糖尿病", "2型糖尿病"),
    ("type 1 diabetes", "2型糖尿病"),
    ("左膝关节置换", "右膝关节置换"),
    ("left knee replacement", "right knee replacement"),
    ("acute bronchitis", "chronic bronchitis"),
    ("氯化钠", "氯化钾"),
    ("维生素B1", "维生素B12"),
    ("", "penicillin"),
    ("*", "*"),
]


@pytest.mark.parametrize(("one", "other"), OF_ONE)
def test_names_of_one_thing_are_one(one: str, other: str) -> None:
    assert is_of_one(one, other)
    assert is_of_one(other, one)
    assert name_of(one).known_by & name_of(other).known_by


@pytest.mark.parametrize(("one", "other"), APART)
def test_name_that_another_only_contains_is_another_thing(one: str, other: str) -> None:
    assert not is_of_one(one, other)
    assert not is_of_one(other, one)


@pytest.mark.parametrize(
    ("one", "other", "stands"),
    [
        ("coffee", "black coffee", True),
        ("跑步", "早上跑步", True),
        ("long walks", "walk", True),
        ("tea", "steak", False),
        ("art", "party", False),
        ("", "coffee", False),
        ("*", "coffee", False),
    ],
)
def test_part_of_a_name_is_whole_words_of_it(one: str, other: str, *, stands: bool) -> None:
    assert is_part(one, other) == is_part(other, one) == stands


def test_what_rules_find_beside_a_name_that_contains_it_is_kept() -> None:
    said = Said(1, USER, own=True, text="我对鱼腥草和鱼过敏", at_ms=0)
    by_mind = FoundFact(1, USER, ALLERGY, "鱼腥草", "+", said.text, 1.0, "mind")
    whole = with_health(Extraction([by_mind]), Dialogue([said], "", ""), by_rules=False)
    assert sorted(fact.object for fact in whole.facts if fact.predicate == ALLERGY) == ["鱼", "鱼腥草"]
