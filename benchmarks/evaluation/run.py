"""The run: write all dialogues, turn them into memory, search, see what a context brings back, and search again.

Being recalled into a context strengthens a memory. The first searches therefore come before any context, and the
second show what having been recalled does to the order.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import aiohttp

from benchmarks.evaluation.material import Case, Conversation, Material, Message, Place, Question, history_text
from benchmarks.evaluation.metric import Answered, ranking, recall_at
from benchmarks.processes import BenchmarkError
from gateway.client import AsyncClient, ProblemError
from memory.limits import MEMORIES_PER_PAGE_MAX, MESSAGES_PER_WRITE_MAX, WAIT_MS_MAX
from memory.model.lifecycle import SessionState
from memory.model.memory_calls import MemoryAnswer, MemorySource
from memory.providers.tiktoken_counter import TiktokenCounter

SEARCH_LIMIT: Final = 50
FINALISATION_TIMEOUT_S: Final = 900.0
_POLL_S: Final = 0.2
_EXCERPT_CHARS: Final = 60
SearchMode = Literal["fast", "deep"]
Advance = Callable[[str], None]
"""One step done; what the next is."""


@dataclass(slots=True)
class Observed:
    """What a run has seen. Times are ms; `context_...` and `history_tokens` go question by question."""

    answered: list[Answered] = field(default_factory=list)
    answered_again: list[Answered] = field(default_factory=list)
    search_ms: list[float] = field(default_factory=list)
    finalisation_ms: list[float] = field(default_factory=list)
    context_recall: list[float] = field(default_factory=list)
    context_tokens: list[int] = field(default_factory=list)
    history_tokens: list[int] = field(default_factory=list)
    memories: Counter[str] = field(default_factory=Counter)
    degraded: Counter[str] = field(default_factory=Counter)
    samples: list[tuple[str, Sequence[str]]] = field(default_factory=list)


class Evaluation:
    """One run on one gateway. Ids begin with the run's own, so that a gateway may be measured again."""

    def __init__(
        self, client: AsyncClient, counter: TiktokenCounter, advance: Advance, search_mode: SearchMode = "fast"
    ) -> None:
        self._client = client
        self._counter = counter
        self._advance = advance
        self._mode = search_mode
        self._run = uuid.uuid4().hex[:8]
        self._places: dict[tuple[str, int], Place] = {}
        self.observed = Observed()

    async def everything(self, material: Material, samples: Sequence[str]) -> Observed:
        """All steps. Raises BenchmarkError when the gateway refuses or cannot be reached."""
        try:
            await self._all(material, samples)
        except ProblemError as error:
            raise BenchmarkError(f"the gateway refused: {error}") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            why = str(error) or type(error).__name__
            raise BenchmarkError(f"the gateway gave no answer ({why}): is it running at that address?") from error
        return self.observed

    async def _all(self, material: Material, samples: Sequence[str]) -> None:
        for case in material.cases:
            await self._write(case)
        self.observed.answered = await self._searches(material, "searches")
        for case in material.cases:
            for sample in samples:
                await self._sample(case, sample)
        for case in material.cases:
            await self._contexts(case)
        self.observed.answered_again = await self._searches(material, "searches again")

    async def _write(self, case: Case) -> None:
        for conversation in case.conversations:
            await self._ingest(case, conversation)
            self._advance(f"to memory: {conversation.conversation_id}")
        await self._count_memories(case)

    async def _searches(self, material: Material, step: str) -> list[Answered]:
        answered = []
        for case in material.cases:
            for question in case.questions:
                answered.append(await self._search(case, question))
                self._advance(f"{step} of {case.user}")
        return answered

    async def _contexts(self, case: Case) -> None:
        full = self._counter.count_now(history_text(case))
        for number, question in enumerate(case.questions):
            await self._context(case, number, question, full)
            self._advance(f"contexts of {case.user}")

    def _named(self, name: str) -> str:
        return f"{self._run}-{name}"

    async def _ingest(self, case: Case, conversation: Conversation) -> None:
        key = self._named(conversation.conversation_id)
        messages = [_as_written(message) for message in conversation.messages]
        for start in range(0, len(messages), MESSAGES_PER_WRITE_MAX):
            part = messages[start : start + MESSAGES_PER_WRITE_MAX]
            user = self._named(case.user)
            written = await self._client.write_messages(conversation_id=key, user_id=user, messages=part)
            first = written.seq - len(part) + 1  # seqs are given to other records of a session too
            for index in range(len(part)):
                self._places[key, first + index] = Place(conversation.conversation_id, start + index + 1)
        if not conversation.lives:
            started = time.perf_counter()
            await self._finalise(key)
            self.observed.finalisation_ms.append(_ms_since(started))

    async def _finalise(self, key: str) -> None:
        deadline = time.monotonic() + FINALISATION_TIMEOUT_S
        answer = await self._client.finalize_session_memory(conversation_id=key, wait_ms=WAIT_MS_MAX)
        while answer.state is not SessionState.ENDED:
            if answer.state is SessionState.FAILED:
                raise BenchmarkError(f"{key} did not become memory: {answer.reason}")
            if time.monotonic() > deadline:
                raise BenchmarkError(f"{key} did not become memory within {FINALISATION_TIMEOUT_S:.0f} s")
            await asyncio.sleep(_POLL_S)
            answer = await self._client.get_finalization(conversation_id=key)

    async def _count_memories(self, case: Case) -> None:
        cursor = ""
        while True:
            page = await self._client.list_memories(
                user_id=self._named(case.user), cursor=cursor, limit=MEMORIES_PER_PAGE_MAX
            )
            for memory in page.items:
                self.observed.memories[_kind(memory)] += 1
            cursor = page.cursor
            if not cursor:
                return

    async def _found(self, case: Case, query: str, limit: int) -> list[MemoryAnswer]:
        started = time.perf_counter()
        user = self._named(case.user)
        found = await self._client.search_memories(user_id=user, query=query, limit=limit, search_mode=self._mode)
        self.observed.search_ms.append(_ms_since(started))
        self.observed.degraded.update(f"search: {what}" for what in found.degraded)
        return found.memories

    async def _search(self, case: Case, question: Question) -> Answered:
        found = await self._found(case, question.text, SEARCH_LIMIT)
        hits = [self._places_of(one.source) for one in found]
        return Answered(question.kind, question.evidence, ranking(hits))

    def _places_of(self, source: MemorySource) -> list[Place]:
        return [self._places[source.conversation_id, seq] for seq in source.seqs]

    async def _sample(self, case: Case, sample: str) -> None:
        found = await self._found(case, sample, 3)
        lines = [f"{one.score:.2f} {_kind(one)} {one.occurred_at[:10]} {_excerpt(one.text)}" for one in found]
        self.observed.samples.append((sample, lines))

    async def _context(self, case: Case, number: int, question: Question, full: int) -> None:
        """A fresh conversation of the same user: all that it shows comes from long-term memory."""
        key = self._named(f"{case.user}-question-{number}")
        context = await self._client.query_memory_context(
            conversation_id=key, user_id=self._named(case.user), query=question.text
        )
        sources = [MemorySource.model_validate(memory["source"]) for memory in context.memories]
        recalled = Answered(question.kind, question.evidence, ranking(map(self._places_of, sources)))
        self.observed.context_recall.append(recall_at(len(recalled.ranking), recalled))
        self.observed.context_tokens.append(context.estimated_tokens)
        self.observed.history_tokens.append(full)
        self.observed.degraded.update(f"context: {what}" for what in context.degraded)


def _as_written(message: Message) -> dict[str, str]:
    fields = {"role": message.role, "content": message.content, "occurred_at": message.occurred_at}
    return fields | ({"name": message.name} if message.name else {})


def _kind(memory: MemoryAnswer) -> str:
    """Its kind; an episode that is one message, which has a speaker, is a passage."""
    return "passage" if memory.speaker else str(memory.kind)


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT_CHARS else text[:_EXCERPT_CHARS] + "…"


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
