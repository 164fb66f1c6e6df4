"""Which question a memory asks, and what rules answer. Pure: a question is a view of its record, and goes with it."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from memory.clinical.findings import CONTRADICTS, TAKEN_BACK
from memory.consolidation.knowledge.profiles import safety_detail
from memory.model.change import Op
from memory.model.history import RULES, Doing, noted
from memory.model.memory import CALLER, Category, Kind, Memory
from memory.model.review import Cause, Question
from memory.retrieval.decay import NEVER, BoostSettings, DecaySettings, fades_below, kept, used
from memory.session.safety import Status

_ASKED: Final = (Kind.FACT, Kind.EVENT, Kind.CREATED)
"""What says something in a sentence; nobody is asked of each message."""
_LASTS: Final = frozenset({"sex", "job", "residence", "family"})
"""Predicates of what stays so unless somebody says otherwise."""
_PROMOTED: Final = frozenset({"sex", "family"})
"""Of these what a rule lets never fade. Moods, plans and tastes are none."""
_ASK: Final = ("model", "human")
"""Who is asked of the routine, too."""


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Who decides what is no matter of safety: rules, a model or a person before it, persons, or nobody (`off`).

    A memory of strength `promote_at` may be promoted. Kept, it has vitality `keep_level`, and is not asked about again
    within `cooldown_ms`.
    """

    by: Literal["off", "rules", "model", "human"] = "rules"
    promote_at: float = 2.5
    keep_level: float = 0.5
    cooldown_ms: int = 86_400_000


USUAL_REVIEWS: Final = ReviewSettings()


def question_of(memory: Memory, decay: DecaySettings, settings: ReviewSettings) -> Question | None:
    """What somebody has to decide about a memory as it is, and from when on; None: nothing."""
    if memory.archived_ms is not None or memory.superseded_by:
        return None
    return _of_safety(memory) or (_routine(memory, decay, settings) if settings.by in _ASK else None)


def _of_safety(memory: Memory) -> Question | None:
    detail = safety_detail(memory) if memory.kind is Kind.FACT and memory.holds else None
    if detail is None:
        return None
    again = [each.at_ms for each in memory.changes if each.op is Op.RENEWED]
    opened_ms = max(memory.recorded_ms, *again, 0)
    if memory.polarity == "-" and (TAKEN_BACK in memory.attributes or CONTRADICTS in memory.attributes):
        return Question(Cause.CONTRADICTION, opened_ms)
    doubted = detail.status is Status.POSSIBLE and memory.polarity == "+"
    return Question(Cause.UNCERTAIN, opened_ms) if doubted else None


def _routine(memory: Memory, decay: DecaySettings, settings: ReviewSettings) -> Question | None:
    if memory.kind not in _ASKED or memory.category in NEVER or safety_detail(memory) is not None:
        return None
    decided_ms, used_ms = memory.reviewed_ms, memory.boosted_ms
    if memory.strength >= settings.promote_at and used_ms is not None and (decided_ms is None or used_ms > decided_ms):
        return Question(Cause.PROMOTE, max(used_ms, 0 if decided_ms is None else decided_ms + settings.cooldown_ms))
    fades_ms = fades_below(memory, decay.review_below, decay) if decay.forgets else None
    if fades_ms is None:
        return None
    return Question(Cause.FADING, max(fades_ms, 0 if decided_ms is None else decided_ms + settings.cooldown_ms))


def _keeps(memory: Memory) -> bool:
    """Whether a rule keeps what has faded: what a caller has told, or what lasts, and is held still."""
    return memory.kind is Kind.FACT and memory.holds and (memory.mind == CALLER or memory.predicate in _LASTS)


def kept_by_rule(memory: Memory, now_ms: int, decay: DecaySettings, settings: ReviewSettings) -> Memory:
    """What has faded, kept where a rule keeps it; else as it is."""
    if settings.by != "rules" or not _keeps(memory):
        return memory
    after = replace(kept(memory, now_ms, settings.keep_level, decay), reviewed_ms=now_ms)
    return noted(memory, after, Doing(Op.KEPT, RULES, now_ms))


def strengthened(memory: Memory, using: Doing, boost: BoostSettings) -> Memory:
    """The memory after an answer rested on it; what lasts and is used often is promoted by rule."""
    after = noted(memory, used(memory, using.at_ms, boost), using)
    lasts = after.predicate in _PROMOTED and after.holds and after.category is Category.FACT
    if not lasts or after.strength < boost.promote_at:
        return after
    return noted(after, replace(after, category=Category.CORE), Doing(Op.PROMOTED, RULES, using.at_ms))
