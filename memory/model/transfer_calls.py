"""ExportMemories and ImportMemories: whole memories as they go from one store to another, and what became of them."""

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    model_serializer,
)

from memory import limits
from memory.model.change import CHANGES_MAX, Op
from memory.model.fields import CategoryName, Fact, Id, Key, KindName, PreferenceValue
from memory.model.memory import StateName, Type
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse

RECORD_ID: Final = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_NIL: Final = "0-"
_YEAR_1_MS: Final = -62_135_596_800_000
_YEAR_9999_MS: Final = 253_402_300_799_999
_ATTRIBUTES_MAX: Final = 64


def _named(text: str) -> str:
    if not text.strip(_NIL):
        raise ValueError("must not be the id of nothing")
    return text


RecordId = Annotated[str, StringConstraints(pattern=RECORD_ID), AfterValidator(_named)]
Nothing = Literal[""]
Moment = Annotated[int, Field(ge=_YEAR_1_MS, le=_YEAR_9999_MS)]
Said = Annotated[str, StringConstraints(max_length=limits.RECORD_TEXT_CHARS_MAX)]
Named = Annotated[str, StringConstraints(max_length=limits.RECORD_NAME_CHARS_MAX)]
Number = Annotated[int, Field(ge=0, le=limits.REVISION_MAX)]
Attributes = Annotated[dict[Named, Said], Field(max_length=_ATTRIBUTES_MAX)]
Polarity = Literal["+", "-"]
Share = Annotated[float, Field(ge=0, le=1)]
ToldFacts = Annotated[list[Fact], Field(max_length=limits.PROFILE_FACTS_PER_KIND_MAX)]
Strength = Annotated[float, Field(ge=0, le=limits.REVISION_MAX)]


class Record(Response):
    """What is exported: a field that is as it mostly is, is left out. Times are milliseconds since the epoch."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    @model_serializer(mode="wrap")
    def _short(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if name in self.model_fields_set}


class SourceRecord(Record):
    """Where a memory comes from."""

    conversation: Id | Nothing = Field(description="The conversation; empty: told outside of one.")
    unit_id: RecordId | Nothing = Field(description="The MemUnit that it was made of; empty: of none.")
    seqs: Annotated[list[Number], Field(max_length=limits.RECORD_SEQS_MAX)] = Field(
        description="Numbers of the messages."
    )
    quote: Said = Field(description="Words that stand in them.")


class NotedFields(Record):
    """Fields of a memory before or after a change: those that differ."""

    text: Said | None = Field(default=None, description="Its words.")
    category: CategoryName | None = Field(default=None, description="How it fades.")
    subject: Said | None = Field(default=None, description="Of whom or what it is.")
    predicate: Named | None = Field(default=None, description="What of them.")
    object: Said | None = Field(default=None, description="The value.")
    polarity: Polarity | None = Field(default=None, description="`-`: it is not so.")
    attributes: Attributes | None = Field(default=None, description="What else is said of it.")
    importance: Share | None = Field(default=None, description="0 to 1.")
    strength: Strength | None = Field(default=None, description="What uses have added.")
    occurred_ms: Moment | None = Field(default=None, description="When it happened or was said.")
    valid_from_ms: Moment | None = Field(default=None, description="Since when it holds.")
    valid_to_ms: Moment | None = Field(default=None, description="Until when it held.")
    superseded_by: RecordId | Nothing | None = Field(default=None, description="Which memory took its place.")
    archived_ms: Moment | None = Field(default=None, description="When it was taken out of the way.")
    kept_ms: Moment | None = Field(default=None, description="When somebody decided that it is kept.")


class ChangeRecord(Record):
    """What was done to a memory, by whom and why."""

    number: Annotated[int, Field(ge=1, le=limits.REVISION_MAX)] = Field(description="1 for the first of the memory.")
    at_ms: Moment = Field(description="When.")
    op: Annotated[Op, Field(strict=False)] = Field(description="What was done.")
    by: Named = Field(default="", description="Who did it.")
    why: Said = Field(default="", description="Why.")
    before: NotedFields = Field(default_factory=NotedFields, description="What differs, as it was.")
    after: NotedFields = Field(default_factory=NotedFields, description="What differs, as it is since.")
    decides: Named = Field(default="", description="The review that it decided.")
    verdict: Named = Field(default="", description="How that was decided.")
    of: RecordId | Nothing = Field(default="", description="The memory from which something was taken over.")


class MemoryRecord(Record):
    """A memory as it is stored, with all that was done to it; nothing of the index."""

    memory_id: RecordId = Field(description="Its id, the last digits of which are its user's mark.")
    user_id: Id = Field(description="Whose it is.")
    kind: KindName = Field(description="episode, fact, event, created or link; a profile is made from facts.")
    category: CategoryName = Field(description="How it fades: system, core, fact or episode.")
    type: Annotated[Type, Field(strict=False)] = Field(description="event, fact, relation or opinion.")
    text: Annotated[Said, StringConstraints(min_length=1)] = Field(description="What is remembered.")
    source: SourceRecord = Field(description="Where it comes from.")
    occurred_ms: Moment = Field(description="When it happened or was said.")
    recorded_ms: Moment = Field(description="When it became memory.")
    importance: Share = Field(default=0.5, description="0 to 1.")
    strength: Strength = Field(default=1.0, description="1, and what uses have added.")
    subject: Said = Field(default="", description="Of whom or what it is; of a link: the id of its source.")
    predicate: Named = Field(default="", description="What of them; of a link: the relation.")
    object: Said = Field(default="", description="The value; of a link: the id of its target.")
    polarity: Polarity = Field(default="+", description="`-`: it is not so.")
    attributes: Attributes = Field(default_factory=dict, description="What else is said of it.")
    speaker: Named = Field(default="", description="Who said it, of a message.")
    position: Number = Field(default=0, description="The number of the message, of one.")
    mind: Named = Field(default="rules", description="Who read it out of the dialogue.")
    valid_from_ms: Moment | None = Field(default=None, description="Since when it holds.")
    valid_to_ms: Moment | None = Field(default=None, description="Until when it held.")
    superseded_by: RecordId | Nothing = Field(default="", description="Which memory took its place.")
    archived_ms: Moment | None = Field(default=None, description="When it was taken out of the way.")
    accesses: Number = Field(default=0, description="How many answers rested on it.")
    accessed_ms: Moment | None = Field(default=None, description="When it was last shown.")
    boost_day: Number = Field(default=0, description="The day of its last uses, in days since the epoch.")
    boosted: Strength = Field(default=0.0, description="What they have added on that day.")
    shown: Number = Field(default=0, description="In how many contexts it stood.")
    boosted_ms: Moment | None = Field(default=None, description="When it was last used.")
    updated_ms: Moment | None = Field(default=None, description="When a caller last changed it.")
    kept_ms: Moment | None = Field(default=None, description="When somebody last decided that it is kept.")
    kept_scale: Annotated[float, Field(gt=0, le=limits.REVISION_MAX)] = Field(
        default=1.0, description="How much slower or faster it fades since."
    )
    reviewed_ms: Moment | None = Field(default=None, description="When a question about it was last decided.")
    changes: Annotated[list[ChangeRecord], Field(max_length=CHANGES_MAX)] = Field(
        default_factory=list, description="What was done to it, the oldest first."
    )


class ToldProfile(Record):
    """What callers have put into a user's profile, and no dialogue says."""

    name: Annotated[str, StringConstraints(max_length=limits.NAME_CHARS_MAX)] = Field(
        default="", description="What the user is called."
    )
    allergies: ToldFacts = Field(default_factory=list, description="What the user is allergic to.")
    chronic_diseases: ToldFacts = Field(default_factory=list, description="Diseases that last.")
    surgery_history: ToldFacts = Field(default_factory=list, description="Operations.")
    preferences: Annotated[dict[Key, PreferenceValue], Field(max_length=limits.PROFILE_PREFERENCES_MAX)] = Field(
        default_factory=dict, description="Preferences, `timezone` among them."
    )


