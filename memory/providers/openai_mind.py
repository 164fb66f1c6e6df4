"""The mind of any OpenAI-compatible chat endpoint: facts, events and episodes as a model finds them.

The model is asked part by part; an answer is read strictly (`mind_answer`), and one that is not right is refused with
the reason and asked for again, a bounded number of times. An extraction is whole or there is none: one part that fails
fails all.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from memory.errors import DeadlineExceeded, InvariantBroken, SetupError, TemporaryError
from memory.language.choice import AUTO, LANGUAGES
from memory.model.extraction import Dialogue, Extraction, FoundEpisode
from memory.ports import Mind
from memory.privacy.gate.decision import PUBLIC, classify
from memory.privacy.withheld import Withheld
from memory.providers.budget import Budget
from memory.providers.mind_answer import RejectedOutput, read_answer, schema
from memory.providers.mind_prompt import (
    Count,
    Part,
    Prompt,
    PromptSet,
    load_prompt,
    load_statements_prompt,
    parts_of,
    repaired,
    request_messages,
)
from memory.providers.openai_asking import ESTIMATE_MARGIN, MESSAGE_TOKENS, Asked, Endpoint, Noted, forms
from memory.providers.openai_calls import OpenAIEndpoint

_LOG: Final = logging.getLogger("anamnesis.mind")


_FORMS: Final = {alone: forms("extraction", schema(alone=alone)) for alone in (False, True)}
"""By whether only the user speaks."""
USED, REFUSED, GAVE_NONE = "used", "refused", "gave_none"


def _unnoted(_what: str, _count: int) -> None:
    """Nobody counts."""


@dataclass(frozen=True, slots=True)
class OpenAIMindSettings:
    """`endpoint.deadline_s` holds for a request with its retries, `deadline_s` for a part with its repairs.

    `part_tokens`: of the dialogue in one request. `output_tokens_field`: max_completion_tokens for models that know
    no max_tokens; `temperature` None: not sent, for models that take none. `when_down`: what becomes of a dialogue
    while the model is down or the budget used up: "wait" raises why, "rules" goes on with the fallback. `withheld`:
    identifiers that the endpoint is not shown; the fallback is.
    """

    model: str
    endpoint: OpenAIEndpoint = field(default_factory=OpenAIEndpoint)
    locale: Literal["zh", "en", "auto"] = "zh"
    prompts: PromptSet = "production"
    temperature: float | None = 0.3
    max_output_tokens: int = 4_096
    output_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    part_tokens: int = 6_000
    parts_at_once: int = 4
    withheld: Withheld = field(default_factory=Withheld)
    noted: Noted = _unnoted
    repairs_max: int = 1
    deadline_s: float = 50.0
    when_down: Literal["wait", "rules"] = "wait"

    @property
    def asked(self) -> Asked:
        """What concerns one request."""
        return Asked(
            self.model,
            self.endpoint,
            self.temperature,
            self.max_output_tokens,
            self.output_tokens_field,
            self.noted,
        )


def _prompts(locale: str, prompt_set: PromptSet) -> tuple[Prompt, Prompt]:
    """That of a dialogue, and that of one in which only the user speaks."""
    prompt, more = load_prompt(locale, prompt_set), load_statements_prompt(locale)
    return prompt, Prompt(prompt.version, f"{prompt.text}\n\n{more.text}")


class OpenAIMind:
    """The port `Mind` by an endpoint. `now` is the breaker's clock. For one event loop.

    Raises SetupError for settings that cannot work: no model, no prompt.
    """

    def __init__(
        self,
        settings: OpenAIMindSettings,
        budget: Budget,
        fallback: Mind,
        count: Count,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if not settings.model:
            raise SetupError("the mind of an endpoint needs the name of a model")
        locales = LANGUAGES if settings.locale == AUTO else (settings.locale,)
        self.prompts = {locale: _prompts(locale, settings.prompts) for locale in locales}
        version = max(of_dialogues.version for of_dialogues, _ in self.prompts.values())
        self.name = f"openai/{settings.model} ({settings.locale} {settings.prompts} prompt {version})"
        self.settings = settings
        self._fallback = fallback
        self._count = count
        self.endpoint = Endpoint(settings.asked, budget, count, now)
        self._turns = asyncio.Semaphore(settings.parts_at_once)

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Ask the model about each part. `mind` of the extraction names who made it.

        Where its answers cannot be used the fallback reads the dialogue: that is no reason to wait, the next answers
        would be like these. Raises (with `when_down` "wait") BudgetExhausted before anything is sent that could pass
        the tenant's budget, else as `openai_calls` says of an endpoint that is down.
        """
        try:
            return await self._extract(dialogue)
        except (TemporaryError, InvariantBroken) as error:
            self.settings.noted(GAVE_NONE, 1)
            if isinstance(error, TemporaryError) and self.settings.when_down == "wait":
                raise
            _LOG.warning("extraction goes on without the model", extra={"reason": error.detail})
        extraction = await self._fallback.extract(dialogue)
        return replace(extraction, mind=extraction.mind or self._fallback.name)

    @property
    def largest_request(self) -> tuple[int, int]:
        """The most tokens that one request can send, and be answered with: what a budget must pay for in advance."""
        longest = max(self._count(alone.text) for _, alone in self.prompts.values())
        sent = longest + MESSAGE_TOKENS + self.settings.part_tokens
        return round(sent * ESTIMATE_MARGIN), self.settings.max_output_tokens

    async def probe(self) -> None:
        """Make one call of a few tokens, past the budget. Raises as `openai_calls` says, and RejectedOutput."""
        await self.endpoint.probe()

    async def close(self) -> None:
        """Close the connections."""
        await self.endpoint.close()

    async def _extract(self, dialogue: Dialogue) -> Extraction:
        withheld = self.settings.withheld
        hidden = await asyncio.to_thread(withheld.dialogue, dialogue)
        withheld.note(hidden.counts)
        shown = hidden.dialogue
        parts = await asyncio.to_thread(parts_of, shown.messages, self.settings.part_tokens, self._count)
        tasks = [asyncio.create_task(self._part_in_turn(part, shown)) for part in parts]
        try:
            found = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        joined = hidden.restored(_joined(found))
        return replace(joined, skipped=_skipped(dialogue, joined), mind=self.name)

    async def _part_in_turn(self, part: Part, dialogue: Dialogue) -> Extraction:
        async with self._turns:
            try:
                async with asyncio.timeout(self.settings.deadline_s):
                    return await self._part(part, dialogue)
            except TimeoutError:
                within = f"within {self.settings.deadline_s:g} s"
                raise DeadlineExceeded(f"no answer of the model that can be used {within}") from None

    async def _part(self, part: Part, dialogue: Dialogue) -> Extraction:
        """Ask, and ask again with the reason when the answer is refused, `repairs_max` times."""
        locale = dialogue.locale if self.settings.locale == AUTO else self.settings.locale
        prompt = self.prompts[locale][dialogue.alone]
        messages = request_messages(prompt, part, dialogue.user_name, locale)
        for repairs_left in range(self.settings.repairs_max, -1, -1):
            reply = await self.endpoint.ask(messages, _FORMS[dialogue.alone], dialogue.tenant)
            try:
                if reply.failure:
                    raise RejectedOutput(reply.failure)  # noqa: TRY301 - refused like any other answer
                found = read_answer(reply.content, part, alone=dialogue.alone, last=not repairs_left)
            except RejectedOutput as error:
                _LOG.warning("answer refused", extra={"reason": error.detail, "repairs_left": repairs_left})
                self.settings.noted(REFUSED, 1)
                refused = error
            else:
                self.settings.noted(USED, 1)
                return found
            messages = repaired(messages, reply.content, refused.detail, locale)
        raise refused from None


