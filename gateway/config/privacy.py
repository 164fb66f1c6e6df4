"""Section `privacy`: what becomes of identifiers, by kind and destination, and the keys of pseudonyms."""

import base64
from functools import partial
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from gateway.config.section import Secrecy, Section, from_json
from memory.privacy.policy import DEFAULT, Choice, Kind
from memory.scope import ID_PATTERN

Choices = dict[Kind | Literal["default"], Choice]
_FOR_A_MODEL: Final[Choices] = {
    "default": "redact", "url": "keep", "name": "keep", "address": "keep", "birth": "keep",
}  # fmt: skip
_FOR_THE_STORE: Final[Choices] = {
    "default": "keep", "id_card": "redact", "passport": "redact", "ssn": "redact", "card": "redact", "iban": "redact",
}  # fmt: skip
_PSEUDONYM_KEY_BYTES: Final = (32, 48, 64)


def _over(shipped: Choices, named: Choices) -> Choices:
    """Choices that name a default stand alone; others change what they name, and nothing else."""
    return named if DEFAULT in named else shipped | named


def _for_a_model(named: Choices) -> Choices:
    if "pseudonym" in named.values():
        raise ValueError("pseudonym is for the store; a model's answer is put right all the same: choose redact")
    return _over(_FOR_A_MODEL, named)


def _key_bytes(text: Any) -> bytes:
    """A key for pseudonyms, from base64. What is wrong with it is said without showing it."""
    try:
        key = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        raise ValueError("must be base64, as `anamnesis pseudonyms new-key` prints it") from None
    if len(key) not in _PSEUDONYM_KEY_BYTES:
        raise ValueError("must be 32, 48 or 64 bytes in base64: make one with `anamnesis pseudonyms new-key`")
    return key


PseudonymKeys = Annotated[
    tuple[Annotated[bytes, BeforeValidator(_key_bytes)], ...],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
    Field(min_length=1),
]
"""One key or several, in base64."""


class Privacy(Section):
    """Section `privacy`. In the environment each is a JSON object."""

    model: Annotated[Choices, BeforeValidator(from_json), AfterValidator(_for_a_model)] = _FOR_A_MODEL
    store: Annotated[Choices, BeforeValidator(from_json), AfterValidator(partial(_over, _FOR_THE_STORE))] = (
        _FOR_THE_STORE
    )
    keys: Annotated[
        dict[Annotated[str, Field(pattern=ID_PATTERN)], PseudonymKeys],
        BeforeValidator(from_json),
        Field(repr=False),
        Secrecy.WHOLE,
    ] = Field(default_factory=dict)
