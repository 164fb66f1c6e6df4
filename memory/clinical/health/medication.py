"""Medicines: which are taken, how much and how often, and which are taken no longer."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from memory.clinical.course import Course, course_of
from memory.clinical.findings import ALLERGY, MEDICATION, Finding
from memory.clinical.health.doses import WAS_AND_IS, Details, details_of
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.wanted import is_wanted_by_others
from memory.clinical.lexicon import Mention
from memory.clinical.reading import EDGE, NEAR, Reading
from memory.clinical.sketch import Clause, Group, pattern
from memory.clinical.states import FORMERLY, STILL

_STOPPED_NEAR: Final = 5
"""Clauses behind a medicine in which it may be stopped, unless another one is named."""
_TELEGRAM_MAX: Final = 3
_ANSWER_LEAD_MAX: Final = 5
"""Letters of a clause that may stand before the medicine that it answers with: yes, 就是."""
_ANSWER_REST_MAX: Final = 8
_TURNED_DOWN: Final = pattern(r"<RY>|[不没别停伤]|\b(?:no|not|never|upsets?|makes?|made|gave|gives|didn'?t|doesn'?t)\b")
"""Behind the medicine of an answer: it is not taken."""
_WAVERS: Final = pattern(
    r"\b(?:scared|afraid|reluctant|nervous|want|dare) to (?:stop|come off|quit)\b|[吃用]<S>会(?:怎|有|不)"
    r"|\b(?:maybe|thinking|thought about|tempted|wonder\w*|perhaps)\b|(?<!不)想(?:停|不吃|断)|要不要|打算|能不能|劝"
)
"""A clause that says of stopping a medicine that it would be possible."""
_AMOUNT_OF: Final = re.compile(
    r"\d+(?:\.\d+)? ?(?:units?|mg|mcg|ml|micrograms?|milligrams?|drops?|puffs?|tablets?) of $"
)
"""Before a medicine of which somebody says when they have so much."""
NOT_WITH: Final = re.compile(
    r"(?:不能|不可以?|不让|别|说)(?:跟|和|与|同)$"
    r"|\b(?:not|mix\w*|interact\w*|clash\w*|(?:together|along|taken?|take it) (?:with)?) ?(?:with )(?:the |my )?$"
)
"""Before a medicine beside which another one is not to be taken."""
_TOGETHER: Final = re.compile(r"(?:跟|和|与|同)$")
_CLASHES: Final = re.compile(
    r"(?:一起|一块儿?|同时)?[吃用服打]?(?:不(?:好|行|合适|太好|能)|会(?:打架|冲突|出血|出事)|有冲突|打架|冲突"
    r"|犯冲|相冲)"
)
"""The same, behind it: 跟舍曲林一起吃不好."""
_PAUSED_BEFORE: Final = re.compile(
    r"\b(?:paus(?:ed?|ing)|(?:to|me|they|gp|doctor) (?:hold|held))\b(?:\s|the|my|his|her|of|off|on|taking)*$"
    r"|(?:暂时?停|术前停|手术前停)(?:了|用|掉)?$"
)
"""Before what is left for some days."""
_FOR_GOOD: Final = re.compile(r"\b(?:for good|altogether|permanently|never again)\b|再也|以后都不")
"""Behind what was paused at first: it is over."""
_DAYS_BEFORE: Final = re.compile(
    r"[^.;!?\n]{0,12}\b(?:days?|weeks?) before (?:the|my|an?|his|her) (?:op\b|operation|surgery|procedure|extraction)"
)
"""Behind what was stopped: for an operation."""
_PAUSED_AFTER: Final = re.compile(
    r"^ (?:(?:is|are|was|were|has been|have been) )?(?:(?:put )?on hold|paused|held)\b"
    r"|^(?:要|得|先|让|叫|已经|就|也|都)*(?:暂时?停|(?:先)?停(?:了|用|药)?(?:几|[\d一二两三四五六七]+)天)"
)
"""Behind what is left for some days."""
DRUG: Final = "drug"
"""Of mentions of medicines."""
_LEFT_ALONE: Final = re.compile(
    r"s?,? (?:i |we |he |she )?(?:(?:stays?|keeps?) away from|avoids?|steers? clear of|don'?t touch|can'?t have)\b"
)
_IS_IT: Final = re.compile(r"\b(?:is|are) (?:the |my |some )?$")
_OK_OR_NOT: Final = re.compile(r"s? (?:still )?(?:ok(?:ay)?|safe|fine|alright|all right|allowed)\b")
"""Right before and behind a medicine: whether it may be had."""
_MAY_BE_LEFT: Final = re.compile(
    r"\b(?:can|could|should|may|to|i'?d better) (?:now )?(?:stop|drop|quit|come off|leave off"
    r"|give up)(?: taking| using)? (?:the |my )?$"
    r"|(?:可以|能|应该|让我|叫我)(?:把|先)?(?:停|断)?(?:掉|了)?$"
)
_THROWN_AWAY: Final = re.compile(r"\bcan (?:now )?(?:bin|ditch|chuck|throw (?:away|out)) (?:the |my |that )?$")
_DONE_SO: Final = re.compile(
    r"\s*(?:and|so) i (?:have|did)(?: now)?\s*$|\s*(?:所以)?我?(?:就|也|已经)*(?:停了|照做了|停掉了)\s*$"
)
"""Before and behind a medicine that somebody was told they could leave: they have."""
_USED_UP: Final = re.compile(
    r"(?:(?!\n)[^\ue000-\uf8ff]){0,14}?(?:\b(?:ran|run|running) out\b|\b(?:is|has|have|are"
    r"|'s) (?:all )?(?:run out|empty|finished)\b|[吃用喷打]完了"
    r"|没了|用光|空了)(?:(?!\n)[^\ue000-\uf8ff]){0,40}?(?:\b(?:pick\w* (?:it |some |one )?up|collect\w*"
    r"|order(?:ed|ing)|refill\w*"
    r"|new (?:one|prescription|box|pack)|repeat|request\w*|(?:get|getting|need|buy|buying) (?:a|an|more|some|another"
    r"|my))\b|再(?:去)?(?:拿|买|开|配)|续(?:上|药|开|方)|去(?:药店|医院|药房|社区)[^，。]{0,4}(?:拿|买|开|配))"
)
"""Behind a medicine: it is used up, and is to be had again."""
_OF_IT: Final = re.compile(r"\b(?:it|them|that|taking|came off|took me off)\b|[吃用打服药]|停了?$|停掉|停用")
"""Said of a medicine that was stopped, and of no complaint."""
_NOT_YET: Final = re.compile(
    r"\b(?:haven'?t|hasn'?t|didn'?t|did not|have not|don'?t|do not|not|never)(?: ever| actually| really)? $"
    r"|(?:没(?:有)?敢?|不能|不敢|不要|别|从没|没舍得|不舍得)$"
)
"""Before that it was stopped: it was not."""
_WIDE: Final = frozenset({"class"})


def medication(reading: Reading, health: HealthGrammar, told: list[Finding]) -> Iterator[Finding]:
    """Medicines that are taken, and those that were stopped (denied). `told`: of safety; what is not borne is none."""
    not_borne = {each.text for each in told if each.kind == ALLERGY and not each.possible}
    left, begun = _switched(reading, health)
    told_of: list[tuple[int, Finding]] = []
    medicines = {at: members for at, group in reading.groups("S") if (members := _medicines_of(group))}
    details = details_of(reading, health, medicines) if medicines else {}
    for at, group in reading.groups("S"):
        members = [each for each in medicines.get(at, []) if reading.name(each) not in not_borne]
        in_part = len(members) < len(medicines.get(at, [])) and not reading.answers_about(health.asks_treatment)
        if not members or in_part or reading.retracted(at):
            continue
        if is_wanted_by_others(reading.sketch, reading.sketch.clause_at(at), health) or _is_beside(reading, at):
            continue
        course = course_of(reading, at)
        if course is Course.NOT_BEGUN or (course is None and _is_paused(reading, health, at)):
            continue
        used_up = _USED_UP.match(reading.drawn, at + 1) is not None
        stopped = course is Course.LEFT or (course is None and not used_up and _is_stopped(reading, health, at))
        if at in left or (at not in begun and stopped):
            members, kept = _without_the_clashing(reading, at, members)
            told_of += ((at, each) for each in _each(reading, kept, at))
            apart = [] if at in left or kept else reading.but_the_last(group)
            if apart and (
                health.taken_before.search(reading.prefix(at)) or reading.answers_about(health.asks_treatment)
            ):
                told_of += ((at, each) for each in _each(reading, apart, at))
                members = [each for each in members if each not in apart]
            told_of += ((at, each) for each in _each(reading, members, at, denied=True))
        elif at in begun or used_up or course is Course.GOES_ON or _is_taken(reading, health, at, group):
            told_of += ((at, each) for each in _each(reading, members, at, details=details.get(at, {})))
    told_of += _shaped(reading, health)
    last_stopped = {each.text: at for at, each in told_of if each.denied}
    yield from (each for at, each in told_of if each.denied or at >= last_stopped.get(each.text, 0))


def _is_beside(reading: Reading, at: int) -> bool:
    """Whether another medicine is said not to go with it: nothing is said of itself."""
    before = reading.prefix(at)
    clash = _TOGETHER.search(before) is not None and _CLASHES.match(reading.drawn, at + 1) is not None
    return (clash or NOT_WITH.search(before) is not None) and any(reading.sketch.groups_in(0, at, "S"))


def _without_the_clashing(reading: Reading, at: int, members: list[Mention]) -> tuple[list[Mention], Sequence[Mention]]:
    """Of a list that was stopped what was, and what is taken still: 舍曲林，佐米曲普坦跟舍曲林一起吃不好，停了."""
    if len(members) == 1 or _CLASHES.match(reading.drawn, at + 1) is None:
        return members, ()
    *kept, left, clashing = members
    if _TOGETHER.search(reading.sketch.lowered[left.end : clashing.start]) is None:
        return members, ()
    return [left], [each for each in kept if each.term.name != left.term.name]


def _shaped(reading: Reading, health: HealthGrammar) -> Iterator[tuple[int, Finding]]:
    """Medicines that no lexicon has, named as medicines are: 吃了风寒感冒颗粒."""
    sketch = reading.sketch
    for found in health.shaped.finditer(sketch.lowered):
        at, end = sketch.place_of(found.start("x")), sketch.place_of(found.end("x") - 1) + 1
        before = reading.prefix(sketch.place_of(found.start()))
        unsure = any(words.search(before) for words in (health.not_taken_before, health.never_before))
        if unsure or reading.asks(sketch.clause_at(at)) or reading.retracted(at) or reading.denied(at, end):
            continue
        if not any(True for _ in sketch.groups_in(at, end, "S")):
            yield from (
                (at, each) for each in reading.told(MEDICATION, sketch.text[slice(*found.span("x"))], at, end=end)
            )


def _medicines_of(group: Group) -> list[Mention]:
    """Those of a list, without the kind of medicine that only says what follows it is: 降压药氨氯地平."""
    following = (*(each.start for each in group.members[1:]), -1)
    pairs = zip(group.members, following, strict=True)
    return [each for each, at in pairs if each.kind == DRUG and not (each.term.tag in _WIDE and each.end == at)]


def _each(
    reading: Reading,
    members: Sequence[Mention],
    at: int,
    *,
    denied: bool = False,
    details: Mapping[str, Details] = MappingProxyType({}),
) -> Iterator[Finding]:
    each_once = {member.term.name: member for member in reversed(members)}
    for member in reversed(each_once.values()):
        for finding in reading.told(MEDICATION, reading.name(member), at):
            yield finding._replace(denied=denied, attributes=details.get(member.term.name, ()))


def _switched(reading: Reading, health: HealthGrammar) -> tuple[set[int], set[int]]:
    """Where the medicines stand that were left for another, and those."""
    left: set[int] = set()
    begun: set[int] = set()
    for words in health.switched:
        for found in words.finditer(reading.drawn):
            parts = found.groupdict()
            places = {name: found.start(name) for name in ("x", "y") if parts.get(name)}
            clause = reading.sketch.clause_at(found.start())
            planned = health.not_taken_before.search(reading.drawn[clause.start : min(places.values())])
            if planned or reading.asks(clause) or places.get("y") in left or places.get("x") in begun:
                continue
            left |= {places["x"]} if "x" in places else set()
            begun |= {places["y"]} if "y" in places else set()
    return left, begun


def _is_paused(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether it is left for some days, as before an operation: it is what somebody takes all the same."""
    before, after = reading.prefix(at), reading.suffix(at + 1)
    if health.resumed.search(after) or _FOR_GOOD.search(after):
        return False
    if health.stopped_before.search(before) and _DAYS_BEFORE.match(after):
        return True
    return any(words.search(said) for words, said in ((_PAUSED_BEFORE, before), (_PAUSED_AFTER, after)))


