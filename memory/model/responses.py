"""What operations answer. Times are RFC 3339 UTC."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from memory.model.lifecycle import SessionState
from memory.model.memory import Category, Kind, Type
from memory.model.session import Mode


class Response(BaseModel):
    """Base of all responses."""

    model_config = ConfigDict(extra="forbid")


class SparseResponse(Response):
    """A response whose optional fields are left out when there is nothing in them."""

    @model_serializer(mode="wrap")
    def _sparse(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        return {
            name: value
            for name, value in dump(self).items()
            if value is not None or name not in fields or fields[name].is_required()
        }


class Safety(Response):
    """A user's safety facts."""

    allergies: list[str]
    chronic_diseases: list[str]
    surgery_history: list[str]


class ChatMessage(Response):
    """One message as a model takes it."""

    role: Literal["user", "assistant", "tool", "system"]
    content: str


class TurnMessage(ChatMessage):
    """One message with where and when it was said."""

    seq: int
    turn: int
    at: str
    tokens: int
    name: str | None = None
    agent_code: str | None = None
    occurred_at: str | None = None


class MetaInfo(Response):
    """The original's meta part. `updated_at` is in seconds since the epoch."""

    conversation_id: str
    user_id: str
    updated_at: int


class FlowContext(Response):
    """The original's flow part."""

    current_agent_key: str
    last_bot_message: str
    turn_count: int


class MessageContext(SparseResponse):
    """The original's message part."""

    summary: str
    window_messages: list[ChatMessage] | None
    mode: Mode
    checkpoint_message_id: str | None = None


class GlobalState(SparseResponse):
    """The original's state part: `shared` and `entities` are the same; only the asking agent's slot is there."""

    shared: dict[str, Any] | None
    entities: dict[str, Any] | None = None
    agent_slots: dict[str, Any] | None = None
    current_intent: str | None = None
    pending_action: dict[str, Any] | None = None


class UserSnapshot(SparseResponse):
    """The original's user part; `chronic_diseases` is what the original wrongly called `history`."""

    user_id: str
    name: str | None = None
    allergies: list[str] | None = None
    chronic_diseases: list[str] | None = None
    surgery_history: list[str] | None = None
    preferences: dict[str, Any] | None = None


class SessionValue(Response):
    """The five-part working state, with the original's JSON names. Empty optional parts are left out."""

    meta: MetaInfo
    flow_context: FlowContext
    message_context: MessageContext
    global_state: GlobalState
    user_snapshot: UserSnapshot


class CreateShortMemoryResponse(Response):
    """The session as it is now; `created` is false when it was there already."""

    conversation_id: str
    created: bool
    resumed: bool
    mode: Mode
    rev: int
    expires_at: str


class QueryMemoryContextResponse(SparseResponse):
    """What a bot should send to its model now."""

    conversation_id: str
    session_state: SessionState
    rev: int
    seq: int
    turn_count: int
    resumed: bool
    mode: Mode
    history: str = Field(description="The window as text, the summary first when there is one.")
    messages: list[ChatMessage] = Field(description="The same window as chat messages.")
    context: str = Field(description="For the system prompt: safety facts, summary, recalled memories.")
    safety: Safety
    memories: list[dict[str, Any]]
    summary: str
    checkpoint_message_id: str
    estimated_tokens: int
    token_ratio: float
    should_checkpoint_summary: bool
    window_shrunk: bool = Field(description="Covered turns were left out, because the rest would not fit.")
    degraded: list[str]
    full_history: str | None = None
    turns: list[TurnMessage] | None = None
    session: SessionValue | None = None
    explain: dict[str, Any] | None = None


class WriteResponse(Response):
    """Where a write left the session. `replayed`: the idempotency key was known, nothing was written again."""

    conversation_id: str
    mode: Mode
    updated_at: str
    rev: int
    seq: int
    turn_count: int
    replayed: bool


class UpdateGlobalStateResponse(WriteResponse):
    """As a write."""


