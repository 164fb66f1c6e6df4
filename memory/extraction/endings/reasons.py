"""Why a message says that an allergy or a disease is so no longer: read where it is said, of that and nothing else.

"皮试阴性，我对青霉素不过敏" gives a reason; that a headache is gone, that a test is still to be done, or that the
peanuts were tested is none.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.sameness import is_of_one
from memory.clinical.sketch import Clause, Group, Sketch
from memory.extraction.endings.known import is_users_own

_I: Final = re.IGNORECASE
_OF_IT: Final = re.compile(
    r"治好|治愈|痊愈|逆转|长大(?:了|后|以后|就)|(?:已经|早就|现在)(?:不再|好了|全好)|不[^，。]{0,4}过敏了"
    r"|没有?[^，。]{0,6}过敏了|好了(?:[^，。]{0,3}年)?(?=$|[，。！])|可以[^，。]{0,3}[吃用打碰喝]了|没了|没有了|消失"
    r"|\b(?:no longer|any ?more|any longer|remission|cured|reversed|after all|turns? out|outgr\w+|gr[eo]wn? out)\b"
    r"|\bcan (?:eat|have|take|drink|use) [\w ]{2,20} again\b|\b(?:gone|disappeared)\b",
    _I,
)
"""Said of what its own clause names: that it passed, that it is borne."""
_TOLD_BY: Final = re.compile(
    r"(?<![跟和对向给问])(?<!告诉)(?:医生|大夫|专家|主任|门诊|[\u4e00-\u9fff]科)[^，。！？]{0,8}"
    r"(?:说|确认|告诉|诊断|看过|判断|明确|认为|查)(?!要|让|需|先|可能|也许|还|得|最好|下次|不知道|不确定|是不是|会不会)"
    r"|(?<!told )(?<!asked )(?<!told the )(?<!told my )(?<!asked the )(?<!asked my )"
    r"\b(?:doctors?|allergists?|specialists?|consultants?|gps?|\w+ologists?|clinic|hospital|dr|they)\b[^.?!]{0,24}"
    r"\b(?:says?|said|told me|confirmed|tested|thinks?|diagnosed|took|removed|decided|called it)\b"
    r"(?! (?:that )?(?:i|we|you|it|to)? ?(?:need|should|must|have to|might|may|could|want|to|wait)\b)",
    _I,
)
"""Who says so, in the same clause."""
_BUT: Final = re.compile(r"但|可是?|不过(?!敏)|\b(?:but|however|though)\b", _I)
_BORNE: Final = re.compile(
    r"[吃打用喝碰试][了过][^。！？]{0,8}没(?:事|反应|问题)"
    r"|\b(?:ate|eaten|had|tried|took|taken)\b[^.;?!]{0,24}\b(?:fine|no (?:reaction|problem)|nothing happened|without)\b"
    r"|\b(?:nothing happened|no reaction|without (?:a |any )?(?:reaction|problem))\b",
    _I,
)
"""Said of it in two clauses: 芒果我吃了，没事."""
_INSTEAD: Final = re.compile(
    r"(?:不是|并非)[^，。！？]{1,12}[，,](?:而|原来|其实)?是"
    r"|\bnot (?:an? )?[\w' ]{2,24}[,;.]+ (?:it'?s|it is|it was|but|rather)\b",
    _I,
)
"""What it is instead: not asthma, it's COPD."""
_FOUND: Final = re.compile(
    r"阴性|没有?反应|排除|误诊|转阴|根除|脱敏|虚惊|冤枉"
    r"|(?:皮试|激发试验|点刺|斑贴|肺功能|脑电图)[^，。！？]{0,6}(?:正常|阴|没(?:有)?(?:反应|问题|事)|通过|[做查过]了|做完)"
    r"|(?:做|查)[了过](?:[^，。！？]{0,4})?(?:皮试|激发|点刺|斑贴|肺功能|脑电图)"
    r"|(?:[查测]了|查过|检查|化验|结果|报告|复查|复诊)[^。！？，,]{0,10}(?:正常|显示|没(?:有)?(?:问题|事|异常|反应)|不是|阴|并非)"
    r"|\b(?:passed\b[^.;]{0,24}\b(?:challenge|skin|allergy|patch)|cleared of|negative"
    r"|ruled out|ruling out|misdiagnos\w+|de-?label\w*|desensiti\w+"
    r"|nothing happened|no reaction|turned out|wrong(?:ly)? diagnos\w+|outgr[eo]w\w*)\b"
    r"|\b(?:tests?|labs?|results?|panel|spirometry|scan|bloods?|bloodwork|biopsy|challenge|eeg|a1c)\b[^.?!,]{0,24}"
    r"\b(?:normal|negative|clear|fine|shows?|showed|says?|said|came back|proved|passed)\b",
    _I,
)
"""What was found out: it may be told beside it."""
_NOT_YET: Final = re.compile(
    r"还没|没[做去查测出拿]|[要等去]做|打算|准备|预约|明天|后天|下周|下个?月|就好|才好|希望|如果|的话|假阴性|不是阴性|没(?:有)?通过|没(?:有)?排除"
    r"|\b(?:tomorrow|next (?:week|month)|scheduled|booked|waiting|not yet|haven'?t|never tested|needs? (?:an?|to)"
    r"|pending|hop(?:e|ing)|if|false negative|not (?:been )?(?:negative|cleared|ruled out)|passed (?:out|away))\b",
    _I,
)
_OF_ELSE: Final = re.compile(
    r"新冠|核酸|抗原|怀孕|驾照|\b(?:covid|pregnancy|flu|strep|hiv|std|drugs? test|driving|exam)\b", _I
)
"""Tests of something else."""
_SAYS: Final = re.compile(r"^\s*(?:他|她|就|也|都|还)?(?:说|讲|认为|确认|告诉)|^\s*(?:says?|said)\b", _I)
_SAID: Final = re.compile(r"说(?:了|过|的|是)?$|(?:\bsaid|\bsays|\btold me)(?: that)?$", _I)
_NOT: Final = re.compile(
    r"[不没非未无阴]|排除|误诊|划|摘|\b(?:not?|never|negative|cleared|passed|without|ruled|removed|took|off)\b|n't\b",
    _I,
)
_OF_MEDICINE: Final = "SDYO"