def _was_left_as_told(reading: Reading, at: int) -> bool:
    """Whether the next clause says that somebody has done what they were told they could: could stop it, and have."""
    following = reading.following(reading.sketch.clause_at(at)) if _MAY_BE_LEFT.search(reading.prefix(at)) else ()
    return any(_DONE_SO.match(reading.words(each, each)) for each in following)


def _is_stopped(reading: Reading, health: HealthGrammar, at: int) -> bool:
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    if _THROWN_AWAY.search(prefix) or _was_left_as_told(reading, at):
        return True
    if health.not_taken_before.search(prefix) or health.not_taken_after.search(suffix):
        return False
    clause = reading.sketch.clause_at(at)
    if health.resumed.search(suffix) or _WAVERS.search(reading.words(clause, clause)):
        return False
    before = health.stopped_before.search(prefix)
    if (before and not _NOT_YET.search(prefix[: before.start()])) or health.stopped_after.search(suffix):
        return True
    if FORMERLY.search(prefix):
        return STILL.search(reading.drawn, at, at + NEAR) is None
    return _is_stopped_next(reading, health, clause)


def _is_stopped_next(reading: Reading, health: HealthGrammar, clause: Clause) -> bool:
    """Whether one of the next clauses says so, before another substance is named."""
    for each in reading.sketch.clauses[clause.number + 1 :][:_STOPPED_NEAR]:
        left = health.stopped_alone.search(reading.words(each, each))
        if left is not None and not reading.asks(each):
            said_of_it = _OF_IT.search(left.group()) or not any(reading.sketch.groups_in(clause.end, each.start, "YR"))
            return bool(said_of_it)  # else a complaint that stopped after ten minutes
        if any(not _is_beside(reading, at) for at, _ in reading.sketch.groups_in(each.start, each.end, "S")):
            return False
    return False


