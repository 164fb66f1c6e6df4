"""What models write where a tool asks for a value, as the value that is meant: "0.8", " EVENT ", "", {"day": "Monday"}.

Only what can mean one thing is read so; anything else stays as it is, and is refused by the name of its field.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BeforeValidator

_DEPTH_MAX: Final = 3
_SAYS_NO_MORE: Final = frozenset(
    {
        "value",
        "text",
        "description",
        "name",
        "when",
        "date",
        "day",
        "time",
        "值",
        "描述",
        "内容",
        "日期",
        "时间",
        "名称",
        "人",
    }
)
"""Keys that say nothing of their value."""
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def unless_null(default: Any) -> BeforeValidator:
    """Null and a blank text stand for a field that is left out: models that must fill every field send them."""
    return BeforeValidator(lambda value: default if is_blank(value) else value)


def is_blank(value: Any) -> bool:
    """Whether nothing is said by it."""
    return value is None or value in ([], {}) or (isinstance(value, str) and not value.strip())


def none_if_blank(value: Any) -> Any:
    """A text that says nothing is no text."""
    return None if is_blank(value) else value


def folded(text: str) -> str:
    """A name of a choice without what does not count: "Based on" is based_on."""
    return text.strip().lower().replace(" ", "_").replace("-", "_")


def number(value: Any) -> Any:
    """A number that came as text."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def whole(value: Any) -> Any:
    """A whole number that came as text, or with a fraction of nothing."""
    made = number(value)
    return int(made) if isinstance(made, float) and made.is_integer() else value


def several(value: Any) -> Any:
    """One choice where several may stand; none for a blank."""
    if isinstance(value, str):
        value = [value]
    return [each for each in value if not is_blank(each)] or None if isinstance(value, list) else value


def stretch(value: Any) -> Any:
    """A stretch of time that is said in one word, or says nothing."""
    if isinstance(value, str):
        return None if is_blank(value) else {"start": value, "end": value}
    if isinstance(value, Mapping) and value.keys() <= {"start", "end"} and all(map(is_blank, value.values())):
        return None  # with another field it is refused by the name of that
    return {key: none_if_blank(each) for key, each in value.items()} if isinstance(value, Mapping) else value


def mapping(value: Any) -> Any:
    """An object that came as its JSON text; none for a blank."""
    if not isinstance(value, str):
        return value
    if is_blank(value):
        return None
    try:
        made = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return made if isinstance(made, dict) else value


def text(value: Any, depth: int = 0) -> Any:
    """A number, a list or an object as words; what is nested too deep stays as it is."""
    if isinstance(value, bool | int | float):
        return str(value).lower()
    if depth == _DEPTH_MAX:
        return value
    if isinstance(value, list):
        return _joined([text(each, depth + 1) for each in value if not is_blank(each)], value, "、", ", ")
    if not isinstance(value, Mapping):
        return value
    said = {key: text(part, depth + 1) for key, part in value.items() if not is_blank(part)}
    if len(said) == 1 and str(next(iter(said))).lower() in _SAYS_NO_MORE:
        return next(iter(said.values()))
    sign = "：" if _HAN.search(f"{said}") else ": "
    return _joined([f"{key}{sign}{part}" if isinstance(part, str) else part for key, part in said.items()], value)


def _joined(parts: list[Any], otherwise: Any, chinese: str = "，", other: str = ", ") -> Any:
    if not all(isinstance(part, str) for part in parts):
        return otherwise
    return (chinese if any(map(_HAN.search, parts)) else other).join(parts)
