"""The wire to one Redis server: commands out in one write a loop turn, replies in by position; and what errors mean."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import hiredis

from memory.errors import DeadlineExceeded, SetupError, StoreUnavailable
from memory.stores.redis.address import Host, Tls

LEAVING_PREFIXES: Final = ("READONLY", "MASTERDOWN", "LOADING")
"""The server is no primary, or none yet: whoever answers so has done nothing, and another is to be looked for."""

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
class Waiting:
    """A group of commands on its way: `missing` counts the replies that are still to come."""

    future: "asyncio.Future[list[Any]]"
    data: bytes
    missing: int
    replies: list[Any]
    deadline: float
    movable: bool = True

    def refused(self) -> bool:
        """Whether each of its commands was: it did nothing and may be sent again, elsewhere."""
        return self.movable and all(
            isinstance(reply, Exception) and str(reply).startswith(LEAVING_PREFIXES) for reply in self.replies
        )


class _Errors:
    """Makes error replies, and notes the one that says to leave: so that no other reply has to be looked at."""

    def __init__(self) -> None:
        self.leave = ""

    def __call__(self, text: str) -> Exception:
        if text.startswith(LEAVING_PREFIXES):
            self.leave = text
        return hiredis.ReplyError(text)


class Owner(Protocol):
    """Who has opened a wire."""

    def lost(self, wire: "Wire") -> None:
        """It is closed; what was waiting has failed."""
        ...

    def refused(self, wire: "Wire", reason: str, again: list[Waiting]) -> None:
        """The server says to leave: send it nothing more; these groups did nothing. The rest is answered yet."""
        ...


class Wire(asyncio.Protocol):
    """One connection. `heard` gets the messages of the channel that it has subscribed to, if any."""

    def __init__(self, owner: Owner, heard: Callable[[bytes], None] | None = None) -> None:
        self.waiting: deque[Waiting] = deque()
        self._heard = heard
        self._errors = _Errors()
        self._reader = hiredis.Reader(replyError=self._errors)
        self._out: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._owner = owner
        self._loop = asyncio.get_running_loop()

    @property
    def open(self) -> bool:
        """Whether something can be sent."""
        return self._transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Of asyncio."""
        self._transport = transport  # type: ignore[assignment]

    def send(self, waiting: Waiting) -> None:
        """Queue a group. Raises StoreUnavailable when the connection is gone."""
        if self._transport is None:  # lost within this very turn of the loop
            raise StoreUnavailable("the connection to Redis was lost")
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(waiting.data)
        self.waiting.append(waiting)

    def ask(self, commands: list[Command], deadline: float) -> "asyncio.Future[list[Any]]":
        """Queue commands for this very server."""
        future: asyncio.Future[list[Any]] = self._loop.create_future()
        self.send(Waiting(future, b"".join(map(pack, commands)), len(commands), [], deadline, movable=False))
        return future

    def _flush(self) -> None:
        data, self._out = b"".join(self._out), []
        if self._transport is not None:
            self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        """Of asyncio: hand replies to who waits for them."""
        reader, waiting, errors, heard = self._reader, self.waiting, self._errors, self._heard
        again: list[Waiting] = []
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
                    if errors.leave and head.refused():
                        again.append(head)
                    elif not head.future.done():
                        head.future.set_result(head.replies)
        except (hiredis.ProtocolError, IndexError):
            self.abort()
        if errors.leave:
            self._hand_back(errors.leave, again)

    def _hand_back(self, reason: str, again: list[Waiting]) -> None:
        self._owner.refused(self, reason, again)
        if not self.waiting:
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Of asyncio: fail what waits."""
        self._transport = None
        error = StoreUnavailable("the connection to Redis was lost")
        while self.waiting:
            future = self.waiting.popleft().future
            if not future.done():
                future.set_exception(error)
        self._owner.lost(self)

    def expire(self, now: float) -> None:
        """Fail what is over its deadline. Replies come in order, so a late head means a stuck connection."""
        if not self.waiting or self.waiting[0].deadline > now:
            return
        for waiting in self.waiting:
            if waiting.deadline <= now and not waiting.future.done():
                waiting.future.set_exception(late())
        self.abort()

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()


class Nobody:
    """The owner of a wire for one question."""

    def lost(self, wire: Wire) -> None:
        """Nothing: the question has failed by then."""

    def refused(self, wire: Wire, reason: str, again: list[Waiting]) -> None:
        """Nothing: it is in the answer."""


async def open_wire(
    owner: Owner, place: Host | str, tls: Tls | None, heard: Callable[[bytes], None] | None = None
) -> Wire:
    """Connect to a host, or a socket's path. Raises OSError, and SetupError for certificates that cannot be used."""
    loop = asyncio.get_running_loop()

    def make() -> Wire:
        return Wire(owner, heard)

    if isinstance(place, str):
        _, wire = await loop.create_unix_connection(make, place)
        return wire
    _, wire = await loop.create_connection(make, place.name, place.port, ssl=tls.context() if tls else None)
    return wire


def greeting(username: str, password: str) -> list[Command]:
    """The commands that say who one is."""
    return [("AUTH", username or "default", password)] if password else []


async def ask_once(place: Host, tls: Tls | None, commands: list[Command], deadline_s: float) -> Any:
    """Open a wire, run commands, close it; returns the last reply. Raises StoreUnavailable."""
    try:
        async with asyncio.timeout(deadline_s):
            wire = await open_wire(Nobody(), place, tls)
            try:
                replies = await wire.ask(commands, asyncio.get_running_loop().time() + deadline_s)
            finally:
                wire.abort()
    except TimeoutError as error:
        raise StoreUnavailable(f"{place} does not answer") from error
    except (OSError, SetupError) as error:
        raise StoreUnavailable(f"{place} cannot be reached: {error}") from error
    for reply in replies:
        if isinstance(reply, Exception):
            raise StoreUnavailable(f"{place} refuses: {reply}")
    return replies[-1]


def late() -> DeadlineExceeded:
    """The error of a group that was not answered in time."""
    return DeadlineExceeded("Redis did not answer in time")


def with_scores(reply: Sequence[Any]) -> Sequence[tuple[bytes, bytes]]:
    """Members with their scores: pairs already (RESP 3), or one behind the other."""
    if reply and isinstance(reply[0], list | tuple):
        return [(member, score) for member, score in reply]
    return list(zip(reply[::2], reply[1::2], strict=True))
