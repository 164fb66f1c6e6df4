"""Settings as they are shown: what set each, its unit, what it is for; and nothing of what is secret."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gateway.config.section import Secrecy
from gateway.config.settings import Settings
from gateway.config.sources import Loaded, Origin, load, load_with_origins
from gateway.operating.masking import Masking, masked_address, settings_of
from gateway.operating.operating_calls import GetSettingsRequest, SettingItem
from gateway.operating.shown import shown

CANARY = "canary7quartz"
SECRET_NAME = re.compile(r"key|secret|password|token|url")
NO_SECRETS = {
    "server.key_share", "session.token_threshold_ratio", "memunit.tokens_max", "mind.max_output_tokens",
    "mind.output_tokens_field", "mind.part_tokens", "budget.tokens_per_day", "recall.budget_tokens",
    "recall.core_budget_tokens", "server.streams_of_key_max",
}  # fmt: skip
"""What sounds like a secret and is a number, or a word of the wire."""


def of(loaded: Loaded) -> dict[str, SettingItem]:
    return {item.key: item for item in shown(loaded.settings, loaded.origins)}


def test_every_setting_is_shown_with_what_config_yaml_says() -> None:
    items = shown(load(None, {}, {}), {})
    assert {item.key for item in items} == {f"{each.section}.{each.key}" for each in settings_of(Settings())}
    assert len({item.key for item in items}) == len(items)
    assert all(item.origin == "default" and item.value == item.default and len(item.why) > 10 for item in items)
    assert (
        next(item.why for item in items if item.key == "session.recent_turns") == "turns kept in full beside a summary"
    )


def test_origin_is_the_last_word_of_several_and_names_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "server: {port: 1, host: 127.0.0.2, streams_max: 64}\nsession: {ttl_s: 9}\nredis: {url: 'redis://f'}\n"
    )
    environment = {
        "ANAMNESIS_SERVER__HOST": "127.0.0.3",
        "ANAMNESIS_SERVER__PORT": "2",
        "ANAMNESIS_session__recent_turns": "3",
        "REDIS_URL": "redis://common",
        "WEAVIATE_URL": "http://common",
        "ANAMNESIS_WEAVIATE__URL": "http://own",
        "WEAVIATE_API_KEY": "",
    }
    loaded = load_with_origins(file, environment, {("server", "port"): 3})
    assert {name: origin for name, origin in loaded.origins.items() if origin.kind != "default"} == {
        ("server", "port"): Origin("flag"),
        ("server", "host"): Origin("environment", "ANAMNESIS_SERVER__HOST"),
        ("server", "streams_max"): Origin("file", str(file)),
        ("session", "ttl_s"): Origin("file", str(file)),
        ("session", "recent_turns"): Origin("environment", "ANAMNESIS_session__recent_turns"),
        ("redis", "url"): Origin("environment", "REDIS_URL"),
        ("weaviate", "url"): Origin("environment", "ANAMNESIS_WEAVIATE__URL"),
    }
    items = of(loaded)
    streams = items["server.streams_max"]
    assert (streams.value, streams.default, streams.origin) == (64, 64, "file"), "set, though to the default"
    assert (items["server.port"].value, items["server.port"].origin, items["server.port"].source) == (3, "flag", None)
    assert items["redis.url"].source == "REDIS_URL"
    assert items["weaviate.url"].value == "http://own"


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("session.ttl_s", "s"),
        ("redis.deadline_ms", "ms"),
        ("audit.days", "days"),
        ("decay.fact_grace_days", "days"),
        ("session.bytes_max", "bytes"),
        ("recall.budget_tokens", "tokens"),
        ("budget.tokens_per_day", "tokens"),
        ("mcp.result_chars_max", "characters"),
        ("mind.output_tokens_field", None),
        ("session.token_threshold_ratio", None),
        ("curation.boost_per_day", None),
        ("server.port", None),
        ("recall.enabled", None),
    ],
)
def test_unit_is_what_the_name_says_of_a_number(key: str, unit: str | None) -> None:
    assert of(load_with_origins(None, {}, {}))[key].unit == unit


def test_value_is_as_config_yaml_would_have_it() -> None:
    items = of(
        load_with_origins(None, {"ANAMNESIS_PRIVACY__MODEL": '{"url": "redact"}'}, {("data", "dir"): Path("/d")})
    )
    assert repr(items["session.ttl_s"].value) == "1800"
    assert items["session.token_threshold_ratio"].value == 0.75
    assert items["recall.enabled"].value is True
    assert items["data.dir"].value == "/d"
    assert isinstance(items["privacy.model"].value, dict)
    assert items["privacy.model"].value["url"] == "redact"


def test_what_sounds_like_a_secret_is_marked_as_one() -> None:
    unmarked = {
        f"{each.section}.{each.key}"
        for each in settings_of(Settings())
        if SECRET_NAME.search(each.key) and each.secrecy is None
    }
    assert unmarked == NO_SECRETS
    marked = {f"{each.section}.{each.key}": each.secrecy for each in settings_of(Settings()) if each.secrecy}
    assert marked == {
        "redis.url": Secrecy.ADDRESS,
        "openai.base_url": Secrecy.ADDRESS,
        "openai.api_key": Secrecy.WHOLE,
        "weaviate.url": Secrecy.ADDRESS,
        "weaviate.api_key": Secrecy.WHOLE,
        "auth.keys": Secrecy.NUMBER,
        "privacy.keys": Secrecy.WHOLE,
        "console.secret": Secrecy.WHOLE,
    }


PSEUDONYM_KEY = base64.b64encode(CANARY.encode().ljust(32, b"x")).decode()
SECRETS: dict[str, Any] = {
    "redis": {"url": f"redis+sentinel://joe:{CANARY}@h1,h2/svc?sentinel_password={CANARY}"},
    "openai": {"api_key": CANARY, "base_url": f"https://joe:{CANARY}@models.example/v1?key={CANARY}"},
    "weaviate": {"api_key": CANARY, "url": f"http://:{CANARY}@weaviate:8080"},
    "auth": {"keys": [{"key": f"ana_{CANARY}_of_somebody", "tenant": "t"}]},
    "privacy": {"keys": {"t": PSEUDONYM_KEY}},
    "console": {"secret": CANARY},
}


def by_file(folder: Path) -> Loaded:
    file = folder / "c.yaml"
    file.write_text(json.dumps(SECRETS), encoding="utf-8")
    return load_with_origins(file, {}, {})


def by_environment(_: Path) -> Loaded:
    told = {
        f"ANAMNESIS_{section}__{key}".upper(): value if isinstance(value, str) else json.dumps(value)
        for section, keys in SECRETS.items()
        for key, value in keys.items()
    }
    return load_with_origins(None, told, {})


@pytest.mark.parametrize("way", [by_file, by_environment])
def test_nothing_secret_is_shown_however_it_was_set(way: Any, tmp_path: Path) -> None:
    items = of(way(tmp_path))
    told = "".join(item.model_dump_json() for item in items.values())
    for secret in (CANARY, PSEUDONYM_KEY, "joe"):
        assert secret not in told
    secret = {key: item.value for key, item in items.items() if item.secret}
    assert secret == {
        "redis.url": "redis+sentinel://***@h1,h2/svc?***",
        "openai.base_url": "https://***@models.example/v1?***",
        "openai.api_key": "set",
        "weaviate.url": "http://***@weaviate:8080",
        "weaviate.api_key": "set",
        "auth.keys": 1,
        "privacy.keys": "set",
        "console.secret": "set",
    }
    assert items["openai.api_key"].default == "not set"


@pytest.mark.parametrize(
    ("address", "masked"),
    [
        ("", ""),
        ("redis://localhost:6379/2", "redis://localhost:6379/2"),
        ("unix:///run/redis.sock?db=1", "unix:///run/redis.sock?***"),
        ("redis://:p@ss@h", "redis://***@h"),
        ("redis://joe:p/ss@h/1", "redis://***@h/1"),
        ("joe:pass@h", "***@h"),
        ("https://token@h/v1#part", "https://***@h/v1#***"),
        ("redis+sentinel://:a@h/s?sentinel_password=x@y", "redis+sentinel://***"),
        ("https://joe:p?ss@h/v1", "https://***"),
        ("https://joe:p#ss@h/v1", "https://***"),
        ("HTTP://Joe:Pass@H", "HTTP://***@H"),
    ],
)
def test_address_is_shown_without_whom_it_names_and_what_it_asks(address: str, masked: str) -> None:
    assert masked_address(address) == masked


def test_text_loses_every_secret_of_the_settings(tmp_path: Path) -> None:
    settings = by_file(tmp_path).settings
    masking = Masking(settings)
    for secret in (CANARY, PSEUDONYM_KEY, f"ana_{CANARY}_of_somebody", settings.redis.url, settings.openai.base_url):
        assert masking.masked(f"refused: {secret}!") != f"refused: {secret}!"
        assert CANARY not in masking.masked(f"refused: {secret}!")
    assert masking.masked(f"cannot reach {settings.weaviate.url}") == "cannot reach http://***@weaviate:8080"
    plain = "not for models: card; python 3.11; http://127.0.0.1:8080"
    assert masking.masked(plain) == plain


def test_password_is_taken_out_quoted_and_plain() -> None:
    masking = Masking(load(None, {"REDIS_URL": "rediss://default:se%40cret%21@h?ssl_cert_reqs=required"}, {}))
    assert masking.masked("se%40cret%21 se@cret! default required") == "*** *** default required"


def test_section_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValidationError, match=r"no such section, but server, redis, .*telemetry"):
        GetSettingsRequest(section="sever")
