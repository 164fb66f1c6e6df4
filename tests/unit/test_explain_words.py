"""Reasons in two languages: the same ones, and in Chinese no English is left but ids and what was said."""

import re
from dataclasses import replace

import pytest

from memory.model.memory import Kind, Memory, Source
from memory.model.responses import TurnMessage
from memory.service.explain_words import not_yet, what_became, why_it_is

MEMORY = Memory(
    memory_id="m1", user_id="u", kind=Kind.FACT, category="fact", type="fact", text="我对青霉素过敏",
    source=Source("c", "unit", (2, 3), "我对青霉素过敏"), occurred_ms=1, recorded_ms=1, mind="rules",
)  # fmt: skip
EACH = [
    MEMORY,
    replace(MEMORY, kind=Kind.PROFILE),
    replace(MEMORY, mind="caller", source=Source("", "", (), "")),
    replace(MEMORY, mind="tool"),
    replace(MEMORY, superseded_by="m2", accesses=2, strength=1.6, shown=3),
]
LATIN = re.compile(r"[A-Za-z]{2,}")
MESSAGE = TurnMessage.model_construct(content="我的电话是[mobile]，[mobile]也行")


@pytest.mark.parametrize("memory", EACH, ids=["read", "profile", "told", "tool", "used"])
def test_a_memory_has_as_many_reasons_in_each_language(memory: Memory) -> None:
    english, chinese = why_it_is(memory, "en"), why_it_is(memory, "zh")
    assert len(english) == len(chinese) >= 1
    assert not LATIN.findall(" ".join(chinese).replace("m2", ""))


@pytest.mark.parametrize(
    ("skipped", "told"),
    [
        ("public: courtesy: 谢谢", "与个人无关：是寒暄：谢谢"),
        ("public: general: he said: question", "与个人无关：是常识：he said: question"),
        ("public: question: 几点了", "与个人无关：是提问：几点了"),
        (
            "nothing that a rule recognises: kept as part of its episode only",
            "规则没有识别出内容：只作为片段的一部分保留",
        ),
        ("not stored: unresolved", "未存储：指的是谁不清楚"),
        ("public: a-rule-of-tomorrow: x", "与个人无关：a-rule-of-tomorrow：x"),
    ],
)
def test_what_a_rule_says_of_a_message_is_said_in_chinese(skipped: str, told: str) -> None:
    assert what_became([], skipped, [], "en") == [skipped]
    assert what_became([], skipped, [], "zh") == [told]


def test_what_became_of_a_message_is_said_in_each_language() -> None:
    assert what_became([], "", [], "zh") == ["这条消息除了在对话记录中的位置，没有留下任何内容"]
    assert what_became([MEMORY], "", [MESSAGE], "zh") == ["事实：m1，由规则得出", "存储之前替换了身份信息：2 mobile"]
    assert what_became([MEMORY], "", [MESSAGE], "en") == [
        "fact: m1 by rules",
        "identifiers were replaced before it was stored: 2 mobile",
    ]
    assert not LATIN.findall(not_yet("zh"))
