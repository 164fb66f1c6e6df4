"""What GetMemUnit and ListMemUnits are asked, and what they answer."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.fields import Id
from memory.model.memory_calls import MemoryAnswer
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse, TurnMessage


class GetMemUnitRequest(Request):
    """Read one MemUnit: a stretch of a conversation that has ended, as it was said, with all that was made of it."""

    user_id: Id = Field(description="Whose.")
    unit_id: Id = Field(description="Which, as a list or the `source` of a memory names it.")


class ListMemUnitsRequest(Request):
    """List a user's MemUnits page by page, in the order of their ids: what their memories are derived from."""

    user_id: Id = Field(description="Whose.")
    conversation_id: Id | None = Field(default=None, description="Only those of this conversation.")
    include: list[Literal["original_data"]] = Field(
        default_factory=list, max_length=1, description='["original_data"]: with the messages as they were said.'
    )
    cursor: Annotated[str, StringConstraints(max_length=64)] = Field(
        default="", description="Where the page before ended; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.MEMUNITS_PER_PAGE_MAX)] = Field(
        default=20, description="MemUnits of a page, 1 to 100."
    )


class MemUnitAnswer(SparseResponse):
    """A stretch of a conversation that has ended, and what was made of it. Numbers of messages are inclusive."""

    unit_id: str = Field(description="Id of the MemUnit.")
    user_id: str = Field(description="Whose it is.")
    user_id_list: list[str] = Field(description="The users whose memory it is.")
    conversation_id: str = Field(description="The conversation that it is of.")
    group_id: str | None = Field(
        default=None, description="The conversation again, where more than one person speaks in it."
    )
    source_type: Literal["CONVERSATION"] = Field(description="What it was made of.")
    subject: str = Field(description="What it is about, in a few words.")
    summary: str = Field(description="What the conversation comes to by its end.")
    narrative: str = Field(description="What was said in it, in order.")
    participants: list[str] = Field(description="Who speaks: names, agents, roles.")
    session_number: int = Field(description="Which session of the conversation, from 1.")
    seq_from: int = Field(description="Number of its first message.")
    seq_to: int = Field(description="Number of its last message.")
    turn_from: int = Field(description="Number of its first turn.")
    turn_to: int = Field(description="Number of its last turn.")
    timestamp: str = Field(description="When its first message was written, RFC 3339.")
    ended_at: str = Field(description="When its last message was written, RFC 3339.")
    memory_ids: list[str] = Field(description="The memories that were made of it and are still there.")
    original_data: list[TurnMessage] | None = Field(
        default=None, description="Its messages as they were said, identifiers as the policy keeps them."
    )
    memories: list[MemoryAnswer] | None = Field(default=None, description="Those memories; GetMemUnit shows them.")


class ListMemUnitsResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[MemUnitAnswer] = Field(description="The MemUnits of this page, in the order of their ids.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    total_count: int = Field(description="How many there are in all, of this conversation when one is named.")
