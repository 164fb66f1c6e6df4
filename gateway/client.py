"""The Python client, made from the table of operations: one method each, async and sync.

    async with AsyncClient("http://127.0.0.1:8077") as client:
        context = await client.query_memory_context(conversation_id="conv_1", query="头痛三天了")
        async for changed in client.watch_conversation(conversation_id="conv_1"):
            print(changed.state, changed.turn_count)

`client.pyi` types the methods; `make generate` writes it from the same table.
"""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import aiohttp
from pydantic import BaseModel

from gateway.config.settings import DEFAULT_URL
from gateway.operations import OPERATIONS, WATCHES, Operation

T = TypeVar("T")

_AGAIN_S: Final = 2.0
_DATA: Final = b"data:"
_REVISION: Final = "revision"
"""What every event has but those of trouble."""
_SILENT_S: Final = 45.0
"""A stream that says nothing for three of its comments is lost."""


METHODS: Final = {operation.method: operation for operation in OPERATIONS}
WATCHING: Final = {watch.method: watch for watch in WATCHES}


class ProblemError(Exception):
    """The gateway answered with a problem document. `code` is stable; `retry_after_s` says when to retry."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after_s: int | None) -> None:
        super().__init__(f"{status} {problem.get('code', '')}: {problem.get('detail', '')}")
        self.status = status
        self.code = str(problem.get("code", ""))
        self.problem = problem
        self.retry_after_s = retry_after_s


class AsyncClient:
    """Calls a gateway.

    Raises ProblemError for its refusals and for what is no gateway's answer (a proxy's page), aiohttp.ClientError when
    it cannot be reached, TimeoutError when it does not answer in time.
    """

    def __init__(self, url: str = DEFAULT_URL, api_key: str | None = None, timeout_s: float = 60) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel:
        """Call one operation with its request's fields; a field of None is left out, but not where that means more.

        ForgetMemory without a memory's or conversation's id erases all of the user: there a None is sent, and refused.
        """
        body = {name: value for name, value in fields.items() if value is not None or operation.sends_none}
        return operation.response.model_validate(await self.post(operation.path, body))

    async def watch(self, watch: Operation, fields: Mapping[str, Any]) -> AsyncGenerator[BaseModel, None]:
        """Follow what a watch tells, over reconnections: the state that it comes to is never missed.

        Raises as a call does until it is let in, then only what no retry mends: ProblemError without `retry_after_s`.
        """
        asked = {name: str(value) for name, value in fields.items() if value is not None}
        last, let_in = "", False
        while True:
            pause_s: float = _AGAIN_S
            try:
                async with self._following(watch, asked, last) as response:
                    let_in = True
                    async for line in response.content:
                        event = _object(line.removeprefix(_DATA)) if line.startswith(_DATA) else None
                        if event is not None and _REVISION in event:
                            last = event[_REVISION]
                            yield watch.response.model_validate(event)
            except (aiohttp.ClientError, TimeoutError):
                if not let_in:
                    raise
            except ProblemError as problem:
                if not let_in or problem.retry_after_s is None:
                    raise
                pause_s = problem.retry_after_s
            await asyncio.sleep(pause_s)

    @asynccontextmanager
    async def _following(
        self, watch: Operation, fields: Mapping[str, str], last: str
    ) -> AsyncGenerator[aiohttp.ClientResponse, None]:
        headers = {"Last-Event-ID": last} if last else {}
        patience = aiohttp.ClientTimeout(total=None, sock_connect=self._timeout.total, sock_read=_SILENT_S)
        asking = self._opened().get(self._url + watch.path, params=fields, headers=headers, timeout=patience)
        async with asking as response:
            if response.status != 200:  # noqa: PLR2004 - it is 200 or a problem
                raise _problem(response, _object(await response.read()))
            yield response

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST one JSON object and return the parsed answer."""
        data = json.dumps(body, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json"}
        async with self._opened().post(self._url + path, data=data, headers=headers) as response:
            answer = _object(await response.read())
            if response.status == 200 and answer is not None:  # noqa: PLR2004 - it is 200 or a problem
                return answer
            raise _problem(response, answer)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(headers=self._headers, timeout=self._timeout)
        return self._session

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in WATCHING:
            return lambda **fields: self.watch(WATCHING[name], fields)
        operation = _operation(type(self), name)

        async def method(**fields: Any) -> BaseModel:
            return await self.call(operation, fields)

        return method


class Client:
    """The same without async: an event loop on a thread of its own does the work."""

    def __init__(self, url: str = DEFAULT_URL, api_key: str | None = None, timeout_s: float = 60) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="anamnesis-client", daemon=True)
        self._thread.start()
        self._client = AsyncClient(url, api_key, timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and the thread."""
        self._wait(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel:
        """As AsyncClient.call."""
        return self._wait(self._client.call(operation, fields))

    def watch(self, watch: Operation, fields: Mapping[str, Any]) -> Iterator[BaseModel]:
        """As AsyncClient.watch."""
        events = self._client.watch(watch, fields)
        try:
            while True:
                yield self._wait(_next(events))
        finally:
            self._wait(events.aclose())

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in WATCHING:
            return lambda **fields: self.watch(WATCHING[name], fields)
        operation = _operation(type(self), name)

        def method(**fields: Any) -> BaseModel:
            return self.call(operation, fields)

        return method


async def _next(events: AsyncGenerator[T, None]) -> T:
    return await anext(events)


def _problem(response: aiohttp.ClientResponse, answer: dict[str, Any] | None) -> ProblemError:
    """What was answered instead; None: no JSON object."""
    told = answer or {"detail": f"{response.url} answered {response.status}, but not as a gateway"}
    retry_after = response.headers.get("Retry-After", "")
    return ProblemError(response.status, told, int(retry_after) if retry_after.isdecimal() else None)


def _object(body: bytes) -> dict[str, Any] | None:
    """The JSON object; None when it is none."""
    try:
        found = json.loads(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _operation(owner: type, name: str) -> Operation:
    try:
        return METHODS[name]
    except KeyError:
        raise AttributeError(f"{owner.__name__} has no operation {name!r}") from None
