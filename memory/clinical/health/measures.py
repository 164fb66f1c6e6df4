"""What was measured, and what tests showed."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import TEST, VITAL, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import Reading

_RESULT_MAX: Final = 60
_VALUE: Final = re.compile(r"^[^，。,;\d]{0,8}?(?P<x>\d{1,3}(?:\.\d{1,2})?)(?![\d:：/年月天次])")
"""Behind what is measured: its value."""


def vitals(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """Temperature, blood pressure and the like, each with its value."""
    for name, words in health.vitals.items():
        for found in words.finditer(reading.drawn):
            group = next(key for key, value in found.groupdict().items() if value)
            start, end = found.span(group)
            clause = reading.sketch.clause_at(start)
            if reading.retracted(start) or (clause.asked and reading.grammar.asks_first):
                continue
            value = reading.sketch.quote(start, end)
            for finding in reading.told(VITAL, f"{name} {value}", start, end=end):
                yield finding._replace(attributes=(("value", value),))


def tests(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """Tests that were made, with their result where it is told in the same clause."""
    for at, group in reading.groups("T"):
        clause = reading.sketch.clause_at(at)
        prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
        if reading.retracted(at) or health.planned_before.search(prefix) or health.never_before.search(prefix):
            continue
        result = health.result_after.search(suffix) is not None
        if (clause.asked and not result) or not (result or health.done_before.search(prefix)):
            continue
        shown = reading.sketch.quote(at + 1, min(clause.end, at + 1 + _RESULT_MAX)) if result else ""
        measured = next((name for name in health.vitals if name in reading.sketch.quote(at, at + 1)), "")
        if measured and (value := _VALUE.match(suffix)):
            shown = reading.sketch.quote(at + 1 + value.start("x"), at + 1 + value.end("x"))
            for finding in reading.told(VITAL, f"{measured} {shown}", at):
                yield finding._replace(attributes=(("value", shown),))
            continue
        for member in group.members:
            name = reading.sketch.text[member.start : member.end]
            for finding in reading.told(TEST, f"{name} {shown}".strip(), at):
                yield finding._replace(attributes=(("name", name), *((("result", shown),) if shown else ())))
