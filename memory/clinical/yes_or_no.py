"""A question that names something, and an answer that only says yes to it, or which: do you have asthma? Yes."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from memory.clinical.asked import Question, asks_of_what_is_said, drawn
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.not_so import is_after_all_no, is_of_having
from memory.clinical.people import OTHER, USER
from memory.clinical.questions import ASKS_WHETHER, MAY_TAKE, NO, TAKEN_OUT, members, names, operations, what_asks
from memory.clinical.reading import Reading
from memory.clinical.sketch import LETTERS, Sketch

_WHETHER_OR_NOT: Final = re.compile(
    r"有没有|有无|是不是|是否|会不会|能不能|要不要|好不好|[^，。]不[^，。]的?话"
    r"|不舒服|[没不][?？]$|\bor not\b|\bnot\?$"
)
_DENIES: Final = re.compile(r"不(?!良|耐)|没|无|\b(?:no|not|never|without|unless)\b|n't\b")
_YES: Final = re.compile(
    r"^\s*(?:(?:oh|well|um+|er+|ah|haha|hmm+)[, ]+)?(?:y|yh|ya|still (?:do|have|am|is|got)|big time|spot on"
    r"|too right|you bet|absolutely|totally|affirmative"
    r"|(?:i'?m )?(?:an? )?carrier|born with|'?fraid so|guilty|yes|yeah|yep|yup|yea|ye|aye|mhm|i (?:do|am|have|did"
    r"|was)\b(?!n't| (?:not|no|never|to|fine|ok|okay)\b)|sure (?:do|have|did)|correct"
    r"|indeed"
    r"|definitely|sadly|unfortunately|since (?:i was|\d{4}|childhood|birth)|for (?:years|\d+ years)|afraid so"
    r"|i'?m afraid so)\b"
    r"|^\s*(?:会(?=[！!，,。的啊呀]|\s*$)|有(?!没|点|时|些?(?:时|人)|一(?:次|天|点)|的(?:时|人))|是(?!不是|我[爸妈哥姐弟妹爷奶儿女老])|对(?![不方])|嗯+"
    r"|恩+|确诊"
    r"|得过|患有|没错|查出|做过|可不是|(?:被你)?说中|是这么|还有(?!别)|照样|确实|当然|上了(?!年)|装了|就是啊"
    r"|动过|开过刀|割[了过掉的]|切[了过掉的]|一直有|老毛病)"
)
_COUNTED: Final = re.compile(
    r"^\W*(?:only |just )?(?:(?:once|twice|both|(?:the )?left|(?:the )?right)\b|(?:one|two|three|four"
    r"|[1-9])(?: times?)?"
    r"(?:(?= of (?:them|those|each)\b)|(?=\W*$|[,.;!]))|(?:back )?in (?:19|20)\d\d\b|(?:19|20)\d\d\b|as a (?:child"
    r"|kid|baby)\b"
    r"|when i was \w+|(?:last|this) (?:year|month|spring|summer|autumn|winter)\b|\w+ (?:years?|months?) ago\b)"
    r"|^\W*(?:就|只|一共|总共)?[一二两三四五\d](?:次|回|个|侧|边|只|颗|条)|^\W*(?:左|右|双|两)(?:边|侧|眼|腿|膝)"
    r"|^\W*(?:(?:19|20)?\d\d年|去年|前年|小时候)(?!(?:在|住|去|到|看|跟|和))"
)
"""An answer that says how many, which side or when: it says yes."""
_SURELY_SO: Final = re.compile(r"\W*可不(?:是|就)")
"""Looks like a question, and is a yes."""
_WAS: Final = re.compile(
    r"以前|小时候|曾|治好|痊愈|好了|没犯|\b(?:used to|as a (?:kid|child|baby)|cured|gone|any ?more|in remission"
    r"|grew out"
    r"|not now|once)\b"
)
_SINCE_THEN: Final = re.compile(r"(?:打|从)?小时候(?:就|便)(?:有|得)(?:了|的)?(?![^，。]{0,4}(?:好了|治好|没了))")
_TAIL_OF_DOSE: Final = re.compile(r"\b(?:it )?used to be \d[\d.]*")
"""What was so in an answer that it is no longer: the amount."""
_HAD_OFTEN: Final = re.compile(
    r"\bcan (?:take|have|eat)\b|\b(?:had|have|take|eat|use) (?:it|them) (?:all|lots|loads|often|regularly|many"
    r"|before)\b"
)
"""What an answer says of what does no harm."""
_UNSURE: Final = re.compile(
    r"好像|可能|也许|大概|应该|不确定|记不|\b(?:maybe|think|probably|possibly|not sure|might|perhaps|guess|sort of"
    r"|kind of)\b"
)
_EXAMPLE: Final = re.compile(r"比如|例如|譬如|\b(?:for example|for instance|such as|e\.?g|like)\b")
"""What it names is one of many: a yes may be to another."""
_OF_KINDS: Final = re.compile(r"\b(?:medicines|medications|drugs|foods)\b|药物[、，或和]|食物")
"""The same, by kinds: allergies to medicines, foods or latex?"""
_GONE: Final = re.compile(r"没[了啦有]|不在|[割切摘]|\b(?:no|nope|nah|gone|out|removed|whipped)\b")
_STILL_HAS: Final = re.compile(r"\W*(?:(?:yes|yeah|yep|yup|aye)\b|还?在|有|是|对|嗯)")
_STILL: Final = re.compile(r"还在|\bstill (?:have|got|there)\b|\bintact\b")
_OF_AN_ORGAN: Final = re.compile(
    r"\bstill (?:have|got) (?:your|the|both|all(?: your| of your)?)(?: your)? (?:appendix|gall ?bladder|spleen"
    r"|tonsils|ovaries"
    r"|womb|uterus|prostate|thyroid|adenoids)\W*$|(?:阑尾|胆囊|脾脏?|扁桃体|子宫|卵巢|前列腺|甲状腺)(?:都)?还在[吗么]"
)
"""Asks for nothing but whether an organ is there: whose is gone had it out."""
_WHICH: Final = (
    (re.compile(r"^\W*(?:the )?(?:first|former)\b|^\W*(?:是)?(?:前(?:面|一|头)?(?:那|这)?[个种者]|第一[个种])"), 0),
    (re.compile(r"^\W*(?:the )?(?:last|latter)\b|^\W*(?:是)?(?:后(?:面|一|头)?(?:那|这)?[个种者]|最后)"), -1),
    (re.compile(r"^\W*(?:the )?third\b|^\W*(?:是)?第三[个种]"), 2),
    (re.compile(r"^\W*(?:just |only )?(?:the )?second\b|^\W*(?:是)?第二[个种]"), 1),
    (re.compile(r"^\W*(?:the )?(?:middle|2nd)\b|^\W*(?:是)?中间"), 1),
)
_LAST_TWO: Final = re.compile(r"^\W*(?:the )?last two\b|^\W*(?:是)?后(?:面|头)?[两二2]个?(?:都|全)?")
_FIRST_TWO: Final = re.compile(r"^\W*(?:the )?first two\b|^\W*(?:是)?前(?:面|头)?[两二2]个?(?:都|全)?")
_ALL: Final = re.compile(
    r"^\W*(?:yes,? |i have )?(?:both|all)\b(?! (?:good|clear|fine|ok|okay|well|quiet|normal|gone|better"
    r"|original|natural|my own|right"
    r"|the best))|^\W*(?:[两三]?[个种]?)?(?:都|全)(?:有|是|得|过敏|占|中|做过|[切割]了|$|[，。])"
)
_ANSWERS: Final = (_YES, _COUNTED, NO, _ALL, _FIRST_TWO, _LAST_TWO, _GONE, *(words for words, _ in _WHICH))
_NO_WORDS: Final = re.compile(
    r"没|不|无|差点|搞错|\b(?:no|not|never|none|but|thought|turned|just an?|wrong|instead|almost)\b|n't\b"
)
_LEAD_MAX: Final = 12
_LEADS: Final = frozenset({"有", "是", "有过", "得过", "得的是"})
_IS_IT_SO: Final = re.compile(
    r"(?:对[吗么不吧]|是[吗么吧]|没错吧|没记错吧|是这样(?:吧|吗|的吧))[?？]?\s*$|(?:,|\bis that|\bis this"
    r"|\bis it)(?: still)?\s*(?:right|correct|true"
    r"|so|the case)\s*\?\s*$"
)
_STILL_SO: Final = re.compile(
    r"^\W*(?:that'?s me|still is|spot on|yep|yup|yeah|yh|that is|it is|unfortunately|sadly|afraid so|too right"
    r"|absolutely"
    r"|是这么|嗯|it (?:still )?is|that'?s (?:right|correct|true)|correct|still (?:true|correct|so)|对|是的"
    r"|没错|还是)"
)
_ONLY: Final = re.compile(
    r"\W*(?:(?:yes|yeah|yep|well|um+)\W+)?(?:i (?:have|got) )?(?:just|only)(?: got| have)? (?:the |my |some )?"
    r"(?P<x>[a-z]{4,}(?: [a-z]+){0,2})\W*"
    r"|\W*(?:就|只)(?:有|是)?(?P<x2>[\u4e00-\u9fff]{2,4}?)(?:有点)?(?:高|不好|问题)?\W*"
)
"""An answer that says which alone."""
_SENTENCES_ASKED: Final = 2
"""The last one may only ask whether it is so."""
_NOT_SO: Final = re.compile(r"不|没|无|否认|\b(?:no|not|unless|never|without)\b|n't\b|helps|common")


def begins_as_answer(text: str) -> bool:
    """Whether a message begins as one that says yes or no to what was asked, or which."""
    lead = text[: 2 * _LEAD_MAX].lower()
    return any(words.search(lead) for words in _ANSWERS)


def said_yes(reading: Reading, before: Question) -> Iterator[Finding]:
    """What the last question names and the answer says yes to; of several what it points at, else each as possible."""
    yield from _confirmed(reading, before.sentences[-_SENTENCES_ASKED:])
    question = _question(before.sentences)
    if question is None or not set(reading.people.named) <= {USER, OTHER} or OTHER in reading.people.named:
        return
    asks = any(map(reading.asks, reading.sketch.clauses)) and not _SURELY_SO.match(reading.sketch.lowered)
    if asks or MAY_TAKE.search(question.lowered) or is_after_all_no(reading.sketch.lowered):
        return
    said = reading.sketch.lowered
    among_others = _EXAMPLE.search(question.lowered) is not None or bool(members(question, "YR"))
    of_kinds = _OF_KINDS.search(question.lowered) is not None
    named = (
        (ALLERGY, _substances(reading, question)),
        (DISEASE, names(question, "D")),
        (SURGERY, _operations(question, said)),
    )
    for kind, asked in named:
        if (len(asked) > 1 and any(True for _ in reading.groups("DO"))) or not is_of_having(kind, question.lowered):
            continue  # it says itself which, or nobody asks of having it
        if _names_another(reading):
            continue
        if kind == SURGERY and _STILL.search(said) and not _STILL.search(question.lowered):
            continue  # it is there: nothing was done
        gone = kind == SURGERY and _STILL.search(question.lowered) is not None
        part = _named_in_part(question, said) if kind == DISEASE else ()
        chosen, sure = (part, True) if part else _chosen(asked, said, gone=gone)
        for name in () if _takes_back(reading, kind) else chosen:
            reading.answered.add((kind, name))
            yield from reading.told(kind, name, 0, possible=not sure or among_others or (kind == ALLERGY and of_kinds))


def _names_another(reading: Reading) -> bool:
    """Whether an answer says 有 or 是 to something that it names: 有鼻炎 is no asthma."""
    return any(reading.drawn[:at].strip() in _LEADS for at, _ in islice(reading.groups("DO"), 1))


def _takes_back(reading: Reading, kind: str) -> bool:
    """Whether an answer says that it was so once, or did no harm."""
    if kind == DISEASE:
        said = _SINCE_THEN.sub("", reading.sketch.lowered)
        return _WAS.search(_TAIL_OF_DOSE.sub("", said)) is not None
    unharmed = reading.grammar.unharmed.search(reading.drawn) or _HAD_OFTEN.search(reading.sketch.lowered)
    return kind == ALLERGY and unharmed is not None


def _confirmed(reading: Reading, asked: Sequence[str]) -> Iterator[Finding]:
    """What the records say, and who is asked says yes to it: of the last question, and nothing that it denies."""
    if asked and (_IS_IT_SO.search(asked[-1]) or asks_of_what_is_said(asked[-1])) and not reading.sketch.groups:
        yield from _said_so(reading, asked)


def _said_so(reading: Reading, asked: Sequence[str]) -> Iterator[Finding]:
    said_so = reading.grammar.yes.search(reading.drawn) or _STILL_SO.search(reading.sketch.lowered)
    said = " ".join(asked)
    if not said_so or _NOT_SO.search(said) or is_after_all_no(reading.sketch.lowered):
        return
    question = drawn(said)
    kinds = [(DISEASE, names(question, "D")), (SURGERY, operations(question, said))]
    if reading.grammar.asks_allergy.search(said) or LETTERS["R"] in question.drawn:
        kinds.append((ALLERGY, names(question, "S")))
    for kind, named in kinds:
        for name in named:
            yield from reading.told(kind, name, 0)


def _question(sentences: Sequence[str]) -> Sketch | None:
    """The last sentence that asks whether, if a yes says what it says: one that denies is asked to be sure of that."""
    whether = [each for each in sentences if each[-1] in "?？吗么吧" and ASKS_WHETHER.search(each)]
    asked = what_asks(whether[-1]) if whether else ""
    if not asked or _DENIES.search(_WHETHER_OR_NOT.sub("", asked)):
        return None
    return drawn(asked)


def _chosen(named: Sequence[str], said: str, *, gone: bool) -> tuple[Sequence[str], bool]:
    """Which of those that a question names the answer means, and whether that is sure."""
    if not named:
        return (), False
    if len(named) > 1 and (_FIRST_TWO.search(said) or _LAST_TWO.search(said)):
        return named[:2] if _FIRST_TWO.search(said) else named[-2:], True
    if _ALL.search(said):
        return named, True
    pointed = next((place for words, place in _WHICH if words.search(said)), None) if len(named) > 1 else None
    if pointed is not None and pointed < len(named):
        return [named[pointed]], True
    counted = len(named) == 1 and _COUNTED.search(said) is not None and not _NO_WORDS.search(said)
    if not (counted or _says_yes(said, gone=gone)):
        return (), False
    return named, len(named) == 1 and not _UNSURE.search(said)


def _named_in_part(question: Sketch, said: str) -> Sequence[str]:
    """The one of several diseases of a question that an answer names by a part of its name: just the blood pressure."""
    part = _ONLY.fullmatch(said)
    asked = members(question, "D")
    if part is None or len(asked) <= 1:
        return ()
    named = [each.term.name for each in asked if (part["x"] or part["x2"]) in question.lowered[each.start : each.end]]
    return named if len(named) == 1 else ()


def _says_yes(said: str, *, gone: bool) -> bool:
    """Whether an answer says yes, or, of an organ, that it is `gone`: who says yes to its being there still has it."""
    if gone:
        return _GONE.search(said[:_LEAD_MAX]) is not None and _STILL_HAS.match(said) is None
    return _YES.match(said) is not None


def _substances(reading: Reading, question: Sketch) -> Sequence[str]:
    asks = reading.grammar.asks_allergy.search(question.lowered) or LETTERS["R"] in question.drawn
    own = any(True for _ in reading.groups("S"))
    return names(question, "S") if asks and not own else ()


def _operations(question: Sketch, said: str) -> Sequence[str]:
    if _STILL.search(question.lowered) is None:
        return operations(question, question.lowered)
    taken_out = TAKEN_OUT.search(said) is not None
    return operations(
        question, said if taken_out else "out" if _OF_AN_ORGAN.search(question.lowered) else question.lowered
    )
