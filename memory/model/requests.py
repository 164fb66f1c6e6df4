"""What callers may send, operation by operation. Unknown fields are refused; lengths count characters."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

from memory import limits
from memory.model.memory import Category, Kind, Type
from memory.model.session import Role
from memory.scope import ID_PATTERN


def _zoned(text: str) -> str:
    """An RFC 3339 time with the offset of its writer's clock: yesterday is the day before on that."""
    refusal = "must be an RFC 3339 time with a zone, e.g. 2026-01-31T08:30:00Z"
    try:
        moment = datetime.fromisoformat(text)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(refusal) from None
    if moment.tzinfo is None:
        raise ValueError(refusal)
    return moment.isoformat().replace("+00:00", "Z")


def _utc(text: str) -> str:
    """Normalise an RFC 3339 time to UTC with a trailing Z."""
    return datetime.fromisoformat(_zoned(text)).astimezone(UTC).isoformat().replace("+00:00", "Z")


def _json_chars(limit: int) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if len(json.dumps(value, ensure_ascii=False)) > limit:
            raise ValueError(f"must not be longer than {limit} characters as JSON")
        return value

    return check


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Rfc3339 = Annotated[str, StringConstraints(max_length=64), AfterValidator(_utc)]
ZonedTime = Annotated[str, StringConstraints(max_length=64), AfterValidator(_zoned)]
Query = Annotated[str, StringConstraints(max_length=limits.QUERY_CHARS_MAX)]
Answer = Annotated[str, StringConstraints(max_length=limits.ANSWER_CHARS_MAX)]
Summary = Annotated[str, StringConstraints(max_length=limits.SUMMARY_CHARS_MAX)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=limits.NAME_CHARS_MAX)]
Fact = Annotated[str, StringConstraints(min_length=1, max_length=limits.FACT_CHARS_MAX, pattern=r"\S")]
Facts = Annotated[list[Fact], Field(max_length=limits.FACTS_PER_KIND_MAX)]
KindName = Annotated[Kind, Field(strict=False)]
CategoryName = Annotated[Category, Field(strict=False)]
TypeName = Annotated[Type, Field(strict=False)]
RecentTurns = Annotated[int, Field(ge=0, le=limits.RECENT_TURNS_MAX)]
Revision = Annotated[int, Field(ge=0, le=limits.REVISION_MAX)]
IdempotencyKey = Annotated[str, StringConstraints(min_length=1, max_length=limits.IDEMPOTENCY_KEY_CHARS_MAX)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=limits.ENTITY_KEY_CHARS_MAX)]
EntityValue = Annotated[Any, AfterValidator(_json_chars(limits.ENTITY_JSON_CHARS_MAX))]
Entities = Annotated[dict[Key, EntityValue], Field(max_length=limits.ENTITIES_PER_UPDATE_MAX)]
Slot = Annotated[dict[str, Any], AfterValidator(_json_chars(limits.SLOT_JSON_CHARS_MAX))]
PreferenceValue = Annotated[Any, AfterValidator(_json_chars(limits.PREFERENCE_JSON_CHARS_MAX))]
Preferences = Annotated[dict[Key, PreferenceValue], Field(max_length=limits.PREFERENCES_MAX)]

INCLUDES: Final = ("full_history", "session", "turns", "explain", "no_memories")
Include = Literal["full_history", "session", "turns", "explain", "no_memories"]


class Request(BaseModel):
    """Base of all requests: strict types, no unknown field, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ConversationRequest(Request):
    """A request about one conversation."""

    conversation_id: Id


class CreateShortMemoryRequest(ConversationRequest):
    """Start a session, or say that it is there."""

    user_id: Id
    agent_code: Id | None = None


class QueryMemoryContextRequest(ConversationRequest):
    """Ask for what a bot should send to its model now. Changes nothing but a lease on the next summary."""

    user_id: Id | None = Field(
        default=None,
        validation_alias=AliasChoices("user_id", "patient_id"),
        description="Whose safety facts and memories to add; `patient_id` is the same.",
    )
    agent_code: Id | None = None
    query: Query = Field(default="", description="What the user says now: counted, not stored.")
    token_threshold_ratio: Annotated[float, Field(gt=0, le=1)] | None = None
    recent_turns: RecentTurns | None = None
    model_context_window: Annotated[int, Field(ge=1, le=limits.MODEL_CONTEXT_WINDOW_TOKENS_MAX)] | None = None
    from_checkpoint: Id | None = Field(
        default=None, description="An earlier checkpoint's id: its summary, its window, and all since."
    )
    include: list[Include] = Field(default_factory=list, max_length=len(INCLUDES))


class PendingAction(Request):
    """An operation that waits for the user's word."""

    tool_name: Name
    tool_params: Slot = Field(default_factory=dict)
    reason: Annotated[str, StringConstraints(max_length=limits.REASON_CHARS_MAX)] = ""


