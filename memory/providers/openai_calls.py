"""Calls to an OpenAI-compatible endpoint: one deadline over all retries, a circuit breaker, and errors as we know them.

Whatever the endpoint does (nothing, half an answer, an endless one, nonsense) ends within the deadline in a vector or a
text that was checked, or in one error:

- Overloaded: it said 429 to the last try, or too many calls wait here already.
- DeadlineExceeded: it did not answer in time.
- ModelRefused: it refuses the key, or has no such model or path (401, 403, 404). A ModelUnavailable.
- ModelUnavailable: any other failure to answer: no connection, 5xx, a body that is no JSON; or the breaker is open.
- InvariantBroken: it refuses the request (another 4xx), or its answer is JSON but not what was asked for.

No error or log carries the key or a text: what an endpoint says in its errors may quote both, so it is left out.
"""

import asyncio
import json
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Final, Protocol, TypeVar

import httpx2
import openai

from memory.breaker import CircuitBreaker
from memory.errors import (
    DeadlineExceeded,
    InvariantBroken,
    MemoryGatewayError,
    ModelRefused,
    ModelUnavailable,
    Overloaded,
    SetupError,
    TemporaryError,
)

_NO_KEY: Final = "none"
_REFUSALS: Final = {
    401: "the model endpoint refuses the key: check openai.api_key (OPENAI_API_KEY)",
    403: "the model endpoint does not let this key use the model: check openai.api_key (OPENAI_API_KEY) and its rights",
    404: "the model endpoint has no such model or path: check the model's name and openai.base_url (OPENAI_BASE_URL)",
}
_AGAIN: Final = (408, 409, 425)
_RETRY_AFTER_S_MAX: Final = 600


@dataclass(frozen=True, slots=True)
class OpenAIEndpoint:
    """An endpoint and how patient we are with it. An empty key is for endpoints that want none.

    `deadline_s` holds for a call with all its retries, and for the wait for its turn. `calls_max`: under way at the
    same time; `waiting_max`: waiting for a turn. The breaker counts tries, not calls.
    """

    base_url: str = "https://api.openai.com/v1"
    api_key: str = field(default="", repr=False)
    deadline_s: float = 15.0
    retries_max: int = 2
    backoff_s: float = 0.25
    calls_max: int = 8
    waiting_max: int = 64
    answer_bytes_max: int = 16 * 1024 * 1024
    breaker_failures_max: int = 5
    breaker_open_s: float = 10.0


class Raw(Protocol):
    """An answer as it came, whole and undecoded."""

    @property
    def content(self) -> bytes:
        """The body."""
        ...


Send = Callable[[openai.AsyncOpenAI], Awaitable[Raw]]
Answer = TypeVar("Answer")


class _Failed(Exception):  # noqa: N818 - it never leaves this module
    """A try that got no answer: with what error the call ends if it was the last, and when to try again."""

    def __init__(self, error: TemporaryError, *, again: bool = True, retry_after_s: float = 0.0) -> None:
        super().__init__()
        self.error = error
        self.again = again
        self.retry_after_s = retry_after_s


