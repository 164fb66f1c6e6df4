"""Writes docs/reference.md from the code: settings, operations, error codes, metrics (`make generate`)."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from gateway.config import explained
from gateway.http.refusals import LoginLimited, MethodNotAllowed, StreamLimited
from gateway.observe.metrics import DESCRIPTIONS
from gateway.operations import OPERATIONS, WATCHES
from memory.errors import MemoryGatewayError

REFERENCE: Final = Path(__file__).resolve().parent.parent / "docs" / "reference.md"
_HEAD: Final = """# Reference

Made from the code by `make generate`; a test holds the two together.
After `make setup`, `. .venv/bin/activate` puts the command `anamnesis` on your PATH.
"""


def render() -> str:
    """The whole page."""
    parts = (_HEAD, _table("Settings", ("setting", "default", "meaning"), settings()),
             _SETTINGS_NOTE, _table("Operations", ("operation", "scope", "command", "what it does"), operations()),
             _OPERATIONS_NOTE, _table("Watches", ("watch", "scope", "what it does"), watches()), _WATCHES_NOTE,
             _table("Error codes", ("code", "status", "meaning"), codes()),
             _table("Metrics", ("metric", "meaning"), DESCRIPTIONS.items()))  # fmt: skip
    return "\n".join(parts)


_SETTINGS_NOTE: Final = """
Precedence: `config.yaml` < the file of `--config` < environment `ANAMNESIS_<SECTION>__<KEY>` < flags. `REDIS_URL` sets
`redis.url`. An unknown key is refused by name.
"""
_OPERATIONS_NOTE: Final = """
Each is `POST /v1/<Operation>`, a method of the Python client, a command of `anamnesis` and, but for those of the scope
`operate`, an [MCP tool](mcp.md).
`admin` includes the other scopes but `operate`, which is of the whole gateway and not of a tenant. The fields stand in
the OpenAPI document (`/openapi.json`, readable at `/docs`).
"""

_WATCHES_NOTE: Final = """
Each is `GET /v1/<Watch>?<field>=<value>`, and answers with [events](decisions/0053-watches.md) until its reader leaves;
it is a method of the Python client too. An event's `id` is its revision: who comes again sends it as `Last-Event-ID`.
"""


def settings() -> Iterator[tuple[str, str, str]]:
    """Every key of config.yaml with its default and its line."""
    for line in explained.lines():
        yield f"`{line.section}.{line.key}`", f"`{line.default}`", line.why


def operations() -> Iterator[tuple[str, str, str, str]]:
    """Every operation of the table."""
    for operation in OPERATIONS:
        yield f"`{operation.name}`", operation.scope, f"`{operation.cli}`", " ".join(operation.description.split())


def watches() -> Iterator[tuple[str, str, str]]:
    """Everything that can be followed."""
    for watch in WATCHES:
        yield f"`{watch.name}`", watch.scope, " ".join(watch.description.split())


def codes() -> Iterator[tuple[str, str, str]]:
    """Every stable error code that an answer may carry."""
    kinds: list[type[MemoryGatewayError]] = [MemoryGatewayError, *_below(MemoryGatewayError)]
    known: dict[str, type[MemoryGatewayError]] = {
        kind.code: kind for kind in kinds if "code" in vars(kind) and kind.code != "setup"
    }
    known |= {error.code: error for error in (LoginLimited, MethodNotAllowed, StreamLimited)}
    for code, kind in sorted(known.items(), key=lambda item: (item[1].status, item[0])):
        yield f"`{code}`", str(kind.status), " ".join((kind.__doc__ or "").split())


def _below(kind: type[MemoryGatewayError]) -> Iterator[type[MemoryGatewayError]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)


def _table(title: str, head: tuple[str, ...], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"\n## {title}\n", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    REFERENCE.write_text(render() + "\n", encoding="utf-8")
    sys.stdout.write(f"{REFERENCE.name} written\n")
