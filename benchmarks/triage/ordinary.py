"""Ordinary messages of a clinic: what of them stands in another conversation's `safety` though they tell nothing of it.

Nothing in these sets is an allergy, an operation or an implant. Each message is said as in the sets of safety.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks.evaluation.embedded import embedded_gateway
from benchmarks.triage.safety import KINDS, Read, Sentence, read_all
from benchmarks.triage.sets import read_set

TOLD: Final = frozenset((*KINDS["allergy"], *KINDS["operation"], "implant"))
"""What no message here tells; a disease it may."""


def ordinary(path: Path) -> list[Sentence]:
    """The messages of a set. Raises BenchmarkError."""
    return read_set(path, lambda each: Sentence(each["id"], each["lang"], each["text"], each["before"], (), trap=True))


def figures(material: Sequence[Sentence], read: Sequence[Read]) -> dict[str, dict[str, int]]:
    """By language of how many messages something is listed, and of how many something is only possible."""
    counted: dict[str, dict[str, int]] = {}
    for sentence, each in zip(material, read, strict=True):
        told = [one for one in each.at_once if one["kind"] in TOLD and not one.get("denied")]
        firm = any(one["status"] != "possible" for one in told)
        here = counted.setdefault(sentence.language, {"of": 0, "listed": 0, "possible": 0})
        here["of"] += 1
        here["listed"] += firm
        here["possible"] += bool(told) and not firm
    return counted


def measure(path: Path) -> dict[str, Any]:
    """Say all messages of a set and count what was read. Raises BenchmarkError."""
    material = ordinary(path)
    with embedded_gateway("auto", "none") as url:
        return figures(material, asyncio.run(read_all(url, material)))


def show(counted: Mapping[str, Mapping[str, int]]) -> None:
    """Print the figures."""
    table = Table("ordinary messages", "of", "in a list", "possible", title_justify="left")
    for language, each in counted.items():
        table.add_row(language, *(str(each[key]) for key in ("of", "listed", "possible")))
    Console().print(table)
