"""The embedder of an endpoint, by a scripted server over HTTP: right, late, wrong, half and never."""

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Callable
from typing import Any

import numpy as np
import pytest

from memory.errors import (
    DeadlineExceeded,
    InvariantBroken,
    MemoryGatewayError,
    ModelRefused,
    ModelUnavailable,
    Overloaded,
    SetupError,
)
from memory.model.search import Vector
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_embedder import OpenAIEmbedder, OpenAIEmbedderSettings
from memory.providers.shared_vectors import checked_vector
from tests.openai_server import (
    DIMENSION,
    Behaviour,
    Received,
    ScriptedServer,
    answer,
    body,
    changed,
    endless,
    hang_up,
    held,
    numbers_of,
    rate_limited,
    right,
    silent,
    status,
)

KEY = "sk-test-4711-never-shown"
SECRET = "the patient is called Zhang Wei"


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


Make = Callable[..., OpenAIEmbedder]


@pytest.fixture
async def embedder_of(server: ScriptedServer) -> AsyncIterator[Make]:
    made: list[OpenAIEmbedder] = []

    def make(*, now: Callable[[], float] = lambda: 0.0, dimensions: int = DIMENSION, **endpoint: Any) -> OpenAIEmbedder:
        patience = {"deadline_s": 10.0, "retries_max": 1, "backoff_s": 0.001, "breaker_failures_max": 1_000}
        point = OpenAIEndpoint(server.url, KEY, **(patience | endpoint))
        made.append(OpenAIEmbedder(OpenAIEmbedderSettings("test-model", point, dimensions), now))
        return made[-1]

    yield make
    for embedder in made:
        await embedder.close()


def expected(text: str) -> Vector:
    return checked_vector(np.asarray(numbers_of(text), dtype=np.float32), DIMENSION)


async def test_endpoint_200_texts_keep_their_order_over_batches(server: ScriptedServer, embedder_of: Make) -> None:
    texts = [f"text {number}" for number in range(200)]
    last_is_here, embed = asyncio.Event(), server.embed
    server.script = [held(last_is_here)]

    def embed_and_let(text: str) -> list[float]:
        if text == texts[-1]:
            last_is_here.set()
        return embed(text)

    server.embed = embed_and_let
    vectors = await embedder_of().passages(texts)
    assert all(np.array_equal(vector, expected(text)) for vector, text in zip(vectors, texts, strict=True))
    assert sorted(len(request.body["input"]) for request in server.requests) == [8, 64, 64, 64]


async def test_endpoint_same_text_is_asked_once(server: ScriptedServer, embedder_of: Make) -> None:
    embedder = embedder_of()
    await asyncio.gather(embedder.queries(["a", "b", "a"]), embedder.queries(["b", "c"]))
    await embedder.queries(["c", "a"])
    assert [request.body["input"] for request in server.requests] == [["a", "b"], ["c"]]


async def test_endpoint_lists_of_floats_are_taken_too(server: ScriptedServer, embedder_of: Make) -> None:
    def as_list(right_answer: dict[str, Any]) -> dict[str, Any]:
        right_answer["data"][0]["embedding"] = numbers_of("a")
        return right_answer

    server.script = [changed(as_list)]
    [vector] = await embedder_of().queries(["a"])
    assert vector == pytest.approx(expected("a"), abs=1e-6)


async def test_endpoint_long_text_is_sent_by_its_ends_and_large_batches_are_split(
    server: ScriptedServer, embedder_of: Make
) -> None:
    await embedder_of().passages([f"{number}" + "长" * 50_000 for number in range(20)])
    sent = [[len(text) for text in request.body["input"]] for request in server.requests]
    assert sorted(map(len, sent)) == [4, 16]
    assert {size for sizes in sent for size in sizes} == {6_000}


async def test_endpoint_start_learns_the_dimension(server: ScriptedServer, embedder_of: Make) -> None:
    embedder = embedder_of(dimensions=0)
    with pytest.raises(InvariantBroken, match="not started"):
        await embedder.queries(["a"])
    await embedder.start()
    assert (embedder.dimension, embedder.space) == (DIMENSION, f"openai/test-model/{DIMENSION}")
    assert len(await embedder.queries(["a"])) == 1
    assert all("dimensions" not in request.body for request in server.requests)


async def test_endpoint_configured_dimension_is_known_at_once_and_checked(
    server: ScriptedServer, embedder_of: Make
) -> None:
    embedder = embedder_of(dimensions=DIMENSION + 1)
    assert embedder.space == f"openai/test-model/{DIMENSION + 1}"
    with pytest.raises(SetupError, match="expected are 9"):
        await embedder.start()
    with pytest.raises(InvariantBroken, match="expected are 9"):
        await embedder.queries(["a"])
    assert all("dimensions" not in request.body for request in server.requests)


def with_embedding(value: Any) -> Behaviour:
    def change(right_answer: dict[str, Any]) -> dict[str, Any]:
        right_answer["data"][1]["embedding"] = value
        return right_answer

    return changed(change)


