"""Operations that were done, and what stays in the body after some."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import DISEASE, IMPLANT, SURGERY, Finding
from memory.clinical.reading import EDGE, NEAR, Reading
from memory.clinical.sketch import LETTERS, Group, pattern

_DONE: Final = re.compile(
    r"[了过掉着]|\b(?:got|had|put|placed|implanted|inserted|removed|out|tied|replaced|fitted|taken)\b"
)
_REMOVED: Final = re.compile(r"取出|取了|取掉|拆了|\b(?:taken|came|pulled) out\b|\bremoved\b")
_NOT_QUITE: Final = re.compile(
    r"想[把让]|差(?:一)?点|怕被|要不要把|\b(?:almost|nearly) (?:had|lost)|\bwish\b|\bno way\b"
)
"""Before an operation: it was not done."""
_AT_WORK: Final = re.compile(r"\b(?:scrub\w*|assist\w*|watch\w*|observ\w*|stood through|perform\w*|shadow\w*)\b")
"""Before an operation: somebody else's, at which the speaker was."""
_HAD: Final = re.compile(r"\b(?:i|we) (?:have |also )?had\b|做过|做了")
"""Before an operation: what was planned before it is something else."""
_INTENDED: Final = re.compile(
    r"打算|计划着?|琢磨|寻思|盘算|犹豫|纠结|\bplanning\b|\bconsidering\b|\bthinking (?:of|about)\b"
)
"""Said before in a sentence, or between what is told: it is still to be done."""
_STAYS: Final = pattern(
    r"^s? (?:that |which )?i had (?:fitted|put in|placed|implanted|done)\b"
    r"|^ (?:that |which )?(?:they|he|she|the surgeons?|the doctors?) (?:have |had )?"
    r"(?:put|placed|fitted|implanted|inserted)\b"
    r"|^(?:都|也)?还?(?:埋|留|装|放|戴)着|^还在(?!吗)|^ (?:is |still )*in (?:me\b|my (?:<G>"
    r"|(?:body|head|brain|back|chest|tummy|belly|legs?|arms?|hips?|neck|spine|eyes?|ears?)\b))"
)
"""Right behind one: the same."""
_YEAR: Final = re.compile(r"\s*[(（,，]?\s*(?:in )?(?:19|20)\d\d(?!\d|年(?:要|准备|计划))")
"""Right behind an operation: when it was."""
_COUNTED: Final = re.compile(r"\s*(?:two|three|four|[2-5])\s")
"""All that stands before operations that were done."""
_WITHIN: Final = pattern(
    r"(?:我(?:的|这个?|那个?)|(?:脑子?|头|颅|心脏|血管|脊柱|脊椎|背)(?:里|内)(?:头|面)?(?:还|都)?(?:有"
    r"|是)(?:[一两]?[个根枚块])?|(?:心口|胸口|胸前|体内|身上|肚子里|眼睛?里|耳朵里|腿里|腰里)(?:的|这个?|那个?)*"
    r"|(?<![他她爸妈])(?:<G>|肚子|胸口|背|腰|腿|手臂|胳膊|脑子|头|心口|身)(?:上|里|内|里面|外面)?(?:还|都)?"
    r"(?:有|埋|装|放|植|安|接|打|种|塞)(?:了|着|的|入|进|过|是)*(?:[一两二三四五六七八几\d]?[个根枚块颗条张])?)$"
    r"|\b(?:my|me) (?:old |new )?$"
)
"""Right before a device: it is in somebody, whatever is asked of it."""
REMOVED: Final = "removed"
"""The tag of what somebody has who lost an organ: no spleen."""
_TAKEN_OUT: Final = re.compile(
    r"\b(?:remov\w+|taken|took|cut|out|lost|gave|donated|crash|smash|accident|surgery|operation|tumou?r|cancer)\b"
)
_SKIN_OFF: Final = re.compile(r"skin\W+off")
"""No operation: a plaster did it."""
_SIDE: Final = "我左右双侧两边耳眼" + LETTERS["G"]
"""Before a device it says where it is, and nothing else."""
_SIDE_EN: Final = re.compile(r"\b(?:left|right|both)\b")
_OF_OTHERS: Final = re.compile(
    r"^的(?:电池|寿命|价格|费用|种类|原理|牌子|人(?!工)|患者|病人|老人|朋友)"
    r"|^ (?:patients|people)\b"
)
"""Behind an operation or a device: those who have it, whoever they are."""
_SOON: Final = 12
_NAMED: Final = pattern("<SDOGVRYT>|然后|现在")
_PLANNED_NEAR: Final = 20
"""Letters behind an operation that may say that it is to come."""
_OPERABLE: Final = re.compile(
    r"白内障|痔|息肉|动脉瘤|肌瘤|囊肿|结节|曲张|疝|结石|肿瘤|癌|瘤|阑尾炎|翼状胬肉|肛瘘|包茎|椎间盘|骨折|扁桃体炎"
    r"|中耳炎|半月板|偏曲|斜视|脱垂|脓肿|狭窄|畸形|撕裂"
    r"|cataract|h[ae]?emorrhoid|polyp|fibroid|cyst|nodule|varicose|hernia|stone|tumou?r|cancer|carcinoma|appendicitis"
    r"|fistula|disc|fracture|bunion|melanoma|mole|septum|prolapse|squint|strabismus|abscess|endometriosis"
    r"|carpal tunnel|\\btear|ectopic"
)
"""Diseases of which one says that they were cut out."""
_CANCER: Final = re.compile(r"癌|恶性|肉瘤|淋巴瘤|cancer|carcinoma|lymphoma|sarcoma|melanoma")
_PLACED: Final = re.compile(
    r"支架|造口|种植|搭桥|起搏器|除颤器|分流|耳蜗|输液港|刺激器|动脉瘤夹|吊带|补片|网片|滤器|晶体|假体|瓣|关节"
    r"|钢|髓内钉"
    r"|pacemaker|implant|stent|bypass|graft|plate"
    r"|screw|rod|valve|joint|hip|knee|metal|shunt|stimulator|cochlear|defib|\bicds?\b|sling|mesh|filter|intraocular"
    r"|loop recorder|stoma|ostomy|\bport\b|\bclips?\b"
)
"""Devices of which the nurse wants to know the operation."""
_IMPLANTED: Final = re.compile(
    r"起搏器|除颤器|分流|耳蜗|节育|上环|环|(?<!胰岛素)泵|输液港|瓣膜"
    r"|pacemaker|intrauterine|contraceptive implant|icd|defib|cochlear|iud|coil|(?<!insulin )pump|port|valve|shunt"
    r"|stimulator|loop recorder|implant"
)

