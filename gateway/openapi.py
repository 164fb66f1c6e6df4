"""The OpenAPI 3.1 document, made from the table of operations."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from gateway.http.events import MEDIA
from gateway.operations import OPERATIONS, WATCHES, Operation
from memory.limits import BODY_BYTES_MAX

_REF: Final = "#/components/schemas/{model}"
_STATUSES: Final = {
    "400": "Not JSON, not the schema, or over a limit: nothing was changed",
    "401": "No API key, or one that is not known",
    "403": "The API key lacks the scope; or there are no keys, and another site's page or name was used",
    "404": "Does not exist, or is not yours",
    "405": "Only POST",
    "408": "The body came too slowly",
    "409": "Conflict: if_rev, idempotency key, or another user's conversation",
    "413": f"The body is larger than {BODY_BYTES_MAX} bytes",
    "415": "The body is not uncompressed JSON",
    "429": "As many requests of this caller are worked on as its share allows; see Retry-After",
    "503": "Temporarily unavailable; see Retry-After",
}

_TOO_MANY_STREAMS: Final = "As many streams are open, or requests of this caller worked on, as may be; see Retry-After"


class ProblemField(BaseModel):
    """A field that is to blame."""

    field: str = Field(description="Its name, with the place of a part: `messages.0.role`.")
    message: str = Field(description="What is wrong with it, as a sentence.")


class Problem(BaseModel):
    """A problem document (RFC 9457). `code` is stable."""

    type: str = Field(description="A URI of this kind of problem.")
    title: str = Field(description="The kind of problem in words.")
    status: int = Field(description="The HTTP status again.")
    detail: str = Field(description="What is the matter this time.")
    code: str = Field(description="The kind of problem for programs; never renamed.")
    errors: list[ProblemField] = Field(default_factory=list, description="The fields that are to blame, if any.")


class Health(BaseModel):
    """State of the gateway and its components: `ok`, `degraded` or `down`, with the reason."""

    status: str = Field(description="ok, degraded (serving, with something missing) or down.")
    version: str = Field(description="Of this program.")
    components: dict[str, dict[str, Any]] = Field(description="Each part's `status`, and the reason when it is not ok.")


def program_version() -> str:
    """The installed version."""
    try:
        return version("anamnesis-gateway")
    except PackageNotFoundError:
        return "0"


@cache
def document() -> dict[str, Any]:
    """Compose the document once.

    Responses are described as a client may validate them: what a sparse one leaves out when it serialises itself is
    optional there, while its own serialiser only promises "an object".
    """
    models = [(model, "validation") for op in (*OPERATIONS, *WATCHES) for model in (op.request, op.response)]
    models += [(Problem, "serialization"), (Health, "serialization")]
    refs, schema = models_json_schema(models, ref_template=_REF)  # type: ignore[arg-type]
    named = {(model, mode): ref for (model, mode), ref in refs.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Anamnesis",
            "version": program_version(),
            "description": (
                "A memory gateway for multi-agent bots. Call `QueryMemoryContext` before your model and "
                "`WriteTurn` after it.\n\n"
                "多智能体对话机器人的记忆网关：调用模型之前 `QueryMemoryContext`，之后 `WriteTurn`。"
            ),
        },
        "tags": [{"name": name} for name in dict.fromkeys(op.tag for op in OPERATIONS)] + [{"name": "Gateway"}],
        "security": [{"bearer": []}],
        "paths": {
            **{op.path: {"post": _operation(op, named)} for op in OPERATIONS},
            **{op.also[1]: {op.also[0].lower(): _by_another_way(op, named)} for op in OPERATIONS if op.also},
            **{op.path: {"get": _watch(op, named)} for op in WATCHES},
            "/health": {"get": _plain("Health", "State by component; 200 when ready", "Health")},
            "/live": {"get": _plain("Live", "200 as soon as the process answers", None)},
            "/metrics": {"get": _plain("Metrics", "Figures for Prometheus", None, "text/plain")},
        },
        "components": {
            "schemas": schema.get("$defs", {}),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    request = dict(refs[operation.request, "validation"])
    problem = {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}}
    return {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.description.partition(". ")[0].rstrip("."),
        "description": operation.description,
        "x-scope": operation.scope,
        "x-cli": operation.cli,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": request, "example": operation.example}},
        },
        "responses": {
            "200": {
                "description": "Done",
                "content": {"application/json": {"schema": refs[operation.response, "validation"]}},
            },
            **{status: {"description": text, "content": problem} for status, text in _STATUSES.items()},
        },
    }


def _by_another_way(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    """As the operation; of a GET the fields are parameters."""
    described = _operation(operation, refs) | {"operationId": f"{operation.name}ByPath"}
    method, path = operation.also or ("", "")
    described["responses"]["405"] = {**described["responses"]["405"], "description": f"Only {method}"}
    if method == "POST":
        return described
    _take_by_path(described, operation, path)
    if "format" in operation.request.model_fields:
        for media in ("text/plain", "application/xml"):
            described["responses"]["200"]["content"][media] = {"schema": {"type": "string"}}
    return described


def _watch(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    """A GET that is answered with events."""
    described = _operation(operation, refs)
    del described["x-cli"]
    _take_by_path(described, operation, operation.path)
    told = {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}}
    described["parameters"].append(told)
    schema = refs[operation.response, "validation"]
    described["responses"]["200"] = {
        "description": "Server-Sent Events whose data is this, for as long as they are read. An event `trouble` has "
        "the code of an error that passes.",
        "content": {MEDIA: {"schema": schema}},
    }
    described["responses"]["405"] = {**described["responses"]["405"], "description": "Only GET"}
    described["responses"]["429"] = {**described["responses"]["429"], "description": _TOO_MANY_STREAMS}
    return described


def _take_by_path(described: dict[str, Any], operation: Operation, path: str) -> None:
    """What it takes stands in its path and query string: there is no body."""
    del described["requestBody"]
    for status in ("408", "413", "415"):
        del described["responses"][status]
    schema = operation.request.model_json_schema()
    described["parameters"] = [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in path else "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in field.items() if key != "title"},
        }
        for name, field in schema["properties"].items()
    ]


def _plain(name: str, text: str, model: str | None, media: str = "application/json") -> dict[str, Any]:
    schema = {"$ref": _REF.format(model=model)} if model else {}
    return {
        "operationId": name,
        "tags": ["Gateway"],
        "summary": text,
        "security": [],
        "responses": {
            "200": {"description": "Ready", "content": {media: {"schema": schema}}},
            "503": {"description": "Not ready; the body says why", "content": {media: {"schema": schema}}},
        },
    }
