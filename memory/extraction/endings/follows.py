"""What ends because something else has happened: an operation takes its disease away, a divorce the spouse."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.findings import APPOINTMENT, DISEASE, ENDED, SURGERY
from memory.clinical.people import USER
from memory.extraction.endings.known import Known, denial, own_messages
from memory.extraction.endings.words import BEFORE, OF_MARRIAGE
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact
from memory.model.predicates import FAMILY, HABIT, JOB, PLAN, STATE, importance_of

_CURED: Final = tuple(
    (re.compile(done, re.IGNORECASE), re.compile(disease, re.IGNORECASE))
    for done, disease in (
        (
            r"胆囊|胆[^，。]{0,3}切|切胆|cholecyst|gallbladder",
            r"胆(?:囊)?(?:结石|炎|息肉)|gallstone|cholelith|cholecystitis",
        ),
        (r"阑尾|append", r"阑尾炎|appendicitis"),
        (r"疝|\bhernia\b", r"^疝气?$|^(?:inguinal |groin |umbilical )?hernia$"),
        (r"痔|h[ae]?emorrhoid", r"痔|h[ae]?emorrhoid|piles"),
        (r"扁桃体|tonsil", r"扁桃体|tonsillitis"),
        (r"子宫(?:全)?切|hysterectomy", r"子宫肌瘤|fibroid"),
    )
)
"""What was done, and the diseases that nobody has after it."""
_BEFORE_DIABETES: Final = re.compile(
    r"pre-?\s?diabet|borderline diabet|糖尿病前期|糖耐量(?:异常|受损|减低)", re.IGNORECASE
)
_DIABETES: Final = re.compile(r"type 2 diabet|diabetes|二型糖尿病|2型糖尿病|糖尿病", re.IGNORECASE)
_OF_ANOTHER_TYPE: Final = re.compile(
    r"\btype (?P<right>[12]|one|two)\b[,.]? (?:and |so )?not (?:type )?(?P<wrong>[12]|one|two)\b", re.IGNORECASE
)
_NOT_OF_TYPE: Final = re.compile(r"(?:医生|大夫|抗体|诊断错)[^。！？]{0,16}不是(?P<x>[12一二])型")
_TYPES: Final = {"one": "1", "two": "2", "一": "1", "二": "2"}
_NO_MORE: Final = {
    **dict.fromkeys(
        ("离婚", "丧偶", "divorced", "widowed"),
        (
            FAMILY,
            re.compile(
                r"^(?:老公|老婆|老伴|丈夫|妻子|爱人|先生|太太|媳妇)$|^(?:husband|hubby|wife|spouse)(?: \w+)?$",
                re.IGNORECASE,
            ),
        ),
    ),
    **dict.fromkeys(
        ("已婚", "单身", "married", "single"),
        (
            FAMILY,
            re.compile(r"^(?:男朋友|女朋友|男友|女友|对象|未婚[夫妻])$|^(?:boyfriend|girlfriend|fianc)", re.IGNORECASE),
        ),
    ),
    **dict.fromkeys(
        ("已戒烟", "quit smoking"), (HABIT, re.compile(r"烟|[包根支]$|smok|vap|cig|a day\b", re.IGNORECASE))
    ),
    **dict.fromkeys(
        ("已戒酒", "quit drinking"),
        (
            HABIT,
            re.compile(
                r"酒|drink|alcohol|wine|beer|pints?\b|glass(?:es)? of (?:red|white|prosecco)\b(?! (?:milk|tea))",
                re.IGNORECASE,
            ),
        ),
    ),
}
"""What holds no longer of somebody who is so now."""
_QUIT: Final = re.compile(
    r"(?:^|[，。！!\s])(?:真|终于|已经|早就?|彻底|都|也|我|听你的|后来|就|干脆)*戒(?:了|掉了)(?=$|[，。！!\s\d快有已半一二两三四五六七八九十])"
    r"|(?:^|[.!,;]\s)(?:so |well |finally |i |i've |i have |just |actually )*(?:quit|packed it in|gave it up"
    r"|given (?:it|them) up|stopped completely) (?:cold turkey|(?:\d+|two|three|four|five|six|a) (?:days?|weeks?"
    r"|months?|years?))",
    re.IGNORECASE,
)
"""Somebody has quit, and does not say what."""
_VICES: Final = (
    (re.compile(r"烟|[包根支]$|smok|vap|cig|fag|\ba day\b", re.IGNORECASE), "已戒烟", "quit smoking"),
    (re.compile(r"酒|drink|alcohol|wine|beer", re.IGNORECASE), "已戒酒", "quit drinking"),
)
_MEAT: Final = re.compile(r"肉|鱼|虾|开荤|荤素|\b(?:meat|beef|steak|bacon|chicken|salmon|fish)\b", re.IGNORECASE)
_BEDTIME: Final = re.compile(
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点[^，。]{0,6}(?:睡|躺|上床|灯)"
    r"|\b(?:in bed|asleep|lights out|bed) (?:by|at|around|before)\b|^sleep(?:ing)? from \d",
    re.IGNORECASE,
)
_SO_MUCH: Final = (
    re.compile(r"睡.{0,8}(?:小时|钟头)|^(?:sle[ep]\w*|asleep|get(?:ting)?)\b.* (?:hours?|hrs?)$", re.IGNORECASE),
    re.compile("^一顿.*碗$"),
    re.compile(r"^一天.*[根支包]$"),
    re.compile(r"^一觉.*(?:小时|钟头)$|睡.{0,8}(?:小时|钟头)"),
)
_HOUR: Final = re.compile(
    r"\d{1,2}|[一二两三四五六七八九十]{1,3}(?=点)|\b(?:nine|ten|eleven|twelve|midnight|noon)\b", re.IGNORECASE
)
_AT_TIMES: Final = re.compile(
    r"周末|下午|中午|午[睡休]|放假|有时|医院|\b(?:never|hospital|ward|weekends?|nap|afternoon"
    r"|sometimes)\b",
    re.IGNORECASE,
)
"""A time at which somebody sleeps now and then, and no bedtime."""
_NOW: Final = re.compile(r"开始|又|了|啦|现在|\b(?:started|again|now|eating|been|back)\b", re.IGNORECASE)
_SPOUSE: Final = re.compile(r"(?:husband|hubby|wife|老公|老婆|丈夫|妻子)", re.IGNORECASE)
_BETROTHED: Final = re.compile(r"(?:fianc|未婚[夫妻])", re.IGNORECASE)
_PLANNED: Final = frozenset((APPOINTMENT, PLAN))
_TO_MARRY: Final = re.compile(r"\b(?:getting married|marry)\b|结婚|领证", re.IGNORECASE)
_MARITAL: Final = frozenset(
    ("single", "in a relationship", "married", "divorced", "engaged", "separated", "widowed",
     "单身", "恋爱中", "未婚", "已婚", "结婚", "离婚", "离异", "丧偶")
)  # fmt: skip
_JOBLESS: Final = frozenset({"unemployed", "laid off", "out of work", "失业", "待业", "下岗"})
_MARRIED: Final = frozenset({"married", "已婚"})
_VAPES: Final = re.compile(r"vap|电子烟", re.IGNORECASE)
"""Told together with having quit it is what somebody does instead."""
_DIETS: Final = tuple(
    (re.compile(diet, re.IGNORECASE), re.compile(food, re.IGNORECASE))
    for diet, food in (
        (r"素|vegan|vegetarian|veggie", _MEAT.pattern + r"|^鸡蛋$"),
        (
            r"gluten[- ]free|无麸质|keto|low[- ]carb|生酮|低碳",
            r"面包|米饭|主食|\b(?:bread|pasta|gluten|wheat|carbs?|rice)\b",
        ),
        (r"dairy[- ]free|不喝牛奶", r"牛奶|奶酪|\b(?:dairy|milk|cheese|yog\w+)\b"),
    )
)
"""Ways to eat, and what nobody eats in one of them."""


def says_quit(text: str) -> bool:
    """Whether somebody says that they have quit, and not what."""
    return _QUIT.search(text) is not None


def cured(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the diseases that an operation has taken away."""
    known = [each for each in held if each.predicate == DISEASE]
    for fact in found:
        if fact.predicate != SURGERY or fact.polarity != "+" or fact.subject != USER:
            continue
        for done, disease in _CURED:
            for each in known if done.search(fact.object) and not BEFORE.search(fact.quote) else ():
                if each.seq < fact.seq and disease.search(each.object):
                    yield _over(fact, each)


