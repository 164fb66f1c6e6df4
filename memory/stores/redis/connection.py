"""One multiplexed connection to Redis: every waiting request shares it, in order.

A pool with a connection per request costs a busy gateway more than the work itself (docs/decisions/0003).
Commands issued within one turn of the event loop leave in one write; replies come back in the order of the
commands, so a cancelled request leaves its place in the queue and its reply is thrown away.
"""

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

import hiredis

from memory.errors import DeadlineExceeded, Overloaded, SetupError, StoreFull, StoreUnavailable

_LOG: Final = logging.getLogger("anamnesis.redis")
_WATCH_INTERVAL_S: Final = 0.1
_RECONNECT_DELAY_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_BUSY_PREFIXES: Final = ("LOADING", "BUSY", "MASTERDOWN", "READONLY", "CLUSTERDOWN", "TRYAGAIN", "MISCONF")

Command = tuple[str | bytes | int, ...]
pack: Final[Callable[[Any], bytes]] = hiredis.pack_command
"""A command on the wire."""


class Commands(Protocol):
    """What the adapter needs of a connection. Unit tests run it over fakeredis."""

    async def run(self, *commands: Command) -> list[Any]:
        """Send commands in one write, return their replies in order; an error reply is an exception object."""
        ...

    def run_packed(self, data: bytes, replies: int) -> Awaitable[list[Any]]:
        """As `run`, for commands that are packed already."""
        ...

    @property
    def server(self) -> Mapping[str, str]:
        """The server's INFO as of the connection's start."""
        ...


@dataclass(slots=True)
class _Waiting:
    """A group of commands on its way: `missing` counts the replies that are still to come."""

    future: "asyncio.Future[list[Any]]"
    missing: int
    replies: list[Any]
    deadline: float


class Subscription(NamedTuple):
    """A channel that a connection listens to, instead of being used for anything but PING.

    `heard` gets each message; `ready` is told that from now on none is missed, at the start and after each break.
    """

    channel: str
    heard: Callable[[bytes], None]
    ready: Callable[[], None]


class _Protocol(asyncio.Protocol):
    """The wire: bytes out in one write a loop turn, replies in by position."""

    def __init__(self, on_lost: "Callable[[_Protocol], None]", heard: Callable[[bytes], None] | None = None) -> None:
        self.waiting: deque[_Waiting] = deque()
        self._heard = heard
        self._reader = hiredis.Reader()
        self._out: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def send(self, data: bytes, waiting: _Waiting) -> None:
        if self._transport is None:  # lost within this very turn of the loop
            raise StoreUnavailable("the connection to Redis was lost")
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(data)
        self.waiting.append(waiting)

    def _flush(self) -> None:
        data, self._out = b"".join(self._out), []
        if self._transport is not None:
            self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        reader, waiting, heard = self._reader, self.waiting, self._heard
        try:
            reader.feed(data)
            while (reply := reader.gets()) is not False:
                if heard is not None and isinstance(reply, list) and reply[0] == b"message":
                    heard(reply[2])
                    continue
                head = waiting[0]
                head.replies.append(reply)
                head.missing -= 1
                if not head.missing:
                    waiting.popleft()
                    if not head.future.done():
                        head.future.set_result(head.replies)
        except (hiredis.ProtocolError, IndexError):
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._transport = None
        error = StoreUnavailable("the connection to Redis was lost")
        while self.waiting:
            future = self.waiting.popleft().future
            if not future.done():
                future.set_exception(error)
        self._on_lost(self)

    def expire(self, now: float) -> None:
        """Fail what is over its deadline. Replies come in order, so a late head means a stuck connection."""
        if not self.waiting or self.waiting[0].deadline > now:
            return
        for waiting in self.waiting:
            if waiting.deadline <= now and not waiting.future.done():
                waiting.future.set_exception(DeadlineExceeded("Redis did not answer in time"))
        self.abort()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """Where Redis is, and how long a group of commands may take."""

    url: str
    deadline_s: float
    in_flight_max: int


@dataclass(frozen=True, slots=True)
class Target:
    """A Redis URL taken apart: `redis://[user][:password@]host[:port][/db]`, `rediss://…`, `unix:///path[?db=N]`.

    redis-py has such a parser too, but importing it costs a tenth of the gateway's start.
    """

    path: str = ""
    host: str = "localhost"
    port: int = 6379
    database: int = 0
    username: str = ""
    password: str = ""
    secure: bool = False

    @classmethod
    def parse(cls, url: str) -> "Target":
        """Raises SetupError for anything else."""
        parts = urlsplit(url)
        try:
            port = parts.port or 6379
            asked = parse_qs(parts.query).get("db", [parts.path.strip("/") if parts.scheme != "unix" else ""])[0]
            database = int(asked or 0)
        except ValueError:
            raise SetupError(f"redis.url has a bad port or database number: {parts.scheme}://…") from None
        username, password = unquote(parts.username or ""), unquote(parts.password or "")
        if parts.scheme == "unix" and parts.path:
            return cls(path=unquote(parts.path), database=database, username=username, password=password)
        if parts.scheme in {"redis", "rediss"}:
            host = parts.hostname or "localhost"
            return cls("", host, port, database, username, password, secure=parts.scheme == "rediss")
        raise SetupError("redis.url must begin with redis://, rediss:// or unix:///")


