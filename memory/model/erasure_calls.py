"""What ForgetMemory and GetErasure are asked, and what they answer."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from memory import limits
from memory.model.fields import Id
from memory.model.requests import Request
from memory.model.responses import Response


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

    user_id: GivenId = Field(default=None, description="Whose; alone it erases all of the user.")
    memory_id: GivenId = Field(default=None, description="This memory only.")
    conversation_id: GivenId = Field(default=None, description="All of this conversation only.")
    dry_run: bool = Field(default=False, description="Only count what would be gone; nothing is changed.")
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=limits.ERASURE_WAIT_MS, description="How long to wait for files to be cleaned; then they are `pending`."
    )


class GetErasureRequest(Request):
    """Ask whether the bytes of what was erased are gone from our files by now: for 30 days, by a receipt's id."""

    erasure_id: Id = Field(description="`erasure_id` of a receipt of ForgetMemory.")
    wait_ms: Annotated[int, Field(ge=0, le=limits.WAIT_MS_MAX)] = Field(
        default=0, description="How long to wait for it; the answer comes at once by default."
    )


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

    user_id: str = Field(description="Whose.")
    memories: int = Field(description="Memories that were erased.")
    memunits: int = Field(description="Stretches of dialogue that were erased.")
    sessions: int = Field(description="Sessions that were ended and erased.")
    profile: bool = Field(description="Whether the profile was erased too.")
    store: str = Field(description="The long-term store: sqlite or weaviate.")
    guarantee: str = Field(description="What that store guarantees of the bytes on disk.")
    dry_run: bool = Field(description="True: this would be gone; nothing was changed.")
