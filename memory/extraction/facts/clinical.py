"""What rules read of somebody's health in a dialogue, as facts to remember: the floor under every mind.

A mind may add and refine; what the rules found of allergies, diseases and operations stays.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from memory.clinical.findings import (
    ANTICOAGULANT,
    APPOINTMENT,
    DISEASE,
    DURATION,
    ENDED,
    MEDICATION,
    MOVED,
    SYMPTOM,
    Finding,
)
from memory.clinical.follow_ups import ASKED_MAX, answered_by
from memory.clinical.health.booked import booked, taken_up, told_for
from memory.clinical.health.how_long import told_how_long
from memory.clinical.health.reading import read_health
from memory.clinical.introduced import introduced
from memory.clinical.languages import in_use
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import OTHER, USER
from memory.clinical.safety import read_safety
from memory.clinical.sameness import is_of_one, is_part
from memory.clinical.spoken import Spoken
from memory.extraction.life.reading import read_life
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, Extraction, FoundFact, Said
from memory.model.predicates import FAMILY, JOB, importance_of
from memory.session.context import without_safety_line
from memory.session.safety import LIST_OF, POSSIBLE_PREFIX, REACTION

_ALSO_ANSWERS_MAX: Final = 12
"""Letters of a message behind another one of the user's that answers the same question: 阿莫西林 / 还有头孢."""
_ASKED_BEFORE: Final = 3
"""Messages before one that may say what an appointment is for."""
_DAY_CHARS_MAX: Final = 14
"""Letters of a clause that may say no more than to which day something was moved: 改12月16号吧."""
_CERTAIN: Final = 1.0
_POSSIBLE: Final = 0.6


def with_health(extraction: Extraction, dialogue: Dialogue, *, by_rules: bool) -> Extraction:
    """What a mind found, united with what these rules find of health: the mind's own words, and what it left out.

    Of other rules (`by_rules`) what they take for a fact of somebody's health is left out: these read it with its
    surroundings.
    """
    own = {said.seq for said, _ in _own(dialogue)}
    found = _found(dialogue)
    kept = [
        fact
        for fact in extraction.facts
        if not (by_rules and fact.seq in own and (_is_read_here(fact) or _is_told_wider(fact, found)))
        and not (by_rules and _is_the_speaker(fact.predicate, fact.quote))
    ]
    more = [fact for fact in found if not any(_same(each, fact) for each in kept)]
    kept = [_with_attributes(fact, found) for fact in kept]
    seqs = {fact.seq for fact in found}
    skipped = {seq: reason for seq, reason in extraction.skipped.items() if seq not in seqs}
    return replace(extraction, facts=[*kept, *more], skipped=skipped)


def _with_attributes(known: FoundFact, found: Sequence[FoundFact]) -> FoundFact:
    """What a mind found, with what the rules read of the same thing and it does not say."""
    same = [fact for fact in found if fact.attributes and _same(known, fact)]
    if not same:
        return known
    said = {name: text for name, text in same[0].attributes.items() if text.casefold() not in known.object.casefold()}
    return replace(known, attributes={**said, **known.attributes})


def _own(dialogue: Dialogue) -> Iterator[tuple[Said, str]]:
    """The messages of the user whose memory it is, each with what an agent said that it answers."""
    asked, answered = [dialogue.before], False
    for said in dialogue.messages:
        if said.own and said.speaker == USER:
            goes_on = not answered or len(said.text.strip()) <= _ALSO_ANSWERS_MAX
            yield said, answered_by(said.text, asked) if goes_on else ""
        answered = said.own
        if not said.own:
            asked = [*asked[-ASKED_MAX:], said.text]


def _found(dialogue: Dialogue) -> list[FoundFact]:
    found: list[FoundFact] = []
    spoken, medicine, last = Spoken(), "", 0
    answers, earlier = _answers(dialogue), deque[str](maxlen=_ASKED_BEFORE)
    for said, before in _own(dialogue):
        text, about = without_safety_line(said.text), spoken.about(before)
        safety, health = read_safety(text, before, about), read_health(text, before, about, medicine)
        health = _with_appointments(health, text, before, answers.get(said.seq, ""), list(earlier))
        earlier.appendleft(text)
        life = [each for each in read_life(text, before, about) if not _is_the_speaker(each.kind, each.quote)]
        if lasting := told_how_long(text, before):
            found = [_lasting(each, lasting) for each in found]
        for finding in safety:
            if finding.subject != OTHER:
                found.append(fact_of(said, finding._replace(subject=spoken.called(finding.subject))))
        for finding in (*health, *life, *_thinned(health)):
            named = finding._replace(subject=spoken.called(finding.subject))
            found.append(_fact(said, named, importance_of(finding.kind)))
        spoken.hear(text, (*safety, *health), before)
        if all(each.kind != MEDICATION for each in health) and _resumes(text):
            found = [_taken_again(each, last) for each in found]
        last = said.seq
        medicine = next((each.text for each in health if each.kind == MEDICATION), medicine)
    return found


