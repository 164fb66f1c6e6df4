"""How much a message sounds as if its speaker put something right that was said of their health.

A logistic regression over runs of words and characters of the sketch, as `asserted.py` has one: words of medicine are
letters of their families, so that it learns how people correct themselves and not what. Trained on dialogues of many
authors by `python -m benchmarks.triage.train`; docs/decisions/0045 has what each author's dialogues gave by the weights
of the others.
"""

from pathlib import Path
from typing import Final

from memory.clinical.asserted import runs
from memory.clinical.learnt import log_odds, weights_of

WEIGHTS: Final = Path(__file__).parents[2] / "language" / "words" / "correcting.tsv"
LIKELY: Final = -0.5
"""From here it is one where it names what was held."""
SURE: Final = 0.5
"""From here it is one also where it names only what is right."""

CLEAR: Final = 2.0
"""From here it is one whatever else is spoken of beside it."""


def heard(drawn: str) -> float:
    """Log odds that the message of which this is the sketch corrects something. Linear in it."""
    return log_odds(weights_of(WEIGHTS), runs(drawn))
