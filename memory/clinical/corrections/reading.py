"""What a message takes back of what is held of its speaker's health, and says instead.

Who corrects seldom says again what kind of thing it is: 不是青霉素，是头孢. So it is read beside what is held: what was
wrong names something of that, or, where only what is right is named, the last thing of the same kind that was said in
the conversation. What is right is as firm as what it replaces. What was wrong is not taken off: that it was denied
stands beside it, for a person to decide.

People correct themselves in unlimited ways. Where no form decides, and words stand there with which somebody may do so,
a new word of the same family is `possible`: better asked once too often.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from memory.clinical.asked import Question
from memory.clinical.corrections.grammar import CorrectionGrammar
from memory.clinical.drawing import drawn_of, pieces
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, TAKEN_BACK, Finding, each_once
from memory.clinical.languages import Language, in_use
from memory.clinical.lexicon import Mention
from memory.clinical.people import OTHER, USER
from memory.clinical.reading import Reading
from memory.clinical.sameness import is_of_one, is_part
from memory.clinical.sketch import simplified

KINDS: Final = (ALLERGY, DISEASE, SURGERY)
"""Of what is put right."""
_FAMILIES: Final = {ALLERGY: "S", DISEASE: "D", SURGERY: "OGV"}
_KIND_OF: Final = {"S": ALLERGY, "D": DISEASE, "O": SURGERY, "V": SURGERY}
_OPERATED: Final = frozenset({"organ", "operation", "device"})
_LOOKED_AT_MAX: Final = 64
"""Places of a text of TEXT_CHARS_MAX where somebody may put something right."""
_CHARS_MAX: Final = 160
"""Of a message that puts right what it does not name: who tells a story corrects nothing."""
_CUT: Final = re.compile(r"\s?(?:切除|摘除|手术|置换|移植|术|removal|removed|surgery|operation|replacement|out\b)+")
"""What is done with an organ, right behind it."""


class Held(NamedTuple):
    """A safety fact of the speaker. `here`: it was said in the conversation in which the correction stands."""

    kind: str
    text: str
    here: bool = True
    possible: bool = False
    now: bool = False
    """It is said in the same message."""
    last: bool = False
    """It was said in the last turn before."""
    own: bool = True
    """False: it is a relative's; known so that nobody takes it for the speaker's."""


class Correction(NamedTuple):
    """That something is to be put right, whatever is held: what was wrong (empty: not named), and what is right.

    Words of medicine with what was said for them, or what is told of them; `letter` is the family of what is right.
    `sure`: a form of correcting says so; else it is only named beside words with which somebody may correct.
    """

    wrong: Sequence[tuple[Mention, str]]
    right: Sequence[tuple[Mention, str]]
    letter: str
    quote: str
    sure: bool = True
    of_kind: bool = False
    """It says that an allergy is spoken of, or what somebody has: then it may be of what was said long before."""


def corrections(text: str) -> list[Correction]:
    """What a message puts right of its speaker's own health. Raises nothing, linear in the text's length."""
    lowered = simplified(text).lower()
    languages = [each for each in in_use().all if each.corrections.may_correct.search(lowered)]
    if not languages or not in_use().lexicon.mentions(lowered):
        return []
    found: list[Correction] = []
    for drawn in map(drawn_of, pieces(text)):
        for language in languages:
            if drawn.groups and language.grammar.written.search(drawn.lowered):
                reading = Reading(drawn, language.grammar, in_use().grammars, Question(""))
                read = list(_read(reading, language))
                found += read or _named_beside(reading, language)
    return found


def put_right(found: Iterable[Correction], held: Sequence[Held]) -> list[Finding]:
    """Of each what is right, and that what was wrong is denied; nothing where it is of nothing that is held.

    `held`: the oldest first.
    """
    return each_once(finding for each in found for finding in _findings(each, held))


def held_of(findings: Iterable[Finding]) -> list[Held]:
    """What findings say of the speaker and of relatives, in the message in which they were found."""
    return [
        Held(each.kind, each.text, possible=each.possible, now=True, own=each.subject == USER)
        for each in findings
        if not each.denied
    ]


def before(held: Iterable[Held]) -> list[Held]:
    """The same for the next message."""
    return [each._replace(now=False, last=each.now) for each in held]


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
    words = reading.drawn[first.began : last.end]
    if grammar.of_else.search(words) and not grammar.not_of_else.search(words):
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


def _findings(correction: Correction, held: Sequence[Held]) -> Iterator[Finding]:
    wrong = _meant(correction, held)
    right = [(member, name) for member, name in correction.right if wrong and not _names(wrong.text, member)]
    if wrong is None or not right or (wrong.kind == DISEASE and any(each.term.tag == "acute" for each, _ in right)):
        return
    firm = correction.sure and (bool(correction.wrong) or correction.of_kind or wrong.last or wrong.now)
    for member, name in right:
        if firm or not any(_names(each.text, member) for each in held if each.own):
            yield Finding(wrong.kind, name, correction.quote, possible=wrong.possible or not firm)
    if firm:
        taken_back = ((TAKEN_BACK, "true"),)
        yield Finding(wrong.kind, wrong.text, correction.quote, denied=True, attributes=taken_back)


def _meant(correction: Correction, held: Sequence[Held]) -> Held | None:
    """Which of what is held was wrong: what is named, or the last of its kind that was said here before.

    Who names nothing corrects what was spoken of last: where that was a relative's, nothing of the speaker's.
    """
    fitting = [each for each in reversed(held) if each.own and _fits(correction, each)]
    other = [each for each in fitting if not any(_names(each.text, member) for member, _ in correction.right)]
    known = [each for each in fitting if not each.now and each not in other]
    if not correction.wrong:
        lately = [each for each in held if each.last or each.now]
        if lately and not lately[-1].own:
            return None
        said_before = any(each.here for each in known)
        return next((each for each in other if each.here and not said_before), None)
    if known:  # it is no news: what the same message says beside it is no mistake of the speaker's
        other = [each for each in other if not each.now]
    return next((each for each in other if _names_one_of(each.text, correction.wrong)), None)


def _fits(correction: Correction, held: Held) -> bool:
    """Whether what is right may be of the same kind; where nothing says that it is right, is of that kind by itself."""
    if not correction.sure:
        return _KIND_OF.get(correction.letter) == held.kind
    return correction.letter in _FAMILIES.get(held.kind, "")


def _names(held: str, member: Mention) -> bool:
    """Whether a word names what is held, in whatever words or language; of an operation also what it was of."""
    return _is_named(held, member.term.name, member)


def _names_one_of(held: str, said: Sequence[tuple[Mention, str]]) -> bool:
    """Whether one of these does, or the words that were said."""
    return any(_is_named(held, word, member) or _names(held, member) for member, word in said)


def _is_named(held: str, word: str, member: Mention) -> bool:
    return is_of_one(held, word) or (member.kind in _OPERATED and is_part(word, held))


def _done(reading: Reading, language: Language, end: int) -> str:
    """What was done with an organ, as it was said."""
    said = _CUT.match(reading.drawn, end)
    if said is None:
        return language.corrections.operated
    return reading.sketch.text[reading.sketch.places[end] : reading.sketch.places[said.end()]]
