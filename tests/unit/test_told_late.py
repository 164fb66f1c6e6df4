"""What a nurse's dialogues showed: suspicions, pauses, doses alone, tests that found none, whose the last one is."""

import pytest

from memory.clinical.follow_ups import answered_by
from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety


def told(text: str, before: str = "") -> set[str]:
    """What is listed of the user: ?name where it is possible only, -name where it is denied."""
    return {
        "?" * each.possible + "-" * each.denied + each.text
        for each in read_safety(text, before)
        if each.subject == "user"
    }


def medicines(text: str, before: str = "", medicine: str = "") -> dict[str, dict[str, str]]:
    """What is taken (-name: not any more), with what is said of it."""
    return {
        "-" * each.denied + each.text: dict(each.attributes)
        for each in read_health(text, before, medicine=medicine)
        if each.kind == "medication"
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GP suspects lupus, waiting for bloods", {"?lupus"}),
        ("my doctor thinks I may have MS", {"?multiple sclerosis (MS)"}),
        ("suspected pre-eclampsia, waiting on the blood test", {"?preeclampsia (pre-eclampsia)"}),
        ("being tested for coeliac", {"?celiac disease (coeliac)"}),
        ("医生怀疑我有红斑狼疮，等结果", {"?红斑狼疮"}),
        ("克罗恩病待排", {"?克罗恩病"}),
        ("pretty sure i have MS", {"?multiple sclerosis (MS)"}),
        ("医生怀疑是红斑狼疮，结果不是", set()),
        ("GP thought it was gout but it wasn't", set()),
        ("my friend thinks I have MS", set()),
        ("does the doctor think i have MS?", set()),
    ],
)
def test_suspicion_of_those_who_treat_somebody_is_possible(text: str, expected: set[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was told I was allergic to penicillin as a child, tested last year and I'm not", set()),
        ("小时候青霉素过敏，后来做皮试没事", set()),
        ("头孢后来做皮试没事，打上去就休克了", {"头孢"}),
        ("gestational diabetes with my first, gone now", set()),
        ("甲亢，治好了", set()),
        ("asthma since childhood", {"asthma"}),
        ("dentist said not to take ibuprofen because of the bleeding", {"?ibuprofen"}),
        ("dentist said not to take ibuprofen because of the hives", {"ibuprofen"}),
        ("allergic to bee stings carry an epipen", {"bee stings"}),
        ("上了个环", {"节育环 (上了个环)"}),
        ("nasal polyps out twice", {"nasal polypectomy (nasal polyps out)"}),
        ("上礼拜断的母乳换的牛奶粉", set()),
    ],
)
def test_what_is_over_or_for_another_reason(text: str, expected: set[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Any allergies?", "cats. and aspirin sets off my asthma", {"cats", "aspirin", "asthma"}),
        ("Any allergies?", "sorry, and penicillin", {"penicillin"}),
        ("Any allergies?", "I take ramipril and penicillin", set()),
        ("Any operations?", "no. and my appendix", {"appendix"}),
        ("Any operations?", "no. and you?", {"-*"}),
        ("It's for epilepsy?", "yeah", {"epilepsy"}),
        ("是治糖尿病的吧？", "对", {"糖尿病"}),
    ],
)
def test_answer_goes_on(before: str, text: str, expected: set[str]) -> None:
    assert told(text, before) - {"-*"} == expected - {"-*"}


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("my sister is allergic to penicillin, ibuprofen made my face swell", "user"),
        ("my sister is allergic to penicillin and ibuprofen gave me hives", "user"),
        ("my sister is allergic to penicillin and ibuprofen", "my sister"),
    ],
)
def test_last_of_a_relatives_list_that_did_it_to_the_speaker(text: str, whose: str) -> None:
    assert {each.text: each.subject for each in read_safety(text)} == {"penicillin": "my sister", "ibuprofen": whose}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("they paused the warfarin before my op on monday", set()),
        ("warfarin is on hold until after the op", set()),
        ("华法林先停几天", set()),
        ("华法林停了", {"-华法林"}),
        ("华法林停了两天又接着吃了", {"华法林"}),
        ("I stopped ibuprofen before my holiday", {"-ibuprofen"}),
        ("舍曲林，佐米曲普坦跟舍曲林一起吃不好，停了", {"舍曲林", "-佐米曲普坦"}),
        ("二甲双胍和阿卡波糖都停了", {"-二甲双胍", "-阿卡波糖"}),
        ("im on warfarin. was on ibuprofen but not with warfarin so i stopped", {"warfarin", "-ibuprofen"}),
        ("二甲双胍吃了拉肚子停了 现在吃达格列净", {"-二甲双胍", "达格列净"}),
    ],
)
def test_pause_is_no_end_and_a_clash_ends_one(text: str, expected: set[str]) -> None:
    assert set(medicines(text, "你在吃什么药？" if "舍曲林" in text else "")) == expected


@pytest.mark.parametrize(
    ("before", "text", "dose"),
    [
        ("What dose?", "300 twice daily", {"dose": "300", "frequency": "twice daily"}),
        ("how much?", "500 in the morning and 1000 at night", {"dose": "500 in the morning and 1000 at night"}),
        ("打多少？", "早12晚10", {"dose": "早12晚10"}),
        ("What dose?", "for 3 weeks", None),
        ("How often?", "3", None),
        ("how much?", "38.5", None),
        ("多少度？", "38.5", None),
        ("When did it start?", "2019", None),
        ("How many units of alcohol do you drink?", "14", None),
        ("吃了多少年了？", "10", None),
        ("每天吃多少主食？", "200", None),
        ("What dose?", "10 am", None),
        ("What dose?", "500", {"dose": "500"}),
    ],
)
def test_number_alone_is_a_dose_where_one_is_asked_for(before: str, text: str, dose: dict[str, str] | None) -> None:
    assert medicines(text, before, "gabapentin").get("gabapentin") == dose


@pytest.mark.parametrize(
    ("text", "expected", "taken"),
    [
        ("I take ibuprofen because my back hurts.", set(), {"ibuprofen"}),
        ("我吃布洛芬，因为背疼", set(), {"布洛芬"}),
        ("I don't take ibuprofen because my face swells", {"ibuprofen"}, set()),
        ("I took penicillin because my throat was sore and came out in hives", {"penicillin"}, {"penicillin"}),
        ("我不吃布洛芬因为会起疹子", {"布洛芬"}, set()),
        ("医生没让我吃布洛芬", set(), set()),
        ("医生让我吃布洛芬", set(), {"布洛芬"}),
    ],
)
def test_complaint_that_a_medicine_is_taken_for_is_no_harm_of_it(
    text: str, expected: set[str], taken: set[str]
) -> None:
    assert (told(text), {each for each in medicines(text) if not each.startswith("-")} - expected) == (
        expected,
        taken - expected,
    )


@pytest.mark.parametrize(
    ("last", "answered"),
    [
        ("Do you smoke?", "Any allergies?"),
        ("您抽烟吗？", "Any allergies?"),
        ("What did you have for lunch?", "What did you have for lunch?"),
        ("Is he allergic to anything?", "Is he allergic to anything?"),
        ("What medicines does your husband take?", "What medicines does your husband take?"),
    ],
)
def test_names_that_come_late_answer_what_asked_for_them_but_no_question_of_eating_or_of_somebody_else(
    last: str, answered: str
) -> None:
    assert answered_by("oh and penicillin, i forgot", ["Any allergies?", last]) == answered
