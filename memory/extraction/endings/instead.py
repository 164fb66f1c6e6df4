"""What ends because something else took its place: an operation that was planned is done, who ran swims now."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.findings import APPOINTMENT, DISEASE, ENDED, SURGERY
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sketch import TEXT_CHARS_MAX, sketch
from memory.extraction.endings.known import Known, denial, own_messages, spoken_of
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact
from memory.model.predicates import HABIT, PLAN, importance_of

_OPERATED: Final = re.compile(
    r"手术(?:已经|[昨前今]天|上个?(?:周|礼拜|星期|月)|都)*(?:做完|做好|做过|做了|结束|很?成功|顺利)(?![吗没])"
    r"|\b(?:had|after|since) (?:the|my) (?:op|operation|surgery|procedure)\b(?! (?:is|was) (?:cancel|postpon|moved))"
    r"|\b(?:op|operation|surgery|procedure) (?:went|is done|was (?:a success|fine|done)|is over)\b",
    re.IGNORECASE,
)
"""An operation that is not named has been done."""
_ANY_OPERATION: Final = re.compile(
    r"(?:微创|腹腔镜|开刀)?手术|(?:the |my )?(?:op|operation|surgery|procedure)", re.IGNORECASE
)
_OPERABLE: Final = re.compile(
    r"白内障|胆(?:囊)?结石|胆囊炎|疝|阑尾|痔|扁桃体|肌瘤|半月板|甲状腺结节|静脉曲张|cataract|gallstone|hernia|appendicitis|fibroid"
    r"|haemorrhoid|hemorrhoid|meniscus|varicose",
    re.IGNORECASE,
)
"""Diseases that are operated on."""
_NOT_YET: Final = re.compile(
    r"没|等|之后再|如果|\b(?:not|before|until|if|when i(?:'ve)? have|waiting)\b", re.IGNORECASE
)
_EXERCISES: Final = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"跑|\b(?:run|runs|running|jog\w*|parkrun|5k|10k|marathon)\b",
        r"游|\bsw[ia]m\w*|\blaps\b",
        r"骑|单车|\b(?:cycl\w+|bik(?:e|ing)|spin)\b",
        r"爬山|登山|徒步|\b(?:hik\w+|climb\w*|boulder\w*)\b",
        r"瑜伽|普拉提|\b(?:yoga|pilates)\b",
        r"散步|快走|走路|遛弯|\bwalk\w*\b",
        r"健身|撸铁|举铁|力量|\b(?:gym|weights?|lifting|crossfit)\b",
        (
            r"篮球|足球|羽毛球|网球|乒乓|\b(?:football|soccer|basketball|tennis|badminton|squash|five[- ]a[- ]side"
            r"|netball|rugby)\b"
        ),
        r"太极|八段锦|\btai chi\b",
        r"广场舞|跳舞|跳操|\b(?:danc\w+|zumba|aerobics)\b",
    )
)
"""Kinds of exercise."""
_SWITCHED: Final = re.compile(
    r"改(?:成|为|去|打|做|练|游|骑|走|跑|跳)|换成|代替|\b(?:switch\w*|swap\w*|instead|in its place"
    r"|moved (?:on )?to|replaced)\b",
    re.IGNORECASE,
)
_BANNED: Final = re.compile(
    r"(?:叫|让|说|劝|建议)[^，。]{0,6}(?:别|不要|不能|停)(?:再)?(?:跑|跳|爬|打|练|骑)|不(?:能|让|敢)(?:再)?(?:跑|跳|爬|打)"
    r"|\b(?:can'?t|couldn'?t|no longer|told (?:me )?(?:not )?to stop|had to stop"
    r"|told me not to) (?:\w+ ){0,2}(?:run|running|take running|jog|play|climb|lift)",
    re.IGNORECASE,
)
"""It is said that one must not, or cannot, go on with it."""
_DRINKS: Final = re.compile(
    r"\b(?:glass(?:es)?|pints?|cans?|beers?|bottles?|units?|wine)\b|[杯瓶罐两斤](?:.{0,3}酒)?$|酒", re.IGNORECASE
)
_AMOUNT: Final = re.compile(
    r"\b(?:an?|one|two|three|four|\d+|half a?|couple of) (?:\w+ )?(?:glass(?:es)?|pints?|cans?|beers?|bottles?"
    r"|units?)\b|[一二两三半\d]+[杯瓶罐两斤]",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:now|only|just|that'?s it|down to|cut (?:right )?(?:down|back))\b|现在|只|就|减到", re.IGNORECASE
)


def says_operated(text: str) -> bool:
    """Whether a text says that the operation has been done, and not which."""
    return _OPERATED.search(text) is not None


def operated_as_planned(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """The operation that was planned, where the user says that the operation has been done; and the plan is over.

    Where two were planned, or it is named itself, nothing is concluded.
    """
    all_known = list(held)
    known = [each for each in all_known if each.predicate in {APPOINTMENT, PLAN}]
    diseases = [each.object for each in all_known if each.predicate == DISEASE and _OPERABLE.search(each.object)]
    named = {fact.seq for fact in found if fact.predicate == SURGERY and not _ANY_OPERATION.fullmatch(fact.object)}
    for said in own_messages(dialogue) if known else ():
        told = _OPERATED.search(said.text[:TEXT_CHARS_MAX])
        if told is None or said.seq in named or not spoken_of(said.text) <= {USER, ""} or _NOT_YET.search(said.text):
            continue
        planned = {each: _operation_in(each.object, diseases) for each in known if each.seq < said.seq}
        names = {name for name in planned.values() if name}
        if len(names) != 1:
            continue
        quote, importance = said.text.strip(), importance_of(SURGERY)
        yield FoundFact(said.seq, USER, SURGERY, names.pop(), "+", quote, importance, NAME)
        yield from (denial(said, each, quote) for each, name in planned.items() if name)


def _operation_in(text: str, diseases: Sequence[str]) -> str:
    """The operation that a plan names, or the one for the only one of these diseases; empty for none."""
    drawn = sketch(text, in_use().lexicon)
    names = [member.term.name for _, group in drawn.groups_in(0, len(drawn.drawn), "O") for member in group.members]
    if names and not _ANY_OPERATION.fullmatch(names[0]):
        return names[0] if len(names) == 1 else ""
    if _ANY_OPERATION.search(text) is None or len(set(diseases)) != 1:
        return ""
    return f"{diseases[0]}手术" if not diseases[0].isascii() else f"{diseases[0].partition(' (')[0]} surgery"


def exercises_otherwise(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the one kind of exercise that another took the place of, or that somebody must not do any more."""
    known = [(each, kind) for each in held if each.predicate == HABIT and (kind := _kind_of(each.object)) is not None]
    banned = any(_BANNED.search(said.text) for said in own_messages(dialogue)) if known else False
    for fact in found if known else ():
        if fact.predicate != HABIT or fact.polarity != "+" or fact.subject != USER:
            continue
        new = _kind_of(fact.object)
        before = [(each, kind) for each, kind in known if each.seq < fact.seq and kind != new]
        replaced = new is not None and (banned or _SWITCHED.search(fact.quote) is not None)
        if replaced and len({kind for _, kind in before}) == 1:
            yield from (_over(fact, each) for each, _ in before)


def _kind_of(habit: str) -> int | None:
    return next((number for number, words in enumerate(_EXERCISES) if words.search(habit)), None)


def drinks_otherwise(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of how much somebody drank, by who tells how much it is now."""
    said = {each.seq: each.text for each in own_messages(dialogue)}
    known = [each for each in held if each.predicate == HABIT and _DRINKS.search(each.object)]
    for fact in found if known else ():
        told = fact.predicate == HABIT and fact.polarity == "+" and fact.subject == USER
        if (
            told
            and _DRINKS.search(fact.object)
            and _AMOUNT.search(fact.quote)
            and _NOW.search(said.get(fact.seq, fact.quote))
        ):
            yield from (_over(fact, each) for each in known if each.seq < fact.seq and each.object != fact.object)


def _over(fact: FoundFact, known: Known) -> FoundFact:
    over = {ENDED: "true"}
    return replace(fact, predicate=known.predicate, object=known.object, polarity="-", attributes=over, mind=NAME)
