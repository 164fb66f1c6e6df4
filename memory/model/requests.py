"""What callers may send, operation by operation. Unknown fields are refused; lengths count characters."""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

from memory import limits
from memory.model.fields import (
    Answer,
    Entities,
    Fact,
    Facts,
    Id,
    IdempotencyKey,
    Name,
    Preferences,
    Query,
    RecentTurns,
    Revision,
    Rfc3339,
    Slot,
    Summary,
    TimeZone,
    ZonedTime,
)
from memory.model.session import Role
from memory.scope import ID_PATTERN

INCLUDES: Final = ("full_history", "session", "turns", "explain", "blocks", "time", "no_memories")
FINALIZATION_CURSOR: Final = rf"^([0-9]{{1,16}}\.{ID_PATTERN[1:-1]})?$"
ZONE: Final = "IANA name of the user's time zone, e.g. Asia/Shanghai: "
Include = Literal["full_history", "session", "turns", "explain", "blocks", "time", "no_memories"]


class Request(BaseModel):
    """Base of all requests: strict types, no unknown field, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ConversationRequest(Request):
    """A request about one conversation."""

    conversation_id: Id = Field(description="Which conversation.")


class CreateShortMemoryRequest(ConversationRequest):
    """Start a session, or say that it is there."""

    user_id: Id = Field(description="Whose conversation it is; nobody else can then write to it.")
    agent_code: Id | None = Field(default=None, description="The agent that starts it.")
    timezone: TimeZone | None = Field(default=None, description=ZONE + "in the session that this starts.")


class QueryMemoryContextRequest(ConversationRequest):
    """Ask for what a bot should send to its model now. Changes nothing but a lease on the next summary."""

    SYNONYMS: ClassVar = {"patient_id": "user_id"}
    """Other names of fields. Both may be sent, with the same value."""

    user_id: Id | None = Field(
        default=None,
        validation_alias=AliasChoices("user_id", "patient_id"),
        description="Whose safety facts and memories to add; `patient_id` is the same.",
    )
    agent_code: Id | None = Field(default=None, description="Which agent asks: `session` then holds its private slot.")
    query: Query = Field(default="", description="What the user says now: counted, not stored.")
    token_threshold_ratio: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None,
        description="Share of the window (above 0, up to 1) at which a summary is due; default: the setting.",
    )
    recent_turns: RecentTurns | None = Field(
        default=None,
        description="Show so many turns beside the summary, up to 1,000; default: as the last checkpoint said.",
    )
    model_context_window: Annotated[int, Field(ge=1, le=limits.MODEL_CONTEXT_WINDOW_TOKENS_MAX)] | None = Field(
        default=None, description="Tokens that your model takes; default: `session.model_context_window`."
    )
    from_checkpoint: Id | None = Field(
        default=None, description="An earlier checkpoint's id: its summary, its window, and all since."
    )
    include: list[Include] = Field(
        default_factory=list,
        max_length=len(INCLUDES),
        description="More to answer: full_history, session, turns, explain, blocks; time: `context` tells the time "
        "by the user's clock; or less: no_memories.",
    )
    full_history_cursor: Annotated[str, StringConstraints(min_length=1, max_length=limits.ID_CHARS_MAX)] | None = Field(
        default=None,
        description="Where `full_history` goes on: the `full_history_cursor` of the answer before.",
    )
    preview: bool = Field(
        default=False,
        description="Only look: as the answer would be, but nobody is asked for a summary and nothing counts as shown.",
    )


class PendingAction(Request):
    """An operation that waits for the user's word."""

    tool_name: Name = Field(description="The tool that would be called, 1 to 128 characters.")
    tool_params: Slot = Field(default_factory=dict, description="Its arguments, up to 64,000 characters as JSON.")
    reason: Annotated[str, StringConstraints(max_length=limits.REASON_CHARS_MAX)] = Field(
        default="", description="Why it waits, up to 2,000 characters."
    )


class StateUpdate(Request):
    """A change of the working state. An entity of null is taken off; absent parts stay as they are."""

    entities: Entities | None = Field(default=None, description="Shared by all agents; merged key by key.")
    slot: Slot | None = Field(default=None, description="The agent's private slot; replaces what was in it.")
    current_intent: Annotated[str, StringConstraints(max_length=limits.INTENT_CHARS_MAX)] | None = Field(
        default=None, description="What the user wants now, up to 500 characters; empty: unknown."
    )
    pending_action: PendingAction | None = Field(
        default=None, description="An empty tool call is not possible: send `clear_pending_action`."
    )
    clear_pending_action: bool = Field(
        default=False, description="Take the pending action off: it was done, or refused. Not with `pending_action`."
    )


