"""What callers ask of batches: one thing that is done to many memories, seen before and followed while it is done."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.batch import BatchOp, BatchState, LeftOut
from memory.model.curation_calls import Why
from memory.model.fields import Id
from memory.model.memory_calls import MemoryAnswer, MemoryChoice
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse

OpName = Literal["forget", "archive", "restore"]


class PreviewBatchRequest(Request):
    """See what would be done to many memories of a user at once, before StartBatch does it. Changes nothing.

    What it counts is fixed: memories that come later are no part of it. It can be begun for ten minutes.
    """

    user_id: Id = Field(description="Whose memories.")
    op: OpName = Field(
        description="forget: erase for good; archive: take out of the way, as ArchiveMemory does; restore: take back."
    )
    memory_ids: Annotated[list[Id], Field(min_length=1, max_length=limits.BATCH_MEMORIES_MAX)] | None = Field(
        default=None, description="These memories, 1 to 10,000; one that is named twice counts once."
    )
    choice: MemoryChoice | None = Field(
        default=None, description="Instead of ids: those that ListMemories would list, the first 10,000 by id."
    )
    include_core: bool = Field(
        default=False,
        description="True: also what never fades (core, system). Of safety only `forget` takes anything, and only so.",
    )


class PreviewBatchResponse(SparseResponse):
    """What StartBatch would do."""

    batch_token: str | None = Field(default=None, description="Send it to StartBatch; absent: there is nothing to do.")
    expires_at: str | None = Field(default=None, description="Until when it can be begun, RFC 3339.")
    user_id: str = Field(description="Whose memories.")
    op: BatchOp = Field(description="What would be done to each.")
    count: int = Field(description="To how many memories.")
    sample: list[MemoryAnswer] = Field(description="The first of them, up to 20.")
    left_out: dict[LeftOut, int] = Field(
        description="How many are no part of it, by why: unknown (this user has no such memory), pending (its session "
        "is still to be finalised), same (it is so already), profile (made of the others), link (is forgotten, never "
        "archived), safety, core (say `include_core`)."
    )
    more: bool = Field(description="More fit `choice`: what is named here is the first 10,000.")


class StartBatchRequest(Request):
    """Do what PreviewBatch has shown, in the background. The same token again begins nothing anew."""

    batch_token: Id = Field(description="As PreviewBatch gave it.")
    user_id: Id = Field(description="Whose memories: as it was previewed, or nothing is done.")
    confirm_count: Annotated[int, Field(ge=1, le=limits.BATCH_MEMORIES_MAX)] = Field(
        description="The `count` that was previewed: with another number nothing is done."
    )
    why: Why | None = Field(default=None, description="The reason, for whoever reads it later.")


class GetJobRequest(Request):
    """How far a batch has come. What is known of it stays for a week."""

    job_id: Id = Field(description="As StartBatch gave it.")


class WatchJobRequest(GetJobRequest):
    """Follow a batch: an event at once, and one as it goes on, until it has ended. Changes nothing.

    Whichever process works on it, it is told of within 1.5 s.
    """

    since: Id | None = Field(
        default=None,
        description="A revision that is known: no event tells of it. The header Last-Event-ID counts more.",
    )


class CancelJobRequest(Request):
    """Stop a batch: what is not done yet stays as it is; what is done stays done. One that has ended stays ended."""

    job_id: Id = Field(description="As StartBatch gave it.")


class ListJobsRequest(Request):
    """List the tenant's batches of the last week, the newest first."""

    user_id: Id | None = Field(default=None, description="Only those of this user.")
    cursor: Annotated[str, StringConstraints(pattern=r"^([0-9]{1,15}-[0-9a-f]{32})?$")] = Field(
        default="", description="Where the page before ended; empty: from the newest."
    )
    limit: Annotated[int, Field(ge=1, le=limits.JOBS_PER_PAGE_MAX)] = Field(
        default=50, description="Batches of a page, 1 to 200."
    )


class JobFailure(Response):
    """A memory that stayed as it was."""

    memory_id: str = Field(description="The memory.")
    code: LeftOut = Field(description="Why: as `left_out` of PreviewBatch; failed: an error, which stands in the log.")


class JobAnswer(SparseResponse):
    """A batch."""

    job_id: str = Field(description="Which.")
    revision: str = Field(description="Names how it stands; another one after each change.")
    user_id: str = Field(description="Whose memories.")
    op: BatchOp = Field(description="What is done to each.")
    state: BatchState = Field(description="waiting, running, done or cancelled.")
    done: int = Field(description="Of how many it is decided what becomes of them.")
    total: int = Field(description="How many there are.")
    failed: int = Field(description="How many of `done` stayed as they were.")
    by: str = Field(description="Who began it: the name of the key, or `caller`.")
    why: str | None = Field(default=None, description="The reason that was given.")
    created_at: str = Field(description="When it was previewed, RFC 3339.")
    started_at: str | None = Field(default=None, description="When it began.")
    ended_at: str | None = Field(default=None, description="When it ended.")
    erasure_id: str | None = Field(
        default=None, description="Of a batch that forgets: what GetErasure takes, once it has ended."
    )


class JobResponse(JobAnswer):
    """A batch, and what stayed as it was."""

    failures: list[JobFailure] = Field(description="Those that stayed as they were, up to 1,000.")


class ListJobsResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[JobAnswer] = Field(description="The batches of this page.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
