"""Which memories answers rest on, by rules: precision and recall on labelled pairs.

A line of the file is {"id", "language", "memory", "question", "answer", "used", "why"}. `used_author_1.jsonl` was
written and labelled on 2026-11-25 by a run of a language model that had read no code, from nothing but a brief; nobody
checked the labels again. It was met once before anything was made fit for it: docs/decisions/0044 has the figures.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from memory.model.extraction import Said
from memory.retrieval.used import answers_of, rests_on

FROZEN: Final = Path(__file__).with_name("used_author_1.jsonl")
_LANGUAGES: Final = ("zh", "en")


def read(path: Path) -> list[dict[str, Any]]:
    """The pairs of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def judged(pair: dict[str, Any]) -> bool:
    """Whether the rules say that the answer rests on the memory."""
    asked = Said(1, "user", own=True, text=pair["question"], at_ms=1)
    answered = Said(2, "agent", own=False, text=pair["answer"], at_ms=2)
    return any(rests_on(answer, pair["memory"]) for answer in answers_of((asked, answered)))


def counts_of(pairs: Sequence[dict[str, Any]]) -> Counter[tuple[bool, bool]]:
    """How many pairs were labelled and judged so."""
    return Counter((pair["used"], judged(pair)) for pair in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curation", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FROZEN, help="labelled pairs (the frozen ones)")
    parser.add_argument("--show", action="store_true", help="name the pairs that were judged wrongly")
    asked = parser.parse_args()
    pairs, console = read(asked.file), Console()
    table = Table("", "pairs", "precision", "recall")
    for name in (*_LANGUAGES, ""):
        some = [pair for pair in pairs if name in ("", pair["language"])]
        counts = counts_of(some)
        right, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
        shares = (right / max(1, right + wrong), right / max(1, right + missed))
        table.add_row(name or "both", str(len(some)), *(f"{share:.2f}" for share in shares))
    console.print(table)
    for pair in pairs if asked.show else ():
        if judged(pair) != pair["used"]:
            console.print(f"{pair['used']}: {pair['memory']} | {pair['question']} | {pair['answer']} ({pair['why']})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
