"""Chinese text for the load, drawn from a seed: of real length and compressibility, never the same twice.

Every character is three bytes of UTF-8, so that a text of n characters has 3n bytes and a request whose texts
change keeps its Content-Length.
"""

import functools
import itertools
import random
from pathlib import Path

BYTES_PER_CHARACTER = 3
CORPUS_CHARACTERS = 600_000

# Commonest first: the generator draws them by rank.
WORDS = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split()
MARKS = ("，", "，", "，", "。", "。", "？", "、", "！")


@functools.cache
def common_characters() -> tuple[str, ...]:
    """The 3,755 common characters of GB 2312, level 1: what names, places and rarer words are made of."""
    rows = itertools.product(range(0xB0, 0xD8), range(0xA1, 0xFF))
    return tuple(filter(None, (bytes(pair).decode("gb2312", "ignore") for pair in rows)))


def _clause(rng: random.Random, weights: list[float]) -> str:
    words = rng.choices(WORDS, cum_weights=weights, k=rng.randint(2, 5))
    rare = rng.choices(common_characters(), k=rng.choice((0, 1, 2, 3)))
    words.insert(rng.randrange(len(words) + 1), "".join(rare))
    return "".join(words) + rng.choice(MARKS)


@functools.lru_cache(maxsize=2)
def corpus(seed: int) -> bytes:
    """`CORPUS_CHARACTERS` characters of text as UTF-8; the same for the same seed."""
    rng = random.Random(f"corpus:{seed}")
    weights = list(itertools.accumulate(1 / (8 + place) for place in range(len(WORDS))))
    text, length = [], 0
    while length < CORPUS_CHARACTERS:
        text.append(_clause(rng, weights))
        length += len(text[-1])
    return "".join(text)[:CORPUS_CHARACTERS].encode()


class Texts:
    """Draws texts of a given length; two drawers of the same seed and name draw the same."""

    def __init__(self, seed: int, name: str) -> None:
        self._corpus = corpus(seed)
        self._draw = random.Random(f"{seed}:{name}").random

    def take(self, characters: int) -> bytes:
        """A text of exactly so many characters, as UTF-8, safe inside a JSON string without escapes."""
        start = int(self._draw() * (CORPUS_CHARACTERS - characters)) * BYTES_PER_CHARACTER
        return self._corpus[start : start + characters * BYTES_PER_CHARACTER]
