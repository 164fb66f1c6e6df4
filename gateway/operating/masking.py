"""What of the settings is shown to nobody, and how it is taken out of what is shown."""

import base64
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote

from gateway.config.section import Secrecy
from gateway.config.settings import Settings

MASK: Final = "***"
_ADDRESS: Final = re.compile(r"((?:[a-z][a-z0-9+.-]*:)?//)?((?:[^?#]*@)?)([^?#]*)(.*)", re.DOTALL | re.IGNORECASE)
"""Scheme, whom it names to be let in as, where it is, and what stands behind its path. It matches every text."""
_CHARS_MIN: Final = 6
"""What is shorter stands in texts by itself, and no secret is so short."""
_OF_TLS: Final = "ssl_"
"""Names of files, and words of English."""


class Setting(NamedTuple):
    """One setting, its value as it is."""

    section: str
    key: str
    value: Any
    secrecy: Secrecy | None


def settings_of(settings: Settings) -> Iterator[Setting]:
    """All of them, in the order in which they are declared."""
    for name in Settings.model_fields:
        section = getattr(settings, name)
        for key, field in type(section).model_fields.items():
            secrecy = next((each for each in field.metadata if isinstance(each, Secrecy)), None)
            yield Setting(name, key, getattr(section, key), secrecy)


def masked_address(address: str) -> str:
    """An address without whom it names to be let in as, and without what stands behind its path."""
    scheme, who, where, rest = _taken_apart(address)
    if "@" in rest:  # a password with an unquoted `?` or `#`, or something else: nobody can tell
        return f"{scheme}{MASK}"
    return f"{scheme}{who and MASK + '@'}{where}{rest[:1]}{rest[1:] and MASK}"


class Masking:
    """Takes the secrets of settings out of texts."""

    def __init__(self, settings: Settings) -> None:
        hidden: dict[str, str] = {}
        for setting in settings_of(settings):
            if setting.secrecy is Secrecy.ADDRESS:
                hidden[setting.value] = masked_address(setting.value)
            if setting.secrecy is not None:
                hidden |= dict.fromkeys(_secrets(setting), MASK)
        hidden = {text: shown for text, shown in hidden.items() if len(text) >= _CHARS_MIN}
        self._hidden = dict(sorted(hidden.items(), key=lambda each: -len(each[0])))

    def masked(self, text: str) -> str:
        """The text with everything secret in it, of six characters and more, replaced."""
        for secret, shown in self._hidden.items():
            text = text.replace(secret, shown)
        return text


def _taken_apart(address: str) -> tuple[str, ...]:
    found = _ADDRESS.match(address)
    return tuple(part or "" for part in found.groups()) if found else ("", "", "", address)


def _secrets(setting: Setting) -> Iterator[str]:
    """The texts that give a setting away, each as it may stand somewhere."""
    value = setting.value
    if setting.secrecy is Secrecy.ADDRESS:
        _, who, _, rest = _taken_apart(value)
        password = who.removesuffix("@").partition(":")[2] or who.removesuffix("@")
        told = [each for name, each in parse_qsl(rest[1:]) if not name.startswith(_OF_TLS)]
        yield from (password, unquote(password), rest[1:], *told)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (base64.b64encode(key).decode() for keys in value.values() for key in keys)
    else:
        for key in value:
            yield from filter(None, (key.key, key.hash, key.hash and key.hash.removeprefix("sha256:")))
