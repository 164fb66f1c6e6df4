"""Every error the product raises on purpose, cut by whose fault it is.

MemoryGatewayError
├── CallerError                     the caller's: nothing was changed
│   ├── InvalidInput        400     not the schema, over a limit
│   ├── Unauthorized        401     no key, or one that is not known
│   ├── Forbidden           403     the key lacks the scope
│   ├── NotFound            404     does not exist, or is not yours
│   ├── Conflict            409     if_rev, idempotency key, another user's conversation
│   ├── TooLarge            413     body over its limit
│   ├── UnsupportedMedia    415     not JSON
│   └── RequestTimeout      408     the body came too slowly
├── TemporaryError                  ours, worth a retry
│   ├── StoreUnavailable    503     Redis or the long-term store does not answer
│   ├── StoreFull           503     the store refuses writes for want of memory or disk
│   ├── Overtaken           503     what the write rests on was forgotten meanwhile; nothing was written
│   ├── ModelUnavailable    503     the model endpoint does not answer
│   │   └── ModelRefused    503     it refuses the key, or has no such model: somebody must mend the settings
│   ├── Overloaded          503     too much in flight
│   ├── TooManyRequests     429     too much of one caller's in flight
│   ├── BudgetExhausted     503     the tenant's model budget of the day would be passed
│   └── DeadlineExceeded    503     not done in time; the outcome of a write is unknown
├── SetupError                      the installation's: refuses to start, and says what to do
└── InvariantBroken         500     a bug
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field of a request that is to blame."""

    field: str
    message: str


class MemoryGatewayError(Exception):
    """Root of all errors of the product. `code` is stable; clients may branch on it."""

    code = "internal"
    status = 500
    title = "Internal error"
    retry_after_s: int | None = None

    def __init__(
        self, detail: str = "", *, fields: tuple[FieldError, ...] = (), more: Mapping[str, object] | None = None
    ) -> None:
        """`more`: what else the problem document says, by name."""
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.fields = fields
        self.more = more or {}


class CallerError(MemoryGatewayError):
    """The request is at fault; nothing was changed."""


class InvalidInput(CallerError):  # noqa: N818 - the tree at the top reads as nouns
    """The request is not JSON, not the schema, or over a limit."""

    code, status, title = "invalid_input", 400, "Invalid input"


class UnsupportedQuote(InvalidInput):
    """The words do not stand in the message that they are said to be of."""

    code, title = "unsupported_quote", "Quote does not stand there"


class Unauthorized(CallerError):  # noqa: N818
    """No API key, or one that is not known (or no longer)."""

    code, status, title = "unauthorized", 401, "Unauthorized"


class Forbidden(CallerError):  # noqa: N818
    """The API key lacks the scope that the operation needs."""

    code, status, title = "forbidden", 403, "Forbidden"


class NotFound(CallerError):  # noqa: N818
    """It does not exist, or it is not yours: the two answers are the same."""

    code, status, title = "not_found", 404, "Not found"


class Conflict(CallerError):  # noqa: N818
    """The state is not what the request relies on."""

    code, status, title = "conflict", 409, "Conflict"


class RevisionConflict(Conflict):
    """`if_rev` names another revision than the session has, `if_updated_at` another than the memory has."""

    code, title = "revision_conflict", "Revision conflict"


class IdempotencyConflict(Conflict):
    """The idempotency key was used before, with another body."""

    code, title = "idempotency_conflict", "Idempotency key reused"


class UserConflict(Conflict):
    """The conversation belongs to another user."""

    code, title = "user_conflict", "Conversation of another user"


class Ambiguous(Conflict):
    """A description fits no memory well enough, or more than one: `candidates` are those that it may mean."""

    code, title = "ambiguous", "Ambiguous description"


class GraphIsFull(Conflict):
    """The user, or the memory, has as many of these as it may have."""

    code, title = "graph_full", "Graph full"


class Guarded(Conflict):
    """It must not be done this way: a safety fact changed, two things made one that differ."""

    code, title = "guarded", "Guarded"


class WouldMergePeople(Conflict):
    """Two people are never made one by their nodes."""

    code, title = "would_merge_people", "Would merge people"


class AlreadyDecided(Conflict):
    """The question is open no longer: it was decided otherwise, or what it asks about has changed since."""

    code, title = "already_decided", "Already decided"


class BatchExpired(Conflict):
    """What was previewed is not there any more, or was previewed otherwise."""

    code, title = "batch_expired", "Batch not as previewed"


class NoConflict(Conflict):
    """The two memories can both be so."""

    code, title = "no_conflict", "No conflict"


class SessionIsFull(Conflict):
    """The session has reached its number of turns: who meant to append ends it and opens the next one."""

    code, title = "session_full", "Session full"


class TooLarge(CallerError):  # noqa: N818
    """The body is over its limit."""

    code, status, title = "too_large", 413, "Body too large"


class UnsupportedMedia(CallerError):  # noqa: N818
    """The body is not JSON in UTF-8 without compression."""

    code, status, title = "unsupported_media_type", 415, "Unsupported media type"


class RequestTimeout(CallerError):  # noqa: N818
    """The body did not arrive within its deadline."""

    code, status, title = "request_timeout", 408, "Request timeout"


class TemporaryError(MemoryGatewayError):
    """Ours, and worth a retry after `retry_after_s` seconds."""

    status = 503
    retry_after_s = 1


class StoreUnavailable(TemporaryError):  # noqa: N818
    """Redis or the long-term store cannot be reached, or is not ready."""

    code, title = "store_unavailable", "Store unavailable"


class StoreFull(TemporaryError):  # noqa: N818
    """The store refuses writes for want of memory or disk; reads go on."""

    code, title = "store_full", "Store full"
    retry_after_s = 5


class Overtaken(TemporaryError):  # noqa: N818
    """What this write rests on was forgotten meanwhile, or another does the same work by now. Nothing was written."""

    code, title = "overtaken", "Overtaken"


class ModelUnavailable(TemporaryError):  # noqa: N818
    """The endpoint of a model (the mind's or the embedder's) cannot be reached, or does not answer as it should."""

    code, title = "model_unavailable", "Model unavailable"


class ModelRefused(ModelUnavailable):
    """The endpoint of a model refuses the key, or has no such model: somebody has to mend the settings."""

    code, title = "model_refused", "Model refused"
    retry_after_s = 60


class TooManyRequests(TemporaryError):  # noqa: N818
    """As many requests of this caller are worked on as its share of the gateway allows."""

    code, status, title = "too_many_requests", 429, "Too many requests"


class Overloaded(TemporaryError):  # noqa: N818
    """Too many requests are in flight."""

    code, title = "overloaded", "Overloaded"


class BudgetExhausted(TemporaryError):  # noqa: N818
    """The tenant's budget for model calls is used up for today (UTC)."""

    code, title = "budget_exhausted", "Budget exhausted"
    retry_after_s = 600


class DeadlineExceeded(TemporaryError):  # noqa: N818
    """Not done in time. A write may have been applied: repeat it with its idempotency key."""

    code, title = "deadline_exceeded", "Deadline exceeded"


class SetupError(MemoryGatewayError):
    """The installation cannot run as configured. The text says what to do."""

    code, title = "setup", "Setup error"


class InvariantBroken(MemoryGatewayError):  # noqa: N818
    """A bug: something that cannot be, is."""

    code, title = "invariant_broken", "Internal error"
