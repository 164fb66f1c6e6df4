"""The languages in which health is read, and their words: those that come with the gateway, and what a deployment adds.

Every reader asks `in_use()`. It is set once, before anything is read: by the composition root, or by a test.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from memory.clinical.corrections.en import EN as CORRECTIONS_EN
from memory.clinical.corrections.grammar import CorrectionGrammar
from memory.clinical.corrections.zh import ZH as CORRECTIONS_ZH
from memory.clinical.en import EN
from memory.clinical.grammar import Grammar
from memory.clinical.health.en import EN as HEALTH_EN
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.zh import ZH as HEALTH_ZH
from memory.clinical.lexicon import FOLDER, KINDS, Lexicon, Term, read
from memory.clinical.zh import ZH
from memory.errors import InvalidInput


class Language(NamedTuple):
    """One language: its name, which is that of its folder of words, and what it has to say for each reader."""

    name: str
    grammar: Grammar
    health: HealthGrammar
    corrections: CorrectionGrammar


OWN: Final = (Language("zh", ZH, HEALTH_ZH, CORRECTIONS_ZH), Language("en", EN, HEALTH_EN, CORRECTIONS_EN))
"""Those that come with the gateway."""


class Languages:
    """Languages with the words of all of them, found in one walk over a text."""

    def __init__(self, languages: Sequence[Language], folders: Sequence[Path]) -> None:
        self.all = tuple(languages)
        self.grammars = tuple(language.grammar for language in languages)
        self.healths = tuple(language.health for language in languages)
        self.lexicon = Lexicon(entry for folder in folders for entry in _words(self.all, folder))


def _words(languages: Sequence[Language], folder: Path) -> Iterator[tuple[str, Term]]:
    for language in languages:
        yield from read(folder / language.name)


@cache
def _own() -> Languages:
    return Languages(OWN, (FOLDER,))


class _InUse:
    languages: Languages | None = None


def in_use() -> Languages:
    """What is read now; what comes with the gateway, unless `use` was called. Made once."""
    if _InUse.languages is None:
        _InUse.languages = _own()
    return _InUse.languages


def use(languages: Sequence[Language] = OWN, more: Path | None = None) -> None:
    """Read these languages from now on, with the words of a folder of one's own before those of the gateway.

    `more` holds a folder for each language, with files as ours: `zh/drug.txt`. Raises InvalidInput where there is none,
    and for a file or a line that is none.
    """
    if more is not None:
        _require_words(languages, more)
    folders = (FOLDER,) if more is None else (more, FOLDER)
    is_own = folders == (FOLDER,) and tuple(languages) == OWN
    _InUse.languages = _own() if is_own else Languages(languages, folders)


def _require_words(languages: Sequence[Language], folder: Path) -> None:
    files = [file for language in languages for file in sorted((folder / language.name).glob("*.txt"))]
    if not files:
        names = " or ".join(language.name for language in languages)
        raise InvalidInput(f"{folder}: no words of medicine there; it needs a folder {names} with files as disease.txt")
    for file in files:
        if file.stem not in KINDS:
            raise InvalidInput(f"{file}: no kind of words; there are {', '.join(KINDS)}")