class CheckpointShortMemoryResponse(Response):
    """The checkpoint that now stands."""

    conversation_id: str
    checkpoint_message_id: str
    covers_seq: int
    mode: Mode
    token_ratio: float
    rev: int
    summary: str


class FinalizationResponse(SparseResponse):
    """Where an ended session stands. `steps` are those that were taken; `skipped` says why nothing was stored."""

    conversation_id: str
    finalization_id: str | None
    state: SessionState
    steps: list[str]
    attempts: int
    reason: str | None = None
    memory_ids: list[str]
    skipped: str | None = None


class GetSessionResponse(Response):
    """The living session; `session` is null when there is none."""

    conversation_id: str
    state: SessionState
    rev: int
    seq: int
    tokens: int
    expires_at: str | None
    session: SessionValue | None


class ProfileResponse(UserSnapshot):
    """A user's profile, empty parts included."""

    version: int
    memory_ids: list[str]


class MemorySource(Response):
    """Where a memory comes from: messages of a conversation, and words that stand in them."""

    conversation_id: str
    seqs: list[int]
    quote: str


class MemoryAnswer(SparseResponse):
    """A memory. `score` (0..1) and its parts stand in answers of a search.

    `pending`: it was said, but its session is not in long-term memory yet; it will be there under the same id.
    """

    memory_id: str
    user_id: str
    kind: Kind
    category: Category
    type: Type
    text: str
    speaker: str | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    polarity: str | None = None
    importance: float
    strength: float
    score: float | None = None
    scores: dict[str, float] | None = None
    mind: str
    pending: bool | None = None
    occurred_at: str
    recorded_at: str
    valid_from: str | None = None
    valid_to: str | None = None
    superseded_by: str | None = None
    archived_at: str | None = None
    review_at: str | None = None
    forget_at: str | None = None
    source: MemorySource


class SearchMemoriesResponse(Response):
    """The best, best first. `mode` is how it was searched; `degraded` names what was down."""

    memories: list[MemoryAnswer]
    mode: str
    degraded: list[str]


class ListMemoriesResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[MemoryAnswer]
    cursor: str


class ErasedBytes(Response):
    """Whether bytes of what was erased may still stand in files, and what is to be done by whom."""

    state: Literal["rewritten", "pending", "not ours to rewrite"] = Field(
        description="`rewritten`: no byte is left; `pending`: the gateway is at it, GetErasure says when it is done."
    )
    advice: str = Field(
        description="What happens next, or what the operator must do. Empty when nothing is left to do."
    )


class ErasureResponse(Response):
    """What became of the files since an erasure."""

    erasure_id: str = Field(description="Ask GetErasure with it; empty for a dry run.")
    state: Literal["DONE", "PENDING"] = Field(description="DONE: of the files that are ours none is pending.")
    erased_at: str = Field(description="When the last key and row was gone; empty for a dry run.")
    session_files: ErasedBytes = Field(description="Append-only file and snapshots of the Redis that holds sessions.")
    store_files: ErasedBytes = Field(description="Files of the long-term store and their logs.")


class ForgetMemoryResponse(ErasureResponse):
    """The receipt: how many memories, stretches of dialogue and sessions are gone, and what the store guarantees."""

    user_id: str
    memories: int
    memunits: int
    sessions: int
    profile: bool
    store: str
    guarantee: str
    dry_run: bool = Field(description="True: this would be gone; nothing was changed.")


class ExplainMemoryResponse(SparseResponse):
    """Reasons. For a message: the memories made of it, or why there are none; for a memory: itself and its messages."""

    memory: MemoryAnswer | None = None
    memories: list[MemoryAnswer]
    messages: list[TurnMessage]
    reasons: list[str]


class FinalizationList(Response):
    """Ended sessions that are not in memory yet."""

    finalizations: list[FinalizationResponse]


class ReplayFinalizationResponse(Response):
    """Which failed sessions are tried again."""

    conversation_id: str
    replayed: list[str]
