"""What callers send to say which memories an answer rested on, and what they get."""

from typing import Annotated, Literal

from pydantic import Field

from memory import limits
from memory.model.fields import Id, ZonedTime
from memory.model.requests import Request
from memory.model.responses import Response

Outcome = Literal["boosted", "cooling", "capped", "unused", "off", "unknown"]


class MarkUsedRequest(Request):
    """Say which memories an answer rested on: a bot knows it best. Each grows stronger, and fades later.

    What stood in a context is not strengthened by that. Where nobody says anything, a rule looks at the answers when a
    conversation ends; both together count once.
    """

    user_id: Id = Field(description="Whose memories.")
    memory_ids: Annotated[list[Id], Field(min_length=1, max_length=limits.MARKED_MAX)] = Field(
        description="Which memories, by their ids, 1 to 50."
    )
    used: bool = Field(default=True, description="False: the answer did not rest on them; nothing is added.")
    occurred_at: ZonedTime | None = Field(
        default=None, description="When it was answered, RFC 3339, not in the future; default: now."
    )


class Marked(Response):
    """What became of one memory."""

    memory_id: str = Field(description="The memory.")
    outcome: Outcome = Field(
        description="boosted: it is stronger; cooling: a use within `curation.boost_cooldown_s`, or a later one, "
        "counts already; capped: as much as a day may add; unused: as was said; off: nothing is strengthened here; "
        "unknown: this user has no such memory."
    )


class MarkUsedResponse(Response):
    """What became of each, in the order asked for."""

    results: list[Marked] = Field(description="One for each id.")
