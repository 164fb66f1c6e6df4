"""The mind of any OpenAI-compatible chat endpoint: facts, events and episodes as a model finds them.

The model is asked part by part; an answer is read strictly (`mind_answer`), and one that is not right is refused with
the reason and asked for again, a bounded number of times. An extraction is whole or there is none: one part that fails
fails all.

Endpoints differ in what keeps an answer in form: a JSON schema, JSON at all, or words alone. The best is tried first,
and what an endpoint refuses is not tried again.
"""

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal

import httpx2
import openai

from memory.errors import DeadlineExceeded, InvariantBroken, SetupError, TemporaryError
from memory.language.choice import AUTO, LANGUAGES
from memory.model.extraction import Dialogue, Extraction, FoundEpisode
from memory.ports import Mind
from memory.privacy.gate.decision import PUBLIC, classify
from memory.privacy.withheld import Withheld
from memory.providers.budget import Budget, Reservation
from memory.providers.mind_answer import RejectedOutput, read_answer, schema
from memory.providers.mind_prompt import (
    Count,
    Message,
    Part,
    Prompt,
    PromptSet,
    load_prompt,
    load_statements_prompt,
    parts_of,
    repaired,
    request_messages,
)
from memory.providers.openai_calls import OpenAICalls, OpenAIEndpoint, Raw

_LOG: Final = logging.getLogger("anamnesis.mind")


def _forms(*, alone: bool) -> tuple[dict[str, Any] | None, ...]:
    wanted = {"name": "extraction", "strict": True, "schema": schema(alone=alone)}
    return {"type": "json_schema", "json_schema": wanted}, {"type": "json_object"}, None


_FORMS: Final = {alone: _forms(alone=alone) for alone in (False, True)}
"""By whether only the user speaks: values of `response_format`, the tightest first; None: not sent."""
_FORM_REFUSED: Final = (400, 422)
_PERHAPS_CHARGED: Final = (408, 504)
_NEVER_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout)
_MESSAGE_TOKENS: Final = 8
_ESTIMATE_MARGIN: Final = 1.25
"""An endpoint counts with its own tokenizer, and adds a template."""
_PROBE_TEXT: Final = "Say OK."
_PROBE_TOKENS_MAX: Final = 16
_USAGE_MAX: Final = 100_000_000
_UNFINISHED: Final = {
    "content_filter": "the answer was withheld by a content filter",
}


TOKENS_IN, TOKENS_OUT = "tokens_in", "tokens_out"
USED, REFUSED, GAVE_NONE = "used", "refused", "gave_none"
Noted = Callable[[str, int], None]
"""Told of what a model took (tokens, as its endpoint counts them) and of what became of its answers. Must not raise."""


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


@dataclass(frozen=True, slots=True)
class _Reply:
    """What an endpoint answered: words, or why there are none; and what it says it used."""

    content: str
    failure: str
    used: tuple[int, int] | None


