"""Words of medicine with one letter wrong: asthama, penicilin. Only long words, which nothing else is spelt like.

One deletion on either side finds all words at one insertion, deletion, replacement or exchange of neighbours (SymSpell,
W. Garbe 2012), so looking up costs what the word is long and not what the lexicon is.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

TYPED_MIN: Final = 7
_TERM_MIN: Final = 6
_KNOWN_MAX: Final = 50_000


class TypingErrors:
    """Looks up mistyped words, each once: people use few.

    `names`: of each that is spelt right what it stands for; `others`: no typing errors.
    """

    def __init__(self, names: Mapping[str, str], others: Collection[str] = ()) -> None:
        long = [word for word in names if len(word) >= _TERM_MIN and word.isascii() and word.isalpha()]
        self._names = names
        self._right: Final = frozenset((*long, *others))
        self._by_part: Mapping[str, list[str]] = _index(long)
        self.meant: Callable[[str], str] = lru_cache(_KNOWN_MAX)(self._meant)

    def _meant(self, typed: str) -> str:
        """The word that it is one error from; empty for none, for what is spelt right, and for different things."""
        if len(typed) < TYPED_MIN or not self._right.isdisjoint((typed, typed.removesuffix("s"), f"{typed}s")):
            return ""
        near = {
            word
            for part in (typed, *_parts(typed))
            for word in self._by_part.get(part, ())
            if word[0] == typed[0] and _is_one_error(typed, word)
        }
        return min(near) if len({self._names[word] for word in near}) == 1 else ""


def _index(words: Iterable[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for word in words:
        for part in {word, *_parts(word)}:
            index.setdefault(part, []).append(word)
    return index


def _parts(word: str) -> Iterator[str]:
    """The word without one of its letters."""
    return (word[:place] + word[place + 1 :] for place in range(len(word)))


def _is_one_error(typed: str, word: str) -> bool:
    """Whether one letter is missing, too many or another, or two neighbours are exchanged."""
    if typed == word or abs(len(typed) - len(word)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(typed, word, strict=False)) if a != b), min(len(typed), len(word)))
    a, b = typed[start:], word[start:]
    if len(typed) != len(word):
        return a[1:] == b if len(typed) > len(word) else a == b[1:]
    return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
