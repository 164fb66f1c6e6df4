"""What a message takes back of what is held of its speaker's health, and says instead.

Who corrects seldom says again what kind of thing it is: 不是青霉素，是头孢. So it is read beside what is held: what was
wrong names something of that, or, where only what is right is named, the last thing of the same kind that was said in
the conversation. What is right is as firm as what it replaces. What was wrong is not taken off: that it was denied
stands beside it, for a person to decide.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding, each_once
from memory.clinical.languages import Language, in_use
from memory.clinical.lexicon import Mention
from memory.clinical.people import USER
from memory.clinical.reading import Reading
from memory.clinical.safety import drawn_of, pieces
from memory.clinical.sketch import Clause, Group

_FAMILIES: Final = {ALLERGY: "S", DISEASE: "D", SURGERY: "OGVD"}
_CUT: Final = re.compile(r"\s?(?:切除|摘除|手术|置换|移植|术|removal|removed|surgery|operation|replacement|out\b)+")
"""What is done with an organ, right behind it."""


class Held(NamedTuple):
    """A safety fact of the speaker. `here`: it was said in the conversation in which the correction stands."""

    kind: str
    text: str
    here: bool = True
    possible: bool = False


class _Correction(NamedTuple):
    """`wrong`: None where it is not named."""

    wrong: Group | None
    right: Group
    at: int
    quote: str


def may_correct(text: str) -> bool:
    """Whether a message may take something back: words for it, and a word of medicine."""
    lowered = text.lower()
    said = any(each.corrections.may_correct.search(lowered) for each in in_use().all)
    return said and bool(in_use().lexicon.mentions(lowered))


def corrected(text: str, held: Sequence[Held]) -> list[Finding]:
    """Of each correction what is right, and that what was wrong is denied. `held`: the oldest first."""
    found: list[Finding] = []
    for piece in pieces(text) if held else ():
        drawn = drawn_of(piece)
        for language in in_use().all:
            if drawn.groups and language.grammar.written.search(drawn.lowered):
                reading = Reading(drawn, language.grammar, in_use().grammars, "")
                for correction in _corrections(reading, language):
                    found += _put_right(reading, language, correction, held)
    return each_once(found)


def _corrections(reading: Reading, language: Language) -> Iterator[_Correction]:
    """The first form that a stretch has counts: the surest come first."""
    grammar, drawn = language.corrections, reading.drawn
    marked = grammar.mark.search(drawn) is not None
    ends = set[int]()
    for words in (*grammar.named, *(grammar.marked if marked else ())):
        for found in words.finditer(drawn):
            at = found.start("r")
            wrong = reading.sketch.groups.get(found.start("w")) if "w" in found.groupdict() else None
            if at not in ends and _is_own(reading, language, found):
                ends.add(at)
                first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(at)
                quote = reading.sketch.quote(first.start, last.end)
                yield _Correction(wrong, reading.sketch.groups[at], at, quote)


def _is_own(reading: Reading, language: Language, found: re.Match[str]) -> bool:
    """Whether it is said of the speaker's own health, and neither asked nor supposed."""
    grammar, right = language.corrections, found.start("r")
    first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(right)
    words = reading.drawn[first.start : last.end]
    if grammar.of_else.search(words) and not grammar.not_of_else.search(words):
        return False
    if any(reading.people.at(place) != USER for place in (found.start(), right)):
        return False
    return not (_asks(reading, first, last) or language.grammar.supposed.search(reading.drawn[first.began : right]))


def _asks(reading: Reading, first: Clause, last: Clause) -> bool:
    return any(reading.asks(clause) for clause in reading.sketch.clauses[first.number : last.number + 1])


def _put_right(
    reading: Reading, language: Language, correction: _Correction, held: Sequence[Held]
) -> Iterator[Finding]:
    wrong = _meant(correction, held)
    if wrong is None:
        return
    done = _done(reading, language, correction) if correction.right.letter == "G" else ""
    for member in correction.right.members:
        if not _names(member, wrong.text):
            yield Finding(wrong.kind, reading.name(member) + done, correction.quote, possible=wrong.possible)
    yield Finding(wrong.kind, wrong.text, correction.quote, denied=True)


def _meant(correction: _Correction, held: Sequence[Held]) -> Held | None:
    """Which of what is held was wrong: what is named, or the last of its kind that was said here."""
    fitting = [each for each in reversed(held) if correction.right.letter in _FAMILIES.get(each.kind, "")]
    if correction.wrong is None:
        said = [each for each in fitting if each.here]
        known = any(_names(member, each.text) for member in correction.right.members for each in said)
        return said[0] if said and not known else None
    members = correction.wrong.members
    return next((each for each in fitting if any(_names(member, each.text) for member in members)), None)


def _names(member: Mention, held: str) -> bool:
    """Whether a word names what is held, in whatever words or language."""
    lexicon, lowered = in_use().lexicon, held.lower()
    concept = lexicon.concept_of(member.term)
    return member.term.name.lower() in lowered or any(
        lexicon.concept_of(each.term) == concept for each in lexicon.mentions(lowered)
    )


def _done(reading: Reading, language: Language, correction: _Correction) -> str:
    """What was done with an organ, as it was said."""
    end = correction.at + 1
    said = _CUT.match(reading.drawn, end)
    return (
        reading.sketch.text[reading.sketch.places[end] : reading.sketch.places[said.end()]]
        if said
        else language.corrections.operated
    )


def held_of(findings: Iterable[Finding]) -> list[Held]:
    """What findings say of the speaker, in the conversation in which they were said."""
    return [
        Held(each.kind, each.text, possible=each.possible)
        for each in findings
        if each.subject == USER and not each.denied
    ]
