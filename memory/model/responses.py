"""What operations answer. Times are RFC 3339 UTC."""

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from memory.model.lifecycle import SessionState
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


class SafetyDetail(SparseResponse):
    """One safety fact, and who said it, where, and how sure it is."""

    subject: str | None = Field(default=None, description="Of a relative's: who it is, as said.")

    kind: Literal["allergy", "disease", "surgery", "pregnancy", "breast_feeding", "implant", "anticoagulant"] = Field(
        description="What it is about."
    )
    text: str = Field(description="What it is; `*` with `denied`: anything of this kind.")
    status: Literal["possible", "said", "remembered", "confirmed"] = Field(
        description="possible: ask the user; said: in a session that goes on; remembered: in memory; confirmed: by a"
        " caller."
    )
    denied: bool | None = Field(
        default=None, description="True: it is not so, as the user said of `*` (anything), or a caller of this."
    )
    quote: str | None = Field(default=None, description="The words that say it.")
    reaction: str | None = Field(default=None, description="What the body did.")
    conversation_id: str | None = Field(default=None, description="Where it was said.")
    seq: int | None = Field(default=None, description="Number of the message that says it.")
    said_at: str | None = Field(default=None, description="When it was said, RFC 3339.")
    fact_id: str | None = Field(default=None, description="What ConfirmFacts takes; it stays when the session ends.")
    memory_id: str | None = Field(default=None, description="The memory that it is; missing while it is only said.")
    why: str | None = Field(default=None, description="Why a caller has decided so.")


class Safety(Response):
    """A user's safety facts. The lists hold what is sure; `details` says of each who said it, and what is possible."""

    allergies: list[str] = Field(description="Allergies, in the order in which they became known.")
    chronic_diseases: list[str] = Field(description="Diseases that last, in the order in which they became known.")
    surgery_history: list[str] = Field(description="Operations, in the order in which they became known.")
    states: list[str] = Field(description="Pregnancy, breast-feeding, implants, anticoagulants.")
    details: list[SafetyDetail] = Field(description="Each fact with its source; also what a person has to confirm.")
    no_known_allergies: bool = Field(description="The user said that there are none, and none is known.")


class ChatMessage(Response):
    """One message as a model takes it."""

    role: Literal["user", "assistant", "tool", "system"] = Field(description="Who said it.")
    content: str = Field(description="The words.")


class TurnMessage(ChatMessage):
    """One message with where and when it was said."""

    seq: int = Field(description="Number of the message in the conversation, from 1.")
    turn: int = Field(description="Number of its turn, from 1.")
    at: str = Field(description="When it was written, RFC 3339.")
    tokens: int = Field(description="Tokens of its line in `history`, label included.")
    name: str | None = Field(default=None, description="Who of several people or tools.")
    agent_code: str | None = Field(default=None, description="The agent that wrote it.")
    occurred_at: str | None = Field(default=None, description="When it was said, where the writer told.")


class MetaInfo(Response):
    """The original's meta part. `updated_at` is in seconds since the epoch."""

    conversation_id: str = Field(description="Which conversation.")
    user_id: str = Field(description="Whose conversation it is; empty: nobody's yet.")
    updated_at: int = Field(description="The last write, in whole seconds since 1970.")


class FlowContext(Response):
    """The original's flow part."""

    current_agent_key: str = Field(description="The agent that wrote last; empty: none.")
    last_bot_message: str = Field(description="What an agent said last.")
    turn_count: int = Field(description="Turns in the conversation; a user message begins one.")


class MessageContext(SparseResponse):
    """The original's message part."""

    summary: str = Field(description="The summary that stands for what is not sent in full; empty: none.")
    window_messages: list[ChatMessage] | None = Field(description="The messages that are sent in full.")
    mode: Mode = Field(description="FULL_HISTORY: everything is sent; SUMMARY_N: a summary and the last turns.")
    checkpoint_message_id: str | None = Field(
        default=None, description="Id of the checkpoint that the summary belongs to; empty: none in this session."
    )


class GlobalState(SparseResponse):
    """The original's state part: `shared` and `entities` are the same; only the asking agent's slot is there."""

    shared: dict[str, Any] | None = Field(description="What all agents share, by name.")
    entities: dict[str, Any] | None = Field(default=None, description="The same as `shared`.")
    agent_slots: dict[str, Any] | None = Field(
        default=None, description="The asking agent's private slot, by its code."
    )
    current_intent: str | None = Field(default=None, description="What the user wants now.")
    pending_action: dict[str, Any] | None = Field(
        default=None, description="An operation that waits for the user's word."
    )


