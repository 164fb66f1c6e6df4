"""A Redis Cluster as one connection: commands go to the nodes that have their slots, replies come back in order.

Each node has a multiplexed connection of its own. What one call sends to a node leaves in one write; calls to several
nodes run side by side, so nothing may rely on an order between slots.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from memory.errors import StoreUnavailable, TemporaryError
from memory.stores.redis.address import Address, Host
from memory.stores.redis.connection import Connection, ConnectionSettings, require
from memory.stores.redis.slots import SLOTS, Unit, units_of, units_of_packed
from memory.stores.redis.wire import Command, ask_once, greeting, pack

_LOG: Final = logging.getLogger("anamnesis.redis")
_ASKING: Final = pack(("ASKING",))
_PAUSE_S: Final = 0.05
"""Between tries of what a slot that moves, or a cluster that elects, cannot do yet."""
_REFRESH_S: Final = 15.0
_REFRESH_IN_TROUBLE_S: Final = 0.25
_REDIRECTIONS: Final = ("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN")


@dataclass(slots=True)
class _Job:
    """A unit on its way: where its replies belong, and where it is to go when not to the owner of its slot."""

    unit: Unit
    replies: list[Any]
    asked: Host | None = None
    moved: int = 0


class ClusterConnection:
    """As `Connection`, over all primaries of a cluster. A node that is gone fails what needs it at once.

    MOVED, ASK, TRYAGAIN and CLUSTERDOWN say that a command did nothing: it is sent again until its deadline.
    """

    def __init__(self, settings: ConnectionSettings, address: Address) -> None:
        """Raises SetupError for certificates that cannot be used."""
        self._settings = settings
        self._address = address
        if address.tls:
            address.tls.context()
        self._nodes: dict[Host, Connection] = {}
        self._opening: dict[Host, asyncio.Task[Connection]] = {}
        self._owners: list[Host | None] = [None] * SLOTS
        self._server: dict[str, str] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._stale = asyncio.Event()
        self._renewed = asyncio.Event()
        self._retiring: set[asyncio.Task[None]] = set()
        self._round_trips_before = 0
        self._error = "not connected yet"

    @property
    def server(self) -> Mapping[str, str]:
        """INFO of a node; `run_id` is another as soon as one of the primaries is another, or has started anew."""
        return self._server

    @property
    def connected(self) -> bool:
        """Whether every slot has an owner that can be sent commands."""
        return bool(self._nodes) and None not in self._owners and all(node.connected for node in self._nodes.values())

    @property
    def loading(self) -> bool:
        """Whether it waits for a node that has yet to read its data."""
        return any(node.loading for node in self._nodes.values())

    @property
    def last_error(self) -> str:
        """Why it is not connected."""
        if self.loading:
            return next(node.last_error for node in self._nodes.values() if node.loading)
        troubles = [f"{host}: {node.last_error}" for host, node in self._nodes.items() if not node.connected]
        return "; ".join(troubles) or self._error

    @property
    def unfit(self) -> str:
        """Why one of the nodes must not be used."""
        return next((f"{host}: {node.unfit}" for host, node in self._nodes.items() if node.unfit), "")

    @property
    def round_trips(self) -> int:
        """Groups of commands sent to nodes so far."""
        return self._round_trips_before + sum(node.round_trips for node in self._nodes.values())

    @property
    def address(self) -> Address:
        """The cluster by all of its primaries."""
        return replace(self._address, hosts=tuple(self._nodes) or self._address.hosts)

    @property
    def url(self) -> str:
        """One node of the cluster, for another client that asks it for the rest."""
        return self._address.url_of(next(iter(self._nodes), self._address.hosts[0]))

    async def moved(self) -> None:
        """Return when other nodes are primaries than now: what another client was told by `url` is of no use then."""
        before = set(self._nodes)
        while set(self._nodes) == before:
            await self._renewed.wait()

    async def start(self) -> None:
        """Ask for the nodes and connect to them, and go on with it until `close`."""
        await self._refresh()
        self._keeper = asyncio.create_task(self._keep(), name="redis-cluster-keeper")

    async def close(self) -> None:
        """Drop all connections; what is in flight fails."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        for task in self._retiring:
            task.cancel()
        await asyncio.gather(*self._opening.values(), *self._retiring, return_exceptions=True)
        await asyncio.gather(*(node.close() for node in self._nodes.values()))

    async def run(self, *commands: Command) -> list[Any]:
        """As `Connection.run`; commands of several slots run side by side, in no order."""
        return await self._run(units_of(commands))

    def run_packed(self, data: bytes, replies: int) -> Awaitable[list[Any]]:
        """As `run`, for commands that are packed already."""
        del replies
        return self._run(units_of_packed(data))

    async def _run(self, units: Sequence[Unit]) -> list[Any]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.deadline_s
        jobs = [_Job(unit, []) for unit in units]
        left = jobs
        while True:
            left = await self._round(left)
            if not left or loop.time() >= deadline:
                return list(chain.from_iterable(job.replies for job in jobs))
            if any(_must_wait(job) for job in left):
                await asyncio.sleep(_PAUSE_S)

    async def _round(self, jobs: list[_Job]) -> list[_Job]:
        """Send each to its node; returns those that are to be sent again."""
        shares: dict[Host, list[_Job]] = {}
        if any(self._is_down(job) for job in jobs):
            await self._renew()
        for job in jobs:
            shares.setdefault(job.asked or self._owner(job.unit.slot), []).append(job)
        if len(shares) == 1:
            ((host, share),) = shares.items()
            await self._send(host, share)
        else:
            done = await asyncio.gather(*(self._send(*pair) for pair in shares.items()), return_exceptions=True)
            for error in done:
                if error is not None:
                    raise error
        return [job for host, share in shares.items() for job in share if self._redirected(job, host)]

    def _is_down(self, job: _Job) -> bool:
        """Whether nothing can be sent where it is to go: the slot may have another owner by now."""
        if job.asked is not None or job.unit.slot is None:
            return False
        host = self._owners[job.unit.slot]
        node = self._nodes.get(host) if host is not None else None
        return host is None or (node is not None and not node.connected and host not in self._opening)

    async def _renew(self) -> None:
        """Wait until the map of slots has been asked for anew, with all who wait for it."""
        self._stale.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._renewed.wait(), self._settings.deadline_s)

    def _owner(self, slot: int | None) -> Host:
        host = next((host for host, node in self._nodes.items() if node.connected), None)
        if slot is not None:
            host = self._owners[slot]
        if host is None:
            raise StoreUnavailable(f"Redis cannot be reached: {self.last_error}")
        return host

    async def _send(self, host: Host, jobs: list[_Job]) -> None:
        node = self._nodes.get(host)
        if node is None or host in self._opening:
            node = await self._open(host)
        data = b"".join(_ASKING + job.unit.data if job.asked else job.unit.data for job in jobs)
        replies = iter(await node.run_packed(data, sum(job.unit.replies + bool(job.asked) for job in jobs)))
        for job in jobs:
            if job.asked:
                next(replies)
            job.replies = [next(replies) for _ in range(job.unit.replies)]

    def _redirected(self, job: _Job, host: Host) -> bool:
        """Whether it did nothing and is to be sent again; notes where to."""
        told = next((str(reply) for reply in job.replies if isinstance(reply, Exception)), "")
        if not told.startswith(_REDIRECTIONS):
            return False
        kind, *words = told.split(" ")
        job.asked = None
        if kind == "ASK" and not job.unit.transaction:  # it would be refused there: every command wants its own ASKING
            job.asked = _place(words[1], host)
        elif kind == "MOVED":
            job.moved += 1
            self._owners[int(words[0])] = _place(words[1], host)
        if kind != "ASK":
            self._stale.set()
        return True

    async def _open(self, host: Host) -> Connection:
        """Connect to a node, once however many ask for it."""
        opening = self._opening.get(host)
        if opening is None:
            opening = self._opening[host] = asyncio.create_task(self._opened(host), name=f"redis-node-{host}")
        return await asyncio.shield(opening)

    async def _opened(self, host: Host) -> Connection:
        try:
            node = Connection(self._settings, replace(self._address, hosts=(host,)))
            node.changed = self._node_changed
            self._nodes[host] = node
            await node.start()
            return node
        finally:
            del self._opening[host]

    def _node_changed(self) -> None:
        self._describe()
        if not all(node.connected for node in self._nodes.values()):
            self._stale.set()

    def _describe(self) -> None:
        servers = [node.server for _, node in sorted(self._nodes.items()) if node.server]
        if servers:
            runs = "".join(server.get("run_id", "") for server in servers)
            without_log = any(server.get("aof_enabled") == "0" for server in servers)
            self._server = {
                **servers[0],
                "run_id": hashlib.sha256(runs.encode()).hexdigest()[:40],
                "aof_enabled": "0" if without_log else "1",
            }

    async def _keep(self) -> None:
        said = True
        while True:
            if said != self.connected:
                said = self.connected
                text = "redis cluster: every slot is served" if said else "redis cluster: not every slot is served"
                _LOG.warning(text, extra={"reason": self.last_error})
            interval_s = _REFRESH_S if said else _REFRESH_IN_TROUBLE_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stale.wait(), interval_s)
            await self._refresh()
            self._renewed.set()  # all who waited for it go on
            self._renewed = asyncio.Event()
            await asyncio.sleep(_PAUSE_S)

    async def _refresh(self) -> None:
        """Ask for the map of slots; connect to its primaries, and leave what is none any more."""
        self._stale.clear()
        try:
            owners = await self._ask_owners()
        except StoreUnavailable as error:
            self._error = error.detail
            return
        self._error = "" if None not in owners else "not every slot has an owner"
        primaries = {host for host in owners if host is not None}
        await asyncio.gather(*(self._open(host) for host in primaries - set(self._nodes)))
        self._owners = owners
        gone = [self._nodes.pop(host) for host in set(self._nodes) - primaries - set(self._opening)]
        self._round_trips_before += sum(node.round_trips for node in gone)
        for node in gone:
            task = asyncio.create_task(self._retire(node), name="redis-node-retires")
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)
        self._describe()

    async def _retire(self, node: Connection) -> None:
        """Close it when what is on its way there has been answered, or is late."""
        try:
            await asyncio.sleep(self._settings.deadline_s)
        finally:
            await node.close()

    async def _ask_owners(self) -> list[Host | None]:
        """The owner of each slot, as the first node says that answers: those that are connected are asked first."""
        known = sorted(self._nodes, key=lambda host: not self._nodes[host].connected)
        question: Command = ("CLUSTER", "SLOTS")
        commands = [*greeting(self._address.username, self._address.password), question]
        troubles = []
        for host in dict.fromkeys((*known, *self._address.hosts)):
            node = self._nodes.get(host)
            try:
                if node is not None and node.connected:
                    reply = require((await node.run(question))[0])
                else:
                    reply = await ask_once(host, self._address.tls, commands, self._settings.deadline_s)
            except TemporaryError as error:
                troubles.append(error.detail)
                continue
            return _owners(reply, host)
        raise StoreUnavailable("; ".join(troubles))


def _must_wait(job: _Job) -> bool:
    """Whether nobody can do it for a moment; nodes that send it to and fro do not agree yet."""
    moved = any(str(reply).startswith("MOVED") for reply in job.replies)
    return job.moved > 1 if moved else job.asked is None


def _place(text: str, told_by: Host) -> Host:
    """`HOST:PORT` of a redirection; a node that does not know its own name leaves it out."""
    name, _, port = text.rpartition(":")
    return Host(name or told_by.name, int(port))


def _owners(reply: list[Any], told_by: Host) -> list[Host | None]:
    owners: list[Host | None] = [None] * SLOTS
    for first, last, (name, port, *_), *_ in reply:
        host = Host(name.decode() if name else told_by.name, int(port))
        owners[first : last + 1] = [host] * (last - first + 1)
    return owners
