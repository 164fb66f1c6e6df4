"""What callers ask of long-term memory, and a memory as they see it."""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import AliasChoices, BeforeValidator, Field, StringConstraints

from memory import limits
from memory.model.as_models_write import several, stretch, unless_null, whole
from memory.model.fields import (
    CategoryName,
    Id,
    KindName,
    Query,
    RelationType,
    Revision,
    Rfc3339,
    SearchedKind,
    TimeZone,
    TypeName,
)
from memory.model.memory import Category, Kind, StateName, Type
from memory.model.requests import ZONE, Request
from memory.model.responses import Response, SparseResponse, TurnMessage

WHOLE: Final = BeforeValidator(whole)


class TimeRange(Request):
    """A stretch of time, RFC 3339 or in words: 昨天, last week, 2025-11."""

    start: Annotated[str, StringConstraints(max_length=limits.NAME_CHARS_MAX)] | None = Field(
        default=None, description="From when."
    )
    end: Annotated[str, StringConstraints(max_length=limits.NAME_CHARS_MAX)] | None = Field(
        default=None, description="Until when; a day, week or month counts whole."
    )


class SearchMemoriesRequest(Request):
    """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source."""

    user_id: Id = Field(description="Whose memories.")
    query: Query = Field(description="What to look for, up to 10,000 characters.")
    mode: Literal["keyword", "vector", "hybrid"] = Field(
        default="hybrid", description="keyword: by words; vector: by meaning; hybrid: both."
    )
    SYNONYMS: ClassVar = {"max_results": "limit", "memory_types": "types"}
    """Other names of fields. Both may be sent, with the same value."""

    limit: Annotated[int, Field(ge=1, le=limits.MEMORIES_PER_SEARCH_MAX), BeforeValidator(whole), unless_null(10)] = (
        Field(
            default=10,
            validation_alias=AliasChoices("limit", "max_results"),
            description="Memories at most, 1 to 200; `max_results` is the same.",
        )
    )
    kinds: list[SearchedKind] | None = Field(
        default=None,
        max_length=len(Kind),
        description="Only these kinds: episode, fact, event, created, profile. Default: all but profiles.",
    )
    categories: list[CategoryName] | None = Field(
        default=None, max_length=len(Category), description="Only these: system, core, fact, episode."
    )
    types: Annotated[list[TypeName] | None, BeforeValidator(several)] = Field(
        default=None,
        max_length=len(Type),
        validation_alias=AliasChoices("types", "memory_types"),
        description="Only these: event (事件), fact (事实), relation (关系), opinion (观点); also `memory_types`.",
    )
    conversation_id: Id | None = Field(default=None, description="Only what comes from this conversation.")
    time_range: Annotated[TimeRange | None, BeforeValidator(stretch)] = Field(
        default=None, description="What happened between these, instead of `time_from` and `time_to`."
    )
    time_from: Rfc3339 | None = Field(default=None, description="What happened at this time or later.")
    time_to: Rfc3339 | None = Field(default=None, description="What happened before this time.")
    as_of: Rfc3339 | None = Field(default=None, description="What was held to be true then, superseded since or not.")
    radius: Annotated[float, Field(ge=-1, le=1)] | None = Field(
        default=None, description="The least cosine of a match by meaning."
    )
    group_by: Literal["conversation"] | None = Field(default=None, description="The best of each conversation only.")
    explain: bool = Field(default=False, description="Show each part of the scores.")
    search_mode: Literal["fast", "auto", "deep"] | None = Field(
        default=None,
        description="fast: what fits the query; deep: also what hangs together with that; auto: deep where it "
        "asks why, or what belongs together. Default: deep where `expand_depth` or `relations` is sent, else "
        "`graph.search_mode`.",
    )
    expand_depth: Annotated[
        Annotated[int, Field(ge=0, le=limits.EXPAND_DEPTH_MAX)] | None, WHOLE, unless_null(None)
    ] = Field(default=None, description="How many steps a deep search goes on, up to 3; default: 1.")
    relations: Annotated[list[RelationType] | None, BeforeValidator(several)] = Field(
        default=None,
        max_length=4,
        description="Follow only these: causes (因为, 所以, 导致), cites (引用), based_on (基于), related (相关).",
    )
    timezone: TimeZone | None = Field(
        default=None, description=ZONE + "for days that the query names; default: the user's, else `session.timezone`."
    )

    def goes(self, default: str) -> str:
        """How it is searched: who says how many links to follow, or which, means that they be followed."""
        return self.search_mode or ("deep" if self.relations or self.expand_depth is not None else default)

    @property
    def steps(self) -> int:
        """How many steps a deep search goes on."""
        return 1 if self.expand_depth is None else self.expand_depth


