"""Which labels mean one thing, as the model of a chat endpoint says. It is asked; guards are asked too."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from memory.errors import DeadlineExceeded
from memory.language.choice import AUTO, LANGUAGES
from memory.model.extraction import Likely
from memory.providers.mind_answer import RejectedOutput
from memory.providers.mind_json import items_of
from memory.providers.mind_prompt import data_between, load_same_prompt
from memory.providers.openai_asking import Endpoint, forms
from memory.providers.openai_mind import REFUSED, USED, OpenAIMindSettings

_SAID: Final[Mapping[str, bool | None]] = {"yes": True, "no": False, "unsure": None}
_ITEM: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["number", "same"],
    "properties": {"number": {"type": "integer"}, "same": {"type": "string", "enum": list(_SAID)}},
}
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
        prompt = self._prompts.get(locale) or next(iter(self._prompts.values()))
        messages = [
            {"role": "system", "content": prompt.text},
            {"role": "user", "content": data_between("pairs", {"pairs": list(asked.values())})},
        ]
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                reply = await self._endpoint.ask(messages, _FORMS, tenant)
        except TimeoutError:
            raise DeadlineExceeded(f"no verdicts of the model within {self._settings.deadline_s:g} s") from None
        found, _ = items_of(reply.content, ("verdicts",))
        if reply.failure or not found:
            self._settings.noted(REFUSED, 1)
            raise RejectedOutput(reply.failure or "no JSON object with the list verdicts")
        self._settings.noted(USED, 1)
        said = _read(found["verdicts"])
        return [said.get(number) if number in asked else None for number in range(len(pairs))]

    def _asked(self, pairs: Sequence[Likely]) -> dict[int, dict[str, Any]]:
        """What is shown of each pair, by its number."""
        hide, shown = self._settings.withheld.text, dict[int, dict[str, Any]]()
        for number, (one, other, said, said_other) in enumerate(pairs):
            if hide(one) == one and hide(other) == other:
                words = {"said_a": hide(said), "said_b": hide(said_other)}
                shown[number] = {"number": number, "a": one, "b": other, **words}
        return shown


def _read(items: Sequence[Any]) -> dict[int, bool | None]:
    """What is said of each number; of one that is named twice with two verdicts nothing."""
    said: dict[int, bool | None] = {}
    for item in items:
        number, same = (item.get("number"), item.get("same")) if isinstance(item, Mapping) else (None, None)
        if type(number) is int and isinstance(same, str) and same in _SAID:
            verdict = _SAID[same]
            said[number] = verdict if said.get(number, verdict) == verdict else None
    return said