def with_data(change: Callable[[list[Any]], list[Any]]) -> Behaviour:
    return changed(lambda right_answer: right_answer | {"data": change(right_answer["data"])})


BAD: dict[str, tuple[Behaviour, type[MemoryGatewayError], int]] = {
    "500": (status(500), ModelUnavailable, 2),
    "503 without end": (endless(code=503), ModelUnavailable, 2),
    "429": (rate_limited(), Overloaded, 2),
    "400": (status(400), InvariantBroken, 1),
    "401": (status(401), ModelRefused, 1),
    "404": (status(404), ModelRefused, 1),
    "silent": (silent(), DeadlineExceeded, 1),
    "without end": (endless(), ModelUnavailable, 2),
    "hang up": (hang_up(), ModelUnavailable, 2),
    "hang up half way": (hang_up(after=100), ModelUnavailable, 2),
    "empty": (body(b""), ModelUnavailable, 2),
    "junk": (body(b"<html>proxy</html>", "text/html"), ModelUnavailable, 2),
    "junk as json": (body(b"\xff\xfe{"), ModelUnavailable, 2),
    "deep": (body(b"[" * 100_000), ModelUnavailable, 2),
    "null": (answer(None), InvariantBroken, 1),
    "list": (answer([]), InvariantBroken, 1),
    "error with 200": (answer({"error": {"message": "no"}}), InvariantBroken, 1),
    "data no list": (answer({"data": {"0": 1}}), InvariantBroken, 1),
    "data of strings": (with_data(lambda data: ["a"] * len(data)), InvariantBroken, 1),
    "one too few": (with_data(lambda data: data[:-1]), InvariantBroken, 1),
    "one too many": (with_data(lambda data: [*data, data[0]]), InvariantBroken, 1),
    "other order": (with_data(lambda data: data[::-1]), InvariantBroken, 1),
    "index missing": (with_data(lambda data: [{"embedding": item["embedding"]} for item in data]), InvariantBroken, 1),
    "nan": (with_embedding([float("nan")] * DIMENSION), InvariantBroken, 1),
    "zero": (with_embedding([0.0] * DIMENSION), InvariantBroken, 1),
    "wrong dimension": (with_embedding([1.0] * (DIMENSION - 1)), InvariantBroken, 1),
    "strings": (with_embedding(["1"] * DIMENSION), InvariantBroken, 1),
    "no base64": (with_embedding("%%%"), InvariantBroken, 1),
    "odd base64": (with_embedding("AAAA"), InvariantBroken, 1),
    "no embedding": (with_embedding(None), InvariantBroken, 1),
}


@pytest.mark.parametrize("name", BAD)
async def test_endpoint_bad_answer_is_one_error_and_nothing_half(
    server: ScriptedServer, embedder_of: Make, name: str
) -> None:
    behaviour, error, requests = BAD[name]
    deadline_s = 0.3 if error is DeadlineExceeded else 20.0
    embedder = embedder_of(deadline_s=deadline_s, answer_bytes_max=1_000_000)
    server.script = [behaviour] * requests
    async with asyncio.timeout(20):
        with pytest.raises(error) as caught:
            await embedder.queries(["a", "b", "c"])
    assert type(caught.value) is error
    assert len(server.requests) == requests
    if error is not DeadlineExceeded:
        assert np.array_equal((await embedder.queries(["a"]))[0], expected("a"))
        assert len(server.requests) == requests + 1


async def test_endpoint_that_is_not_there_is_unavailable() -> None:
    async with ScriptedServer() as gone:
        point = OpenAIEndpoint(gone.url, retries_max=1, backoff_s=0.001)
    embedder = OpenAIEmbedder(OpenAIEmbedderSettings("m", point, DIMENSION))
    with pytest.raises(ModelUnavailable):
        await embedder.queries(["a"])
    await embedder.close()


async def test_endpoint_recovers_within_its_retries(server: ScriptedServer, embedder_of: Make) -> None:
    server.script = [status(500), rate_limited("0.01"), hang_up(after=20), right()]
    [vector] = await embedder_of(retries_max=3).queries(["a"])
    assert np.array_equal(vector, expected("a"))
    assert len(server.requests) == 4


async def test_endpoint_retry_after_is_waited_for(server: ScriptedServer, embedder_of: Make) -> None:
    server.script = [rate_limited("0.5")]
    loop = asyncio.get_running_loop()
    start = loop.time()
    await embedder_of().queries(["a"])
    assert loop.time() - start >= 0.5
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("headers", "retry_after_s"),
    [
        ({"Retry-After": "60"}, 60),
        ({"Retry-After": "99999"}, 600),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT", "Date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 30),
    ],
)
async def test_endpoint_retry_after_beyond_the_deadline_ends_the_call_and_is_passed_on(
    server: ScriptedServer, embedder_of: Make, headers: dict[str, str], retry_after_s: int
) -> None:
    server.script = [status(429, headers)]
    with pytest.raises(Overloaded) as caught:
        await embedder_of().queries(["a"])
    assert caught.value.retry_after_s == retry_after_s
    assert len(server.requests) == 1


