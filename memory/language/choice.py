"""Which language somebody speaks: for the labels and sentences that stand around their words."""

import re
from collections.abc import Iterable
from typing import Final

AUTO: Final = "auto"
"""The locale that follows what is said."""
LANGUAGES: Final = ("zh", "en")
UNSHOWN: Final = "zh"
"""Where nothing that was said shows a language: the labels are the original's."""

_READ_CHARS_MAX: Final = 200
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_WORDS_MIN: Final = 2
_HAN_PER_WORD: Final = 2


def language_of(text: str) -> str:
    """The language, zh or en; empty where the beginning of a text shows neither: figures, a name, "OK".

    A Chinese sentence may name an English thing (CT, COPD), and the other way round: two Han letters weigh as much as
    a word.
    """
    said = text[:_READ_CHARS_MAX]
    words = len(_WORD.findall(said))
    han = 0 if said.isascii() else len(_HAN.findall(said))
    if han and han >= _HAN_PER_WORD * words:
        return "zh"
    return "en" if words >= _WORDS_MIN else ""


def has_han(text: str) -> bool:
    """Whether a text has any Chinese."""
    return _HAN.search(text) is not None


def first_language(texts: Iterable[str]) -> str:
    """The language of the first text that shows one; empty when none does."""
    return next(filter(None, map(language_of, texts)), "")


class Listener:
    """A locale for words that come one after the other: `locale` itself, or by AUTO that of the first that show one."""

    def __init__(self, locale: str) -> None:
        self._locale = "" if locale == AUTO else locale

    @property
    def locale(self) -> str:
        """By what was heard so far. Always one of LANGUAGES."""
        return self._locale or UNSHOWN

    def hear(self, text: str) -> None:
        """The next words; they count where none before them showed a language."""
        self._locale = self._locale or language_of(text)


def spoken(locale: str, texts: Iterable[str]) -> str:
    """The locale to speak in among these texts: `locale` itself, unless it is AUTO. Always one of LANGUAGES then."""
    return locale if locale != AUTO else first_language(texts) or UNSHOWN
