"""Appointments: what somebody has been given a day for."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import APPOINTMENT, MOVED, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause

_ONLY_WHEN: Final = (
    re.compile(r"(?:\s|还是|就|是|在|定在|改成|时间|on|for|at|still|that'?s|it'?s|the)*$"),
    re.compile(
        r"(?:\s|[上下中]午|早上|晚上|的|吧|[\d一二三四五六七八九十]+点(?:半|\d+分?)?|at|morning|afternoon|evening|[\d:.]+|[ap]m)*$"
    ),
)
"""Before and behind a day in a clause that says no more than when."""


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
        before, after = _ONLY_WHEN
        if (
            day and before.match(behind, 0, day.start()) and after.match(behind, day.end())
        ):  # 我挂了王医生的号，周三上午
            words = reading.words(clause, follows[0])
    return words, health.moved.search(words) is not None
