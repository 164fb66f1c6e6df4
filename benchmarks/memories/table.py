"""Figures of memory: what was measured beside what, how the two compare, and whether that is what is needed."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.figures import Spread
from benchmarks.report import WIDTH

MET, MISSED, NOT_MEASURED = "met", "missed", "not measured"
_COLOURS = {MET: "bold green", MISSED: "bold red", NOT_MEASURED: "yellow", "": "dim"}


@dataclass(frozen=True)
class Figure:
    """One row. `needed` is what the ratio to the baseline may be at most; `note` says what else is to be known.

    Without `measured` it was not, and `note` says why.
    """

    name: str
    unit: str
    against: str
    measured: Spread | None = None
    baseline: Spread | None = None
    ratio: Spread | None = None
    needed: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the median ratio is what is needed; empty when nothing is asked of it."""
        if self.measured is None:
            return NOT_MEASURED
        if self.needed is None or self.ratio is None:
            return ""
        return MET if self.ratio.median <= self.needed else MISSED


def spread(values: Sequence[float]) -> Spread:
    """Least, median and greatest."""
    return Spread(min(values), statistics.median(values), max(values))


class Compared(TypedDict):
    """The fields of a figure that has a baseline."""

    measured: Spread
    baseline: Spread
    ratio: Spread


def compared(ours: Sequence[float], theirs: Sequence[float]) -> Compared:
    """From one number of each side for every round. What the clock was too coarse for counts as a millionth."""
    ratios = [one / max(other, 1e-6) for one, other in zip(ours, theirs, strict=True)]
    return {"measured": spread(ours), "baseline": spread(theirs), "ratio": spread(ratios)}


def show(figures: Sequence[Figure], title: str, facts: Sequence[str]) -> None:
    """Print the table, then each row's baseline and note, then what the figures depend on."""
    console = Console(width=None if Console().is_terminal else WIDTH, highlight=False)
    table = Table(title=escape(title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(("", "measured\nmedian (range)", "baseline", "ratio", "needed", "")):
        table.add_column(column, justify="right" if number else "left", no_wrap=number > 0)
    for number, figure in enumerate(figures, 1):
        needed = "" if figure.needed is None else f"<= {figure.needed:g}"
        verdict = f"[{_COLOURS[figure.verdict]}]{figure.verdict}[/]"
        shown = (_shown(one) for one in (figure.measured, figure.baseline, figure.ratio))
        unit = f", {figure.unit}" if figure.unit else ""
        table.add_row(f"{number} {escape(figure.name + unit)}", *shown, needed, verdict)
    console.print(table)
    for number, figure in enumerate(figures, 1):
        against = f"against {figure.against}" if figure.against else "no baseline"
        console.print(escape(f"{number} {against}{'; ' if figure.note else ''}{figure.note}"))
    for fact in facts:
        console.print(escape(fact))


def as_json(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    """What `--json` writes."""
    return [asdict(figure) | {"verdict": figure.verdict} for figure in figures]


def _shown(one: Spread | None) -> str:
    if one is None:
        return ""
    digits = 0 if one.median >= 1000 else 1 if one.median >= 100 else 2
    return f"[bold]{one.median:,.{digits}f}[/] ({one.minimum:,.{digits}f}-{one.maximum:,.{digits}f})"