class ProfileRecord(Record):
    """What was told of a user outside of memories: the one record that is no memory, before all of theirs."""

    user_id: Id = Field(description="Whose it is.")
    profile: ToldProfile = Field(description="What was told.")


class ExportMemoriesRequest(Request):
    """Whole memories page by page, of one user or of all, for ImportMemories. Changes nothing.

    Ordered by user and id, so each comes once; what is written meanwhile may be left out. A page may have fewer than
    `limit`. Before the memories of a user stands what callers have told of them (`profile`), if they have. Dialogues
    are not among them.
    """

    user_id: Id | None = Field(default=None, description="Whose memories; left out: those of all users of the tenant.")
    states: list[StateName] | None = Field(
        default=None,
        max_length=4,
        description="Only these: held; ended (denied or over); superseded (another took its place); archived. "
        "Default: all.",
    )
    cursor: Annotated[str, StringConstraints(max_length=limits.EXPORT_CURSOR_CHARS_MAX)] = Field(
        default="", description="Where the page before ended, with the same `user_id`; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.RECORDS_PER_PAGE_MAX)] = Field(
        default=500, description="Memories of a page, 1 to 1,000."
    )


class ExportMemoriesResponse(Response):
    """A page; an empty cursor says that it is the last."""

    records: list[MemoryRecord | ProfileRecord] = Field(
        description="The memories of this page; of each user who begins on it what callers have told before them."
    )
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    as_of: str = Field(description="When this page was read, RFC 3339.")


class ImportMemoriesRequest(Request):
    """Store whole memories, as ExportMemories gave them, for a user. The same again changes nothing.

    Memories of that very user of this tenant keep their ids; of anybody else they become a copy, whose ids follow from
    the old ones, and name each other by these. What is there stays as it is; to a profile is added what callers have
    told. Those that cannot be are refused one by one, and the others go in. They are found by their words at once, by
    their meaning in some seconds.
    """

    KEYS_MAX: ClassVar = limits.IMPORT_KEYS_MAX
    """Keys of its body: a record has some twenty."""

    user_id: Id = Field(description="Whose memories they become.")
    records: list[dict[str, Any]] = Field(
        max_length=limits.RECORDS_PER_PAGE_MAX, description="Records as ExportMemories gave them, up to 1,000."
    )
    dry_run: bool = Field(default=False, description="Only say what would become of each; nothing is changed.")
    locale: Literal["zh", "en"] = Field(default="en", description="Language of reasons: zh or en.")


class RecordOutcome(SparseResponse):
    """What became of one record."""

    outcome: Literal["added", "same", "refused"] = Field(
        description="added; same: it is there and stays as it is; refused: see `reason`."
    )
    memory_id: str | None = Field(default=None, description="Its id here; absent: refused, or no memory.")
    reason: str | None = Field(default=None, description="Why it was refused.")


class ImportMemoriesResponse(Response):
    """What became of the records, or would become of them."""

    outcomes: list[RecordOutcome] = Field(description="Of each record, in their order.")
    added: int = Field(description="How many are new.")
    same: int = Field(description="How many were there already.")
    refused: int = Field(description="How many cannot be.")
    dry_run: bool = Field(description="True: nothing was changed.")
