"""Settings of who may come in, API keys and the console's visitors, and of what is noted of what they ask for."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from gateway.config.section import Secrecy, Secret, Section, from_json, off
from memory.scope import ID_PATTERN

Scope = Literal["read", "write", "erase", "admin", "operate"]


class ApiKey(Section):
    """One API key. `hash` is `sha256:<hex>` of the key; a plain `key` is hashed when it is read."""

    hash: Annotated[str, Field(pattern=r"^(sha256:)?[0-9a-f]{64}$")] | None = None
    key: Annotated[str, Field(min_length=16)] | None = None
    tenant: Annotated[str, Field(pattern=ID_PATTERN)]
    scopes: tuple[Scope, ...] = ("read", "write")
    name: str = ""
    revoked: bool = False


class Auth(Section):
    """Section `auth`. In the environment `keys` is a JSON array."""

    keys: Annotated[tuple[ApiKey, ...], BeforeValidator(from_json), Secrecy.NUMBER] = ()


class Console(Section):
    """Section `console`."""

    enabled: bool = True
    session_s: Annotated[int, Field(ge=60, le=2_592_000)] = 43_200
    allow_http: bool = False
    secret: Secret = ""


class Audit(Section):
    """Section `audit`."""

    level: Annotated[Literal["off", "changes", "all"], BeforeValidator(off)] = "all"
    entries_max: Annotated[int, Field(ge=1000, le=100_000_000)] = 100_000
    days: Annotated[int, Field(ge=1, le=3650)] = 90
