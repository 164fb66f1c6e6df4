"""The console's cookie: who signed in, and until when. It is signed, not kept (docs/decisions/0047)."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_VERSION: Final = "1"
_NONCE_BYTES: Final = 12
_ID_CHARS: Final = 16
_AHEAD_S: Final = 60
"""How far the clock of the replica that signed may be ahead of ours."""


@dataclass(frozen=True, slots=True)
class CookieTerms:
    """What a cookie is like: seconds it holds, whether plain http may carry it, and a secret of the deployment's."""

    session_s: int
    allow_http: bool
    secret: str


class Cookies:
    """Makes cookies and reads them, for stored hashes of API keys.

    A cookie is signed with its key's stored hash (and the deployment's secret): every process and replica can read
    it, with Redis down too, and revoking the key ends it.
    """

    def __init__(self, hashes: Iterable[str], terms: CookieTerms) -> None:
        self._terms = terms
        self._hashes = {_id_of(stored): stored for stored in hashes}
        self.name = "anamnesis" if terms.allow_http else "__Host-anamnesis"

    def signed_in(self, stored: str) -> tuple[str, str]:
        """The Set-Cookie of who came with this key, and what names their visit to the page."""
        head = f"{_VERSION}.{_id_of(stored)}.{int(time.time())}.{secrets.token_urlsafe(_NONCE_BYTES)}"
        value = f"{head}.{self._signature(stored, head)}"
        return self._set(value, self._terms.session_s), visit_of(value)

    def signed_out(self) -> str:
        """The Set-Cookie that takes it away."""
        return self._set("", 0)

    def visitor_of(self, header: str) -> "Visitor | None":
        """Who sent a Cookie header; None: nobody that is known, or not any more.

        Two cookies of our name are nobody's: another program on this host may have set one of them.
        """
        pairs = (pair.strip().partition("=") for pair in header.split(";"))
        values = [value for name, _, value in pairs if name == self.name]
        stored = self._read(values[0]) if len(values) == 1 else None
        return None if stored is None else Visitor(stored, visit_of(values[0]))

    def _read(self, value: str) -> str | None:
        head, _, signature = value.rpartition(".")
        parts = head.split(".")
        if len(parts) != 4 or parts[0] != _VERSION or not (parts[2].isascii() and parts[2].isdigit()):  # noqa: PLR2004
            return None
        stored = self._hashes.get(parts[1])
        if stored is None or not hmac.compare_digest(signature.encode(), self._signature(stored, head).encode()):
            return None
        return stored if -_AHEAD_S <= time.time() - int(parts[2]) < self._terms.session_s else None

    def _signature(self, stored: str, head: str) -> str:
        return hmac.new(f"{self._terms.secret}\n{stored}".encode(), head.encode(), hashlib.sha256).hexdigest()

    def _set(self, value: str, seconds: int) -> str:
        secure = "" if self._terms.allow_http else "; Secure"
        return f"{self.name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whose cookie it is: the stored hash of the key, and what names this visit to the page."""

    stored: str
    visit: str


def visit_of(value: str) -> str:
    """What a page may know of its cookie, so that it does not act for somebody who signed in beside it."""
    return hashlib.sha256(f"visit {value}".encode()).hexdigest()[:_ID_CHARS]


def _id_of(stored: str) -> str:
    """What tells keys apart, and says nothing of them."""
    return hashlib.sha256(f"console {stored}".encode()).hexdigest()[:_ID_CHARS]
