"""The identifiers of one dialogue: what was told once with its cue is known wherever else it stands.

"我叫李雷" says that 李雷 is a name; "李雷的血压" a turn later does not, and is found all the same.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from memory.privacy.identifiers import IdentifierSpan, find_identifiers
from memory.privacy.marks import is_mark, without_marks

New = Callable[[str, str], str]
"""What stands for (kind, value) from now on."""
_NAME_CHARS_MIN: Final = 2
_VALUE_CHARS_MIN: Final = 5
_FRAGMENT_CHARS_MIN: Final = 3
_ALNUM: Final = re.compile(r"[0-9A-Za-z]")


class Known:
    """Finds identifiers of some kinds in the texts of one dialogue. Marks are no identifiers."""

    def __init__(self, kinds: Collection[str]) -> None:
        self._kinds = frozenset(kinds)
        self._values: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def learn(self, text: str) -> None:
        """Know what this text tells, in every text."""
        for span in self._found(text):
            value = text[span.start : span.end]
            if _spreads(value, span.kind):
                self._add(value, span.kind)

    def learn_name(self, name: str) -> None:
        """Know somebody by the name that a caller gave."""
        if "name" in self._kinds and len(name) >= _NAME_CHARS_MIN and not is_mark(name):
            self._add(name, "name")

    def with_fragments(self, fragments: Iterable[tuple[str, str]]) -> "Known":
        """One that knows these (value, kind) too: what a cut has left of identifiers."""
        more = Known(self._kinds)
        more._values = self._values | {v: kind for v, kind in fragments if len(v) >= _FRAGMENT_CHARS_MIN}
        return more

    def spans(self, text: str) -> list[IdentifierSpan]:
        """Where the text has one, left to right, none over another."""
        found = self._found(text)
        if not self._values:
            return found
        taken = bytearray(len(text))
        for span in found:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
        for match in self._again().finditer(without_marks(text)):
            if taken.find(1, *match.span()) < 0:
                found.append(IdentifierSpan(*match.span(), self._values[match[0]]))
        found.sort()
        return found

    def _found(self, text: str) -> list[IdentifierSpan]:
        return [span for span in find_identifiers(without_marks(text)) if span.kind in self._kinds]

    def _add(self, value: str, kind: str) -> None:
        if value not in self._values:
            self._values[value] = kind
            self._pattern = None

    def _again(self) -> re.Pattern[str]:
        if self._pattern is None:
            longest_first = sorted(self._values, key=lambda value: (-len(value), value))
            self._pattern = re.compile("|".join(map(_whole, longest_first)))
        return self._pattern


def rewritten(text: str, spans: Sequence[IdentifierSpan], new: New) -> str:
    """The text with each span replaced."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], new(span.kind, text[span.start : span.end])]
        at = span.end
    return "".join((*parts, text[at:]))


def _spreads(value: str, kind: str) -> bool:
    """Whether a value is one wherever it stands: a birthday is also the day of an appointment."""
    return kind != "birth" and len(value) >= (_NAME_CHARS_MIN if kind == "name" else _VALUE_CHARS_MIN)


def _whole(value: str) -> str:
    """A pattern of the value that is no part of a longer number or word."""
    before = "(?<![0-9A-Za-z])" if _ALNUM.match(value[0]) else ""
    after = "(?![0-9A-Za-z])" if _ALNUM.match(value[-1]) else ""
    return before + re.escape(value) + after
