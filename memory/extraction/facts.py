"""Facts by rule: what a user's own words say about the user and about relatives, without a model.

Chinese and English. The rules prefer silence to a wrong fact: questions, suppositions, hearsay, advice and
other people's affairs yield nothing. A fact carries the clause it was read from, as evidence.
"""

import re
from typing import Final

from memory.extraction.fact_frame import Fact
from memory.extraction.facts_en import en_facts
from memory.extraction.facts_zh import zh_facts

__all__ = ["Fact", "find_facts"]

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def find_facts(text: str, user_name: str = "") -> list[Fact]:
    """Facts that a user's text states, in its order, each once; never raises, linear in the text's length.

    The subject is "user" or a relative ("爸爸" whatever the word for father was; English as said). `user_name`
    is a name under which the user may speak of themself. A name in a family fact follows the role: "女儿朵朵".
    """
    facts = zh_facts(text, user_name) if _HAN.search(text) else en_facts(text, user_name)
    return list(dict.fromkeys(facts))
