"""What benchmarks say of what they measured; and of the memory benchmark its users, what comes due, that both find."""

import argparse
from pathlib import Path

import pytest

from benchmarks.figures import Hot, Operation, Report, Spread
from benchmarks.measure import Memory, Plan
from benchmarks.memories import search, sweep
from benchmarks.memories.__main__ import arguments
from benchmarks.memories.material import DIMENSION, language_of, person, question
from benchmarks.memories.table import MET, MISSED, NOT_MEASURED, Figure, compared
from benchmarks.options import common
from benchmarks.processes import BenchmarkError
from benchmarks.servers import _gateway_environment
from benchmarks.weaviate import is_named, weaviate
from memory.model.search import require_vector

SIZE = sweep.Size(users=4, memories_of_each=60, due=6, rounds=2)


def test_person_of_a_seed_is_the_same_again_and_another_of_another() -> None:
    first, again, other = (person(seed, 1, 30) for seed in (1, 1, 2))
    assert [entry.memory for entry in first.entries] == [entry.memory for entry in again.entries]
    assert [entry.memory.text for entry in first.entries] != [entry.memory.text for entry in other.entries]
    assert len({entry.memory.memory_id for entry in first.entries}) == 30


@pytest.mark.parametrize("number", [0, 1])
def test_question_shares_a_word_with_the_users_memories_and_has_a_vector(number: int) -> None:
    asked = question(1, number, 30, 5)
    require_vector(asked.vector, DIMENSION)
    stored = {term for entry in person(1, number, 30).entries for term in entry.terms}
    assert stored & set(search.terms(asked.text)), language_of(number)


@pytest.mark.parametrize(("theirs", "verdict"), [([1.0, 1.0], MISSED), ([2.0, 2.0], MET)])
def test_figure_is_judged_by_its_median_ratio(theirs: list[float], verdict: str) -> None:
    assert Figure("f", "ms", "b", **compared([1.6, 1.8], theirs), needed=1.5).verdict == verdict
    assert Figure("f", "ms", "b", needed=1.5).verdict == NOT_MEASURED


@pytest.mark.parametrize(("ratio", "verdict"), [(0.034, "dearer"), (0.04, "below"), (0.31, "needed"), (0.6, "goal")])
def test_operation_that_became_dearer_is_told_from_one_that_was_never_cheap(ratio: float, verdict: str) -> None:
    one, measured = Spread(1, 1, 1), Spread(ratio, ratio, ratio)
    write = Operation("write", one, measured, 0.30, 0.55, 0.035, {}, 1, 1, 1, 1)
    assert write.verdict == verdict
    hot = Hot(one, one, one, {}, {}, 0, 0, 0)
    report = Report({}, Plan(1, 1, 1), "", 64, [write], {}, hot, Memory(1, 1, 1), [])
    assert report.below_needed == (["write"] if ratio < 0.30 else [])


async def test_sweeps_find_the_same_number_due_in_each_round(tmp_path: Path) -> None:
    small = sweep.Stored(tmp_path / "small.db", SIZE)
    large = sweep.Stored(tmp_path / "large.db", sweep.Size(8, 60, 6, 2))
    for store in (small, large):
        await store.fill(1, lambda _step: None)
    few, many = await sweep.measure(small, large, 2, lambda _step: None)  # raises when another number was due
    left = [await store.memories.count(person(1, 0, 1).scope) for store in (small, large)]
    for store in (small, large):
        await store.close()
    assert len(few) == len(many) == 2
    assert left == [60 - 3, 60 - 2]  # every twentieth memory is due in one of the rounds, and every fortieth


async def test_both_sides_of_a_search_find_memories(tmp_path: Path) -> None:
    store = sweep.Stored(tmp_path / "memories.db", SIZE)
    await store.fill(1, lambda _step: None)
    sides = search.Sides(store.memories, search.bare_sqlite(store.path))
    measured = await search.measure(sides, search.questions(1, 4, 60, 4), 2, lambda _step: None)
    await store.close()
    assert len(measured) == 2
    assert all(spent.cpu_ms > 0 for sides_spent in measured for spent in sides_spent)


def test_gateway_of_the_speed_benchmark_has_none_of_the_callers_settings() -> None:
    current = {"PATH": "/bin", "ANAMNESIS_WEAVIATE_BINARY": "w", "WEAVIATE_URL": "w", "ANAMNESIS_RECALL__LIMIT": "1"}
    assert _gateway_environment(current, 7, 2) == {
        "PATH": "/bin",
        "REDIS_URL": "redis://127.0.0.1:7/0",
        "ANAMNESIS_SERVER__PROCESSES": "2",
        "ANAMNESIS_SESSION__TURNS_MAX": "1000000",
        "ANAMNESIS_SESSION__BYTES_MAX": "1000000000",
    }


def test_flags_of_both_benchmarks_go_together() -> None:
    asked = argparse.ArgumentParser(parents=[common(), arguments()]).parse_args(["--quick", "--memories", "5000"])
    assert (asked.quick, asked.memories, asked.due) == (True, 5000, 200)


def test_weaviate_that_is_not_named_is_said_to_be_needed() -> None:
    assert not is_named({})
    with pytest.raises(BenchmarkError, match="WEAVIATE_URL"), weaviate({}):
        pass
    with weaviate({"WEAVIATE_URL": "http://w:8080", "WEAVIATE_GRPC_PORT": "50052"}) as server:
        assert server.environment() == {
            "WEAVIATE_URL": "http://w:8080",
            "WEAVIATE_GRPC_PORT": "50052",
            "WEAVIATE_API_KEY": "",
        }
