"""Where settings come from: config.yaml < the file of --config < environment < flags, and which of them it was."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import yaml
from pydantic import ValidationError

from gateway.config.settings import Settings
from memory.errors import SetupError

ENVIRONMENT_PREFIX: Final = "ANAMNESIS_"
CLIENT_NAMES: Final = ("ANAMNESIS_URL", "ANAMNESIS_API_KEY")
"""Read by the command line's client, not by the gateway."""
_KNOWN_NAMES: Final = {
    "REDIS_URL": ("redis", "url"),
    "WEAVIATE_URL": ("weaviate", "url"),
    "WEAVIATE_GRPC_PORT": ("weaviate", "grpc_port"),
    "WEAVIATE_API_KEY": ("weaviate", "api_key"),
    "SESSION_TIMEOUT": ("session", "ttl_s"),
    "SESSION_MAX_DURATION": ("session", "max_age_s"),
    "SESSION_MAX_EVENTS": ("brain", "events_max"),
    "COREFERENCE_CONTEXT_SIZE": ("brain", "context_events"),
    "OPENAI_API_KEY": ("openai", "api_key"),
    "OPENAI_BASE_URL": ("openai", "base_url"),
}


class Origin(NamedTuple):
    """What set a setting. `name`: the variable of the environment, or the file; else empty."""

    kind: Literal["default", "file", "environment", "flag"]
    name: str = ""


DEFAULT: Final = Origin("default")
Key = tuple[str, str]
"""A setting: its section, and its name there."""
Origins = Mapping[Key, Origin]
"""Of what is not named here the origin is DEFAULT."""
NOTHING_SET: Final[Origins] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and what set each of them, the last word of several."""

    settings: Settings
    origins: Origins


def default_text() -> str:
    """The config.yaml that ships with the program."""
    packaged = resources.files("gateway").joinpath("config.yaml")
    beside = Path(__file__).parents[2] / "config.yaml"
    return packaged.read_text(encoding="utf-8") if packaged.is_file() else beside.read_text(encoding="utf-8")


def load(file: Path | None, environment: Mapping[str, str], flags: Mapping[Key, object]) -> Settings:
    """Merge the sources. Raises SetupError that names every key at fault and where it came from."""
    return load_with_origins(file, environment, flags).settings


def load_with_origins(file: Path | None, environment: Mapping[str, str], flags: Mapping[Key, object]) -> Loaded:
    """The same, with what set each of them."""
    merged = _Merged()
    merged.take(_read_yaml(default_text(), "config.yaml"), DEFAULT)
    if file is not None:
        merged.take(_read_file(file), Origin("file", str(file)))
    for name, (section, key), told in _from_environment(environment):
        merged.take({section: {key: told}}, Origin("environment", name))
    for (section, key), value in flags.items():
        merged.take({section: {key: value}}, Origin("flag"))
    try:
        return Loaded(Settings.model_validate(merged.sections), merged.origins)
    except (ValidationError, json.JSONDecodeError) as error:
        raise SetupError(_explain(error)) from error


@dataclass(slots=True)
class _Merged:
    """What the sources that were taken say, the later ones over the earlier."""

    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[Key, Origin] = field(default_factory=dict)

    def take(self, sections: Mapping[str, Any], origin: Origin) -> None:
        """Raises SetupError for a section that is no table."""
        for section, keys in sections.items():
            if not isinstance(keys, Mapping):
                raise SetupError(f"configuration section {section!r} must be a table of keys")
            self.sections.setdefault(section, {}).update(keys)
            self.origins.update(dict.fromkeys(((section, key) for key in keys), origin))


def _read_file(file: Path) -> Mapping[str, Any]:
    try:
        return _read_yaml(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise SetupError(f"cannot read the configuration {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SetupError(f"the configuration {file} is not UTF-8") from error


def _read_yaml(text: str, origin: str) -> Mapping[str, Any]:
    try:
        document = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise SetupError(f"{origin} is not YAML: {error}") from error
    if not isinstance(document, Mapping):
        raise SetupError(f"{origin} must be a table of sections")
    return document


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Key, str]]:
    """By name: the common ones first, over which our own go."""
    for name, setting in _KNOWN_NAMES.items():
        if environment.get(name):
            yield name, setting, environment[name]
    for name, value in environment.items():
        if name.startswith(ENVIRONMENT_PREFIX) and name not in CLIENT_NAMES:
            section, separator, key = name.removeprefix(ENVIRONMENT_PREFIX).lower().partition("__")
            if not separator:
                raise SetupError(f"unknown setting {name}: settings are named ANAMNESIS_<SECTION>__<KEY>")
            yield name, (section, key), value


def without_settings(current: Mapping[str, str]) -> dict[str, str]:
    """An environment without any setting of a gateway, by whatever name: for one whose settings are its starter's."""
    return {k: v for k, v in current.items() if k not in _KNOWN_NAMES and not k.startswith(ENVIRONMENT_PREFIX)}


def _explain(error: ValidationError | json.JSONDecodeError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"auth.keys must be a JSON array: {error}"
    lines = []
    for problem in error.errors(include_url=False, include_input=False):
        name = ".".join(str(part) for part in problem["loc"])
        text = problem["msg"].removeprefix("Value error, ")
        text = "unknown setting" if problem["type"] == "extra_forbidden" else text
        lines.append(f"{name}: {text}")
    return "the configuration is wrong: " + "; ".join(lines)


def environment() -> Mapping[str, str]:
    """This process's environment."""
    return os.environ
