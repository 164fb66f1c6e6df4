"""What a message may well tell though no rule has read it so: nearly all of it is possible, for a person to ask.

By how its words of medicine stand (likely.py), and by a medicine that nearly nobody takes but for one disease.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib import resources
from itertools import chain, islice
from typing import Final

from memory.clinical.asking import ASKS_TROUBLE
from memory.clinical.asserted import TOLD, UNTOLD
from memory.clinical.course import course_of
from memory.clinical.doubts import is_own
from memory.clinical.excepted import ALL_THAT_IS_TAKEN
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.harm_answered import asks_what_did_harm
from memory.clinical.languages import in_use
from memory.clinical.likely import FAMILIES, MAY_BE, SURE_ALONE
from memory.clinical.not_so import asks_of_treatment
from memory.clinical.operations import is_operable, stays_inside
from memory.clinical.people import USER
from memory.clinical.questions import MAY_TAKE
from memory.clinical.reactions import harms_of, is_a_drug, is_for_want_of_it, is_remedy, is_taken_for, near, was_not
from memory.clinical.reading import Reading
from memory.clinical.sketch import Group, pattern
from memory.clinical.states import is_not_taken
from memory.clinical.works import Works

_MOST: Final = 8
"""Suggestions of one text: nobody would ask more."""
_NOT_TAKEN: Final = re.compile(r"(?:n't|\bnot|\bnever) (?:\w+ )?(?:take|taking|on|use|using|need)\b[^,.;]{0,12}$")
_BESIDE: Final = pattern(r"<S>s? (?:with|while on|and|because of|due to) (?:my |the )?$|<S>[和跟同与]$")
"""Right before a medicine: what is not to be had beside it."""
_IN_USE: Final = re.compile(
    r"(?:使用|服用|吃|用|开)的(?:药物?)?(?:是|叫|有)$|\b(?:i'?m on|(?:i|we) (?:use|take)) (?:the )?$"
)
"""Right before a medicine: what is taken."""
_TO_BE_TRIED: Final = re.compile(
    r"(?:尝试|试试|试着|试一下|试一试)(?:着|一下|用|吃|喝|使用|服用|涂|擦|温|热|冷|淡|些|点|含有?)*$"
    r"|(?:\bwill|\bwe'?ll|\bi'?ll|\bgoing to|\bgonna|\blet me) (?:also )?(?:try|use|take|buy|get)"
    r"(?: (?:some|the|a|that|out))* $"
)
"""Right before a substance: it is to be had yet, so it has done nothing."""
_TAKEN: Final = re.compile(
    r"吃(?:着|了|过)?(?:什么|哪些|啥)|用(?:着|了|过)?(?:什么|哪些|啥)药|在(?:吃|用)|服用|吃过药|用过药"
    r"|\b(?:take|taking|taken|on|tried|using) (?:\w+ )?(?:anything|any|what)\b|\bwhat (?:are|do"
    r"|have) you (?:\w+ )?(?:tak\w+|tried|us\w+|on)\b"
    r"|\b(?:medications?|medicines?|meds|tablets|pills)\b"
)
"""A question for what is taken."""
_HELPS: Final = re.compile(
    r"管用|有效|见效|好使|有用|缓解|\b(?:helps?|helped|works?|worked|does the (?:job|trick)"
    r"|sorts?)\b"
)
"""Behind a medicine: it does what it is taken for."""
_FOR_NOW: Final = re.compile(
    r"\bfor (?:\d+|a (?:few|couple)|two|three|six) (?:hours?|days?|weeks?)\b|\bbefore (?:the|my|a) (?:scan|ct|mri"
    r"|test|op|surgery)\b"
    r"|停\d+天|[检抽][查血]前|术前"
)
_STILL_THERE: Final = re.compile(r"(?:都|也)?(?:还在|还没|没[切动做])|'?s? (?:is |are )?(?:still|never)\b")
"""Right behind an organ: nothing was done to it."""
_GOES_BACK: Final = re.compile(r"\b(?:which|one|that|it|this|they|these|right|correct)\b|哪|[对是]吗|这|那|它")
"""A question that asks about what stands before it."""
_SURELY: Final = 0.6
"""Above it what a medicine is taken for explains nothing away."""
_SHORT_MAX: Final = 120
"""Letters of a text that somebody types of themself."""
_TEXT_MAX: Final = 60
"""Letters of a clause that is told as an operation."""


def suggested(reading: Reading, found: Sequence[Finding]) -> Iterator[Finding]:
    """The first few findings of the user's beside those that the rules have read. `found`: these.

    None of a kind of which something is listed or denied: what stands beside an allergy that is told is what is
    taken instead, and the knee that hurts now is the one that was operated on. None in a message that sounds as if it
    told nothing of its speaker.
    """
    known = [each for each in found if each.subject == USER]
    listed = {each.kind for each in known if not each.possible}
    likely = (each for each in _likely(reading, listed) if each.subject == USER)
    yield from islice(chain(likely, _taken_for(reading, known)), _MOST)


_SWITCHED: Final = pattern(
    r"\b(?:chang|switch|swapp?|mov)(?:ed|ing)? (?:me |him |her )?(?:over )?(?:from (?:my )?)?(?:<S> )?"
    r"(?:to |for )?(?:my )?$"
)
"""Before a medicine that was taken in place of another: no harm is told."""


def _likely(reading: Reading, listed: AbstractSet[str]) -> Iterator[Finding]:
    for at, group in reading.groups(FAMILIES[SURGERY]) if SURGERY not in listed else ():
        if _may_be_done(reading, at, group) and _sounds_like(reading, SURGERY, at):
            for name in _told_as(reading, at, group):
                yield from reading.told(SURGERY, name, at, possible=True)
    substances = list(reading.groups(FAMILIES[ALLERGY])) if ALLERGY not in listed else []
    if not substances or _answers_something_else(reading):
        return
    may_harm = [
        at
        for at, group in substances
        if _may_harm(reading, at, group) and course_of(reading, at) is None and not _SWITCHED.search(reading.prefix(at))
    ]
    likely = [at for at in may_harm if _sounds_like(reading, ALLERGY, at)]
    if not likely:
        return
    harms, works = harms_of(reading), Works.of(reading)
    for at in likely:
        group = reading.sketch.groups[at]
        close = near(harms, at)
        ill = reading.sounds.of(ALLERGY, at) < _SURELY and any(is_taken_for(reading, at, group, each) for each in close)
        if not ill and not any(
            works.explain(reading, each.start, each.end)
            or was_not(reading, each)
            or is_for_want_of_it(reading, at, each)
            for each in close
        ):
            for_now = _FOR_NOW.search(reading.sketch.lowered) is not None
            sure = not for_now and reading.sounds.doubt < TOLD and reading.sounds.of(ALLERGY, at) > SURE_ALONE
            yield from reading.told_each(ALLERGY, group, at, possible=not sure)


def _answers_something_else(reading: Reading) -> bool:
    """Whether a text answers a question for something else than what is not borne, and tells no harm by itself."""
    if not reading.question.text or harms_of(reading):
        return False
    before = reading.question
    asked = before.asking
    if _GOES_BACK.search(asked) or (reading.is_names and not asked):
        asked = reading.question.text.lower()
    if asks_of_treatment(asked):
        return True
    asks = [each for grammar in in_use().grammars for each in (grammar.asks_allergy, grammar.asks_reaction)]
    of_harm = any(each.search(asked) for each in (*asks, ASKS_TROUBLE, MAY_TAKE)) or asks_what_did_harm(before)
    return bool(asked) and not of_harm


def _sounds_like(reading: Reading, kind: str, at: int) -> bool:
    return _is_by_its_speaker(reading, at) and reading.sounds.doubt < UNTOLD and reading.sounds.of(kind, at) > MAY_BE


def _is_by_its_speaker(reading: Reading, at: int) -> bool:
    """Whether a text is short, or says I in the sentence: long ones are pasted advice as often as stories."""
    if len(reading.sketch.text) <= _SHORT_MAX:
        return True
    clause = reading.sketch.clause_at(at)
    return reading.people.own_after(clause.began - 1, clause.end)


def _may_be_done(reading: Reading, at: int, group: Group) -> bool:
    """Whether nothing speaks against an operation; a frame may have read the disease, or what stays in somebody."""
    if (group.letter == "D" and not is_operable(reading, group)) or (group.letter in "GO" and at in reading.taken):
        return False
    if group.letter == "V" and not any(stays_inside(member.term.name) for member in group.members):
        return False
    if reading.spoken_against(at) or reading.asks(reading.sketch.clause_at(at)):
        return False
    suffix, planned = reading.suffix(at + 1), reading.grammar.planned
    return not (planned.search(reading.prefix(at)) or planned.search(suffix) or _STILL_THERE.match(suffix))


def _may_harm(reading: Reading, at: int, group: Group) -> bool:
    """Whether nothing speaks against an allergy; what answers what is taken is taken."""
    if (
        (is_a_drug(group) and reading.answers_about(_TAKEN))
        or at in reading.taken
        or reading.spoken_against(at)
        or reading.asks(reading.sketch.clause_at(at))
    ):
        return False
    if (
        _IN_USE.search(reading.prefix(at))
        or ALL_THAT_IS_TAKEN.search(reading.prefix(at))
        or _BESIDE.search(reading.prefix(at))
        or _TO_BE_TRIED.search(reading.prefix(at))
        or _HELPS.search(reading.suffix(at + 1))
    ):
        return False
    return not (reading.may_be_had(at) or reading.is_borne(at) or is_remedy(group))


def _told_as(reading: Reading, at: int, group: Group) -> Iterable[str]:
    """The names of the words; of an organ, a device or a disease what is said of it, if that is short."""
    if group.letter == "O":
        return reading.names(group)
    clause = reading.sketch.clause_at(at)
    said = reading.sketch.quote(clause.start, clause.end)
    return [said] if len(said) <= _TEXT_MAX else reading.names(group)


def _taken_for(reading: Reading, known: Sequence[Finding]) -> Iterator[Finding]:
    """Diseases for which the user takes something: 我降压药吃完了. None beside one that may be the reason."""
    had = "\n".join(each.text for each in known if each.kind == DISEASE).lower()
    for at, group in reading.groups("S"):
        reasons = [_indications()[each.term.name] for each in group.members if each.term.name in _indications()]
        if reasons and _is_taken(reading, at):
            for disease, beside in reasons:
                if not beside.search(had):
                    told = reading.told(DISEASE, disease, at, possible=True)
                    yield from (each for each in told if each.subject == USER)


def _is_taken(reading: Reading, at: int) -> bool:
    if reading.denied(at, at + 1) or reading.retracted(at) or reading.doubted(at, at + 1) or is_not_taken(reading, at):
        return False
    clause = reading.sketch.clause_at(at)
    not_taken = reading.grammar.not_taken.search(reading.words(clause, clause)) or _NOT_TAKEN.search(reading.prefix(at))
    return not (not_taken or reading.asks(clause)) and is_own(reading, clause, at)


@cache
def _indications() -> Mapping[str, tuple[str, re.Pattern[str]]]:
    """By the name of a medicine the disease for which it is taken, and what is reason enough beside it."""
    text = resources.files("memory.language.words").joinpath("taken_for.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {medicine: (disease, re.compile(beside)) for medicine, disease, beside in rows}
