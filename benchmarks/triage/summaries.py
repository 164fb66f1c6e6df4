"""What is left of public consultations in their summaries, and in what a bot is sent when they go on.

The dialogues and labels are those of `consultations`. A label counts where one of its words stands in what the patient
said: kept is what has it in the summary. Shares are of characters, of what the bot was sent before the session ended.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track

from benchmarks.evaluation.embedded import embedded_gateway
from benchmarks.triage.consultations import Consultation, Dialogues, consultations
from benchmarks.triage.sets import live_through, plain
from gateway.client import AsyncClient

_USER: Final = "user"
_AT_ONCE: Final = 4


class Summed(NamedTuple):
    """A consultation: shares of its transcript, and of what must be known of it how much there is and is kept."""

    summary: float
    resumed: float
    must: int
    kept: int
    kept_resumed: int


async def _sum_up(client: AsyncClient, labels: Consultation, dialogues: Dialogues) -> Summed:
    user = labels.name.replace(":", "-")
    messages = dialogues.messages(labels.name)
    await live_through(client, user, [messages])
    units = await client.list_mem_units(user_id=user, limit=100)
    back = await client.query_memory_context(conversation_id=f"{user}-1", user_id=user, include=["no_memories"])
    summary = (await client.get_mem_unit(unit_id=units.items[-1].unit_id, user_id=user)).summary
    said = "\n".join(plain(each["text"]) for each in messages if each["role"] == _USER)
    whole = sum(len(each["text"]) for each in messages)
    told = [words for label in labels.must if (words := [plain(w) for w in label["any_of"] if plain(w) in said])]
    kept = [any(word in plain(summary) for word in words) for words in told]
    shown = [any(word in plain(back.history) for word in words) for words in told]
    return Summed(len(summary) / whole, len(back.history) / whole, len(told), sum(kept), sum(shown))


async def _all(url: str, material: Sequence[Consultation], dialogues: Dialogues) -> list[Summed]:
    found: list[Summed] = []
    async with AsyncClient(url, timeout_s=60.0) as client:
        starts = range(0, len(material), _AT_ONCE)
        for start in track(starts, "summing up", console=Console(stderr=True), transient=True):
            part = material[start : start + _AT_ONCE]
            found += await asyncio.gather(*(_sum_up(client, each, dialogues) for each in part))
    return found


def measure(path: Path, folder: Path) -> dict[str, Any]:
    """Live through all consultations of a set and read what is left of them. Raises BenchmarkError."""
    material, dialogues = consultations(path), Dialogues(folder)
    with embedded_gateway("auto", "none") as url:
        found = asyncio.run(_all(url, material, dialogues))
    return {
        "consultations": len(found),
        "summary_share_mean": round(mean(each.summary for each in found), 3),
        "summary_share_median": round(median(each.summary for each in found), 3),
        "resumed_share_mean": round(mean(each.resumed for each in found), 3),
        "resumed_share_median": round(median(each.resumed for each in found), 3),
        "must": sum(each.must for each in found),
        "kept_in_summary": sum(each.kept for each in found),
        "kept_when_resumed": sum(each.kept_resumed for each in found),
    }


def show(counted: Mapping[str, Any]) -> None:
    """Print the figures."""
    for name, value in counted.items():
        Console().print(f"{name.replace('_', ' ')}: {value}")
