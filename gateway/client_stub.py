"""Writes `client.pyi`, the types of the client's methods, from the table of operations (`make generate`)."""

import sys
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo

from gateway.client import METHODS
from gateway.operations import Operation

STUB: Final = Path(__file__).with_suffix("").with_name("client.pyi")
_PLAIN: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}

_HEAD: Final = """# Made by `make generate` from the table of operations. Do not edit.
from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import Any, Final, Self

from pydantic import BaseModel

from gateway.operations import Operation
from memory.model import brain_calls, responses

DEFAULT_URL: Final[str]
METHODS: Final[dict[str, Operation]]

def method_name(operation: Operation) -> str: ...

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
"""


def render() -> str:
    """The whole stub."""
    text = _HEAD
    for name, async_ in (("AsyncClient", "async "), ("Client", "")):
        text += _CLASS.format(name=name, async_=async_, a="a" if async_ else "")
        if async_:
            text += "    async def post(self, path: str, body: Mapping[str, Any]) -> Any: ...\n"
        text += "".join(_method(method, operation, async_) for method, operation in METHODS.items())
    return text.replace("import Coroutine, Mapping", "import Mapping")


def _method(name: str, operation: Operation, async_: str) -> str:
    properties = operation.request.model_json_schema()["properties"]
    fields = sorted(operation.request.model_fields.items(), key=lambda item: not item[1].is_required())
    arguments = "".join(
        f"        {field}: {_type(properties, field, info, none=not operation.sends_none)},\n" for field, info in fields
    )
    response = f"{operation.response.__module__.rpartition('.')[2]}.{operation.response.__name__}"
    return f"    {async_}def {name}(\n        self,\n        *,\n{arguments}    ) -> {response}: ...\n"


def _type(properties: dict[str, Any], name: str, info: FieldInfo, *, none: bool) -> str:
    """With `none` a field that need not be there may be None, and is left out then."""
    schema = properties.get(name, {})
    choices = [choice for choice in schema.get("anyOf", [schema]) if choice.get("type") != "null"]
    plain = _PLAIN.get(choices[0].get("type", ""), "Any") if len(choices) == 1 else "Any"
    if info.is_required():
        return plain
    return f"{plain} | None = ..." if none and plain != "Any" else f"{plain} = ..."


if __name__ == "__main__":
    STUB.write_text(render(), encoding="utf-8")
    sys.stdout.write(f"{STUB.name} written\n")
