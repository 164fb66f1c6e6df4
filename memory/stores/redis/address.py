"""A Redis URL taken apart: which servers, in what topology, as whom and how trusted.

The forms and names are those of redis-py and docket, so that one URL serves the job queue too:

    redis://[user][:password@]host[:port][/db]          one server; rediss:// by TLS, here and below
    unix:///path[?db=N]                                 the same by a socket
    redis+sentinel://[user][:password@]host[:port][,host[:port]...]/service[/db]
    redis+cluster://[user][:password@]host[:port][,host[:port]...]
"""

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from memory.errors import SetupError

_URL: Final = re.compile(
    r"(?P<scheme>unix|rediss?)(?:(?<!unix)\+(?P<kind>sentinel|cluster))?://(?P<netloc>[^/?#]*)(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?",
)
"""Taken apart by hand: no parser of URLs knows several hosts."""
_PORT_MAX: Final = 65535
_TLS_NAMES: Final = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"}
_SENTINEL_NAMES: Final = {"sentinel_username", "sentinel_password"}
FORMS: Final = (
    "redis://, rediss://, unix:///, redis+sentinel://, rediss+sentinel://, redis+cluster:// or rediss+cluster://"
)


class Host(NamedTuple):
    """A server by name and port."""

    name: str
    port: int

    def __str__(self) -> str:
        return f"[{self.name}]:{self.port}" if ":" in self.name else f"{self.name}:{self.port}"


class Topology(StrEnum):
    """How servers are found."""

    SINGLE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


_PORTS: Final = {Topology.SINGLE: 6379, Topology.SENTINEL: 26379, Topology.CLUSTER: 6379}


@dataclass(frozen=True, slots=True)
class Tls:
    """Whom to trust. Without any of it: the machine's authorities, and the name must be the certificate's."""

    ca_file: str = ""
    certificate_file: str = ""
    key_file: str = ""
    verified: bool = True
    name_checked: bool = True

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Tls":
        """Read what a URL says of it."""
        verified = query.get("ssl_cert_reqs", "required").lower() != "none"
        return cls(
            query.get("ssl_ca_certs", ""),
            query.get("ssl_certfile", ""),
            query.get("ssl_keyfile", ""),
            verified=verified,
            name_checked=verified and query.get("ssl_check_hostname", "true").lower() not in {"false", "no", "0"},
        )

    def context(self) -> ssl.SSLContext:
        """Load it. Raises SetupError for a file that cannot be used."""
        try:
            context = ssl.create_default_context(cafile=self.ca_file or None)
            if self.certificate_file:
                context.load_cert_chain(self.certificate_file, self.key_file or None)
        except (OSError, ssl.SSLError) as error:
            files = ", ".join(filter(None, (self.ca_file, self.certificate_file, self.key_file)))
            raise SetupError(f"redis.url names certificates that cannot be used ({files}): {error}") from error
        context.check_hostname = self.name_checked
        if not self.verified:
            context.verify_mode = ssl.CERT_NONE
        return context


@dataclass(frozen=True, slots=True)
class Address:
    """Where Redis is. `hosts` are servers, sentinels, or nodes to ask for the rest; none when it is a `path`."""

    hosts: tuple[Host, ...] = ()
    topology: Topology = Topology.SINGLE
    path: str = ""
    service: str = ""
    database: int = 0
    username: str = ""
    password: str = ""
    sentinel_username: str = ""
    sentinel_password: str = ""
    tls: Tls | None = None
    query: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, url: str) -> "Address":
        """Raises SetupError for anything else; its text never shows a password."""
        parts = _URL.fullmatch(url)
        if parts is None:
            raise SetupError(f"redis.url must begin with {FORMS}")
        scheme, topology, path = parts["scheme"], Topology(parts["kind"] or ""), parts["path"]
        query = dict(parse_qsl(parts["query"] or ""))
        _refuse_unknown(query, secure=scheme == "rediss", topology=topology)
        userinfo, _, named = parts["netloc"].rpartition("@")
        username, _, password = userinfo.partition(":")
        segments = [] if scheme == "unix" else [segment for segment in path.split("/") if segment]
        service = segments.pop(0) if topology is Topology.SENTINEL and segments else ""
        found = cls(
            hosts=() if scheme == "unix" else _hosts(named, _PORTS[topology]),
            topology=topology,
            path=unquote(path) if scheme == "unix" else "",
            service=unquote(service),
            database=_database(query.get("db", segments[0] if segments else "0")),
            username=unquote(username),
            password=unquote(password),
            sentinel_username=query.get("sentinel_username", ""),
            sentinel_password=query.get("sentinel_password", ""),
            tls=Tls.of(query) if scheme == "rediss" else None,
            query=tuple((key, value) for key, value in query.items() if key in _TLS_NAMES),
        )
        found._require_whole()
        return found

    def _require_whole(self) -> None:
        if self.topology is Topology.SINGLE and not self.path and len(self.hosts) != 1:
            raise SetupError("redis.url names a file or one host; for several: redis+sentinel:// or redis+cluster://")
        if self.topology is Topology.SENTINEL and not self.service:
            raise SetupError("redis.url lacks the service that the sentinels watch: redis+sentinel://HOST:PORT/SERVICE")
        if self.topology is Topology.CLUSTER and self.database:
            raise SetupError("redis.url names a database, but a Redis Cluster has database 0 alone: leave it out")

    def url_of(self, host: Host) -> str:
        """As a URL that names one node of a cluster."""
        user = f"{quote(self.username, safe='')}:{quote(self.password, safe='')}@" if self.password else ""
        query = f"?{urlencode(self.query)}" if self.query else ""
        return f"{'rediss' if self.tls else 'redis'}+cluster://{user}{host}{query}"


def _refuse_unknown(query: Mapping[str, str], *, secure: bool, topology: Topology) -> None:
    known = {"db"} | (_TLS_NAMES if secure else set()) | (_SENTINEL_NAMES if topology is Topology.SENTINEL else set())
    if unknown := sorted(set(query) - known):
        raise SetupError(f"redis.url has parameters that it cannot have: {', '.join(unknown)}")


def _hosts(named: str, port: int) -> tuple[Host, ...]:
    try:
        found = [urlsplit(f"//{member.strip()}") for member in named.split(",")]
        hosts = tuple(Host(one.hostname or "localhost", port if one.port is None else one.port) for one in found)
    except ValueError:
        hosts = ()
    if not hosts or not all(0 < host.port <= _PORT_MAX for host in hosts):
        raise SetupError("redis.url has a bad host or port")
    return hosts


def _database(text: str) -> int:
    if not text.isdecimal():
        raise SetupError("redis.url has a bad database number")
    return int(text)
