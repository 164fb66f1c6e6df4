"""Which medicine an amount, a frequency and a time belong to, where a message names several."""

from typing import Any

import pytest

from memory.clinical.health.reading import read_health
from tests.growth import assert_grows


def taken(text: str, before: str = "") -> dict[str, dict[str, str]]:
    """Details by medicine."""
    return {each.text: dict(each.attributes) for each in read_health(text, before) if each.kind == "medication"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "I take 5 mg of amlodipine and 20 mg atorvastatin",
            {"amlodipine": {"dose": "5 mg"}, "atorvastatin": {"dose": "20 mg"}},
        ),
        (
            "Tresiba 22 units at night and NovoRapid with meals",
            {
                "insulin degludec (Tresiba)": {"dose": "22 units", "frequency": "at night"},
                "insulin aspart (NovoRapid)": {"frequency": "with meals"},
            },
        ),
        (
            "metformin 500 mg gliclazide 80 mg",
            {"metformin": {"dose": "500 mg"}, "gliclazide": {"dose": "80 mg"}},
        ),
        (
            "I take metformin and gliclazide twice a day",
            {"metformin": {"frequency": "twice a day"}, "gliclazide": {"frequency": "twice a day"}},
        ),
        ("I take loratadine and cetirizine 10 mg", {"loratadine": {}, "cetirizine": {"dose": "10 mg"}}),
        ("I take metformin. It's 500 mg twice a day.", {"metformin": {"dose": "500 mg", "frequency": "twice a day"}}),
        ("I'm on a pump with NovoRapid. Last sugar 14", {"insulin aspart (NovoRapid)": {}}),
        ("I'm on ramipril. I smoke about 10 a day too", {"ramipril": {}}),
        ("I take ramipril. My neighbour has got 20 tablets", {"ramipril": {}}),
        ("I take ramipril\n2 tablets are in the other box", {"ramipril": {}}),
        (
            "insulin 16 units in the morning and 12 at night",
            {"insulin": {"dose": "16 units in the morning and 12 at night"}},
        ),
        ("胰岛素早上16个单位，晚上12个单位", {"胰岛素": {"dose": "早上16个单位，晚上12个单位"}}),
        ("吃了半片艾司唑仑，褪黑素也吃", {"艾司唑仑": {"dose": "半片"}, "褪黑素": {}}),
        (
            "二甲双胍和阿卡波糖各一片，一天三次",
            {
                "二甲双胍": {"dose": "一片", "frequency": "一天三次"},
                "阿卡波糖": {"dose": "一片", "frequency": "一天三次"},
            },
        ),
        (
            "一直吃恩替卡韦。骨质疏松，每半年打一针地舒单抗",
            {"恩替卡韦": {}, "地舒单抗": {"dose": "一针", "frequency": "每半年打一针"}},
        ),
        ("吃华法林，一天一片半，上周INR 2.8", {"华法林": {"dose": "一片半", "frequency": "一天一片半"}}),
        ("氨氯地平，一天一片，5毫克的", {"氨氯地平": {"dose": "一片，5毫克", "frequency": "一天一片"}}),
    ],
)
def test_each_amount_is_of_one_medicine(text: str, wanted: dict[str, Any]) -> None:
    assert taken(text) == wanted


def test_an_amount_alone_is_of_the_medicine_that_the_question_names() -> None:
    said = read_health("4 mg every day now", "Warfarin dose now?", medicine="metronidazole")
    assert [(each.text, dict(each.attributes)) for each in said] == [
        ("warfarin", {"dose": "4 mg", "frequency": "every day"})
    ]
    (other,) = read_health("4 mg every day now", "What dose?", medicine="metronidazole")
    assert other.text == "metronidazole"
    assert read_health("4 mg", "What dose of warfarin, and of metoprolol?", medicine="metronidazole") == []


@pytest.mark.parametrize(
    "text",
    [
        "I used to take simvastatin",
        "以前吃依那普利，咳得厉害就换了",
        "吃过帕罗西汀，吃了一年自己停的",
    ],
)
def test_what_was_taken_once_is_taken_no_more(text: str) -> None:
    (found,) = (each for each in read_health(text) if each.kind == "medication")
    assert found.denied


def test_what_was_taken_once_and_is_still_goes_on() -> None:
    (found,) = (each for each in read_health("以前吃氨氯地平，现在还在吃") if each.kind == "medication")
    assert not found.denied


@pytest.mark.parametrize(
    "text",
    [
        "上周还想过吃一瓶安眠药，但没真做",
        "I thought about taking a whole bottle of paracetamol",
        "Last time prednisolone gave me terrible heartburn",
        "上次吃布洛芬胃疼",
        "流感疫苗今年没打",
    ],
)
def test_what_was_not_taken_is_no_medicine(text: str) -> None:
    assert taken(text) == {}


def test_doses_cost_grows_with_the_text() -> None:
    assert_grows(read_health, lambda size: "metformin 500 mg and " * (size // 20), 4_000)
    assert_grows(read_health, lambda size: "500 mg twice a day " * (size // 20), 4_000)