class StateUpdate(Request):
    """A change of the working state. An entity of null is taken off; absent parts stay as they are."""

    entities: Entities | None = Field(default=None, description="Shared by all agents; merged key by key.")
    slot: Slot | None = Field(default=None, description="The agent's private slot; replaces what was in it.")
    current_intent: Annotated[str, StringConstraints(max_length=limits.INTENT_CHARS_MAX)] | None = None
    pending_action: PendingAction | None = Field(
        default=None, description="An empty tool call is not possible: send `clear_pending_action`."
    )
    clear_pending_action: bool = False


class WriteRequest(ConversationRequest):
    """What every write may carry."""

    user_id: Id | None = None
    agent_code: Id | None = None
    idempotency_key: IdempotencyKey | None = None
    if_rev: Revision | None = None


class WriteTurnRequest(WriteRequest):
    """Record one turn: what the user said and what the agent answered."""

    user_query: Query
    agent_response: Answer
    occurred_at: ZonedTime | None = None
    state: StateUpdate | None = None


class MessageIn(Request):
    """One message of a WriteMessages."""

    role: Annotated[Role, Field(strict=False)]
    content: Answer
    name: Name | None = None
    agent_code: Id | None = None
    occurred_at: ZonedTime | None = None


class WriteMessagesRequest(WriteRequest):
    """Record messages in their order, all or none. A user message begins a turn."""

    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=limits.MESSAGES_PER_WRITE_MAX)]


class CheckpointShortMemoryRequest(ConversationRequest):
    """Cover the journal with a summary. Without one the gateway writes it, by rules, from the dialogue."""

    summary: Summary | None = None
    recent_turns: RecentTurns | None = None
    covers_seq: Revision | None = Field(
        default=None, description="The last seq that the summary covers; default: all there is."
    )


class FinalizeSessionMemoryRequest(ConversationRequest):
    """End the session now and turn it into long-term memory."""

    summary: Summary | None = None
    recent_turns: RecentTurns | None = None
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=0, description="How long to wait for the end; the answer comes at once by default."
    )


class GetFinalizationRequest(ConversationRequest):
    """Ask where the last ended session of a conversation stands."""


class GetSessionRequest(ConversationRequest):
    """Ask for the working state. Only the caller's own agent slot is shown."""

    agent_code: Id | None = None


class UpdateGlobalStateRequest(StateUpdate):
    """Change the working state alone."""

    conversation_id: Id
    user_id: Id | None = None
    agent_code: Id | None = None
    if_rev: Revision | None = None
    idempotency_key: IdempotencyKey | None = None


class SafetyFacts(Request):
    """Safety facts by kind."""

    allergies: Facts | None = None
    chronic_diseases: Facts | None = None
    surgery_history: Facts | None = None


class Triple(Request):
    """A fact as a triple. The subject of what the user tells of themselves is "user"."""

    subject: Fact
    predicate: Annotated[str, Field(min_length=1, max_length=limits.PREDICATE_CHARS_MAX)]
    object: Fact
    valid_from: Rfc3339 | None = None
    quote: Annotated[str, Field(max_length=limits.QUOTE_CHARS_MAX)] | None = Field(
        default=None, description="The words that say it."
    )


class UpsertFactsRequest(Request):
    """Add safety facts to a user's profile, or take wrong ones off. A fact that is there is not doubled.

    Triples become facts of the long-term memory at once.
    """

    user_id: Id
    conversation_id: Id | None = None
    facts: SafetyFacts | None = None
    remove: SafetyFacts | None = None
    triples: Annotated[list[Triple], Field(max_length=limits.TRIPLES_PER_UPDATE_MAX)] | None = None


