"""What labels come to: names of one thing, days, times and amounts in one form, word order, small words."""

from collections import Counter

import pytest

from memory.clinical.languages import in_use
from memory.graph.amounts import in_figures
from memory.graph.created import normal
from memory.graph.everyday import Things, things
from memory.graph.gist import come_to_one, gists
from memory.graph.identity import Classes
from memory.graph.likeness import Verdict, alike
from memory.graph.wording import plain_of
from memory.language.words import listed
from tests.growth import assert_grows


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("14 Feb 2022", "2022-2-14"),
        ("2022-02-14", "2022-2-14"),
        ("February 14th, 2022", "2022-2-14"),
        ("2024年3月5日", "2024-3-5"),
        ("三月五号", "3-5"),
        ("下午三点半", "15:30"),
        ("half past six in the evening", "18:30"),
        ("6.30 pm", "6.30 pm"),
        ("a quarter to 4pm", "15:45"),
        ("noon", "noon"),
        ("1,500 ml", "1500ml"),
        ("1.5 litres", "1500ml"),
        ("120斤", "60000000mg"),
        ("60公斤", "60000000mg"),
        ("一个半小时", "90min"),
        ("half an hour", "30min"),
        ("a fortnight", "14d"),
        ("ninety-first", "91st"),
        ("夜里2点", "2:00"),
        ("晚上8点", "20:00"),
        ("晚上12点", "0:00"),
        ("中午1点", "13:00"),
        ("三百一件", "三百一件"),
        ("一斤二两", "600000mg"),
        ("三十六块五", "36.5元"),
        ("二〇二四年三月", "2024-3"),
        ("2024-03", "2024-3"),
        ("Mar. 2024", "2024-3"),
        ("quarter to seven in the morning", "6:45"),
        ("5两", "250000mg"),
    ],
)
def test_days_times_and_amounts_have_one_form(said: str, form: str) -> None:
    text = in_figures(plain_of(said)).replace("a  ", "").strip()
    assert text == form


ONE = [
    ("农历腊月廿三", "农历十二月二十三"),
    ("tyre pressure warning light", "tire-pressure warning light"),
    ("土豆", "马铃薯"),
    ("拔智齿", "智齿拔除术"),
    ("nosebleeds", "epistaxis"),
    ("cell phone charger", "mobile phone charger"),
    ("trouble sleeping at night", "difficulty sleeping at night"),
    ("对碘造影剂过敏", "碘造影剂过敏"),
    ("膝盖疼", "膝关节疼痛"),
    ("physio two times per week", "physio twice a week"),
    ("散步(晚饭后)", "晚饭后散步"),
    ("parent-teacher association meeting", "PTA meeting"),
    ("air conditioning repair", "AC repair"),
    ("swede (vegetable)", "rutabaga"),
    ("妈妈的生日", "母亲生日"),
    ("下午三点半吃药", "15:30吃药"),
]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_names_of_one_thing_are_suggested(one: str, other: str) -> None:
    assert come_to_one(one, other)
    assert come_to_one(other, one)
    assert alike(one, other).verdict is alike(other, one).verdict is Verdict.MAYBE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bat (cricket)", "bat (animal)"),
        ("Dr. Allan", "Dr. Allen"),
        ("letter to Mom", "letter from Mom"),
        ("has not signed a form", "has signed a form"),
        ("90分钟", "90天"),
        ("2 mg metformin", "5 mg metformin"),
        ("蜂蜜", "蜜蜂"),
        ("我姐姐的房子", "我妹妹的房子"),
        ("a metre of rope", "a mile of rope"),
        ("", "的"),
        ("HBsAg(+)", "HBsAg(-)"),
        ("fever >38", "fever <38"),
        ("-5度", "5度"),
        ("15号复诊", "15天复诊"),
        ("third dose of the vaccine", "three doses of the vaccine"),
        ("bus pass", "business pass"),
        ("US visa", "visa"),
        ("复诊(第二次)", "复诊"),
        ("cancer (ruled out)", "cancer"),
        ("牛奶", "奶牛"),
        ("孫子的生日", "孫女的生日"),
        ("夜里2点吃药", "下午2点吃药"),
    ],
)
def test_what_looks_like_it_is_not(one: str, other: str) -> None:
    assert alike(one, other).verdict is Verdict.NO


def test_a_sentence_is_not_compared_so() -> None:
    said = "yesterday morning uncle Henry drove seventeen crates of mixed vegetables past nine villages"
    assert gists(said) == frozenset()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_name_stands_in_one_line_and_no_line_has_one_alone(language: str) -> None:
    lines = [line.split("\t") for line in listed(language, "same_things")]
    often = Counter(name.casefold() for line in lines for name in line)
    assert [line for line in lines if len(line) < 2] == []
    assert [name for name, times in often.items() if times > 1] == []


def test_names_of_both_languages_join_where_they_share_one() -> None:
    lines = {
        "zh": [["心电图", "electrocardiogram"], ["加元", "CAD"]],
        "en": [["ECG", "electrocardiogram"], ["CAD", "heart"]],
    }
    known = Things(lines, in_use().lexicon)
    assert len({known.named([name])[0].thing for name in ("ecg", "electrocardiogram")}) == 1
    assert known.named(["cad"])[0].thing == known.named(["heart"])[0].thing
    assert known.named(["cad"])[0].thing != known.named(["加", "元"])[0].thing
    assert known.named(["florb"]) == [("florb", 0, 1)]
    assert things() is things()


def test_a_suggestion_outlives_the_guard_that_it_is_offered_behind() -> None:
    now = Classes(())
    assert [pair for pair in ONE if not now.may_be_one(frozenset(map(normal, pair)))] == []


def test_amounts_of_any_length_are_read() -> None:
    assert gists("9" * 40 + "斤2两")
    assert gists("9" * 400 + "斤2两") == frozenset()
    assert in_figures("9" * 400 + "斤2两")


@pytest.mark.parametrize("said", ["1 ", "斤2两", "half past ", "三点", "an hour and a "])
def test_amounts_are_read_in_time_that_grows_with_their_length(said: str) -> None:
    assert_grows(in_figures, lambda size: said * size, 12_000)