def _answers(dialogue: Dialogue) -> dict[int, str]:
    """By message of the user: what an agent says right behind it."""
    pairs = pairwise(dialogue.messages)
    return {said.seq: answer.text for said, answer in pairs if said.own and not answer.own}


def _with_appointments(
    health: Sequence[Finding], text: str, before: str, answer: str, earlier: Sequence[str]
) -> list[Finding]:
    """What was found in a message, with the appointment that the agent's answer says is made, and what each is for.

    `before`: what it answers; `earlier`: what the user said before, the last first.
    """
    found = [told_for(each, earlier) if _is_of_a_day_alone(each, text) else each for each in health]
    if any(each.kind == APPOINTMENT for each in health):
        return found
    made = list(booked(answer, text, earlier)) if answer else []
    return [*found, *(made or taken_up(text, before, earlier))]


def _is_of_a_day_alone(found: Finding, text: str) -> bool:
    """Whether an appointment was agreed to, or moved, and its words may say only when it is."""
    moved = len(found.text) <= _DAY_CHARS_MAX and any(key == MOVED for key, _ in found.attributes)
    return found.kind == APPOINTMENT and (found.text not in text or moved)


def _resumes(text: str) -> bool:
    """Whether a message says that a medicine is taken again, and does not ask whether to."""
    lowered, languages = text.lower(), in_use()
    told = any(health.resumed.search(lowered) for health in languages.healths)
    return told and not any(grammar.asked.match(lowered) for grammar in languages.grammars)


def _taken_again(fact: FoundFact, last: int) -> FoundFact:
    """A medicine of which the message before says that it was left: it was for some days."""
    left = fact.predicate == MEDICATION and fact.polarity == "-" and fact.seq == last and fact.subject == USER
    return replace(fact, polarity="+") if left else fact


def _lasting(fact: FoundFact, told: str) -> FoundFact:
    """A complaint of which nobody has said how long it lasts, with what is told of it now."""
    if fact.predicate != SYMPTOM or fact.polarity != "+" or DURATION in fact.attributes:
        return fact
    return replace(fact, attributes={**fact.attributes, DURATION: told})


def _thinned(health: Sequence[Finding]) -> Iterator[Finding]:
    """That a relative's blood is thinned no more by a medicine that was stopped; of the user another rule says so."""
    for each in health:
        if each.kind == MEDICATION and each.denied and each.subject != USER and _thins(each.text):
            yield each._replace(kind=ANTICOAGULANT, attributes=((ENDED, "true"),))


def _thins(name: str) -> bool:
    return any(mention.term.tag == ANTICOAGULANT for mention in in_use().lexicon.mentions(name.lower()))


def fact_of(said: Said, finding: Finding) -> FoundFact:
    """A safety finding of a message as a fact to remember."""
    return _fact(said, finding, _POSSIBLE if finding.possible else _CERTAIN)


def _fact(said: Said, finding: Finding, importance: float) -> FoundFact:
    return FoundFact(
        seq=said.seq,
        subject=finding.subject,
        predicate=(POSSIBLE_PREFIX if finding.possible else "") + finding.kind,
        object=finding.text,
        polarity="-" if finding.denied else "+",
        quote=finding.quote,
        importance=importance,
        mind=NAME,
        attributes={**dict(finding.attributes), **({REACTION: finding.reaction} if finding.reaction else {})},
    )


def _is_read_here(fact: FoundFact) -> bool:
    if fact.predicate == MEDICATION:
        return True
    claimed = fact.polarity == "+" and fact.predicate in LIST_OF
    return claimed and (fact.predicate != DISEASE or disease_lasts(fact.object))


def _is_the_speaker(predicate: str, quote: str) -> bool:
    """Whether a relative is who speaks: 我是陈先生的女儿."""
    return predicate == FAMILY and any(True for _ in introduced(quote.lower()))


def _is_told_wider(fact: FoundFact, found: Sequence[FoundFact]) -> bool:
    """Whether these rules read where somebody works as what, and the others what alone."""
    return fact.predicate == JOB and any(_same(fact, each) and len(each.object) > len(fact.object) for each in found)


def _about(fact: FoundFact) -> tuple[int, str, str, str]:
    return fact.seq, fact.subject, fact.predicate, fact.polarity


def _same(known: FoundFact, fact: FoundFact) -> bool:
    """Whether two say the same of a message, be it in other words."""
    if _about(known) != _about(fact):
        return False
    of_safety = fact.predicate.removeprefix(POSSIBLE_PREFIX) in LIST_OF
    return (is_of_one if of_safety else is_part)(known.object, fact.object)
