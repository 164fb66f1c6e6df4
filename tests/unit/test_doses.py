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


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("", "I take ramipril 5 mg, no sorry, 10 mg", {"ramipril": {"dose": "10 mg"}}),
        ("", "我吃氨氯地平10毫克，说错了，5毫克", {"氨氯地平": {"dose": "5毫克"}}),
        (
            "",
            "I take warfarin, 4 mg Monday to Friday and 5 mg at the weekend",
            {"warfarin": {"dose": "4 mg Monday to Friday and 5 mg at the weekend"}},
        ),
        ("", "华法林周一到周五3毫克，周末2毫克", {"华法林": {"dose": "周一到周五3毫克，周末2毫克"}}),
        ("", "华法林工作日3毫克，周末2毫克", {"华法林": {"dose": "工作日3毫克，周末2毫克"}}),
        (
            "",
            "I'm on azathioprine 150 mg a day and adalimumab injections 40 mg every two weeks",
            {
                "azathioprine": {"dose": "150 mg", "frequency": "a day"},
                "adalimumab": {"dose": "40 mg", "frequency": "every two weeks"},
            },
        ),
        ("", "利伐沙班15毫克晚饭后一次", {"利伐沙班": {"dose": "15毫克", "frequency": "晚饭后一次"}}),
        ("", "缬沙坦80毫克每天早上一次", {"缬沙坦": {"dose": "80毫克", "frequency": "每天早上一次"}}),
        ("", "降压药氨氯地平5毫克", {"氨氯地平": {"dose": "5毫克"}}),
        ("", "喹硫平还是睡前一片100毫克", {"喹硫平": {"dose": "睡前一片100毫克"}}),
        (
            "What dose of ramipril?",
            "5 mg. oh wait, metformin is 500 mg",
            {"ramipril": {"dose": "5 mg"}, "metformin": {"dose": "500 mg"}},
        ),
        ("您现在吃什么降压药?剂量多少?", "氨氯地平5mg一天一次", {"氨氯地平": {"dose": "5mg", "frequency": "一天一次"}}),
        ("", "calpol 5ml at 6, brought it down to 37.8", {"acetaminophen (calpol)": {"dose": "5ml"}}),
    ],
)  # fmt: skip
def test_amounts_as_patients_give_them(before: str, text: str, wanted: dict[str, dict[str, str]]) -> None:
    assert taken(text, before) == wanted


@pytest.mark.parametrize(
    ("before", "text", "stopped"),
    [
        ("", "The swab was positive and I finished five days of cephalexin yesterday.", "cephalexin"),
        ("", "本来吃的是硝苯地平，脸红就换了。", "硝苯地平"),
        ("", "ibuprofen 400 three times a day but it gave me heartburn so i stopped yesterday", "ibuprofen"),
        ("", "i was on citalopram but came off it", "citalopram"),
        ("Is he still on warfarin?", "no the cardiologist stopped it and put him on apixaban", "warfarin"),
        ("", "我老婆说这个达格列净容易尿路感染，先不加", "达格列净"),
    ],
)
def test_what_is_taken_no_longer(before: str, text: str, stopped: str) -> None:
    denied = {each.text for each in read_health(text, before) if each.kind == "medication" and each.denied}
    assert denied == {stopped}


@pytest.mark.parametrize("text", ["甲硝唑我吃过没事", "I've had cephalexin since then without any trouble"])
def test_what_was_borne_once_is_not_taken(text: str) -> None:
    assert taken(text) == {}


def test_medicine_that_no_lexicon_has_is_known_by_the_shape_of_its_name() -> None:
    assert taken("吃了风寒感冒颗粒") == {"风寒感冒颗粒": {}}
    assert taken("医生说可以吃风寒感冒颗粒吗") == {}
