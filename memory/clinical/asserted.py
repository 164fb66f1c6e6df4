"""How much a message sounds as if it told nothing of its speaker: a relative's disease, a question, a joke, a plan.

Rules decide word by word; this weighs the whole message. A logistic regression over runs of words and of characters of
the sketch, in which words of medicine are letters of their families, so that it learns how things are told and not
which diseases there are. Trained on sentences of many authors, by `python -m benchmarks.triage.train`; it decides
nothing alone: a firm finding in a message that sounds like none becomes possible, a possible one in a message that
sounds like a report becomes firm.
"""

import math
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Final

from memory.clinical.learnt import log_odds, weights_of
from memory.clinical.sketch import LETTERS

WEIGHTS: Final = Path(__file__).parent.parent / "language" / "words" / "asserted.tsv"
TOLD: Final = 0.2
"""Below it a message tells of its speaker."""
UNTOLD: Final = 0.55
"""Above it it does not."""
UNTOLD_OF_ONESELF: Final = 0.85
"""Above it it does not, though a finding's own clause names its speaker and nobody else."""
CHARS: Final = 3
_FAMILIES: Final = {ord(letter): family for family, letter in LETTERS.items()}
_SPACE: Final = re.compile(r"\s+")
_DIGIT: Final = re.compile(r"\d")
_TOKEN: Final = re.compile(r"[A-Z]|[a-z']+|[\u4e00-\u9fff]|0+|[?？!！。,，:：()（）\"“”]")


def runs(drawn: str) -> set[str]:
    """The runs of up to three words (after W) and of three characters of a sketch, digits as 0. Linear in it.

    No sketch has a W, and no family.
    """
    text = _lettered(drawn)
    found = _word_runs(_TOKEN.findall(text))
    text = f"^{text}$"
    found.update([text[at : at + CHARS] for at in range(len(text) - CHARS + 1)])
    return found


def word_runs(drawn: str) -> set[str]:
    """Those of words alone."""
    return _word_runs(drawn_words(drawn))


def _word_runs(words: list[str]) -> set[str]:
    words = ["^", *words, "$"]
    found = {f"W {one}" for one in words}
    found.update([f"W {one} {two}" for one, two in pairwise(words)])
    found.update([f"W {one} {two} {three}" for one, two, three in zip(words, words[1:], words[2:], strict=False)])
    return found


def drawn_words(drawn: str) -> list[str]:
    """The words of a part of a sketch, as `runs` has them."""
    return _TOKEN.findall(_lettered(drawn))


def _lettered(drawn: str) -> str:
    return _DIGIT.sub("0", _SPACE.sub(" ", drawn.translate(_FAMILIES)))


def doubt(found: Iterable[str]) -> float:
    """How likely the message with these runs tells nothing of its speaker, from 0 to 1.

    About a half where nothing of it was learnt.
    """
    return 1 / (1 + math.exp(-log_odds(weights_of(WEIGHTS), found)))
