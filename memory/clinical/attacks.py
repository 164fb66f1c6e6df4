"""Attacks that tell of their disease: who has had an asthma attack has asthma, whoever has not said so."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import DISEASE, Finding
from memory.clinical.reactions import is_remedy
from memory.clinical.reading import Reading
from memory.clinical.sketch import Sketch

_OF_A_DISEASE: Final = (
    (re.compile(r"哮喘"), "哮喘"),
    (re.compile(r"asthma"), "asthma"),
    (re.compile(r"癫痫|羊癫疯|羊角风"), "癫痫"),
    (re.compile(r"epilep"), "epilepsy"),
)
"""Words of an attack, and the disease that it is one of."""
_NOT_NOW: Final = re.compile(
    r"会不会|怕|担心|防止|预防|以为|[不没]是|\b(?:if|could|might|afraid|scared|worried|prevent|thought|not an?"
    r"|like an?)\b[^,.;]*$"
)
"""Before it: none is told of."""


def names_an_attack(drawn: Sketch) -> bool:
    """Whether a text has the name of such a disease at all."""
    return any(words.search(drawn.lowered) for words, _ in _OF_A_DISEASE)


def attacks(reading: Reading) -> Iterator[Finding]:
    """The diseases of attacks that are told as had; possible only where something that was taken may have caused it."""
    may_have_come = any(not is_remedy(group) for _, group in reading.groups("S"))
    for at, group in reading.groups("RY"):
        clause = reading.sketch.clause_at(at)
        for member in group.members:
            said = reading.sketch.lowered[member.start : member.end]
            name = next((disease for words, disease in _OF_A_DISEASE if words.search(said)), "")
            if not name or reading.asks(clause) or reading.retracted(at) or reading.denied(at, at + 1):
                continue
            if _NOT_NOW.search(reading.prefix(at)) or reading.grammar.denied_before.search(reading.prefix(at)):
                continue
            yield from reading.told(DISEASE, name, at, possible=may_have_come)
