"""API keys: stored hashed, they alone decide the tenant and the scopes of a request."""

import hashlib
import ipaddress
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, get_args

from gateway.config.access import ApiKey, Scope
from memory.errors import Forbidden, SetupError, Unauthorized
from memory.model.caller import Caller
from memory.model.keys import Key

KEY_PREFIX: Final = "ana_"
DEFAULT_TENANT: Final = "default"
ALL_SCOPES: Final = frozenset[str](get_args(Scope))
_OF_ADMIN: Final = frozenset({"read", "write", "erase", "admin"})
"""What an admin of a tenant may do. Who operates looks at what all tenants of a process share."""
_BEARER: Final = "bearer "
_KEY_CHARS_MAX: Final = 512


def hash_key(key: str) -> str:
    """`sha256:<hex>` of a key. Keys carry 256 random bits, so a plain hash resists guessing."""
    return "sha256:" + hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def new_key() -> str:
    """A fresh key; only its hash is ever stored."""
    return KEY_PREFIX + secrets.token_urlsafe(32)


class Authenticator:
    """Maps an Authorization header to its caller, and is the KeyRing port. Without keys everyone is `default`."""

    def __init__(self, keys: Iterable[ApiKey]) -> None:
        self._callers: dict[str, Caller] = {}
        self._keys: dict[str, list[Key]] = {}
        self._open = True
        seen: set[str] = set()
        for key in keys:
            self._open = False
            stored = _stored_hash(key)
            if stored in seen:
                raise SetupError(f"auth.keys: two entries are of the same key, one of them {key.name or key.tenant!r}")
            seen.add(stored)
            self._keys.setdefault(key.tenant, []).append(Key(key.name, key.scopes, key.revoked))
            if not key.revoked:
                self._callers[stored] = Caller(key.tenant, frozenset(key.scopes), key.name)
        self._everyone = Caller(DEFAULT_TENANT, ALL_SCOPES)

    @property
    def open(self) -> bool:
        """True when no key is configured: only loopback may listen then."""
        return self._open

    @property
    def tenants(self) -> Sequence[str]:
        """Those of the keys that are let in; `default` where there are no keys."""
        return sorted({caller.tenant for caller in self._callers.values()}) if not self._open else [DEFAULT_TENANT]

    def of(self, tenant: str) -> Sequence[Key]:
        """A tenant's keys, also those that were revoked, by their names: nothing of the keys themselves."""
        return sorted(self._keys.get(tenant, ()))

    def identify(self, header: str | None) -> Caller:
        """Who asks, whatever for. Raises Unauthorized for a missing or unknown key.

        Keys are compared by their hash, so that the time it takes says nothing about them.
        """
        if self._open:
            return self._everyone
        if header is None or len(header) > _KEY_CHARS_MAX or header[: len(_BEARER)].lower() != _BEARER:
            raise Unauthorized("send `Authorization: Bearer <key>`")
        return self.caller_of(hash_key(header[len(_BEARER) :].strip()))

    def caller_of(self, stored: str) -> Caller:
        """Who has the key of this hash. Raises Unauthorized when nobody has, or no longer."""
        caller = self._callers.get(stored)
        if caller is None:
            raise Unauthorized("this key is not known")
        return caller

    @property
    def hashes(self) -> Iterable[str]:
        """Of the keys that are let in."""
        return self._callers.keys()


def allows(caller: Caller, scope: str) -> bool:
    """Whether the caller's key has the scope, or includes it: `admin` all but `operate`."""
    return scope in caller.scopes or ("admin" in caller.scopes and scope in _OF_ADMIN)


def require_scope(caller: Caller, scope: str) -> None:
    """Raise Forbidden when the caller's key has neither the scope nor one that includes it."""
    if not allows(caller, scope):
        raise Forbidden(
            f"this key lacks the scope {scope!r}: ask with one that has it (`anamnesis new-key --scopes ...`)"
        )


def _stored_hash(key: ApiKey) -> str:
    if (key.hash is None) == (key.key is None):
        raise SetupError(f"auth.keys: the key {key.name or key.tenant!r} needs either `hash` or `key`")
    if key.key is not None:
        return hash_key(key.key)
    stored = key.hash or ""
    return stored if stored.startswith("sha256:") else "sha256:" + stored


def require_safe_binding(host: str, authenticator: Authenticator) -> None:
    """Raise SetupError when everyone on the network would be let in."""
    if authenticator.open and not is_loopback(host):
        raise SetupError(
            f"refusing to listen on {host} without API keys: everyone could read everything. "
            "Make one with `anamnesis new-key --tenant NAME` and put it into auth.keys, or listen on 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
