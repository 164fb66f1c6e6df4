"""Redis as it is run by others: replicas under sentinels, a cluster, servers that speak TLS. All real, on loopback."""

import datetime as dt
import ipaddress
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from memory.stores.redis.address import Address
from memory.stores.redis.cluster import ClusterConnection
from memory.stores.redis.connection import ConnectionSettings
from memory.stores.redis.wire import Command
from tests.ports import free_port
from tests.waiting import wait_until

LOOPBACK = "127.0.0.1"
NODE_TIMEOUT_MS = 2_000
DOWN_AFTER_MS = 1_000
SLOTS = 16384


def until(condition: Callable[[], Any], what: str) -> Any:
    """`wait_until`; a server that does not answer yet is none."""

    def answered() -> Any:
        try:
            return condition()
        except (redis.RedisError, OSError):
            return None

    return wait_until(answered, what)


@dataclass
class Server:
    """One server process in a folder of its own; started again, it has its data and its port again."""

    folder: Path
    binary: str
    options: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        self.spawn()
        until(self.client.ping, f"{self.binary} answers")
        return self

    def spawn(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {"port": str(self.port), "bind": LOOPBACK, "dir": str(self.folder), "save": "", **self.options}
        settings["logfile"] = str(self.folder / "server.log")
        given = [part for key, value in settings.items() for part in (f"--{key}", value)]
        self.process = subprocess.Popen([self.binary, *self.arguments, *given], stdout=subprocess.DEVNULL)

    @property
    def url(self) -> str:
        return f"redis://{LOOPBACK}:{self.port}"

    @property
    def client(self) -> "redis.Redis":
        return redis.Redis(port=self.port, socket_timeout=5)

    def kill(self) -> None:
        """SIGKILL, as a machine does it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def kept(folder: Path, binary: str, **options: str) -> Server:
    """A server that keeps what it acknowledges."""
    settings = {"appendonly": "yes", "maxmemory-policy": "noeviction", "repl-diskless-sync-delay": "0"}
    return Server(folder, binary, settings | {key.replace("_", "-"): value for key, value in options.items()})


@dataclass
class Watched:
    """A primary and a replica under three sentinels."""

    folder: Path
    binary: str
    service: str = "anamnesis"
    servers: list[Server] = field(default_factory=list)
    sentinels: list[Server] = field(default_factory=list)

    def start(self) -> "Watched":
        primary = kept(self.folder / "first", self.binary).start()
        replica = kept(self.folder / "second", self.binary, replicaof=f"{LOOPBACK} {primary.port}").start()
        self.servers = [primary, replica]
        until(lambda: replica.client.info("replication")["master_link_status"] == "up", "the replica follows")
        for number in range(3):
            self.sentinels.append(self._sentinel(number, primary).start())
        for sentinel in self.sentinels:
            until(lambda sentinel=sentinel: self._agrees(sentinel), "the sentinels know each other")
        return self

    def _sentinel(self, number: int, primary: Server) -> Server:
        folder = self.folder / f"sentinel-{number}"
        folder.mkdir(parents=True)
        name, file = self.service, folder / "sentinel.conf"
        file.write_text(
            f"sentinel monitor {name} {LOOPBACK} {primary.port} 2\n"
            f"sentinel down-after-milliseconds {name} {DOWN_AFTER_MS}\n"
            f"sentinel failover-timeout {name} 6000\n",
            encoding="ascii",
        )
        return Server(folder, self.binary, arguments=(str(file), "--sentinel"))

    def _agrees(self, sentinel: Server) -> bool:
        known = sentinel.client.info("sentinel")["master0"]
        return (known["slaves"], known["sentinels"]) == (1, 3)

    @property
    def url(self) -> str:
        hosts = ",".join(f"{LOOPBACK}:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{self.service}"

    def primary(self) -> Server:
        """The one that takes writes."""
        return next(one for one in self.servers if one.process and one.client.info("replication")["role"] == "master")

    def kill(self) -> None:
        for server in (*self.sentinels, *self.servers):
            server.kill()


@dataclass
class Cluster:
    """A Redis Cluster: so many primaries, and a replica for each when asked for."""

    folder: Path
    binary: str
    primaries: int = 3
    replicas: bool = False
    nodes: list[Server] = field(default_factory=list)

    def start(self) -> "Cluster":
        count = self.primaries * (2 if self.replicas else 1)
        self.nodes = [self._node(number).start() for number in range(count)]
        each = -(-SLOTS // self.primaries)
        for number, node in enumerate(self.nodes[: self.primaries]):
            last = min((number + 1) * each, SLOTS) - 1
            node.client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * each, last)
            node.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        first = self.nodes[0]
        for node in self.nodes[1:]:
            node.client.execute_command("CLUSTER", "MEET", LOOPBACK, first.port, int(first.options["cluster-port"]))
        for node in self.nodes:
            until(lambda node=node: len(node.client.cluster("NODES")) == count, "the nodes know each other")
        for number, node in enumerate(self.nodes[self.primaries :]):
            self._follow(node, self.nodes[number])
        for node in self.nodes:
            until(lambda node=node: self._agrees(node), "the cluster is ready")
        return self

    def _node(self, number: int) -> Server:
        options = {
            "cluster_enabled": "yes",
            "cluster_node_timeout": str(NODE_TIMEOUT_MS),
            "cluster_port": str(free_port()),
            "cluster_replica_validity_factor": "0",
        }
        return kept(self.folder / f"node-{number}", self.binary, **options)

    def _follow(self, replica: Server, primary: Server) -> None:
        replica.client.execute_command("CLUSTER", "REPLICATE", primary.client.cluster("MYID").decode())
        until(lambda: replica.client.info("replication")["master_link_status"] == "up", "the replica follows")

    def _agrees(self, node: Server) -> bool:
        info = node.client.cluster("INFO")
        return info["cluster_state"] == "ok" and int(info["cluster_slots_ok"]) == SLOTS

    @property
    def url(self) -> str:
        return f"redis+cluster://{','.join(f'{LOOPBACK}:{node.port}' for node in self.nodes)}"

    def client(self) -> "redis.RedisCluster":
        alive = next(node for node in self.nodes if node.process)
        return redis.RedisCluster(host=LOOPBACK, port=alive.port)

    def empty(self) -> None:
        for node in self.nodes:
            if node.process and node.client.info("replication")["role"] == "master":
                node.client.flushall()

    def keys(self, pattern: str = "*") -> list[bytes]:
        """Of all primaries."""
        return [
            key
            for node in self.nodes
            if node.process and node.client.info("replication")["role"] == "master"
            for key in node.client.keys(pattern)
        ]

    def move(self, slot: int, source: Server, target: Server) -> None:
        """Move a slot and its keys, as `redis-cli --cluster reshard` does."""
        ids = {node.port: node.client.cluster("MYID").decode() for node in (source, target)}
        target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source.port])
        source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target.port])
        while keys := source.client.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 10):
            source.client.execute_command("MIGRATE", LOOPBACK, target.port, "", 0, 5000, "KEYS", *keys)
        for node in (target, source, *self.nodes):
            node.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[target.port])

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()


class ClusterCommands(ClusterConnection):
    """A connection to a cluster that knows the commands over all keys that tests use."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(ConnectionSettings(cluster.url, 5, 1000), Address.parse(cluster.url))
        self._cluster = cluster

    async def run(self, *commands: Command) -> list[Any]:
        if commands[0][0] == "FLUSHALL":
            return [self._cluster.empty()]
        if commands[0][0] == "KEYS":
            return [self._cluster.keys(str(commands[0][1]))]
        return await super().run(*commands)


@contextmanager
def started(one: Any) -> Iterator[Any]:
    """Start it, and kill it at the end."""
    try:
        yield one.start()
    finally:
        one.kill()


@dataclass(frozen=True)
class Certificates:
    """An authority of the test's own, and a server's certificate and key that it has signed."""

    authority: Path
    certificate: Path
    key: Path

    @property
    def options(self) -> dict[str, str]:
        """What makes a server speak TLS with them."""
        return {
            "tls-cert-file": str(self.certificate),
            "tls-key-file": str(self.key),
            "tls-ca-cert-file": str(self.authority),
            "tls-auth-clients": "no",
        }


def make_certificates(folder: Path, address: str = LOOPBACK) -> Certificates:
    """Valid for an hour, for one address."""
    folder.mkdir(parents=True, exist_ok=True)
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = _certificate(
        "authority", authority_key, "authority", authority_key, [(x509.BasicConstraints(ca=True, path_length=0), True)]
    )
    place = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
    certificate = _certificate("server", key, "authority", authority_key, [(place, False)])
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    made.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    made.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return made


def _certificate(
    subject: str, key: Any, issuer: str, signer: Any, extensions: list[tuple[Any, bool]]
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(hours=1))
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical=critical)
    return builder.sign(signer, hashes.SHA256())
