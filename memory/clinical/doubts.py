"""What no frame has decided, for a person to ask: it is shown as possible, and stands in no list.

A substance and harm in one breath, a disease or an operation of the user's with no word of having it. Better asked once
too often than not at all: what is denied, asked about, planned, retold or somebody else's is left out here too.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.asserted import TOLD
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.operations import was_not_done
from memory.clinical.reactions import (
    Harm,
    had_of_anothers,
    harms_of,
    is_a_drug,
    is_explained,
    is_remedy,
    near,
)
from memory.clinical.reading import EDGE, Reading, lasts
from memory.clinical.sketch import Clause, Group
from memory.clinical.works import Works

_DRUGS: Final = frozenset({"drug", "class"})
_TELEGRAM_MAX: Final = 6
_SINCE: Final = re.compile(r"从|自打|\b(?:since|from)\b")
"""Before a medicine: from when on harm was there."""
_AFTER: Final = re.compile(r"[^，。]{0,6}(?:后|之后|以后|的时候)")
"""Behind a medicine that harm is told to have come after."""
_ALLERGY: Final = re.compile(r"过敏(?![药科性体])|\ball?erg(?:y|ies|ic)\b(?! (?:rhinitis|reaction to you))")
_TO: Final = re.compile(r" to (?:the |any )?")
_CAME_OF_IT: Final = re.compile(
    r"不行|难受|受不了|反应|小心|注意|不让|不敢|[麻痒肿疼痛吐泻疹喘晕]|有点|也(?:是|会|这样|一样|有|得|要|怕)"
    r"|\b(?:too|as well|also|same|again|happen\w*|reaction|epi-?pen|ended up|hospital|careful|sick|swell\w*)\b"
)
_ALSO: Final = re.compile(r"\balso\b")
_NEAR_THING: Final = 40
_NEAR_DRUG: Final = 12
"""Letters between a substance and the word."""
_SUSPECTED: Final = re.compile(
    r"\b(?:gp|doctors?|dr|docs?|consultant|specialist|midwife|midwives|nurse|hospital|(?:neuro|rheumato|cardio|dermato"
    r"|gastroentero|haemato|hemato|endocrino|pulmono)logist|psychiatrist|psychologist|they|he|she)\b[^.;!?]{0,14}"
    r"\b(?:suspects?|thinks?|reckons?|querying|quer(?:y|ied)|worried|believes?)\b[^.;!?]{0,24}$"
    r"|\b(?:said|says|told me|reckons|thinks)\b[^.;!?]{0,12}\b(?:might|may|could|possibly|probably)\b[^.;!?]{0,12}$"
    r"|\b(?:suspected|query|probable)(?: (?:mild|early|new))? $"
    r"|\b(?:investigat(?:ed|ing)|being tested|being assessed|under investigation)(?: me)? for $"
    r"|(?:医生|大夫|护士|专家|主任|医院|门诊|助产士)[^，。！？]{0,8}(?:怀疑|疑似|怕是|怕有|可能是|可能有|考虑"
    r"|担心)(?:我)?"
    r"(?:是|有|得了?|患)?$|(?:^|[，。；])\s*(?:高度|临床)?疑似(?:是)?$"
)
"""Before a disease that somebody is suspected to have by those who treat them."""
_MAY_COME: Final = re.compile(r"\b(?:get|getting|develop|catch|end up)\b")
"""What may come is not suspected."""
_OF_CARE: Final = re.compile(r"的?(?:饮食|用药|药|治疗|筛查|检查|风险|患者)")
"""Behind a disease: something for those who have it is thought of."""
_NOT_SO: Final = re.compile(
    r"排除|不是|没事|阴性|正常|虚惊|误诊|\b(?:ruled|wasn'?t|isn'?t|turned|negative|normal|clear|not(?! sure)"
    r"|no|but)\b|n't\b"
)
"""Behind it: what came of that may be that it is none."""
_GIVEN_INSTEAD: Final = re.compile(
    r"(?<!别)(?<!要)(?<!能)(?<!勿)(?:给我|只能|换成?|改成?|改用|用的是)(?:打|吃|用|开|换|注射|挂)?(?:了|的是?|成)?$"
    r"|\b(?:so|instead) (?:i|they|we) (?:take|get|have|use|give me|gave me)(?: the| a)? $"
)
"""Right before what is taken in the place of what is not borne."""
_FROM: Final = re.compile(r"\bfrom\b")
_COUNTS: Final = re.compile(r"\b(?:does|do|would|will)\b[^?]{0,16}\bcount\b|算不算|算(?:是?过敏)?[吗么]")
"""Asks whether harm that is told is an allergy."""
_STATED: Final = re.compile(r"^\s*(?:$|[(（\d+,，.。;；])")
"""Behind a disease that is named like an item of a list."""


def doubts(reading: Reading) -> Iterator[Finding]:
    """The possible findings that the other frames have left; to be read last."""
    letters = {group.letter for group in reading.sketch.groups.values()}
    if "S" in letters:
        yield from _harmful(reading)
        yield from _beside_the_word(reading)
    if "D" in letters and not reading.is_of_vaccines:
        yield from _suspected(reading)
        yield from _diseases(reading)
    if not letters.isdisjoint("OG"):
        yield from _operations(reading)


def unread(reading: Reading) -> Iterator[Finding]:
    """Diseases and operations that no frame has read, in a text that sounds like a report. To be read last."""
    told = [
        (at, group)
        for at, group in reading.groups("O" if reading.is_of_vaccines else "DO")
        if _is_open(reading, at, retracted=False) and (group.letter == "O" or lasts(group))
    ]
    for at, group in told if told and not reading.is_name and reading.sounds.doubt < TOLD else ():
        grammar, prefix, suffix = reading.grammar, reading.prefix(at), reading.suffix(at + 1)
        if group.letter == "D" and not (grammar.over_after.search(suffix) or grammar.general_after.search(suffix)):
            yield from _each_lasting(reading, at, group)
        to_come = grammar.planned.search(prefix) or grammar.planned.search(suffix)
        if group.letter == "O" and not to_come and not was_not_done(reading, at):
            yield from reading.told_each(SURGERY, group, at, possible=True)


def _each_lasting(reading: Reading, at: int, group: Group) -> Iterator[Finding]:
    reading.taken.add(at)
    for member in group.members:
        if member.term.tag != "acute":
            yield from reading.told(DISEASE, reading.name(member), at, possible=True)


def _is_open(reading: Reading, at: int, *, retracted: bool = True) -> bool:
    """Whether nothing has decided about what stands there, and nothing speaks against it."""
    return at not in reading.taken and not reading.spoken_against(at, retracted=retracted)


def _harmful(reading: Reading) -> Iterator[Finding]:
    harms = harms_of(reading, also=reading.grammar.upset)
    if not harms:
        return
    works = Works.of(reading)
    for at, group in reading.groups("S"):
        if is_remedy(group) or reading.may_be_had(at) or not _is_open(reading, at):
            continue
        for harm in near(harms, at):
            if not works.explain(reading, harm.start, harm.end) and _is_harm_of(reading, at, group, harm):
                reading.taken.add(at)
                reaction = reading.sketch.quote(harm.start, harm.end)
                whose = had_of_anothers(reading, at, harm)
                for name in reading.names(group):
                    for told in reading.told(ALLERGY, name, at, possible=True, whose=whose):
                        yield told._replace(reaction=reaction)
                break


def _beside_the_word(reading: Reading) -> Iterator[Finding]:
    """What is no medicine, or stands right beside, in a sentence with the word for allergies that no frame has read."""
    words = [found.span() for found in _ALLERGY.finditer(reading.drawn)]
    others = {each for each in words if _has_its_own(reading, *each)}
    for at, group in reading.groups("S") if words else ():
        clause = reading.sketch.clause_at(at)
        near = _NEAR_DRUG if is_a_drug(group) else _NEAR_THING
        said = [each for each in words if abs(each[0] - at) <= near]
        borne = reading.may_be_had(at) or reading.is_borne(at)
        given = _GIVEN_INSTEAD.search(reading.prefix(at)) or (others.issuperset(said) and _is_had(reading, at))
        if not said or given or borne or is_remedy(group) or not _is_open(reading, at):
            continue
        told = reading.sketch.clause_at(said[0][0])
        asks = reading.asks(clause) or reading.asks(told) or reading.denied(said[0][0], said[0][1])
        if not asks and told.sentence == clause.sentence and not reading.retracted(said[0][0]):
            yield from reading.told_each(ALLERGY, group, at, possible=True)


def _has_its_own(reading: Reading, start: int, end: int) -> bool:
    """Whether the word has its substance right beside it: then what is taken in the sentence is another."""
    own = (start - 1, *(at.end() for at in [_TO.match(reading.drawn, end)] if at))
    return any(at in reading.sketch.groups and reading.sketch.groups[at].letter == "S" for at in own)


def _is_had(reading: Reading, at: int) -> bool:
    """Whether it is taken or touched, and nothing is told in its sentence of what came of it."""
    clauses = reading.sketch.clauses[reading.sketch.clause_at(at).number :]
    end = max(each.end for each in clauses if each.began == clauses[0].began)
    came = _CAME_OF_IT.search(reading.drawn, at + 1, end) or any(at < harm.start < end for harm in harms_of(reading))
    came = came or _ALSO.search(reading.prefix(at)) is not None
    return reading.grammar.contact_before.search(reading.prefix(at)) is not None and not came


def _is_harm_of(reading: Reading, at: int, group: Group, harm: Harm) -> bool:
    medicine = any(member.term.tag in _DRUGS or member.kind == "drug" for member in group.members)
    stung = all(member.term.tag == "sting" for member in group.members)
    if (medicine and not harm.strong) or (stung and not harm.grave):
        return False
    if is_explained(reading, at, group, harm):
        return False
    grammar = reading.grammar
    first, last = reading.sketch.clause_at(min(at, harm.start)), reading.sketch.clause_at(max(at, harm.start))
    asks = (reading.asks(first) or reading.asks(last)) and not _counts(reading, first, last)
    if last.sentence - first.sentence > 1 or asks:
        return False
    if medicine and _is_treated_with(reading, at, harm):
        return False
    between = reading.drawn[min(at, harm.end) : max(at + 1, harm.start)]
    if grammar.unharmed.search(reading.words(first, last)) or grammar.treated.search(between):
        return False
    before = reading.prefix(harm.start)
    return not (grammar.denied_before.search(before) or grammar.doubted_before.search(before))


def _counts(reading: Reading, first: Clause, last: Clause) -> bool:
    """Whether it is asked whether harm that is told is an allergy, and no other cause of it is named."""
    beside = re.split(r"[?？]", reading.drawn, maxsplit=1)[-1]
    return _COUNTS.search(reading.words(first, last)) is not None and _FROM.search(beside) is None


def _is_treated_with(reading: Reading, at: int, harm: Harm) -> bool:
    """Whether it is what is taken, behind a complaint that nothing says to have come of it: 我心跳快，吃美托洛尔."""
    grammar = reading.grammar
    prefix = reading.prefix(at)
    if harm.start > at or not grammar.takes_before.search(prefix) or _SINCE.search(prefix):
        return False
    return not (grammar.came_of.search(reading.drawn[harm.end : at]) or _AFTER.match(reading.suffix(at + 1)))


def _suspected(reading: Reading) -> Iterator[Finding]:
    """What those who treat somebody suspect, and nothing has been found to be otherwise."""
    for at, group in reading.groups("D"):
        suspected = _SUSPECTED.search(reading.prefix(at))
        if suspected is None or _MAY_COME.search(suspected[0]) or _OF_CARE.match(reading.drawn, at + 1):
            continue
        if at in reading.taken or not lasts(group) or reading.asks(reading.sketch.clause_at(at)):
            continue
        if reading.denied(at, at + 1) or reading.overturned(at) or _NOT_SO.search(reading.drawn, at + 1):
            continue
        reading.left_open.update(reading.names(group))
        yield from _each_lasting(reading, at, group)


def _diseases(reading: Reading) -> Iterator[Finding]:
    for at, group in reading.groups("D"):
        clause = reading.sketch.clause_at(at)
        if not lasts(group) or not _is_open(reading, at) or reading.asks(clause):
            continue
        if reading.grammar.over_after.search(reading.suffix(at + 1)) or not is_own(reading, clause, at):
            continue
        yield from _each_lasting(reading, at, group)


def is_own(reading: Reading, clause: Clause, at: int) -> bool:
    """Whether who speaks is named in its clause, or the clause is an item of a list."""
    if reading.people.own_after(clause.start - 1, clause.end):
        return True
    item = len(reading.prefix(at).strip(EDGE)) <= _TELEGRAM_MAX and _STATED.match(reading.suffix(at + 1)) is not None
    return item and not reading.grammar.general_after.search(reading.suffix(at + 1))


def _operations(reading: Reading) -> Iterator[Finding]:
    grammar = reading.grammar
    for at, group in reading.groups("OG"):
        clause, suffix = reading.sketch.clause_at(at), reading.suffix(at + 1)
        done = grammar.operated.match(suffix) if group.letter == "G" else None
        if (group.letter == "G" and done is None) or not _is_open(reading, at) or reading.asks(clause):
            continue
        if grammar.planned.search(reading.prefix(at)) or grammar.planned.search(suffix):
            continue
        if done is not None:
            reading.taken.add(at)
            end = at + 1 + done.end()
            yield from reading.told(SURGERY, reading.sketch.quote(at, end), at, possible=True, end=end)
        elif is_own(reading, clause, at):
            yield from reading.told_each(SURGERY, group, at, possible=True)