@pytest.mark.parametrize("retry_after", ["soon", "-5", "nan", "inf", "Wed, 99 Oct"])
async def test_endpoint_retry_after_without_sense_is_ignored(
    server: ScriptedServer, embedder_of: Make, retry_after: str
) -> None:
    server.script = [rate_limited(retry_after)]
    assert len(await embedder_of().queries(["a"])) == 1


async def test_endpoint_breaker_opens_and_recovers(server: ScriptedServer, embedder_of: Make) -> None:
    now = [0.0]
    embedder = embedder_of(now=lambda: now[0], retries_max=0, breaker_failures_max=5, breaker_open_s=10.0)
    server.script = [status(500)] * 6
    for _ in range(7):
        with pytest.raises(ModelUnavailable):
            await embedder.queries(["a"])
    assert len(server.requests) == 5
    now[0] = 10.0
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await embedder.queries(["a"])
    assert len(server.requests) == 6
    now[0] = 20.0
    await embedder.queries(["a"])
    await embedder.queries(["b"])
    assert len(server.requests) == 8


async def test_endpoint_too_many_callers_are_refused_at_once(server: ScriptedServer, embedder_of: Make) -> None:
    let = asyncio.Event()
    server.script = [held(let)]
    embedder = embedder_of(calls_max=1, waiting_max=1)
    calls = [asyncio.create_task(embedder.queries([text])) for text in "ab"]
    for _ in range(3):
        await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await embedder.queries(["c"])
    let.set()
    assert len(await asyncio.gather(*calls)) == 2


async def test_endpoint_query_finds_room_beside_many_passages(server: ScriptedServer, embedder_of: Make) -> None:
    let = asyncio.Event()

    async def hold_passages(server: ScriptedServer, request: Any, received: Received) -> Any:
        behave = held(let) if received.body["input"][0].startswith("passage") else right()
        return await behave(server, request, received)

    server.script = [hold_passages] * 4
    embedder = embedder_of(calls_max=2)
    passages = asyncio.create_task(embedder.passages([f"passage {number}" for number in range(130)]))
    await asyncio.sleep(0)
    await embedder.queries(["a"])
    assert not passages.done()
    let.set()
    assert len(await passages) == 130


async def test_endpoint_request_nobody_waits_for_is_given_up(server: ScriptedServer, embedder_of: Make) -> None:
    server.script = [silent()]
    embedder = embedder_of(calls_max=1)
    left = asyncio.create_task(embedder.queries(["a", "b"]))
    async with asyncio.timeout(5):
        while not server.requests:
            await asyncio.sleep(0.001)
    left.cancel()
    assert len(await embedder.queries(["c"])) == 1


async def test_endpoint_close_fails_what_is_under_way(server: ScriptedServer, embedder_of: Make) -> None:
    server.script = [silent()]
    embedder = embedder_of()
    call = asyncio.create_task(embedder.queries(["a"]))
    await asyncio.sleep(0)
    await embedder.close()
    with pytest.raises(ModelUnavailable):
        await call
    with pytest.raises(ModelUnavailable):
        await embedder.queries(["b"])


async def test_endpoint_key_and_texts_are_in_no_error_and_no_log(
    server: ScriptedServer, embedder_of: Make, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("", "openai", "httpx2"):
        caplog.set_level(logging.DEBUG, logger=name)
    embedder = embedder_of()
    errors: list[BaseException] = []
    for code in (400, 401, 429, 500):
        server.script = [status(code, message=f"wrong key {KEY}, input {SECRET}")] * 2
        with pytest.raises(MemoryGatewayError) as caught:
            await embedder.queries([SECRET])
        errors.append(caught.value)
        if code == 401:
            server.script = [status(code, message=f"wrong key {KEY}")]
            with pytest.raises(SetupError) as refused:
                await embedder.start()
            errors.append(refused.value)
    await embedder.queries([SECRET])
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    shown = "".join([*(line for error in errors for line in traceback.format_exception(error)), caplog.text])
    shown += repr(embedder._settings) + "".join(repr(error) for error in errors)
    assert "openai" in caplog.text
    assert KEY not in shown
    assert SECRET not in shown


@pytest.mark.parametrize(
    ("url", "key"), [("api.openai.com/v1", "k"), ("http://127.0.0.1", "k\n"), ("http://x", "ключ")]
)
def test_endpoint_url_or_key_of_no_use_is_a_setup_error(url: str, key: str) -> None:
    with pytest.raises(SetupError) as caught:
        OpenAIEmbedder(OpenAIEmbedderSettings("m", OpenAIEndpoint(url, key)))
    assert key not in str(caught.value) or key == "k"
