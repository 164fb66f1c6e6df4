"""Rewriting a query or an utterance so that it stands alone: pronouns replaced by what they stand for.

Rules only, no model. Chinese where the text holds a Han letter, English otherwise. The rules would rather leave a
pronoun than put in a wrong name, and every decision carries its reason.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.language.coreference.en.prose import choose_antecedent
from memory.language.coreference.en.query import resolve_en
from memory.language.coreference.values import CONTEXT_UTTERANCES_MAX, Resolution, Utterance
from memory.language.coreference.zh.query import resolve_zh
from memory.language.tagger import Tagger

__all__ = ["Resolution", "Utterance", "choose_antecedent", "resolve"]

_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def resolve(text: str, context: Sequence[Utterance], user_name: str = "", tagger: Tagger | None = None) -> Resolution:
    """Put the antecedent in the place of the text's first pronoun, where it is certain enough.

    `context` is what was said before, oldest first; its last five utterances count. The text is taken as the user's;
    `user_name` is never an antecedent. Never raises, and never returns an empty text for one that was not. At most
    about 0.2 ms with two short utterances; a text without a pronoun costs some microseconds.
    """
    recent = context[-CONTEXT_UTTERANCES_MAX:]
    if _HAN.search(text):
        return resolve_zh(text, recent, user_name, tagger)
    return resolve_en(text, recent, user_name)
