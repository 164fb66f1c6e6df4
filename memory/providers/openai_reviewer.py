"""Whether a memory is kept, let go, or never fades, as the model of a chat endpoint says.

Its answer is read strictly: one object, with one verdict that it was offered. What a memory says may be an order to
the model; whatever it makes of it, it decides about that memory alone, and archives at most.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from memory.language.choice import AUTO, LANGUAGES
from memory.model.review import OF_MODELS, Case, Cause, Ruling, Search, Shown, Verdict
from memory.providers.mind_answer import RejectedOutput
from memory.providers.mind_json import objects_of
from memory.providers.mind_prompt import data_between, load_review_prompt
from memory.providers.openai_asking import Endpoint, Form, forms
from memory.providers.openai_mind import OpenAIMindSettings
from memory.providers.openai_verdicts import Asking, answered, prompt_of

_TEXT_CHARS_MAX: Final = 1_000
"""Of a memory: what is longer is cut."""
_WHY: Final = {
    "lasts": "it is a fact that lasts",
    "agreed": "it is an agreement",
    "passing": "it is of a while: a state, a plan, a topic of these days",
    "over": "it is so no longer",
    "replaced": "something newer has taken its place",
    "matters": "it still matters",
    "idle": "it matters no longer",
}
"""What a model may give as its reason. Words of its own could be those of another memory, which may be forgotten."""
_WORDS_CHARS_MAX: Final = 100
_SEARCH: Final = "SEARCH"


def _offered(cause: Cause, *, may_search: bool) -> tuple[str, ...]:
    return (*OF_MODELS[cause], _SEARCH) if may_search else tuple(OF_MODELS[cause])


def _forms(verdicts: Sequence[str]) -> tuple[Form, ...]:
    words = {"type": "string"}
    return forms(
        "review",
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["why", "verdict", "words"],
            "properties": {
                "why": {"type": "string", "enum": list(_WHY)},
                "verdict": {"type": "string", "enum": list(verdicts)},
                "words": words,
            },
        },
    )


_FORMS: Final = {
    (cause, may_search): _forms(_offered(cause, may_search=may_search))
    for cause in OF_MODELS
    for may_search in (False, True)
}


class OpenAIReviewer:
    """The port `Reviewer` by the endpoint of a mind, within the same budget and breaker."""

    def __init__(self, settings: OpenAIMindSettings, endpoint: Endpoint) -> None:
        locales = LANGUAGES if settings.locale == AUTO else (settings.locale,)
        self._prompts = {locale: load_review_prompt(locale) for locale in locales}
        version = max(prompt.version for prompt in self._prompts.values())
        self.name = f"openai/{settings.model} (review {version})"
        self._settings = settings
        self._endpoint = endpoint

    async def review(self, tenant: str, locale: str, case: Case) -> Ruling | Search:
        """One request. Raises as the port says."""
        offered = _offered(case.cause, may_search=case.may_search)
        data = await asyncio.to_thread(self._data, case, offered)
        prompt, taken = prompt_of(self._prompts, locale), _FORMS[case.cause, case.may_search]
        asking = Asking(tenant, prompt, data, taken)
        return await answered(self._settings, self._endpoint, asking, partial(_read, offered=offered))

    def _data(self, case: Case, offered: Sequence[str]) -> str:
        shown = {
            "today": case.today,
            "question": case.cause,
            "verdicts": offered,
            "memory": self._shown(case.memory),
            "others": [self._shown(each) for each in case.beside],
            "searched": [self._settings.withheld.text(words) for words in case.searched],
        }
        return data_between("review", shown)

    def _shown(self, memory: Shown) -> dict[str, Any]:
        hide = self._settings.withheld.text
        told = {"text": hide(memory.text)[:_TEXT_CHARS_MAX], "day": memory.day, "uses": memory.uses}
        return told | {"fact": hide(memory.fact)[:_TEXT_CHARS_MAX]} if memory.fact else told


def _read(content: str, offered: Sequence[str]) -> Ruling | Search:
    """The one verdict of an answer. Raises RejectedOutput for none, for several, and for one that was not offered."""
    found = [each for each in objects_of(content) if "verdict" in each]
    if len(found) != 1:
        raise RejectedOutput(f"{len(found)} JSON objects with a verdict")
    verdict = found[0]["verdict"]
    if not isinstance(verdict, str) or verdict not in offered:
        raise RejectedOutput("no verdict that was offered")
    if verdict != _SEARCH:
        return Ruling(Verdict(verdict), _WHY.get(str(found[0].get("why")), ""))
    words = _on_a_line(found[0], "words")[:_WORDS_CHARS_MAX]
    if not words:
        raise RejectedOutput("a search for nothing")
    return Search(words)


def _on_a_line(answer: Mapping[str, Any], name: str) -> str:
    """A text of an answer without line breaks, and without what cannot be printed; empty where it is none."""
    text = answer.get(name)
    if not isinstance(text, str):
        return ""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