def reason_for(drawn: Sketch, quote: str, named: str) -> str:
    """The words of a message by which what is `named` is so no longer, as its `quote` says; none: it gives no reason.

    It stands in the clause that says so; or, found out by somebody, in one beside it or in a sentence beside it, as
    long as nothing else of medicine comes between.
    """
    own = _own(drawn, quote, named)
    if not own:
        return ""
    first, last = own[0].number, own[-1].number
    start, end = own[0].start, own[-1].end
    why = _OF_IT.search(text := _text(drawn, start, end)) or _told_by(text, named)
    if why is None:
        after = [each for each in drawn.clauses[last + 1 : last + 2] if each.sentence == own[-1].sentence]
        why = _INSTEAD.search(text := _text(drawn, start, after[0].end if after else end))
        if why is None:
            until = after[0].end if after and not _names_other(drawn, after[0], named) else end
            why = _BORNE.search(text := _text(drawn, _named_before(drawn, own[0], named), until))
    if why is not None:
        return text[why.start() : why.end()].strip()
    for clause in (*own, *_beside(drawn, first, -1, named), *_beside(drawn, last, 1, named)):
        text = _text(drawn, clause.start, clause.end)
        why = None if _NOT_YET.search(text) else _FOUND.search(text)
        if why is not None:
            return why.group().strip()
    return ""


def _named_before(drawn: Sketch, own: Clause, named: str) -> int:
    """Where the clause begins that names it, in the same sentence and with nothing else between; else this one."""
    number = own.number
    while drawn.clauses[number].sentence == own.sentence and not _names_other(drawn, drawn.clauses[number], named):
        if _names(drawn, drawn.clauses[number], named):
            return drawn.clauses[number].start
        if number == 0:
            break
        number -= 1
    return own.start


def _told_by(text: str, named: str) -> re.Match[str] | None:
    """Who says so; none where they say that it is so, and only the user denies it."""
    found = _TOLD_BY.search(text)
    if found is None:
        return None
    said, *_ = _BUT.split(text[found.start() :], maxsplit=1)
    return None if named.casefold() in said and not _NOT.search(said) else found


def _own(drawn: Sketch, quote: str, named: str) -> list[Clause]:
    """The clauses that say it: of the quote, without those that name other things only; and who is told to say so."""
    at = drawn.text.find(quote)
    if at < 0 or not quote:
        return []
    first, last = drawn.clause_at(drawn.place_of(at)), drawn.clause_at(drawn.place_of(at + len(quote) - 1))
    quoted = drawn.clauses[first.number : last.number + 1]
    own = [each for each in quoted if not _names_other(drawn, each, named)]
    naming = [each for each in own if _names(drawn, each, named)] or own[:1]
    if not naming:
        return []
    begun = naming[0].number
    if begun and drawn.clauses[begun - 1].sentence == naming[0].sentence:
        before = drawn.clauses[begun - 1]
        said = _SAID.search(_text(drawn, before.start, before.end).rstrip(" ,，:："))
        if said or _SAYS.match(_text(drawn, naming[0].start, naming[0].end)):
            begun -= 1
    return list(drawn.clauses[begun : naming[-1].number + 1])


def _beside(drawn: Sketch, number: int, step: int, named: str) -> Iterator[Clause]:
    """The clauses on one side, to the end of the next sentence, until one names something else."""
    sentence = drawn.clauses[number].sentence
    number += step
    while 0 <= number < len(drawn.clauses) and abs(drawn.clauses[number].sentence - sentence) <= 1:
        clause = drawn.clauses[number]
        text = _text(drawn, clause.start, clause.end)
        if _names_other(drawn, clause, named) or _NOT_YET.search(text) or _OF_ELSE.search(text):
            return
        if clause.asked or not is_users_own(drawn, clause):
            return
        if not _names(drawn, clause, named) or _NOT.search(text):
            yield clause
        number += step


def _names_other(drawn: Sketch, clause: Clause, named: str) -> bool:
    """Whether something else of medicine is spoken of, and this is not."""
    return any(drawn.groups_in(clause.start, clause.end, _OF_MEDICINE)) and not _names(drawn, clause, named)


def _names(drawn: Sketch, clause: Clause, named: str) -> bool:
    groups = drawn.groups_in(clause.start, clause.end, _OF_MEDICINE)
    words = _text(drawn, clause.start, clause.end)
    return named.casefold() in words or any(_is_of(drawn, group, named) for _, group in groups)


def _is_of(drawn: Sketch, group: Group, named: str) -> bool:
    words = (word for each in group.members for word in (drawn.lowered[each.start : each.end], each.term.name))
    return any(is_of_one(word, named) for word in words)


def _text(drawn: Sketch, start: int, end: int) -> str:
    return drawn.lowered[drawn.places[start] : drawn.places[end]]