class UserSnapshot(SparseResponse):
    """The original's user part; `chronic_diseases` is what the original wrongly called `history`."""

    user_id: str = Field(description="Whose profile it is.")
    name: str | None = Field(default=None, description="Name of the user, as told or as they said it.")
    allergies: list[str] | None = Field(default=None, description="Allergies, in the order in which they became known.")
    chronic_diseases: list[str] | None = Field(
        default=None, description="Diseases that last, in the order in which they became known."
    )
    surgery_history: list[str] | None = Field(
        default=None, description="Operations, in the order in which they became known."
    )
    states: list[str] | None = Field(default=None, description="Pregnancy, breast-feeding, implants, anticoagulants.")
    details: list[SafetyDetail] | None = Field(default=None, description="Each safety fact with its source.")
    relatives: list[SafetyDetail] | None = Field(default=None, description="Those of relatives.")
    no_known_allergies: bool | None = Field(
        default=None, description="The user said that there are none, and none is known."
    )
    preferences: dict[str, Any] | None = Field(default=None, description="Preferences by name; values are any JSON.")


class SessionValue(Response):
    """The five-part working state, with the original's JSON names. Empty optional parts are left out."""

    meta: MetaInfo = Field(description="Whose it is and when it last changed.")
    flow_context: FlowContext = Field(description="Who spoke last.")
    message_context: MessageContext = Field(description="What is sent of the dialogue.")
    global_state: GlobalState = Field(description="What the agents work with.")
    user_snapshot: UserSnapshot = Field(description="What is known of the user.")


class CreateShortMemoryResponse(Response):
    """The session as it is now; `created` is false when it was there already."""

    conversation_id: str = Field(description="Which conversation.")
    created: bool = Field(description="False when it was there already.")
    resumed: bool = Field(description="Whether the session goes on from an earlier one of the conversation.")
    mode: Mode = Field(description="FULL_HISTORY: everything is sent; SUMMARY_N: a summary and the last turns.")
    rev: int = Field(description="Revision of the session: grows by one with every write.")
    expires_at: str = Field(description="When the session ends unless something is written, RFC 3339.")


class ContextBlock(Response):
    """A part of `context`."""

    name: Literal["safety", "time", "core", "summary", "tools", "recalled"] = Field(
        description="Which: in this order, those that there are."
    )
    text: str = Field(description="Its words, as they stand in `context`.")
    tokens: int = Field(description="What it costs a model.")


class QueryMemoryContextResponse(SparseResponse):
    """What a bot should send to its model now."""

    conversation_id: str = Field(description="Which conversation.")
    session_state: SessionState = Field(description="NONE: nobody has written; ACTIVE; ENDING: becoming memory; ENDED.")
    rev: int = Field(description="Revision of the session: grows by one with every write.")
    seq: int = Field(description="Number of the last message in the conversation, from 1; 0: none yet.")
    turn_count: int = Field(description="Turns in the conversation; a user message begins one.")
    resumed: bool = Field(description="Whether the session goes on from an earlier one of the conversation.")
    mode: Mode = Field(description="FULL_HISTORY: everything is sent; SUMMARY_N: a summary and the last turns.")
    history: str = Field(description="The window as text, the summary first when there is one.")
    messages: list[ChatMessage] = Field(
        description="The same window as chat messages; what a tool gave is a message of the user, with its label."
    )
    context: str = Field(
        description="For the system prompt: safety facts, what is always kept in mind (the name, what was "
        "promoted to core), summary, what tools gave last, recalled memories."
    )
    safety: Safety = Field(description="The user's safety facts, as lists.")
    relatives: list[SafetyDetail] = Field(description="What was said of the safety of relatives, never in `safety`.")
    memories: list[dict[str, Any]] = Field(
        description="What was recalled for the query, the best first; fields as in SearchMemories."
    )
    summary: str = Field(description="The summary that stands for what is not sent in full; empty: none.")
    checkpoint_message_id: str = Field(
        description="Id of the checkpoint that the summary belongs to; empty: none in this session."
    )
    estimated_tokens: int = Field(
        description="Tokens of `history`, `query`, and what of `context` `history` has not; within 2 % of the text."
    )
    token_ratio: float = Field(description="`estimated_tokens` as a share of the model's window.")
    should_checkpoint_summary: bool = Field(
        description="Whether you should call CheckpointShortMemory now; one caller at a time is asked."
    )
    window_shrunk: bool = Field(description="Covered turns were left out, because the rest would not fit.")
    degraded: list[str] = Field(description="What was down while this was answered; empty: nothing was missing.")
    full_history: str | None = Field(
        default=None, description="Every turn of the session as text, up to 1 MiB an answer; only when asked for."
    )
    full_history_cursor: str | None = Field(
        default=None, description="There are more turns: name it in the next request. Absent on the last page."
    )
    turns: list[TurnMessage] | None = Field(
        default=None, description="The window with numbers, agents and times; only when asked for."
    )
    session: SessionValue | None = Field(default=None, description="The working state; only when asked for.")
    explain: dict[str, Any] | None = Field(
        default=None, description="The figures that the window was chosen by; only when asked for."
    )
    blocks: list[ContextBlock] | None = Field(
        default=None, description="The parts of `context` with their tokens; only when asked for."
    )


