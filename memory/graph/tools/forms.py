"""The tools by which a model builds memory, in the forms that models take. Schemas and prompts are files here."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

OPERATIONS: Final = MappingProxyType(
    {
        "create_memory": "CreateMemory",
        "link_memories": "LinkMemories",
        "search_memories": "SearchMemories",
        "update_memory_importance": "UpdateMemory",
    }
)
"""Which operation runs a call, by the name of the tool."""
_IDS: Final = {
    "user_id": {"type": "string", "pattern": "^[A-Za-z0-9_.:@-]{1,128}$"},
    "conversation_id": {"type": "string", "pattern": "^[A-Za-z0-9_.:@-]{1,128}$"},
}
_OF_CONVERSATIONS: Final = frozenset({"create_memory"})
_NOT_STRICT: Final = frozenset({"default", "minLength", "maxLength", "maxProperties"})
"""What strict mode does not know; the wire checks it all the same."""
_MORE: Final = {"zh": "其他信息，每条一个键和一个值", "en": "What else is said of it, each with a key"}


@cache
def plain(locale: str) -> tuple[Mapping[str, Any], ...]:
    """Name, description and parameters of each tool, in zh or en."""
    return tuple(json.loads(_file(f"{locale}.json")))


@cache
def prompt(locale: str) -> str:
    """The system prompt that says when to use which tool, with examples."""
    return _file(f"{locale}.md")


def openai(locale: str) -> list[dict[str, Any]]:
    """Functions as OpenAI-compatible endpoints take them."""
    return [{"type": "function", "function": dict(tool)} for tool in plain(locale)]


def openai_strict(locale: str) -> list[dict[str, Any]]:
    """The same for strict mode: every property is required, null stands for one left out, and no map is free."""
    return [
        {
            "type": "function",
            "function": {**tool, "strict": True, "parameters": _strict(tool["parameters"], locale)},
        }
        for tool in plain(locale)
    ]


def mcp(locale: str) -> list[dict[str, Any]]:
    """Tools as MCP lists them; whose memory it is, is an argument there."""
    found = []
    for tool in plain(locale):
        names = ["user_id", *(["conversation_id"] if tool["name"] in _OF_CONVERSATIONS else [])]
        schema = tool["parameters"]
        properties = {name: _IDS[name] for name in names} | schema["properties"]
        whole = schema | {"required": ["user_id", *schema["required"]], "properties": properties}
        found.append({"name": tool["name"], "description": tool["description"], "inputSchema": whole})
    return found


def _strict(schema: Mapping[str, Any], locale: str) -> dict[str, Any]:
    bare = {key: value for key, value in schema.items() if key not in _NOT_STRICT}
    if schema["type"] == "array":
        return bare | {"items": _strict(schema["items"], locale)}
    if schema["type"] != "object":
        return bare
    properties = dict(schema["properties"])
    if isinstance(schema.get("additionalProperties"), Mapping):
        properties["more"] = _pairs(locale)
    required = schema.get("required", ())
    made = {
        name: _strict(each, locale) if name in required else _or_null(_strict(each, locale))
        for name, each in properties.items()
    }
    return bare | {"additionalProperties": False, "required": list(made), "properties": made}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    allowed = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return schema | {"type": [schema["type"], "null"]} | allowed


def _pairs(locale: str) -> dict[str, Any]:
    """A list of keys and values, for a map of any keys."""
    text = {"type": "string"}
    pair = {
        "type": "object",
        "additionalProperties": False,
        "required": ["key", "value"],
        "properties": {"key": text, "value": text},
    }
    return {"type": "array", "items": pair, "description": _MORE[locale]}


def _file(name: str) -> str:
    return resources.files("memory.graph.tools").joinpath(name).read_text(encoding="utf-8")
