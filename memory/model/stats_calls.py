"""GetStats: how much there is."""

from typing import Annotated

from pydantic import Field

from memory import limits
from memory.model.fields import Id
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse
from memory.model.review import Cause

_Days = Annotated[int, Field(ge=1, le=limits.STATS_DAYS_MAX)]


class GetStatsRequest(Request):
    """How much is remembered, by state, kind, category and who found it, and on which days it was recorded.

    Of a user it is counted now: it costs what they have. Of all users, which needs the scope `admin`, the numbers of
    memories and sessions are those that a worker counted last; those who ask when they are older than a minute have
    them counted anew. Changes nothing else.
    """

    user_id: Id | None = Field(default=None, description="Whose; absent: of all users of the tenant.")
    days: _Days = Field(default=30, description="How many days, 1 to 90, up to the one on which it was counted.")


class WatchStatsRequest(Request):
    """Follow how much is remembered of all users: an event at once, and one each time it has been counted.

    Also when there are more or fewer users or open questions.

    As long as somebody does, it is counted anew as GetStats says. Changes nothing else.
    """

    days: _Days = Field(default=30, description="As GetStats takes it.")
    since: Id | None = Field(
        default=None,
        description="A revision that is known: no event tells of it. The header Last-Event-ID counts more.",
    )


class MemoryNumbers(Response):
    """Numbers of memories. Those by kind, category and mind, `shown` and `used` are of the ones held."""

    total: int = Field(description="All but links.")
    states: dict[str, int] = Field(description="How they stand: held, ended, superseded, archived.")
    kinds: dict[str, int] = Field(description="What they are: episode, fact, event, profile, created.")
    categories: dict[str, int] = Field(description="How they fade: system, core, fact, episode.")
    minds: dict[str, int] = Field(
        description="Who found them: rules, caller, tool, a model by its name; other: it came by an import."
    )
    shown: int = Field(description="Those that were recalled into a context.")
    used: int = Field(description="Those that an answer has rested on.")
    links: int = Field(description="Links, which join two memories.")


class DayNumbers(Response):
    """One day."""

    date: str = Field(description="The day by the clock of the gateway's time zone, YYYY-MM-DD.")
    recorded: int = Field(description="Memories that were recorded then, and have not been erased.")


class SessionNumbers(Response):
    """Numbers of sessions."""

    alive: int = Field(description="Those that go on.")
    ending: int = Field(description="Those that have ended and are not in memory yet.")
    failed: int = Field(description="Those that could not be brought into memory.")


class SpentToday(SparseResponse):
    """What models have cost this tenant today (UTC), with what is paid in advance."""

    tokens: int = Field(description="Tokens sent and answered.")
    tokens_max: int | None = Field(default=None, description="`budget.tokens_per_day`; absent: there is no limit.")
    money: float = Field(description="The same at the prices of section `budget`.")
    money_max: float | None = Field(default=None, description="`budget.money_per_day`; absent: there is no limit.")


class GetStatsResponse(SparseResponse):
    """How much there is. What is of all users stands there only when no user is named, `conversations` only then."""

    user_id: str | None = Field(default=None, description="Whose.")
    revision: str = Field(
        description="Names how it stands; another one when it was counted, and for other users or open questions."
    )
    computed_at: str | None = Field(default=None, description="When it was counted, RFC 3339; absent: not yet.")
    counting: bool = Field(description="Whether it is being counted anew, or is going to be.")
    memories: MemoryNumbers | None = Field(default=None, description="Absent: not counted yet.")
    by_day: list[DayNumbers] = Field(description="The last days, the earliest first; empty: not counted yet.")
    sessions: SessionNumbers | None = Field(default=None, description="Of all users, as counted.")
    users: int | None = Field(default=None, description="How many users there are, now.")
    conversations: int | None = Field(default=None, description="How many conversations of this user there are.")
    reviews: dict[Cause, int] | None = Field(default=None, description="Open questions by cause, now.")
    models: SpentToday | None = Field(default=None, description="Of all users; absent: no model is asked.")
