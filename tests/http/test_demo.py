"""The demo and the cold start are what they say they are, whatever settings their caller has."""

import json

import pytest

from benchmarks import cold_start
from gateway.auth import hash_key
from gateway.client import AsyncClient
from gateway.commands import demo

CALLERS = {
    "ANAMNESIS_AUTH__KEYS": json.dumps([{"hash": hash_key("ana_of_somebody"), "tenant": "t"}]),
    "ANAMNESIS_SERVER__PORT": "1",
    "ANAMNESIS_NO_SETTING": "1",
    "REDIS_URL": "redis://127.0.0.1:1",
    "SESSION_TIMEOUT": "1",
    "OPENAI_API_KEY": "sk-of-somebody",
}
A_WEAVIATE = {"WEAVIATE_URL": "http://weaviate", "WEAVIATE_GRPC_PORT": "50052", "WEAVIATE_API_KEY": "key"}


@pytest.fixture
def callers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in CALLERS.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("callers")
async def test_demo_starts_with_its_own_settings() -> None:
    async with demo._gateway("en") as (url, _), AsyncClient(url) as client:
        created = await client.create_short_memory(conversation_id="demo", user_id="u")
        assert created.created


@pytest.mark.usefixtures("callers")
def test_cold_start_is_that_of_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEAVIATE_URL", "http://127.0.0.1:1")
    assert 0 < cold_start.once() < cold_start.LIMIT_S


def test_demo_takes_a_weaviate_that_make_is_told_of() -> None:
    """`make demo WEAVIATE_URL=...`: make exports it."""
    current = {"PATH": "/bin", "ANAMNESIS_WEAVIATE__URL": "http://other"} | CALLERS
    assert A_WEAVIATE.items() <= demo._environment(current | A_WEAVIATE, "zh").items()
    without = demo._environment(current, "zh")
    assert without.pop("PATH") == "/bin"
    assert {name for name in without if not name.startswith("ANAMNESIS_")} == set()
    assert "ANAMNESIS_WEAVIATE__URL" not in without
