"""What was measured, and what tests showed."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import TEST, VITAL, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.right_amount import right_amount
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause

_RESULT_MAX: Final = 60
_VALUE: Final = re.compile(r"^[^，。,;\d]{0,8}?(?P<x>\d{1,3}(?:\.\d{1,2})?)(?![\d:：/年月天次])")
"""Behind what is measured: its value."""


_GOES_ON: Final = re.compile(
    r"[,;]? \b(?:and|but|so) (?:i|we|they|he|she|my|now)\b|, (?:i|we|they|my) |[,，](?:我|但|所以|现在|吃|医生)"
)
"""Where a clause leaves its result."""
_PLANNED: Final = re.compile(
    r"\s*(?:is |was )?(?:coming up|booked|due|scheduled|next week|tomorrow)\b|(?:约在|定在|在下)"
)
"""Behind a test: it is to come."""
_NO_RESULT: Final = re.compile(
    r"^(?:结果)?(?:已经?)?(?:出来|回来)了?$|^(?:results? )?(?:is|are|came|has come) (?:back|in)$"
)
"""It is there, and not told."""
_SUGARS: Final = ("血糖", "blood sugar")
_MEAL: Final = re.compile(r"空腹|餐后|饭后|\bfasting\b|\bafter (?:meals?|breakfast|lunch|dinner|food)\b")
"""When a sugar was measured: one before a meal and one behind it are two."""
_WAS_ONCE: Final = re.compile(
    r"\b(?:it|that) (?:was|used to be)\s*$|\b(?:up|down) from\s*$|(?:之前|原来|以前|刚来时)(?:是|有)?\s*$"
)
"""Before a value: it was so once, and is told beside the one of today."""
_IS_THERE: Final = re.compile(r"出来|结果|复查|\b(?:back|in|results?|rechecked?)\b")
_NUMBER: Final = re.compile(r"(?:是|it'?s|was)?\s*(?P<x>\d{1,4}(?:\.\d{1,2})?)")
_DIGIT: Final = re.compile(r"\d")
_VALUE_BEHIND: Final = re.compile(r"\d{1,3}(?:[./]\d{1,3})?\s?%?$")


def _shown(reading: Reading, at: int, clause: Clause) -> str:
    """What a test showed: before the next one is named, and without what is told then."""
    until = min(clause.end, at + 1 + _RESULT_MAX)
    until = next((place for place, _ in reading.sketch.groups_in(at + 1, until, "T")), until)
    ends = _GOES_ON.search(reading.drawn, at + 1, until)
    until = ends.start() if ends else until
    value = _VALUE_BEHIND.search(reading.drawn, at + 1, until)
    right = right_amount(reading.drawn, value.end()) if value else None
    shown = reading.sketch.quote(*right) if right else reading.sketch.quote(at + 1, until)
    return "" if _NO_RESULT.search(shown) else shown


def vitals(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """Temperature, blood pressure and the like, each with its value."""
    for name, words in health.vitals.items():
        values = list(words.finditer(reading.drawn))
        for found in values:
            group = next(key for key, value in found.groupdict().items() if value)
            start, end = right_amount(reading.drawn, found.end(group)) or found.span(group)
            clause = reading.sketch.clause_at(start)
            asked = clause.asked and reading.grammar.asks_first
            was_once = len(values) > 1 and _WAS_ONCE.search(reading.prefix(start)) is not None
            if reading.retracted(start) or asked or was_once:
                continue
            value = reading.sketch.quote(start, end)
            meal = _MEAL.search(reading.drawn, found.start(), start) if name in _SUGARS else None
            told = f"{meal.group()}{'' if name == _SUGARS[0] else ' '}{name}" if meal else name
            for finding in reading.told(VITAL, f"{told} {value}", start, end=end):
                yield finding._replace(attributes=(("value", value),))


def _told_next(reading: Reading, clause: Clause, suffix: str) -> str:
    """The number that is all that the next clause says, where this one says that the result is there."""
    following = reading.following(clause)
    if not following or _IS_THERE.search(suffix) is None:
        return ""
    value = _NUMBER.fullmatch(reading.words(following[0], following[0]).strip(" ,，"))
    return value["x"] if value else ""


def tests(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """Tests that were made, with their result where it is told in the same clause."""
    for at, group in reading.groups("T"):
        clause = reading.sketch.clause_at(at)
        prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
        if (
            reading.retracted(at)
            or _PLANNED.match(suffix)
            or health.planned_before.search(prefix)
            or health.never_before.search(prefix)
        ):
            continue
        result = health.result_after.search(suffix) is not None
        if (clause.asked and not result) or not (result or health.done_before.search(prefix)):
            continue
        shown = _shown(reading, at, clause) if result else ""
        shown = shown if _DIGIT.search(shown) else _told_next(reading, clause, suffix) or shown
        measured = next((name for name in health.vitals if name in reading.sketch.quote(at, at + 1)), "")
        if measured and (value := _VALUE.match(suffix)):
            start, end = at + 1 + value.start("x"), at + 1 + value.end("x")
            shown = reading.sketch.quote(*(right_amount(reading.drawn, end) or (start, end)))
            for finding in reading.told(VITAL, f"{measured} {shown}", at):
                yield finding._replace(attributes=(("value", shown),))
            continue
        of_last = len(group.members) > 1 and _DIGIT.search(shown)
        for member in group.members[-1:] if of_last else group.members:
            name = reading.sketch.text[member.start : member.end]
            for finding in reading.told(TEST, f"{name} {shown}".strip(), at):
                yield finding._replace(attributes=(("name", name), *((("result", shown),) if shown else ())))
