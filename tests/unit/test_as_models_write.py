"""Values as models write them, and what stays as it is because it may mean several things."""

from typing import Any

import pytest

from memory.model.as_models_write import folded, mapping, number, several, stretch, text, whole
from memory.model.graph_calls import CreateMemoryRequest
from memory.model.memory import Type

PLAIN = {"user_id": "u1", "subject": "我", "memory_type": "event", "topic": "跑步"}


@pytest.mark.parametrize(
    ("read", "written", "meant"),
    [
        (number, " 0.8 ", 0.8),
        (number, ".5", 0.5),
        (number, "high", "high"),
        (whole, "2", 2),
        (whole, 10.0, 10),
        (whole, "2.5", "2.5"),
        (whole, True, True),
        (several, "event", ["event"]),
        (several, "", None),
        (several, ["", "fact"], ["fact"]),
        (several, 3, 3),
        (stretch, "昨天", {"start": "昨天", "end": "昨天"}),
        (stretch, {"start": "", "end": None}, None),
        (stretch, {"start": "昨天", "end": ""}, {"start": "昨天", "end": None}),
        (stretch, {"start": None, "until": {}}, {"start": None, "until": None}),
        (stretch, ["昨天"], ["昨天"]),
        (mapping, '{"时间": "昨天"}', {"时间": "昨天"}),
        (mapping, "", None),
        (mapping, "昨天", "昨天"),
        (mapping, "[1]", "[1]"),
        (text, 2000, "2000"),
        (text, False, "false"),
        (text, ["我", "卡尔"], "我、卡尔"),
        (text, {"who": "Carl", "verified": True}, "who: Carl, verified: true"),
        (text, {"日期": "昨天", "结束": "23:00", "备注": None}, "日期：昨天，结束：23:00"),
        (text, {"描述": "上周"}, "上周"),
        (text, {"before": "2024-01-01"}, "before: 2024-01-01"),
        (text, {"停用": "阿司匹林"}, "停用：阿司匹林"),
        (folded, " Based-On ", "based_on"),
    ],
)
def test_a_value_is_read_as_what_it_can_only_mean(read: Any, written: Any, meant: Any) -> None:
    assert read(written) == meant
    assert type(read(written)) is type(meant)


def test_what_is_nested_too_deep_is_refused_by_its_field() -> None:
    deep = {"a": {"b": {"c": {"d": {"e": 1}}}}}
    with pytest.raises(ValueError, match="attributes"):
        CreateMemoryRequest.model_validate(PLAIN | {"attributes": {"k": [deep, deep]}})


@pytest.mark.parametrize("kind", ["EVENT", " Event ", "事件", "event"])
def test_a_type_is_taken_however_it_is_written(kind: str) -> None:
    made = CreateMemoryRequest.model_validate(
        PLAIN | {"memory_type": kind, "object": "", "importance": "", "quote": " "}
    )
    assert (made.memory_type, made.object, made.importance, made.quote) == (Type.EVENT, None, 0.5, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [("memory_type", "梦"), ("importance", 7), ("importance", "high"), ("attributes", ["x"]), ("topic", "x" * 200)],
)
def test_what_is_wrong_is_refused_by_its_field(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=field):
        CreateMemoryRequest.model_validate(PLAIN | {field: value})
