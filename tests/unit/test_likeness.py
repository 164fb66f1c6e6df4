"""Which labels are one thing by how they are written, which may be, and which must not be."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.merging.__main__ import FROZEN, by_writing, read
from memory.graph.likeness import MEASURED_MIN, Verdict, alike, calibrated, middle_of
from memory.graph.suggest import pairs

NEAR = 0.97
"""Nearer than any two labels of other things that were measured."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("过敏性鼻炎", "過敏性鼻炎"),
        ("CT 检查", "ct检查"),
        ("1型糖尿病", "一型糖尿病"),
        ("covid-19", "COVID 19"),
        ("2 mg", "2mg"),
        ("维生素 D3", "维生素d3"),
        ("colour blindness", "color blindness"),
    ],
)
def test_what_is_written_alike_is_one(one: str, other: str) -> None:
    assert alike(one, other).verdict is alike(other, one).verdict is Verdict.SAME


APART = [
    "мама|папа", "кошка|собака", "TNF-α|TNF-β", "β-blocker|blocker", "バス|パス", "दिन|दान", "엄마|아빠",
    "HBsAg(+)|HBsAg(-)", "尿蛋白+|尿蛋白++", "Rh+|Rh-", "C|C++", "$5|€5", "体温>38|体温<38", "😀|😢",
    "牛奶、巧克力|牛奶巧克力",
    "女儿的医生|女医生", "目的地|目的", "儿科|科", "地图|图", "王雪儿|王雪", "Michael|Michel", "Miller|Miler",
    "Ed|erectile_dysfunction", "filling|filing", "aid|AIDS", "minute|minutes", "dose|DOS", "vitamin_a|vitamin",
    "group_a_strep|group_strep", "面|麵", "姜|薑", "shell|she'll", "Brown|Browne", "news|new",
    "milk,_chocolate|milk_chocolate", "Dr._Gray|Dr._Grey", "ann_gray|ann_grey", "Honor_Smith|Honour_Smith",
    "Labor_Day|Labour_Day", "于丽|於麗", "water_meter|water_metre", "Gray's_Anatomy|Grey's_Anatomy", "café|cafe",
    "headaches|a_headache", "dinner_party|party_dinner",
]  # fmt: skip


@pytest.mark.parametrize("pair", APART)
def test_what_a_sign_a_letter_or_a_particle_tells_apart_is_not_made_one(pair: str) -> None:
    one, other = pair.replace("_", " ").split("|")
    assert alike(one, other, NEAR).verdict is not Verdict.SAME
    assert alike(other, one, NEAR).verdict is not Verdict.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("高血压", "低血压"),
        ("left knee pain", "right knee pain"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("plan A", "plan B"),
        ("hepatitis B", "hepatitis C"),
        ("乙肝", "丙肝"),
        ("Monday class", "Tuesday class"),
        ("500mg", "850mg"),
        ("我姐姐的房子", "我妹妹的房子"),
        ("my mother's house", "my aunt's house"),
        ("喜欢运动", "不喜欢运动"),
        ("ibuprofen", "naproxen"),
        ("头孢克肟", "头孢曲松"),
        ("B-cell lymphoma", "T-cell lymphoma"),
        ("爸爸的生日", "妈妈的生日"),
        ("四楼", "四川"),
        ("Boston", "Chicago"),
    ],
)
def test_what_must_not_be_one_is_not_even_suggested(one: str, other: str) -> None:
    assert alike(one, other, NEAR).verdict is alike(other, one, NEAR).verdict is Verdict.NO


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Dr. Brown", "Dr. Browne", "names"),
        ("dinner party", "party dinner", "order"),
        ("vascular dementia", "dementia", "term"),
        ("COPD", "chronic obstructive pulmonary disease", "term"),
        ("Tylenol", "paracetamol", "term"),
        ("脑卒中", "中风", "term"),
        ("headaches", "a headache", "number"),
        ("pain in the left shoulder", "left shoulder pain", "names"),
        ("Tylenol for the fever", "fever paracetamol", "names"),
        ("March 3 appointment", "appointment on 3rd March", "names"),
        ("500 mg metformin", "metformin 500mg", "names"),
        ("母亲的生日", "妈妈生日", "names"),
        ("3月5日复诊", "三月五号复诊", "names"),
        ("每天两次,饭后服用", "饭后服用，每天两次", "names"),
        ("NYC", "New York City", "initials"),
        ("café", "cafe", "accent"),
        ("check-up", "checkup", "hyphen"),
        ("green house", "greenhouse", "hyphen"),
        ("re-lease date", "release date", "hyphen"),
        ("我家的麵", "我家的面", "character"),
        ("心情", "情绪", "meaning"),
    ],
)
def test_what_may_be_one_is_decided_by_nobody_but_whoever_says_so(one: str, other: str, why: str) -> None:
    found = alike(one, other, NEAR)
    assert (found.verdict, found.why) == (Verdict.MAYBE, why)
    if why == "meaning":
        assert alike(one, other, 0.49).verdict is alike(one, other).verdict is Verdict.NO


@pytest.mark.parametrize("file", sorted(FROZEN.parent.glob("pairs_*.jsonl")), ids=lambda file: file.stem)
def test_of_labels_by_other_authors_none_is_merged_wrongly(file: Path) -> None:
    """Each was met once before the rules were made fit for it (docs/decisions/0043, 0064)."""
    judged = by_writing(read(file))
    assert len(judged) == 200
    one = [likeness for pair, likeness in judged if pair["same"]]
    assert sum(likeness.verdict is not Verdict.NO for likeness in one) >= 0.75 * len(one)
    wrong = [pair for pair, likeness in judged if not pair["same"] and likeness.verdict is Verdict.SAME]
    assert wrong == []
    assert sum(likeness.verdict is Verdict.SAME for _, likeness in judged) >= 1


def test_cosines_are_measured_from_those_of_the_users_own_labels() -> None:
    dice = np.random.default_rng(5)
    squeezed = dice.normal(size=(MEASURED_MIN, 16)) + 6
    squeezed = (squeezed / np.linalg.norm(squeezed, axis=1, keepdims=True)).astype(np.float32)
    middle = middle_of(squeezed)
    cosines = squeezed @ squeezed.T
    own = cosines[~np.eye(len(cosines), dtype=bool)]
    assert middle == pytest.approx(float(own.mean()), abs=1e-5)
    assert calibrated(np.array([middle, 1.0]), middle) == pytest.approx([0, 1])
    assert middle_of(squeezed[:-1]) is None


def test_of_many_labels_each_gets_its_best_suggestion_and_decided_pairs_are_left() -> None:
    labels = ["colour test", "Color test", "心情", "情绪", "心境", *(f"thing {number}" for number in range(40))]
    vectors = np.random.default_rng(1).normal(size=(len(labels), 64)).astype(np.float32)
    vectors[3] = vectors[2] + 0.1 * vectors[10]
    vectors[4] = vectors[2] + 0.4 * vectors[11]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = {pair.ends: pair.likeness.verdict for pair in pairs(labels, vectors, ())}
    assert found == {
        frozenset(("colour test", "color test")): Verdict.SAME,
        frozenset(("心情", "情绪")): Verdict.MAYBE,
    }
    decided = frozenset(("心情", "情绪"))
    again = {pair.ends for pair in pairs(labels, vectors, {decided})}
    assert decided not in again
    assert {label for ends in again for label in ends} >= {"心境"}
    by_words = {pair.ends for pair in pairs(labels, None, ())}
    assert by_words == {frozenset(("colour test", "color test"))}
