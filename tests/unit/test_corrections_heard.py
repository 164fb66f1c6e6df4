"""What no form of correcting reads, and sounds as if somebody took something back: beside what is held it is read."""

import pytest

from benchmarks.curation import correcting
from benchmarks.triage import train
from memory.clinical.corrections.heard import SURE, WEIGHTS, heard
from memory.clinical.corrections.held import Held, before, held_of, put_right
from memory.clinical.corrections.reading import corrections
from memory.clinical.drawing import drawn_of
from memory.clinical.findings import Finding
from memory.clinical.safety import read_safety
from memory.clinical.sketch import LETTERS
from tests.growth import assert_grows
from tests.taught import assert_taught

GOUT = Held("disease", "痛风")
PEANUTS = Held("allergy", "peanuts")
REREAD = "我翻出病历来看了，上头写的是类风湿，我一直瞎说成痛风"
EATEN = "hang on I've told you the wrong one, peanuts I eat all the time, it's sesame that gets me"


def taken(text: str, *held: Held) -> list[Finding]:
    """What a message puts right of what was held and of what it says itself."""
    return put_right(corrections(text), [*held, *held_of(read_safety(text))])


def firm(found: list[Finding]) -> set[str]:
    return {each.text for each in found if not each.possible and not each.denied}


def denied(found: list[Finding]) -> set[str]:
    return {each.text for each in found if each.denied}


@pytest.mark.parametrize(
    ("text", "held", "right"), [(REREAD, GOUT, "类风湿关节炎"), (EATEN, PEANUTS, "sesame")], ids=["zh", "en"]
)
def test_what_sounds_like_a_correction_is_one_of_what_is_held(text: str, held: Held, right: str) -> None:
    found = taken(text, held)
    assert (firm(found), denied(found)) == ({right}, {held.text})
    assert all(each.text != held.text or each.denied for each in found), "what was wrong is not told anew"


@pytest.mark.parametrize(("text", "held"), [(REREAD, GOUT), (EATEN, PEANUTS)], ids=["zh", "en"])
def test_of_what_nobody_held_nothing_is_put_right(text: str, held: Held) -> None:
    assert denied(taken(text)) == set()
    assert denied(taken(text, held._replace(own=False))) == set(), "a relative's"
    assert denied(taken(text, held._replace(possible=True))) == set(), "what was only asked about"


@pytest.mark.parametrize(
    "text",
    [
        "上周的抽血报告拿到了，肾功能不全",
        "大夫今天说我还有冠心病",
        "想起来一件事，我小时候得过哮喘",
        "老师说我女儿可能有哮喘",
        "这酱是芝麻做的，没放花生",
        "I picked up my results and I have coeliac disease",
        "Something I left out: I'm asthmatic",
        "Rang the bakery, it was made with almonds",
        "the nurse asked about epilepsy, I've never had it",
        "皮试做了，阿莫西林阴性，观察两小时没事",
    ],
)
def test_news_and_what_comes_in_addition_takes_nothing_back(text: str) -> None:
    held = [GOUT, PEANUTS, Held("allergy", "花生"), Held("allergy", "青霉素")]
    assert denied(taken(text, *held)) == set()
    assert firm(taken(text, *held)) == set()


def test_who_names_only_what_is_right_means_what_stood_there_alone() -> None:
    text = (
        "Mestinon three times a day. My niece typed that first message for me and she put the wrong M.S. I have lupus."
    )
    sclerosis = Held("disease", "multiple sclerosis")
    assert heard(drawn_of(text).drawn) >= SURE
    assert denied(taken(text, sclerosis)) == {"multiple sclerosis"}
    assert denied(taken(text, sclerosis, Held("disease", "asthma"))) == set(), "which of two is not said"
    assert denied(taken(text, sclerosis._replace(here=False))) == set(), "it was said in another conversation"


def test_of_two_that_may_be_right_neither_is_firm() -> None:
    found = taken("瞎说成花生了，本子上写的是芝麻和腰果", Held("allergy", "花生", last=True))
    assert firm(found) == denied(found) == set()


def test_a_long_message_is_not_judged_by_how_it_sounds() -> None:
    assert denied(taken("我昨天去买菜，" * 20 + REREAD, GOUT)) == set()


def test_cost_grows_with_the_text() -> None:
    assert_grows(corrections, lambda size: "我翻出病历来看了，上头写的是类风湿。" * size, 400)


@pytest.mark.long
def test_the_file_is_what_the_dialogues_teach() -> None:
    assert_taught(WEIGHTS, train.corrections_heard())


def test_what_is_held_out_teaches_nothing() -> None:
    names = {file.stem for file in correcting.learnt_from()}
    assert names
    assert names.isdisjoint(correcting.HELD_OUT)
    assert {file.stem for file in correcting.FILES} == names | correcting.HELD_OUT


@pytest.mark.parametrize("letter", [*LETTERS.values()])
def test_a_letter_of_a_sketch_that_somebody_writes_is_none(letter: str) -> None:
    """Characters for private use stand in texts for signs of a font: a write with one was refused."""
    for text in (
        f"wrong, i meant {letter}",
        f"青霉素说错了，是{letter}",
        f"不是{letter}，是头孢",
        f"把{letter}说成青霉素了",
    ):
        blank = text.replace(letter, " ")
        assert corrections(text) == corrections(blank)
        assert read_safety(text) == read_safety(blank)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm allergic to penicillin.", "Turns out I'm allergic to latex too"),
        ("I'm allergic to penicillin.", "I meant to say I'm allergic to latex as well"),
        ("我对青霉素过敏", "说错了，我对头孢也过敏"),
        ("我有糖尿病", "啊不对，哮喘也有"),
    ],
)
def test_what_comes_in_addition_is_no_correction_whatever_it_sounds_like(first: str, then: str) -> None:
    held = before(held_of(read_safety(first)))
    assert held
    assert denied(taken(then, *held)) == set()