NO_USER: Final = "no_user"


class WriteResponse(Response):
    """Where a write left the session. `replayed`: the idempotency key was known, nothing was written again."""

    conversation_id: str = Field(description="Which conversation.")
    mode: Mode = Field(description="FULL_HISTORY: everything is sent; SUMMARY_N: a summary and the last turns.")
    updated_at: str = Field(description="When it was written, RFC 3339.")
    rev: int = Field(description="Revision of the session: grows by one with every write.")
    seq: int = Field(description="Number of the last message in the conversation, from 1; 0: none yet.")
    turn_count: int = Field(description="Turns in the conversation; a user message begins one.")
    replayed: bool = Field(description="True: this idempotency key was done before, nothing was written again.")
    warnings: list[str] | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="What to know of it; absent when there is nothing. `no_user`: no write of this session has "
        "named a user_id yet, so nothing of it can be remembered for a person.",
    )


class UpdateGlobalStateResponse(WriteResponse):
    """As a write."""


class CheckpointShortMemoryResponse(Response):
    """The checkpoint that now stands."""

    conversation_id: str = Field(description="Which conversation.")
    checkpoint_message_id: str = Field(description="Id of this checkpoint.")
    covers_seq: int = Field(description="Number of the last message that the summary covers.")
    mode: Mode = Field(description="FULL_HISTORY: everything is sent; SUMMARY_N: a summary and the last turns.")
    token_ratio: float = Field(
        description="What a query would now send, without its own words, as a share of the model's window."
    )
    rev: int = Field(description="Revision of the session: grows by one with every write.")
    summary: str = Field(description="The summary that stands for what is not sent in full; empty: none.")


class FinalizationResponse(SparseResponse):
    """Where an ended session stands. `steps` are those that were taken; `skipped` says why nothing was stored."""

    conversation_id: str = Field(description="Which conversation.")
    finalization_id: str | None = Field(description="Id of this ending; null when its record is gone or not made yet.")
    state: SessionState = Field(description="ENDING, ENDED or FAILED.")
    steps: list[str] = Field(description="Steps that were taken, in order.")
    attempts: int = Field(description="How often it was tried.")
    reason: str | None = Field(default=None, description="Why the last attempt failed.")
    memory_ids: list[str] = Field(description="Ids of what it left.")
    skipped: str | None = Field(default=None, description="Why nothing was stored, e.g. `empty`.")


class GetSessionResponse(Response):
    """The living session; `session` is null when there is none."""

    conversation_id: str = Field(description="Which conversation.")
    state: SessionState = Field(description="NONE, ACTIVE, ENDING, ENDED or FAILED.")
    rev: int = Field(description="Revision of the session: grows by one with every write.")
    seq: int = Field(description="Number of the last message in the conversation, from 1; 0: none yet.")
    tokens: int = Field(description="Tokens of the messages that are sent in full.")
    expires_at: str | None = Field(description="When the session ends unless something is written, RFC 3339.")
    session: SessionValue | None = Field(description="The working state; null: no session is alive.")
    degraded: list[str] = Field(description="What could not be read: history, profile, safety, safety_limit.")


class ProfileResponse(UserSnapshot):
    """A user's profile, empty parts included."""

    version: int = Field(description="Grows by one with every change that a caller made; 0: none.")
    memory_ids: list[str] = Field(description="Ids of the memories behind this answer.")
    degraded: list[str] = Field(description="What could not be read: safety, safety_limit.")


class UnfinishedSession(FinalizationResponse):
    """An ended session as its tenant's admin sees it, who may know whose it is."""

    user_id: str | None = Field(default=None, description="Whose it was.")
    sealed_at: str = Field(description="When it ended, RFC 3339.")
    cause: str = Field(description="Why it ended: asked, idle, age (too old) or full.")


class FinalizationList(Response):
    """Ended sessions that are not in memory yet; an empty cursor says that it is the last page."""

    finalizations: list[UnfinishedSession] = Field(description="Oldest first.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")


class ReplayFinalizationResponse(Response):
    """Which failed sessions are tried again."""

    conversation_id: str = Field(description="Which conversation.")
    replayed: list[str] = Field(description="Ids of the endings that are tried again.")
