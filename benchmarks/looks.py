"""What people wait for who look at the console: over HTTP, from one gateway with a tenth of the memories of the other.

Both have as many open questions, and the same long conversation. They are asked in turn; a figure is the median of its
rounds. Memories are made up and come in by ImportMemories; SQLite, no embeddings.
"""

import argparse
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.evaluation.embedded import gateway_process
from gateway.client import Client

OPEN: Final = 1_000
"""Open questions of the tenant: twenty of each of fifty users, or as many as they have memories."""
_OPEN_EACH: Final = 20
ENTRIES: Final = 500
_TOGETHER: Final = 50
_NOW_MS: Final = 1_790_000_000_000
_LONG: Final = "long"
_USER: Final = "user-0"


class Look(NamedTuple):
    """One look, and what is promised of it: so many ms at the most, or so many times what a tenth costs."""

    operation: str
    fields: Mapping[str, Any]
    ms_max: float | None = None
    ratio_max: float | None = None


LOOKS: Final = (
    Look("get_stats", {}, ms_max=100),
    Look("list_users", {"limit": 200}, ms_max=20),
    Look("list_reviews", {"limit": 50}, ratio_max=1.2),
    Look("get_timeline", {"conversation_id": _LONG, "user_id": _USER, "limit": ENTRIES}, ms_max=50),
)


def asking(each: int) -> int:
    """How many users have open questions."""
    return OPEN // min(each, _OPEN_EACH)


def records_of(user: int, each: int) -> Iterator[Mapping[str, Any]]:
    """What is remembered of a user; of the first ones also possible allergies, which somebody has to ask of."""
    for number in range(each):
        asks = user < asking(each) and number < _OPEN_EACH
        thing, at = f"thing {user} {number}", _NOW_MS + user * each + number
        yield {
            "memory_id": str(uuid.uuid5(uuid.NAMESPACE_URL, thing)),
            "user_id": f"user-{user}",
            "kind": "fact",
            "category": "core" if asks else "fact",
            "type": "fact",
            "text": f"I have to do with {thing}",
            "source": {"conversation": f"conversation-{user}", "unit_id": "", "seqs": [number + 1], "quote": thing},
            "occurred_ms": at,
            "recorded_ms": at,
            "subject": "user",
            "predicate": "possible_allergy" if asks else "knows",
            "object": thing,
        }


def fill(client: Client, users: int, each: int, console: Console) -> None:
    """Users with their memories, and one long conversation."""
    for user in track(range(users), f"{users:,} users, {users * each:,} memories", console=console):
        client.import_memories(user_id=f"user-{user}", records=list(records_of(user, each)))
    said = [
        {"role": "assistant" if number % 2 else "user", "content": f"message {number}"} for number in range(ENTRIES)
    ]
    for start in range(0, ENTRIES, _TOGETHER):
        client.write_messages(conversation_id=_LONG, user_id=_USER, messages=said[start : start + _TOGETHER])


def looked(client: Client, look: Look) -> float:
    """Milliseconds of one look."""
    started = time.perf_counter()
    getattr(client, look.operation)(**look.fields)
    return (time.perf_counter() - started) * 1_000


def measured(memories: int, each: int, rounds: int, console: Console) -> dict[str, tuple[list[float], list[float]]]:
    """By operation the times of the small gateway and of the large one."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        clients = []
        for name, users in (("small", memories // 10 // each), ("large", memories // each)):
            server = stack.enter_context(gateway_process(folder, name, "en", "none", {}))
            client = stack.enter_context(Client(f"http://127.0.0.1:{server.port}", timeout_s=120))
            fill(client, users, each, console)
            _wait_until_counted(client)
            clients.append(client)
        times: dict[str, tuple[list[float], list[float]]] = {look.operation: ([], []) for look in LOOKS}
        for number in track(range(rounds), "looks", console=console):
            for look in LOOKS:
                for place in (0, 1) if number % 2 else (1, 0):
                    times[look.operation][place].append(looked(clients[place], look))
        return times


def _wait_until_counted(client: Client) -> None:
    while not client.get_stats().computed_at:
        time.sleep(0.5)


def verdict(look: Look, small: Sequence[float], large: Sequence[float]) -> str:
    """Whether it is as promised."""
    median, ratio = statistics.median(large), statistics.median(large) / statistics.median(small)
    kept = median <= look.ms_max if look.ms_max is not None else ratio <= (look.ratio_max or 0)
    needed = f"<= {look.ms_max:g} ms" if look.ms_max is not None else f"<= {look.ratio_max:g} times"
    return f"{needed}: {'yes' if kept else 'NO'}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.looks", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000, help="of the large gateway (100,000)")
    parser.add_argument("--each", type=int, default=100, help="memories of a user (100); 1: among as many users")
    parser.add_argument("--rounds", type=int, default=15, help="of all looks (15)")
    parser.add_argument("--check", action="store_true", help="exit 1 when a figure is not what is promised")
    asked = parser.parse_args()
    if min(asked.each, asked.rounds) < 1:
        parser.error("--each and --rounds have to be 1 or more")
    if asked.memories < (least := 10 * asking(asked.each) * asked.each):
        parser.error(f"--memories has to be {least:,} or more")
    console, table = Console(stderr=True), Table("", "small, ms", "large, ms", "slowest, ms", "ratio", "promised")
    times = measured(asked.memories, asked.each, asked.rounds, console)
    verdicts = []
    for look in LOOKS:
        small, large = times[look.operation]
        medians = statistics.median(small), statistics.median(large)
        verdicts.append(verdict(look, small, large))
        figures = (*(f"{each:.1f}" for each in (*medians, max(large))), f"{medians[1] / medians[0]:.2f}", verdicts[-1])
        table.add_row(look.operation, *figures)
    Console(width=120).print(table)
    return int(asked.check and any(each.endswith("NO") for each in verdicts))


if __name__ == "__main__":
    raise SystemExit(main())
