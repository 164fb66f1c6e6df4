"""Medicines that somebody wants stopped who is no doctor: that is no news of what is taken."""

from typing import Final

from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.sketch import Clause, Sketch

_NEAR: Final = 200
"""Letters around it in which somebody says who may stop it, or that they did."""


def is_wanted_by_others(drawn: Sketch, clause: Clause, health: HealthGrammar) -> bool:
    """Whether a clause says nothing but that, no doctor is spoken of near it, and nothing says that it was done.

    Where that is in doubt it is not: what is said to be stopped is then read as it is without.
    """
    if not health.others_want.search(drawn.drawn[clause.start : clause.end]):
        return False
    if health.staff.search(drawn.drawn[max(0, clause.start - _NEAR) : clause.end + _NEAR]):
        return False
    rest = drawn.drawn[clause.end : clause.end + _NEAR]
    return health.not_followed.search(rest) is not None or health.followed.search(rest) is None
