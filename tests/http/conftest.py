"""Two gateways for the whole run, each a process: one open, one with API keys."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gateway.auth import hash_key
from tests.gateways import GatewayProcess, start_gateway

Start = Callable[..., GatewayProcess]


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the gateway with API keys. Those of tenant t2 say so."""

    reader: str = "ana_reader_of_tenant_1"
    writer: str = "ana_writer_of_tenant_1"
    eraser: str = "ana_eraser_of_tenant_1"
    admin: str = "ana_admin_of_tenant_1"
    operator: str = "ana_operator_of_tenant_1"
    revoked: str = "ana_revoked_of_tenant_1"
    other_writer: str = "ana_writer_of_tenant_2"
    other_admin: str = "ana_admin_of_tenant_2"

    def entries(self) -> str:
        """The setting auth.keys."""
        table = (
            (self.reader, "t1", ["read"], False),
            (self.writer, "t1", ["read", "write"], False),
            (self.eraser, "t1", ["read", "erase"], False),
            (self.admin, "t1", ["read", "write", "admin"], False),
            (self.operator, "t1", ["operate"], False),
            (self.revoked, "t1", ["read", "write", "erase", "admin", "operate"], True),
            (self.other_writer, "t2", ["read", "write"], False),
            (self.other_admin, "t2", ["admin"], False),
        )
        entries = [
            {"hash": hash_key(key), "tenant": tenant, "scopes": scopes, "revoked": revoked}
            for key, tenant, scopes, revoked in table
        ]
        return json.dumps(entries)


@pytest.fixture(scope="session")
def keys() -> Keys:
    return Keys()


@pytest.fixture(scope="session")
def open_gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    """A gateway without keys, tenant `default`."""
    gateway = start_gateway(tmp_path_factory.mktemp("open"))
    yield gateway
    gateway.kill()


@pytest.fixture(scope="session")
def keyed_gateway(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Iterator[GatewayProcess]:
    """A gateway that knows `keys`; posts carry no key unless they name one."""
    environment = {"ANAMNESIS_AUTH__KEYS": keys.entries()}
    gateway = start_gateway(tmp_path_factory.mktemp("keyed"), environment=environment)
    yield gateway
    gateway.kill()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start further gateways, one for each folder name; all are killed after the test."""
    started: list[GatewayProcess] = []

    def start_one(name: str = "own", *flags: str, **options: Any) -> GatewayProcess:
        gateway = start_gateway(tmp_path / name, *flags, **options)
        started.append(gateway)
        return gateway

    yield start_one
    for gateway in started:
        gateway.kill()
