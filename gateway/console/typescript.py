"""Writes what the console takes from the code (`make generate`): the types of the wire, and the names of predicates."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from gateway.openapi import document
from memory.model.predicates import PREDICATES
from memory.session.safety import GUARDED

FOLDER: Final = Path(__file__).parents[2] / "console" / "src" / "api"
_HEAD: Final = "// Made by `make generate` from the code. Do not edit.\n\n"
_JSON: Final = "application/json"
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def files() -> dict[str, str]:
    """The files, by name."""
    return {"operations.ts": _operations(), "predicates.ts": _predicates()}


def _predicates() -> str:
    """What a profile calls each predicate, English and Chinese; and those on which safety rests, and names."""
    rows = "".join(
        f"  {name}: {json.dumps([row.label['en'], row.label['zh']], ensure_ascii=False)},\n"
        for name, row in PREDICATES.items()
    )
    guarded = "".join(f"  {json.dumps(name)},\n" for name in GUARDED)
    names = f"export const PREDICATES: Record<string, [string, string]> = {{\n{rows}}}\n"
    return f"{_HEAD}{names}\nexport const GUARDED: readonly string[] = [\n{guarded}]\n"


def _operations() -> str:
    """A type for every schema, and one that names the request and answer of every operation."""
    told = document()
    types = "".join(_type(name, schema) for name, schema in sorted(told["components"]["schemas"].items()))
    lines = "".join(
        _operation(path.removeprefix("/v1/"), ways["post"])
        for path, ways in told["paths"].items()
        if _is_ours(path, ways)
    )
    return f"{_HEAD}{types}export interface Operations {{\n{lines}}}\n"


def _is_ours(path: str, ways: dict[str, Any]) -> bool:
    """Whether it is the first way to an operation."""
    return path.removeprefix("/v1/").isalpha() and _JSON in ways.get("post", {}).get("requestBody", {}).get(
        "content", {}
    )


def _operation(name: str, way: dict[str, Any]) -> str:
    asked = way["requestBody"]["content"][_JSON]["schema"]
    found = way["responses"]["200"]["content"][_JSON]["schema"]
    return f"  {name}: {{ request: {_of(asked)}; response: {_of(found)} }}\n"


def _type(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_of(schema)}\n\n"
    needed = set(schema.get("required", []))
    lines = "".join(
        f"  {field}{'' if field in needed else '?'}: {_of(kind)}\n" for field, kind in schema["properties"].items()
    )
    return f"export interface {name} {{\n{lines}}}\n\n"


def _of(schema: dict[str, Any]) -> str:
    """The type of a schema; what has no narrower one is `unknown`."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema.get("enum", [schema.get("const")]))
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(map(_of, choices)))
    if schema.get("type") == "array":
        return f"Array<{_of(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_of(values) if isinstance(values, dict) else 'unknown'}>"
    return _PLAIN.get(schema.get("type", ""), "unknown")


if __name__ == "__main__":
    for file, text in files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
        sys.stdout.write(f"{file} written\n")
