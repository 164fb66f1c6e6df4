"""Corrections of what patients said of their health: what is right is shown, what only looks like one changes nothing.

A line of a file is {"id", "lang", "turns": [{"user", "assistant"}], "kind"} with {"wrong", "right"} where something is
taken back, and {"stays", "not_new"} where nothing is. `corrections_author*.jsonl` were written on 2026-11-25, the
fifth on 2026-11-27, by five runs of a language model, each with nothing but a brief: none had read code or another's
file. Each was met once before the rules were changed for what it showed: docs/decisions/0045 has those figures. Read by
the rules alone, message by message, as a gateway reads them when they are written.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.table import Table

from memory.clinical.corrections.reading import Held, before, corrections, held_of, put_right
from memory.clinical.findings import Finding
from memory.clinical.safety import read_safety

FILES: Final = sorted(Path(__file__).parent.glob("corrections_author*.jsonl"))


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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curation.corrections", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=FILES, help="labelled dialogues (all that are here)")
    parser.add_argument("--alone", action="store_true", help="without reading corrections: the baseline")
    asked = parser.parse_args()
    columns = ("corrections", "right", "right or possible", "denied", "nothing taken back", "changed", "asked")
    table = Table("", *columns)
    for file in asked.files:
        cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        counts = Counter(
            (case["lang"], word) for case in cases for word in judged(case, read(case["turns"], alone=asked.alone))
        )
        for language in ("zh", "en"):
            table.add_row(f"{file.stem} {language}", *(str(counts[language, column]) for column in columns))
    Console(width=160).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