class WriteRequest(ConversationRequest):
    """What every write may carry."""

    user_id: Id | None = Field(
        default=None, description="Whose conversation it is; without it nothing is remembered beyond the conversation."
    )
    agent_code: Id | None = Field(default=None, description="The agent that writes; kept with its messages.")
    idempotency_key: IdempotencyKey | None = Field(
        default=None,
        description="Your name for this write, 1 to 128 characters: the same again is not written twice for 24 hours.",
    )
    if_rev: Revision | None = Field(
        default=None,
        description="Write only if the session still has this `rev`; else 409.",
    )


class ToolResultIn(Request):
    """What a tool gave while a turn was answered."""

    name: Name = Field(description="Which tool, 1 to 128 characters.")
    content: Answer = Field(description="What it gave, text or JSON, up to 50,000 characters.")


class SaidRequest(WriteRequest):
    """What every write of what was said may carry."""

    tool_results: Annotated[list[ToolResultIn], Field(max_length=limits.TOOL_RESULTS_MAX)] | None = Field(
        default=None,
        description="What tools gave for this turn, up to 16: in short it stands in `context` until the next write of "
        "what was said, and nowhere else. It is not journaled and never remembered.",
    )

    used_memory_ids: Annotated[list[Id], Field(min_length=1, max_length=limits.MARKED_MAX)] | None = Field(
        default=None,
        description="The memories of the user that the answer rests on, 1 to 50: each grows stronger, as by MarkUsed, "
        "once the write is done.",
    )


class WriteTurnRequest(SaidRequest):
    """Record one turn: what the user said and what the agent answered."""

    user_query: Query = Field(description="What the user said, up to 10,000 characters.")
    agent_response: Answer = Field(description="What the agent answered, up to 50,000 characters.")
    occurred_at: ZonedTime | None = Field(
        default=None,
        description="When it was said, RFC 3339; default: now. An offset other than Z is the speaker's clock.",
    )
    state: StateUpdate | None = Field(default=None, description="A change of the working state, in the same write.")
    timezone: TimeZone | None = Field(default=None, description=ZONE + "from here on in the session.")


class MessageIn(Request):
    """One message of a WriteMessages."""

    role: Annotated[Role, Field(strict=False)] = Field(description="user, assistant, tool or system.")
    content: Answer = Field(description="The words, up to 50,000 characters.")
    name: Name | None = Field(default=None, description="Who of several people or tools, 1 to 128 characters.")
    agent_code: Id | None = Field(default=None, description="The agent that says it.")
    occurred_at: ZonedTime | None = Field(
        default=None,
        description="When it was said, RFC 3339; default: now. An offset other than Z is the speaker's clock.",
    )


class WriteMessagesRequest(SaidRequest):
    """Record messages in their order, all or none. A user message begins a turn."""

    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=limits.MESSAGES_PER_WRITE_MAX)] = Field(
        description="In the order in which they were said; 1 to 500."
    )
    timezone: TimeZone | None = Field(default=None, description=ZONE + "from here on in the session.")


class CheckpointShortMemoryRequest(ConversationRequest):
    """Cover the journal with a summary. Without one the gateway writes it, by rules, from the dialogue."""

    summary: Summary | None = Field(
        default=None,
        description="What was said so far, up to 2,000 characters; default, and if it is empty: written by rules.",
    )
    recent_turns: RecentTurns | None = Field(
        default=None, description="Turns to keep in full beside it, up to 1,000; default: `session.recent_turns`."
    )
    covers_seq: Revision | None = Field(
        default=None, description="The last seq that the summary covers; default: all there is."
    )


class FinalizeSessionMemoryRequest(ConversationRequest):
    """End the session now and turn it into long-term memory."""

    summary: Summary | None = Field(
        default=None, description="Your last word on the session, up to 2,000 characters; added to its own summary."
    )
    recent_turns: RecentTurns | None = Field(
        default=None, description="Turns that the next session of the conversation starts with, up to 1,000."
    )
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=0, description="How long to wait for the end; the answer comes at once by default."
    )


class GetFinalizationRequest(ConversationRequest):
    """Ask where the last ended session of a conversation stands."""


class GetSessionRequest(ConversationRequest):
    """Ask for the working state. Only the caller's own agent slot is shown."""

    agent_code: Id | None = Field(default=None, description="Which agent asks: only its private slot is shown.")


