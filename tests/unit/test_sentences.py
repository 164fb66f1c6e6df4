import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.sentences import normalise, split_sentences


def texts(source):
    return [sentence.text for sentence in split_sentences(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("头痛三天。对青霉素过敏！怎么办？", ["头痛三天。", "对青霉素过敏！", "怎么办？"]),
        ("先休息；再复查;好吗", ["先休息；", "再复查;", "好吗"]),
        ("第一行\n第二行\r\n\n第三行", ["第一行", "第二行", "第三行"]),
        ("It hurts. Really? Yes!", ["It hurts.", "Really?", "Yes!"]),
        ("真的？！好的……吧", ["真的？！", "好的……吧"]),
        ("他说：“很疼。”然后走了。", ["他说：“很疼。”", "然后走了。"]),
        ("头痛三天.对青霉素过敏.", ["头痛三天.", "对青霉素过敏."]),
    ],
)
def test_split_text_with_sentence_ends_cuts_after_each(source, expected):
    assert texts(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "体温38.5度",
        "Take 3.5 mg of it",
        "Dr. Chen sees you",
        "e.g. after food",
        "See No. 5 on the list",
        "Write to chen@example.com now",
        "1. 川味火锅",
        "J. Smith called",
    ],
)
def test_split_full_stop_in_number_or_abbreviation_stays_whole(source):
    assert texts(source) == [source]


def test_split_abbreviation_before_a_capital_ends_the_sentence():
    assert texts("At 3 p.m. I ate. Do you smoke? No. I quit.") == [
        "At 3 p.m.",
        "I ate.",
        "Do you smoke?",
        "No.",
        "I quit.",
    ]


@pytest.mark.parametrize("source", ["", "  \n ", "。。。", "?!", "——"])
def test_split_text_without_words_yields_nothing(source):
    assert split_sentences(source) == []


@given(st.text(alphabet=st.sampled_from("头痛ab1 .。？!;；\n\r”)、:，"), max_size=80))
def test_split_any_text_yields_exact_ordered_slices_and_loses_no_word(source):
    end = 0
    for sentence in split_sentences(source):
        assert sentence.start >= end
        assert source[sentence.start : sentence.end] == sentence.text == sentence.text.strip()
        end = sentence.end
    words = [char for char in source if char.isalnum()]
    assert [char for sentence in texts(source) for char in sentence if char.isalnum()] == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Allergic to Penicillin!", "allergic to penicillin"),
        ("体温３８．５度。", "体温38.5度"),
        ("头痛 三天", "头痛，三天。"),
        ("- 头痛三天", "2. 头痛三天"),
    ],
)
def test_normalise_same_statement_in_another_dress_is_equal(one, other):
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("体温38.5", "体温3.85"), ("血压120/80", "血压12080"), ("阳性(+)", "阳性(-)"), ("3-5天", "35天")],
)
def test_normalise_different_values_stay_different(one, other):
    assert normalise(one) != normalise(other)
