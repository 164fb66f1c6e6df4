"""Of whom the last messages of conversations are, as far as a write needs it at once.

When a session becomes memory all of it is read (memory/extraction/facts/clinical.py). Here a message that names no
relative is only looked at for words of medicine, and one that does is read for safety, once by each process.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from memory.clinical.findings import SYMPTOM, Finding
from memory.clinical.safety import read_safety
from memory.clinical.spoken import Spoken, names_a_relative, spoken_of
from memory.model.session import Message, Role
from memory.service.remembering import Remembering

_CHARS_MAX: Final = 500
"""Of a message that are read."""
_REMEMBERED_MAX: Final = 4_096
"""Messages: some 2 MB."""

_Told = tuple[tuple[str, str], ...]
"""Kinds of what is told, and of whom."""


class Hearing:
    """Remembers by a digest whether messages name relatives, and of whom they tell: no word of a message stays here."""

    def __init__(self) -> None:
        self._names: Remembering[bytes, bool] = Remembering(_REMEMBERED_MAX)
        self._told: Remembering[bytes, tuple[Finding, ...]] = Remembering(_REMEMBERED_MAX)
        self._read: Remembering[bytes, _Told] = Remembering(_REMEMBERED_MAX)

    def read_safety(self, text: str, question: str, about: str) -> Sequence[Finding]:
        """What a message says for safety. Of whom it tells is not read again when the next message needs it."""
        found = read_safety(text, question, about)
        if max(len(text), len(question)) <= _CHARS_MAX:
            self._read.of(_digest(text, question, about), lambda: _told_in(found))
        return found

    def spoken(self, lately: Sequence[Message]) -> Spoken:
        """Of whom the last messages of a conversation were."""
        own = [
            (each.content[:_CHARS_MAX], before.content[:_CHARS_MAX] if before and before.role is Role.ASSISTANT else "")
            for before, each in zip([None, *lately], lately, strict=False)
            if each.role is Role.USER and not each.name
        ]
        spoken = Spoken()
        if any(self.names_a_relative(text) for text, _ in own):
            for text, question in own:
                self.hear(spoken, text, question)
        return spoken

    def hear(self, spoken: Spoken, text: str, question: str) -> None:
        """Take in one message and what it answers."""
        about = spoken.about(question)
        spoken.hear(text, self._told_of(text, question, about), question)

    def names_a_relative(self, text: str) -> bool:
        """Whether a message speaks of one by any word for them."""
        return self._names.of(_digest(text), lambda: names_a_relative(text))

    def _told_of(self, text: str, question: str, about: str) -> tuple[Finding, ...]:
        """Of whom something is told, and what kind of thing."""
        return self._told.of(_digest(text, question, about), lambda: self._all_told(text, question, about))

    def _all_told(self, text: str, question: str, about: str) -> tuple[Finding, ...]:
        told = tuple(spoken_of(text, about))
        if self.names_a_relative(text):
            digest = _digest(text, question, about)
            read = self._read.of(digest, lambda: _told_in(read_safety(text, question, about)))
            told = tuple(dict.fromkeys((*read, *(each for each in told if each[0] == SYMPTOM))))
        return tuple(Finding(kind, "", "", subject) for kind, subject in told)


def _told_in(found: Iterable[Finding]) -> _Told:
    return tuple((each.kind, each.subject) for each in found)


def _digest(*texts: str) -> bytes:
    return blake2b("\0".join(texts).encode(errors="surrogatepass"), digest_size=16).digest()
