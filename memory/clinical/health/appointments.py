"""Appointments: what somebody has been given a day for."""

from collections.abc import Iterator

from memory.clinical.findings import APPOINTMENT, MOVED, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import Reading


def appointments(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """A clause that names an occasion and a day to come; or that one was moved to another day."""
    for clause in reading.sketch.clauses:
        words = reading.words(clause, clause)
        days = list(health.day.finditer(words))
        day = days[0] if days else None
        if (
            day is None
            or health.called_off.search(words)
            or reading.asks(clause)
            or reading.retracted(clause.start + day.start())
        ):
            continue
        moved = health.moved.search(words) is not None
        if not moved and (health.occasion.search(words) is None or health.was.search(words)):
            continue
        if health.not_taken_before.search(words[: day.start()]):
            continue
        start, end = clause.start, clause.start + len(words)
        for finding in reading.told(APPOINTMENT, reading.sketch.quote(start, end), start, end=end):
            now = days[-1] if moved else day  # from the 14th to the 2nd
            when = reading.sketch.quote(start + now.start(), start + now.end())
            yield finding._replace(attributes=(("when", when), *(((MOVED, "true"),) if moved else ())))