def _is_taken(reading: Reading, health: HealthGrammar, at: int, group: Group) -> bool:
    clause = reading.sketch.clause_at(at)
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    still = STILL.search(reading.drawn, at, at + NEAR) is not None
    asked_or_left = _LEFT_ALONE.match(suffix) or (_IS_IT.search(prefix) and _OK_OR_NOT.match(suffix))
    if asked_or_left or (health.not_taken_before.search(prefix) and not still) or health.not_taken_after.search(suffix):
        return False
    if health.never_before.search(prefix) or reading.denied(at, at + 1):
        return False
    taken = health.taken_before.search(prefix) or health.taken_after.search(suffix) or health.dose_now.search(suffix)
    taken = taken or WAS_AND_IS.match(reading.drawn, at + 1)
    if taken and not clause.asked:
        return True
    if _answers(reading, health, at):
        return True
    named = any(member.term.tag not in _WIDE for member in group.members)
    if named and not _is_doubtful(reading, health, at):
        return True  # as ConText has it: what nothing speaks against is so
    telegram = len(prefix.strip(EDGE)) <= _TELEGRAM_MAX and len(suffix.strip(EDGE)) <= _TELEGRAM_MAX
    told_when = _AMOUNT_OF.search(prefix) is not None and health.frequency.search(suffix) is not None
    dosed = named and not clause.asked and (told_when or health.dose.match(suffix.lstrip()) is not None)
    return bool(taken and clause.asked and _is_had(health, suffix)) or (
        (telegram and named and health.dose.search(suffix) is not None) or dosed
    )


def _is_doubtful(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether a medicine is a name alone, asked about, proposed, heard of, or said no to."""
    clause = reading.sketch.clause_at(at)
    turned_down = health.no.search(reading.drawn) and reading.answers_about(health.asks_treatment)
    return bool(
        reading.is_name
        or reading.asks(clause)
        or turned_down
        or health.unlikely_before.search(reading.prefix(at))
        or health.only_named.search(reading.words(clause, clause))
    )


def _answers(reading: Reading, health: HealthGrammar, at: int) -> bool:
    """Whether it is what a message says to the question for what is taken, in its first two clauses."""
    clause = reading.sketch.clause_at(at)
    if clause.number > 1 or clause.asked or len(reading.prefix(at).strip(EDGE)) > _ANSWER_LEAD_MAX:
        return False
    suffix = reading.suffix(at + 1)
    alone = len(suffix.strip(EDGE)) <= _ANSWER_REST_MAX and not _TURNED_DOWN.search(suffix)
    return (alone or health.taken_after.search(suffix) is not None) and reading.answers_about(health.asks_treatment)


def _is_had(health: HealthGrammar, suffix: str) -> bool:
    """In a question: whether it tells that the medicine is taken, and asks something else."""
    return health.taken_after.search(suffix) is not None