class UpsertPreferencesRequest(Request):
    """Set preferences of a user. A preference of null is taken off."""

    user_id: Id
    conversation_id: Id | None = None
    preferences: Preferences = Field(default_factory=dict)
    name: Name | None = None


class GetProfileRequest(Request):
    """Ask for a user's profile."""

    user_id: Id


class SearchMemoriesRequest(Request):
    """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source."""

    user_id: Id
    query: Query
    mode: Literal["keyword", "vector", "hybrid"] = "hybrid"
    limit: Annotated[int, Field(ge=1, le=limits.MEMORIES_PER_SEARCH_MAX)] = 10
    kinds: list[KindName] | None = Field(default=None, max_length=len(Kind))
    categories: list[CategoryName] | None = Field(default=None, max_length=len(Category))
    types: list[TypeName] | None = Field(default=None, max_length=len(Type))
    conversation_id: Id | None = None
    time_from: Rfc3339 | None = Field(default=None, description="What happened at this time or later.")
    time_to: Rfc3339 | None = Field(default=None, description="What happened before this time.")
    as_of: Rfc3339 | None = Field(default=None, description="What was held to be true then, superseded since or not.")
    radius: Annotated[float, Field(ge=-1, le=1)] | None = Field(
        default=None, description="The least cosine of a match by meaning."
    )
    group_by: Literal["conversation"] | None = Field(default=None, description="The best of each conversation only.")
    explain: bool = Field(default=False, description="Show each part of the scores.")


class GetMemoryRequest(Request):
    """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once."""

    user_id: Id | None = None
    memory_id: Id


class ListMemoriesRequest(Request):
    """List a user's memories page by page, in the order of their ids."""

    user_id: Id
    kinds: list[KindName] | None = Field(default=None, max_length=len(Kind))
    conversation_id: Id | None = None
    cursor: Annotated[str, StringConstraints(max_length=64)] = ""
    limit: Annotated[int, Field(ge=1, le=limits.MEMORIES_PER_PAGE_MAX)] = 100


def _given(value: str | None) -> str | None:
    if value is None:
        raise ValueError("must be an id, not null: without one of these fields more would be erased")
    return value


def _never_null(schema: dict[str, Any]) -> None:
    """In the schema too: what would be null is left out."""
    schema.pop("default", None)
    schema.update(schema.pop("anyOf")[0])


GivenId = Annotated[Id | None, AfterValidator(_given), Field(json_schema_extra=_never_null)]
"""An id, or nothing at all. A null is the mistake of a caller that lost the id, where leaving it out means more."""


class ForgetMemoryRequest(Request):
    """Erase for good: one memory, all of one conversation, or all of the user. The receipt says what is gone.

    Only a `memory_id` may stand without its `user_id`.
    """

    user_id: GivenId = None
    memory_id: GivenId = None
    conversation_id: GivenId = None
    dry_run: bool = Field(default=False, description="Only count what would be gone; nothing is changed.")
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=limits.ERASURE_WAIT_MS, description="How long to wait for files to be cleaned; then they are `pending`."
    )


class GetErasureRequest(Request):
    """Ask whether the bytes of what was erased are gone from our files by now: for 30 days, by a receipt's id."""

    erasure_id: Annotated[str, StringConstraints(pattern=ID_PATTERN)] = Field(
        description="`erasure_id` of a receipt of ForgetMemory."
    )
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=0, description="How long to wait for it; the answer comes at once by default."
    )


class ExplainMemoryRequest(Request):
    """Why a memory is what it is, or what became of one message of a conversation and why.

    With `user_id` nothing of another user is found.
    """

    user_id: Id | None = None
    memory_id: Id | None = None
    conversation_id: Id | None = None
    seq: Revision | None = None


class ListFinalizationsRequest(Request):
    """List the tenant's ended sessions that are on their way or have failed, oldest first."""

    limit: Annotated[int, Field(ge=1, le=limits.FINALIZATIONS_PER_PAGE_MAX)] = 100


class ReplayFinalizationRequest(ConversationRequest):
    """Try a FAILED session again from its kept journal."""

    finalization_id: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="Which one; default: every failed session of the conversation."
    )
