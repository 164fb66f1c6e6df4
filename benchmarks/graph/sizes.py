"""What ten thousand created memories take: of the disk, and of the memory of all that a gateway runs."""

import asyncio
import random
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.graph.made import WORDS
from benchmarks.processes import children
from gateway.client import AsyncClient

MADE: Final = 10_000
_USERS: Final = 100
_CALLERS: Final = 16
_SEARCHES: Final = 200
_SETTLE_MS: Final = 60_000


class Size(NamedTuple):
    """Bytes in the folder of the data, and resident in memory: what is shared by several processes counts once."""

    disk: int
    resident: int


class Sizes(NamedTuple):
    """Of a gateway that has answered some searches, without and with the memories."""

    empty: Size
    full: Size

    @property
    def a_memory(self) -> float:
        """Bytes on the disk that each has added."""
        return (self.full.disk - self.empty.disk) / MADE


async def sizes(embeddings: str) -> Sizes:
    """All are settled, and each user has been searched: its index is in memory, as far as those are kept."""
    with (
        tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder,
        gateway_process(Path(folder), "gateway", "zh", embeddings, {}) as server,
    ):
        data = Path(folder) / "gateway"
        async with AsyncClient(f"http://127.0.0.1:{server.port}", timeout_s=120.0) as client:
            await _search(client)
            empty = Size(_bytes_in(data), _resident(server.process.pid))
            await _make(client)
            await _search(client)
        return Sizes(empty, Size(_bytes_in(data), _resident(server.process.pid)))


async def _make(client: AsyncClient) -> None:
    dice, left = random.Random(11), iter(range(MADE))

    async def some() -> None:
        for number in left:
            await client.create_memory(
                user_id=f"user{number % _USERS}",
                subject="我" if number % 2 else f"人{dice.randrange(40)}",
                memory_type="fact",
                topic=dice.choice(WORDS),
                object=f"物{number} {dice.choice(WORDS)}",
                attributes={"时间": "昨天", "地点": f"城{dice.randrange(30)}"},
                quote=f"我昨天{dice.choice(WORDS)}了，和物{number}有关，晚上又{dice.choice(WORDS)}",
            )

    await asyncio.gather(*(some() for _ in range(_CALLERS)))
    for user in range(_USERS):
        answer = await client.settle_memories(user_id=f"user{user}", wait_ms=_SETTLE_MS)
        assert answer.state == "settled", answer


async def _search(client: AsyncClient) -> None:
    dice = random.Random(13)
    for number in range(_SEARCHES):
        query = f"{dice.choice(WORDS)} 物{dice.randrange(MADE)}"
        await client.search_memories(user_id=f"user{number % _USERS}", query=query, search_mode="deep")


def _bytes_in(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def _resident(pid: int) -> int:
    """Of a process and of those it has started."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    own = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return own + sum(map(_resident, children(pid)))
