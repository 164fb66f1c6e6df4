"""Facts by rule: what a user's own words say about the user and about relatives, without a model.

Chinese and English. The rules prefer silence to a wrong fact: questions, suppositions, hearsay, advice and
other people's affairs yield nothing. A fact carries the clause it was read from, as evidence.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.clinical.sketch import simplified
from memory.extraction.facts.en.clauses import en_facts
from memory.extraction.facts.en.people import introduced_names as names_en
from memory.extraction.facts.frame import Fact
from memory.extraction.facts.zh.clauses import zh_facts
from memory.extraction.facts.zh.people import introduced_names as names_zh
from memory.extraction.statements.resolved import Resolved

__all__ = ["Fact", "find_facts", "find_resolved_facts", "introduced_names"]

_OF_SAFETY: Final = frozenset({"allergy", "disease"})
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def introduced_names(texts: Sequence[str]) -> frozenset[str]:
    """Names of the people whom a user's texts introduce: 我女儿叫灿灿, my daughter Mia."""
    chinese = [text for text in texts if _HAN.search(text)]
    return names_zh(chinese) | names_en([text for text in texts if text not in chinese])


def find_facts(text: str, user_name: str = "", known: frozenset[str] = frozenset()) -> list[Fact]:
    """Facts that a user's text states, in its order, each once; never raises, linear in the text's length.

    The subject is "user", a relative ("爸爸" whatever the word for father was; English as said) or a person's name.
    `user_name` is a name under which the user may speak of themself; `known` are names that were introduced before.
    A clause about anybody else yields nothing. A name in a family fact follows the role: "女儿朵朵".
    """
    if not _HAN.search(text):
        return list(dict.fromkeys(en_facts(text, user_name, known)))
    return list(dict.fromkeys([*zh_facts(text, user_name, known), *_denied_in_traditional(text, user_name, known)]))


def _denied_in_traditional(text: str, user_name: str, known: frozenset[str]) -> list[Fact]:
    """Denials of health as simplified characters have them, in the characters that were typed.

    Denials alone: what is claimed of health is read in either script elsewhere, and names must stay as they are typed.
    """
    plain = simplified(text)
    facts = zh_facts(plain, simplified(user_name), frozenset(map(simplified, known))) if plain != text else ()
    denied = [fact for fact in facts if fact.polarity == "-" and fact.predicate in _OF_SAFETY]
    return [_as_typed(fact, plain, text) for fact in denied]


def _as_typed(fact: Fact, plain: str, text: str) -> Fact:
    at = plain.find(fact.quote)
    if at < 0:
        return fact
    quote = text[at : at + len(fact.quote)]
    place = fact.quote.find(fact.object)
    what = quote[place : place + len(fact.object)] if place >= 0 else fact.object
    return fact._replace(object=what, quote=quote)


def find_resolved_facts(resolved: Resolved, user_name: str = "", known: frozenset[str] = frozenset()) -> list[Fact]:
    """Facts of a message whose pronouns are resolved, each with the words that were said as its quote."""
    found = find_facts(resolved.text, user_name, known)
    return [fact._replace(quote=said) for fact in found if (said := resolved.quoted(fact.quote))]