class UpdateGlobalStateRequest(StateUpdate):
    """Change the working state alone."""

    conversation_id: Id = Field(description="Which conversation.")
    user_id: Id | None = Field(default=None, description="Whose conversation it is.")
    agent_code: Id | None = Field(default=None, description="The agent that changes it; `slot` is its own.")
    if_rev: Revision | None = Field(
        default=None,
        description="Write only if the session still has this `rev`; else 409.",
    )
    idempotency_key: IdempotencyKey | None = Field(
        default=None,
        description="Your name for this write, 1 to 128 characters: the same again is not written twice for 24 hours.",
    )


class SafetyFacts(Request):
    """Safety facts by kind."""

    allergies: Facts | None = Field(
        default=None, description="What the user is allergic to. Up to 200, each 1 to 500 characters."
    )
    chronic_diseases: Facts | None = Field(
        default=None, description="Diseases that last. Up to 200, each 1 to 500 characters."
    )
    surgery_history: Facts | None = Field(default=None, description="Operations. Up to 200, each 1 to 500 characters.")


class Triple(Request):
    """A fact as a triple. The subject of what the user tells of themselves is "user"."""

    subject: Fact = Field(description="Who or what, 1 to 500 characters; `user` for the user.")
    predicate: Annotated[str, Field(min_length=1, max_length=limits.PREDICATE_CHARS_MAX)] = Field(
        description="What of them, 1 to 64 characters: allergy, disease, medication, job, like, or any other."
    )
    object: Fact = Field(description="The value, 1 to 500 characters.")
    valid_from: Rfc3339 | None = Field(
        default=None, description="Since when it holds, RFC 3339; default: since it was told."
    )
    quote: Annotated[str, Field(max_length=limits.QUOTE_CHARS_MAX)] | None = Field(
        default=None, description="The words that say it."
    )


class UpsertFactsRequest(Request):
    """Add safety facts to a user's profile, or take wrong ones off. A fact that is there is not doubled.

    Triples become facts of the long-term memory at once.
    """

    user_id: Id = Field(description="Whose profile.")
    conversation_id: Id | None = Field(
        default=None, description="The conversation in which it came up; noted in its journal."
    )
    facts: SafetyFacts | None = Field(default=None, description="Safety facts to add.")
    remove: SafetyFacts | None = Field(
        default=None, description="Safety facts that are wrong or over; they no longer hold from now on."
    )
    triples: Annotated[list[Triple], Field(max_length=limits.TRIPLES_PER_UPDATE_MAX)] | None = Field(
        default=None, description="Other facts, up to 200."
    )


class ConfirmFactsRequest(Request):
    """A person's word on safety facts: they are so, or they are wrong. It holds at once, in every conversation.

    What was wrong stays away until it is said again. What a user said in a session that goes on can be confirmed too.
    """

    user_id: Id = Field(description="Whose facts.")
    fact_ids: Annotated[list[Id], Field(min_length=1, max_length=limits.FACTS_PER_VERDICT_MAX)] = Field(
        description="Which, as `safety.details` names them: `fact_id`. 1 to 100; all of them, or none."
    )
    verdict: Literal["confirmed", "wrong"] = Field(description="confirmed: it is so; wrong: it is not.")
    why: Annotated[str, Field(max_length=limits.QUOTE_CHARS_MAX)] | None = Field(
        default=None, description="The reason, for whoever reads it later."
    )


class UpsertPreferencesRequest(Request):
    """Set preferences of a user. A preference of null is taken off."""

    user_id: Id = Field(description="Whose profile.")
    conversation_id: Id | None = Field(
        default=None, description="The conversation in which it came up; noted in its journal."
    )
    preferences: Preferences = Field(
        default_factory=dict, description="What to set, up to 200; each value up to 4,000 characters as JSON."
    )
    name: Name | None = Field(
        default=None,
        description="What the user is called, 1 to 128 characters; a memory too, which ends the name before it.",
    )
    timezone: TimeZone | None = Field(
        default=None, description=ZONE + "where a session says none; the preference `timezone`."
    )


class GetProfileRequest(Request):
    """Ask for a user's profile."""

    user_id: Id = Field(description="Whose profile.")


class ListFinalizationsRequest(Request):
    """List the tenant's ended sessions that are on their way or have failed, oldest first, page by page."""

    state: Literal["ENDING", "FAILED"] | None = Field(default=None, description="Only those that stand so.")
    cursor: Annotated[str, StringConstraints(pattern=FINALIZATION_CURSOR)] = Field(
        default="", description="Where the page before ended; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.FINALIZATIONS_PER_PAGE_MAX)] = Field(
        default=100, description="Sessions at most, 1 to 1,000."
    )


class ReplayFinalizationRequest(ConversationRequest):
    """Try a FAILED session again from its kept journal."""

    finalization_id: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        default=None, description="Which one; default: every failed session of the conversation."
    )
