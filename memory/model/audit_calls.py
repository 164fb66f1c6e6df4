"""What callers ask of the audit: who asked for what."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.fields import Id, Rfc3339
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse


class ListAuditRequest(Request):
    """List who asked for what in this tenant, the newest first; never what was asked or answered.

    Of somebody who was forgotten the entries stay, and no longer say of whom they are: ask by `user_id` to find them.
    Changes nothing, but is an entry itself.
    """

    user_id: Id | None = Field(
        default=None, description="Only what was about this user, in conversations of theirs that are known too."
    )
    conversation_id: Id | None = Field(default=None, description="Only what was about this conversation.")
    operation: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        default=None, description="Only this operation, or SignIn at the console."
    )
    key: Annotated[str, StringConstraints(max_length=limits.NAME_CHARS_MAX)] | None = Field(
        default=None, description="Only what was asked with the API key of this name."
    )
    outcome: Literal["all", "refused"] = Field(default="all", description="refused: what was not answered with 200.")
    since: Rfc3339 | None = Field(default=None, description="Not what was written down before.")
    until: Rfc3339 | None = Field(default=None, description="Not what was written down then or later.")
    cursor: Annotated[str, StringConstraints(pattern=r"^([0-9]{1,15}-[0-9]{1,19})?$")] = Field(
        default="", description="Where the page before ended; empty: from the newest."
    )
    limit: Annotated[int, Field(ge=1, le=limits.AUDIT_PER_PAGE_MAX)] = Field(
        default=50, description="Entries of a page, 1 to 500; where few of very many match it may have fewer."
    )


class AuditItem(SparseResponse):
    """One request."""

    at: str = Field(description="When it was answered, RFC 3339.")
    key: str | None = Field(default=None, description="The name of the API key; absent: it has none.")
    operation: str = Field(description="What was asked for.")
    status: int = Field(description="200, or how it was refused: a status of HTTP.")
    user_id: str | None = Field(
        default=None, description="Whom it was about, when they are known: of somebody forgotten `user` alone stays."
    )
    user: str | None = Field(
        default=None, description="The same as 12 digits of a digest, as in logs; absent: it named nobody."
    )
    conversation: str | None = Field(
        default=None, description="12 digits of the digest of the conversation it named, as in logs."
    )
    memory_id: str | None = Field(default=None, description="The memory that it named.")


class ListAuditResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[AuditItem] = Field(description="The entries of this page.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")


class ListKeysRequest(Request):
    """List the API keys of this tenant by name; nothing of the keys themselves.

    A new one is made by `anamnesis new-key` and put into `auth.keys`. Changes nothing.
    """

    revoked: bool = Field(default=True, description="Also those that were revoked, and are not let in any more.")


class KeyItem(SparseResponse):
    """One API key."""

    name: str | None = Field(default=None, description="What the audit calls it; absent: it has no name.")
    scopes: list[str] = Field(description="What it may do: read, write, erase, admin, operate.")
    revoked: bool = Field(description="True: it is not let in any more.")
    last_used_at: str | None = Field(
        default=None,
        description="When a key of this name last asked for something, RFC 3339; absent: not among the tenant's last "
        "10,000 requests, or not since the audit goes back.",
    )


class ListKeysResponse(Response):
    """All of them."""

    items: list[KeyItem] = Field(description="The keys, by their names.")
    open: bool = Field(description="True: the gateway has no keys, and everybody on its machine may do all.")
