"""Reactions: a substance that was taken or touched, and what the body did.

People say it in unlimited ways, so this is a frame with slots (substance, contact, harm, what lies between) and no list
of phrases. Harm that has other reasons more often makes it possible only.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from memory.clinical.findings import ALLERGY, Finding
from memory.clinical.kin import KIN_EN
from memory.clinical.people import USER
from memory.clinical.reading import EDGE, NEAR, Reading
from memory.clinical.sketch import LETTERS, Clause, Group, pattern
from memory.clinical.wanting import is_an_ill_animal, met_a_drink, was_left_off
from memory.clinical.works import SWOLLEN_ELSEWHERE, Works

_STRONG: Final = frozenset({"skin", "airway", "swelling", "circulation", "severe"})
"""Tags of what a body seldom does for another reason than what was just taken."""
_GRAVE: Final = frozenset({"airway", "circulation", "severe"})
_REACH: Final = 70
"""Letters of a sketch between a substance and what it did."""
_CONTACT_REACH: Final = 24
_BEFORE: Final = 4
_BESIDE: Final = " " + LETTERS["R"] + LETTERS["Y"]
"""What else the body did, between a substance and its harm."""
_DRUG: Final = "drug"
_NOT_HAD_NEAR: Final = 20
_REMEDY: Final = re.compile(
    r"epinephrine|adrenaline|epi-?pen|antihistamine|cetirizine|loratadine|diphenhydramine"
    r"|inhaler|chlorphen|piriton|fexofenadine|salbutamol|albuterol|ventolin"
    r"|肾上腺素|抗过敏药|抗组胺|氯雷他定|扑尔敏|氯苯那敏|西替利嗪|沙丁胺醇|万托林|吸入剂"
)


_ILLNESS: Final = re.compile(
    r"鼻塞|鼻涕|鼻子(?:不通|堵)|喷嚏|咳|痰|发烧|发热|高烧|低烧|发烫|烧|寒战|嗓子|咽|头[疼痛]|乏力|没力气|酸痛"
    r"|fever|cough|sneez|runny|stuff|congest|blocked nose|phlegm|sore throat|headache|chills|aches"
)
"""What people have when they take a medicine, and most often take it for."""
_NOT_HAD: Final = re.compile(
    r"没吃|没用|忘(?:了|记)(?:吃|用)|断了|吃完了|用完了"
    r"|\b(?:r[au]n out of|out of|without|forgot|forgotten|missed|skipped)\b"
)
"""Before a medicine: what the body does is for want of it."""
_LATELY: Final = re.compile(r"最近|近来|这阵子|\blately\b|\brecently\b|\bstill \w+ing\b")
"""Between a medicine and what the body does: that began by itself, or was there before."""
_ONGOING: Final = pattern(
    r"(?:正在|在|一直|每天|长期|天天|目前|现在|平时)(?:还)?(?:吃|服用?|用|打)(?:着|的是)?(?:<S>|、|和|还有|跟|\s)*$"
)
"""It is taken day by day: what the body does today has other reasons more often."""
_EACH_TIME: Final = re.compile(
    r"一[吃用打喝擦抹碰沾闻戴贴涂染]|每次|回回|只要|就会|whenever|every time|each time|always"
)


_TAKEN_FOR: Final = (
    (re.compile(r"激素|泼尼松|强的松|地塞米松|甲强龙|可的松"), re.compile(r"^[会就都后了]*肿|圆")),
    (re.compile(r"疫苗|vaccin|\bjab\b"), re.compile(r"胳膊|手臂|\barm\b")),
    (
        re.compile(
            r"ticasone|budesonide|formoterol|salmeterol|tiotropium|beclomet|umeclidinium|montelukast"
            r"|替卡松|布地奈德|福莫特罗|沙美特罗|噻托溴铵|倍氯米松|孟鲁司特"
        ),
        re.compile(r"wheez|breath|tight|cough|喘|憋|咳|气短"),
    ),
    (
        re.compile(r"cortisone|metasone|clobetasol|tacrolimus|可的松|米松(?!龙)|莫司|氯倍他索"),
        re.compile(r"rash|itch|blister|eczema|red|疹|痒|水泡|红"),
    ),
)
"""Medicines, and the complaints that they are taken for."""
_MILD: Final = re.compile(
    r"(?<!荨)麻(?!疹)|出血|瘀|\bnumb|\btingl|\bbleed|\bbruis|干涩|\bdry\b|抽筋|\bcramp|头[晕昏]|眼花|\bdizz"
    r"|\blight-?headed",
    re.IGNORECASE,
)
"""What a medicine does to many who bear it."""
_CHOSEN: Final = pattern(
    r"(?:换成?|改成?|改用|改吃|换了|换到|改喝)(?:了|用|吃|一?[个种瓶盒])*$"
    r"|\b(?:switched|changed|swapped|moved)(?: me| over)* (?:to|onto|for)(?: the| a)? $|\bput me on(?: the)? $"
)
"""Right before what is taken instead of the one that did it."""
_ALL_DID: Final = re.compile(
    r"都|两[样种个]|全部|也(?!没|不)|一样|\b(?:both|each|either|neither|too|as well|all of them|same)\b"
)
"""Harm is told of more than one."""
_BEGINS: Final = re.compile(r"^(?:但是?|可是?|不过|就是|是|其实|我|而|反而|\b(?:but|and|it was|it's|my|the)\b|\s)+")
"""With what a clause may begin whose subject it is."""
_WHY: Final = re.compile(r"s?,? (?:because|cos|coz|cuz|as|since)\b|[，,]?因为")
"""Right behind it: why it was."""
_SINCE: Final = re.compile(r"\b(?:after|when|since|once|as soon as|from|because)\b|就是|因为|自从|自打")
_THEN: Final = re.compile(r"(?:以后|之后|后)")
"""It came of what was taken then, though it was taken instead of something else."""
_SHOCK: Final = re.compile(
    r"急诊|鬼门关|命|resus|icu|ambulance|adrenaline|died|killed|a&e|晕|休克|不省|不行|肾上腺素|抢救|epi"
    r"|collapsed|passed out"
)


_NOT_DONE: Final = re.compile(r"(?<![忍止受得差耐])(?<!差点)(?:不|没)(?:再|怎么|会|有)?$")
"""Right before harm: there was none."""
_WHEN_ILL: Final = re.compile(
    r"\b(?:when(?:ever)?|if) (?:i(?:'?m| am| feel| get| start)|my|things|it gets)\b|[疼痛痒晕咳烧]的?时候|发作时"
)
"""Between a medicine and a complaint: it is taken for that."""
_TAKES_IT: Final = re.compile(
    r"(?:^|\b(?:i|i'?m|he|she|always|just|usually|sometimes) )(?:take|takes|took|taking|use|using|on|had|have)"
    r"(?: (?:some|my|an?))? $|(?<![不没别让给])(?:在)?[吃用服打](?:了|着|点)?$"
)
_FOR_IT: Final = re.compile(
    r"[^,.;!?，。]{0,16}[,，]?\s?(?:\b(?:because|cos|coz|cuz)\b(?: of)? (?:my|i|the)|(?<!是)因为(?!这|它|起|过敏|会))"
    r"[^,.;!?，。]{0,16}$"
)
"""Before a medicine and between it and a complaint: it is taken because of that."""
_TAKEN_BEFORE: Final = pattern(
    r"(?:以前|之前|原来|从前|早先)(?:也)?(?:吃|用|打|喝)(?:过|的是?|了)?<S>"
    r"|\b(?:was|were) (?:on|given) (?:the )?<S> (?:before|previously)\b|\bused to (?:take|be on|have) <S>"
)
"""Between a medicine and harm: another one that was taken once."""
_SKIN_TEST: Final = re.compile(r"皮试|试敏|\bskin test|\btest dose")
"""Between a substance and a shock: what was well there says nothing of what was given then."""
_OTHER_CAUSE: Final = re.compile(
    r"换了|摔|撞|磕|[叮咬蜇蛰]|胳膊|针眼|打针的|[太日]晒|冷|热|\b(?:from|because|when|whenever|plaster|arm|fell|heat|cold|sun)\b"
)
"""It is told of something else, or of where the needle went in."""
_ALL_THE_SAME: Final = re.compile(r"但|可是|不过|结果|\b(?:but|yet|however|though|still)\b")
"""Between a test and harm that came although it was well."""
_IS_ON: Final = re.compile(
    r"\b(?:i'?m|i am|been|was put|put me|started|start|went|now|still) (?:back )?on (?:the |my )?$|在[吃用服打]着?$"
)
_HAD_ANOTHERS: Final = re.compile(
    r"\b(?:took|taken|takes|ate|eaten|had|tried|used|drank|borrowed|swallowed) (?:(?:one|some|two|a few|all|half) of )?"
    r"(?:my|our|his|her|(?:my|our|his|her) [\w ]{2,20}'s) $"
    r"|[吃喝服尝用](?:了|过|到)?(?:一?[片粒颗口点])?我(?:家|们)?\w{0,3}的$"
)
"""Before a substance: it was another's. Whose it is, is not who had it."""
_OF_ME: Final = re.compile(rf"\b(?:me|my (?!(?:[a-z]+ )?(?:{KIN_EN})\b))")
"""In harm: whose body it was, whoever was spoken of before."""
_AFTER_IT: Final = re.compile(r"\b(?:after|since) (?:the|my|a|an|some|those|these|that|having) (?:\w+ )?$")
"""Before a complaint that was there first: on metoprolol after the palpitations."""


