"""What somebody was told not to have: an allergy only where it is for good, and not for another reason."""

import pytest

from memory.clinical.safety import read_safety

NOTHING = [
    "The nurse said to avoid alcohol with metronidazole",
    "My GP told me to avoid grapefruit with my statin",
    "my doctor said not to take ibuprofen with my blood pressure tablets",
    "The pharmacist said don't take ibuprofen on an empty stomach",
    "The hospital said not to take metformin before the CT",
    "doctor said I should avoid dairy for a few days",
    "The dietitian told me to avoid dairy because of my IBS",
    "The nurse said it's photosensitivity from doxycycline, not an allergy",
    "医生叮嘱吃头孢不能喝酒",
    "护士说打完疫苗不能喝酒",
    "医生说痛风不能吃海鲜",
    "医生说术前一周不能吃阿司匹林",
    "大夫说怀孕期间不能吃布洛芬",
    "医生说吃华法林不能吃阿司匹林",
    "利多卡因打了以后心慌头晕，医生说是紧张，不是过敏",
]
POSSIBLE = [
    ("The doctor said I can't have aspirin because of my ulcer", "aspirin"),
    ("I was told to avoid ibuprofen because of my kidneys", "ibuprofen"),
    ("my doctor told me to avoid ibuprofen because of the blood thinner", "ibuprofen"),
    ("医生说我胃不好不能吃布洛芬", "布洛芬"),
    ("我肾不好，医生说禁用造影剂", "造影剂"),
    ("上次打了头孢之后有点恶心，不知道算不算过敏", "头孢"),
]
FIRM = [
    ("My consultant told me never to take codeine again", "codeine"),
    ("I was told to stay away from shellfish after the reaction", "shellfish"),
    ("The radiographer told me never to have contrast dye again after I broke out in hives", "contrast dye"),
    ("医生说以后不能再用青霉素", "青霉素"),
    ("The GP told me to avoid ibuprofen because of my stomach, it brought me out in hives", "ibuprofen"),
    ("病历上写着禁用磺胺", "磺胺"),
    ("链霉素当年打得我耳朵嗡嗡响，医生交代终身禁用", "链霉素"),
]


def allergies(text: str) -> list[tuple[str, bool]]:
    """What is not borne, and whether that is only possible."""
    return [(each.text, each.possible) for each in read_safety(text) if each.kind == "allergy"]


@pytest.mark.parametrize("text", NOTHING)
def test_advice_for_now_or_beside_something_is_no_allergy(text: str) -> None:
    assert allergies(text) == []


@pytest.mark.parametrize(("text", "name"), POSSIBLE)
def test_a_medicine_left_for_another_reason_is_for_a_person_to_decide(text: str, name: str) -> None:
    assert allergies(text) == [(name, True)]


@pytest.mark.parametrize(("text", "name"), FIRM)
def test_what_is_never_to_be_had_again_is_not_borne(text: str, name: str) -> None:
    assert allergies(text) == [(name, False)]
