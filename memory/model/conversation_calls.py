"""What callers ask of conversations as a whole: which a user has, what was said and done in one, what changes."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.fields import Id
from memory.model.lifecycle import SessionState
from memory.model.requests import ConversationRequest, Request
from memory.model.responses import Response, SparseResponse
from memory.model.session import Mode


class ListConversationsRequest(Request):
    """List a user's conversations, living and ended, page by page in the order of their ids. Changes nothing."""

    user_id: Id = Field(description="Whose.")
    state: Literal["ACTIVE", "ENDING", "ENDED", "FAILED"] | None = Field(
        default=None, description="Only those that stand so; a page may then have fewer than `limit`."
    )
    cursor: Annotated[str, StringConstraints(max_length=limits.ID_CHARS_MAX)] = Field(
        default="", description="Where the page before ended; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.CONVERSATIONS_PER_PAGE_MAX)] = Field(
        default=50, description="Conversations of a page, 1 to 200."
    )


class ConversationItem(SparseResponse):
    """One conversation as it stands."""

    conversation_id: str = Field(description="Which.")
    state: SessionState = Field(description="ACTIVE: it goes on; ENDING, FAILED: on its way into memory; ENDED.")
    turns: int = Field(description="How many turns it has had.")
    messages: int = Field(description="Number of its last message.")
    started_at: str | None = Field(default=None, description="When its last session, or stretch, began, RFC 3339.")
    updated_at: str | None = Field(default=None, description="When something was last said in it, RFC 3339.")
    mode: Mode | None = Field(default=None, description="Of a living one: FULL_HISTORY or SUMMARY_N.")
    tokens: int | None = Field(default=None, description="Of a living one: what its window and summary cost a model.")
    subject: str | None = Field(default=None, description="Of an ended one: what it was about last, in a few words.")
    summary: str | None = Field(default=None, description="What it comes to, where somebody has summarised it.")
    finalization_id: str | None = Field(default=None, description="Of the session that ended last.")
    reason: str | None = Field(default=None, description="Of a FAILED one: why.")


class ListConversationsResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[ConversationItem] = Field(description="The conversations of this page.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    total: int = Field(description="How many conversations the user has, in whatever state.")


class GetTimelineRequest(ConversationRequest):
    """What was said and done in a conversation, over all its sessions, in order: a look that changes nothing.

    It takes no lease, renews no session and counts nothing as shown.
    """

    user_id: Id | None = Field(default=None, description="Look at what is this user's only.")
    after_seq: Annotated[int, Field(ge=0, le=limits.REVISION_MAX)] = Field(
        default=0, description="Go on after this number; 0: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.TIMELINE_PER_PAGE_MAX)] = Field(
        default=200, description="Entries of a page, about, 1 to 500."
    )


class GivenContext(SparseResponse):
    """What stood in the context that the bot was given for an answer, beside what was said in the conversation."""

    at: str = Field(description="When it was asked for, RFC 3339.")
    agent_code: str | None = Field(default=None, description="The agent that asked, where it said so.")
    mode: Mode = Field(description="FULL_HISTORY: all that was said; SUMMARY_N: the last summary and turns after it.")
    from_seq: int | None = Field(default=None, description="The first message that stood in it; absent: none did.")
    tokens: int = Field(description="What all of it, with the question, cost a model.")
    memory_ids: list[str] = Field(
        description="Memories that were recalled. One that GetMemory does not find is forgotten."
    )
    fact_ids: list[str] = Field(description="Safety facts that stood in it, the first 100, by `fact_id`.")


class TimelineEntry(SparseResponse):
    """A message, or what was done: which of the fields it has is said by `type`."""

    type: str = Field(
        description="message; checkpoint: a summary took the place of earlier turns; memunit: a stretch up to here "
        "is in memory; facts, preferences and others: what a caller noted in the conversation."
    )
    seq: int = Field(description="Its number in the conversation; of memunit that of its last message.")
    at: str = Field(description="When, RFC 3339.")
    turn: int | None = Field(default=None, description="Of a message: the number of its turn.")
    role: str | None = Field(default=None, description="Of a message: who, as a model's API names it.")
    name: str | None = Field(default=None, description="Who of several people or tools.")
    agent_code: str | None = Field(default=None, description="The agent that wrote it.")
    content: str | None = Field(default=None, description="Of a message: what was said.")
    tokens: int | None = Field(default=None, description="Tokens of the message, or of the summary.")
    occurred_at: str | None = Field(default=None, description="When it was said, where the writer told.")
    given: GivenContext | None = Field(
        default=None,
        description="Of an answer: what was remembered in the context that was asked for before it. Absent: nothing "
        "was, or the answer does not follow one.",
    )
    checkpoint_id: str | None = Field(default=None, description="Of a checkpoint: its id.")
    covers_seq: int | None = Field(default=None, description="Of a checkpoint: up to which message it summarises.")
    recent_turns: int | None = Field(default=None, description="Of a checkpoint: turns shown in full beside it.")
    summary: str | None = Field(default=None, description="Of a checkpoint or memunit: what it says.")
    unit_id: str | None = Field(default=None, description="Of a memunit: its id, for GetMemUnit.")
    subject: str | None = Field(default=None, description="Of a memunit: what it is about.")
    noted: dict[str, Any] | None = Field(default=None, description="Of what a caller noted: what.")


class GetTimelineResponse(SparseResponse):
    """A page of it."""

    conversation_id: str = Field(description="Which conversation.")
    head: ConversationItem = Field(description="How it stands.")
    revision: str = Field(description="Names how it stood before this was looked up, as WatchConversation does.")
    entries: list[TimelineEntry] = Field(description="In order.")
    next_after_seq: int | None = Field(default=None, description="Send it for the next page; absent: this is the last.")


class WatchConversationRequest(ConversationRequest):
    """Follow a conversation: an event at once, and one after each change of it. Changes nothing.

    Whichever process makes the change, it is told of within 1.5 s. An event says how the conversation stands and not
    what was said: GetTimeline has that. It takes no lease, renews no session and counts nothing as shown.
    """

    user_id: Id | None = Field(default=None, description="Follow what is this user's only.")
    since: Id | None = Field(
        default=None,
        description="A revision that is known: no event tells of it. The header Last-Event-ID counts more.",
    )


class ConversationChanged(SparseResponse):
    """How a conversation stands after a change."""

    conversation_id: str = Field(description="Which conversation.")
    revision: str = Field(description="Names how it stands; another one after each change. The event's id too.")
    state: SessionState = Field(description="As of GetTimeline's `head`.")
    rev: int | None = Field(default=None, description="Of a living one: what writes call its revision.")
    seq: int = Field(description="Number of its last message.")
    turn_count: int = Field(description="How many turns it has had.")
    mode: Mode | None = Field(default=None, description="Of a living one: FULL_HISTORY or SUMMARY_N.")
    updated_at: str | None = Field(default=None, description="When something was last said in it, RFC 3339.")
    expires_at: str | None = Field(default=None, description="Of a living one: when it ends if nothing more is said.")
    finalization_id: str | None = Field(default=None, description="Of the session that ended last.")
