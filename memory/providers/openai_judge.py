"""Which labels mean one thing, and which answers rest on which memories, as the model of a chat endpoint says.

Of labels it is asked, and guards are asked too. Of answers it can do no more than make a memory that was shown last.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from memory.language.choice import AUTO, LANGUAGES
from memory.model.extraction import Likely, Said
from memory.providers.mind_prompt import Prompt, data_between, load_same_prompt, load_used_prompt
from memory.providers.openai_asking import Endpoint, forms
from memory.providers.openai_mind import OpenAIMindSettings
from memory.providers.openai_verdicts import Asking, answered, list_in, prompt_of

_TEXT_CHARS_MAX: Final = 1_000
"""Of a message: what is longer is cut."""
_SAID: Final[Mapping[str, bool | None]] = {"yes": True, "no": False, "unsure": None}
_ITEM: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["number", "same"],
    "properties": {"number": {"type": "integer"}, "same": {"type": "string", "enum": list(_SAID)}},
}
_USE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["memory", "answer"],
    "properties": {"memory": {"type": "integer"}, "answer": {"type": "integer"}},
}
_USED_FORMS: Final = forms(
    "used",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["used"],
        "properties": {"used": {"type": "array", "items": _USE}},
    },
)
_FORMS: Final = forms(
    "verdicts",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["verdicts"],
        "properties": {"verdicts": {"type": "array", "items": _ITEM}},
    },
)


class OpenAIJudge:
    """The port `Judge` by the endpoint of a mind, within the same budget and breaker."""

    def __init__(self, settings: OpenAIMindSettings, endpoint: Endpoint) -> None:
        locales = LANGUAGES if settings.locale == AUTO else (settings.locale,)
        self._prompts = {locale: load_same_prompt(locale) for locale in locales}
        self._used_prompts = {locale: load_used_prompt(locale) for locale in locales}
        version = max(prompt.version for prompt in self._prompts.values())
        self.name = f"openai/{settings.model} (same {version})"
        self._settings = settings
        self._endpoint = endpoint

    async def same(self, tenant: str, locale: str, pairs: Sequence[Likely]) -> Sequence[bool | None]:
        """One request. A pair with an identifier that the endpoint is not shown is not asked about (None).

        Raises as the port says.
        """
        asked = await asyncio.to_thread(self._asked, pairs)
        if not asked:
            return [None] * len(pairs)
        data = data_between("pairs", {"pairs": list(asked.values())})
        found = await self._answer(tenant, prompt_of(self._prompts, locale), data, "verdicts")
        said = _read(found)
        return [said.get(number) if number in asked else None for number in range(len(pairs))]

    async def used(
        self, tenant: str, locale: str, said: Sequence[Said], memories: Sequence[str]
    ) -> Sequence[Sequence[int]]:
        """One request. What it names that it was not shown is passed over. Raises as the port says."""
        data = await asyncio.to_thread(self._dialogue, said, memories)
        found = await self._answer(tenant, prompt_of(self._used_prompts, locale), data, "used")
        answers = {each.seq for each in said if not each.own}
        named = {use for use in map(_use, found) if use is not None and use[1] in answers}
        return [sorted(seq for number, seq in named if number == place) for place in range(1, len(memories) + 1)]

    async def _answer(self, tenant: str, prompt: Prompt, data: str, name: str) -> Sequence[Any]:
        """The list of this name in what the model answers."""
        asking = Asking(tenant, prompt, data, _FORMS if name == "verdicts" else _USED_FORMS)
        return await answered(self._settings, self._endpoint, asking, partial(list_in, name=name))

    def _dialogue(self, said: Sequence[Said], memories: Sequence[str]) -> str:
        hide = self._settings.withheld.text
        messages = [
            {"seq": each.seq, "who": "user" if each.own else "agent", "text": hide(each.text)[:_TEXT_CHARS_MAX]}
            for each in said
        ]
        shown = [{"number": number, "text": hide(text)} for number, text in enumerate(memories, 1)]
        return data_between("answers", {"memories": shown, "messages": messages})

    def _asked(self, pairs: Sequence[Likely]) -> dict[int, dict[str, Any]]:
        """What is shown of each pair, by its number."""
        hide, shown = self._settings.withheld.text, dict[int, dict[str, Any]]()
        for number, (one, other, said, said_other) in enumerate(pairs):
            if hide(one) == one and hide(other) == other:
                words = {"said_a": hide(said), "said_b": hide(said_other)}
                shown[number] = {"number": number, "a": one, "b": other, **words}
        return shown


def _use(item: Any) -> tuple[int, int] | None:
    """Which memory which answer rests on; None where it says neither."""
    memory, answer = (item.get("memory"), item.get("answer")) if isinstance(item, Mapping) else (None, None)
    return (memory, answer) if type(memory) is int and type(answer) is int else None


def _read(items: Sequence[Any]) -> dict[int, bool | None]:
    """What is said of each number; of one that is named twice with two verdicts nothing."""
    said: dict[int, bool | None] = {}
    for item in items:
        number, same = (item.get("number"), item.get("same")) if isinstance(item, Mapping) else (None, None)
        if type(number) is int and isinstance(same, str) and same in _SAID:
            verdict = _SAID[same]
            said[number] = verdict if said.get(number, verdict) == verdict else None
    return said
