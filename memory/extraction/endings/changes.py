"""What holds no longer, said of a thing that is known (云南不去了, gave up the wine), as denials of what is held.

Who says that something is over seldom says it as they once said that it was so. So it is not read from the sentence
alone: a clause that says that something has ended, and shares a word with what is held, ends that.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import (
    ALLERGY,
    ANTICOAGULANT,
    APPOINTMENT,
    DISEASE,
    ENDED,
    MEDICATION,
    MOVED,
    SURGERY,
    SYMPTOM,
)
from memory.clinical.health.symptoms import comes_back
from memory.clinical.health.wanted import is_wanted_by_others
from memory.clinical.languages import in_use
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.sameness import HEADS, head_of, is_of_one, is_short_for
from memory.clinical.sketch import TEXT_CHARS_MAX, Clause, Sketch, simplified, sketch_of
from memory.extraction.endings.felt import SIGNS_MAX, is_felt_no_more, lacks_it_again, lost_sign, spellings
from memory.extraction.endings.known import Known, alone, denial, own_messages
from memory.extraction.endings.medicines import beside_one_that_was_stopped
from memory.extraction.endings.reasons import Reasons
from memory.extraction.endings.words import (
    ADVISED,
    BEFORE,
    DENIED,
    ENDINGS,
    MISTAKEN,
    NOT_DONE,
    Ending,
    says_any,
)
from memory.language.apostrophes import spelled
from memory.language.terms import terms
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import HABIT, PET, PLAN
from memory.session.safety import LIST_OF

PLANNED: Final = (APPOINTMENT, PLAN)
"""Predicates of what is to come."""
_NAME_SIGNS: Final = 2
_OPERATION: Final = frozenset(("手术", "切除", "surgeri", "surgery", "oper", "operation", "repair", "replac"))
_OF_ANY_OPERATION: Final = frozenset("切了手术做的过全除换置掉右左侧月年上下个刚已经 ()")
_OTHERS_PET: Final = re.compile(
    r"\b(?:neighbou?r|friend|sister|brother|mum|mom|dad|mother|father|aunt|uncle|gran\w*|nan|boss|colleague|mate)'?s? "
    r"(?:\w+ )?(?:cat|dog|puppy|kitten|rabbit|bird|hamster|pet)|(?:邻居|朋友|同事|同学|闺蜜|楼[上下]|隔壁|亲戚"
    r"|我[妈爸姐哥妹弟])(?:家)?的?[猫狗]",
    re.IGNORECASE,
)
_SHORT: Final = 2
_STEM: Final = 5
_SPOKEN_OF_NEAR: Final = 100
"""Letters before a clause in which its thing may be named."""
_TEST_OF_ALLERGY: Final = re.compile(
    r"皮试|点刺|斑贴|激发|过敏原|\b(?:(?:patch|skin|prick|allergy)(?: \w+)? tests?|skin prick"
    r"|oral challenge)\b",
    re.IGNORECASE,
)
_ASKS_RESULT: Final = re.compile(
    r"结果|查出|怎么样|怎么说|\b(?:what|anything|how)\b[^?]{0,24}\b(?:find|found|show\w*|say|said|results?|come"
    r"|go)\b",
    re.IGNORECASE,
)
_BY_A_DOCTOR: Final = re.compile(
    r"^(?:and |so |but )*(?:they|(?:the |my )?(?:doctor|dr|gp|clinic|hospital|allergist|specialist|consultant"
    r"|nurse|\w+ologist)s?)"
    r" (?:now |also )?(?:says?|said|told me|confirmed)\b(?! (?:to|don't|not to|if|you should)\b)",
    re.IGNORECASE,
)
_FOR_DAYS: Final = re.compile(r"(?:断|停)了?[一两二三四五几\d]{1,2}天(?!前)")
"""A medicine was left for some days only."""
_NOW_THAT: Final = re.compile(
    r"\bnow that (?P<x>i(?:'ve| have|'m| am)?\b.{3,60}?)(?= (?:can|could|should|may|is|do|am) (?:i|it|we)\b|[,?]|$)",
    re.IGNORECASE,
)
"""What a question takes for known: now that I've weaned her, can I go back to sumatriptan?"""
_TODAY: Final = re.compile(
    r"[这那今本]次|今[天早晚]|昨[天晚]|这回|住院|担心|[想要]看|主要|治的|遗传|引起|\b(?:this time|today"
    r"|last night|tonight|here for|came in|visit|worry|worried|about)\b"
)
"""What is spoken of is an episode, a reason, a medicine: that it is not of a disease does not end that."""


