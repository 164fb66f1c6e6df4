"""Which memories answers rest on, by rules: precision and recall on labelled pairs.

A line of a file is {"id", "language", "memory", "question", "answer", "used", "why"}, or a group with "memories", each
{"text", "used", "why"}, instead of the memory. `used_author_1.jsonl` was written and labelled on 2026-11-25, the second
to the eighth on 2026-12-01, in groups of one person's memories of which at least one is near the topic and not used: by
eight runs of a language model that had read no code, from nothing but a brief; nobody checked the labels again. Each
was met once before anything was made fit for it: docs/decisions/0044 has the figures. The eighth is kept for what is
learnt from the others.
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

FILES: Final = sorted(Path(__file__).parent.glob("used_author_*.jsonl"))
_LANGUAGES: Final = ("zh", "en")


def read(path: Path) -> list[dict[str, Any]]:
    """The pairs of a file."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [pair for line in lines for pair in _pairs(line)]


def _pairs(line: dict[str, Any]) -> list[dict[str, Any]]:
    if "memories" not in line:
        return [line]
    return [line | {"memory": each["text"], "used": each["used"], "why": each["why"]} for each in line["memories"]]


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
    parser.add_argument("files", type=Path, nargs="*", default=FILES, help="labelled pairs (all that are here)")
    parser.add_argument("--show", action="store_true", help="name the pairs that were judged wrongly")
    asked = parser.parse_args()
    console, table = Console(), Table("", "pairs", "precision", "recall")
    for file in asked.files:
        pairs = read(file)
        for name in (*_LANGUAGES, ""):
            counts = counts_of([pair for pair in pairs if name in ("", pair["language"])])
            right, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
            shares = (right / max(1, right + wrong), right / max(1, right + missed))
            table.add_row(f"{file.stem} {name}", str(counts.total()), *(f"{share:.2f}" for share in shares))
        for pair in pairs if asked.show else ():
            if judged(pair) != pair["used"]:
                what = (pair["memory"], pair["question"], pair["answer"], f"({pair['why']})")
                console.print(f"{pair['used']}: {' | '.join(what)}")
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
