"""Trains what tells a report from what only sounds like one (memory/clinical/asserted.py), on the sentences here.

Logistic regression with a ridge: of all runs that stand in three sentences at least, those that say most, weighed anew.
What is frozen or in HELD_OUT is never learnt from.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.triage.safety import sentences
from benchmarks.triage.sets import read_set
from benchmarks.triage.stories import stories
from memory.clinical.asserted import BIAS, WEIGHTS, runs
from memory.clinical.safety import drawn_of
from memory.clinical.sketch import Sketch

HELD_OUT: Final = frozenset(
    {
        "safety_frozen",
        "safety_author_6",
        "safety_author_13",
        "safety_author_14",
        "safety_author_15",
        "safety_author_19",
        "safety_author_20",
        "safety_author_21",
        "safety_author_22",
        "safety_author_23",
        "safety_author_27",
        "safety_author_28",
        "stories_frozen",
        "stories_author_3",
        "stories_author_6",
        "stories_author_8",
        "stories_author_14",
        "stories_author_17",
        "stories_author_26",
        "stories_author_27",
        "stories_author_28",
        "stories_author_29",
    }
)
PLAIN: Final = Path(__file__).with_name("asserted_plain.jsonl")
"""Authors do not write what is obvious: plain statements with plain questions, and what only sounds like them."""
_STAND_IN_MIN: Final = 3
_KEPT: Final = 8_000
_RIDGE: Final = 1 / 8
_STEPS: Final = 2_000
_POWER_STEPS: Final = 30
_HEAD: Final = """\
# Runs of words (after W) and of characters with what each says: above 0 that a message tells nothing of its speaker.
# Families of words of medicine are capital letters, digits are 0. Made by `python -m benchmarks.triage.train`.
"""

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


class Example(NamedTuple):
    """A message as it is drawn, and whether it tells nothing of its speaker."""

    drawn: str
    untold: bool


def learnt_from() -> list[Example]:
    """The sentences of all sets beside this file but those that are held out, and what patients say in stories.

    Those speak of themselves, at length and with questions: without them a long question sounds like no report.
    """
    said = [Example(drawn_of(each.text).drawn, each.trap) for file in _files("safety") for each in sentences(file)]
    told = (
        drawn_of(message["text"])
        for file in _files("stories")
        for story in stories(file)
        for session in story.sessions
        for message in session
        if message["role"] == "user"
    )
    own = [Example(each.drawn, untold=False) for each in told if _names_disease(each)]
    plain = read_set(PLAIN, lambda each: Example(drawn_of(each["text"]).drawn, each["untold"]))
    return said + own + plain


def _files(part: str) -> list[Path]:
    found = sorted(Path(__file__).parent.glob(f"{part}_*.jsonl"))
    return [file for file in found if file.stem not in HELD_OUT]


def _names_disease(sketch: Sketch) -> bool:
    return any(group.letter in "DO" for group in sketch.groups.values())


class Rows:
    """Which of some runs stand in each sentence; a row has the length 1."""

    def __init__(self, found: Sequence[set[str]], columns: Sequence[str]) -> None:
        place = {run: number for number, run in enumerate(columns)}
        rows = [[place[run] for run in each if run in place] for each in found]
        sizes = [len(row) for row in rows]
        self.count, self.width = len(rows), len(columns)
        self._row: Places = np.repeat(np.arange(len(rows)), sizes)
        self._column: Places = np.array([column for row in rows for column in row], dtype=np.int64)
        self._value: Numbers = 1 / np.sqrt(np.repeat(np.maximum(sizes, 1), sizes))

    def times(self, weights: Numbers) -> Numbers:
        """A number for each row."""
        return np.bincount(self._row, weights[self._column] * self._value, self.count).astype(np.float64)

    def gathered(self, numbers: Numbers) -> Numbers:
        """A number for each column."""
        return np.bincount(self._column, numbers[self._row] * self._value, self.width).astype(np.float64)


def fitted(rows: Rows, untold: Numbers) -> tuple[Numbers, float]:
    """Weights and bias by accelerated gradient descent (Nesterov 1983), its step from the largest curvature."""
    probe = np.ones(rows.width)
    for _ in range(_POWER_STEPS):
        probe = rows.gathered(rows.times(probe / np.linalg.norm(probe)))
    step = 1 / (0.25 * (float(np.linalg.norm(probe)) + rows.count) + _RIDGE)
    at = ahead = np.zeros(rows.width + 1)
    for number in range(_STEPS):
        score = rows.times(ahead[:-1]) + ahead[-1]
        wrong = 1 / (1 + np.exp(-score)) - untold
        slope = np.append(rows.gathered(wrong) + _RIDGE * ahead[:-1], wrong.sum())
        before, at = at, ahead - step * slope
        ahead = at + number / (number + 3) * (at - before)
    return at[:-1], float(at[-1])


def trained(material: Sequence[Example]) -> dict[str, float]:
    """The weights of the runs that say most, and of `BIAS`."""
    found = [runs(each.drawn) for each in material]
    untold = np.array([float(each.untold) for each in material])
    counted = Counter(run for each in found for run in each)
    columns = sorted(run for run, number in counted.items() if number >= _STAND_IN_MIN)
    weights, _ = fitted(Rows(found, columns), untold)
    kept = sorted(columns[place] for place in np.argsort(-np.abs(weights), kind="stable")[:_KEPT])
    weights, bias = fitted(Rows(found, kept), untold)
    return {BIAS: bias} | dict(zip(kept, weights.tolist(), strict=True))


def written(weights: dict[str, float]) -> str:
    """The file of the weights."""
    return _HEAD + "".join(f"{run}\t{weight:.3f}\n" for run, weight in weights.items())


def main() -> int:
    """Train and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.triage.train", description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS, help=f"the file to write ({WEIGHTS.name})")
    asked = parser.parse_args()
    material = learnt_from()
    asked.out.write_text(written(trained(material)), encoding="utf-8")
    untold = sum(each.untold for each in material)
    print(f"{len(material)} messages, {untold} of which tell nothing of their speaker")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
