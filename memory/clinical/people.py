"""Whose a word of medicine is: the nearest person named before it, who goes on into the clauses that name nobody."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from memory.clinical.grammar import Grammar
from memory.clinical.sketch import Sketch, pattern

_NEAR: Final = 8
_IS_ONE: Final = pattern(r"(?:我|本人|俺)(?:也|还)?是(?:一?[个名位])?<D>?$|^<D>$|^大[一二三四]$")
"""Right before a disease, or behind it: its patient is the speaker."""
_STAFF: Final = re.compile(
    r"医生|大夫|主任|专家|护士|\b(?:doctors?|dr|doc|gp|nurse|consultant|specialist|surgeon|psych\w*|derm\w*|neuro\w*|endo"
    r"|rheum\w*|cardiologist|pharmacist|physio|midwife|dentist|therapist|oncologist|pa|np|gyn\w*)\b"
)
"""Who treats somebody: he and she are they, where nobody else has been named."""
_DOES: Final = re.compile(r"(?<![把给让跟对和帮带陪叫替])[他她]们?(?!的)|\b(?:he|she|they)\b")
"""Somebody who does something, and to whom nothing is done."""
USER: Final = "user"
OTHER: Final = ""
"""Somebody of whom nothing is kept."""


class People:
    """Who is spoken of at each place of a drawing. `first`: before anybody is named."""

    def __init__(self, sketch: Sketch, grammar: Grammar, first: str = USER) -> None:
        self._first = first
        self._starts: list[int] = []
        self._subjects: list[str] = []
        relative = first if first != USER else OTHER
        staff = _STAFF.search(sketch.lowered)
        staff_at = staff.start() if staff else len(sketch.lowered)
        for found in grammar.people.finditer(sketch.lowered):
            place = sketch.place_of(found.start())
            other = found.lastgroup == "other" and not _IS_ONE.search(sketch.drawn, max(0, place - _NEAR), place)
            if place in sketch.groups and not other:  # the 他 of 他汀; 我是糖尿病人
                continue
            subject = USER
            if found.lastgroup == "relative":
                subject = relative = found.group().strip().removesuffix("'s").removesuffix("'")
            elif found.lastgroup == "pronoun":
                if (
                    relative == OTHER
                    and set(self._subjects) <= {USER}
                    and (
                        grammar.staff.match(sketch.lowered, found.start())
                        or (staff_at < found.start() and _DOES.match(sketch.lowered, found.start()))
                    )
                ):
                    continue  # they: those who treated the user
                subject = relative
            elif found.lastgroup == "other":
                subject = OTHER
                relative = OTHER
            self._starts.append(place)
            self._subjects.append(subject)

    @property
    def named(self) -> Sequence[str]:
        """Those who are named, in their order."""
        return self._subjects

    def at(self, place: int) -> str:
        """Who is spoken of there: USER, a relative as said, or OTHER."""
        index = bisect_right(self._starts, place) - 1
        return self._subjects[index] if index >= 0 else self._first

    def own_after(self, place: int, until: int) -> bool:
        """Whether the user names themself in a stretch."""
        first = bisect_right(self._starts, place)
        last = bisect_right(self._starts, until)
        return USER in self._subjects[first:last]


def asked_about(question: str, grammars: Sequence[Grammar]) -> str:
    """Of whom a short answer to this speaks: a relative who is asked about, else the user."""
    lowered = question.lower()
    for grammar in grammars:
        for found in grammar.people.finditer(lowered):
            if found.lastgroup == "relative":
                return found.group().strip()
    return USER