def grown_into(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what comes before a disease, by who has that now: prediabetes, of a diabetic."""
    known = [each for each in held if each.predicate == DISEASE and _BEFORE_DIABETES.search(each.object)]
    for fact in found:
        told = fact.predicate == DISEASE and fact.polarity == "+" and fact.subject == USER
        if told and _DIABETES.search(fact.object) and not _BEFORE_DIABETES.search(fact.object):
            yield from (_over(fact, each) for each in known if each.seq < fact.seq)


def says_retyped(text: str) -> bool:
    """Whether a text says of which type something is, and of which not."""
    return _OF_ANOTHER_TYPE.search(text) is not None or _NOT_OF_TYPE.search(text) is not None


def retyped(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """The diabetes that is of another type than it was thought to be: it's actually type 1, not type 2."""
    known = [each for each in held if each.predicate == DISEASE and _DIABETES.search(each.object)]
    for said in own_messages(dialogue) if known else ():
        told = _OF_ANOTHER_TYPE.search(said.text)
        if told is None:
            none = _NOT_OF_TYPE.search(said.text)
            over = [
                each
                for each in known
                if none and each.seq < said.seq and f"{_TYPES.get(none['x'], none['x'])}型" in each.object
            ]
            yield from (denial(said, each, said.text.strip()) for each in over)
            continue
        right, wrong = (_TYPES.get(told[name].lower(), told[name]) for name in ("right", "wrong"))
        over = [each for each in known if each.seq < said.seq and wrong in each.object and right != wrong]
        for each in over:
            quote, importance = said.text.strip(), importance_of(DISEASE)
            yield denial(said, each, quote)
            name = each.object.partition(" (")[0].replace(wrong, right, 1)
            yield FoundFact(said.seq, USER, DISEASE, name, "+", quote, importance, NAME)


def left_behind(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what a new state ends: the spouse of the divorced, the cigarettes of who has quit."""
    known = list(held)
    for fact in found:
        if fact.predicate == STATE and fact.polarity == "+" and fact.subject == USER and fact.object in _NO_MORE:
            predicate, words = _NO_MORE[fact.object]
            yield from (
                _over(fact, each)
                for each in known
                if each.seq <= fact.seq
                and each.predicate == predicate
                and words.search(each.object)
                and (each.seq < fact.seq or not _VAPES.search(each.object))
            )


def wedded(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the fiancé of who speaks of a husband, and of the plan to marry."""
    known = list(held)
    for fact in found:
        told = fact.predicate == FAMILY and fact.polarity == "+" and fact.subject == USER and _SPOUSE.match(fact.object)
        for each in known if told else ():
            betrothed = each.predicate == FAMILY and _BETROTHED.match(each.object) is not None
            planned = each.predicate in _PLANNED and _TO_MARRY.search(each.object) is not None
            if each.seq < fact.seq and (betrothed or planned):
                yield _over(fact, each)


def married(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the plan to marry, by who is married now."""
    plans = [each for each in held if each.predicate in _PLANNED and OF_MARRIAGE.search(each.object)]
    for fact in found:
        wed = fact.predicate == STATE and fact.polarity == "+" and fact.subject == USER and fact.object in _MARRIED
        for each in plans if wed else ():
            if each.seq < fact.seq:
                yield replace(fact, predicate=each.predicate, object=each.object, polarity="-", attributes={})


def outlived(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the state that another one ends: who is married is single no longer, who has work not out of work."""
    states = [each for each in held if each.predicate in {STATE, JOB}]
    for fact in found:
        if fact.polarity != "+" or fact.subject != USER or fact.predicate not in {STATE, JOB}:
            continue
        for each in states:
            marital = fact.object in _MARITAL and each.object.lower() in _MARITAL
            working = fact.predicate == JOB and fact.object not in _JOBLESS and each.object.lower() in _JOBLESS
            if each.seq < fact.seq and each.object != fact.object and (marital or working):
                yield replace(fact, predicate=each.predicate, object=each.object, polarity="-", attributes={})


def eats_again(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the diet of who eats again what it leaves out: meat, fish, bread."""
    known = [each for each in held if each.predicate == HABIT]
    for fact in found:
        told = fact.predicate == HABIT and fact.polarity == "+" and fact.subject == USER and _NOW.search(fact.quote)
        for diet, food in _DIETS if told else ():
            if food.search(fact.object):
                yield from (_over(fact, each) for each in known if each.seq < fact.seq and diet.search(each.object))


def goes_to_bed(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the time at which somebody went to bed, by who tells another one."""
    known = [each for each in held if each.predicate == HABIT and _BEDTIME.search(each.object)]
    for fact in found:
        told = fact.predicate == HABIT and fact.polarity == "+" and fact.subject == USER
        if told and _BEDTIME.search(fact.object) and not _AT_TIMES.search(fact.quote):
            hour = _hour(fact.object)
            yield from (_over(fact, each) for each in known if each.seq < fact.seq and _hour(each.object) != hour)


def is_as_much_now(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of how long somebody slept at night, or how much they ate, by who tells how much it is now."""
    habits = [each for each in held if each.predicate == HABIT]
    for fact in found:
        told = fact.predicate == HABIT and fact.polarity == "+" and fact.subject == USER
        for words in _SO_MUCH if told and not _AT_TIMES.search(fact.quote) else ():
            if words.search(fact.object):
                known = [each for each in habits if words.search(each.object) and each.object != fact.object]
                yield from (_over(fact, each) for each in known if each.seq < fact.seq)


def _hour(bedtime: str) -> str:
    """By its first number; a word and a figure are two."""
    found = _HOUR.search(bedtime)
    return found.group().lower() if found else ""


def taken_up_again(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the state of who had quit, and smokes or drinks again."""
    states = [each for each in held if each.predicate == STATE and each.object in _NO_MORE]
    for fact in found:
        if fact.predicate == HABIT and fact.polarity == "+" and fact.subject == USER:
            for each in states:
                predicate, words = _NO_MORE[each.object]
                if predicate == HABIT and each.seq < fact.seq and words.search(fact.object):
                    yield _over(fact, each)


def quit_what(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """That somebody has quit, said without what it was: what they had told of, if it is one thing only."""
    known = [each for each in held if each.predicate == HABIT]
    for said in own_messages(dialogue) if known else ():
        if not says_quit(said.text):
            continue
        had = [
            (chinese, english, [each for each in known if each.seq < said.seq and vice.search(each.object)])
            for vice, chinese, english in _VICES
        ]
        told = [each for each in had if each[2]]
        if len(told) == 1:
            chinese, english, over = told[0]
            yield from (denial(said, each, said.text.strip()) for each in over)
            name = english if said.text.isascii() else chinese
            yield FoundFact(said.seq, USER, STATE, name, "+", said.text.strip(), importance_of(STATE), NAME)


def _over(fact: FoundFact, known: Known) -> FoundFact:
    over = {ENDED: "true"}
    return replace(fact, predicate=known.predicate, object=known.object, polarity="-", attributes=over, mind=NAME)
