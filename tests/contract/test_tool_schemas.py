"""Tools by which a model builds memory: their schemas are valid, strict where that is asked for, and say the same."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest

from memory.graph.tools import forms
from tests.inprocess import World

LOCALES = pytest.mark.parametrize("locale", ["zh", "en"])
KNOWN_TO_STRICT = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "description", "minimum", "maximum",
    "maxItems", "minItems", "pattern",
}  # fmt: skip


def openai(locale: str) -> dict[str, Any]:
    return {each["function"]["name"]: each["function"]["parameters"] for each in forms.openai(locale)}


def strict(locale: str) -> dict[str, Any]:
    return {each["function"]["name"]: each["function"]["parameters"] for each in forms.openai_strict(locale)}


def mcp(locale: str) -> dict[str, Any]:
    return {each["name"]: each["inputSchema"] for each in forms.mcp(locale)}


def objects(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and all that stand in it."""
    yield schema
    for each in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else ())):
        yield from objects(each)


@LOCALES
@pytest.mark.parametrize("form", [openai, strict, mcp])
def test_schemas_are_schemas(form: Callable[[str], dict[str, Any]], locale: str) -> None:
    for schema in form(locale).values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema)


@LOCALES
def test_strict_schemas_require_all_and_let_nothing_else_in(locale: str) -> None:
    for function in forms.openai_strict(locale):
        assert function["function"]["strict"] is True
        for schema in objects(function["function"]["parameters"]):
            assert schema.keys() <= KNOWN_TO_STRICT
            if "properties" in schema:
                assert schema["additionalProperties"] is False
                assert set(schema["required"]) == schema["properties"].keys()


@LOCALES
def test_the_forms_have_the_same_tools_and_fields(locale: str) -> None:
    plain = {name: schema["properties"].keys() for name, schema in openai(locale).items()}
    assert {name: schema["properties"].keys() for name, schema in strict(locale).items()} == plain
    ids = {"user_id", "conversation_id"}
    assert {name: schema["properties"].keys() - ids for name, schema in mcp(locale).items()} == plain
    assert all("user_id" in schema["required"] for schema in mcp(locale).values())
    other = openai("en" if locale == "zh" else "zh")
    assert {name: schema["properties"].keys() for name, schema in other.items()} == plain


@LOCALES
async def test_a_strict_call_with_nothing_but_what_it_must_say_is_taken(here: World, locale: str) -> None:
    """Null stands for what a model leaves out."""
    schemas = strict(locale)
    kind = schemas["create_memory"]["properties"]["memory_type"]["enum"][0]
    said = {"subject": "user", "memory_type": kind, "topic": "失眠", "attributes": None}
    more = {"time": None, "place": None, "reason": None, "manner": None, "more": [{"key": "mood", "value": "low"}]}
    made = []
    for call in (said, said | {"topic": "头痛", "attributes": whole(schemas["create_memory"], more)}):
        body = dict.fromkeys(schemas["create_memory"]["properties"]) | call
        jsonschema_rs.Draft202012Validator(schemas["create_memory"]).validate(body)
        made.append(await here.call("CreateMemory", user_id="u1", **body))
    assert "low" in str(made[1]["memory"]["attributes"])
    relation = schemas["link_memories"]["properties"]["relation_type"]["enum"][0]
    ends = {"source_memory_description": "失眠", "target_memory_description": "头痛", "relation_type": relation}
    body = dict.fromkeys(schemas["link_memories"]["properties"]) | ends
    jsonschema_rs.Draft202012Validator(schemas["link_memories"]).validate(body)
    link = await here.call("LinkMemories", user_id="u1", **body)
    assert [link["source_memory_id"], link["target_memory_id"]] == [each["memory_id"] for each in made]


def whole(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes as this language names them, in their order."""
    names = schema["properties"]["attributes"]["properties"]
    return dict(zip(names, given.values(), strict=True))