class Connection:
    """A connection that comes back by itself. While it is down, requests fail at once: nothing piles up."""

    def __init__(self, settings: ConnectionSettings, subscription: Subscription | None = None) -> None:
        self._settings = settings
        self._subscription = subscription
        self._target = Target.parse(settings.url)
        self._protocol: _Protocol | None = None
        self._server: dict[str, str] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.round_trips = 0
        self.last_error = "not connected yet"

    @property
    def server(self) -> Mapping[str, str]:
        """The server's INFO as of the last (re)connection; empty before the first."""
        return self._server

    @property
    def connected(self) -> bool:
        """Whether commands can be sent now."""
        return self._protocol is not None

    async def start(self) -> None:
        """Try to connect, and go on trying until `close`: see `connected` for how the first try went."""
        self._loop = asyncio.get_running_loop()
        try:
            await self._connect()
        except StoreUnavailable:
            self._lost.set()
        self._keeper = asyncio.create_task(self._keep(), name="redis-keeper")

    async def close(self) -> None:
        """Drop the connection; what is in flight fails."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        if self._protocol is not None:
            self._protocol.abort()
            self._protocol = None
            await asyncio.sleep(0)

    async def run(self, *commands: Command) -> list[Any]:
        """Send the commands in one write and return their replies in order.

        An error reply is returned as an exception object. Raises StoreUnavailable when there is no
        connection, Overloaded when too much is in flight, DeadlineExceeded when the answer is late: a
        write may then have been applied.
        """
        data = pack(commands[0]) if len(commands) == 1 else b"".join(map(pack, commands))
        return await self._send(self._ready(), data, len(commands))

    def run_packed(self, data: bytes, replies: int) -> "asyncio.Future[list[Any]]":
        """As `run`, for commands that are packed already: `replies` is their number."""
        return self._send(self._ready(), data, replies)

    def _ready(self) -> _Protocol:
        protocol = self._protocol
        if protocol is None:
            raise StoreUnavailable(f"Redis cannot be reached: {self.last_error}")
        if len(protocol.waiting) >= self._settings.in_flight_max:
            raise Overloaded("too many Redis commands are in flight")
        return protocol

    def _send(self, protocol: _Protocol, data: bytes, replies: int) -> "asyncio.Future[list[Any]]":
        loop = self._loop or asyncio.get_running_loop()
        future: asyncio.Future[list[Any]] = loop.create_future()
        self.round_trips += 1
        protocol.send(data, _Waiting(future, replies, [], loop.time() + self._settings.deadline_s))
        return future

    def _dropped(self, protocol: _Protocol) -> None:
        """The connection is gone: from this moment requests fail at once, until there is a new one."""
        if self._protocol is protocol:
            self._protocol = None
            self.last_error = "the connection was lost"
            self._lost.set()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._lost.clear()
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                protocol = await self._open(loop)
                try:
                    await self._greet(protocol)
                except BaseException:
                    protocol.abort()
                    raise
        except TimeoutError as error:
            self.last_error = "it does not answer"
            raise StoreUnavailable(f"Redis cannot be reached: {self.last_error}") from error
        except OSError as error:
            self.last_error = str(error)
            raise StoreUnavailable(f"Redis cannot be reached: {error}") from error
        self._protocol = protocol
        self.last_error = ""
        if self._subscription is not None:
            self._subscription.ready()

    async def _open(self, loop: asyncio.AbstractEventLoop) -> _Protocol:
        def make() -> _Protocol:
            return _Protocol(self._dropped, self._subscription.heard if self._subscription else None)

        target = self._target
        if target.path:
            _, protocol = await loop.create_unix_connection(make, target.path)
            return protocol
        secure = ssl.create_default_context() if target.secure else None
        _, protocol = await loop.create_connection(make, target.host, target.port, ssl=secure)
        return protocol

    async def _greet(self, protocol: _Protocol) -> None:
        commands: list[Command] = []
        if self._target.password:
            commands.append(("AUTH", self._target.username or "default", self._target.password))
        if self._target.database:
            commands.append(("SELECT", self._target.database))
        commands.append(("INFO",))
        if self._subscription is not None:
            commands.append(("SUBSCRIBE", self._subscription.channel))
        replies = await self._send(protocol, b"".join(map(pack, commands)), len(commands))
        for reply in replies:
            if isinstance(reply, Exception):
                self.last_error = str(reply)
                raise StoreUnavailable(f"Redis refused the connection: {reply}")
        self._server = _parse_info(replies[commands.index(("INFO",))])

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not self._lost.is_set():
                if self._protocol is not None:
                    self._protocol.expire(loop.time())
                await asyncio.sleep(_WATCH_INTERVAL_S)
            _LOG.warning("redis connection lost", extra={"reason": self.last_error})
            await self._reconnect()
            _LOG.warning("redis connection restored")

    async def _reconnect(self) -> None:
        attempt = 0
        while True:
            try:
                await self._connect()
            except StoreUnavailable:
                await asyncio.sleep(_RECONNECT_DELAY_S[min(attempt, len(_RECONNECT_DELAY_S) - 1)])
                attempt += 1
            else:
                return


def _parse_info(info: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in info.decode().splitlines() if not line.startswith("#"))
    return {key: value for key, _, value in pairs if value}


def require(reply: Any) -> Any:
    """Return a reply, or raise what its error means to the caller."""
    if not isinstance(reply, Exception):
        return reply
    text = str(reply)
    if text.startswith("OOM") or "-OOM" in text or "OOM command not allowed" in text:
        raise StoreFull("Redis has reached its maxmemory: reads go on, writes are refused until there is room")
    if text.startswith(_BUSY_PREFIXES):
        raise StoreUnavailable(f"Redis is not ready: {text}")
    raise reply
