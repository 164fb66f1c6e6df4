"""What the Weaviate client's errors mean. It has many for one cause, and for some only the text tells.

No text of the server reaches ours: its errors may quote the objects they refuse.
"""

from collections.abc import Sequence
from typing import Any, Final

from memory.errors import DeadlineExceeded, InvariantBroken, MemoryGatewayError, StoreFull, StoreUnavailable
from memory.stores.weaviate.driver import (
    UnexpectedStatusCodeError,
    WeaviateBaseError,
    WeaviateClosedClientError,
    WeaviateConnectionError,
    WeaviateGRPCUnavailableError,
    WeaviateRetryError,
    WeaviateStartUpError,
    WeaviateTimeoutError,
    grpc,
    httpx,
)

_NO_ANSWER: Final = (
    WeaviateClosedClientError,
    WeaviateConnectionError,
    WeaviateGRPCUnavailableError,
    WeaviateRetryError,
    WeaviateStartUpError,
    httpx.TransportError,  # the client lets it through when a connection breaks in the middle of an answer
    OSError,
)
_NO_ANSWER_TEXTS: Final = ("unavailable", "failed after", "connection refused", "event loop is closed")
_LATE_TEXTS: Final = ("deadline exceeded", "deadline_exceeded")
_FULL_TEXTS: Final = ("read-only", "resource pressure", "no space left")
_BUSY_TEXTS: Final = ("too many open files", "too many requests", "tenant not active", "429", "503", "not ready",
                      "shutdown", "shutting down", "leader not found", "context canceled",
                      "non-existing index")  # fmt: skip
"""The last of them while it loads its collections after a start."""
_VANISHED_TEXTS: Final = ("could not find class", "not present in schema")
_NO_TENANT_TEXTS: Final = ("tenant not found",)
_REFUSED_TEXTS: Final = ("unauthenticated", "permission_denied", "unauthorized", "rbac")
_UNAUTHORISED: Final = (401, 403)
_SERVER_FAULT: Final = 500
_TOO_MANY: Final = 429
_BUSY_CODES: Final = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.ABORTED, grpc.StatusCode.INTERNAL)


class NoTenant(Exception):  # noqa: N818 - an answer, not a failure
    """The user has nothing here: to Weaviate that is an error, to us an empty answer."""


class Refused(StoreUnavailable):
    """The server does not accept the API key, or the key may not do this."""


class NoAnswer(StoreUnavailable):
    """Nothing answered: the connection was refused or lost."""


class Late(DeadlineExceeded):
    """No answer in time; a write may have been applied, or may be later."""


_VANISHED: Final = "has lost its data: restore it, or restart the gateways to begin anew"
VANISHED: Final = f"Weaviate {_VANISHED}"
_BY_TEXT: Final[Sequence[tuple[Sequence[str], type[MemoryGatewayError], str]]] = (
    (_LATE_TEXTS, Late, "did not answer in time"),
    (_FULL_TEXTS, StoreFull, "has no room: its disk is over the limit at which it refuses writes"),
    (_NO_ANSWER_TEXTS, NoAnswer, "cannot be reached"),
    (_BUSY_TEXTS, StoreUnavailable, "is busy"),
    (_VANISHED_TEXTS, StoreUnavailable, _VANISHED),
    (_REFUSED_TEXTS, Refused, "does not accept the API key, or it lacks a permission"),
)


def meaning(error: BaseException) -> MemoryGatewayError | NoTenant:
    """The error of ours that the client's error stands for."""
    name = type(error).__name__
    if isinstance(error, TimeoutError | WeaviateTimeoutError | httpx.TimeoutException):
        return Late("Weaviate did not answer in time")
    if isinstance(error, _NO_ANSWER):
        return NoAnswer(f"Weaviate cannot be reached ({name})")
    if isinstance(error, UnexpectedStatusCodeError) and (found := _of_status(error, name)):
        return found
    if _code(error) in _BUSY_CODES and not any(part in str(error).lower() for part in _FULL_TEXTS):
        return StoreUnavailable(f"Weaviate failed ({name})")
    return _of_text(str(error).lower(), name)


def _code(error: BaseException) -> Any:
    """The gRPC status behind an error: the client keeps its text, not its code."""
    cause = error.__cause__ or error.__context__
    return cause.code() if isinstance(cause, grpc.aio.AioRpcError) else None


def is_busy(text: str) -> bool:
    """Whether the text of a refused object says that the same write may pass a moment later."""
    return any(part in text.lower() for part in _BUSY_TEXTS)


def of_refused_objects(texts: str) -> MemoryGatewayError | NoTenant:
    """What refused objects of a batch mean, by the texts of their errors."""
    return _of_text(texts.lower(), "refused objects")


def _of_status(error: UnexpectedStatusCodeError, name: str) -> MemoryGatewayError | None:
    status = error.status_code
    if status in _UNAUTHORISED:
        return Refused(f"Weaviate does not accept the API key, or it lacks a permission (status {status})")
    if any(part in str(error).lower() for part in _FULL_TEXTS):
        return StoreFull("Weaviate has no room: its disk is over the limit at which it refuses writes")
    if status >= _SERVER_FAULT or status == _TOO_MANY:
        return StoreUnavailable(f"Weaviate failed ({name}, status {status})")
    return None


def _of_text(text: str, name: str) -> MemoryGatewayError | NoTenant:
    if any(part in text for part in _NO_TENANT_TEXTS):
        return NoTenant()
    for parts, kind, says in _BY_TEXT:
        if any(part in text for part in parts):
            return kind(f"Weaviate {says} ({name})")
    return InvariantBroken(f"Weaviate refused what was asked of it ({name})")


CLIENT_ERRORS: Final = (WeaviateBaseError, OSError, TimeoutError, RuntimeError, ValueError)
"""What the client raises: besides its own, raw errors of its transports (httpx, gRPC) come through as these."""