_OF_AN_ALLERGY: Final = re.compile(r"疹|肿|痒|喘|荨|憋|rash|hive|swell|swoll|itch|breath|wheez|anaph|throat")


class Harm(NamedTuple):
    """What a body did: where, whether it is a strong sign, and whether it is one even after a sting."""

    start: int
    end: int
    strong: bool
    grave: bool


def is_remedy(group: Group) -> bool:
    """Whether it is what reactions are treated with."""
    return all(_REMEDY.search(member.term.name) for member in group.members)


def is_a_drug(group: Group) -> bool:
    """Whether it is a medicine, and no food, thing or animal."""
    return any(member.kind == _DRUG for member in group.members)


def reactions(reading: Reading) -> Iterator[Finding]:
    """Allergies told as a substance and its harm, in either order."""
    harms = harms_of(reading)
    if not harms:
        return
    works, shock = Works.of(reading), _SHOCK.search(reading.sketch.lowered) is not None
    for at, group in reading.groups("S"):
        if (
            at in reading.taken
            or reading.overturned(at)
            or reading.likened(at)
            or is_remedy(group)
            or reading.may_be_had(at)
        ):
            continue
        stung = all(member.term.tag == "sting" for member in group.members)
        for harm in near(harms, at, last=partial(is_mild, reading, group)):
            if stung and not (harm.grave or shock):  # everybody swells there
                continue
            if not works.explain(reading, harm.start, harm.end) and _did_harm(reading, at, group, harm):
                yield from _told(reading, group, at, harm, min(at, harm.start), max(at + 1, harm.end))
                break