_OUT_AGAIN: Final = re.compile(
    r"(?:s\b)?(?: that| it)?(?: (?:was|were|has been|have been|is|got))? (?:taken out|removed|pulled out)\b"
    r"|(?:我|上周|去年|前年|上个?月|已经|后来|早就?|都|也|给|被|又|[，, ]|\d+年)*(?:拆|取|拔)(?:出来?|掉|下来?)?了"
)
"""Behind what was put in: it is not there any more."""
_NEVER_IN: Final = re.compile(r"\bno longer have (?:a |an |my |the |any )?$|没有?(?:装|放|植入)过?$")
_NEVER_IN_AFTER: Final = re.compile(r"我?(?:从来)?没有?(?:装|放|植入)(?:过)?(?=$|[，,。！ ])")


def operations(reading: Reading) -> Iterator[Finding]:
    """An organ and what was done with it; operations and devices by name."""
    for each in reading.grammar.operations:
        for found in each.finditer(reading.drawn):
            if reading.taken.isdisjoint(range(*found.span())) and _was_done(reading, found):
                start, end = found.span()
                reading.taken.update(at for at in range(start, end) if _is_used_up(reading, at))
                place = found.start(_place_of(found))
                yield from _before_it(reading, place)
                yield from reading.told(SURGERY, _quote(reading, start, end, place), place, end=end)
                yield from _implanted(reading, start, end)
    yield from _removed(reading)
    for at, group in reading.groups("OV"):
        if at in reading.taken or reading.retracted(at) or reading.denied(at, at + 1):
            continue
        if _OF_OTHERS.search(reading.suffix(at + 1)) or was_not_done(reading, at):
            continue
        if _is_done(reading, at, group):
            yield from _named(reading, at, group)


def out_again(reading: Reading) -> Iterator[Finding]:
    """What stays inside and was taken out, or never put in: there is none (denied)."""
    for at, group in reading.groups("OV"):
        never = _NEVER_IN.search(reading.prefix(at)) or _NEVER_IN_AFTER.match(reading.drawn, at + 1)
        if not (never or _OUT_AGAIN.match(reading.drawn, at + 1)) or reading.asks(reading.sketch.clause_at(at)):
            continue
        for member in group.members:
            if stays_inside(member.term.name):
                reading.taken.add(at)
                for finding in reading.told(SURGERY, reading.name(member), at):
                    yield finding._replace(denied=True)


def _removed(reading: Reading) -> Iterator[Finding]:
    """An organ that somebody has no longer; to be confirmed where nothing says that it was taken out."""
    for at, group in reading.groups("D"):
        if any(member.term.tag == REMOVED for member in group.members) and not reading.retracted(at):
            clause = reading.sketch.clause_at(at)
            told = _TAKEN_OUT.search(reading.words(clause, *reading.following(clause)[-1:] or (clause,))) is not None
            yield from reading.told(SURGERY, reading.sketch.quote(at, at + 1), at, possible=not told)


