"""Which questions have answers that tell for safety what they do not say themselves."""

import re
from collections.abc import Iterable
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.grammar import Grammar
from memory.clinical.harm_answered import asks_what_did_harm
from memory.clinical.languages import in_use

ASKS_NURSING: Final = re.compile(r"^(?!.*(?:孕|妊娠|pregnan)).*(?:哺乳|母乳|breast-?feed|nursing)")
"""Asks for nursing and not for a pregnancy."""


def may_mean_more(question: Question) -> bool:
    """Whether an answer to this may tell for safety what it does not say itself: else `answers` finds nothing."""
    asked = question.asking
    return (
        question.names_medicine
        or any(asks.search(asked) for grammar in in_use().grammars for asks in _asks_for(grammar))
        or ASKS_NURSING.search(asked) is not None
        or asks_what_did_harm(question)
    )


def _asks_for(grammar: Grammar) -> Iterable[re.Pattern[str]]:
    return (
        grammar.asks_allergy,
        grammar.asks_disease,
        grammar.asks_operation,
        grammar.asks_thinner,
        grammar.asks_pregnancy,
    )
