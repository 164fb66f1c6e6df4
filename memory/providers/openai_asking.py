"""Asking a chat endpoint for JSON: paid for before it is sent, in the tightest form that the endpoint takes.

Endpoints differ in what keeps an answer in form: a JSON schema, JSON at all, or words alone. The best is tried first,
and what an endpoint refuses is not tried again.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import httpx2
import openai

from memory.providers.budget import Budget, Reservation
from memory.providers.mind_answer import RejectedOutput
from memory.providers.mind_prompt import Count, Message
from memory.providers.openai_calls import OpenAICalls, OpenAIEndpoint, Raw

_LOG: Final = logging.getLogger("anamnesis.mind")
Form = dict[str, Any] | None
_FORM_REFUSED: Final = (400, 422)
_PERHAPS_CHARGED: Final = (408, 504)
_NEVER_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout)
MESSAGE_TOKENS: Final = 8
ESTIMATE_MARGIN: Final = 1.25
"""An endpoint counts with its own tokenizer, and adds a template."""
_PROBE_TEXT: Final = "Say OK."
_PROBE_TOKENS_MAX: Final = 16
_USAGE_MAX: Final = 100_000_000
_UNFINISHED: Final = {
    "content_filter": "the answer was withheld by a content filter",
}
TOKENS_IN, TOKENS_OUT = "tokens_in", "tokens_out"
Noted = Callable[[str, int], None]
"""Told of what a model took (tokens, as its endpoint counts them) and of what became of its answers. Must not raise."""


def forms(name: str, schema: dict[str, Any]) -> tuple[Form, ...]:
    """Values of `response_format` for answers of a schema, the tightest first; None: not sent."""
    wanted = {"name": name, "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": wanted}, {"type": "json_object"}, None


@dataclass(frozen=True, slots=True)
class Reply:
    """What an endpoint answered: words, or why there are none; and what it says it used."""

    content: str
    failure: str
    used: tuple[int, int] | None


class _FormRefused(RejectedOutput):
    """The endpoint refuses the request: perhaps for its `response_format`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model is asked, and how. `temperature` None: not sent, for models that take none.

    `output_tokens_field`: max_completion_tokens for models that know no max_tokens.
    """

    model: str
    endpoint: OpenAIEndpoint
    temperature: float | None
    max_output_tokens: int
    output_tokens_field: Literal["max_tokens", "max_completion_tokens"]
    noted: Noted


class Endpoint:
    """One model behind an endpoint, with what it may cost. For one event loop."""

    def __init__(self, asked: Asked, budget: Budget, count: Count, now: Callable[[], float]) -> None:
        self._asked = asked
        self._budget = budget
        self._count = count
        self._calls = OpenAICalls(asked.endpoint, now)
        self._form = 0

    async def ask(self, messages: Sequence[Message], forms: Sequence[Form], tenant: str) -> Reply:
        """Send in the tightest form that the endpoint is not known to refuse, then in the looser ones.

        Raises BudgetExhausted before anything is sent that could pass the tenant's budget, RejectedOutput when no form
        is taken, and as `openai_calls` says of an endpoint that is down.
        """
        for form in range(self._form, len(forms)):
            body, most = self._body(messages, forms[form]), self._tokens(messages, forms[form])
            request = _Request(body, self._budget, tenant, most)
            try:
                reply = await self._calls.call(request.send, _reply)
            except _FormRefused:
                continue
            await request.settle(reply)
            for what, tokens in zip((TOKENS_IN, TOKENS_OUT), reply.used or (0, 0), strict=True):
                self._asked.noted(what, tokens)
            if form > self._form:
                _LOG.warning("the model endpoint takes no tighter response_format", extra={"form": form})
                self._form = form
            return reply
        raise RejectedOutput("the model endpoint refused the request in every form")

    def _body(self, messages: Sequence[Message], form: dict[str, Any] | None) -> dict[str, Any]:
        asked = self._asked
        body: dict[str, Any] = {
            "model": asked.model,
            "messages": list(messages),
            asked.output_tokens_field: asked.max_output_tokens,
        }
        if asked.temperature is not None:
            body["temperature"] = asked.temperature
        if form is not None:
            body["response_format"] = form
        return body

    def _tokens(self, messages: Sequence[Message], form: dict[str, Any] | None) -> tuple[int, int]:
        """The most that a request can use: (in, out)."""
        sent = sum(self._count(message["content"]) + MESSAGE_TOKENS for message in messages)
        sent += self._count(json.dumps(form))
        return round(sent * ESTIMATE_MARGIN), self._asked.max_output_tokens

    async def probe(self) -> None:
        """Make one call of a few tokens, past the budget. Raises as `openai_calls` says, and RejectedOutput."""
        body: dict[str, Any] = {"model": self._asked.model, "messages": [{"role": "user", "content": _PROBE_TEXT}]}
        body[self._asked.output_tokens_field] = _PROBE_TOKENS_MAX

        async def send(client: openai.AsyncOpenAI) -> Raw:
            answer: Raw = await client.chat.completions.with_raw_response.create(**body)
            return answer

        await self._calls.call(send, _reply)

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


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

    async def settle(self, reply: Reply) -> None:
        """Pay what the endpoint says was used; all that was reserved when it does not say."""
        if self._paid is not None and reply.used is not None:
            await self._budget.settle(self._paid, *reply.used)


def _reply(answer: Any) -> Reply:
    """The first choice of a chat completion. An answer without one is a failure, not an error: it was paid for."""
    used = _used(answer.get("usage")) if isinstance(answer, dict) else None
    fail = partial(Reply, "", used=used)
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
    return Reply(content, "", used)


def _used(usage: Any) -> tuple[int, int] | None:
    """Tokens (in, out) as the endpoint counted them; None when it does not say, or nothing that makes sense."""
    if not isinstance(usage, dict):
        return None
    sent, made = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(sent) is not int or type(made) is not int or not (0 <= sent <= _USAGE_MAX and 0 <= made <= _USAGE_MAX):
        return None
    return sent, made