def _joined(found: Sequence[Extraction]) -> Extraction:
    """The extractions of the parts as one; a participant's episodes one after the other."""
    told: dict[str, list[str]] = {}
    for one in found:
        for episode in one.episodes:
            told.setdefault(episode.participant, []).append(episode.text)
    return Extraction(
        facts=[fact for one in found for fact in one.facts],
        events=[event for one in found for event in one.events],
        episodes=[FoundEpisode(participant, "\n\n".join(texts)) for participant, texts in told.items()],
        statements=[statement for one in found for statement in one.statements],
        dropped=sum((Counter(one.dropped) for one in found), Counter()),
        causes=[cause for one in found for cause in one.causes],
    )


def _skipped(dialogue: Dialogue, extraction: Extraction) -> dict[int, str]:
    """Why messages gave nothing. What is only a courtesy is decided by rule: no model can drop what was said."""
    gave = {fact.seq for fact in extraction.facts} | {event.seq for event in extraction.events}
    gave |= {seq for statement in extraction.statements for seq in statement.seqs}
    skipped = {}
    for said in dialogue.messages:
        if said.own and said.seq not in gave:
            verdict = classify(said.text)
            public = verdict.label == PUBLIC
            nothing = "nothing that the model found worth keeping: kept as part of its episode only"
            skipped[said.seq] = f"public: {verdict.reason}" if public else nothing
    return skipped
