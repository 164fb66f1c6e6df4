"""Short answers, which only the question before them explains."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, PREGNANCY, SURGERY, Finding
from memory.clinical.lexicon import lexicon
from memory.clinical.reactions import is_remedy
from memory.clinical.reading import Reading, lasts
from memory.clinical.sketch import Group

_SENTENCE: Final = re.compile(r"[^。！!;；\n?？]+[。！!;；\n?？]?")
_CHARS_MAX: Final = 60
_NAME_MAX: Final = 16


def may_answer(text: str) -> bool:
    """Whether what was asked before a message may say what it means: it is little more than a name, or no."""
    return len(text) <= _NAME_MAX or (len(text) <= _CHARS_MAX and bool(lexicon().mentions(text.lower())))


def answers(reading: Reading) -> Iterator[Finding]:
    """What an answer names is what was asked for: an allergy, a disease, an operation; or there is none."""
    if not reading.before or len(reading.drawn) > _CHARS_MAX:
        return
    asked, grammar = _question(reading), reading.grammar
    if grammar.asks_allergy.search(asked):
        if grammar.no_allergies.search(reading.drawn) is None:
            yield from _answer(reading, ALLERGY, "S")
        if (
            not reading.sketch.groups
            and len(reading.drawn) <= _NAME_MAX
            and not reading.asks(reading.sketch.clauses[0])
        ):
            yield from reading.unknown(0, len(reading.drawn), possible=False)
    if grammar.asks_disease.search(asked):
        yield from _answer(reading, DISEASE, "D")
    if grammar.asks_operation.search(asked) and not _is_nothing(reading):
        yield from _answer(reading, SURGERY, "OGV" if len(reading.drawn) <= _NAME_MAX else "OV")
    if grammar.asks_pregnancy.search(asked) and grammar.yes.search(reading.drawn):
        yield from reading.told(PREGNANCY, grammar.pregnant_name, 0)


def _question(reading: Reading) -> str:
    """The sentences that ask, of what an answer follows: one that only speaks of allergies asks for none."""
    sentences = [each for each in _SENTENCE.findall(reading.before.lower()) if each.strip()]
    return " ".join(each for each in sentences if each.rstrip()[-1] in "?？" or reading.grammar.asked.search(each))


def _is_nothing(reading: Reading) -> bool:
    first, nothing = reading.sketch.clauses[0], reading.grammar.nothing
    return any(nothing.search(said) for said in (reading.drawn, reading.drawn[first.start : first.end]))


def _answer(reading: Reading, kind: str, letters: str) -> Iterator[Finding]:
    if _is_nothing(reading):
        yield from reading.none(kind, 0)
        return
    for at, group in reading.groups(letters):
        if at not in reading.taken and _is_named(reading, at) and _fits(reading, kind, at, group):
            yield from reading.told_each(kind, group, at)


def _is_named(reading: Reading, at: int) -> bool:
    asks = reading.asks(reading.sketch.clause_at(at))
    return not (asks or reading.denied(at, at + 1) or reading.doubted(at, at + 1))


def _fits(reading: Reading, kind: str, at: int, group: Group) -> bool:
    if kind == ALLERGY:
        before = reading.prefix(at)
        grammar = reading.grammar
        used = (grammar.takes_before,) if grammar.asks_first else (grammar.contact_before, grammar.treated)
        borne = grammar.unharmed.search(reading.drawn) or any(words.search(before) for words in used)
        return not is_remedy(group) and (not borne or len(before) <= 1)
    return kind != DISEASE or lasts(group)
