"""Who says whose relative they are writes for that one."""

import pytest

from memory.clinical.introduced import introduced
from memory.clinical.kin import person_of
from memory.clinical.safety import read_safety


@pytest.mark.parametrize(
    ("text", "relative"),
    [
        ("我是陈先生的女儿，他65岁", "我爸"),
        ("我是李阿姨的儿子", "我妈"),
        ("我是患者的女儿，她对头孢过敏", "我妈"),
        ("我是乐乐妈妈", "孩子"),
        ("我是他老婆", "我老公"),
        ("it's leo's mum again. he was kept in", "my son"),
        ("hi its olivers mum again. he got a rash", "my son"),
        ("this is maya's dad, she has a fever", "my daughter"),
        ("i'm mr brown's daughter", "my dad"),
        ("i'm her husband", "my wife"),
    ],
)
def test_who_is_written_for(text: str, relative: str) -> None:
    assert [each.relative for each in introduced(text)] == [relative]


@pytest.mark.parametrize(
    "text",
    [
        "我是家里的独生女儿",
        "我是我妈的女儿",
        "i'm a mum of two",
        "it's my mum's birthday",
    ],
)
def test_who_says_nothing_of_the_kind(text: str) -> None:
    assert list(introduced(text)) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("我是糖尿病人的女儿，我也怕得糖尿病", []),
        ("I'm a mum of two with asthma", [("asthma", "user")]),
        ("I'm the bloke with coeliac disease", [("celiac disease (coeliac disease)", "user")]),
    ],
)
def test_whose_the_disease_is(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(each.text, each.subject) for each in read_safety(text)] == wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [("我爸", "父亲"), ("我爸", "我父亲"), ("丈夫", "我老公"), ("宝宝", "我家孩子"), ("my mum", "mother")],
)
def test_one_person_by_several_words(one: str, other: str) -> None:
    assert person_of(one) == person_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("我爸", "爸爸"), ("my son", "my daughter"), ("我妈", "我奶奶"), ("her brother", "my brother")]
)
def test_two_people(one: str, other: str) -> None:
    assert person_of(one) != person_of(other)


def test_who_says_so_of_one_that_is_spoken_of_goes_on_about_that_one() -> None:
    found = read_safety("I'm his daughter. He's got diabetes.", about="dad")
    assert [(each.text, each.subject) for each in found] == [("diabetes", "dad")]
