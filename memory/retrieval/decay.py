"""How memories fade: pure functions of (record, now), so that the day one leaves is known beforehand.

Two laws, chosen by category (docs/decisions/0009):

- exponential (the graph memory's): importance x e^(-rate x days) x (1 + ln(1 + accesses)), days since the record was
  made, rate by type: event 0.05, opinion 0.03, fact 0.01, relation 0.005 a day;
- stepped (the companion's): strength x factor ^ (days without access - grace), facts x0.85 a day after 5 days, episodes
  x0.6 a day after 3 (`decay.*` says how many, and by how much).

What somebody decided to keep begins anew on that day, at the level that was decided. Episodes may have a greatest age,
whatever law they follow but that of never. `system` and `core` never fade.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from memory.model.memory import Category, Memory, Type

DAY_MS: Final = 86_400_000
RATES: Final = {Type.EVENT: 0.05, Type.OPINION: 0.03, Type.FACT: 0.01, Type.RELATION: 0.005}
NEVER: Final = (Category.SYSTEM, Category.CORE)
SHOWN_COOLDOWN_MS: Final = 2 * 3_600_000
_NOTHING: Final = 1e-9
_NEVER_MS: Final = 253_402_300_800_000
"""The year 10000: what fades later never does."""


class Law(StrEnum):
    """How a category fades."""

    EXPONENTIAL = "exponential"
    STEPPED = "stepped"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Step:
    """A stepped decay: from `grace_days` without access on, x `factor` a day."""

    grace_days: float
    factor: float


@dataclass(frozen=True, slots=True)
class BoostSettings:
    """By how much an answer that rests on a memory strengthens it, at most how often, and how much in a day (UTC).

    `promote_at`: from this strength on a rule lets what lasts never fade (memory/consolidation/reviews.py).
    """

    step: float = 0.3
    cooldown_ms: int = 2 * 3_600_000
    per_day: float = 1.0
    promote_at: float = math.inf


USUAL_BOOST: Final = BoostSettings()


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """Which law each category follows, and at which vitality a memory is reviewed and forgotten.

    `forgets`: whether what has faded so far leaves at all; it orders what is found in any case.
    """

    fact: Law = Law.EXPONENTIAL
    episode: Law = Law.EXPONENTIAL
    fact_step: Step = Step(5.0, 0.85)
    episode_step: Step = Step(3.0, 0.6)
    episode_max_age_days: float = 0.0
    """From this age on an episode has no vitality; 0: at no age."""
    review_below: float = 0.2
    forget_below: float = 0.05
    forgets: bool = True

    def law(self, category: Category) -> Law:
        """The law of a category."""
        if category in NEVER:
            return Law.NEVER
        return self.fact if category is Category.FACT else self.episode

    def ends_ms(self, memory: Memory) -> float:
        """When an episode has no vitality any more, whatever it had; infinite where age does not count."""
        counts = self.episode_max_age_days > 0 and memory.category is Category.EPISODE
        return _begins_ms(memory) + self.episode_max_age_days * DAY_MS if counts else math.inf

    def step(self, category: Category) -> Step:
        """The step of a category that follows the stepped law."""
        return self.fact_step if category is Category.FACT else self.episode_step


def vitality(memory: Memory, now_ms: int, settings: DecaySettings) -> float:
    """How alive a memory is: 0 and more, 1 and more for one that has not faded."""
    law = settings.law(memory.category)
    if law is Law.NEVER:
        return 1.0
    if now_ms >= settings.ends_ms(memory):
        return 0.0
    if law is Law.STEPPED:
        step = settings.step(memory.category)
        days = max(0.0, (now_ms - memory.fading_since_ms) / DAY_MS - step.grace_days)
        return float(_start(memory, law) * step.factor**days)
    days = max(0.0, (now_ms - _begins_ms(memory)) / DAY_MS)
    return _start(memory, law) * math.exp(-RATES[memory.type] * days)


def fades_below(memory: Memory, threshold: float, settings: DecaySettings) -> int | None:
    """When `vitality` falls below a threshold, in ms; None: never. The inverse of `vitality` in `now`."""
    law = settings.law(memory.category)
    if law is Law.NEVER:
        return None
    start = _start(memory, law)
    if law is Law.STEPPED:
        step = settings.step(memory.category)
        days = step.grace_days + max(0.0, math.log(threshold / start) / math.log(step.factor))
        ends_ms = min(memory.fading_since_ms + days * DAY_MS, settings.ends_ms(memory))
    else:
        days = max(0.0, math.log(start / threshold) / RATES[memory.type]) if start > 0 else 0.0
        ends_ms = min(_begins_ms(memory) + days * DAY_MS, settings.ends_ms(memory))
    return int(ends_ms) if ends_ms < _NEVER_MS else None


def _start(memory: Memory, law: Law) -> float:
    """The vitality that it begins to fade with."""
    if law is Law.STEPPED:
        return memory.strength * memory.kept_scale
    return memory.importance * (memory.strength + math.log1p(memory.accesses)) * memory.kept_scale


def _begins_ms(memory: Memory) -> int:
    """From when its age is counted: that it was recorded, or kept."""
    return memory.recorded_ms if memory.kept_ms is None else memory.kept_ms


def kept(memory: Memory, at_ms: int, level: float, settings: DecaySettings) -> Memory:
    """The memory after somebody decided that it is kept: of this vitality then, fading anew from there on."""
    law = settings.law(memory.category)
    if law is Law.NEVER:
        return memory
    matters = memory if memory.importance > _NOTHING else replace(memory, importance=level)
    anew = replace(matters, kept_ms=at_ms, kept_scale=1.0)
    return replace(anew, kept_scale=level / _start(anew, law))


def shown(memory: Memory, at_ms: int) -> Memory:
    """The memory after it stood in a context: it does not age as one that nobody sees, nor does it grow.

    Within two hours it counts once, so that who asks again and again writes nothing.
    """
    last = memory.accessed_ms
    if last is not None and at_ms - last < SHOWN_COOLDOWN_MS:
        return memory
    return replace(memory, shown=memory.shown + 1, accessed_ms=at_ms)


def used(memory: Memory, at_ms: int, boost: BoostSettings) -> Memory:
    """The memory after an answer rested on it, at the time of the answer.

    Told again of the same answer, or of an earlier one, it is the same: its last time says so.
    """
    last = memory.boosted_ms
    if last is not None and at_ms - last < boost.cooldown_ms:
        return memory
    day = at_ms // DAY_MS
    already = memory.boosted if memory.boost_day == day else 0.0
    step = min(boost.step, boost.per_day - already)
    if step <= _NOTHING:
        return memory
    return replace(
        memory,
        accesses=memory.accesses + 1,
        accessed_ms=max(at_ms, memory.accessed_ms or 0),
        strength=memory.strength + step,
        boosted_ms=at_ms,
        boost_day=day,
        boosted=already + step,
    )