class GetMemoryRequest(Request):
    """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once."""

    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    memory_id: Id = Field(description="Which memory, as a search or a list named it.")


class MemoryChoice(Request):
    """Which of a user's memories: all that fit each of these."""

    kinds: list[KindName] | None = Field(
        default=None,
        max_length=len(Kind),
        description="Only these kinds: episode, fact, event, created, profile, link. Default: all but links.",
    )
    categories: list[CategoryName] | None = Field(
        default=None, max_length=len(Category), description="Only these: system, core, fact, episode."
    )
    types: Annotated[list[TypeName] | None, BeforeValidator(several)] = Field(
        default=None, max_length=len(Type), description="Only these: event, fact, relation, opinion."
    )
    states: list[StateName] | None = Field(
        default=None,
        max_length=4,
        description="Only these: held; ended (denied or over); superseded (another took its place); archived. "
        "Default: held and ended.",
    )
    contains: Annotated[str, StringConstraints(max_length=limits.NAME_CHARS_MAX)] | None = Field(
        default=None, description="Only what has these letters in its text or object, whatever their case."
    )
    conversation_id: Id | None = Field(default=None, description="Only what comes from this conversation.")


class ListMemoriesRequest(MemoryChoice):
    """List a user's memories page by page, in the order of their ids; a page may have fewer than `limit`."""

    user_id: Id = Field(description="Whose memories.")
    cursor: Annotated[str, StringConstraints(max_length=64)] = Field(
        default="", description="Where the page before ended; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.MEMORIES_PER_PAGE_MAX)] = Field(
        default=100, description="Memories of a page, 1 to 1,000."
    )


class ExplainMemoryRequest(Request):
    """Why a memory is what it is, or what became of one message of a conversation and why.

    With `user_id` nothing of another user is found.
    """

    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    memory_id: Id | None = Field(default=None, description="Explain this memory.")
    conversation_id: Id | None = Field(
        default=None, description="Explain a message of this conversation; send `seq` too."
    )
    seq: Revision | None = Field(default=None, description="Number of the message in its conversation, from 1.")
    locale: Literal["zh", "en"] = Field(default="en", description="Language of `reasons`: zh or en.")


class MemorySource(SparseResponse):
    """Where a memory comes from: messages of a conversation, and words that stand in them."""

    conversation_id: str = Field(description="The conversation; empty: told by a caller outside of one.")
    unit_id: str | None = Field(
        default=None, description="The MemUnit that it was made of, for GetMemUnit; absent: of none, or not stored yet."
    )
    seqs: list[int] = Field(description="Numbers of its messages.")
    quote: str = Field(description="Words that stand there.")


