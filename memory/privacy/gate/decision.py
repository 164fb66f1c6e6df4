"""The privacy gate: which of a user's texts say something about the user that is worth remembering.

Clause by clause, by rules, Chinese and English. Greetings, commands, questions, public knowledge and small
talk are PUBLIC. Where the rules are unsure a text is PRIVATE: a missed fact is lost, a platitude only costs
room.
"""

import re
from typing import Final

from memory.language.clauses import cut
from memory.privacy.gate import en as gate_en
from memory.privacy.gate import zh as gate_zh
from memory.privacy.identifiers import find_identifiers
from memory.privacy.placeholders import MARK
from memory.privacy.verdict import PRIVATE, PUBLIC, Verdict

__all__ = ["PRIVATE", "PUBLIC", "Verdict", "classify"]

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_DIGIT_OR_AT: Final = re.compile(r"[0-9@\uff10-\uff19\uff20]")
_TELLING: Final = frozenset({"email", "mobile", "landline", "phone", "id_card", "passport", "card", "iban", "ssn"})


def classify(text: str) -> Verdict:
    """Whether a user's text is worth remembering; never raises, linear in the text's length.

    A PUBLIC verdict names the rule that let its last clause go.
    """
    identifier = _identifier_in(text)
    if identifier:
        return Verdict(PRIVATE, "identifier", identifier)
    gate = gate_zh if _HAN.search(text) else gate_en
    rule, last = "nothing", ""
    for clause in cut(gate.BORDER, text):
        private, rule = gate.judge(clause)
        last = clause.text
        if private:
            return Verdict(PRIVATE, rule, last)
    return Verdict(PUBLIC, rule, last)


def _identifier_in(text: str) -> str:
    """The first identifier of a text that is somebody's, or the mark that stands for one, or nothing."""
    for mark in MARK.finditer(text):
        if mark[1] in _TELLING:
            return mark[0]
    if not _DIGIT_OR_AT.search(text):
        return ""
    found = (text[span.start : span.end] for span in find_identifiers(text) if span.kind in _TELLING)
    return next(found, "")
