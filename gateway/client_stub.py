"""Writes `client.pyi`, the types of the client's methods, from the table of operations (`make generate`)."""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo

from gateway.client import METHODS, WATCHING
from gateway.operations import Operation

STUB: Final = Path(__file__).with_suffix("").with_name("client.pyi")
_PLAIN: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "Mapping[str, Any]",
}
_WIDTH: Final = 120

_HEAD: Final = """# Made by `make generate` from the table of operations. Do not edit.
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Literal, Self

from pydantic import BaseModel

from gateway.operating import operating_calls
from gateway.operations import Operation
from memory.model import (
    audit_calls,
    batch_calls,
    brain_calls,
    conversation_calls,
    curation_calls,
    erasure_calls,
    graph_calls,
    graph_view_calls,
    memory_calls,
    memunit_calls,
    responses,
    stats_calls,
    transfer_calls,
    user_calls,
)

DEFAULT_URL: Final[str]
METHODS: Final[dict[str, Operation]]
WATCHING: Final[dict[str, Operation]]


class ProblemError(Exception):
    status: int
    code: str
    problem: Mapping[str, Any]
    retry_after_s: int | None
    def __init__(self, status: int, problem: Mapping[str, Any], retry_after_s: int | None) -> None: ...
"""

_CLASS: Final = """
class {name}:
    def __init__(self, url: str = ..., api_key: str | None = ..., timeout_s: float = ...) -> None: ...
    {async_}def __{a}enter__(self) -> Self: ...
    {async_}def __{a}exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    {async_}def close(self) -> None: ...
    {async_}def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel: ...
    def watch(self, watch: Operation, fields: Mapping[str, Any]) -> {stream}: ...
"""


def render() -> str:
    """The whole stub."""
    text = _HEAD
    for name, async_ in (("AsyncClient", "async "), ("Client", "")):
        stream = "AsyncGenerator[{}]" if async_ else "Iterator[{}]"
        text += _CLASS.format(name=name, async_=async_, a="a" if async_ else "", stream=stream.format("BaseModel"))
        if async_:
            text += "    async def post(self, path: str, body: Mapping[str, Any]) -> Any: ...\n"
        text += "".join(_method(method, operation, async_, "{}") for method, operation in METHODS.items())
        text += "".join(_method(method, watch, "", stream) for method, watch in WATCHING.items())
    return text.replace("\n\n\n", "\n\n").rstrip() + "\n"


def _method(name: str, operation: Operation, async_: str, given: str) -> str:
    """`given`: the type of what it returns, around that of a response."""
    schema = operation.request.model_json_schema(by_alias=False)
    fields = sorted(operation.request.model_fields.items(), key=lambda item: not item[1].is_required())
    arguments = "".join(
        _line(f"{field}: {_argument(schema, field, info, none=not operation.sends_none)},") for field, info in fields
    )
    response = given.format(f"{operation.response.__module__.rpartition('.')[2]}.{operation.response.__name__}")
    said = "".join(f"            {line}\n" for field, info in fields for line in _described(field, info))
    docstring = f'        """{_wrapped(operation.description)}\n\n        Args:\n{said}        """\n'
    return f"    {async_}def {name}(\n        self,\n        *,\n{arguments}    ) -> {response}:\n{docstring}\n"


def _line(argument: str) -> str:
    """An argument, on two lines where it is too long for one."""
    indent = " " * 8
    if len(indent + argument) <= _WIDTH:
        return f"{indent}{argument}\n"
    given, _, default = argument.rpartition(" | ")
    return f"{indent}{given}\n{indent}| {default}\n"


def _described(field: str, info: FieldInfo) -> list[str]:
    return textwrap.wrap(f"{field}: {info.description}", _WIDTH - 12, subsequent_indent="    ")


def _wrapped(text: str) -> str:
    """A docstring's text, indented as a method's."""
    parts = [textwrap.fill(" ".join(part.split()), _WIDTH - 11) for part in text.split("\n\n")]
    return textwrap.indent("\n\n".join(parts), " " * 8).strip()


def _argument(schema: dict[str, Any], name: str, info: FieldInfo, *, none: bool) -> str:
    """With `none` a field that need not be there may be None, and is left out then."""
    given = _type(schema["properties"][name], schema.get("$defs", {}))
    if info.is_required():
        return given
    return f"{given} | None = ..." if none and given != "Any" else f"{given} = ..."


def _type(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """The Python type of what may be sent for a schema; null, which is said by leaving it out, is none of it."""
    schema = definitions.get(schema.get("$ref", "").rpartition("/")[2], schema)
    choices = [choice for choice in schema.get("anyOf", []) if choice.get("type") != "null"]
    if choices:
        return _type(choices[0], definitions) if len(choices) == 1 else "Any"
    if "enum" in schema:
        names = [value for value in schema["enum"] if str(value).isascii()]  # the wire knows Chinese ones beside them
        return f"Literal[{', '.join(map(json.dumps, names))}]"
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if schema.get("type") == "array":
        return f"Sequence[{_type(schema.get('items', {}), definitions)}]"
    return _PLAIN.get(schema.get("type", ""), "Any")


if __name__ == "__main__":
    STUB.write_text(render(), encoding="utf-8")
    sys.stdout.write(f"{STUB.name} written\n")
