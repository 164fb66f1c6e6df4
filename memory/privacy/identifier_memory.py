"""The identifiers of one dialogue: what was told once with its cue is known wherever else it stands.

"我叫李雷" says that 李雷 is a name; "李雷的血压" a turn later does not, and is found all the same.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from memory.privacy.identifiers import IdentifierSpan, find_identifiers
from memory.privacy.placeholders import is_mark, without_marks

New = Callable[[str, str], str]
"""What stands for (kind, value) from now on."""
_NAME_CHARS_MIN: Final = 2
_VALUE_CHARS_MIN: Final = 5
_FRAGMENT_CHARS_MIN: Final = 3
_OPENING_CHARS: Final = 2
_WORD: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


class Known:
    """Finds identifiers of some kinds in the texts of one dialogue. Marks are no identifiers."""

    def __init__(self, kinds: Collection[str]) -> None:
        self._kinds = frozenset(kinds)
        self._values: dict[str, str] = {}
        self._lengths: dict[str, set[int]] = {}

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
        for value, kind in (*self._values.items(), *fragments):
            if kind == "name" or len(value) >= _FRAGMENT_CHARS_MIN:
                more._add(value, kind)
        return more

    def spans(self, text: str) -> list[IdentifierSpan]:
        """Where the text has one, left to right, none over another."""
        found = self._found(text)
        if not self._values:
            return found
        taken = bytearray(len(text))
        for span in found:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
        found += [span for span in self._again(without_marks(text)) if taken.find(1, span.start, span.end) < 0]
        found.sort()
        return found

    def _found(self, text: str) -> list[IdentifierSpan]:
        return [span for span in find_identifiers(without_marks(text)) if span.kind in self._kinds]

    def _add(self, value: str, kind: str) -> None:
        self._values.setdefault(value, kind)
        self._lengths.setdefault(value[:_OPENING_CHARS], set()).add(len(value))

    def _again(self, text: str) -> Iterator[IdentifierSpan]:
        """Where known values stand, the longest first; linear in the text however many are known."""
        at = 0
        while at < len(text):
            end = self._end_of_one(text, at)
            if end:
                yield IdentifierSpan(at, end, self._values[text[at:end]])
            at = end or at + 1

    def _end_of_one(self, text: str, at: int) -> int:
        """The end of the known value that stands here and is no part of a longer number or word; 0 for none."""
        for length in sorted(self._lengths.get(text[at : at + _OPENING_CHARS], ()), reverse=True):
            end = min(at + length, len(text))
            if text[at:end] in self._values and not (_joined(text, at) or _joined(text, end)):
                return end
        return 0


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


def _joined(text: str, at: int) -> bool:
    """Whether a number or a word goes on over this place."""
    return 0 < at < len(text) and text[at - 1] in _WORD and text[at] in _WORD