class OpenAICalls:
    """One endpoint. `now` is the breaker's clock. For one event loop. Raises SetupError for a URL or key of no use."""

    def __init__(self, endpoint: OpenAIEndpoint, now: Callable[[], float] = time.monotonic) -> None:
        _check(endpoint)
        self._endpoint = endpoint
        self._breaker = CircuitBreaker(endpoint.breaker_failures_max, endpoint.breaker_open_s, now)
        self._turns = asyncio.Semaphore(endpoint.calls_max)
        self._waiting = 0
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.api_key or _NO_KEY,
            base_url=endpoint.base_url,
            timeout=None,
            max_retries=0,
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [self._limit_body]}),
        )

    async def call(self, send: Send, read: Callable[[Any], Answer]) -> Answer:
        """Send until there is an answer, and `read` its JSON. `read` raises InvariantBroken for what it can't use.

        Raises what the module says, at `deadline_s` at the latest. Nothing is remembered between calls but the
        breaker's count.
        """
        deadline = asyncio.get_running_loop().time() + self._endpoint.deadline_s
        await self._take_turn(deadline)
        try:
            return await self._tries(send, read, deadline)
        finally:
            self._turns.release()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _take_turn(self, deadline: float) -> None:
        if self._turns.locked() and self._waiting >= self._endpoint.waiting_max:
            raise Overloaded(f"{self._waiting} calls wait for the model endpoint")
        self._waiting += 1
        try:
            async with asyncio.timeout_at(deadline):
                await self._turns.acquire()
        except TimeoutError:
            raise Overloaded("no turn at the model endpoint within the deadline") from None
        finally:
            self._waiting -= 1

    async def _tries(self, send: Send, read: Callable[[Any], Answer], deadline: float) -> Answer:
        loop = asyncio.get_running_loop()
        failed = _Failed(ModelUnavailable("the model endpoint failed again and again and is left alone for a while"))
        for number in range(self._endpoint.retries_max + 1):
            if not self._breaker.allow():
                break
            try:
                return await self._try(send, read, deadline)
            except _Failed as failure:
                failed = failure
            backoff = self._endpoint.backoff_s * 2**number * random.uniform(0.5, 1.0)  # noqa: S311 - spreads load
            pause_s = max(backoff, failed.retry_after_s)
            if not failed.again or number == self._endpoint.retries_max or loop.time() + pause_s >= deadline:
                break
            await asyncio.sleep(pause_s)
        if failed.retry_after_s:
            failed.error.retry_after_s = math.ceil(failed.retry_after_s)
        raise failed.error from None

    async def _try(self, send: Send, read: Callable[[Any], Answer], deadline: float) -> Answer:
        """One request. The breaker hears how it went, but for a caller that gave up."""
        try:
            async with asyncio.timeout_at(deadline):
                body = (await send(self._client)).content
            answer = read(_json(body))
        except TimeoutError:
            late = DeadlineExceeded(f"no answer from the model endpoint within {self._endpoint.deadline_s:g} s")
            failure: _Failed | MemoryGatewayError = _Failed(late, again=False)
        except openai.APIError as error:
            failure = _known(error)
        except (_Failed, InvariantBroken) as error:
            failure = error
        else:
            self._breaker.succeeded()
            return answer
        if isinstance(failure, _Failed):
            self._breaker.failed()
        else:
            self._breaker.succeeded()
        raise failure from None

    async def _limit_body(self, response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _LimitedBody(response.stream, self._endpoint.answer_bytes_max)


class _LimitedBody(httpx2.AsyncByteStream):
    """A body that breaks off when it is longer than an answer can be: an endless one would fill the memory."""

    def __init__(self, body: httpx2.AsyncByteStream, bytes_max: int) -> None:
        self._body = body
        self._left = bytes_max

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._body:
            self._left -= len(chunk)
            if self._left < 0:
                raise httpx2.ReadError("the answer is longer than an answer can be")
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()


def _check(endpoint: OpenAIEndpoint) -> None:
    if not endpoint.base_url.startswith(("http://", "https://")):
        raise SetupError("the base_url of a model endpoint must begin with http:// or https://")
    key = endpoint.api_key
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SetupError("the api_key of a model endpoint has characters that no key has (a line end, perhaps)")


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise _Failed(ModelUnavailable(f"the model endpoint answered {len(body)} bytes that are no JSON")) from None


def _known(error: openai.APIError) -> _Failed | InvariantBroken:
    """What an error of the client means here. Only the status is told: the text may quote the key or the request."""
    if not isinstance(error, openai.APIStatusError):
        return _Failed(ModelUnavailable(f"no answer from the model endpoint: {type(error).__name__}"))
    status = error.status_code
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return _Failed(Overloaded("the model endpoint has too many requests"), retry_after_s=_retry_after_s(error))
    if status in _REFUSALS:
        return _Failed(ModelRefused(f"{_REFUSALS[status]} (status {status})"), again=False)
    if status in _AGAIN or status >= httpx2.codes.INTERNAL_SERVER_ERROR:
        down = ModelUnavailable(f"the model endpoint answered with status {status}")
        return _Failed(down, retry_after_s=_retry_after_s(error))
    return InvariantBroken(f"the model endpoint refused the request (status {status})")


def _retry_after_s(error: openai.APIStatusError) -> float:
    """The header Retry-After in seconds, at most ten minutes; a date is measured by the answer's own Date."""
    headers = error.response.headers
    after = headers.get("retry-after", "")
    try:
        seconds = float(after)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(after) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
        except (ValueError, TypeError):
            return 0.0
    return min(max(seconds, 0.0), _RETRY_AFTER_S_MAX) if math.isfinite(seconds) else 0.0