class _FormRefused(RejectedOutput):
    """The endpoint refuses the request: perhaps for its `response_format`."""


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
        self._settings = settings
        self._budget = budget
        self._fallback = fallback
        self._count = count
        self._calls = OpenAICalls(settings.endpoint, now)
        self._turns = asyncio.Semaphore(settings.parts_at_once)
        self._form = 0

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Ask the model about each part. `mind` of the extraction names who made it.

        Where its answers cannot be used the fallback reads the dialogue: that is no reason to wait, the next answers
        would be like these. Raises (with `when_down` "wait") BudgetExhausted before anything is sent that could pass
        the tenant's budget, else as `openai_calls` says of an endpoint that is down.
        """
        try:
            return await self._extract(dialogue)
        except (TemporaryError, InvariantBroken) as error:
            self._settings.noted(GAVE_NONE, 1)
            if isinstance(error, TemporaryError) and self._settings.when_down == "wait":
                raise
            _LOG.warning("extraction goes on without the model", extra={"reason": error.detail})
        extraction = await self._fallback.extract(dialogue)
        return replace(extraction, mind=extraction.mind or self._fallback.name)

    @property
    def largest_request(self) -> tuple[int, int]:
        """The most tokens that one request can send, and be answered with: what a budget must pay for in advance."""
        longest = max(self._count(alone.text) for _, alone in self.prompts.values())
        sent = longest + _MESSAGE_TOKENS + self._settings.part_tokens
        return round(sent * _ESTIMATE_MARGIN), self._settings.max_output_tokens

    async def probe(self) -> None:
        """Make one call of a few tokens, past the budget. Raises as `openai_calls` says, and RejectedOutput."""
        settings = self._settings
        body: dict[str, Any] = {"model": settings.model, "messages": [{"role": "user", "content": _PROBE_TEXT}]}
        body[settings.output_tokens_field] = _PROBE_TOKENS_MAX

        async def send(client: openai.AsyncOpenAI) -> Raw:
            answer: Raw = await client.chat.completions.with_raw_response.create(**body)
            return answer

        await self._calls.call(send, _reply)

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()

    async def _extract(self, dialogue: Dialogue) -> Extraction:
        withheld = self._settings.withheld
        hidden = await asyncio.to_thread(withheld.dialogue, dialogue)
        withheld.note(hidden.counts)
        shown = hidden.dialogue
        parts = await asyncio.to_thread(parts_of, shown.messages, self._settings.part_tokens, self._count)
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
                async with asyncio.timeout(self._settings.deadline_s):
                    return await self._part(part, dialogue)
            except TimeoutError:
                within = f"within {self._settings.deadline_s:g} s"
                raise DeadlineExceeded(f"no answer of the model that can be used {within}") from None

    async def _part(self, part: Part, dialogue: Dialogue) -> Extraction:
        """Ask, and ask again with the reason when the answer is refused, `repairs_max` times."""
        locale = dialogue.locale if self._settings.locale == AUTO else self._settings.locale
        prompt = self.prompts[locale][dialogue.alone]
        messages = request_messages(prompt, part, dialogue.user_name, locale)
        for repairs_left in range(self._settings.repairs_max, -1, -1):
            reply = await self._ask(messages, dialogue)
            try:
                if reply.failure:
                    raise RejectedOutput(reply.failure)  # noqa: TRY301 - refused like any other answer
                found = read_answer(reply.content, part, alone=dialogue.alone, last=not repairs_left)
            except RejectedOutput as error:
                _LOG.warning("answer refused", extra={"reason": error.detail, "repairs_left": repairs_left})
                self._settings.noted(REFUSED, 1)
                refused = error
            else:
                self._settings.noted(USED, 1)
                return found
            messages = repaired(messages, reply.content, refused.detail, locale)
        raise refused from None

    async def _ask(self, messages: list[Message], dialogue: Dialogue) -> _Reply:
        """Send in the tightest form that the endpoint is not known to refuse, then in the looser ones."""
        forms = _FORMS[dialogue.alone]
        for form in range(self._form, len(forms)):
            body, most = self._body(messages, forms[form]), self._tokens(messages, forms[form])
            request = _Request(body, self._budget, dialogue.tenant, most)
            try:
                reply = await self._calls.call(request.send, _reply)
            except _FormRefused:
                continue
            await request.settle(reply)
            for what, tokens in zip((TOKENS_IN, TOKENS_OUT), reply.used or (0, 0), strict=True):
                self._settings.noted(what, tokens)
            if form > self._form:
                _LOG.warning("the model endpoint takes no tighter response_format", extra={"form": form})
                self._form = form
            return reply
        raise RejectedOutput("the model endpoint refused the request in every form")

    def _body(self, messages: list[Message], form: dict[str, Any] | None) -> dict[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {
            "model": settings.model,
            "messages": messages,
            settings.output_tokens_field: settings.max_output_tokens,
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if form is not None:
            body["response_format"] = form
        return body

    def _tokens(self, messages: list[Message], form: dict[str, Any] | None) -> tuple[int, int]:
        """The most that a request can use: (in, out)."""
        sent = sum(self._count(message["content"]) + _MESSAGE_TOKENS for message in messages)
        sent += self._count(json.dumps(form))
        return round(sent * _ESTIMATE_MARGIN), self._settings.max_output_tokens


class _Request:
    """A request that is paid for anew each time it is tried.

    A try that was answered with an error was not charged by the endpoint; of one that broke off or came too late
    nobody knows, so it stays paid.
    """

    def __init__(self, body: dict[str, Any], budget: Budget, tenant: str, tokens: tuple[int, int]) -> None:
        self._body = body
        self._budget = budget
        self._tenant = tenant
        self._tokens = tokens
        self._paid: Reservation | None = None

    async def send(self, client: openai.AsyncOpenAI) -> Raw:
        """Pay, then send. Raises BudgetExhausted, `_FormRefused`, and what the client raises."""
        self._paid = await self._budget.reserve(self._tenant, *self._tokens)
        try:
            answer: Raw = await client.chat.completions.with_raw_response.create(**self._body)
        except openai.APIStatusError as error:
            if error.status_code not in _PERHAPS_CHARGED:
                await self._budget.settle(self._paid, 0, 0)
            if error.status_code in _FORM_REFUSED:
                raise _FormRefused(f"the model endpoint refused the request (status {error.status_code})") from None
            raise
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, _NEVER_SENT):
                await self._budget.settle(self._paid, 0, 0)
            raise
        return answer

    async def settle(self, reply: _Reply) -> None:
        """Pay what the endpoint says was used; all that was reserved when it does not say."""
        if self._paid is not None and reply.used is not None:
            await self._budget.settle(self._paid, *reply.used)


def _reply(answer: Any) -> _Reply:
    """The first choice of a chat completion. An answer without one is a failure, not an error: it was paid for."""
    used = _used(answer.get("usage")) if isinstance(answer, dict) else None
    fail = partial(_Reply, "", used=used)
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        content, refusal, finish = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    except (TypeError, KeyError, IndexError, AttributeError):
        return fail("the answer is no chat completion")
    if refusal:
        return fail("the model refuses to answer")
    if isinstance(finish, str) and finish in _UNFINISHED:
        return fail(_UNFINISHED[finish])
    if not isinstance(content, str) or not content.strip():
        return fail("the answer is empty")
    return _Reply(content, "", used)


def _used(usage: Any) -> tuple[int, int] | None:
    """Tokens (in, out) as the endpoint counted them; None when it does not say, or nothing that makes sense."""
    if not isinstance(usage, dict):
        return None
    sent, made = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(sent) is not int or type(made) is not int or not (0 <= sent <= _USAGE_MAX and 0 <= made <= _USAGE_MAX):
        return None
    return sent, made


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
