"""How memories fade: two laws, their inverses, and what being used does."""

import math
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.retrieval.decay import (
    DAY_MS,
    RATES,
    SHOWN_COOLDOWN_MS,
    BoostSettings,
    DecaySettings,
    Law,
    Step,
    fades_below,
    kept,
    shown,
    used,
    vitality,
)

NOW = 1_763_764_800_000
EXPONENTIAL = DecaySettings()
STEPPED = DecaySettings(fact=Law.STEPPED, episode=Law.STEPPED)
OTHERS = replace(STEPPED, fact_step=Step(0.0, 0.5), episode_step=Step(10.0, 0.99), episode_max_age_days=30.0)
AGED = replace(EXPONENTIAL, episode_max_age_days=7.0)
FACT = Memory(
    memory_id="m",
    user_id="u",
    kind=Kind.FACT,
    category=Category.FACT,
    type=Type.FACT,
    text="t",
    source=Source("c", "unit", (1,), "t"),
    occurred_ms=NOW,
    recorded_ms=NOW,
)
EPISODE = replace(FACT, kind=Kind.EPISODE, category=Category.EPISODE, type=Type.EVENT)


def after(days: float) -> int:
    return int(NOW + days * DAY_MS)


@pytest.mark.parametrize("kind", Type)
def test_exponential_decay_is_the_formula_of_its_type(kind: Type) -> None:
    memory = replace(FACT, type=kind, importance=0.8, accesses=3)
    expected = 0.8 * math.exp(-RATES[kind] * 10) * (1 + math.log(4))
    assert vitality(memory, after(10), EXPONENTIAL) == pytest.approx(expected)


def test_stepped_fact_stays_five_days_then_loses_fifteen_percent_a_day() -> None:
    assert vitality(FACT, after(5), STEPPED) == pytest.approx(1.0)
    assert vitality(FACT, after(6), STEPPED) == pytest.approx(0.85)
    assert vitality(FACT, after(8), STEPPED) == pytest.approx(0.85**3)


def test_stepped_episode_stays_three_days_then_loses_forty_percent_a_day() -> None:
    assert vitality(EPISODE, after(3), STEPPED) == pytest.approx(1.0)
    assert vitality(EPISODE, after(5), STEPPED) == pytest.approx(0.36)


def test_stepped_decay_begins_anew_with_an_access() -> None:
    used = replace(FACT, accessed_ms=after(20))
    assert vitality(used, after(25), STEPPED) == pytest.approx(1.0)


@pytest.mark.parametrize("category", [Category.SYSTEM, Category.CORE])
@pytest.mark.parametrize("laws", [EXPONENTIAL, STEPPED])
def test_system_and_core_never_fade(category: Category, laws: DecaySettings) -> None:
    memory = replace(FACT, category=category)
    assert vitality(memory, after(100_000), laws) == 1.0
    assert fades_below(memory, 0.05, laws) is None


def test_law_never_keeps_a_category() -> None:
    assert fades_below(FACT, 0.05, DecaySettings(fact=Law.NEVER)) is None


def test_an_episode_of_the_greatest_age_has_faded_and_a_fact_has_none() -> None:
    used_often = replace(EPISODE, strength=5.0, accesses=9)
    assert fades_below(used_often, 0.05, AGED) == after(7)
    assert vitality(used_often, after(7) - 1, AGED) > 1
    assert vitality(used_often, after(7), AGED) == 0
    assert fades_below(FACT, 0.05, AGED) == fades_below(FACT, 0.05, EXPONENTIAL)
    core = replace(EPISODE, category=Category.CORE)
    assert fades_below(core, 0.05, AGED) is None
    assert fades_below(EPISODE, 0.05, replace(AGED, episode=Law.NEVER)) is None


