"""What callers send to make and join memories, and what they get. A model may send it: what it leaves open is filled.

Names of types and relations are taken in Chinese and in English, null stands for a field that is left out, and a number
may come as text.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, StringConstraints

from memory import limits
from memory.model.as_models_write import is_blank, mapping, none_if_blank, number, text, unless_null
from memory.model.curation_calls import Why
from memory.model.fields import Id, RelationType, Revision, Rfc3339, TypeName, ZonedTime
from memory.model.memory_calls import MemoryAnswer
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse

_MORE: Final = "more"
_CONTROL: Final = re.compile(r"[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _label(text: str) -> str:
    """Trimmed; it must show something, and hide nothing."""
    text = text.strip()
    if _CONTROL.search(text):
        raise ValueError("must not hold control characters")
    if not any(unicodedata.category(sign)[0] in "LN" for sign in text):
        raise ValueError("must hold a letter or a digit")
    return text


def _texts(value: Any) -> Any:
    """Values as text; null stays."""
    value = mapping(value)
    return {key: text(part) for key, part in value.items()} if isinstance(value, Mapping) else value


def _attributes(value: Any) -> Any:
    """Values as text, those of nothing left out; `more`, a list of keys and values, laid beside the others."""
    value = mapping(value)
    if not isinstance(value, Mapping):
        return value
    beside = value.get(_MORE)
    pairs = beside if isinstance(beside, list) and all(isinstance(each, Mapping) for each in beside) else None
    if any(not isinstance(each.get("key"), str) for each in pairs or ()):
        raise ValueError("`more` must be a list of {key, value}, each key a text")
    plain = [(key, part) for key, part in value.items() if key != _MORE or pairs is None]
    listed = [(each.get("key"), each.get("value")) for each in pairs or ()]
    return {key: text(part) for key, part in (*plain, *listed) if not is_blank(part)}


Label = Annotated[str, StringConstraints(min_length=1, max_length=limits.FACT_CHARS_MAX), AfterValidator(_label)]
Topic = Annotated[str, StringConstraints(min_length=1, max_length=limits.TOPIC_CHARS_MAX), AfterValidator(_label)]
AttributeKey = Annotated[
    str, StringConstraints(min_length=1, max_length=limits.ATTRIBUTE_KEY_CHARS_MAX), AfterValidator(_label)
]
AttributeValue = Annotated[str, StringConstraints(max_length=limits.ATTRIBUTE_CHARS_MAX)]
Importance = Annotated[float, BeforeValidator(number), Field(ge=0, le=1, allow_inf_nan=False)]
Quote = Annotated[str, StringConstraints(max_length=limits.QUOTE_CHARS_MAX)]
CreatedText = Annotated[
    str, StringConstraints(min_length=1, max_length=limits.CREATED_TEXT_CHARS_MAX), AfterValidator(_label)
]
Description = Annotated[str, StringConstraints(min_length=1, max_length=limits.DESCRIPTION_CHARS_MAX, pattern=r"\S")]


OPTIONAL: Final = BeforeValidator(none_if_blank)
NO_SAFETY_FACT: Final = "no_safety_fact"


class CreateMemoryRequest(Request):
    """Create one memory of what a user tells: who, what kind, about what, what.

    It is found at once. Safety facts (allergies, diseases, operations) are told by UpsertFacts; this makes none. Split
    what is complex into several memories and join them by LinkMemories.
    """

    user_id: Id = Field(description="Whose memory.")
    subject: Label = Field(
        description="Who or what it is of, 1 to 500 characters: `user` (or 我) for the user, else a name; no pronoun."
    )
    memory_type: TypeName = Field(
        description="event (事件), fact (事实), relation (关系: between people) or opinion (观点)."
    )
    topic: Topic = Field(description="What it is about: an action or a state, 1 to 64 characters.")
    object: Annotated[Label | None, OPTIONAL] = Field(default=None, description="What or whom, 1 to 500 characters.")
    attributes: Annotated[
        Annotated[dict[AttributeKey, AttributeValue], Field(max_length=limits.ATTRIBUTES_MAX)] | None,
        BeforeValidator(_attributes),
    ] = Field(
        default=None,
        description="What else is said of it, up to 16: time (时间), place (地点), or any; `more` may hold "
        "a list of {key, value}. Times are understood (昨天, 2025-11-04 evening).",
    )
    importance: Annotated[Importance, unless_null(0.5)] = Field(
        default=0.5, description="0 to 1: 0.3 everyday, 0.5 usual, 0.8 important, 1.0 key."
    )
    polarity: Annotated[Literal["+", "-"] | None, OPTIONAL] = Field(
        default=None, description="`-`: it is not so. Default `+`."
    )
    conversation_id: Id | None = Field(default=None, description="The conversation in which it was said.")
    seq: Revision | None = Field(default=None, description="Number of the message that says it; with conversation_id.")
    quote: Annotated[Quote | None, OPTIONAL] = Field(
        default=None, description="The words that say it; with `seq` they must stand in that message."
    )
    occurred_at: ZonedTime | None = Field(
        default=None, description="When it was said, RFC 3339; default: now. Words like 昨天 are read from there."
    )


class TimeRead(SparseResponse):
    """A time among the attributes, as it was understood."""

    key: str = Field(description="The attribute.")
    said: str = Field(description="What it said.")
    understood: bool = Field(description="False: it is kept as it was said.")
    start: str | None = Field(default=None, description="From when, RFC 3339.")
    end: str | None = Field(default=None, description="Until when, RFC 3339.")
    grain: str | None = Field(default=None, description="minute, hour, part, day, week, month, year, ...")


class CreateMemoryResponse(Response):
    """The memory, and how it was understood. `created`: false when it was there already."""

    success: bool = Field(description="Always true; failures are problem documents.")
    memory_id: str = Field(description="Id of the memory.")
    status: Literal["staged", "consolidated"] = Field(
        description="staged: found by its words at once, by its meaning in some seconds; consolidated: by both."
    )
    created: bool = Field(description="False: the same was told before; nothing was changed.")
    memory: MemoryAnswer = Field(description="The memory as it is stored.")
    times: list[TimeRead] = Field(description="The times among its attributes, as they were understood.")
    message: str = Field(description="What happened, as a sentence.")
    warnings: list[str] | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="What to know of it; absent when there is nothing. `no_safety_fact`: it speaks of what safety "
        "rests on, but stands in no safety list; tell that by UpsertFacts.",
    )


class LinkMemoriesRequest(Request):
    """Join two memories: a reason and what came of it, a statement and what rests on it, what belongs together.

    The source is the ground, the target what follows from it. Name each by its id, or describe it in words.
    """

    SYNONYMS: ClassVar = {"source": "source_memory_description", "target": "target_memory_description"}
    """Other names of fields. Both may be sent, with the same value."""

    user_id: Id = Field(description="Whose memories.")
    source_memory_id: Id | None = Field(
        default=None, description="The ground, by its id, which counts before a description."
    )
    source_memory_description: Description | None = Field(
        default=None,
        validation_alias=AliasChoices("source_memory_description", "source"),
        description="The ground in words, up to 500 characters (我昨晚没睡好); `source` is the same.",
    )
    target_memory_id: Id | None = Field(
        default=None, description="What follows, by its id, which counts before a description."
    )
    target_memory_description: Description | None = Field(
        default=None,
        validation_alias=AliasChoices("target_memory_description", "target"),
        description="What follows in words, up to 500 characters (我今天不开心); `target` is the same.",
    )
    relation_type: RelationType = Field(
        description="causes (因为, 所以, 导致), cites (引用), based_on (基于) or related (相关)."
    )
    importance: Annotated[Importance, unless_null(0.6)] = Field(
        default=0.6, description="How firmly they belong together, 0 to 1."
    )
    quote: Quote | None = Field(default=None, description="The words that say so.")
    occurred_at: ZonedTime | None = Field(
        default=None, description="When it was said, RFC 3339; default: now. 今天 in a description is that day."
    )


class LinkMemoriesResponse(Response):
    """The link. `created`: false when it was there already."""

    success: bool = Field(description="Always true; failures are problem documents.")
    link_id: str = Field(description="Id of the link.")
    source_memory_id: str = Field(description="The ground.")
    target_memory_id: str = Field(description="What follows from it.")
    relation: str = Field(description="causes, cites, based_on or related.")
    reads: str = Field(description="The link in words.")
    created: bool = Field(description="False: it was there already.")


class UnlinkMemoriesRequest(Request):
    """Take a link off. What it joined stays."""

    user_id: Id = Field(description="Whose link.")
    link_id: Id = Field(description="Which link, as LinkMemories or a path of a search names it.")


class UnlinkMemoriesResponse(Response):
    """Whether it held until now."""

    link_id: str = Field(description="Id of the link.")
    ended: bool = Field(description="False: it was taken off before.")


class UpdateMemoryRequest(Request):
    """Change how much a memory matters, what else is said of it, until when it holds, or put right what it says.

    A fact is put right by `object` and `polarity`: the right one is a new memory, which takes its place; forget that
    one, and the other holds again. A created memory is put right where it is, by `text`. Safety and names are put right
    by UpsertFacts, UpsertPreferences, ConfirmFacts and DecideReview.
    """

    user_id: Id = Field(description="Whose memory.")
    memory_id: Id = Field(description="Which memory.")
    importance: Importance | None = Field(default=None, description="0 to 1.")
    attributes: Annotated[
        Annotated[dict[AttributeKey, AttributeValue | None], Field(max_length=limits.ATTRIBUTES_MAX)] | None,
        BeforeValidator(_texts),
    ] = Field(
        default=None,
        description="To set, up to 16; one of null is taken off. Times are understood. Of a fact that is put right: "
        "those of the right one, which takes none over.",
    )
    valid_to: Rfc3339 | None = Field(default=None, description="Until when it held, RFC 3339; not in the future.")
    object: Annotated[Label | None, OPTIONAL] = Field(
        default=None, description="Of a fact: what or whom it is rightly, 1 to 500 characters. Not with `valid_to`."
    )
    polarity: Annotated[Literal["+", "-"] | None, OPTIONAL] = Field(
        default=None, description="Of a fact: `-`: it is not so, `+`: it is. Not with `valid_to`."
    )
    text: CreatedText | None = Field(
        default=None,
        description="Of a created memory: its words, 1 to 2,000 characters; found by its meaning in some seconds.",
    )
    why: Why | None = Field(default=None, description="Why, up to 2,000 characters; kept in its history.")
    if_updated_at: Rfc3339 | None = Field(
        default=None,
        description="Change nothing (409) unless this is its `updated_at`, or its `recorded_at` while it has none.",
    )


class UpdateMemoryResponse(Response):
    """The memory as it is now; of a fact that was put right, the one that holds instead."""

    memory: MemoryAnswer = Field(description="The memory as it is stored.")
    superseded: str | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="Id of the fact whose place it took; absent where the memory was changed where it is.",
    )


class SettleMemoriesRequest(Request):
    """Complete what is staged of a user, and tidy the graph: labels written alike become one, others are suggested.

    The worker does both by itself, some seconds after a memory was created and every `graph.settle_interval_s`.
    """

    user_id: Id = Field(description="Whose memories.")
    wait_ms: Annotated[int, Field(ge=0, le=limits.SETTLE_WAIT_MS_MAX)] = Field(
        default=20_000, description="How long to wait for it, up to 60,000 ms; what is left then the worker does."
    )


class SettleSteps(Response):
    """What was done, by step."""

    completed: int = Field(description="Memories that are found by their meaning from now on.")
    checked: int = Field(description="Labels of things that were compared.")
    merged: int = Field(description="Pairs of labels that became one node.")
    suggested: int = Field(description="New suggestions: GetGraph shows them with `include: [suggestions]`.")
    conflicts: int = Field(description="Memories that cannot both be so: `include: [conflicts]`.")


class SettleMemoriesResponse(SparseResponse):
    """How far it came."""

    state: Literal["settled", "going_on"] = Field(
        description="going_on: the worker completes index entries soon, and tidies the graph in its next round."
    )
    steps: SettleSteps | None = Field(default=None, description="What was done; absent while it goes on.")
    left: int | None = Field(
        default=None, description="Memories that are not found by their meaning yet; absent when the store is down."
    )


class GetMemoryToolsRequest(Request):
    """Get the tools by which a model builds and searches memory, in the form that your model takes, or its prompt."""

    format: Literal["openai", "openai_strict", "mcp", "prompt"] = Field(
        default="openai",
        description="openai: functions; openai_strict: the same for strict mode; mcp: MCP tools; prompt: the system "
        "prompt that says when to use them.",
    )
    locale: Literal["zh", "en"] = Field(default="zh", description="The language of descriptions and prompt.")


class GetMemoryToolsResponse(SparseResponse):
    """The tools, or the prompt. A bot adds `user_id` (and `conversation_id`) when it runs a call."""

    format: str = Field(description="The format that was asked for.")
    tools: list[dict[str, Any]] | None = Field(default=None, description="The tools; absent for `prompt`.")
    prompt: str | None = Field(default=None, description="The system prompt with examples; only for `prompt`.")
    operations: dict[str, str] = Field(description="Which operation runs a call, by the tool's name.")
