"""The JSON in what a model answers: after thoughts aloud, between words, in a fence, broken off."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_THOUGHTS: Final = ("<think>", "</think>")
_STARTS_MAX: Final = 200
"""Braces at which an object is looked for: words around it may have some."""
_DECODER: Final = json.JSONDecoder()
_SPACE: Final = re.compile(r"[\s,]*")


def items_of(content: str, names: Sequence[str]) -> tuple[dict[str, list[Any]], bool]:
    """The lists of an answer by name, those that it has; and whether it came to its end.

    Empty when it has none of them. Of several objects the last one counts that has any: what a model gives after its
    drafts. Lists may be wrapped in one more object. Of one that breaks off the items that are whole are read.
    """
    found: dict[str, list[Any]] = {}
    for value in objects_of(content):
        found = _lists(value, names) or found
    if found:
        return found, True
    return _broken_off(_without_thoughts(content), names), False


def objects_of(content: str) -> Iterator[Any]:
    """The objects of an answer that are whole, one after the other; none that stands within another one."""
    text = _without_thoughts(content)
    at = text.find("{")
    for _ in range(_STARTS_MAX):
        if at < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _without_thoughts(content: str) -> str:
    return content.rpartition(_THOUGHTS[1])[2] if content.lstrip().startswith(_THOUGHTS[0]) else content


def _lists(value: object, names: Sequence[str]) -> dict[str, list[Any]]:
    while isinstance(value, Mapping):
        found = {name: value[name] for name in names if isinstance(value.get(name), list)}
        inner = list(value.values())
        if found or len(inner) != 1:
            return found
        (value,) = inner
    return {}


def _broken_off(text: str, names: Sequence[str]) -> dict[str, list[Any]]:
    """The items that are whole, of the lists that have any."""
    found = {}
    for name in names:
        start = re.search(rf'"{name}"\s*:\s*\[', text)
        items = _items_from(text, start.end()) if start else []
        if items:
            found[name] = items
    return found


def _items_from(text: str, at: int) -> list[Any]:
    items: list[Any] = []
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if not text.startswith("{", at):
            return items
        try:
            item, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return items
        items.append(item)
