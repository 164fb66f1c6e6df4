"""What a run found, as tables and as JSON."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.evaluation.material import Material
from benchmarks.evaluation.metric import ALL, CUTS, Figures, figures
from benchmarks.evaluation.run import Observed


def as_json(material: Material, embeddings: str, observed: Observed) -> dict[str, Any]:
    """Every figure of a run under a plain name."""
    found, again = figures(observed.answered), figures(observed.answered_again)
    context, history = _mean(observed.context_tokens), _mean(observed.history_tokens)
    return {
        "data": material.name,
        "embeddings": embeddings,
        "users": len(material.cases),
        "messages": material.messages,
        "questions": material.questions,
        "questions_left_out": material.left_out,
        "recall": {name: {"questions": one.questions, **_recall(one)} for name, one in found.items()},
        "recall_again": _recall(again[ALL]) if again else None,
        "context_recall_mean": _mean(observed.context_recall, 4),
        "context_tokens_mean": context,
        "history_tokens_mean": history,
        "context_share": round(context / history, 4) if context and history else None,
        "search_ms_median": _median(observed.search_ms),
        "finalisation_ms_median": _median(observed.finalisation_ms),
        "memories": dict(sorted(observed.memories.items())),
        "degraded": dict(sorted(observed.degraded.items())),
        "samples": [{"query": query, "found": list(found)} for query, found in observed.samples],
    }


def _recall(found: Figures) -> dict[str, float]:
    return {f"recall@{cut}": round(value, 4) for cut, value in found.recall.items()}


def _mean(values: Sequence[float], digits: int = 1) -> float | None:
    return round(statistics.fmean(values), digits) if values else None


def _median(values: Sequence[float]) -> float | None:
    return round(statistics.median(values), 1) if values else None


def recall_table(title: str, rows: Mapping[str, Figures]) -> Table:
    """One row for each name: how many questions, and recall at each cut."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in ("questions", *(f"@{cut}" for cut in CUTS)):
        table.add_column(column, justify="right")
    for name, one in rows.items():
        table.add_row(name, str(one.questions), *(f"{one.recall[cut]:.3f}" for cut in CUTS))
    return table


def show(material: Material, embeddings: str, observed: Observed) -> None:
    """Print the tables, and the rest line by line."""
    console = Console()
    if observed.answered:
        title = f"{material.name}, embeddings {embeddings}: recall of evidence"
        console.print(recall_table(title, figures(observed.answered)))
    for query, found in observed.samples:
        console.print(f"? {query}", markup=False, highlight=False)
        for line in found or ["nothing was found"]:
            console.print(f"    {line}", markup=False, highlight=False, soft_wrap=True)
    plain = as_json(material, embeddings, observed)
    del plain["recall"], plain["samples"]
    for name, value in plain.items():
        shown = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
        console.print(
            f"{name:24}{'-' if shown in (None, '') else shown}", highlight=False, markup=False, soft_wrap=True
        )