@given(
    st.sampled_from((FACT, EPISODE)),
    st.sampled_from((EXPONENTIAL, STEPPED, OTHERS, AGED)),
    st.floats(0.1, 1.0),
    st.floats(1.0, 5.0),
    st.integers(0, 50),
    st.sampled_from((0.05, 0.2)),
)
def test_the_day_a_memory_fades_is_known_beforehand(
    kind: Memory, laws: DecaySettings, importance: float, strength: float, accesses: int, threshold: float
) -> None:
    memory = replace(kind, importance=importance, strength=strength, accesses=accesses)
    leaves = fades_below(memory, threshold, laws)
    assert leaves is not None
    assert vitality(memory, leaves + 1_000, laws) < threshold * 1.0001
    if leaves > NOW + 1_000:
        assert vitality(memory, leaves - 1_000, laws) > threshold * 0.9999


def test_what_fades_after_all_calendars_never_does() -> None:
    slow = replace(STEPPED, fact_step=Step(5.0, 0.99999999999999))
    assert fades_below(FACT, 0.05, slow) is None
    assert fades_below(FACT, 0.05, replace(STEPPED, fact_step=Step(5.0, 0.9999))) is not None


@given(
    st.sampled_from((FACT, EPISODE)),
    st.sampled_from((EXPONENTIAL, STEPPED, OTHERS, AGED)),
    st.floats(0.0, 1.0),
    st.floats(1.0, 5.0),
    st.integers(0, 50),
    st.integers(0, 200),
)
@settings(max_examples=1_000)
def test_what_is_kept_begins_anew_at_its_level(
    kind: Memory, laws: DecaySettings, importance: float, strength: float, accesses: int, days: int
) -> None:
    memory = replace(kind, importance=importance, strength=strength, accesses=accesses)
    anew = kept(memory, after(days), 0.5, laws)
    assert vitality(anew, after(days), laws) == pytest.approx(0.5, abs=0.001)
    for threshold in (0.05, 0.2):
        leaves = fades_below(anew, threshold, laws)
        assert leaves is not None
        assert leaves > after(days)
        assert vitality(anew, leaves + 1_000, laws) < threshold * 1.0001
        assert vitality(anew, leaves - 1_000, laws) > threshold * 0.9999
    assert vitality(kept(anew, after(days + 400), 0.5, laws), after(days + 400), laws) == pytest.approx(0.5, abs=0.001)
    core = replace(memory, category=Category.CORE)
    assert kept(core, after(days), 0.5, laws) is core


def test_what_is_shown_is_seen_and_no_stronger() -> None:
    once = shown(FACT, NOW)
    assert (once.shown, once.accessed_ms, once.strength, once.accesses) == (1, NOW, FACT.strength, FACT.accesses)
    assert shown(once, NOW + SHOWN_COOLDOWN_MS - 1) is once
    assert shown(once, NOW + SHOWN_COOLDOWN_MS).shown == 2


def test_use_within_the_cooldown_counts_once() -> None:
    boost = BoostSettings()
    once = used(shown(FACT, NOW), NOW + 5, boost)
    assert (once.accesses, once.boosted_ms, once.accessed_ms) == (1, NOW + 5, NOW + 5)
    assert once.strength == pytest.approx(FACT.strength + 0.3)
    for early in (NOW, NOW + 5, NOW + 5 + boost.cooldown_ms - 1, 0):
        assert used(once, early, boost) is once
    assert used(once, NOW + 5 + boost.cooldown_ms, boost).accesses == 2


def test_strength_grows_by_one_a_day_at_most() -> None:
    boost, memory = BoostSettings(), FACT
    start = (NOW // DAY_MS + 1) * DAY_MS
    grown = []
    for hour in range(0, 24, 2):
        memory = used(memory, start + hour * 3_600_000, boost)
        grown.append(round(memory.strength - FACT.strength, 6))
    assert grown == [0.3, 0.6, 0.9, *[1.0] * 9]
    assert memory.accesses == 4
    assert used(memory, start + DAY_MS, boost).strength > memory.strength, "the next day it may grow again"


def test_uses_that_are_told_again_in_any_order_add_nothing() -> None:
    boost = BoostSettings()
    times = [NOW, NOW + boost.cooldown_ms, NOW + 3 * boost.cooldown_ms]
    once = reduce(lambda memory, at_ms: used(memory, at_ms, boost), times, FACT)
    assert once.accesses == 3
    for again in (times, times[::-1], times[1:]):
        assert reduce(lambda memory, at_ms: used(memory, at_ms, boost), again, once) is once
