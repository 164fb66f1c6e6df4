"""JSON schemas of requests and responses as MCP clients take them: whole in themselves, without `$ref`."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from memory.errors import InvariantBroken

_REF: Final = "#/$defs/"


def self_contained(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model with every definition where it is used. Raises InvariantBroken when it holds itself."""
    schema = model.model_json_schema()
    return _mapping(_inlined(schema, schema.pop("$defs", {}), ()))


def _inlined(value: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_inlined(part, definitions, within) for part in value]
    if not isinstance(value, dict):
        return value
    name = str(value.get("$ref", "")).removeprefix(_REF)
    if not name:
        return {key: _part(key, part, definitions, within) for key, part in value.items() if not _is_title(key, part)}
    if name in within:
        raise InvariantBroken(f"the schema {name} holds itself, and an MCP tool cannot show that")
    beside = {key: part for key, part in value.items() if key != "$ref"}
    return _mapping(_inlined(definitions[name], definitions, (*within, name))) | beside


def _part(key: str, value: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    """Fields may have any name, that of a keyword too: their schemas are walked, their names are not looked at."""
    if key == "properties":
        return {name: _inlined(field, definitions, within) for name, field in value.items()}
    return _inlined(value, definitions, within)


def _is_title(key: str, value: Any) -> bool:
    """Titles only say the field's name again; a model would read them each time."""
    return key == "title" and isinstance(value, str)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvariantBroken("a schema is an object")
    return value
