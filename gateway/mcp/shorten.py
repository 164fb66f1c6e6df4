"""Answers that would flood an agent's context are shortened: what is left still fits the output schema."""

import json
from collections.abc import Iterator
from typing import Any, Final

_TEXT_CHARS_LEAST: Final = 200
_ITEMS_LEAST: Final = 2
_ITEMS_MOST: Final = 1024


def size_of(value: object) -> int:
    """Characters of its JSON."""
    return len(as_text(value))


def as_text(value: object) -> str:
    """Its JSON as an agent reads it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shortened(value: Any, chars_max: int) -> Any | None:
    """The value with its longest texts, then its longest lists, cut in their middle until it fits; None if it can't.

    The beginning and the end stay, because safety facts and summaries stand first and the latest turns last. A text
    says how much it lost; the cut is the mildest of those that are tried, each half of the one before.
    """
    for chars, items in _cuts(chars_max):
        tried = _cut(value, chars, items)
        if size_of(tried) <= chars_max:
            return tried
    return None


def _cuts(chars_max: int) -> Iterator[tuple[int, int | None]]:
    """Characters of a text and items of a list that stay (None: all), the mildest cut first."""
    chars = chars_max // 2
    while chars >= _TEXT_CHARS_LEAST:
        yield chars, None
        chars //= 2
    items = _ITEMS_MOST
    while items >= _ITEMS_LEAST:
        yield _TEXT_CHARS_LEAST, items
        items //= 2


def _cut(value: Any, chars: int, items: int | None) -> Any:
    if isinstance(value, str):
        return _cut_text(value, chars)
    if isinstance(value, dict):
        return {key: _cut(part, chars, items) for key, part in value.items()}
    if isinstance(value, list):
        kept = value if items is None or len(value) <= items else [*value[: items // 2], *value[-(items // 2) :]]
        return [_cut(part, chars, items) for part in kept]
    return value


def _cut_text(text: str, chars: int) -> str:
    if len(text) <= chars:
        return text
    half = chars // 2
    return f"{text[:half]} […{len(text) - 2 * half}…] {text[-half:]}"
