"""Changes: what is held as true of a user when something that they had told has changed.

Each story of a set is lived through, its sessions become memory one after another, and the user's facts are listed.
Right: everything that must be held is, and nothing of what is over.
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
from benchmarks.triage.sets import OURS, live_through, plain, read_set
from gateway.client import AsyncClient

_AT_ONCE: Final = 4
_LIMIT: Final = 1_000
_LIKE: Final = "like"
_DISLIKE: Final = "dislike"


class Story(NamedTuple):
    """Sessions, what must be held at their end, and what must not."""

    name: str
    language: str
    sessions: Sequence[Sequence[Mapping[str, str]]]
    held: Sequence[Mapping[str, Any]]
    gone: Sequence[Mapping[str, Any]]


class Ended(NamedTuple):
    """A story with the facts that stood at its end, as `predicate: object`, and which labels they meet."""

    story: Story
    facts: Sequence[str]
    missing: Sequence[Mapping[str, Any]]
    still: Sequence[Mapping[str, Any]]

    @property
    def right(self) -> bool:
        """Whether all that must be held is, and nothing that must not."""
        return not self.missing and not self.still


def stories(path: Path) -> list[Story]:
    """The stories of a set. Raises BenchmarkError."""
    return read_set(
        path, lambda each: Story(each["id"], each["language"], each["sessions"], each["held"], each["gone"])
    )


async def live_all(url: str, material: Sequence[Story]) -> list[Ended]:
    """All stories, a few at a time."""
    found: list[Ended] = []
    async with AsyncClient(url, timeout_s=60.0) as client:
        starts = range(0, len(material), _AT_ONCE)
        for start in track(starts, "living", console=Console(stderr=True), transient=True):
            part = material[start : start + _AT_ONCE]
            found += await asyncio.gather(*(_live_one(client, story) for story in part))
    return found


async def _live_one(client: AsyncClient, story: Story) -> Ended:
    await live_through(client, story.name, story.sessions)
    page = await client.list_memories(user_id=story.name, kinds=["fact"], limit=_LIMIT)
    facts = [
        (predicate, " ".join((fact.object or "", *(fact.attributes or {}).values())))
        for fact in page.items
        if (predicate := _held_as(fact.predicate or "", fact.polarity or "+"))
        and fact.subject == "user"
        and not fact.valid_to
        and not fact.superseded_by
    ]
    return Ended(
        story,
        [f"{predicate}: {text}" for predicate, text in facts],
        [label for label in story.held if not any(_meets(label, *fact) for fact in facts)],
        [label for label in story.gone if any(_meets(label, *fact) for fact in facts)],
    )


def _held_as(predicate: str, polarity: str) -> str:
    """What a label calls it. What is denied is held as nothing, but for a taste: not to like something is one too."""
    return predicate if polarity == "+" else _DISLIKE if predicate == _LIKE else ""


def _meets(label: Mapping[str, Any], predicate: str, text: str) -> bool:
    told = [label["predicate"]] if isinstance(label["predicate"], str) else label["predicate"]
    names = {name for one in told for name in OURS.get(one, (one,))}
    said = plain(text)
    return (
        predicate in names
        and any(plain(one) in said for one in label["any_of"])
        and all(plain(one) in said for one in label.get("with", ()))
    )


def figures(ended: Iterable[Ended]) -> dict[str, dict[str, int]]:
    """Counts by language. `traps`: nothing ends in them."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in ended:
        for language in (each.story.language, "all"):
            for name, of in (("stories", True), ("traps", not each.story.gone)):
                counts[language, name] += of
                counts[language, f"{name} right"] += of and each.right
            counts[language, "held too little"] += bool(each.missing)
            counts[language, "held too much"] += bool(each.still)
    names = ("stories", "stories right", "traps", "traps right", "held too little", "held too much")
    return {
        language: {name: counts[language, name] for name in names}
        for language in sorted({language for language, _ in counts})
    }


def measure(path: Path) -> dict[str, Any]:
    """Live through all stories of a set. Raises BenchmarkError."""
    material = stories(path)
    with embedded_gateway("auto", "none") as url:
        return figures(asyncio.run(live_all(url, material)))


def show(counted: Mapping[str, Mapping[str, int]]) -> None:
    """Print the figures."""
    table = Table("", "stories", "right", "traps", "right", "held too little", "held too much")
    for language, each in counted.items():
        table.add_row(language, *map(str, each.values()))
    Console().print(table)
