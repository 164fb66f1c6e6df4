"""What the model of a chat endpoint says of labels, of answers, and of what is taken back.

Of labels it is asked, and guards are asked too. Of answers it can do no more than make a memory that was shown last.
Of what is held it can end no more than `memory.consolidation.corrections` lets it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from memory.clinical.people import USER
from memory.language.choice import AUTO, LANGUAGES
from memory.model.extraction import Correction, Held, Likely, Said
from memory.providers.mind_prompt import (
    Prompt,
    data_between,
    load_corrected_prompt,
    load_same_prompt,
    load_used_prompt,
)
from memory.providers.openai_asking import Endpoint, forms
from memory.providers.openai_mind import OpenAIMindSettings
from memory.providers.openai_verdicts import Asking, answered, list_in, prompt_of
from memory.session.times import rfc3339

_TEXT_CHARS_MAX: Final = 1_000
"""Of a message: what is longer is cut."""
_SAID: Final[Mapping[str, bool | None]] = {"yes": True, "no": False, "unsure": None}


def _list_of(name: str, **fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an answer: one list of this name, of objects with these fields."""
    item = {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}
    every = {name: {"type": "array", "items": item}}
    return {"type": "object", "additionalProperties": False, "required": [name], "properties": every}


_NUMBER: Final = {"type": "integer"}
_WORDS: Final = {"type": "string"}
_SCHEMAS: Final = {
    "verdicts": _list_of("verdicts", number=_NUMBER, same={"type": "string", "enum": list(_SAID)}),
    "used": _list_of("used", memory=_NUMBER, answer=_NUMBER),
    "corrections": _list_of("corrections", held=_NUMBER, message=_NUMBER, quote=_WORDS, right=_WORDS),
}
_FORMS: Final = {name: forms(name, schema) for name, schema in _SCHEMAS.items()}


class OpenAIJudge:
    """The port `Judge` by the endpoint of a mind, within the same budget and breaker."""

    def __init__(self, settings: OpenAIMindSettings, endpoint: Endpoint) -> None:
        locales = LANGUAGES if settings.locale == AUTO else (settings.locale,)
        self._prompts = {locale: load_same_prompt(locale) for locale in locales}
        self._used_prompts = {locale: load_used_prompt(locale) for locale in locales}
        self._corrected_prompts = {locale: load_corrected_prompt(locale) for locale in locales}
        every = (self._prompts, self._used_prompts, self._corrected_prompts)
        version = max(prompt.version for prompts in every for prompt in prompts.values())
        self.name = f"openai/{settings.model} (judge {version})"
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
        data = await asyncio.to_thread(self._answers, said, memories)
        found = await self._answer(tenant, prompt_of(self._used_prompts, locale), data, "used")
        answers = {each.seq for each in said if not each.own}
        named = {use for use in map(_use, found) if use is not None and use[1] in answers}
        return [sorted(seq for number, seq in named if number == place) for place in range(1, len(memories) + 1)]

    async def corrected(
        self, tenant: str, locale: str, said: Sequence[Said], held: Sequence[Held]
    ) -> Sequence[Correction]:
        """One request. What it names that it was not shown is passed over, but in the words of its quotes.

        Raises as the port says. A held fact with an identifier that the endpoint is not shown is not asked about.
        """
        shown = await asyncio.to_thread(self._held, said, held)
        if shown is None:
            return []
        found = await self._answer(tenant, prompt_of(self._corrected_prompts, locale), shown.data, "corrections")
        named = (_correction(item) for item in found)
        return [each for each in named if each is not None and each.held in shown.places and each.seq in shown.seqs]

    async def _answer(self, tenant: str, prompt: Prompt, data: str, name: str) -> Sequence[Any]:
        """The list of this name in what the model answers."""
        asking = Asking(tenant, prompt, data, _FORMS[name])
        return await answered(self._settings, self._endpoint, asking, partial(list_in, name=name))

    def _answers(self, said: Sequence[Said], memories: Sequence[str]) -> str:
        shown = [{"number": number, "text": self._hide(text)} for number, text in enumerate(memories, 1)]
        return data_between("answers", {"memories": shown, "messages": [self._message(each) for each in said]})

    def _held(self, said: Sequence[Said], held: Sequence[Held]) -> "_Shown | None":
        facts = {
            place: {"number": place + 1, "subject": each.subject, "predicate": each.predicate, "object": each.object,
                    "said": self._hide(each.said)[:_TEXT_CHARS_MAX], "day": _day(each.at_ms)}
            for place, each in enumerate(held)
            if self._hide(each.object) == each.object and self._hide(each.subject) == each.subject
        }  # fmt: skip
        messages = [{**self._message(each), **self._named(each), "day": _day(each.at_ms)} for each in said]
        data = data_between("held", {"held": list(facts.values()), "messages": messages})
        return _Shown(data, frozenset(facts), frozenset(each.seq for each in said)) if facts else None

    def _message(self, said: Said) -> dict[str, Any]:
        text = self._hide(said.text)[:_TEXT_CHARS_MAX]
        return {"seq": said.seq, "who": "user" if said.own else "agent", "text": text}

    def _named(self, said: Said) -> dict[str, str]:
        """Under which name a person speaks, where several may."""
        return {"name": self._hide(said.speaker)} if said.own and said.speaker != USER else {}

    def _hide(self, text: str) -> str:
        return self._settings.withheld.text(text)

    def _asked(self, pairs: Sequence[Likely]) -> dict[int, dict[str, Any]]:
        """What is shown of each pair, by its number."""
        hide, shown = self._hide, dict[int, dict[str, Any]]()
        for number, (one, other, said, said_other) in enumerate(pairs):
            if hide(one) == one and hide(other) == other:
                words = {"said_a": hide(said), "said_b": hide(said_other)}
                shown[number] = {"number": number, "a": one, "b": other, **words}
        return shown


class _Shown(NamedTuple):
    """What a model is shown of what is held: which places of it, and which messages."""

    data: str
    places: frozenset[int]
    seqs: frozenset[int]


def _day(at_ms: int) -> str:
    return rfc3339(at_ms)[:10]


def _use(item: Any) -> tuple[int, int] | None:
    """Which memory which answer rests on; None where it says neither."""
    memory, answer = (item.get("memory"), item.get("answer")) if isinstance(item, Mapping) else (None, None)
    return (memory, answer) if type(memory) is int and type(answer) is int else None


def _correction(item: Any) -> Correction | None:
    """What an item of an answer says; None where it has not the form."""
    if not isinstance(item, Mapping):
        return None
    number, seq, quote, right = (item.get(name) for name in ("held", "message", "quote", "right"))
    if type(number) is not int or type(seq) is not int or not isinstance(quote, str):
        return None
    return Correction(number - 1, seq, quote, right.strip() if isinstance(right, str) else "")


def _read(items: Sequence[Any]) -> dict[int, bool | None]:
    """What is said of each number; of one that is named twice with two verdicts nothing."""
    said: dict[int, bool | None] = {}
    for item in items:
        number, same = (item.get("number"), item.get("same")) if isinstance(item, Mapping) else (None, None)
        if type(number) is int and isinstance(same, str) and same in _SAID:
            verdict = _SAID[same]
            said[number] = verdict if said.get(number, verdict) == verdict else None
    return said