def _before_it(reading: Reading, place: int) -> Iterator[Finding]:
    """Of a list of diseases whose last one was operated on, the others: 我有糖尿病，白内障两只眼都做了."""
    group = reading.sketch.groups.get(place)
    for member in group.members[:-1] if group and group.letter == "D" else ():
        if member.term.tag != "acute":
            yield from reading.told(DISEASE, reading.name(member), place)


def _quote(reading: Reading, start: int, end: int, place: int) -> str:
    """What was done, as it was said: of a list of diseases, from its last one on."""
    group = reading.sketch.groups.get(place)
    if group is None or group.letter != "D" or start != place:
        return reading.sketch.quote(start, end)
    return reading.sketch.text[group.members[-1].start : reading.sketch.places[end]].strip()


def _is_used_up(reading: Reading, at: int) -> bool:
    """Whether a word says nothing beside the operation: a cancer that was cut out is in the history still."""
    group = reading.sketch.groups.get(at)
    return group is not None and not any(_CANCER.search(member.term.name) for member in group.members)


def _was_done(reading: Reading, found: re.Match[str]) -> bool:
    start, end = found.span()
    x = reading.sketch.groups.get(found.start(_place_of(found)))
    if x is not None and x.letter == "D" and not is_operable(reading, x):
        return False
    if _SKIN_OFF.search(reading.sketch.lowered, reading.sketch.places[start], reading.sketch.places[end]):
        return False
    if reading.retracted(start) or not reading.taken.isdisjoint(range(start, end)):
        return False
    if _INTENDED.search(reading.drawn, start, end) or was_not_done(reading, end - 1):
        return False
    grammar, clause = reading.grammar, reading.sketch.clause_at(start)
    before, after = reading.prefix(start), _NAMED.split(reading.drawn[end : end + _SOON])[0]
    if grammar.denied_before.search(before) or grammar.planned.search(before) or grammar.planned.search(after):
        return False
    return not (grammar.asks_first and clause.asked and grammar.asked.search(reading.words(clause, clause)))


def was_not_done(reading: Reading, at: int) -> bool:
    """Whether its clause says before it that it was done at work, wished for, or nearly done."""
    began = max(reading.sketch.clause_at(at).start, at - NEAR)
    return any(words.search(reading.drawn, began, at) for words in (_AT_WORK, _NOT_QUITE))


def is_operable(reading: Reading, group: Group) -> bool:
    """Whether it is a disease of which one says that it was cut out, by its name or as it was said."""
    member = group.members[-1]
    return any(map(_OPERABLE.search, (member.term.name, reading.sketch.lowered[member.start : member.end])))


def stays_inside(name: str) -> bool:
    """Whether a device stays in the body, or is told as the operation that put it there."""
    return _IMPLANTED.search(name) is not None or _PLACED.search(name) is not None


def _implanted(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    for at, group in reading.sketch.groups_in(start, end, "V"):
        for name in map(reading.name, group.members):
            if _IMPLANTED.search(name):
                yield from reading.told(IMPLANT, name, at)


def _place_of(found: re.Match[str]) -> str:
    return "x" if found["x"] else "x2"


def _is_done(reading: Reading, at: int, group: Group) -> bool:
    grammar, prefix, suffix = reading.grammar, reading.prefix(at), reading.suffix(at + 1)
    if group.letter == "O" and _COUNTED.fullmatch(prefix):
        return True
    if group.letter == "V" and (_WITHIN.search(prefix) or _STAYS.search(suffix)):
        return True
    began = reading.sketch.clause_at(at).began
    to_come = reading.question.text and grammar.planned.search(reading.drawn, began, at)
    if to_come or _INTENDED.search(reading.drawn, began, at):
        return False
    dated = group.letter == "O" and _YEAR.match(suffix) is not None
    since_had = max((found.end() for found in _HAD.finditer(prefix)), default=0)
    if grammar.planned.search(prefix, since_had) or (not dated and grammar.planned.search(suffix[:_PLANNED_NEAR])):
        return False
    asks, since = reading.asks(reading.sketch.clause_at(at)), dated or grammar.done_after.search(suffix)
    if asks and not since and not grammar.had_before.search(prefix):
        return False
    alone = (
        not _SIDE_EN.sub("", prefix).strip(EDGE + _SIDE)
        and not asks
        and (group.letter == "V" or not suffix.strip(EDGE))
    )
    said = (reading.sketch.lowered[each.start : each.end] for each in group.members)
    return bool(alone or since or grammar.done_before.search(prefix) or any(map(_DONE.search, said)))


def _named(reading: Reading, at: int, group: Group) -> Iterator[Finding]:
    reading.taken.add(at)
    for name in reading.names(group):
        if group.letter == "O" or stays_inside(name):
            yield from reading.told(SURGERY, name, at)
        if _IMPLANTED.search(name) and not _REMOVED.search(reading.suffix(at + 1)):
            yield from reading.told(IMPLANT, name, at)
