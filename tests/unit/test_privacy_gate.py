"""The privacy gate on own sentences.

privacy_zh and privacy_en (100 each, half triage, half companion) were written before the rules; the first run of
the rules gave F1 1.000 in both languages. The author of the sentences wrote the rules, so these sets show that the
rules do what they say. The second sets (60 each) were written afterwards: first run zh .949, en .933; then the
rules were mended from the seven errors, so neither set is independent any more.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.privacy.gate.decision import classify
from tests.growth import assert_grows

FIXTURES = Path(__file__).parents[1] / "fixtures"


def sentences(name):
    return [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def f1_of(rows):
    pairs = [(row["label"] == "PRIVATE", classify(row["text"]).label == "PRIVATE") for row in rows]
    right = sum(wanted and got for wanted, got in pairs)
    wrong = sum(wanted != got for wanted, got in pairs)
    return 2 * right / (2 * right + wrong)


@pytest.mark.parametrize("name", ["privacy_zh", "privacy_en"])
def test_gate_frozen_sentences_keep_their_label(name):
    rows = sentences(name)
    assert len(rows) == 100
    assert f1_of(rows) >= 0.97


@pytest.mark.parametrize("name", ["privacy_second_zh", "privacy_second_en"])
def test_gate_second_sentences_mostly_keep_their_label(name):
    rows = sentences(name)
    assert len(rows) == 60
    assert f1_of(rows) >= 0.93


@pytest.mark.parametrize(
    ("text", "label", "rule"),
    [
        ("北京是中国的首都。", "PUBLIC", "general"),
        ("好的，谢谢医生！", "PUBLIC", "courtesy"),
        ("帮我写一首诗", "PUBLIC", "command"),
        ("高血压是怎么引起的？", "PUBLIC", "question"),
        ("为什么我会得中度脂肪肝？", "PRIVATE", "question-with-finding"),
        ("今天早晨", "PRIVATE", "time"),
        ("提醒我明天吃药", "PRIVATE", "remember"),
        ("联系我：a.b@example.org", "PRIVATE", "identifier"),
        ("证件号11010519491231002X", "PRIVATE", "identifier"),
        ("Thanks a lot, doctor!", "PUBLIC", "courtesy"),
        ("Tell me a joke.", "PUBLIC", "command"),
        ("Is the flu contagious?", "PUBLIC", "question"),
        ("Why do I have fatty liver?", "PRIVATE", "question-with-finding"),
        ("About two weeks now.", "PRIVATE", "time"),
        ("I have a cat.", "PRIVATE", "self"),
        ("", "PUBLIC", "nothing"),
        ("。。。", "PUBLIC", "courtesy"),
    ],
)
def test_gate_kind_of_text_names_label_and_rule(text, label, rule):
    verdict = classify(text)
    assert verdict.label == label
    assert verdict.reason.split(":")[0] == rule


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("谢谢医生，我对头孢过敏，能吃什么药？", "我对头孢过敏"),
        ("Thanks. My mother has asthma, what helps?", "My mother has asthma"),
    ],
)
def test_gate_fact_beside_courtesy_and_question_decides_by_its_clause(text, clause):
    assert classify(text).reason.endswith(f": {clause}")


@given(st.text(max_size=200) | st.text(alphabet=st.sampled_from("我你好的了吗？，。疼 aI'm.,?1@"), max_size=200))
def test_gate_any_text_yields_a_verdict_twice_the_same(text):
    verdict = classify(text)
    assert verdict.label in {"PRIVATE", "PUBLIC"}
    assert verdict == classify(text)


@pytest.mark.parametrize(
    "unit",
    [
        "好的",
        "嗯",
        "well ",
        "我",
        "帮我",
        "a",
        "1",
        "1 2",
        "a@",
        "两天",
        "about ",
        "hi, ",
        "吗？",
        "\n",
        "@.",
        "今天的",
        "and ",
    ],
)
def test_gate_takes_time_linear_in_the_length_of_a_text(unit):
    assert_grows(classify, lambda chars: (unit * chars)[:chars] + "x", 20_000)
