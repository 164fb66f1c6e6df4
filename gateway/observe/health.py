"""The state of a gateway by component, with reasons. `down` means: do not send requests here."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol

from memory.errors import MemoryGatewayError
from memory.stores.redis.address import Address, Topology

OK: Final = "ok"
DEGRADED: Final = "degraded"
DOWN: Final = "down"
_WORST: Final = (DOWN, DEGRADED, OK)

Component = dict[str, Any]
Check = Callable[[], Awaitable[Component]]


class Redis(Protocol):
    """What is looked at of the session store's connection."""

    @property
    def connected(self) -> bool:
        """Whether it takes commands."""
        ...

    @property
    def loading(self) -> bool:
        """Whether it is there, but has yet to read its data."""
        ...

    @property
    def last_error(self) -> str:
        """Why it is not connected."""
        ...

    @property
    def server(self) -> Mapping[str, str]:
        """Its INFO."""
        ...


EVICTION_REASON: Final = (
    "maxmemory-policy is {policy}: this Redis may evict sessions. "
    "Set it to noeviction (CONFIG SET maxmemory-policy noeviction)"
)
NO_AOF_REASON: Final = (
    "append-only file is off: a restart of this Redis loses every living session. "
    "Set appendonly yes (CONFIG SET appendonly yes)"
)


def eviction_reason(server: Mapping[str, str]) -> str:
    """Why this Redis must not hold sessions; empty when it may."""
    policy = server.get("maxmemory_policy", "noeviction")
    return "" if policy == "noeviction" else EVICTION_REASON.format(policy=policy)


def unfit_reason(server: Mapping[str, str], *, allow_eviction: bool, durability: str) -> str:
    """Why this Redis cannot keep what is promised, and what to do; empty when it can."""
    reason = eviction_reason(server)
    if reason and not allow_eviction:
        return reason + ", or accept the loss with redis.allow_eviction: true"
    if durability == "always" and server.get("aof_enabled") == "0":
        return (
            "session.durability is `always`, but this Redis has its append-only file off: "
            "set appendonly yes (CONFIG SET appendonly yes)"
        )
    return ""


def queue_reason(address: Address) -> str:
    """Why the job queue cannot work on this Redis, though the sessions could, and what to do; empty when it can."""
    if address.topology is Topology.CLUSTER and address.query:
        names = ", ".join(name for name, _ in address.query)
        return (
            f"redis.url says with {names} whom to trust, which the job queue does not hear of on a Redis Cluster: "
            "leave it out, and put the authority among this machine's (update-ca-certificates, or SSL_CERT_FILE=FILE)"
        )
    return ""


def server_name(server: Mapping[str, str]) -> str:
    """Which it is, with its version, by its INFO."""
    name = "valkey" if "valkey_version" in server else "redis"
    return f"{name} {server.get('valkey_version') or server.get('redis_version', '0')}"


def redis_component(redis: Redis, durability: str) -> Component:
    """What is to be said of the session store."""
    if redis.loading:
        return {"status": DOWN, "state": "loading", "reason": redis.last_error}
    if not redis.connected:
        return {"status": DOWN, "reason": redis.last_error}
    server = redis.server
    reasons = [eviction_reason(server), NO_AOF_REASON if server.get("aof_enabled") == "0" else ""]
    reasons = [reason for reason in reasons if reason]
    component: Component = {"status": DEGRADED if reasons else OK, "server": server_name(server)}
    component["durability"] = durability
    if reasons:
        component["reason"] = "; ".join(reasons)
    return component


async def report(version: str, checks: Mapping[str, Check]) -> dict[str, Any]:
    """Ask every component; the worst state is the whole's."""
    components = {name: await _ask(check) for name, check in checks.items()}
    states = {component["status"] for component in components.values()}
    status = next((state for state in _WORST if state in states), OK)
    return {"status": status, "version": version, "components": components}


async def _ask(check: Check) -> Component:
    try:
        return await check()
    except MemoryGatewayError as error:
        return {"status": DOWN, "reason": error.detail}
