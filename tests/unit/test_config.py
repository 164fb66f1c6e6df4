"""Settings: one table of keys, three sources in order, and every mistake named."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from gateway.config import sources as config
from gateway.config.section import Section
from gateway.config.settings import Settings
from gateway.config.sources import load
from memory.errors import SetupError

HASH = "sha256:" + "0" * 64
KEYS = [(name, key) for name, section in Settings.model_fields.items() for key in section.annotation.model_fields]


def loaded(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[tuple[str, str], object] | None = None,
) -> Settings:
    return load(file, environment or {}, flags or {})


def written(folder: Path, text: str) -> Path:
    file = folder / "config.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_shipped_file_has_every_setting_with_its_default() -> None:
    shipped = yaml.safe_load(config.default_text())
    assert {(section, key) for section, keys in shipped.items() for key in keys} == set(KEYS)
    assert Settings.model_validate(shipped) == Settings()


def test_shipped_file_explains_every_setting() -> None:
    section = ""
    explained = set()
    for line in config.default_text().splitlines():
        if found := re.match(r"(\w+):$", line):
            section = found[1]
        elif found := re.match(r"  (\w+): \S.*?  # \S.{10,}$", line):
            explained.add((section, found[1]))
    assert explained == set(KEYS)


def test_every_section_refuses_unknown_keys_and_cannot_be_changed() -> None:
    for field in (Settings, *(section.annotation for section in Settings.model_fields.values())):
        assert issubclass(field, Section)
        assert field.model_config["extra"] == "forbid"
        assert field.model_config["frozen"]


def test_load_without_sources_is_the_defaults() -> None:
    assert loaded() == Settings()


def test_load_takes_file_then_environment_then_flags(tmp_path: Path) -> None:
    file = written(tmp_path, "server: {port: 1, host: 127.0.0.2, in_flight_max: 3}\n")
    settings = loaded(
        file,
        {"ANAMNESIS_SERVER__PORT": "2", "ANAMNESIS_SERVER__HOST": "127.0.0.3"},
        {("server", "port"): 3},
    )
    assert (settings.server.port, settings.server.host, settings.server.in_flight_max) == (3, "127.0.0.3", 3)
    assert settings.server.keepalive_timeout_s == Settings().server.keepalive_timeout_s, "the rest stays as it is"


@pytest.mark.parametrize(
    ("name", "value", "section", "key", "expected"),
    [
        ("ANAMNESIS_SESSION__TTL_S", "2", "session", "ttl_s", 2.0),
        ("ANAMNESIS_SESSION__TTL_S", "0.5", "session", "ttl_s", 0.5),
        ("ANAMNESIS_SESSION__AUTO_CHECKPOINT", "true", "session", "auto_checkpoint", True),
        ("ANAMNESIS_SESSION__LOCALE", "en", "session", "locale", "en"),
        ("ANAMNESIS_DATA__DIR", "/data", "data", "dir", Path("/data")),
        ("ANAMNESIS_session__recent_turns", "3", "session", "recent_turns", 3),
        ("REDIS_URL", "redis://r:1/2", "redis", "url", "redis://r:1/2"),
    ],
)
def test_load_reads_the_environment(name: str, value: str, section: str, key: str, expected: object) -> None:
    settings = loaded(environment={name: value})
    assert getattr(getattr(settings, section), key) == expected


def test_load_own_name_of_the_redis_url_wins_over_the_common_one() -> None:
    environment = {"ANAMNESIS_REDIS__URL": "redis://own", "REDIS_URL": "redis://common"}
    assert loaded(environment=environment).redis.url == "redis://own"
    assert loaded(environment={"REDIS_URL": ""}).redis.url == ""


def test_load_common_redis_url_wins_over_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, "redis: {url: redis://file}\n")
    assert loaded(file, {"REDIS_URL": "redis://environment"}).redis.url == "redis://environment"


def test_load_leaves_foreign_and_client_names_alone() -> None:
    environment = {"HOME": "/", "PORT": "1", "ANAMNESIS_URL": "http://x", "ANAMNESIS_API_KEY": "k", "ANAMNESISX": "1"}
    assert loaded(environment=environment) == Settings()


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"ANAMNESIS_SERVER__PROT": "1"}, "server.prot"),
        ({"ANAMNESIS_SEVER__PORT": "1"}, "sever"),
        ({"ANAMNESIS_PORT": "1"}, "ANAMNESIS_PORT"),
        ({"ANAMNESIS_SERVER__PORT__X": "1"}, "server.port__x"),
    ],
)
def test_load_unknown_name_in_the_environment_is_refused_by_name(environment: Mapping[str, str], named: str) -> None:
    with pytest.raises(SetupError, match=re.escape(named)) as refused:
        loaded(environment=environment)
    assert "unknown setting" in refused.value.detail


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("server: {prot: 1}", "server.prot: unknown setting"),
        ("sever: {port: 1}", "sever: unknown setting"),
        ("server: {port: high}", "server.port: "),
        ("server: {port: 70000}", "server.port: "),
        ("session: {ttl_s: 0}", "session.ttl_s: "),
        ("session: {locale: fr}", "session.locale: "),
        ("session: {token_threshold_ratio: 1.5}", "session.token_threshold_ratio: "),
        ("server: 1", "'server' must be a table"),
        ("server:", "'server' must be a table"),
        ("- server", "must be a table of sections"),
        ("server: [", "is not YAML"),
        ("server: !!python/object/apply:os.system [true]", "is not YAML"),
        ("auth: {keys: [{tenant: t}], kesy: []}", "auth.kesy: unknown setting"),
        ("auth: {keys: [{hash: short, tenant: t}]}", "auth.keys.0.hash"),
        ("auth: {keys: [{key: too-short, tenant: t}]}", "auth.keys.0.key"),
        (f"auth: {{keys: [{{hash: '{HASH}', tenant: 'a/b'}}]}}", "auth.keys.0.tenant"),
        (f"auth: {{keys: [{{hash: '{HASH}', tenant: t, scopes: [root]}}]}}", "auth.keys.0.scopes"),
        (f"auth: {{keys: [{{hash: '{HASH}', tenant: t, role: x}}]}}", "auth.keys.0.role: unknown setting"),
    ],
)
def test_load_mistake_in_a_file_is_refused_by_name(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(SetupError, match=re.escape(named)):
        loaded(written(tmp_path, text))


def test_load_names_every_mistake_at_once(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refused:
        loaded(written(tmp_path, "server: {prot: 1}\nsession: {ttl_s: -1}\n"))
    assert "server.prot" in refused.value.detail
    assert "session.ttl_s" in refused.value.detail


def test_load_says_which_file_it_cannot_read(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.yaml", tmp_path):
        with pytest.raises(SetupError, match=re.escape(str(path))):
            loaded(path)


def test_load_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert loaded(written(tmp_path, "# all as it was\n")) == Settings()


def test_load_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SetupError, match=re.escape(str(file))):
        loaded(file)


def test_load_keys_from_the_environment_are_a_json_array() -> None:
    entries = [{"hash": HASH, "tenant": "t1", "scopes": ["read"], "name": "n", "revoked": True}]
    (key,) = loaded(environment={"ANAMNESIS_AUTH__KEYS": json.dumps(entries)}).auth.keys
    assert (key.hash, key.tenant, key.scopes, key.name, key.revoked) == (HASH, "t1", ("read",), "n", True)


@pytest.mark.parametrize("value", ["", "[", "{}", "null", '["a"]', '[{"tenant": "t", "x": 1}]', "7"])
def test_load_keys_that_are_no_json_array_are_refused(value: str) -> None:
    with pytest.raises(SetupError, match=r"auth\.keys"):
        loaded(environment={"ANAMNESIS_AUTH__KEYS": value})


def test_load_mistake_does_not_show_a_key(tmp_path: Path) -> None:
    secret = "ana_secret_that_stays_one"
    file = written(tmp_path, f"auth: {{keys: [{{key: {secret}, tenant: 'a/b', {secret[:12]}: 1}}]}}\n")
    with pytest.raises(SetupError) as refused:
        loaded(file)
    assert secret not in refused.value.detail
    bad = json.dumps([{"key": secret, "tenant": 7}])
    with pytest.raises(SetupError) as refused:
        loaded(environment={"ANAMNESIS_AUTH__KEYS": bad})
    assert secret not in refused.value.detail


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_documents_name_no_setting_that_is_not_there(name: str) -> None:
    document = Path(__file__).parent.parent.parent / name
    if not document.is_file():
        pytest.skip(f"no {name} yet")
    known = {f"ANAMNESIS_{section}__{key}".upper() for section, key in KEYS}
    named = set(re.findall(r"ANAMNESIS_[A-Z]+__[A-Z_]+", document.read_text(encoding="utf-8")))
    assert named <= known


def test_journal_that_would_lapse_before_its_session_is_refused() -> None:
    for environment in ({"SESSION_TIMEOUT": "864000"}, {"SESSION_MAX_DURATION": "603001"}):
        with pytest.raises(SetupError, match="raise it"):
            loaded(environment=environment)
    assert loaded(environment={"SESSION_TIMEOUT": "518000"}).session.ttl_s == 518_000


def test_time_zone_is_one_that_is_known() -> None:
    assert loaded(environment={"ANAMNESIS_SESSION__TIMEZONE": "Asia/Shanghai"}).session.timezone == "Asia/Shanghai"
    for wrong in ("Mars/Olympus", "", "../etc/passwd", "+08:00"):
        with pytest.raises(SetupError, match="the IANA name of a time zone"):
            loaded(environment={"ANAMNESIS_SESSION__TIMEZONE": wrong})
