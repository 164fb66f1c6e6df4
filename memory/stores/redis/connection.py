"""One multiplexed connection to Redis: every waiting request shares it, in order.

A pool with a connection per request costs a busy gateway more than the work itself (docs/decisions/0003).
Commands issued within one turn of the event loop leave in one write; replies come back in the order of the
commands, so a cancelled request leaves its place in the queue and its reply is thrown away.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from memory.errors import Overloaded, SetupError, StoreFull, StoreUnavailable, TemporaryError
from memory.stores.redis.address import Address, Host, Topology
from memory.stores.redis.sentinel import Sentinels
from memory.stores.redis.wire import LEAVING_PREFIXES, Command, Waiting, Wire, greeting, late, open_wire, pack

_LOG: Final = logging.getLogger("anamnesis.redis")
_WATCH_INTERVAL_S: Final = 0.1
_RECONNECT_DELAY_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_FULL_PREFIXES: Final = ("OOM", "MISCONF")
_BUSY_PREFIXES: Final = (*LEAVING_PREFIXES, "BUSY", "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "NOREPLICAS")
LOADING: Final = "it is loading its data"
NODE_OF_A_CLUSTER: Final = "it is a node of a Redis Cluster: redis.url must begin with redis+cluster://"


def _anything(_: Mapping[str, str]) -> str:
    return ""


def _absent(reason: str) -> TemporaryError:
    return StoreUnavailable(f"Redis cannot be reached: {reason}")


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """Where Redis is, how long a group of commands may take, and what of a server's INFO rules it out.

    `unfit` returns the reason, or nothing. It is asked at every connection: a server that comes back may be another.
    `absent` makes the error of a command while there is no connection, of the reason for that.
    """

    url: str
    deadline_s: float
    in_flight_max: int
    unfit: Callable[[Mapping[str, str]], str] = _anything
    absent: Callable[[str], TemporaryError] = _absent


class Subscription(NamedTuple):
    """A channel that a connection listens to, instead of being used for anything but PING.

    `heard` gets each message; `ready` is told that from now on none is missed, at the start and after each break.
    """

    channel: str
    heard: Callable[[bytes], None]
    ready: Callable[[], None]


class Connection:
    """A connection that comes back by itself. While it is down, requests fail at once: nothing piles up.

    It leaves a server that is no primary (any more), waits for one that is loading, and asks the sentinels, if there
    are any, at every connection. What a server has refused for these reasons did nothing; it is sent again to the next
    one, until its deadline.
    """

    def __init__(
        self,
        settings: ConnectionSettings,
        address: Address | None = None,
        subscription: Subscription | None = None,
    ) -> None:
        """Raises SetupError for an URL that cannot be. With the address of a cluster it is to any of the nodes."""
        self._settings = settings
        self._subscription = subscription
        self.address = address or Address.parse(settings.url)
        self._sentinels = Sentinels(self.address) if self.address.topology is Topology.SENTINEL else None
        self._tries = 0
        if self.address.tls:
            self.address.tls.context()
        self._wire: Wire | None = None
        self._server: dict[str, str] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()
        self._again: list[Waiting] = []
        self._since = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self.round_trips = 0
        self.last_error = "not connected yet"
        self.unfit = ""
        """Why this server must not be used, when it was found so at the last try."""
        self.changed: Callable[[], None] = lambda: None
        """Called after every (re)connection, and when it is lost."""

    @property
    def server(self) -> Mapping[str, str]:
        """The server's INFO as of the last (re)connection; empty before the first."""
        return self._server

    @property
    def connected(self) -> bool:
        """Whether commands can be sent now."""
        return self._wire is not None

    @property
    def loading(self) -> bool:
        """Whether the server is there, but has yet to read its data."""
        return self._wire is None and self.last_error == LOADING

    @property
    def url(self) -> str:
        """The same place for another client."""
        return self._settings.url

    async def moved(self) -> None:
        """Return never: another client of this place finds its way as this one does."""
        await asyncio.Event().wait()

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
        if self._wire is not None:
            self._wire.abort()
            self._wire = None
            await asyncio.sleep(0)

    async def run(self, *commands: Command) -> list[Any]:
        """Send the commands in one write and return their replies in order.

        An error reply is returned as an exception object. Raises StoreUnavailable when there is no
        connection, Overloaded when too much is in flight, DeadlineExceeded when the answer is late: a
        write may then have been applied.
        """
        data = pack(commands[0]) if len(commands) == 1 else b"".join(map(pack, commands))
        return await self.run_packed(data, len(commands))

    def run_packed(self, data: bytes, replies: int) -> "asyncio.Future[list[Any]]":
        """As `run`, for commands that are packed already: `replies` is their number."""
        wire = self._wire
        if wire is None:
            raise self._settings.absent(self.last_error)
        if len(wire.waiting) >= self._settings.in_flight_max:
            raise Overloaded("too many Redis commands are in flight")
        loop = self._loop or asyncio.get_running_loop()
        future: asyncio.Future[list[Any]] = loop.create_future()
        self.round_trips += 1
        wire.send(Waiting(future, data, replies, [], loop.time() + self._settings.deadline_s))
        return future

    def lost(self, wire: Wire) -> None:
        """The connection is gone: from this moment requests fail at once, until there is a new one."""
        if self._wire is wire:
            self._leave("the connection was lost")

    def refused(self, wire: Wire, reason: str, again: list[Waiting]) -> None:
        """Leave the server; what is still on its way there has its deadline. The groups wait for the next one."""
        loop = asyncio.get_running_loop()
        for waiting in again:
            self._again.append(waiting)
            loop.call_at(waiting.deadline, _expire, waiting)
        if self._wire is wire:
            self._leave(reason)
            loop.call_later(self._settings.deadline_s, wire.abort)
        elif self._wire is not None:
            self._send_again(self._wire)

    def _leave(self, reason: str) -> None:
        self._wire = None
        self.last_error = reason
        self._lost.set()
        self.changed()

    def _send_again(self, wire: Wire) -> None:
        again, self._again = self._again, []
        for waiting in again:
            if not waiting.future.done():
                waiting.missing, waiting.replies = len(waiting.replies), []
                wire.send(waiting)

    async def _connect(self) -> None:
        """Raises StoreUnavailable, with the reason in `last_error` too."""
        self._lost.clear()
        self.unfit = ""
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                wire = await self._open()
        except TimeoutError as error:
            raise self._failed("it does not answer") from error
        except (OSError, SetupError) as error:
            raise self._failed(str(error)) from error
        except StoreUnavailable as error:
            raise self._failed(error.detail) from error
        if not wire.open:
            raise self._failed("the connection was lost")
        self._wire = wire
        self._since = asyncio.get_running_loop().time()
        self.last_error = ""
        self._send_again(wire)
        self.changed()
        if self._subscription is not None:
            self._subscription.ready()

    def _failed(self, reason: str) -> StoreUnavailable:
        self.last_error = reason
        return StoreUnavailable(f"Redis cannot be reached: {reason}")

    async def _open(self) -> Wire:
        hosts = self.address.hosts
        place: Host | str = self.address.path or hosts[self._tries % len(hosts)]
        if self._sentinels is not None:
            place = await self._sentinels.primary(self._settings.deadline_s)
        self._tries += 1
        heard = self._subscription.heard if self._subscription else None
        wire = await open_wire(self, place, self.address.tls, heard)
        with contextlib.ExitStack() as undo:
            undo.callback(wire.abort)
            await self._greet(wire)
            undo.pop_all()
        return wire

    async def _greet(self, wire: Wire) -> None:
        address = self.address
        commands = greeting(address.username, address.password)
        if address.database:
            commands.append(("SELECT", address.database))
        commands.append(("INFO",))
        if self._subscription is not None:
            commands.append(("SUBSCRIBE", self._subscription.channel))
        deadline = asyncio.get_running_loop().time() + self._settings.deadline_s
        replies = await wire.ask(commands, deadline)
        for reply in replies:
            if isinstance(reply, Exception):
                raise StoreUnavailable(LOADING if str(reply).startswith("LOADING") else f"it refused: {reply}")
        self._require_fit(_parse_info(replies[commands.index(("INFO",))]))

    def _require_fit(self, server: dict[str, str]) -> None:
        """While it loads, what a server says of itself is not true yet: that its append-only file is off, for one."""
        if server.get("loading") == "1":
            raise StoreUnavailable(LOADING)
        if server.get("role") == "slave":
            primary = f"{server.get('master_host')}:{server.get('master_port')}"
            raise StoreUnavailable(f"it is a read-only replica of {primary}")
        if self.address.topology is not Topology.CLUSTER and server.get("cluster_enabled") == "1":
            raise StoreUnavailable(NODE_OF_A_CLUSTER)
        self.unfit = self._settings.unfit(server)
        if self.unfit:
            raise StoreUnavailable(self.unfit)
        self._server = server

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._watch()
            if loop.time() - self._since < _RECONNECT_DELAY_S[0]:  # left as soon as it was entered: no haste
                await asyncio.sleep(_RECONNECT_DELAY_S[0])
            await self._reconnect()
            _LOG.warning("redis connection restored")

    async def _watch(self) -> None:
        """Return when the connection is lost; drop it when it is stuck."""
        loop = asyncio.get_running_loop()
        while not self._lost.is_set():
            if self._wire is not None:
                self._wire.expire(loop.time())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._lost.wait(), _WATCH_INTERVAL_S)

    async def _reconnect(self) -> None:
        """Try until there is a connection; say so once for each reason why there is none."""
        attempt, said = 0, set[str]()
        while True:
            if self.last_error not in said:
                said.add(self.last_error)
                text = "redis is loading its data: waiting" if self.loading else "no redis connection: trying again"
                _LOG.warning(text, extra={"reason": self.last_error})
            try:
                await self._connect()
            except StoreUnavailable:
                await asyncio.sleep(_RECONNECT_DELAY_S[min(attempt, len(_RECONNECT_DELAY_S) - 1)])
                attempt += 1
            else:
                return


def _expire(waiting: Waiting) -> None:
    """Fail a group that no server has taken in time. On its way to one, this is its deadline as well."""
    if not waiting.future.done():
        waiting.future.set_exception(late())


def _parse_info(info: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in info.decode().splitlines() if not line.startswith("#"))
    return {key: value for key, _, value in pairs if value}


def require(reply: Any) -> Any:
    """Return a reply, or raise what its error means to the caller."""
    if not isinstance(reply, Exception):
        return reply
    text = str(reply)
    if text.startswith(_FULL_PREFIXES) or "-OOM" in text or "OOM command not allowed" in text:
        raise StoreFull(f"Redis refuses writes for want of memory or disk; reads go on: {text}")
    if text.startswith(_BUSY_PREFIXES):
        raise StoreUnavailable(f"Redis is not ready: {text}")
    raise reply
