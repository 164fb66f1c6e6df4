"""Medicines are taken where nothing speaks against it, as ConText has it; and what does is heard."""

import pytest

from memory.clinical.findings import Finding
from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety


def medicines(text: str, before: str = "") -> dict[str, bool]:
    """By name, whether it is taken."""
    return {each.text: not each.denied for each in read_health(text, before) if each.kind == "medication"}


def details(text: str) -> dict[str, str]:
    """What is told of the only medicine."""
    (found,) = (each for each in read_health(text) if each.kind == "medication")
    return dict(found.attributes)


def allergies(text: str) -> list[Finding]:
    return [each for each in read_safety(text) if each.kind == "allergy"]


@pytest.mark.parametrize(
    ("text", "medicine"),
    [
        ("Also indapamide for the pressure.", "indapamide"),
        ("She wrote me Vyvanse and it's smoother.", "lisdexamfetamine (Vyvanse)"),
        ("So aripiprazole in the am and my walking.", "aripiprazole"),
        ("医生另外添了吲达帕胺，早上半片", "吲达帕胺"),
        ("疹子少多了 氯雷他定还吃着", "氯雷他定"),
        ("吃格列美脲呢 2毫克", "格列美脲"),
        ("我跟老伴都吃阿司匹林", "阿司匹林"),
        ("华法林停了两天又接着吃了", "华法林"),
        ("Propranolol only before exams now.", "propranolol"),
        ("The nurse saw me, he put me on ramipril.", "ramipril"),
    ],
)
def test_medicine_is_taken_where_nothing_speaks_against_it(text: str, medicine: str) -> None:
    assert medicines(text).get(medicine)


@pytest.mark.parametrize(
    "text",
    [
        "A friend recommended melatonin.",
        "The nurse mentioned atorvastatin.",
        "I didn't want the codeine.",
        "I couldn't face the codeine.",
        "My neighbour swears by omeprazole.",
        "Should I ask about ramipril?",
        "Ramipril.",
        "听说褪黑素管用",
        "说明书上写着布洛芬",
        "闺蜜在吃优思悦，说好",
        "我会试试布洛芬",
        "最近买了一个决明子枕头",
        "医生建议阿托伐他汀",
        "没拿布洛芬",
        "Metformin is bad for the kidneys.",
        "Ozempic is all over TikTok.",
        "There's ibuprofen in the cupboard.",
        "布洛芬会伤胃",
        "家里有布洛芬",
        "Hi doctor, he takes warfarin.",
    ],
)
def test_medicine_that_is_only_named_is_not_taken(text: str) -> None:
    assert True not in medicines(text).values()


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("No, the doctor said stop, no need.", {"betahistine": False}),
        ("Yes, every night.", {"betahistine": True}),
        ("不吃了，上周停的", {"倍他司汀": False}),
    ],
)
def test_answer_says_whether_a_medicine_is_taken_still(answer: str, found: dict[str, bool]) -> None:
    asked = "Are you still taking the betahistine?" if answer.isascii() else "还在吃倍他司汀吗？"
    assert medicines(answer, asked) == found
    assert medicines(answer, "Good to hear.") == {}


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("每天吃优甲乐75", "75"),
        ("二甲双胍 0.5的 早晚各一片", "0.5"),
        ("打甘精胰岛素 晚上12个单位", "12个单位"),
        ("The doc bumped me up to 20 of the lexapro.", "20"),
        ("She bumped the levothyroxine to 112.", "112"),
        ("It has gone up to 75 of the levothyroxine.", "75"),
    ],
)
def test_dose_is_told_without_its_unit(text: str, dose: str) -> None:
    assert details(text)["dose"] == dose


@pytest.mark.parametrize("text", ["吃布洛芬3天了", "吃二甲双胍2年了", "I took ibuprofen 3 times."])
def test_how_long_or_how_often_is_no_dose(text: str) -> None:
    assert "dose" not in details(text)


def test_medicine_that_was_stopped_last_is_not_taken() -> None:
    found = read_health("While the topiramate came down I was tired. Topiramate is all gone now.")
    assert [each.denied for each in found if each.kind == "medication"] == [True]


def test_list_of_which_the_last_was_stopped_is_taken_but_for_it() -> None:
    found = medicines("现在吃波立维和瑞舒伐他汀，阿司匹林去年大夫让撤了")
    assert {name: taken for name, taken in found.items() if name in {"瑞舒伐他汀", "阿司匹林"}} == {
        "瑞舒伐他汀": True,
        "阿司匹林": False,
    }


@pytest.mark.parametrize(
    "text",
    [
        "I use Flovent morning and night and albuterol when I'm wheezy.",
        "戴手套加那个尤卓尔管用，手上起水泡",
        "脚肿得厉害，大夫给换成缬沙坦了",
        "Felodipine as always. My ankles are swollen though.",
    ],
)
def test_what_a_medicine_is_taken_for_or_does_to_many_is_no_allergy(text: str) -> None:
    assert [each for each in allergies(text) if not each.possible] == []


def test_numbness_after_a_medicine_is_to_be_confirmed_and_a_rash_beside_it_is_not() -> None:
    assert [each.possible for each in allergies("吃了托吡酯手指尖发麻")] == [True]
    assert [each.possible for each in allergies("吃了青霉素浑身发麻起疹子")] == [False]


@pytest.mark.parametrize(
    "text", ["Broke out in hives after they switched me to amoxicillin.", "浑身起疹子，就是换成头孢以后"]
)
def test_what_was_taken_instead_may_have_done_it(text: str) -> None:
    assert allergies(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hi doctor, she is allergic to penicillin.",
        "医生，他今年3岁，一吃头孢就起疹子",
        "My therapist is lovely. She is allergic to nuts.",
    ],
)
def test_somebody_who_is_not_named_is_neither_the_user_nor_the_doctor(text: str) -> None:
    assert allergies(text) == []


def test_what_something_swells_to_is_no_allergen() -> None:
    assert {each.text for each in allergies("吃完皮皮虾嘴唇肿成香肠 喘不上气")} == {"皮皮虾"}


def test_space_stands_for_a_comma_where_chinese_is_typed_on_a_phone() -> None:
    found = read_health("我今年六十七 血压高 大夫给开的氨氯地平 早上一片")
    assert [each.quote for each in found if each.kind == "medication"] == ["大夫给开的氨氯地平"]


def test_number_alone_is_the_value_that_was_asked_for() -> None:
    found = [each for each in read_health("6.5!! my wife cried", "What's your A1c now?") if each.kind == "test"]
    assert [(each.text, dict(each.attributes)["value"]) for each in found] == [("A1c 6.5", "6.5")]
    assert not [each for each in read_health("6 days", "What's your A1c now?") if each.kind == "test"]
