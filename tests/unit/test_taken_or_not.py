"""What is said not to be taken, what somebody had of another's, what several people have not, a test that found one."""

import pytest

from tests.readings import medicines_of, safety_of


@pytest.mark.parametrize(
    ("text", "safety", "medicines"),
    [
        ("I'm not taking warfarin", ["-warfarin"], ["-warfarin"]),
        ("I dont take warfarin", ["-warfarin"], ["-warfarin"]),
        ("i'm not taking warfarin anymore", ["-warfarin"], ["-warfarin"]),
        ("I'm not taking warfarin but apixaban", ["-warfarin", "apixaban"], ["-warfarin"]),
        ("I'm not on warfarin but on apixaban", ["-warfarin", "apixaban"], ["-warfarin", "apixaban"]),
        ("I am not taking any metformin at the moment", [], []),
        ("我没在吃华法林", [], []),
        ("我没有服用华法林", [], []),
        ("我没有服用二甲双胍", [], []),
        ("I'm not taking warfarin regularly", ["warfarin"], ["warfarin"]),
        ("I don't take warfarin with food", ["warfarin"], ["warfarin"]),
        ("I haven't been taking my warfarin", ["-warfarin"], ["-warfarin"]),
        ("今天忘了吃华法林", ["华法林"], ["华法林"]),
        ("I'm on warfarin", ["warfarin"], ["warfarin"]),
    ],
)
def test_not_taken_and_not_as_meant(text: str, safety: list[str], medicines: list[str]) -> None:
    assert (safety_of(text), medicines_of(text)) == (safety, medicines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my husband took my penicillin and got a rash", ["penicillin@my husband"]),
        ("my mum took my ibuprofen and her face swelled up", ["ibuprofen@my mum"]),
        ("my son ate my husband's nuts and swelled up", ["nuts@my son"]),
        ("my husband took my penicillin and i got a rash", ["penicillin"]),
        ("i took my husband's penicillin and got a rash", ["penicillin"]),
        ("I took my penicillin and got a rash", ["penicillin"]),
        ("我老公吃了我的头孢起疹子", ["头孢@我老公"]),
        ("我吃了我妈的头孢起疹子", ["头孢"]),
        ("我吃了我的头孢起疹子", ["头孢"]),
    ],
)
def test_harm_is_of_who_had_it_whosever_it_was(text: str, expected: list[str]) -> None:
    assert safety_of(text) == expected


def test_medicine_that_another_took_is_still_its_owners() -> None:
    assert medicines_of("my husband took my metformin") == ["metformin"]
    assert medicines_of("I took my husband's metformin") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("neither me nor my kids are allergic to penicillin", ["-penicillin@my kids"]),
        ("none of us is allergic to penicillin", ["-penicillin"]),
        ("neither my mum nor my dad had asthma", ["-asthma@my dad"]),
        ("none of my kids have asthma", ["-asthma@my kids"]),
        ("Neither paracetamol nor ibuprofen helped my arthritis", ["arthritis"]),
        ("none of my doctors believed I have lupus", ["lupus"]),
        ("neither my gp nor the hospital knows I'm allergic to penicillin", ["penicillin"]),
    ],
)
def test_what_several_have_not(text: str, expected: list[str]) -> None:
    assert safety_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my skin test for penicillin was positive", ["penicillin"]),
        ("my skin test to penicillin came back strongly positive", ["penicillin"]),
        ("penicillin skin test came back very positive", ["penicillin"]),
        ("skin test for penicillin was negative", []),
        ("I'm allergic to penicillin, sorry, and codeine", ["codeine", "penicillin"]),
        ("I'm allergic to penicillin and, sorry, codeine", ["codeine", "penicillin"]),
    ],
)
def test_found_by_a_test_and_added_to_a_list(text: str, expected: list[str]) -> None:
    assert safety_of(text) == expected
