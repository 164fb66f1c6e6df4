"""The process that has the model and those that ask it: over a real socket, with a model that waits for the test."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memory.errors import InvariantBroken, Overloaded, StoreUnavailable
from memory.model.search import Vector
from memory.providers.embedder_client import EmbedderClient
from memory.providers.embedder_frames import TEXT_CHARS_MAX, Frame, What
from memory.providers.embedder_server import EmbedderServer
from memory.providers.shared_vectors import checked_vector, clean_text
from tests.openai_server import DIMENSION, numbers_of


class Model:
    """Embeds at once, or holds a text until the test lets it go."""

    space, dimension = "test", DIMENSION

    def __init__(self) -> None:
        self.begun: list[tuple[str, str]] = []
        self.given_up: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.error: Exception | None = None

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [await self._embed("query", text) for text in texts]

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [await self._embed("passage", text) for text in texts]

    async def _embed(self, kind: str, text: str) -> Vector:
        clean_text(text)
        self.begun.append((kind, text))
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.given_up.append(text)
            raise
        if self.error is not None:
            raise self.error
        return checked_vector(numbers_of(text), DIMENSION)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.sock"


@asynccontextmanager
async def serving(path: Path, model: Model) -> AsyncIterator[EmbedderServer]:
    server = EmbedderServer(model, path)
    await server.start("engine of the test")
    try:
        yield server
    finally:
        await server.close()


@asynccontextmanager
async def asking(path: Path, away_s: float = 30.0) -> AsyncIterator[EmbedderClient]:
    client = EmbedderClient(path, "test", DIMENSION, cache_entries_max=64, away_s=away_s)
    await client.start()
    try:
        yield client
    finally:
        await client.close()


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def there(client: EmbedderClient) -> None:
    await wait_until(lambda: bool(client.engine))


async def test_process_embeds_for_several_and_each_text_once(path: Path) -> None:
    model = Model()
    async with serving(path, model), asking(path) as one, asking(path) as two:
        await there(one)
        await there(two)
        assert one.engine == "engine of the test"
        answers = await asyncio.gather(one.queries(["tea?", "tea?"]), two.passages(["tea.", "茶"]))
        again = await one.queries(["tea?"])
    assert [vector.tobytes() for vector in answers[0]] == [again[0].tobytes()] * 2
    assert answers[1][1].tobytes() == checked_vector(numbers_of("茶"), DIMENSION).tobytes()
    assert sorted(model.begun) == [("passage", "tea."), ("passage", "茶"), ("query", "tea?")]


async def test_process_only_its_user_may_ask(path: Path) -> None:
    async with serving(path, Model()):
        assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


async def test_process_away_query_is_refused_at_once_and_passage_waits(path: Path) -> None:
    model = Model()
    async with asking(path) as client:
        with pytest.raises(StoreUnavailable):
            await client.queries(["tea?"])
        passage = asyncio.create_task(client.passages(["tea."]))
        await asyncio.sleep(0)
        assert not passage.done()
        async with serving(path, model):
            assert len(await passage) == 1


async def test_process_that_does_not_come_is_not_waited_for_for_ever(path: Path) -> None:
    async with asking(path, away_s=0.05) as client:
        with pytest.raises(StoreUnavailable, match="away"):
            await client.passages(["tea."])


async def test_process_that_ends_fails_queries_and_is_asked_for_passages_again(path: Path) -> None:
    first, second = Model(), Model()
    first.open.clear()
    async with asking(path) as client:
        async with serving(path, first):
            await there(client)
            query = asyncio.create_task(client.queries(["tea?"]))
            passage = asyncio.create_task(client.passages(["tea."]))
            await wait_until(lambda: len(first.begun) == 2)
        with pytest.raises(StoreUnavailable):
            await query
        async with serving(path, second):
            assert len(await passage) == 1
            assert len(await client.queries(["tea?"])) == 1
    assert second.begun == [("passage", "tea."), ("query", "tea?")]


async def test_text_under_which_processes_end_is_not_sent_for_ever(path: Path) -> None:
    begun: list[tuple[str, str]] = []
    async with asking(path) as client:
        passage = asyncio.create_task(client.passages(["poison"]))
        for times in (1, 2, 3):
            model = Model()
            model.begun = begun
            model.open.clear()
            async with serving(path, model):
                await wait_until(lambda times=times: len(begun) == times)  # type: ignore[misc]
        with pytest.raises(StoreUnavailable):
            await passage


@pytest.mark.parametrize("error", [Overloaded("64 texts wait"), StoreUnavailable("no"), InvariantBroken("zero")])
async def test_error_of_the_model_is_the_same_here(path: Path, error: Exception) -> None:
    model = Model()
    model.error = error
    async with serving(path, model), asking(path) as client:
        await there(client)
        with pytest.raises(type(error), match=str(error)):
            await client.queries(["tea?"])
        model.error = None
        assert len(await client.queries(["tea?"])) == 1


async def test_query_nobody_waits_for_is_given_up_there(path: Path) -> None:
    model = Model()
    model.open.clear()
    async with serving(path, model), asking(path) as client:
        await there(client)
        query = asyncio.create_task(client.queries(["tea?"]))
        await wait_until(lambda: bool(model.begun))
        query.cancel()
        await wait_until(lambda: model.given_up == ["tea?"])


@pytest.mark.parametrize(
    "text", ["\0tea", "a\ud800b", "\ufdfa" * 400, "x" * (3 * TEXT_CHARS_MAX), "😀" * TEXT_CHARS_MAX]
)
async def test_odd_and_long_texts_travel(path: Path, text: str) -> None:
    model = Model()
    async with serving(path, model), asking(path) as client:
        await there(client)
        assert len(await client.queries([text])) == len(await client.passages([text])) == 1
    assert all(len(sent) <= TEXT_CHARS_MAX for _, sent in model.begun)


@pytest.mark.parametrize("text", ["", " ", "\n"])
async def test_blank_text_is_refused_here(path: Path, text: str) -> None:
    model = Model()
    async with serving(path, model), asking(path) as client:
        await there(client)
        with pytest.raises(InvariantBroken):
            await client.passages(["fine", text])
    assert model.begun == []


@pytest.mark.parametrize(
    "nonsense", [b"\xff" * 64, b"GET / HTTP/1.1\r\n\r\n", Frame(1, What.VECTOR, b"x").encode()[:-1]]
)
async def test_nonsense_ends_its_own_connection_alone(path: Path, nonsense: bytes) -> None:
    model = Model()
    async with serving(path, model), asking(path) as client:
        await there(client)
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(path))
            stranger.sendall(nonsense)
        assert len(await client.queries(["tea?"])) == 1
