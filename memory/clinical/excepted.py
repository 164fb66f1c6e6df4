"""No allergies but one: 没有药物过敏，除了青霉素. What is left out of a denial is not borne."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import ALLERGY, Finding
from memory.clinical.questions import Question
from memory.clinical.reactions import harms_of, is_remedy
from memory.clinical.reading import Reading
from memory.clinical.sketch import pattern

_NEAR: Final = 24
"""Letters behind a denial in which something is left out of it."""
_TAKEN: Final = r"(?! (?:now|sometimes|when|for|as|once|every|twice|daily|at|if|\d))(?![^，。]{0,3}[吃用打](?:过|着))"
_LEFT_OUT: Final = pattern(
    rf"(?:除(?:了|去|开)(?:对)?|就(?:是)?(?:对)?|只有(?:对)?|唯独(?:对)?|唯一就?是|但是?对)(?P<x><S>){_TAKEN}"
    r"|\b(?:except(?: for)?|apart from|aside from|other than|besides|bar|only|just|but for"
    r"|but(?= <S>s?\W*$))(?: to| the| for)?"
    rf" (?P<x2><S>){_TAKEN}"
)
_LEFT_OUT_FIRST: Final = pattern(
    r"^\W*(?:就)?除(?:了|去|开)(?:对)?(?P<x><S>)(?:以外|之外|外)?[，,]?(?:我|其[他它]的?|别的|其余的?)*"
    r"(?:就|都|全|也|倒)*(?:没有?|无)(?:了|过|什么|啥|过敏|的)*[。.!！]?$"
)
"""A whole answer to the question for allergies."""
ALL_THAT_IS_TAKEN: Final = re.compile(
    r"\b(?:only|just) (?:take|taking|on|use)\b|\b(?:don'?t|do not|not) (?:take|taking|on|use)\b(?! (?:well|kindly))"
    r".{0,40}\b(?:apart from|except|other than|besides|but)\b|只(?:在|是)?[吃用服打](?!不)"
    r"|(?:不|没(?:有|在)?)[吃用服](?:别的|其他|什么|啥)?药?[，,]?(?:除了|就|只)"
)
"""Before a medicine: it is what is taken, and nothing else."""
_UNSURE: Final = re.compile(
    r"可能|也许|好像|不确定|不知道|疑似|\b(?:may|might|maybe|possibl[ey]|probably|think|not sure)\b"
)
_MEDICINES: Final = re.compile(r"药物?[、和及或与/].{0,4}过敏|过敏.{0,4}[、和及或与/].{0,4}药|\bmed(?:s|ic\w+)\b")
"""Asked beside allergies: which of the two an answer leaves out nobody knows."""


def excepted(reading: Reading) -> Iterator[Finding]:
    """What somebody does not bear, though they bear all else: possible only where they are not sure, or tell harm."""
    asked = Question(reading.before).asking if reading.before else ""
    answers = reading.grammar.asks_allergy.search(asked) is not None
    possible = _UNSURE.search(reading.sketch.lowered) is not None or bool(harms_of(reading))
    possible = possible or (answers and _MEDICINES.search(asked) is not None)
    for at in _places(reading, answers=answers):
        group = reading.sketch.groups[at]
        if at not in reading.taken and not is_remedy(group) and not reading.asks(reading.sketch.clause_at(at)):
            if not possible:
                reading.answered.update((ALLERGY, name) for name in reading.names(group))
            yield from reading.told_each(ALLERGY, group, at, possible=possible)


def leaves_out(reading: Reading, *, answers: bool) -> bool:
    """Whether something is left out of the denial of all allergies: then not all are denied."""
    return any(True for _ in _places(reading, answers=answers))


def _places(reading: Reading, *, answers: bool) -> Iterator[int]:
    """Where the substances stand that are left out. `answers`: the text answers the question for allergies."""
    drawn, grammar = reading.drawn, reading.grammar
    if answers and (whole := _LEFT_OUT_FIRST.match(drawn)):
        yield whole.start("x")
    ends = [found.end() for found in grammar.no_allergies.finditer(drawn)]
    first = reading.sketch.clauses[0]
    if answers and grammar.nothing.search(drawn[first.start : first.end]):
        ends.append(first.end)
    for end in ends:
        found = _LEFT_OUT.search(drawn, end, end + _NEAR)
        if found is not None:
            yield found.start("x") if found["x"] else found.start("x2")
