"""Appointments: what somebody has been given a day for."""

from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import APPOINTMENT, MOVED, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause

_BEFORE_MAX: Final = 6
_TIME_MAX: Final = 12
"""Letters before a day, 还是 and still, and behind it, its time: then a clause says no more than when."""


def appointments(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """A clause that names an occasion and a day to come; or that one was moved to another day."""
    asked = reading.answers_about(health.asks_moved) and not health.no.search(reading.drawn)
    for clause in reading.sketch.clauses:
        words, moved = _told(reading, health, clause)
        days = list(health.day.finditer(words))
        if days and asked:  # did they rebook you? yes, for the 17th
            moved, asked = True, False
        if not days or health.called_off.search(words) or reading.asks(clause):
            continue
        if reading.retracted(clause.start + days[0].start()) or health.not_taken_before.search(
            words[: days[0].start()]
        ):
            continue
        if not moved and (health.occasion.search(words) is None or health.was.search(words)):
            continue
        start, end = clause.start, clause.start + len(words)
        for finding in reading.told(APPOINTMENT, reading.sketch.quote(start, end), start, end=end):
            now = days[-1] if moved else days[0]  # from the 14th to the 2nd
            when = reading.sketch.quote(start + now.start(), start + now.end())
            yield finding._replace(attributes=(("when", when), *(((MOVED, "true"),) if moved else ())))


def _told(reading: Reading, health: HealthGrammar, clause: Clause) -> tuple[str, bool]:
    """What a clause says, and whether it says that something was moved; with the next, if that only says to when."""
    words, follows = reading.words(clause, clause), reading.following(clause)
    if follows and health.moved_alone.search(words):  # moved again. Jan 5 at 2pm
        return reading.words(clause, follows[0]), True
    if follows and health.occasion.search(words) and not health.day.search(words):
        behind = reading.words(follows[0], follows[0])
        day = health.day.search(behind)
        if (
            day and day.start() <= _BEFORE_MAX and len(behind.rstrip()) - day.end() <= _TIME_MAX
        ):  # 我挂了王医生的号，周三上午
            words = reading.words(clause, follows[0])
    return words, health.moved.search(words) is not None