def _did_harm(reading: Reading, at: int, group: Group, harm: Harm) -> bool:
    """Whether it is told of this substance that it did that."""
    if reading.retracted(min(at, harm.start)):
        return False
    if is_explained(reading, at, group, harm):
        return False
    return _follows(reading, at, harm) if harm.start > at else _precedes(reading, at, harm)


def is_explained(reading: Reading, at: int, group: Group, harm: Harm) -> bool:
    """Whether it came of something else, or there was none."""
    if is_anothers(reading, at, harm) or is_taken_for(reading, at, group, harm) or was_not(reading, harm):
        return True
    return is_an_ill_animal(reading, at) or is_for_want_of_it(reading, at, harm)


def is_for_want_of_it(reading: Reading, at: int, harm: Harm) -> bool:
    """Whether it came of not having it; what the skin does, and breath, never does."""
    said = reading.sketch.quote(harm.start, harm.end).lower()
    return _OF_AN_ALLERGY.search(said) is None and was_left_off(reading, at, harm.start)


def was_not(reading: Reading, harm: Harm) -> bool:
    """Whether it is said right before harm that there was none."""
    return _NOT_DONE.search(reading.prefix(harm.start)) is not None


def is_mild(reading: Reading, group: Group, harm: Harm) -> bool:
    """Whether it is what a medicine does to many who bear it."""
    said = reading.sketch.quote(harm.start, harm.end)
    return all(member.kind == _DRUG for member in group.members) and _MILD.search(said) is not None


def is_anothers(reading: Reading, at: int, harm: Harm) -> bool:
    """Whether it is another substance's: one stands nearer, or this one was taken after it."""
    if harm.start < at and _CHOSEN.search(reading.prefix(at)):
        return not (_SINCE.search(reading.drawn, harm.end, at) or _THEN.match(reading.drawn, at + 1))
    if harm.start > at and _TAKEN_BEFORE.search(reading.drawn, at + 1, harm.start):
        return True
    if harm.start > at and _CHOSEN.search(reading.prefix(at)) and _WHY.match(reading.drawn, at + 1, harm.start):
        return True
    if harm.start < at or _ALL_DID.search(reading.drawn, at, harm.end):
        return False
    return any(_is_nearer(reading, at, other, harm) for other, _ in reading.sketch.groups_in(at + 1, harm.start, "S"))


