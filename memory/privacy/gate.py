"""The privacy gate: which of a user's texts say something about the user that is worth remembering.

Clause by clause, by rules, Chinese and English. Greetings, commands, questions, public knowledge and small
talk are PUBLIC. Where the rules are unsure a text is PRIVATE: a missed fact is lost, a platitude only costs
room.
"""

import re
from typing import Final

from memory.privacy.gate_en import private_clause_en
from memory.privacy.gate_zh import private_clause_zh
from memory.privacy.verdict import PRIVATE, PUBLIC, Verdict, identifier_in

__all__ = ["PRIVATE", "PUBLIC", "Verdict", "classify"]

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def classify(text: str) -> Verdict:
    """Whether a user's text is worth remembering; never raises, linear in the text's length.

    The reason is the rule's name, a colon and the deciding clause as it stands in the text; a PUBLIC verdict
    names the rule that let its last clause go.
    """
    identifier = identifier_in(text)
    if identifier:
        return Verdict(PRIVATE, f"identifier: {identifier}")
    read = private_clause_zh if _HAN.search(text) else private_clause_en
    private, rule, clause = read(text)
    return Verdict(PRIVATE if private else PUBLIC, f"{rule}: {clause}")