class MemoryAnswer(SparseResponse):
    """A memory. `score` (0..1) and its parts stand in answers of a search.

    `pending`: it was said, but its session is not in long-term memory yet; it will be there under the same id.
    """

    memory_id: str = Field(description="Id of the memory.")
    user_id: str = Field(description="Whose it is.")
    kind: Kind = Field(description="episode, fact, event, created, profile or link.")
    category: Category = Field(description="How it fades: system and core never, fact and episode with time.")
    type: Type = Field(description="event, fact, relation or opinion.")
    text: str = Field(description="What is remembered, in words that stand alone.")
    speaker: str | None = Field(default=None, description="Who said it, where several people speak.")
    subject: str | None = Field(
        default=None, description="Of whom or what it is; `user`: the user; of a verdict a label."
    )
    predicate: str | None = Field(default=None, description="What of them: allergy, disease, job, ...")
    object: str | None = Field(default=None, description="The value.")
    polarity: str | None = Field(default=None, description="`+`: it is so; `-`: it was denied.")
    attributes: dict[str, str] | None = Field(
        default=None, description="What else is said of it: dose, frequency, duration, severity, side, value, result."
    )
    importance: float = Field(description="0 to 1.")
    strength: float = Field(description="How strong: 1, and what answers that rested on it have added.")
    score: float | None = Field(default=None, description="How well it fits the query, 0 to 1.")
    scores: dict[str, float] | None = Field(
        default=None, description="The parts of the score; only when asked to explain."
    )
    shown: int = Field(description="In how many contexts it stood, counted once in two hours.")
    accesses: int = Field(description="How many answers rested on it.")
    mind: str = Field(description="Who read it out of the dialogue: rules, a model by name, caller, or tool.")
    verified: bool | None = Field(
        default=None, description="True: a caller told it, or a person confirmed it; absent: it was read out of words."
    )
    status: str | None = Field(
        default=None, description="Of a created memory: staged (its meaning is not compared yet) or consolidated."
    )
    distance: int | None = Field(
        default=None, description="In a deep search: how many links it stands off what was found; 0: it was found."
    )
    path: list[str] | None = Field(
        default=None,
        description="The way to it: what was found, then a link (or what both name) and a memory in turn.",
    )
    pending: bool | None = Field(default=None, description="True: said, and its session is not in memory yet.")
    occurred_at: str = Field(description="When it happened or was said, RFC 3339.")
    recorded_at: str = Field(description="When it became memory, RFC 3339.")
    updated_at: str | None = Field(default=None, description="When a caller last changed it, RFC 3339; absent: never.")
    valid_from: str | None = Field(default=None, description="Since when it holds, RFC 3339.")
    valid_to: str | None = Field(default=None, description="Until when it held, RFC 3339.")
    superseded_by: str | None = Field(default=None, description="Id of the memory that replaced it.")
    archived_at: str | None = Field(default=None, description="When it faded and left the usual searches, RFC 3339.")
    kept_at: str | None = Field(default=None, description="When somebody last decided that it is kept, RFC 3339.")
    review_at: str | None = Field(
        default=None,
        description="When it will have faded enough to be looked at again, unless it is recalled before, RFC 3339.",
    )
    forget_at: str | None = Field(
        default=None,
        description="When it will leave unless it is recalled before, RFC 3339; absent where nothing is forgotten.",
    )
    source: MemorySource = Field(description="Where it comes from.")


class Searched(Response):
    """What a search mode came to."""

    mode: str = Field(description="fast, auto or deep, as it was asked for.")
    went_deep: bool = Field(description="Whether links were followed.")
    why: str = Field(description="Why, or why not.")


class SearchMemoriesResponse(Response):
    """The best, best first. `mode` is how it was searched; `degraded` names what was down."""

    memories: list[MemoryAnswer] = Field(description="The best first.")
    mode: str = Field(description="How it was searched: keyword, vector or hybrid.")
    searched: Searched = Field(description="Whether links were followed, and why.")
    degraded: list[str] = Field(description="What was down while this was answered; empty: nothing was missing.")


class ListMemoriesResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[MemoryAnswer] = Field(description="The memories of this page, in the order of their ids.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")


class ExplainMemoryResponse(SparseResponse):
    """Reasons. For a message: the memories made of it, or why there are none; for a memory: itself and its messages."""

    memory: MemoryAnswer | None = Field(default=None, description="The memory that was asked about.")
    memories: list[MemoryAnswer] = Field(description="What was made of the message.")
    messages: list[TurnMessage] = Field(description="The messages that it comes from.")
    reasons: list[str] = Field(description="Why, in sentences.")
