"""Whether a graph says only what was said: every edge and link, its memory, and the words that it quotes.

Public dialogues go in through the API and are finalised; then each edge and link of each user's graph must name a
memory or link that is listed, and quote words that stand in one of the messages that its memory comes from.

    python -m benchmarks.graph.quotes FILE...

Reads LoCoMo, a user for each of its dialogues, and the formats of `benchmarks.dialogues`, a user for each conversation.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from benchmarks.dialogues import reader_of
from benchmarks.evaluation import material as sets
from benchmarks.evaluation.embedded import embedded_gateway
from benchmarks.evaluation.material import Case, Conversation, Message
from benchmarks.processes import BenchmarkError
from gateway.client import AsyncClient
from memory.limits import EDGES_PER_PAGE_MAX, MEMORIES_PER_PAGE_MAX, MESSAGES_PER_WRITE_MAX, WAIT_MS_MAX
from memory.model.graph_view_calls import GetGraphResponse
from memory.model.lifecycle import SessionState
from memory.model.memory_calls import MemoryAnswer

_SHOWN: Final = 20
_FOUND_SOME, _CANNOT_RUN = 1, 2


@dataclass(slots=True)
class Looked:
    """What was looked at, and what was not as it must be."""

    edges: int = 0
    links: int = 0
    wrong: list[str] = field(default_factory=list)


class Witness:
    """What was said to a gateway, and what its graphs say of it."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._said: dict[tuple[str, int], str] = {}
        self.looked = Looked()

    async def of(self, case: Case) -> None:
        """Write all of a user's dialogues, make memories of them, and look at the graph."""
        for conversation in case.conversations:
            key = conversation.conversation_id
            for start in range(0, len(conversation.messages), MESSAGES_PER_WRITE_MAX):
                part = conversation.messages[start : start + MESSAGES_PER_WRITE_MAX]
                messages = [
                    {"role": one.role, "content": one.content}
                    | ({"occurred_at": one.occurred_at} if one.occurred_at else {})
                    | ({"name": one.name} if one.name else {})
                    for one in part
                ]
                written = await self._client.write_messages(conversation_id=key, user_id=case.user, messages=messages)
                for place, one in enumerate(part, written.seq - len(part) + 1):
                    self._said[key, place] = one.content
            state = (await self._client.finalize_session_memory(conversation_id=key, wait_ms=WAIT_MS_MAX)).state
            while state is not SessionState.ENDED:
                if state is SessionState.FAILED:
                    raise BenchmarkError(f"{key} did not become memory")
                await asyncio.sleep(0.1)
                state = (await self._client.get_finalization(conversation_id=key)).state
        await self._look(case.user)

    async def _look(self, user: str) -> None:
        memories = {one.memory_id: one async for one in self._listed(user)}
        links = {one.memory_id: one async for one in self._listed(user, ["link"])}
        async for page in self._graph(user):
            for edge in page.edges:
                self.looked.edges += 1
                self._check(f"{edge.source} {edge.relation} {edge.target}", memories.get(edge.memory_id), edge.quote)
            for link in page.links:
                self.looked.links += 1
                ground = memories.get(link.source_memory_id)
                if link.link_id not in links or link.target_memory_id not in memories:
                    self.looked.wrong.append(f"link {link.link_id}: is not listed, or its end is not")
                self._check(f"link {link.link_id}", ground, link.quote)

    def _check(self, what: str, memory: MemoryAnswer | None, quote: str) -> None:
        if memory is None:
            self.looked.wrong.append(f"{what}: names no memory")
            return
        source = memory.source
        said = [self._said.get((source.conversation_id, seq), "") for seq in source.seqs]
        if not quote or not any(quote in text for text in said):
            self.looked.wrong.append(
                f"{what}: {quote!r} stands in no message of {source.conversation_id} {source.seqs}"
            )

    async def _listed(self, user: str, kinds: Sequence[Literal["link"]] | None = None) -> AsyncIterator[MemoryAnswer]:
        cursor = ""
        while True:
            page = await self._client.list_memories(
                user_id=user, cursor=cursor, limit=MEMORIES_PER_PAGE_MAX, kinds=kinds
            )
            for one in page.items:
                yield one
            cursor = page.cursor
            if not cursor:
                return

    async def _graph(self, user: str) -> AsyncIterator[GetGraphResponse]:
        cursor = ""
        while True:
            page = await self._client.get_graph(user_id=user, cursor=cursor, limit=EDGES_PER_PAGE_MAX)
            yield page
            cursor = page.cursor
            if not cursor:
                return


def cases_of(text: str) -> list[Case]:
    """The users of a set, with what they and their bots said. Raises ValueError for a format that is not known."""
    if '"sample_id"' in text:
        return list(sets.read_locomo(text).cases)
    said: dict[str, list[Message]] = {}
    for line in reader_of(text)(text):
        message = Message(line["role"], line["content"], line.get("time", ""), line.get("name", ""))
        said.setdefault(line["conversation"], []).append(message)
    return [
        Case(f"user-{number}", [Conversation(f"conversation-{number}", messages)], [])
        for number, messages in enumerate(said.values())
    ]


async def look(cases: Sequence[Case], url: str) -> Looked:
    """Write and look at all users of a set."""
    async with AsyncClient(url, timeout_s=120) as client:
        witness = Witness(client)
        for case in cases:
            await witness.of(case)
        return witness.looked


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.graph.quotes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="data sets")
    asked = parser.parse_args()
    wrong = 0
    try:
        for file in asked.files:
            cases = sets.read(file, cases_of)
            with embedded_gateway("auto", "none") as url:
                looked = asyncio.run(look(cases, url))
            for each in looked.wrong[:_SHOWN]:
                print(each)
            told = f"{len(cases)} users, {looked.edges:,} edges and {looked.links:,} links"
            print(f"{file.name}: {told}, not as they must be: {len(looked.wrong)}")
            wrong += len(looked.wrong)
    except BenchmarkError as error:
        print(f"benchmarks.graph.quotes: {error}", file=sys.stderr)
        return _CANNOT_RUN
    return _FOUND_SOME if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