class _Message(NamedTuple):
    """A message as it is read, and what it may end, with its words.

    `mistaken`: where it last says so, -1: nowhere; `retold`: where it says that it tells somebody else's words.
    """

    said: Said
    drawn: Sketch
    reasons: Reasons
    known: Mapping[Known, frozenset[str]]
    mistaken: int
    retold: Sequence[tuple[int, int]]


def changes(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what is held, in the user's words that end it."""
    known = {each: words_of(each.object) for each in held}
    results = _results_asked_for(dialogue) if known else {}
    for said in own_messages(dialogue) if known else ():
        words = spelled(said.text[:TEXT_CHARS_MAX])
        if says_any(simplified(words.text)):
            drawn = sketch_of(words, in_use().lexicon)
            mistaken = max((found.start() for found in MISTAKEN.finditer(drawn.lowered)), default=-1)
            reported = (grammar.reported.finditer(drawn.lowered) for grammar in in_use().grammars)
            retold = sorted(found.span() for each in reported for found in each)
            message = _Message(said, drawn, Reasons(drawn, results.get(said.seq, "")), known, mistaken, retold)
            for clause in drawn.clauses:
                yield from _ended(message, clause)


def _results_asked_for(dialogue: Dialogue) -> dict[int, str]:
    """By message: the one before it, where that tells of a test of an allergy and an agent asks what it showed."""
    found, own, asked = dict[int, str](), "", ""
    for said in dialogue.messages:
        if not said.own:
            asked = said.text
        elif said.speaker == USER:
            if own and _TEST_OF_ALLERGY.search(own) and _ASKS_RESULT.search(asked) and alone(dialogue):
                found[said.seq] = own.lower()
            own, asked = said.text[:TEXT_CHARS_MAX], ""
    return found


def moved(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the appointments that are on another day now: of those that share a word, or of the only one."""
    known = [each for each in held if each.predicate in PLANNED]
    for fact in found:
        if fact.predicate != APPOINTMENT or not fact.attributes.get(MOVED):
            continue
        earlier = [each for each in known if each.seq < fact.seq and each.object != fact.object]
        near = [each for each in earlier if not words_of(each.object).isdisjoint(words_of(fact.object))]
        apart = [each for each in earlier if not any(_is_part(each, other) for other in earlier)]
        for each in near or (earlier if len(apart) == 1 else ()):
            yield replace(fact, predicate=each.predicate, object=each.object, polarity="-", attributes={})


def given_up(over: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the plan that is part of what an appointment that is over said."""
    plans = [each for each in held if each.predicate in PLANNED]
    for fact in over:
        if fact.predicate == APPOINTMENT and fact.polarity == "-":
            for each in plans:
                if each.seq < fact.seq and _is_part(each, Known(APPOINTMENT, fact.object)):
                    yield replace(fact, predicate=each.predicate, object=each.object, attributes={ENDED: "true"})


def _is_part(known: Known, other: Known) -> bool:
    """Whether it is told in the words of another one, or in most of them."""
    if known.object == other.object:
        return False
    own, theirs = words_of(known.object), words_of(other.object)
    same = own == theirs and (known.predicate, other.predicate) == (PLAN, APPOINTMENT)
    return known.object in other.object or (len(own) > 1 and (own < theirs or same))


def done(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what was planned and is done: an operation that somebody had ends its appointment."""
    known = [(each, words_of(each.object)) for each in held if each.predicate in PLANNED]
    for fact in found:
        if fact.predicate != SURGERY or fact.polarity != "+" or fact.subject != USER:
            continue
        words = words_of(fact.object) - _OPERATION
        signs = set(fact.object) - _OF_ANY_OPERATION
        for each, theirs in known:
            is_it = not theirs.isdisjoint(words) or ("切" in each.object and not signs.isdisjoint(each.object))
            if each.seq < fact.seq and is_it:
                yield replace(fact, predicate=each.predicate, object=each.object, polarity="-", attributes={})


def relieved(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of complaints that are denied in a form of the same word: constipated, and then no constipation."""
    known = [each for each in held if each.predicate == SYMPTOM]
    for fact in found:
        if fact.predicate == SYMPTOM and fact.polarity == "-" and fact.subject == USER:
            words = words_of(fact.object)
            for each in known:
                told_so = each.object != fact.object and (
                    words_of(each.object) == words or _has_a_form_of(each.object, words)
                )
                if each.seq < fact.seq and told_so:
                    yield replace(fact, object=each.object, attributes={ENDED: "true"})


def thinned(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the anticoagulant that is taken no longer, as a medicine is denied."""
    known = {each.object.casefold() for each in held if each.predicate == ANTICOAGULANT}
    decided = {(each.seq, each.object) for each in found if each.predicate == ANTICOAGULANT and each.polarity == "-"}
    for fact in found:
        if fact.predicate == MEDICATION and fact.polarity == "-" and fact.object.casefold() in known:
            if (fact.seq, fact.object) in decided:  # taken back: a person decides
                continue
            yield replace(fact, predicate=ANTICOAGULANT, attributes={ENDED: "true"})


def _shares(name: str, words: frozenset[str]) -> bool:
    return not words_of(name).isdisjoint(words)


def alike(name: str, words: frozenset[str]) -> bool:
    """Whether there is a word of it, or one that begins as it does: nausea, nauseous."""
    own = words_of(name)
    stems = {each[:_STEM] for each in words if each.isascii() and len(each) >= _STEM}
    return not own.isdisjoint(words) or any(each[:_STEM] in stems for each in own if each.isascii())


def _has_a_form_of(name: str, words: frozenset[str]) -> bool:
    """Whether one of these is another form of a word of it: constipation, constipated."""
    return any(
        one != other and one[:_STEM] == other[:_STEM]
        for one in words_of(name)
        for other in words
        if one.isascii() and len(one) >= _STEM
    )


def _ended(message: _Message, clause: Clause) -> Iterator[FoundFact]:
    drawn = message.drawn
    said_so = drawn.quote(clause.start, clause.end)
    quote = simplified(drawn.words(clause.start, clause.end)).replace("啦", "了")
    presupposed = _NOW_THAT.search(quote) if clause.asked else None
    quote = presupposed["x"] if presupposed else quote
    endings = [ending for ending in ENDINGS if ending.words.search(quote)]
    if (
        not endings
        or (clause.asked and not presupposed)
        or NOT_DONE.search(quote)
        or _is_retold(message, clause)
        or comes_back(drawn, clause)
    ):
        return
    if _FOR_DAYS.search(quote) or any(health.resumed.search(quote.lower()) for health in in_use().healths):
        endings = [ending for ending in endings if MEDICATION not in ending.predicates]
    if message.mistaken >= drawn.places[clause.end]:
        endings = [ending for ending in endings if not set(ending.predicates) & set(PLANNED)]
    if not message.reasons.is_users_own(clause):
        endings = [ending for ending in endings if ending.anyones]
    words = words_of(quote) | _names(drawn, clause.start, clause.end)
    said_as = [
        drawn.lowered[member.start : member.end]
        for _, group in drawn.groups_in(clause.start, clause.end, "D")
        for member in group.members
    ]
    begun = max(0, clause.start - _SPOKEN_OF_NEAR)
    nearby = drawn.quote(begun, clause.end)
    around = words | words_of(nearby) | _names(drawn, begun, clause.end)
    anywhere = [ending for ending in endings if ending.anywhere and ending.anywhere.search(nearby)]
    alone = _alone(message.known, around) if anywhere else ()
    of_today = _is_of_today(drawn, clause)
    wanted = any(is_wanted_by_others(drawn, clause, health) for health in in_use().healths)
    taken = beside_one_that_was_stopped(drawn, clause)
    alone_felt = _felt_alone(message, lost_sign(quote))
    for each in message.known:
        its = [one for one in said_as if is_of_one(one, each.object) or is_short_for(one, each.object)]
        its += head.findall(quote) if each.predicate == DISEASE and (head := head_of(each.object)) else ()
        goes_on = each.predicate in {MEDICATION, ANTICOAGULANT} and (
            wanted or any(name in each.object for name in taken)
        )
        is_news = each.seq < message.said.seq and not goes_on
        fits = is_news and any(
            _fits(
                ending,
                each,
                nearby if ending.anyones else quote,
                around if ending in anywhere and each in alone else words,
                its,
            )
            for ending in endings
        )
        if (fits or each is alone_felt) and _may_end(each, message.reasons, said_so, of_today=of_today):
            yield denial(message.said, each, said_so)


def _felt_alone(message: _Message, sign: str) -> Known | None:
    """The one complaint of the user with this sign, where there are not two."""
    found = [
        each
        for each in message.known
        if sign
        and each.predicate == SYMPTOM
        and each.seq < message.said.seq
        and sign in each.object.replace("痛", "疼")
    ]
    return found[0] if len({each.object for each in found}) == 1 else None


def _may_end(known: Known, reasons: Reasons, said_so: str, *, of_today: bool) -> bool:
    """Whether words may end it at all: an allergy and a lasting disease only with a reason."""
    lasts = known.predicate == DISEASE and disease_lasts(known.object)
    if known.predicate != ALLERGY and not lasts:
        return known.predicate != HABIT or not ADVISED.match(said_so)
    return not (lasts and of_today) and reasons.reason_for(said_so, known.object, known.predicate) != ""


def _is_of_today(drawn: Sketch, clause: Clause) -> bool:
    """Whether a disease is not the cause of what is felt today: who coughs of something else has asthma still."""
    first = next((at for at, _ in drawn.groups_in(clause.start, clause.end, "D")), clause.end)
    felt = {member.term.name for _, group in drawn.groups_in(clause.start, first, "YR") for member in group.members}
    return bool(felt - HEADS) or _TODAY.search(drawn.drawn, clause.start, first) is not None


def _alone(known: Mapping[Known, frozenset[str]], words: frozenset[str]) -> Sequence[Known]:
    """Those beside which nothing else of its kind is spoken of."""
    named = [each for each, own in known.items() if own & words]
    objects: dict[str, set[str]] = {}
    for each in named:
        objects.setdefault(each.predicate, set()).add(each.object)
    return [each for each in named if len(objects[each.predicate]) == 1]


def _fits(ending: Ending, known: Known, quote: str, words: frozenset[str], said_as: Sequence[str]) -> bool:
    """Whether a clause that says so speaks of this. `said_as`: its words for it, where it is a disease."""
    if not ending.may_end(known.predicate, known.object) or (
        known.predicate in LIST_OF and not ending.beside and DENIED.search(ending.words.sub("", quote))
    ):
        return False
    others = known.predicate == PET and _OTHERS_PET.search(quote) is not None
    if others or (known.predicate == SYMPTOM and lacks_it_again(known.object, quote.lower())):
        return False
    if ending.of is not None:
        return ending.of.search(known.object) is not None and not BEFORE.search(quote)
    whole = len(known.object) == 1 or (known.predicate == ALLERGY and not known.object.isascii())
    if _named_in(known, quote) or (whole and known.object in quote):
        return True
    if not ending.beside:
        return (alike if known.predicate == SYMPTOM else _shares)(known.object, words)
    return any(ending.is_beside(name, quote) for name in (*spellings(known.object), *said_as))


def _named_in(known: Known, quote: str) -> bool:
    """Whether a clause has a pet's name, or the signs of a complaint apart: 胃疼, and then 胃不疼了."""
    if known.predicate == PET:
        names = known.object.split()[1:] if known.object.isascii() else [known.object[-_NAME_SIGNS:]]
        return any(name in quote for name in names)
    if not known.object.isascii() and (
        known.predicate == PLAN or (known.predicate == HABIT and len(known.object) == _SHORT)
    ):
        does = known.object.lstrip("去做")[:1]
        if re.search(f"(?:不|没)再?{re.escape(does)}了", quote):
            return True
    if known.predicate == SYMPTOM and is_felt_no_more(known.object, quote):
        return True
    signs = set(known.object)
    short = 1 < len(signs) <= SIGNS_MAX and not known.object.isascii()
    return known.predicate == SYMPTOM and short and signs <= set(quote)


def _names(drawn: Sketch, start: int, end: int) -> frozenset[str]:
    """The words of the names that a lexicon has for what a stretch names in others."""
    groups = [group for _, group in drawn.groups_in(start, end, "SDOVYT")]
    return frozenset(word for group in groups for member in group.members for word in words_of(member.term.name))


def _is_retold(message: _Message, clause: Clause) -> bool:
    """Whether somebody else's words are told: its sentence says so before it. What a doctor says is no hearsay."""
    if _BY_A_DOCTOR.search(message.drawn.quote(clause.start, clause.end)):
        return False
    began, end = (message.drawn.places[at] for at in (clause.began, clause.end))
    first = bisect_left(message.retold, (began, began))
    return first < len(message.retold) and message.retold[first][1] <= end


def words_of(text: str) -> frozenset[str]:
    """The terms of a text that mean something alone."""
    return frozenset(word for word in terms(text) if len(word) >= _SHORT and not word.isdigit())
