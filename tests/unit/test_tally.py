"""What is counted of memories, and on which day something was recorded."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from memory.limits import STATS_DAYS_MAX
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.stats import MemoryCounts, SessionCounts, Tally, TenantCounts, count_fields, counts_of

DAY_MS = 86_400_000
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
NOW_MS = int(NOW.timestamp() * 1000)
SHANGHAI = ZoneInfo("Asia/Shanghai")
ONE = Memory(
    memory_id="m1",
    user_id="ann",
    kind=Kind.FACT,
    category=Category.CORE,
    type=Type.FACT,
    text="对青霉素过敏",
    source=Source("c", "u", (1,), "青霉素"),
    occurred_ms=NOW_MS,
    recorded_ms=NOW_MS,
)


def counted(*memories: Memory, zone: ZoneInfo | None = None) -> MemoryCounts:
    tally = Tally(NOW_MS, zone or UTC)
    for memory in memories:
        tally.add(memory)
    return tally.counts()


def test_how_a_memory_stands_is_the_first_that_it_is() -> None:
    ended = replace(ONE, valid_to_ms=1)
    superseded = replace(ended, superseded_by="m2")
    archived = replace(superseded, archived_ms=1)
    assert [each.state for each in (ONE, ended, superseded, archived)] == ["held", "ended", "superseded", "archived"]
    counts = counted(ONE, ONE, ended, superseded, archived)
    assert counts.states == {"held": 2, "ended": 1, "superseded": 1, "archived": 1}
    assert (counts.total, counts.kinds, counts.categories, counts.minds) == (5, {"fact": 2}, {"core": 2}, {"rules": 2})
    assert counts.days == {"2026-03-10": 5}, "also those not held were recorded"


def test_shown_and_used_are_memories_not_how_often() -> None:
    counts = counted(replace(ONE, shown=7, accesses=3), replace(ONE, shown=1), replace(ONE, accesses=1, archived_ms=1))
    assert (counts.shown, counts.used) == (2, 1)


def test_a_link_is_no_memory_of_its_own() -> None:
    counts = counted(replace(ONE, kind=Kind.LINK))
    assert (counts.total, counts.links, counts.states, counts.days) == (0, 1, {}, {})


def test_the_day_is_that_of_the_clock_in_the_zone() -> None:
    before_midnight = int(datetime(2026, 3, 9, 15, 59, tzinfo=UTC).timestamp() * 1000)
    at_midnight = before_midnight + 60_000
    both = (replace(ONE, recorded_ms=before_midnight), replace(ONE, recorded_ms=at_midnight))
    assert counted(*both, zone=SHANGHAI).days == {"2026-03-09": 1, "2026-03-10": 1}
    assert counted(*both).days == {"2026-03-09": 2}


def test_days_are_the_last_ones_up_to_the_first_of_them() -> None:
    first = int(datetime(2026, 3, 10, tzinfo=SHANGHAI).timestamp() * 1000) - (STATS_DAYS_MAX - 1) * DAY_MS
    counts = counted(replace(ONE, recorded_ms=first), replace(ONE, recorded_ms=first - 1), zone=SHANGHAI)
    assert (counts.total, counts.days) == (2, {"2025-12-11": 1})


def test_what_is_stored_is_read_back_and_another_form_is_not() -> None:
    counts = TenantCounts(NOW_MS, 12, counted(ONE), SessionCounts(1, 2, 3))
    fields = count_fields(counts)
    assert counts_of(fields) == counts
    assert counts_of(fields | {"form": 99}) is None
    assert counts_of({}) is None


def test_a_mind_that_somebody_named_is_another() -> None:
    named = [
        replace(ONE, mind=mind)
        for mind in ("rules", "openai/gpt-5:mini (zh production prompt 4)", "ann@example.com said so")
    ]
    assert counted(*named).minds == {"rules": 1, "openai/gpt-5:mini (zh production prompt 4)": 1, "other": 1}
