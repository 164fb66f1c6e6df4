"""Tools are made from the table of operations: what a client is told of each."""

import json
import re
import subprocess
import sys
from typing import Any, Literal

import jsonschema_rs
import pytest
from pydantic import BaseModel

from gateway.client import METHODS
from gateway.mcp.schemas import self_contained
from gateway.mcp.tools import NAMES, smaller_page, tool_of
from gateway.operations import BY_NAME, OPERATIONS, READ, Effect, Operation
from memory.errors import InvariantBroken

EVERY_TOOL = pytest.mark.parametrize(("name", "operation"), NAMES.items(), ids=NAMES.keys())
CHINESE = re.compile("[一-鿿]")


class Inner(BaseModel):
    title: str
    kind: Literal["a", "b"] = "a"


class Outer(BaseModel):
    """Holds others."""

    inner: Inner
    many: list[Inner]
    properties: dict[str, Inner]


class Recursive(BaseModel):
    parts: "list[Recursive]"


def test_every_operation_but_those_of_the_gateway_itself_is_one_tool() -> None:
    assert {name: each for name, each in METHODS.items() if each.scope != "operate"} == NAMES
    assert len(METHODS) == len(OPERATIONS)
    assert [operation.name for operation in METHODS.values()] == [operation.name for operation in OPERATIONS]
    assert all(re.fullmatch("[a-z_]{1,64}", name) for name in METHODS), "what every client takes as a name"


@EVERY_TOOL
def test_tool_is_described_in_both_languages(name: str, operation: Operation) -> None:
    english, _, chinese = (tool_of(name, operation).description or "").partition("\n\n" + operation.zh[:4])
    assert re.search("[a-z]{3}", english), "beside the request"
    assert not CHINESE.search(english)
    assert CHINESE.search(operation.zh), "in the table"
    assert chinese


@EVERY_TOOL
def test_tool_says_what_it_may_do(name: str, operation: Operation) -> None:
    hints = tool_of(name, operation).annotations
    assert hints is not None
    assert hints.read_only_hint is (operation.effect is Effect.READS)
    assert hints.open_world_hint is False
    assert not (hints.read_only_hint and hints.destructive_hint)
    if operation.scope == READ:
        assert hints.read_only_hint, "what needs no scope to write does not write"
    if "idempotency_key" in operation.request.model_fields and operation.effect is not Effect.ERASES:
        assert not hints.idempotent_hint, "what has a key against repetition is not idempotent without it"


def test_tool_that_forgets_is_destructive() -> None:
    hints = tool_of("forget_memory", BY_NAME["ForgetMemory"]).annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, True, True)


@EVERY_TOOL
def test_schemas_are_whole_and_take_their_example(name: str, operation: Operation) -> None:
    tool = tool_of(name, operation)
    for schema in (tool.input_schema, tool.output_schema or {}):
        assert schema["type"] == "object"
        assert "$ref" not in json.dumps(schema)
        jsonschema_rs.meta.validate(schema)
    assert set(tool.input_schema["properties"]) == set(operation.request.model_json_schema()["properties"])
    assert tool.input_schema["examples"] == [operation.example]
    jsonschema_rs.Draft202012Validator(tool.input_schema).validate(operation.example)


def test_schema_keeps_fields_that_are_named_like_keywords() -> None:
    schema = self_contained(Outer)
    inner = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "kind": {"default": "a", "enum": ["a", "b"], "type": "string"}},
        "required": ["title"],
    }
    assert schema["properties"]["inner"] == inner
    assert schema["properties"]["many"]["items"] == inner
    assert schema["properties"]["properties"]["additionalProperties"] == inner


def test_schema_that_holds_itself_is_refused() -> None:
    with pytest.raises(InvariantBroken, match="Recursive"):
        self_contained(Recursive)


@pytest.mark.parametrize(
    ("operation", "found", "excess", "limit"),
    [("ListMemories", 100, 2.0, 50), ("ListMemories", 100, 1.001, 99), ("SearchMemories", 10, 50.0, 1)],
)
def test_page_that_is_too_long_is_asked_for_in_less(operation: str, found: int, excess: float, limit: int) -> None:
    answer: dict[str, Any] = {"items": [{}] * found, "cursor": "c"}
    smaller = smaller_page(BY_NAME[operation], {"user_id": "u"}, answer, excess)
    assert smaller == {"user_id": "u", "limit": limit}


def test_page_of_one_and_what_has_no_pages_are_not_asked_for_again() -> None:
    assert smaller_page(BY_NAME["ListMemories"], {}, {"items": [{}]}, 2.0) is None
    assert smaller_page(BY_NAME["GetSession"], {}, {"items": [{}] * 9}, 2.0) is None


def test_sdk_is_not_loaded_by_the_start_of_a_gateway() -> None:
    loaded = "import gateway.cli, gateway.wiring.composition, sys"
    program = f"{loaded}; sys.exit(sum(m in sys.modules for m in ('mcp', 'mcp_types')))"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
