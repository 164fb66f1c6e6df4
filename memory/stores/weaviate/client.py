"""The connection to a Weaviate server: a deadline round every call, a circuit breaker, and what errors mean.

The client's own limits do not hold: a read on a dead server takes it 63 s. It is bound to one event loop and does not
survive a fork, so it is made when it is first needed, and again after the breaker was open.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from memory.breaker import CircuitBreaker
from memory.errors import MemoryGatewayError, SetupError, StoreUnavailable
from memory.stores.weaviate.driver import (
    AdditionalConfig,
    Auth,
    ConnectionParams,
    GrpcConfig,
    Timeout,
    WeaviateAsyncClient,
    grpc,
    httpx,
)
from memory.stores.weaviate.faults import CLIENT_ERRORS, Late, NoAnswer, NoTenant, meaning

T = TypeVar("T")

_CLOSE_S: Final = 1.0
_CHANNEL: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),  # gRPC's own limit is 2 minutes: so long a server that is back stays lost
    ("grpc.use_local_subchannel_pool", 1),  # a new client is a new connection
)
_RAISED: Final = (*CLIENT_ERRORS, grpc.RpcError, httpx.HTTPError)


@dataclass(frozen=True, slots=True)
class WeaviateSettings:
    """Where the server is and how long it is waited for. Times in seconds.

    `url` is that of its HTTP port; gRPC listens on the same host at `grpc_port`.
    """

    url: str
    grpc_port: int = 50051
    api_key: str = field(default="", repr=False)
    read_deadline_s: float = 2.0
    write_deadline_s: float = 5.0
    failures_max: int = 3
    """So many calls in a row without an answer open the breaker."""
    open_s: float = 3.0
    """How long calls then fail at once, before one is tried."""
    open_users_max: int = 500
    """Users whose tenants this process leaves open on the server; each costs it up to 17 open files."""
    tenants_known: Sequence[str] = ("default",)
    """Whose users there are: records of the first schema do not say (memory/stores/weaviate/listing.py)."""


class WeaviateConnection:
    """One client, made when it is needed.

    `epoch` grows whenever the server did not answer: what was proven before may no longer hold after it.
    `generation` grows with each client.
    """

    def __init__(self, settings: WeaviateSettings) -> None:
        self.settings = settings
        self.epoch = 0
        self.generation = 0
        self._params = _params(settings)
        self._breaker = CircuitBreaker(settings.failures_max, settings.open_s, time.monotonic)
        self._client: WeaviateAsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connecting = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether calls fail at once because the server did not answer."""
        return self._breaker.is_open

    async def read(self, work: Callable[[WeaviateAsyncClient], Awaitable[T]]) -> T:
        """Run work that only reads. Raises StoreUnavailable, DeadlineExceeded; NoTenant when the user has nothing."""
        return await self.run(work, self.settings.read_deadline_s)

    async def write(self, work: Callable[[WeaviateAsyncClient], Awaitable[T]]) -> T:
        """Run work that writes; after StoreUnavailable and DeadlineExceeded its outcome is unknown."""
        return await self.run(work, self.settings.write_deadline_s)

    async def run(self, work: Callable[[WeaviateAsyncClient], Awaitable[T]], deadline_s: float) -> T:
        """Run work within `deadline_s`."""
        was_open = self.is_open
        if not self._breaker.allow():
            raise StoreUnavailable("Weaviate did not answer several times in a row; asked again in a few seconds")
        tell = self._breaker.abandoned
        try:
            async with asyncio.timeout(deadline_s):
                result = await work(await self._connected(anew=was_open))
            tell = self._breaker.succeeded
        except _RAISED as error:
            told = meaning(error)
            tell = self._outcome(told)
            raise told from error
        except (NoTenant, MemoryGatewayError) as error:
            tell = self._outcome(error)
            raise
        finally:
            tell()
        return result

    async def close(self) -> None:
        """Close the client; the next call would make a new one."""
        client, self._client = self._client, None
        watch, self._watch = self._watch, None
        if watch is not None and self._loop is asyncio.get_running_loop():
            watch.cancel()
            await asyncio.wait([watch])
        if client is not None and self._loop is asyncio.get_running_loop():
            with contextlib.suppress(*_RAISED):
                async with asyncio.timeout(_CLOSE_S):
                    await client.close()

    def _outcome(self, error: Exception) -> Callable[[], None]:
        """What the breaker is told of a call that ended so: whoever refuses has answered."""
        return self._unanswered if isinstance(error, Late | NoAnswer) else self._breaker.succeeded

    def _unanswered(self) -> None:
        self.epoch += 1
        self._breaker.failed()

    async def _connected(self, *, anew: bool) -> WeaviateAsyncClient:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._client, self._connecting = loop, None, asyncio.Lock()
        async with self._connecting:
            if anew:
                await self.close()
            if self._client is None:
                self._client = await self._make()
                self._watch = asyncio.create_task(self._watch_channel(self._client))
                self.generation += 1
            return self._client

    async def _watch_channel(self, client: WeaviateAsyncClient) -> None:
        """Notice that the connection was lost when no call was under way: a server may die and be back unasked."""
        channel: Any = client._connection._grpc_channel  # noqa: SLF001 - the client does not show it
        state = channel.get_state()
        while state is not grpc.ChannelConnectivity.SHUTDOWN:
            await channel.wait_for_state_change(state)
            if state is grpc.ChannelConnectivity.READY:  # it was lost, though it may be there again by now
                self.epoch += 1
            state = channel.get_state()

    async def _make(self) -> WeaviateAsyncClient:
        settings = self.settings
        client = WeaviateAsyncClient(
            connection_params=self._params,
            auth_client_secret=Auth.api_key(settings.api_key) if settings.api_key else None,
            additional_config=AdditionalConfig(
                timeout=Timeout(
                    init=settings.read_deadline_s, query=settings.read_deadline_s, insert=settings.write_deadline_s
                ),
                grpc_config=GrpcConfig(channel_options=list(_CHANNEL)),
            ),
            skip_init_checks=True,  # they ask the public package index for the client's newest version
        )
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(_closed, client)
            await client.connect()
            undo.pop_all()
        return client


async def _closed(client: WeaviateAsyncClient) -> None:
    with contextlib.suppress(*_RAISED):
        await client.close()


def _params(settings: WeaviateSettings) -> ConnectionParams:
    parts = urlsplit(settings.url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SetupError(f"weaviate.url must be http://host:port or https://host:port, not {settings.url!r}")
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    if port == settings.grpc_port:
        raise SetupError(f"weaviate.url and weaviate.grpc_port both name port {port}: they are two ports of the server")
    return ConnectionParams.from_params(
        http_host=parts.hostname,
        http_port=port,
        http_secure=secure,
        grpc_host=parts.hostname,
        grpc_port=settings.grpc_port,
        grpc_secure=secure,
    )
