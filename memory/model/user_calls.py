"""What callers ask of users as a whole: who there is."""

from typing import Annotated

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.fields import Id
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse
from memory.model.user_list import Order


class ListUsersRequest(Request):
    """List the tenant's users, page by page: the last active first, or by their ids. Changes nothing.

    Active is in whose name something is written in a conversation, or of whom something is told (UpsertFacts,
    UpsertPreferences, CreateMemory); reading is not. By name nobody is left out who is there all the while, whatever is
    written meanwhile. By activity nobody comes twice, and only those who become active between two pages may be left
    out: they stand at the front, on a first page that is asked for anew.
    """

    prefix: Id | None = Field(default=None, description="Only those whose id begins like this.")
    order: Order = Field(default="active", description="active: the last active first; name: by id.")
    cursor: Annotated[str, StringConstraints(max_length=limits.USER_CURSOR_CHARS_MAX)] = Field(
        default="", description="Where the page before ended, with the same order; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.USERS_PER_PAGE_MAX)] = Field(
        default=50, description="Users of a page, 1 to 200; with `prefix` by activity it may have fewer."
    )


class UserItem(SparseResponse):
    """One user."""

    user_id: str = Field(description="Who.")
    last_active_at: str | None = Field(
        default=None, description="When they were last active, to a second, RFC 3339; absent: nobody has noted it."
    )
    conversations: int = Field(description="How many conversations they have begun, but for what was forgotten.")


class ListUsersResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[UserItem] = Field(description="The users of this page.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    total: int = Field(description="How many users there are, whose ids begin like `prefix`.")
