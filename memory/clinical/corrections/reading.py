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

KINDS: Final = (ALLERGY, DISEASE, SURGERY)
"""Of what is put right."""
_FAMILIES: Final = {ALLERGY: "S", DISEASE: "D", SURGERY: "OGVD"}
_CUT: Final = re.compile(r"\s?(?:切除|摘除|手术|置换|移植|术|removal|removed|surgery|operation|replacement|out\b)+")
"""What is done with an organ, right behind it."""


class Held(NamedTuple):
    """A safety fact of the speaker. `here`: it was said in the conversation in which the correction stands."""

    kind: str
    text: str
    here: bool = True
    possible: bool = False


class Correction(NamedTuple):
    """That something is to be put right, whatever is held: by which words (empty: not named) by which, and as what."""

    wrong: Sequence[Mention]
    right: Sequence[tuple[Mention, str]]
    letter: str
    quote: str


def corrections(text: str) -> list[Correction]:
    """What a message puts right of its speaker's own health. Raises nothing, linear in the text's length."""
    lowered = text.lower()
    languages = [each for each in in_use().all if each.corrections.may_correct.search(lowered)]
    if not languages or not in_use().lexicon.mentions(lowered):
        return []
    found: list[Correction] = []
    for drawn in map(drawn_of, pieces(text)):
        for language in languages:
            if drawn.groups and language.grammar.written.search(drawn.lowered):
                found += _read(Reading(drawn, language.grammar, in_use().grammars, ""), language)
    return found


def put_right(found: Iterable[Correction], held: Sequence[Held]) -> list[Finding]:
    """Of each what is right, and that what was wrong is denied; nothing where it is of nothing that is held.

    `held`: the oldest first.
    """
    return each_once(finding for each in found for finding in _findings(each, held))


def held_of(findings: Iterable[Finding]) -> list[Held]:
    """What findings say of the speaker, in the conversation in which they were said."""
    return [
        Held(each.kind, each.text, possible=each.possible)
        for each in findings
        if each.subject == USER and not each.denied
    ]


def _read(reading: Reading, language: Language) -> Iterator[Correction]:
    """The first form that a stretch has counts: the surest come first."""
    grammar, drawn = language.corrections, reading.drawn
    marked = grammar.mark.search(drawn) is not None
    ends = set[int]()
    for words in (*grammar.named, *(grammar.marked if marked else ())):
        for found in words.finditer(drawn):
            at = found.start("r")
            if at not in ends and _is_own(reading, language, found):
                ends.add(at)
                yield _correction(reading, language, found)


def _correction(reading: Reading, language: Language, found: re.Match[str]) -> Correction:
    at = found.start("r")
    right = reading.sketch.groups[at]
    wrong = reading.sketch.groups.get(found.start("w")) if "w" in found.groupdict() else None
    first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(at)
    done = _done(reading, language, at + 1) if right.letter == "G" else ""
    return Correction(
        wrong.members if wrong else (),
        [(member, reading.name(member) + done) for member in right.members],
        right.letter,
        reading.sketch.quote(first.start, last.end),
    )


def _is_own(reading: Reading, language: Language, found: re.Match[str]) -> bool:
    """Whether it is said of the speaker's own health, and neither asked nor supposed."""
    grammar, right = language.corrections, found.start("r")
    first, last = reading.sketch.clause_at(found.start()), reading.sketch.clause_at(right)
    words = reading.drawn[first.start : last.end]
    if grammar.of_else.search(words) and not grammar.not_of_else.search(words):
        return False
    if any(reading.people.at(place) != USER for place in (found.start(), right)):
        return False
    asked = any(map(reading.asks, reading.sketch.clauses[first.number : last.number + 1]))
    return not (asked or language.grammar.supposed.search(reading.drawn[first.began : right]))


def _findings(correction: Correction, held: Sequence[Held]) -> Iterator[Finding]:
    wrong = _meant(correction, held)
    if wrong is None:
        return
    for member, name in correction.right:
        if not _names(member, wrong.text):
            yield Finding(wrong.kind, name, correction.quote, possible=wrong.possible)
    yield Finding(wrong.kind, wrong.text, correction.quote, denied=True)


def _meant(correction: Correction, held: Sequence[Held]) -> Held | None:
    """Which of what is held was wrong: what is named, or the last of its kind that was said here."""
    fitting = [each for each in reversed(held) if correction.letter in _FAMILIES.get(each.kind, "")]
    if not correction.wrong:
        said = [each for each in fitting if each.here]
        known = any(_names(member, each.text) for member, _ in correction.right for each in said)
        return said[0] if said and not known else None
    return next((each for each in fitting if any(_names(member, each.text) for member in correction.wrong)), None)


def _names(member: Mention, held: str) -> bool:
    """Whether a word names what is held, in whatever words or language."""
    lexicon, lowered = in_use().lexicon, held.lower()
    concept = lexicon.concept_of(member.term)
    return member.term.name.lower() in lowered or any(
        lexicon.concept_of(each.term) == concept for each in lexicon.mentions(lowered)
    )


def _done(reading: Reading, language: Language, end: int) -> str:
    """What was done with an organ, as it was said."""
    said = _CUT.match(reading.drawn, end)
    if said is None:
        return language.corrections.operated
    return reading.sketch.text[reading.sketch.places[end] : reading.sketch.places[said.end()]]
