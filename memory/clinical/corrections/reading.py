"""What a message takes back of what is held of its speaker's health, and says instead.

Who corrects seldom says again what kind of thing it is: 不是青霉素，是头孢. So it is read beside what is held
(held.py): what was wrong names something of that, or, where only what is right is named, the last thing of the same
kind that was said in the conversation. What is right is as firm as what it replaces.

People correct themselves in unlimited ways. Where no form decides, how a message sounds does (heard.py); where that
says nothing, and words stand there with which somebody may do so, a new word of the same family is `possible`: better
asked once too often.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.corrections.grammar import CorrectionGrammar
from memory.clinical.corrections.heard import CLEAR, LIKELY, heard
from memory.clinical.corrections.held import Correction, Named
from memory.clinical.drawing import drawn_of, pieces
from memory.clinical.languages import Language, in_use
from memory.clinical.people import OTHER, USER
from memory.clinical.reading import Reading
from memory.clinical.sketch import Group, Sketch, simplified

_LOOKED_AT_MAX: Final = 64
"""Places of a text of TEXT_CHARS_MAX where somebody may put something right."""
_CHARS_MAX: Final = 160
"""Of a message that puts right what it does not name: who tells a story corrects nothing."""
_SILENT: Final = -math.inf
_CUT: Final = re.compile(r"\s?(?:切除|摘除|手术|置换|移植|术|removal|removed|surgery|operation|replacement|out\b)+")
"""What is done with an organ, right behind it."""


def corrections(text: str) -> list[Correction]:
    """What a message puts right of its speaker's own health. Raises nothing, linear in the text's length."""
    lowered = simplified(text).lower()
    languages = [each for each in in_use().all if each.corrections.may_correct.search(lowered)]
    if not (languages or len(text) <= _CHARS_MAX) or not in_use().lexicon.mentions(lowered):
        return []
    found: list[Correction] = []
    for drawn in map(drawn_of, pieces(text)):
        sounds = _sounds(drawn)
        for language in languages if sounds < LIKELY else in_use().all:
            if drawn.groups and language.grammar.written.search(drawn.lowered):
                reading = Reading(drawn, language.grammar, in_use().grammars, Question(""))
                found += _of_it(reading, language, sounds)
    return found


def _of_it(reading: Reading, language: Language, sounds: float) -> Sequence[Correction]:
    """What it puts right, by the surest way that finds anything."""
    return (
        list(_read(reading, language))
        or list(_heard(reading, language, sounds))
        or list(_named_beside(reading, language))
    )


def _read(reading: Reading, language: Language) -> Iterator[Correction]:
    """The first form that a stretch has counts: the surest come first."""
    grammar, drawn = language.corrections, reading.drawn
    marked = grammar.mark.search(drawn) is not None
    ends, read = set[int](), list[re.Match[str]]()
    forms = (*grammar.named, *(grammar.marked if marked else ()))
    for found in islice((found for words in forms for found in words.finditer(drawn)), _LOOKED_AT_MAX):
        at = _right_at(found)
        if at in ends or not _is_meant(reading, language, found):
            continue
        if any(each.start() < found.end() and found.start() < each.end() for each in read):
            continue
        if _is_led_to(reading, language, found) and _is_own(reading, language, found):
            ends.add(at)
            read.append(found)
            yield _correction(reading, language, found)


def _is_led_to(reading: Reading, language: Language, found: re.Match[str]) -> bool:
    """Whether nothing before it in its sentence says that something else is spoken of: 这个酱不是花生，是芝麻.

    Whoever says beside it that they said it wrongly begins anew there.
    """
    grammar, drawn = language.corrections, reading.drawn
    if "w" not in found.groupdict():  # the word that it was said wrongly is part of the form
        return True
    began = reading.sketch.clause_at(found.start()).began
    if grammar.not_of_else.search(drawn, began, reading.sketch.clause_at(found.end() - 1).end):
        return True
    for mark in grammar.mark.finditer(drawn, began, found.start()):
        began = mark.end()
    lead = grammar.lead.match(drawn, began, found.start())
    return lead is not None and lead.end() == found.start()


def _named_beside(reading: Reading, language: Language) -> Iterator[Correction]:
    """What may be right: each word of medicine of the speaker's beside words with which somebody may correct."""
    grammar = language.corrections
    is_short = len(reading.drawn) <= _CHARS_MAX
    if not is_short or grammar.loose.search(reading.drawn) is None or not set(reading.people.named) <= {USER}:
        return
    for at, group in reading.groups("SDOV"):
        clause = reading.sketch.clause_at(at)
        of_else = grammar.of_else.search(reading.drawn[clause.began : clause.end])
        borne = grammar.borne.match(reading.drawn, at + 1)
        if not (of_else or borne or reading.asks(clause) or reading.denied(at, at + 1)):
            named = [(member, reading.name(member)) for member in group.members]
            yield Correction((), named, group.letter, reading.sketch.quote(clause.start, clause.end), sure=False)


def _sounds(drawn: Sketch) -> float:
    """How much it sounds like a correction of what it names."""
    names = any(True for _ in drawn.groups_in(0, len(drawn.drawn), "SDOVG"))
    return heard(drawn.drawn) if names and len(drawn.drawn) <= _CHARS_MAX else _SILENT