def _is_nearer(reading: Reading, at: int, other: int, harm: Harm) -> bool:
    """Whether another substance is told of behind it, in a clause of its own, that was had then, or did the harm."""
    clause = reading.sketch.clause_at(other)
    if clause.number == reading.sketch.clause_at(at).number:
        return False
    begins = clause.start <= harm.start < clause.end and not _BEGINS.sub("", reading.prefix(other)).strip(EDGE)
    elsewhere = clause.sentence != reading.sketch.clause_at(at).sentence
    return begins or elsewhere or _is_taken(reading, other)


def is_taken_for(reading: Reading, at: int, group: Group, harm: Harm) -> bool:
    """Whether it is a medicine, and the harm rather the illness that it is taken for."""
    if any(member.kind != _DRUG for member in group.members):
        return False
    if _NOT_HAD.search(reading.prefix(at)[-_NOT_HAD_NEAR:]):
        return True
    if harm.start > at and _was_there_first(reading, at, harm):
        return True
    said = reading.sketch.quote(harm.start, harm.end).lower()
    names = [member.term.name.lower() for member in group.members]
    if any(sign.search(said) and all(map(kind.search, names)) for kind, sign in _TAKEN_FOR):
        return True
    if _ONGOING.search(reading.prefix(at)) and not _EACH_TIME.search(reading.prefix(at)):
        return True
    start, end = min(at, harm.start), max(at + 1, harm.end)
    each_time = _EACH_TIME.search(reading.drawn, max(0, start - NEAR // 2), end)
    return each_time is None and _ILLNESS.search(said) is not None


def _was_there_first(reading: Reading, at: int, harm: Harm) -> bool:
    """Whether the medicine is taken when it is so, or since it was."""
    if _WHEN_ILL.search(reading.drawn, at, harm.end) and _is_taken(reading, at):
        return True
    if not harm.strong and _TAKES_IT.search(reading.prefix(at)) and _FOR_IT.match(reading.drawn, at + 1, harm.start):
        return True
    return bool(_IS_ON.search(reading.prefix(at)) and _AFTER_IT.search(reading.drawn[at + 1 : harm.start]))


def harms_of(reading: Reading, also: re.Pattern[str] | None = None) -> list[Harm]:
    """All harm of a text, in order. `also`: words of harm that decide nothing alone."""
    named = [
        Harm(at, at + 1, not tags.isdisjoint(_STRONG), not tags.isdisjoint(_GRAVE))
        for at, group in reading.groups("RY")
        if (tags := {member.term.tag for member in group.members})
    ]
    described = [
        Harm(*found.span(), strong=True, grave=_SHOCK.search(found.group()) is not None) for found in reading.harms
    ]
    upset = (
        [
            Harm(*found.span(), strong=False, grave=_SHOCK.search(found.group()) is not None)
            for found in also.finditer(reading.drawn)
        ]
        if also
        else []
    )
    return sorted(named + described + upset)


def near(harms: Sequence[Harm], at: int, last: Callable[[Harm], bool] = lambda _: False) -> list[Harm]:
    """Those within reach of a place, the strong ones first, and those that are `last` behind all."""
    first = bisect_left(harms, at - NEAR, key=lambda harm: harm.start)
    until = bisect_right(harms, at + _REACH + 1, key=lambda harm: harm.start)
    return sorted(harms[first:until], key=lambda harm: (last(harm), not harm.strong))


def _follows(reading: Reading, at: int, harm: Harm) -> bool:
    """Penicillin, and then hives."""
    grammar, drawn = reading.grammar, reading.drawn
    first, last = reading.sketch.clause_at(at), reading.sketch.clause_at(harm.start)
    between = drawn[at + 1 : harm.start]
    if (
        last.sentence - first.sentence > 1
        or grammar.treated.search(reading.prefix(at)[-_BEFORE:] + between)
        or _LATELY.search(between)
        or (reading.asks(first) and not _EACH_TIME.search(between))
        or (grammar.asks_first and last.number != first.number and reading.asks(last))
    ):
        return False
    tested = _came_all_the_same(reading, first, harm)
    unharmed = grammar.unharmed.search(reading.words(first, last))
    if unharmed and not (tested and first.start + unharmed.end() <= harm.start):
        return False
    if grammar.denied_before.search(reading.prefix(harm.start)):
        return False
    if tested:
        return True
    caused = grammar.caused.match(reading.sketch.lowered, reading.sketch.places[harm.start]) is not None
    told = caused or _is_said_alone(reading, at, harm)
    if not between.strip(EDGE + _BESIDE if told else _BESIDE):
        return True
    return (told or _is_taken(reading, at)) and grammar.led_to.search(between) is not None


def _came_all_the_same(reading: Reading, first: Clause, harm: Harm) -> bool:
    """Whether a skin test is told of before harm that came all the same: 皮试没事，打了之后休克了."""
    said = reading.sketch.lowered[reading.sketch.places[first.start] : reading.sketch.places[harm.start]]
    if _SKIN_TEST.search(said) is None:
        return False
    told_to = reading.sketch.clause_at(harm.start).end
    others = len(list(reading.sketch.groups_in(first.start, told_to, "S"))) > 1
    words = reading.sketch.lowered[reading.sketch.places[first.start] : reading.sketch.places[told_to]]
    other_cause = _OTHER_CAUSE.search(words) is not None
    elsewhere = SWOLLEN_ELSEWHERE.search(reading.sketch.quote(harm.start, harm.end)) is not None
    if others or other_cause or elsewhere:
        return False
    return harm.grave or (harm.strong and _ALL_THE_SAME.search(said) is not None)


def _is_said_alone(reading: Reading, at: int, harm: Harm) -> bool:
    """Hair dye. Whole face blew up: what is no medicine is named in a sentence of its own, and then what it did."""
    group, clause = reading.sketch.groups[at], reading.sketch.clause_at(at)
    alone = not (reading.prefix(at) + reading.suffix(at + 1)).strip(EDGE)
    return alone and harm.strong and clause.number == 0 and all(member.kind != _DRUG for member in group.members)


def _is_taken(reading: Reading, at: int) -> bool:
    before, after = reading.grammar.contact_before, reading.grammar.contact_after
    following = reading.drawn[at + 1 : at + _CONTACT_REACH]
    taken = before.search(reading.prefix(at)) or after.search(following) or _HAD_ANOTHERS.search(reading.prefix(at))
    return taken is not None


def _precedes(reading: Reading, at: int, harm: Harm) -> bool:
    """Hives, after penicillin."""
    grammar = reading.grammar
    first, last = reading.sketch.clause_at(harm.start), reading.sketch.clause_at(at)
    between = reading.drawn[harm.end : at]
    if at - harm.end > _REACH or first.sentence != last.sentence or not grammar.came_of.search(between):
        return False
    words = reading.words(first, last)
    if reading.asks(last) or grammar.unharmed.search(words) or grammar.treated.search(words):
        return False
    before = reading.prefix(harm.start)
    return not (grammar.denied_before.search(before) or grammar.doubted_before.search(before))


def had_of_anothers(reading: Reading, at: int, harm: Harm) -> int | None:
    """Where it stands that somebody had another's substance, which then did the harm: to who had it."""
    had = _HAD_ANOTHERS.search(reading.prefix(at))
    if had is None or harm.start < at or reading.people.are_named(at, harm.start):
        return None
    return at - len(had.group())


def _told(reading: Reading, group: Group, at: int, harm: Harm, start: int, end: int) -> Iterator[Finding]:
    reading.taken.add(at)
    if met_a_drink(reading):
        reading.left_open.update(reading.names(group))
    had = had_of_anothers(reading, at, harm)
    if had is not None:
        start = had
    elif reading.people.at(harm.start) != USER or reading.people.own_after(at, harm.start):
        start = harm.start
    reaction = reading.sketch.quote(harm.start, harm.end)
    possible = not harm.strong or is_mild(reading, group, harm) or met_a_drink(reading)
    mine = _OF_ME.search(reading.sketch.lowered, *(reading.sketch.places[each] for each in (harm.start, harm.end)))
    for name in reading.names(group):
        for told in reading.told(ALLERGY, name, start, possible=possible, end=end):
            yield told._replace(reaction=reaction, subject=USER if mine else told.subject)
