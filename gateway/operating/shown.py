"""Settings as they are shown: with what set them, in which unit they are, and what they are for."""

from typing import Any, Final

from pydantic_core import to_jsonable_python

from gateway.config import explained
from gateway.config.section import Secrecy
from gateway.config.settings import Settings
from gateway.config.sources import DEFAULT, Origin, Origins
from gateway.operating.masking import Setting, masked_address, settings_of
from gateway.operating.operating_calls import SettingItem, Unit, Value

_UNITS: Final[dict[str, Unit]] = {
    "ms": "ms", "s": "s", "days": "days", "bytes": "bytes", "tokens": "tokens", "chars": "characters",
}  # fmt: skip
"""By the word of a name that says it."""


def shown(settings: Settings, origins: Origins) -> list[SettingItem]:
    """All of them, in the order of config.yaml; nothing of what is secret."""
    held = {(each.section, each.key): each for each in settings_of(settings)}
    usual = {(each.section, each.key): each for each in settings_of(Settings())}
    told = [((line.section, line.key), line.why) for line in explained.lines()]
    return [_item(held[name], usual[name], origins.get(name, DEFAULT), why) for name, why in told]


def _item(setting: Setting, default: Setting, origin: Origin, why: str) -> SettingItem:
    value = _value(setting)
    return SettingItem(
        key=f"{setting.section}.{setting.key}",
        value=value,
        default=_value(default),
        origin=origin.kind,
        source=origin.name or None,
        unit=_unit(setting),
        secret=setting.secrecy is not None and (setting.secrecy is not Secrecy.ADDRESS or value != setting.value),
        why=why,
    )


def _value(setting: Setting) -> Value:
    match setting.secrecy:
        case Secrecy.WHOLE:
            return "set" if setting.value else "not set"
        case Secrecy.NUMBER:
            return len(setting.value)
        case Secrecy.ADDRESS:
            return masked_address(setting.value)
        case None:
            return _plain(setting.value)


def _plain(value: Any) -> Value:
    """As JSON has it; a number without a fraction that is none."""
    made: Value = to_jsonable_python(value)
    return int(made) if isinstance(made, float) and made.is_integer() else made


def _unit(setting: Setting) -> Unit | None:
    if isinstance(setting.value, bool) or not isinstance(setting.value, int | float):
        return None
    return next((_UNITS[word] for word in setting.key.split("_") if word in _UNITS), None)