def _heard(reading: Reading, language: Language, sounds: float) -> Iterator[Correction]:
    """What a message that sounds like one names of the speaker's: of each family all together."""
    if sounds < LIKELY:
        return
    right, wrong = dict[str, list[Named]](), list[Named]()
    is_cut = language.grammar.cut.search(reading.drawn) or _CUT.search(reading.drawn)
    for at, group in reading.groups("SDOVG" if is_cut else "SDOV"):
        if _may_be_meant(reading, language, at, sounds):
            borne = language.corrections.borne.match(reading.drawn, at + 1) or reading.denied(at, at + 1)
            said = wrong if borne else right.setdefault(group.letter, [])
            said += _named(reading, language, at, group)
    of_kind = language.corrections.not_of_else.search(reading.drawn) is not None
    for letter, named in right.items():
        yield Correction(wrong, named, letter, reading.sketch.text, of_kind=of_kind, sounds=sounds)


def _may_be_meant(reading: Reading, language: Language, at: int, sounds: float) -> bool:
    """Whether what is named there is said of the speaker, and of their health."""
    clause = reading.sketch.clause_at(at)
    if reading.asks(clause) or not _is_of_user(reading, language.corrections, at):
        return False
    return sounds >= CLEAR or not _is_of_else(reading.drawn[clause.began : clause.end], language.corrections)


def _is_of_else(words: str, grammar: CorrectionGrammar) -> bool:
    """Whether something else is put right there than what somebody has, or comes in addition."""
    if grammar.added.search(words):
        return True
    return grammar.of_else.search(words) is not None and grammar.not_of_else.search(words) is None


def _named(reading: Reading, language: Language, at: int, group: Group) -> list[Named]:
    done = _done(reading, language, at + 1) if group.letter == "G" else ""
    return [(member, reading.name(member) + done) for member in group.members]


def _right_at(found: re.Match[str]) -> int:
    return found.start("r" if "r" in found.groupdict() else "both")


def _correction(reading: Reading, language: Language, found: re.Match[str]) -> Correction:
    at, places = _right_at(found), found.groupdict()
    right = reading.sketch.groups[at]
    first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(max(at, found.end() - 1))
    done = _done(reading, language, at + 1) if right.letter == "G" else ""
    named = [(member, reading.name(member) + done) for member in reading.before_a_comma(right) or right.members]
    members = reading.sketch.groups[found.start("w")].members if "w" in places else ()
    if "both" in places:
        members = right.members[:1]
        named = [(member, reading.name(member)) for member in right.members[1:]]
    wrong = [(member, reading.sketch.lowered[member.start : member.end]) for member in members]
    of_kind = language.corrections.not_of_else.search(reading.drawn) is not None
    of_cut = right.letter == "D" and language.grammar.cut.search(reading.drawn, first.start, last.end)
    letter = "O" if of_cut else right.letter  # 割的不是阑尾，是疝气
    return Correction(wrong, named, letter, reading.sketch.quote(first.start, last.end), of_kind=of_kind)


def _is_meant(reading: Reading, language: Language, found: re.Match[str]) -> bool:
    """Whether a list has two members; whether, where what was wrong is not named, nothing else is spoken of."""
    places = found.groupdict()
    if "both" in places:
        return len(reading.sketch.groups[found.start("both")].members) > 1
    letter = reading.sketch.groups[found.start("r")].letter
    if "w" in places:
        of_cut = language.grammar.cut.search(reading.drawn) or language.corrections.mark.search(reading.drawn)
        return letter != "G" or of_cut is not None
    if len(reading.drawn) > _CHARS_MAX:
        return False
    if letter != "S":
        return letter != "G" or _CUT.search(reading.drawn) is not None
    spoken_of = any(True for _ in reading.sketch.groups_in(0, found.start(), "S"))
    return not spoken_of or language.grammar.allergic.search(reading.drawn) is not None


def _is_own(reading: Reading, language: Language, found: re.Match[str]) -> bool:
    """Whether it is said of the speaker's own health, and neither asked nor supposed."""
    grammar, right = language.corrections, _right_at(found)
    if grammar.borne.match(reading.drawn, right + 1) and not reading.before_a_comma(reading.sketch.groups[right]):
        return False
    first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(right)
    if _is_of_else(reading.drawn[first.began : last.end], grammar):
        return False
    if any(not _is_of_user(reading, grammar, place) for place in (found.start(), right, found.end() - 1)):
        return False
    clauses = reading.sketch.clauses[first.number : last.number + 1]
    asked = any(clause.asked or (not language.grammar.asks_first and reading.asks(clause)) for clause in clauses)
    return not (asked or language.grammar.supposed.search(reading.drawn[first.began : found.start()]))


def _is_of_user(reading: Reading, grammar: CorrectionGrammar, place: int) -> bool:
    """Whether the speaker is spoken of there, or a relative is who said so."""
    subject = reading.people.at(place)
    if subject in {USER, OTHER}:
        return subject == USER
    at = reading.drawn.rfind(subject, 0, place + 1)
    return at >= 0 and grammar.told_by.match(reading.drawn, at + len(subject)) is not None


def _done(reading: Reading, language: Language, end: int) -> str:
    """What was done with an organ, as it was said."""
    said = _CUT.match(reading.drawn, end)
    if said is None:
        return language.corrections.operated
    return reading.sketch.text[reading.sketch.places[end] : reading.sketch.places[said.end()]]
