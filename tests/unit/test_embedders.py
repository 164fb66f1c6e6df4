"""The embedders: the turns by a model that waits, the cache and the checks; fastembed."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memory.breaker import CircuitBreaker
from memory.errors import (
    InvariantBroken,
    Overloaded,
    SetupError,
    StoreUnavailable,
)
from memory.model.search import Vector
from memory.providers.fastembed_embedder import FastEmbedEmbedder, FastEmbedSettings
from memory.providers.model_threads import QUERIES_PER_PASSAGE, EmbedOne, ModelThreads, ModelThreadsSettings
from memory.providers.shared_vectors import Kind, SharedVectors, checked_vector, ends_of
from tests.openai_server import (
    DIMENSION,
    numbers_of,
)

SECRET = "the patient is called Zhang Wei"


# --- turns at a model ----------------------------------------------------------------------------
class WaitingModel:
    """Embeds a text when the test lets it."""

    def __init__(self) -> None:
        self.begun: list[tuple[Kind, str]] = []
        self.let = threading.Semaphore(0)
        self.error: Exception | None = None

    def load(self) -> EmbedOne:
        return self.embed

    def embed(self, kind: Kind, text: str) -> Vector:
        self.begun.append((kind, text))
        assert self.let.acquire(timeout=30)
        if self.error is not None:
            raise self.error
        return checked_vector(numbers_of(text), DIMENSION)


@pytest.fixture
def model() -> WaitingModel:
    return WaitingModel()


@asynccontextmanager
async def threads_of(model: WaitingModel, **settings: int) -> AsyncIterator[ModelThreads]:
    threads = ModelThreads(model.load, ModelThreadsSettings(**settings), "model")
    try:
        yield threads
    finally:
        model.let.release(1_000)
        await threads.close()


async def begin(coroutine: Any) -> "asyncio.Task[list[Vector]]":
    """Start a call and let it come to where it waits."""
    task = asyncio.ensure_future(coroutine)
    await asyncio.sleep(0)
    return task


async def test_turns_full_query_queue_refuses_at_once_while_passages_run(model: WaitingModel) -> None:
    async with threads_of(model, queue_max=2) as threads:
        passages = await begin(threads.passages(["p1", "p2", "p3"]))
        waiting = await begin(threads.queries(["q1", "q2"]))
        with pytest.raises(Overloaded):
            await threads.queries(["q3"])
        joined = await begin(threads.queries(["q2"]))
        model.let.release(1_000)
        await asyncio.gather(passages, waiting, joined)
        assert len(await threads.queries(["q3"])) == 1
    assert [text for _, text in model.begun] == ["p1", "q1", "q2", "p2", "p3", "q3"]


async def test_turns_queries_are_taken_all_or_none(model: WaitingModel) -> None:
    async with threads_of(model, queue_max=2) as threads:
        with pytest.raises(Overloaded):
            await threads.queries(["q1", "q2", "q3", "q4"])
        assert model.begun == []
        model.let.release(3)
        assert len(await threads.queries(["q1", "q2", "q3"])) == 3


async def test_turns_flood_of_queries_leaves_passages_a_turn(model: WaitingModel) -> None:
    async with threads_of(model) as threads:
        queries = await begin(threads.queries([f"q{number}" for number in range(30)]))
        passages = await begin(threads.passages(["p1", "p2"]))
        model.let.release(1_000)
        await asyncio.gather(queries, passages)
    kinds = [kind for kind, _ in model.begun]
    assert kinds.index("passage") == QUERIES_PER_PASSAGE
    assert kinds.count("query") == 30


async def test_turns_text_nobody_waits_for_is_not_embedded(model: WaitingModel) -> None:
    async with threads_of(model, queue_max=1) as threads:
        running = await begin(threads.queries(["q1"]))
        left = [await begin(threads.queries(["q2"])), await begin(threads.passages(["p1", "p2"]))]
        for task in left:
            task.cancel()
        await asyncio.wait(left)
        next_one = await begin(threads.queries(["q3"]))
        model.let.release(1_000)
        await asyncio.gather(running, next_one)
        await threads.passages(["p3"])
    assert [text for _, text in model.begun] == ["q1", "q3", "p3"]


async def test_turns_one_of_two_callers_leaves_the_other_has_its_vector(model: WaitingModel) -> None:
    async with threads_of(model) as threads:
        first = await begin(threads.queries(["q1"]))
        second = await begin(threads.queries(["q1"]))
        first.cancel()
        await asyncio.wait([first])
        model.let.release()
        assert len(await second) == 1
        assert len(await threads.queries(["q1"])) == 1
    assert [text for _, text in model.begun] == ["q1"]


async def test_turns_failed_text_is_unavailable_and_tried_again(model: WaitingModel) -> None:
    async with threads_of(model) as threads:
        model.let.release(2)
        model.error = RuntimeError(SECRET)
        with pytest.raises(StoreUnavailable, match="RuntimeError") as caught:
            await threads.queries(["q1"])
        model.error = None
        assert len(await threads.queries(["q1"])) == 1
    assert SECRET not in str(caught.value)
    assert len(model.begun) == 2


async def test_turns_close_fails_what_waits(model: WaitingModel) -> None:
    async with threads_of(model) as threads:
        running = await begin(threads.queries(["q1"]))
        waiting = [await begin(threads.queries(["q2"])), await begin(threads.passages(["p1", "p2"]))]
        model.let.release()
        await threads.close()
        for task in waiting:
            with pytest.raises(StoreUnavailable):
                await task
        assert len(await running) == 1


# --- cache and checks ----------------------------------------------------------------------------
async def test_cache_full_forgets_what_was_unused_longest() -> None:
    shared = SharedVectors(2)
    begun: list[str] = []

    def begin_now(flights: list[Any]) -> None:
        for flight in flights:
            begun.append(flight.text)
            flight.answered(checked_vector([1.0], 1))

    for text in ("a", "b", "a", "c", "a", "b"):
        await shared.of("query", [text], begin_now)
    assert begun == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    "raw", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1e308, 1e308], [1.0], [[1.0], [2.0]], ["1", "2"], []]
)
def test_vector_without_direction_or_of_another_shape_is_refused(raw: list[Any]) -> None:
    with pytest.raises(InvariantBroken):
        checked_vector(raw, 2)


def test_vector_of_another_length_becomes_one_of_length_1() -> None:
    vector = checked_vector([3, -4], 2)
    assert vector.dtype == np.float32
    assert vector == pytest.approx([0.6, -0.8])


@pytest.mark.parametrize(("chars", "expected"), [(6, "abcdef"), (5, "abcef"), (4, "abef"), (1, "a")])
def test_ends_of_longer_text_are_its_first_and_last_part(chars: int, expected: str) -> None:
    assert ends_of("abcdef", chars) == expected


def test_breaker_opens_probes_once_and_recovers() -> None:
    now = [0.0]
    breaker = CircuitBreaker(2, 10.0, lambda: now[0])
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.allow()
    breaker.failed()
    assert not breaker.allow()
    now[0] = 9.9
    assert not breaker.allow()
    now[0] = 10.0
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.failed()
    now[0] = 19.9
    assert not breaker.allow()
    now[0] = 20.0
    assert [breaker.allow(), breaker.allow()] == [True, False]
    now[0] = 30.0  # the probe's caller gave up without a word
    assert breaker.allow()
    breaker.succeeded()
    assert [breaker.allow(), breaker.allow()] == [True, True]


# --- fastembed -----------------------------------------------------------------------------------
def test_fastembed_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(SetupError, match=r"pip install anamnesis-gateway\[fastembed\]"):
        FastEmbedEmbedder(FastEmbedSettings("BAAI/bge-small-zh-v1.5"))


class StandInTextEmbedding:
    """Called as fastembed's own class is: no model can be downloaded for a test."""

    def __init__(self, model_name: str, cache_dir: str | None, threads: int | None) -> None:
        assert (model_name, cache_dir, threads) == ("a-model", None, 1)

    @classmethod
    def get_embedding_size(cls, model_name: str) -> int:
        if model_name != "a-model":
            raise ValueError(model_name)
        return DIMENSION

    def query_embed(self, texts: list[str]) -> Iterator[Any]:
        return (np.asarray(numbers_of(f"query {text}")) for text in texts)

    def passage_embed(self, texts: list[str]) -> Iterator[Any]:
        return (np.asarray(numbers_of(text)) for text in texts)


async def test_fastembed_queries_and_passages_are_embedded_each_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", SimpleNamespace(TextEmbedding=StandInTextEmbedding))
    with pytest.raises(SetupError, match="knows no model"):
        FastEmbedEmbedder(FastEmbedSettings("another"))
    embedder = FastEmbedEmbedder(FastEmbedSettings("a-model"))
    assert embedder.space == f"fastembed/a-model/{DIMENSION}"
    [query], [passage] = await embedder.queries(["a"]), await embedder.passages(["a"])
    assert np.array_equal(query, checked_vector(numbers_of("query a"), DIMENSION))
    assert np.array_equal(passage, checked_vector(numbers_of("a"), DIMENSION))
    await embedder.close()
