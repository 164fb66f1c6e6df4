"""What callers say of memories that are there: which were used, what is decided; and what was done to them."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from memory import limits
from memory.model.change import Op
from memory.model.fields import Id, ZonedTime
from memory.model.memory_calls import MemoryAnswer
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse
from memory.model.review import Cause, Verdict

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


class CurateMemoriesRequest(Request):
    """What a session says of memories from before it: which its answers rested on, and what somebody took back.

    The same happens by itself when a session becomes memory; so this is for looking at it, and for sessions that ended
    before a model was there to judge them. What is new in a session became memory with it.
    """

    user_id: Id = Field(description="Whose memories.")
    conversation_id: Id | None = Field(
        default=None, description="The conversation, of which the last ended session is judged; default: the last one."
    )
    dry_run: bool = Field(default=True, description="True: nothing is changed. False: what is decided is applied.")


class CurationDecision(SparseResponse):
    """One decision about a memory that was held."""

    op: Literal["UPDATE", "DELETE", "BOOST"] = Field(
        description="UPDATE: something else holds instead; DELETE: it holds no longer (nothing is erased); BOOST: an "
        "answer rested on it."
    )
    memory_id: str = Field(description="The memory.")
    text: str = Field(description="What it says.")
    by: str = Field(description="Who decides: rules, or a model by name.")
    at: str = Field(description="When that was said which decides it, RFC 3339.")
    seq: int | None = Field(default=None, description="Of UPDATE and DELETE: the message that says it.")
    quote: str | None = Field(default=None, description="Of UPDATE and DELETE: the words of that message.")
    right: str | None = Field(default=None, description="Of UPDATE: what holds instead.")
    asks: bool = Field(default=False, description="True: safety rests on it, so a person decides (ListReviews).")
    applied: bool = Field(description="True: it is applied, now or before.")


class CurateMemoriesResponse(Response):
    """What is decided."""

    conversation_id: str = Field(description="The conversation that was judged.")
    decisions: list[CurationDecision] = Field(description="What is taken back first, then what was used.")
    dry_run: bool = Field(description="As asked for.")


CauseName = Literal["contradiction", "uncertain", "fading", "promote"]
VerdictName = Literal["APPLY", "REJECT", "PROMOTE", "KEEP", "DELETE"]
ItemId = Annotated[str, StringConstraints(min_length=1, max_length=limits.ITEM_ID_CHARS_MAX)]
Why = Annotated[str, Field(max_length=limits.REASON_CHARS_MAX)]
LOCALE = "zh or en, for the sentences; default: the language of the memory's words."


class ListReviewsRequest(Request):
    """List what a person has to decide about memories, the longest open first: page by page, over all users.

    Of safety: what somebody took back, and what may be so. Where `curation.review` is human also what fades, and what
    was used so often that it may never fade; where it is model until a model has decided these. A question goes with
    its memory, and when it is answered elsewhere.
    """

    user_id: Id | None = Field(default=None, description="Only what is open of this user.")
    cause: CauseName | None = Field(
        default=None, description="Only these: contradiction, uncertain, fading, promote. Default: all."
    )
    locale: Literal["zh", "en"] | None = Field(default=None, description=LOCALE)
    cursor: Annotated[str, StringConstraints(max_length=64)] = Field(
        default="", description="Where the page before ended; empty: from the beginning."
    )
    limit: Annotated[int, Field(ge=1, le=limits.REVIEWS_PER_PAGE_MAX)] = Field(
        default=50, description="Questions of a page, 1 to 200."
    )


class VerdictMeans(Response):
    """One way to decide."""

    verdict: Verdict = Field(description="What DecideReview takes.")
    means: str = Field(description="What it does.")


class ReviewItem(SparseResponse):
    """One open question."""

    item_id: str = Field(description="What DecideReview takes. Asked anew it is another one.")
    cause: Cause = Field(
        description="contradiction: of safety, taken back or denied while it is held; uncertain: of safety, may be so; "
        "fading: it leaves soon; promote: used often."
    )
    user_id: str = Field(description="Whose memory it is.")
    memory: MemoryAnswer = Field(description="What it is about.")
    beside: list[MemoryAnswer] = Field(description="What is held of the same, up to 5.")
    why: str = Field(description="What is asked, in a sentence.")
    verdicts: list[VerdictMeans] = Field(description="How it can be decided.")
    opened_at: str = Field(description="Since when it is open, RFC 3339.")
    forget_at: str | None = Field(default=None, description="When the memory leaves if nobody decides, RFC 3339.")


class ListReviewsResponse(Response):
    """A page; an empty cursor says that it is the last."""

    items: list[ReviewItem] = Field(description="The questions of this page, the longest open first.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    counts: dict[Cause, int] = Field(
        description="How many are open by cause; of all users about: what has just been settled may still be counted."
    )


class DecideReviewRequest(Request):
    """Decide an open question about a memory. What is decided of safety holds at once, in every conversation.

    The same verdict again changes nothing; another one is refused with what was decided.
    """

    item_id: ItemId = Field(description="Which, as ListReviews names it.")
    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    verdict: VerdictName = Field(
        description="Of safety APPLY (it is as the memory in question says) or REJECT (it is not); else PROMOTE (it "
        "never fades), KEEP, or DELETE (archived: it leaves the usual searches, and is erased after "
        "`decay.retention_s` where memories are forgotten)."
    )
    why: Why | None = Field(default=None, description="The reason, for whoever reads it later.")


class DecideReviewResponse(SparseResponse):
    """What is decided."""

    item_id: str = Field(description="The question.")
    verdict: Verdict = Field(description="What was decided.")
    by: str = Field(description="By whom: the name of the key or model, or `caller`.")
    decided_at: str = Field(description="When, RFC 3339.")
    why: str | None = Field(default=None, description="The reason that was given.")
    replayed: bool = Field(description="True: it was decided so before, and nothing was changed now.")
    memory: MemoryAnswer = Field(description="The memory as it is now.")


class GetMemoryHistoryRequest(Request):
    """What was done to a memory: each change with before and after, by whom, when and why; the oldest first."""

    memory_id: Id = Field(description="Which memory.")
    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")


class ChangeAnswer(SparseResponse):
    """One change. `before` and `after` hold the fields that differ; one that is absent was not set."""

    number: int = Field(description="1 for the first change of the memory. Gaps: changes that are kept no longer.")
    at: str = Field(description="When, RFC 3339.")
    op: Op = Field(
        description="updated, superseded, ended, renewed, used, archived, restored, kept, promoted or reviewed."
    )
    by: str = Field(description="Who: the name of a key, `caller`, rules, a model by name, decay, recall.")
    why: str | None = Field(default=None, description="The reason that was given.")
    before: dict[str, Any] = Field(description="What it said before.")
    after: dict[str, Any] = Field(description="What it says since.")
    item_id: str | None = Field(default=None, description="The review that it decided.")
    verdict: Verdict | None = Field(default=None, description="How.")


class GetMemoryHistoryResponse(Response):
    """How a memory came to be what it is."""

    memory: MemoryAnswer = Field(description="The memory as it is now.")
    changes: list[ChangeAnswer] = Field(description="The oldest first; the newest 50 are kept, uses go first.")


class ArchiveMemoryRequest(Request):
    """Take a memory out of the way: no search finds it, no profile says it. RestoreMemory takes it back.

    Where memories are forgotten it is erased after `decay.retention_s`; ForgetMemory erases at once. Safety facts are
    changed by UpsertFacts, ConfirmFacts and DecideReview.
    """

    memory_id: Id = Field(description="Which memory.")
    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    why: Why | None = Field(default=None, description="The reason, for whoever reads it later.")


class RestoreMemoryRequest(Request):
    """Take an archived memory back: it is found again, and begins to fade anew."""

    memory_id: Id = Field(description="Which memory.")
    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    why: Why | None = Field(default=None, description="The reason, for whoever reads it later.")


class GetDecayRequest(Request):
    """How alive a memory is, was, and will be: the curve that it goes down, and when it is reviewed and leaves."""

    memory_id: Id = Field(description="Which memory.")
    user_id: Id | None = Field(default=None, description="Look among this user's memories only.")
    days: Annotated[int, Field(ge=1, le=limits.DECAY_DAYS_MAX)] = Field(
        default=365, description="How many days from now on, up to 3,650."
    )
    used_at: ZonedTime | None = Field(
        default=None, description="The same if an answer rested on it then, RFC 3339; nothing is changed."
    )


class DecayPoint(Response):
    """One point of the curve."""

    at: str = Field(description="When, RFC 3339.")
    vitality: float = Field(description="How alive it is then: 1 and more for what has not faded.")


class GetDecayResponse(SparseResponse):
    """The curve."""

    law: str = Field(description="How it fades: exponential, stepped or never.")
    vitality: float = Field(description="How alive it is now.")
    points: list[DecayPoint] = Field(description="From its record, or that it was kept, on; at most 200.")
    review_at: str | None = Field(default=None, description="When it falls below `decay.review_below`; absent: never.")
    forget_at: str | None = Field(
        default=None, description="When it leaves unless it is used; absent: never, or nothing is forgotten here."
    )
