"""Pseudonyms by deterministic authenticated encryption: AES-SIV (RFC 5297) of the value, in base32.

Deterministic, so that the same value is found again; it shows that two values are equal, and nothing else of them but
their length. Tenant and kind are authenticated with the value: what was made for another of them is not taken back.
"""

from base64 import b32decode, b32encode
from binascii import Error
from collections.abc import Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from memory.errors import SetupError

NEW_KEY_BITS: Final = 512
_DOMAIN: Final = b"anamnesis pseudonym 1"
_BASE32_GROUP_CHARS: Final = 8


class SivPseudonyms:
    """The port `Pseudonyms`. Of a tenant's keys (32, 48 or 64 bytes) the first writes, all read."""

    def __init__(self, keys: Mapping[str, Sequence[bytes]]) -> None:
        self._ciphers = {tenant: [AESSIV(key) for key in each] for tenant, each in keys.items()}

    def body(self, tenant: str, kind: str, value: str) -> str:
        """Seal a value under the tenant's first key. Raises SetupError when there is none."""
        ciphers = self._ciphers.get(tenant)
        if not ciphers:
            raise SetupError(f"the tenant {tenant!r} has no key for pseudonyms in privacy.keys")
        sealed = ciphers[0].encrypt(value.encode(), _beside(tenant, kind))
        return b32encode(sealed).decode().rstrip("=")

    def value(self, tenant: str, kind: str, body: str) -> str | None:
        """Open a body with whichever of the tenant's keys made it."""
        try:
            sealed = b32decode(body + "=" * (-len(body) % _BASE32_GROUP_CHARS))
        except Error:
            return None
        for cipher in self._ciphers.get(tenant, ()):
            try:
                return cipher.decrypt(sealed, _beside(tenant, kind)).decode()
            except InvalidTag:
                continue
        return None


def new_key() -> bytes:
    """A fresh key."""
    return AESSIV.generate_key(NEW_KEY_BITS)


def _beside(tenant: str, kind: str) -> list[bytes]:
    return [_DOMAIN, tenant.encode(), kind.encode()]
