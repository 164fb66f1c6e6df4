"""Weights of runs of words that were learnt, in files that can be read and compared; a line each.

Made by `python -m benchmarks.triage.train`.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

BIAS: Final = ""
"""The run that every message has."""


@cache
def weights_of(file: Path) -> Mapping[str, float]:
    """What each run says, by a file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = (line.rsplit("\t", 1) for line in lines if not line.startswith("#"))
    return {run: float(weight) for run, weight in rows}


def log_odds(weights: Mapping[str, float], found: Iterable[str]) -> float:
    """What a message with these runs adds up to; runs that were not learnt say nothing."""
    known = [weight for weight in map(weights.get, found) if weight is not None]
    return weights[BIAS] + math.fsum(known) / math.sqrt(len(known) or 1)
