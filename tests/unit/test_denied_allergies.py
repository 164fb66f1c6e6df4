"""That a substance is borne, in any order and in either script; and what only sounds so."""

import pytest

from tests.facts_told import safety_told

DENIED = [
    ("我不过敏青霉素", {"青霉素"}),
    ("青霉素我不过敏", {"青霉素"}),
    ("對盤尼西林不過敏", {"盤尼西林"}),
    ("青霉素不过敏", {"青霉素"}),
    ("我对青霉素不过敏", {"青霉素"}),
    ("我对青霉素没有过敏", {"青霉素"}),
    ("我對盤尼西林沒有過敏", {"盤尼西林"}),
    ("盤尼西林我不過敏的", {"青霉素 (盤尼西林)"}),
    ("头孢我不过敏，以前打过", {"头孢"}),
    ("我不會對花生過敏", {"花生"}),
    ("我没有青霉素过敏", {"青霉素"}),
    ("我沒有盤尼西林過敏", {"青霉素 (盤尼西林)"}),
    ("海鲜、牛奶我都不过敏", {"海鲜", "牛奶"}),
    ("我并不对青霉素过敏", {"青霉素"}),
    ("我不对猫过敏", {"猫"}),
    ("我从来不过敏青霉素", {"青霉素"}),
    ("阿莫西林，我不过敏", {"阿莫西林"}),
    ("对青霉素我不过敏", {"青霉素"}),
]


@pytest.mark.parametrize(("text", "names"), DENIED)
def test_denial_of_an_allergy_is_read_in_any_order(text: str, names: set[str]) -> None:
    told = safety_told(text)
    assert {sign for sign, _, _ in told} == {"-"}
    assert names == {name for _, kind, name in told if kind == "allergy"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我没有哮喘，医生说这不是大病", {"哮喘"}),
        ("我沒有哮喘，醫生說沒有氣喘", {"哮喘"}),
        ("我沒有糖尿病也沒有高血壓", {"糖尿病", "高血壓"}),
        ("我没有糖尿病也没有高血压", {"糖尿病", "高血压"}),
    ],
)
def test_denial_of_a_disease_is_read_in_either_script(text: str, names: set[str]) -> None:
    assert {("-", "disease", name) for name in names} == safety_told(text)


@pytest.mark.parametrize(
    "text",
    [
        "我不知道是不是对青霉素过敏",
        "青霉素过敏我没有吗",
        "医生问我对青霉素过敏不过敏",
        "我妈不过敏青霉素",
        "我媽沒有糖尿病",
        "青霉素不过敏的人可以用头孢吗",
        "青霉素我不过敏吗？",
        "如果我不过敏青霉素就好了",
        "青霉素我不过敏就好了",
        "要是對盤尼西林不過敏，可以打嗎",
        "我不是没有哮喘，只是很久没犯",
        "医生说我可能对青霉素不过敏",
        "听说打过一次不过敏青霉素就没事",
        "不过敏青霉素就可以打",
        "过不过敏青霉素我不知道",
        "会不会对青霉素过敏",
        "我是不是不过敏青霉素",
        "我以前不过敏青霉素，现在过敏了",
        "难道我不过敏青霉素？",
        "我希望我對花生不過敏",
        "我对青霉素不是不过敏，是轻微过敏",
        "打头孢前要确认不过敏",
        "怎样才算对青霉素不过敏",
        "医生，青霉素不过敏能打吗",
    ],
)
def test_what_is_asked_supposed_or_anothers_is_no_denial(text: str) -> None:
    assert safety_told(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("对青霉素过敏，头孢不过敏", {("+", "allergy", "青霉素"), ("-", "allergy", "头孢")}),
        ("我只对青霉素过敏，不对头孢过敏", {("+", "allergy", "青霉素"), ("-", "allergy", "头孢")}),
        ("我对青霉素过敏不是一天两天了", {("+", "allergy", "青霉素")}),
        ("青霉素皮试不过，我过敏", {("+", "allergy", "青霉素")}),
        ("我不能不告诉你，我对头孢过敏", {("+", "allergy", "头孢")}),
        ("我沒有醫保，但我有哮喘", {("+", "disease", "哮喘")}),
    ],
)
def test_claim_beside_a_no_stays_a_claim(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert safety_told(text) == expected
