"""Learns from labelled dialogues how a correction sounds (memory/clinical/corrections/heard.py)."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.triage.ordinary import ordinary
from benchmarks.triage.regression import weighed
from benchmarks.triage.sets import read_set
from memory.clinical.asserted import runs
from memory.clinical.drawing import drawn_of

FILES: Final = sorted(Path(__file__).parent.glob("corrections_author*.jsonl"))
HELD_OUT: Final = frozenset({"corrections_author9"})
PLAIN: Final = Path(__file__).with_name("correcting_plain.jsonl")
"""Authors do not write what is obvious: what only adds to what was said, news, and what is borne."""
_KEPT: Final = 3_000


def dialogues(file: Path) -> list[dict[str, Any]]:
    """What is labelled in a file: corrections.py says how."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def weights(files: Sequence[Path], nothing: Sequence[Path]) -> dict[str, float]:
    """By run what it says. `nothing`: of ordinary messages, which correct nothing."""
    material = [said for file in files for each in dialogues(file) for said in _turns(each)]
    material += [(text, False) for text in read_set(PLAIN, lambda each: each["text"])]
    material += [(each.text, False) for file in nothing for each in ordinary(file)]
    drawn = [runs(drawn_of(text).drawn) for text, _ in material]
    return weighed(drawn, [corrects for _, corrects in material], _KEPT)


def learnt_from() -> list[Path]:
    """The files that are."""
    return [file for file in FILES if file.stem not in HELD_OUT]


def _turns(case: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """What the user said, and whether it corrects: the first that names what is right, else the last, does."""
    said = [turn["user"] for turn in case["turns"]]
    right = case.get("right", "").lower()
    at = next((number for number, text in enumerate(said) if right in text.lower()), len(said) - 1)
    for number, text in enumerate(said):
        yield text, bool(right) and number == at
