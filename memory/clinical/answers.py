"""Short answers, which only the question before them explains."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.allergies import not_allergic
from memory.clinical.answerable import ASKS_NURSING
from memory.clinical.asked import Question, drawn
from memory.clinical.diseases import is_outgrown
from memory.clinical.each_answered import each_answered
from memory.clinical.elaborated import ANSWER_MAX, elaborated
from memory.clinical.excepted import ALL_THAT_IS_TAKEN, BUT, OF_A_KIND, excepted_in_answer, not_to_be_had
from memory.clinical.findings import (
    ALLERGY,
    ANTICOAGULANT,
    ANYTHING,
    BREAST_FEEDING,
    DISEASE,
    PREGNANCY,
    SURGERY,
    Finding,
)
from memory.clinical.harm_answered import asks_what_did_harm, harm_answered
from memory.clinical.languages import in_use
from memory.clinical.not_so import asks_of_treatment
from memory.clinical.operations import is_operable, was_not_done
from memory.clinical.organs import on_an_organ
from memory.clinical.questions import ASKS_TAKEN, asks_of_an_organ, names
from memory.clinical.reactions import harms_of, is_a_drug, is_remedy
from memory.clinical.reading import EDGE, Reading, lasts
from memory.clinical.sketch import LETTERS, Group
from memory.clinical.states import was_taken_once
from memory.clinical.taking import answered_whether_taken
from memory.clinical.values import called_by_a_value
from memory.clinical.yes_or_no import begins_as_answer, said_yes
from memory.language.noise import without_noise
from memory.language.terms import is_uncommon

_CHARS_MAX: Final = 90
_NAME_MAX: Final = 16
_BEGINNING: Final = 500
"""Letters of a message that are looked at for words of medicine."""
_ORGAN_CLAUSE_MAX: Final = 40
_DENIES: Final = re.compile(r"^\s*(?:没|不|无|no\b|nope\b|not\b)|没怀")
_STILL_THERE: Final = re.compile(
    r"^(?:都|也)?(?:还在|还没|没[动切割]|好好的)"
    r"|^s? (?:is |are )?(?:still (?:there|in)|intact|(?:all )?(?:my|mine) own|original|real)\b"
)
"""Behind an organ that was not operated on."""
_OTHERS: Final = re.compile(
    r"其[他它]|别的|剩下|\b(?:others?|else|anything|everything|nothing|rest|otherwise|apart|besides)\b"
)
"""It is said of all but what was named."""
_ASKS_FOR_OTHERS: Final = re.compile(
    rf"{_OTHERS.pattern}|什么|哪些|任何|等(?=[药食]|的|过敏|[？?])|比如|例如|譬如|之类|药物|食物"
    r"|\b(?:any(?= (?:known |real |bad )?all?erg(?:y|ies)\b(?! to\b))|such as|like|e\.?g|for example|for instance"
    r"|medic\w+|drugs?|foods?)\b"
)
"""A question for allergies that names substances as examples, or beside all others."""
_PART: Final = re.compile(r"[，,;；:：.。?？!！]")
_SENTENCE_END: Final = re.compile(r"[.。?？!！]")
"""Between the parts of a question, and behind a sentence of it."""
_EACH: Final = re.compile(r"[\s,，、.。;；]+")
_YES_OR_NO: Final = re.compile(r"no|nope|yes|yeah|yep|没有?|有|不是?|是")
"""Answers to each of several, in their order: no, no, yes."""
_TO_ANYTHING: Final = re.compile(r"\b(?:anything|any)\b|什么都|任何")
"""An answer that speaks of all substances, whichever was asked for."""
_REACTED: Final = re.compile(
    r"疹|肿|痒|喘|休克|\b(?:rash|hives|swell\w*|swollen|itch\w*|breath\w*|throat|collaps\w*|anaphyl\w*)"
)
"""In an answer: more than a stomach was upset."""
_HEARTBURN: Final = re.compile(r"heart ?burn|reflux|indigestion|胃[疼痛酸胀]|烧心|反酸")
_NOT_TO_BE_HAD: Final = re.compile(
    r"\b(?:can'?t|cannot|can not|mustn'?t|shouldn'?t)(?: (?:take|have|eat|use|drink|tolerate|stand|do))?(?: any)? $"
    r"|(?:不能|不可以|不敢|碰不得)(?:再)?[吃用打喝碰]?$"
)
"""Before what an answer to the question for allergies names."""
_DOSED: Final = re.compile(
    r"^ ?(?:\d+ (?:once|twice|three times|a day|daily|every|od|bd|tds)\b"
    r"|\d+(?:\.\d+)? ?(?:mg|mcg|g|ml|毫克|克|片|粒)|once a|twice a|daily\b|every (?:day|morning|night|evening)"
    r"|一?[天日][一二两三四\d]|每[天日晚早])"
)
"""Right behind one: it is taken so."""
_GIVEN_UP: Final = re.compile(r"(?:我|早就?|已经|都|现在|基本|平时)*(?:戒|(?:不|很少|偶尔|从不|没怎么)[喝抽])")
"""Right behind one: a habit."""
_HAD: Final = re.compile(r" (?:that |which )?(?:i|he|she|they|we) (?:had|took|was on|were on|was given)\b")
"""Right behind one: it was taken, and nothing is said of what it did."""
_NO_BUT: Final = re.compile(rf"^\W*(?:no|nope|nah|none|not really|没有?|无|不过敏)[\s，,.。]*(?:{BUT.pattern})")
"""A no that something is told behind: no but I take aspirin."""
_NOT_OPERATED: Final = re.compile(
    r"\b(?:didn'?t operate|never fixed|no (?:surgery|operation)|broke (?:my|a)|no one operated)\b"
    r"|没(?:开刀|手术|做手术)|打石膏|保守"
)
"""An answer to the question for operations that tells of none."""
_WILL_BE: Final = re.compile(
    r"\bwill (?:you|they)\b|\bare you (?:going to|having|booked|due)\b|\b(?:planned|scheduled)\b"
    r"|打算|计划|准备做|(?:要|将要?|想)做(?:什么|哪)"
)
"""A question for an operation that is to come."""
_EATEN: Final = re.compile(
    r"阴性|什么都[吃能]|\bcan eat (?:anything|everything)\b|\bi don'?t eat\b|\bgrown out\b|\bi eat\b|\beat everything\b"
    r"|\bneither\b"
)
"""An answer that says what is borne."""
_GROUP: Final = re.compile(f"[{''.join(LETTERS.values())}]")
"""Where words of medicine stand, as drawn."""
_OF_RELATIVES: Final = re.compile(
    r"家里人|家人|家族|亲属|父母|\b(?:family|relatives?|parents?"
    r"|siblings?)\b(?! (?:doctor|gp|practice))"
)
_MAY_BE: Final = re.compile(
    r"\bso (?:maybe|possibly|perhaps|might be|could be)\b|^\W*(?:dunno|no idea),? (?:might|could|maybe)"
    r"|^\W*(?:well,? |um+,? |hmm+,? |i )?(?:could be|may ?be\b|might(?: be)?\b|possibl[ey]|perhaps|not sure)"
    r"|^\W*(?:我)?(?:也)?(?:有可能|可能(?!性|不)|也许|不(?:太|大)?(?:确定|清楚|好说)|说不(?:定|准|好))"
)
"""An answer that leaves a pregnancy open."""
_ADDS: Final = re.compile(r"\W*(?:(?:oh|ah|ooh|wait|sorry|actually|yes|yeah)\W+)*and\s+(?:also\s+)?")
"""What stands before something that is added to an earlier answer."""
_AND_THIS: Final = re.compile(
    r"\W*(?:no|nope|nah|没有?|不是?)[.,;，。 ]+(?:and|also|plus|还有|另外)(?: also)?(?: my| the)?\s?"
    rf"(?:[{''.join(LETTERS.values())}]|s\b|[\s、,，和]|\band\b|过敏)+\W*"
)
"""A no to another question, and then no more than what is added to an earlier answer."""
_NO_THEN_YES: Final = re.compile(
    r"\W*(?:no|nope|nah)[,. ]+(?:no[,. ]+)?(?:sorry|wait|i mean(?:t)?|actually|oh)[,. ]+(?:i mean(?:t)? |sorry,? )?"
    r"(?:yes|yeah|yep)\b"
    r"|\W*(?:不对|不是|没有|没(?!有))[，,、。\s]+(?:不对[，,、。\s]*|哦|噢|啊|等等|[，,。\s])*(?:有的?|是的?|会)[，,、。\s]"
    r"|\W*不对不对[，,、。\s]+有[，,、。\s]"
)
"""A slip, and then a yes."""
_FEEDS: Final = re.compile(
    r"^\W*(?:just|only|mostly|mainly)? ?(?:at (?:night|bed ?time)|in the (?:night|evenings?|mornings?)|once|twice"
    r"|\d+ times|still am)\b|喂(?:着|[一二两三四几\d]{1,2}[顿次])|我自己喂"
)
"""An answer to the question for nursing that says when."""
_WEEKS: Final = re.compile(r"周|\d ?w\b|\bweeks?\b")


def may_answer(text: str) -> bool:
    """Whether what was asked before a message may say what it means, or of whom it is."""
    return (
        len(text) <= ANSWER_MAX or begins_as_answer(text) or bool(in_use().lexicon.mentions(text[:_BEGINNING].lower()))
    )


def answers(reading: Reading) -> Iterator[Finding]:
    """What an answer names is what was asked for: an allergy, a disease, an operation; or there is none."""
    if not reading.question.text:
        return
    if len(reading.drawn) > _CHARS_MAX:
        yield from _named_first(reading, reading.question)
        return
    before, grammar = reading.question, reading.grammar
    asked = before.asking
    if _OF_RELATIVES.search(asked):
        return
    yield from _named(reading, before, asked)
    if before.names_medicine:
        yield from _taken_as_asked(reading, before)
        yield from harm_answered(reading, before, asked)
        granted = list(said_yes(reading, before))
        yield from granted or elaborated(reading, before)
    feeds = grammar.yes.search(reading.drawn) or _FEEDS.search(reading.sketch.lowered)
    if ASKS_NURSING.search(asked) and feeds and not _DENIES.search(reading.drawn):
        yield from reading.told(BREAST_FEEDING, grammar.nursing_name, 0)
    nurses = ASKS_NURSING.search(asked) or grammar.nursing.search(reading.drawn)
    if grammar.asks_pregnancy.search(asked) and not nurses:
        unsure = _MAY_BE.search(reading.sketch.lowered) is not None
        if unsure or _is_pregnant(reading):
            yield from reading.told(PREGNANCY, grammar.pregnant_name, 0, possible=unsure)


def _named(reading: Reading, before: Question, asked: str) -> Iterator[Finding]:
    grammar = reading.grammar
    asks_allergy = grammar.asks_allergy.search(asked) or asks_what_did_harm(before)
    if asks_allergy and not asks_of_treatment(asked):
        yield from _not_borne(reading, before)
    if grammar.asks_disease.search(asked):
        yield from _answer(reading, before, DISEASE, "D")
        yield from called_by_a_value(reading)
    to_come = _WILL_BE.search(asked) or grammar.planned.search(reading.drawn) or _is_nothing(reading)
    if grammar.asks_operation.search(asked) and not to_come:
        yield from _answer(reading, before, SURGERY, "OGVD")
    if grammar.asks_thinner.search(asked) and not asks_allergy:
        yield from _thinners(reading)


def _named_first(reading: Reading, before: Question) -> Iterator[Finding]:
    """What a long answer begins with, alone in a sentence: Heparin. My platelets crashed on it after ..."""
    first = reading.sketch.clauses[0]
    group = reading.sketch.groups.get(first.start)
    alone = reading.drawn[first.start + 1 : first.end].strip(EDGE + "s") == ""
    if group is None or not alone or _OF_RELATIVES.search(before.asking):
        return
    grammar = reading.grammar
    kinds = ((ALLERGY, "S", grammar.asks_allergy), (DISEASE, "D", grammar.asks_disease))
    for kind, letter, asks in kinds:
        if group.letter == letter and asks.search(before.asking) and _fits(reading, kind, first.start, group):
            reading.answered.update((kind, name) for name in reading.names(group))
            yield from reading.told_each(kind, group, first.start)


def _is_pregnant(reading: Reading) -> bool:
    """Whether an answer says yes, or how far it is."""
    grammar = reading.grammar
    if grammar.not_pregnant.search(reading.drawn) or _DENIES.search(reading.drawn):
        return False
    return any(each.search(reading.drawn) for each in (grammar.yes, _WEEKS))


def _not_borne(reading: Reading, before: Question) -> Iterator[Finding]:
    """What is not borne: substances; an answer that may be nothing but a name that no list has is a possible one."""
    if _EATEN.search(reading.sketch.lowered):
        return
    left_out = list(excepted_in_answer(reading, before.asking))
    yield from left_out
    denial = reading.grammar.no_allergies.search(reading.drawn)
    if not left_out and (denial is None or _is_named_before(reading, denial)):
        if _NO_BUT.match(reading.drawn) and not (harms_of(reading) or _is_nothing(reading)):
            yield from _none(reading, before, ALLERGY)
        yield from _answer(reading, before, ALLERGY, "S")
    if _may_be_a_name(reading) and not names(before.drawn, "S"):
        yield from reading.unknown(0, len(reading.drawn), possible=True)


def _is_named_before(reading: Reading, denial: re.Match[str]) -> bool:
    """Whether something is named before it is said that there is none of another kind: nuts. no drug allergies."""
    if OF_A_KIND.search(reading.drawn) is None:
        return False
    began = reading.sketch.clause_at(denial.start()).start
    return any(reading.sketch.groups_in(0, began, "S"))


def _may_be_a_name(reading: Reading) -> bool:
    """Whether an answer is short, and no everyday word stands in it: 我问问我妈 names nothing."""
    if reading.sketch.groups or len(reading.drawn) > _NAME_MAX or reading.asks(reading.sketch.clauses[0]):
        return False
    return is_uncommon(reading.drawn)


def _thinners(reading: Reading) -> Iterator[Finding]:
    """What is taken against clots."""
    for at, group in reading.groups("S"):
        if (
            at not in reading.taken
            and all(member.term.tag == "anticoagulant" for member in group.members)
            and not was_taken_once(reading, at)
            and _is_named(reading, at)
        ):
            yield from reading.told_each(ANTICOAGULANT, group, at)


def _taken_as_asked(reading: Reading, before: Question) -> Iterator[Finding]:
    """What against clots a question asks for, and an answer says yes or no to."""
    answer = answered_whether_taken(reading.sketch, before)
    if answer is None:
        return
    for member in answer.members:
        if member.term.tag == "anticoagulant":
            for finding in reading.told(ANTICOAGULANT, member.term.name, 0):
                yield finding._replace(denied=not answer.takes)


def _is_nothing(reading: Reading) -> bool:
    """Whether an answer is no more than a no: 没有鼻炎 denies rhinitis alone, and "no. and my appendix" says more."""
    if _AND_THIS.fullmatch(reading.drawn) or _NO_THEN_YES.match(reading.sketch.lowered):
        return False
    first, nothing = reading.sketch.clauses[0], reading.grammar.nothing
    said = (reading.drawn, reading.drawn[first.start : first.end])
    plain = [each for each in said if _GROUP.search(each) is None]
    return any(nothing.search(words) for words in (*said, *map(without_noise, plain)))


def _answer(reading: Reading, before: Question, kind: str, letters: str) -> Iterator[Finding]:
    if _is_nothing(reading):
        yield from _none(reading, before, kind)
        yield from not_to_be_had(reading) if kind == ALLERGY else ()
        return
    borne = {each.text for each in not_allergic(reading)} if kind == ALLERGY else set()
    for at, group in reading.groups(letters):
        of_each = [] if not borne.isdisjoint(reading.names(group)) else each_answered(reading, kind, at, group)
        if of_each is not None:
            yield from of_each
            continue
        named = _is_named(reading, at) or (kind == ALLERGY and _NOT_TO_BE_HAD.search(reading.prefix(at)))
        if at in reading.taken or not named or not _fits(reading, kind, at, group):
            yield from _borne_but_the_last(reading, kind, at, group) if named else ()
            continue
        done = reading.grammar.operated.match(reading.suffix(at + 1)) if group.letter == "G" else None
        if done is None and group.letter == "G":
            yield from on_an_organ(reading, before, at)
        elif done is None:
            if reading.sketch.clause_at(at).number == 0:
                reading.answered.update((kind, name) for name in reading.names(group))
            yield from reading.told_each(
                kind, group, at, possible=kind == ALLERGY and _is_open(reading, before, at, group)
            )
        else:
            end = at + 1 + done.end()
            yield from reading.told(kind, reading.sketch.quote(at, end), at, end=end)


def _is_open(reading: Reading, before: Question, at: int, group: Group) -> bool:
    """Whether a medicine that an answer names may be no allergy.

    What is taken is asked for too; or all that is told of it is what it did to the stomach.
    """
    reacted = _REACTED.search(reading.sketch.lowered) or any(harm.strong for harm in harms_of(reading))
    if reacted or not is_a_drug(group):
        return False
    said = reading.sketch.quote(at + 1, reading.sketch.clause_at(at).end).lower()
    upset = reading.grammar.disgust.search(said) or _HEARTBURN.search(said)
    return upset is not None or (not harms_of(reading) and ASKS_TAKEN.search(before.asking) is not None)


def _borne_but_the_last(reading: Reading, kind: str, at: int, group: Group) -> Iterator[Finding]:
    """Of a list whose last one is borne, the others: just sulfa, doxy is fine."""
    is_open = kind == ALLERGY and at not in reading.taken and _is_borne(reading, at)
    apart = reading.but_the_last(group) if is_open else ()
    reading.taken.update({at} if apart else ())
    for member in apart:
        reading.answered.add((kind, reading.name(member)))
        yield from reading.told(kind, reading.name(member), at)


def _asked_alone(reading: Reading, before: Question) -> Sequence[str]:
    """The substances to which allergies are asked for, where it is asked for no others, and none is spoken of."""
    asks = list(reading.grammar.asks_allergy.finditer(before.asking))
    if not asks or _ASKS_FOR_OTHERS.search(before.asking) or _TO_ANYTHING.search(reading.sketch.lowered):
        return []
    began = max((part.end() for part in _PART.finditer(before.asking, 0, asks[0].start())), default=0)
    ends = _SENTENCE_END.search(before.asking, asks[0].end())
    until = ends.start() if ends else len(before.asking)
    return names(drawn(before.asking[began:until]), "S") if asks[-1].end() <= until else []


def _none(reading: Reading, before: Question, kind: str) -> Iterator[Finding]:
    """There is none of a kind; of allergies, none to what the question names, where it asks for no others.

    Nor anything of all diseases, where it asks after those of one organ.
    """
    if kind == DISEASE and asks_of_an_organ(before):
        return
    asked = _asked_alone(reading, before) if kind == ALLERGY else []
    each_said = [word for word in _EACH.split(reading.sketch.lowered) if word]
    in_turn = len(asked) > 1 and len(each_said) == len(asked) and all(map(_YES_OR_NO.fullmatch, each_said))
    for place, name in enumerate(asked or [ANYTHING]):
        for finding in reading.told(kind, name, 0):
            yield finding._replace(denied=not (in_turn and each_said[place].startswith(("y", "有", "是"))))


def _is_borne(reading: Reading, at: int) -> bool:
    """Whether an answer goes on to say that what it names does no harm, before it names another or speaks of others."""
    until = next((other for other, _ in reading.sketch.groups_in(at + 1, len(reading.drawn), "S")), None)
    if reading.may_be_had(at) or reading.is_liked(at):
        return True
    said = reading.grammar.unharmed.search(reading.drawn, at + 1, len(reading.drawn) if until is None else until)
    return said is not None and _OTHERS.search(reading.drawn, at + 1, said.end()) is None


def _does_harm(reading: Reading, at: int) -> bool:
    """Whether harm is told behind a substance in its clause, before another is named."""
    end = reading.sketch.clause_at(at).end
    until = next((other for other, _ in reading.sketch.groups_in(at + 1, end, "S")), end)
    return any(at < harm.start < until for harm in harms_of(reading))


def _is_named(reading: Reading, at: int) -> bool:
    if reading.overturned(at) or reading.likened(at) or reading.asks(reading.sketch.clause_at(at)):
        return False
    if reading.is_of_a_patient(at):
        return False
    return not (reading.denied(at, at + 1) or reading.doubted(at, at + 1))


def _fits(reading: Reading, kind: str, at: int, group: Group) -> bool:
    if kind == ALLERGY:
        before = reading.prefix(at)
        grammar = reading.grammar
        used = (grammar.takes_before,) if grammar.asks_first else (grammar.contact_before, grammar.treated)
        adds = _ADDS.fullmatch(before) is not None
        taken = _HAD.match(reading.drawn, at + 1) or (not adds and any(words.search(before) for words in used))
        taken = taken or bool(_DOSED.match(reading.suffix(at + 1)) or ALL_THAT_IS_TAKEN.search(before))
        taken = taken or _GIVEN_UP.match(reading.drawn, at + 1) is not None
        taken = taken and not (_NOT_TO_BE_HAD.search(before) or _does_harm(reading, at))
        disliked = grammar.disliked.search(reading.sketch.lowered) is not None and not harms_of(reading)
        return not (is_remedy(group) or taken or disliked or _is_borne(reading, at))
    if kind == SURGERY and was_not_done(reading, at):
        return False
    if kind == SURGERY and _NOT_OPERATED.search(reading.sketch.lowered):
        return False
    if group.letter == "D" and kind == SURGERY:
        return is_operable(reading, group)
    if group.letter == "G":
        clause = reading.sketch.clause_at(at)
        is_there = _STILL_THERE.search(reading.suffix(at + 1)) is not None
        return clause.end - clause.start <= _ORGAN_CLAUSE_MAX and not is_there
    return kind != DISEASE or (lasts(group) and not is_outgrown(reading, at))
