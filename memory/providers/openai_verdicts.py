"""What is asked of the model of a mind beside its dialogues, one request at a time: what judge and reviewer share."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from memory.errors import DeadlineExceeded
from memory.providers.mind_answer import RejectedOutput
from memory.providers.mind_json import items_of
from memory.providers.mind_prompt import Prompt
from memory.providers.openai_asking import Endpoint, Form, Reply
from memory.providers.openai_mind import REFUSED, USED, OpenAIMindSettings

Answer = TypeVar("Answer")


class Asking(NamedTuple):
    """A request: who pays, what to do, with which data, and in which forms the answer may come."""

    tenant: str
    prompt: Prompt
    data: str
    forms: Sequence[Form]


async def answered(
    settings: OpenAIMindSettings, endpoint: Endpoint, asking: Asking, read: Callable[[str], Answer]
) -> Answer:
    """What `read` makes of the answer; it raises RejectedOutput where that cannot be used.

    Raises TemporaryError when the model cannot be asked now, RejectedOutput when there is no answer that can be used.
    """
    messages = [{"role": "system", "content": asking.prompt.text}, {"role": "user", "content": asking.data}]
    try:
        async with asyncio.timeout(settings.deadline_s):
            reply = await endpoint.ask(messages, asking.forms, asking.tenant)
    except TimeoutError:
        raise DeadlineExceeded(f"no answer of the model within {settings.deadline_s:g} s") from None
    try:
        found = read(_content(reply))
    except RejectedOutput:
        settings.noted(REFUSED, 1)
        raise
    settings.noted(USED, 1)
    return found


def _content(reply: Reply) -> str:
    if reply.failure:
        raise RejectedOutput(reply.failure)
    return reply.content


def list_in(content: str, name: str) -> Sequence[Any]:
    """The list of this name in what a model answers. Raises RejectedOutput when there is none."""
    found, _ = items_of(content, (name,))
    if not found:
        raise RejectedOutput(f"no JSON object with the list {name}")
    return found[name]


def prompt_of(prompts: Mapping[str, Prompt], locale: str) -> Prompt:
    """That of a locale, or of the one there is."""
    return prompts.get(locale) or next(iter(prompts.values()))
