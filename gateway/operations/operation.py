"""One operation, as HTTP routes, OpenAPI, Python client and command line are made from it."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from pydantic import BaseModel

from memory.model.caller import Caller

READ: Final = "read"
WRITE: Final = "write"
ERASE: Final = "erase"
ADMIN: Final = "admin"
OPERATE: Final = "operate"
SCOPES: Final = (READ, WRITE, ERASE, ADMIN, OPERATE)
_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")


class Effect(Enum):
    """What an operation may do to what is there: what a client may want to ask its user about."""

    READS = "changes nothing"
    ADDS = "adds; the same again adds again, unless an idempotency key says that it is the same"
    SETS = "takes nothing away; the same again changes nothing"
    ERASES = "may overwrite or take away what is there; the same again changes nothing"


class Answerer(Enum):
    """Whose methods answer."""

    MEMORY = "memory.service.MemoryService"
    GATEWAY = "gateway.operating.service.Operating"


Method = Callable[[Caller, Any], Awaitable[Any]]
"""What answers an operation."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its name on the wire, its models, the scope it needs.

    `by`: whose method answers. The table does not load it, for clients that live in bots are made from it too.

    `cli` is its command-line name; `example` a request that works; `zh` says in Chinese what `description` says;
    `also` is a second way to it, as (method, path): what stands in braces there, and a query string, are its fields;
    with `sends_none` a client sends a field that is None, because leaving it out would mean more.
    """

    name: str
    request: type[BaseModel]
    response: type[BaseModel]
    scope: str
    cli: str
    tag: str
    example: dict[str, Any] = field(default_factory=dict)
    effect: Effect = Effect.ADDS
    zh: str = ""
    also: tuple[str, str] | None = None
    sends_none: bool = False
    by: Answerer = Answerer.MEMORY

    @property
    def method(self) -> str:
        """The name of the method that answers it, and of a client's that calls it: `query_memory_context`."""
        return _WORD.sub("_", self.name).lower()

    @property
    def path(self) -> str:
        """The HTTP path."""
        return f"/v1/{self.name}"

    @property
    def description(self) -> str:
        """What it does: the request's docstring."""
        return (self.request.__doc__ or "").strip()
