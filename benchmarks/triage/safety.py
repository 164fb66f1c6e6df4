"""Safety at once: what a patient says in one conversation, read in another.

Each sentence is written with WriteTurn to a conversation of a user of its own (after a turn that ends with the question
it answers, where it has one); another conversation of that user is asked with QueryMemoryContext at once, and again
when the first has been finalised. Reports how much of what should stand in `safety` does, by language and kind; how
many of the traps put something into its lists; and what is only `possible`.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.evaluation.embedded import embedded_gateway
from benchmarks.triage.sets import read_set
from gateway.client import AsyncClient

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "allergy": ("allergy",),
    "condition": ("disease",),
    "operation": ("surgery",),
    "state": ("pregnancy", "breast_feeding", "implant", "anticoagulant"),
    "denied": ("allergy", "disease"),
}
SAFETY: Final = ("allergy", "condition", "operation")
_WAIT_MS: Final = 30_000
_AT_ONCE: Final = 8


class Sentence(NamedTuple):
    """What is said, what it answers, and what a nurse should read of it."""

    name: str
    language: str
    text: str
    before: str
    expected: Sequence[Mapping[str, Any]]
    trap: bool


class Read(NamedTuple):
    """The details of `safety` right after a sentence, and when its session had become memory."""

    at_once: Sequence[Mapping[str, Any]]
    later: Sequence[Mapping[str, Any]]


def sentences(path: Path) -> list[Sentence]:
    """The sentences of a set. Raises BenchmarkError."""
    return read_set(
        path,
        lambda each: Sentence(
            each["id"], each["lang"], each["text"], each.get("before") or "", each["expect"], each["trap"]
        ),
    )


def fits(expected: Mapping[str, Any], detail: Mapping[str, Any]) -> bool:
    """Whether a detail is what was expected: of its kind, and one of its words contains the other's."""
    if detail["kind"] not in KINDS[expected["kind"]] or (expected["kind"] == "denied") != bool(detail.get("denied")):
        return False
    if expected["kind"] == "denied":
        return True
    said = [detail["text"].lower(), *([detail["quote"].lower()] if expected["kind"] == "state" else [])]
    return any(word.lower() in text or text in word.lower() for word in expected["any"] for text in said)


async def read_one(client: AsyncClient, sentence: Sentence) -> Read:
    """Say a sentence, and read what another conversation of its user is told."""
    told, asked = f"said-{sentence.name}", f"asks-{sentence.name}"
    if sentence.before:
        await client.write_turn(
            conversation_id=told, user_id=sentence.name, user_query="…", agent_response=sentence.before
        )
    await client.write_turn(conversation_id=told, user_id=sentence.name, user_query=sentence.text, agent_response="ok")
    at_once = await client.query_memory_context(conversation_id=asked, user_id=sentence.name, query="")
    await client.finalize_session_memory(conversation_id=told, wait_ms=_WAIT_MS)
    later = await client.query_memory_context(conversation_id=asked, user_id=sentence.name, query="")
    return Read(*([each.model_dump(mode="json") for each in one.safety.details] for one in (at_once, later)))


async def read_all(url: str, material: Sequence[Sentence]) -> list[Read]:
    """All sentences, a few at a time."""
    found: list[Read] = []
    async with AsyncClient(url, timeout_s=60.0) as client:
        starts = range(0, len(material), _AT_ONCE)
        for start in track(starts, "saying", console=Console(stderr=True), transient=True):
            part = material[start : start + _AT_ONCE]
            found += await asyncio.gather(*(read_one(client, sentence) for sentence in part))
    return found


def figures(material: Sequence[Sentence], read: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Counts by language and kind, and of traps."""
    wanted: Counter[str] = Counter()
    listed: Counter[str] = Counter()
    possible: Counter[str] = Counter()
    stored: Counter[str] = Counter()
    for sentence, details in zip(material, read, strict=True):
        sure = [each for each in details if each["status"] != "possible"]
        for expected in sentence.expected:
            key = f"{sentence.language} {expected['kind']}"
            wanted[key] += 1
            listed[key] += any(fits(expected, each) for each in sure)
            possible[key] += any(fits(expected, each) for each in details)
        if sentence.trap:
            wanted[f"{sentence.language} traps"] += 1
            wrong = [each for each in sure if not each.get("denied")]
            right = [each for each in wrong if any(fits(expected, each) for expected in sentence.expected)]
            stored[f"{sentence.language} traps"] += len(wrong) > len(right)
    for language in sorted({sentence.language for sentence in material}):
        kinds = [f"{language} {kind}" for kind in SAFETY]
        for counts in (wanted, listed, possible):
            counts[f"{language} safety"] = sum(counts[kind] for kind in kinds)
    return {
        key: {"of": wanted[key], "listed": listed[key], "or possible": possible[key], "stored": stored[key]}
        for key in sorted(wanted)
    }


def _show_one(title: str, counted: Mapping[str, Mapping[str, int]]) -> None:
    """Print the figures of one reading."""
    table = Table("", "of", "in a list", "or possible", "wrongly stored", title=title, title_justify="left")
    for key, each in counted.items():
        trap = key.endswith("traps")
        cells = ("", "", str(each["stored"])) if trap else (str(each["listed"]), str(each["or possible"]), "")
        table.add_row(key, str(each["of"]), *cells)
    Console().print(table)


def measure(path: Path) -> dict[str, Any]:
    """Say all sentences of a set and count what was read. Raises BenchmarkError."""
    material = sentences(path)
    with embedded_gateway("auto", "none") as url:
        read = asyncio.run(read_all(url, material))
    return {
        "at once": figures(material, (each.at_once for each in read)),
        "when it is memory": figures(material, (each.later for each in read)),
    }


def show(counted: Mapping[str, Mapping[str, Mapping[str, int]]]) -> None:
    """Print the figures."""
    for title, each in counted.items():
        _show_one(title, each)
