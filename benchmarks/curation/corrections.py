"""Corrections of what patients said of their health: what is right is shown, what only looks like one changes nothing.

A line of a file is {"id", "lang", "turns": [{"user", "assistant"}], "kind"} with {"wrong", "right"} where something is
taken back, and {"stays", "not_new"} where nothing is. `corrections_author*.jsonl` were written on 2026-11-25, the
fifth on 2026-11-27, the sixth to the ninth on 2026-12-01, by nine runs of a language model, each with nothing but a
brief: none had read code or another's file. Each was met once before anything was changed for what it showed:
docs/decisions/0045 has those figures. Read without a model, message by message, as a gateway reads them when they are
written. How a correction sounds was learnt from all but the ninth: `--unlearnt` judges each author by what was learnt
from the others.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from benchmarks.curation.correcting import FILES, dialogues, learnt_from
from benchmarks.triage import train
from memory.clinical.corrections import heard
from memory.clinical.corrections.held import Held, before, held_of, put_right
from memory.clinical.corrections.reading import corrections
from memory.clinical.findings import Finding
from memory.clinical.learnt import BIAS
from memory.clinical.safety import read_safety

_COLUMNS: Final = ("corrections", "right", "right or possible", "denied", "nothing taken back", "changed", "asked")


class Reading(NamedTuple):
    """What is held after a dialogue, and what of it corrections have brought."""

    held: Sequence[Held]
    put_right: Sequence[Finding]


def read(turns: Iterable[dict[str, str]], *, alone: bool = False) -> Reading:
    """A dialogue as it is written. `alone`: without reading corrections."""
    held, brought, asked = list[Held](), list[Finding](), ""
    for turn in turns:
        found = read_safety(turn["user"], asked)
        right = [] if alone else put_right(corrections(turn["user"]), [*held, *held_of(found)])
        held = before([*held, *held_of([*found, *right])])
        brought += right
        asked = turn["assistant"]
    return Reading(held, brought)


def judged(case: dict[str, Any], reading: Reading) -> list[str]:
    """What is so of a case, by the names of the columns."""
    firm = [each for each in reading.put_right if each.denied or not each.possible]
    if "right" not in case:
        asked = bool(reading.put_right) and not firm
        return ["nothing taken back", *(["changed"] if firm else ()), *(["asked"] if asked else ())]
    named = [each for each in reading.held if each.kind == case["kind"] and _same(each.text, case["right"])]
    sure = any(not each.possible for each in named)
    denied = any(each.denied for each in reading.put_right)
    words = {"right": sure, "right or possible": bool(named), "denied": denied}
    return ["corrections", *(word for word, is_so in words.items() if is_so)]


def _same(one: str, other: str) -> bool:
    return one.lower() in other.lower() or other.lower() in one.lower()


@contextmanager
def _by(files: Sequence[Path]) -> Iterator[None]:
    """What sounds like a correction, learnt from these alone; from none nothing does."""
    with TemporaryDirectory() as folder:
        learnt = Path(folder, "correcting.tsv")
        train.write(learnt, "", train.corrections_heard(files) if files else {BIAS: -math.inf})
        with patch.object(heard, "WEIGHTS", learnt):
            yield


def counted(file: Path, *, alone: bool = False) -> Counter[tuple[str, str]]:
    """How many of a file's dialogues are so, by language and column."""
    return Counter(
        (case["lang"], word) for case in dialogues(file) for word in judged(case, read(case["turns"], alone=alone))
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curation.corrections", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=FILES, help="labelled dialogues (all that are here)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--alone", action="store_true", help="without reading corrections: the baseline")
    how.add_argument("--rules", action="store_true", help="by rules alone, whatever a message sounds like")
    how.add_argument("--unlearnt", action="store_true", help="each by what was learnt from the others")
    asked = parser.parse_args()
    table, total = Table("", *_COLUMNS), Counter[tuple[str, str]]()
    for file in asked.files:
        if asked.rules or asked.unlearnt:
            others = [each for each in learnt_from() if each.name != file.name and not asked.rules]
            with _by(others):
                counts = counted(file)
        else:
            counts = counted(file, alone=asked.alone)
        total += counts
        for language in ("zh", "en"):
            table.add_row(f"{file.stem} {language}", *(str(counts[language, column]) for column in _COLUMNS))
    table.add_row("all", *(str(total["zh", column] + total["en", column]) for column in _COLUMNS))
    Console(width=160).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
