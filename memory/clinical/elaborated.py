"""An answer that says more than yes and no yes: when, which side, how many, by its number. What was asked about is so.

A question may take something for known (how long have you had asthma?): whatever does not deny it then
grants it. One that asks whether is granted by an answer that goes on about it and denies nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.people import USER
from memory.clinical.questions import ASKS_WHETHER, Question, drawn, names, operations, what_asks
from memory.clinical.reading import Reading
from memory.clinical.sketch import Sketch

_CHARS_MAX: Final = 60
"""Of an answer: a longer one speaks for itself."""
_TAKES_FOR_KNOWN: Final = re.compile(
    r"\b(?:how (?:long|many)|when (?:was|were|did)|what (?:kind|type|sort|year)|which (?:kind|type|eye|side|knee"
    r"|hip|year))\b"
    r"|\btype 1 or type 2\b|几型|1型还是2型|哪(?:一)?(?:年|只|侧|边|型)|多少年|几年"
    r"|(?:得|患|有|做|放|装|切)[^，。？?]{0,12}(?:多久|多长时间|几(?:次|个|颗))"
    r"|(?:什么时候|哪年)[^，。？?]{0,4}(?:做|装|放|切|得|开始|查出|确诊)"
)
_OF_WHAT_IS_HAD: Final = re.compile(
    r"(?:您|你)的?[^，。？?]{0,24}(?:什么时候|啥时候|哪(?:一)?(?:年|侧|边|只|条|型|种)|几(?:型|年|个|颗|根)|多久|多少年"
    r"|多长时间|甲乙丙|稳定吗|控制|怎么样|活动)"
    r"|(?:什么时候|哪(?:一)?年)[^，。？?]{0,6}(?:诊断|确诊|发现|查出|得|做|装|放|切|换|摘|割)"
    r"|[换切摘装做]的是(?:哪|什么)"
    r"|\bwhen (?:was|were|did)\b|\bhow (?:long|many|old were)\b|\bwhat (?:kind|type|sort|year|age)\b"
    r"|\bwhich (?:kind|type|eye|side|of your|year|\w+ (?:valve|joint|organ|kidney|lung))\b|\bwhich (?:\w+ ){0,3}was\b"
    r"|\bis your (?:\w+[' ]+){1,4}(?:active|stable|controlled|under control|well)|\bhow(?:'s| is| are) your\b"
)
_TO_COME: Final = re.compile(
    r"如果|要是|打算|计划|准备|预约|下次|安排|需要|能不能|可不可以|多久(?:才|能|可以)|会不会"
    r"|\b(?:will|would|going to|plan\w*|schedul\w*|if you|next|due|booked|expect\w*)\b"
)
"""A question for what is not there yet."""
_NOT_HAD: Final = re.compile(
    r"没|不(?!太?清楚|太?记得|知道|确定|详|严重)|无|未|从来|搞错|弄错|排除|怀疑|阴|疫苗|差点|想|打算|计划|安排"
    r"|明年|下个?[月周]|以后"
    r"|本来|生的|出生|属|岁|哪来|谁|[?？]"
    r"|\b(?:no|none|nope|nah|not|never|nothing|negative|neither|nil|wrong|mistake|ruled|planned|planning"
    r"|schedul\w*|hop\w+|next"
    r"|almost|wish|instead|decided|turned|born|if|unless|smok\w*|marri\w*|driv\w*|kids|children|pregnant|who|what|why"
    r"|mum|mom|dad|wife|husband|son|daughter|brother|sister|seeing|waiting|test\w*|over \d+)\b|n't (?:have|got"
    r"|had)\b|^\W*i'?m \d"
)
"""In an answer: what was taken for known is not so, or something else is spoken of."""
_TELLS_THAT: Final = re.compile(
    r"^\W*(?:(?:yes|well|oh|um|about|around|for|over|nearly|almost|roughly|the (?:last|past)|in|back in|i think)\W+)*"
    r"(?:since\b|(?:19|20)\d\d\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w* (?:of )?(?:19|20)?\d\d"
    r"|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|a few|a couple of"
    r"|many|several)"
    r"[ -]?(?:years?|yrs?|months?|weeks?|decades?)\b|last (?:year|month|spring|summer|autumn|winter)|years\b|ages\b"
    r"|when i was|(?:the )?(?:spring|summer|autumn|winter|year) before last\b"
    r"|[1-9]\d?(?: of (?:them|those))?\W*$|0\d\W*$|(?:type )?[12]\b|(?:the )?(?:left|right|both)\b)"
    r"|^\W*(?:大概|差不多|好像|快|是|有|都|得有|从|自从)*(?:[零〇]?[一二三四五六七八九\d]年"
    r"|[一二两三四五六\d](?:个|颗|根|次|回)\W*$|[一二三四五六七八九十几\d]+(?:多|来|几)?个?[年月](?:多|了|前"
    r"|以上)?|好[多几]年"
    r"|(?:19|20)?\d\d年|[去前]年|大前年|上个?月|[一二12]型|[左右双两](?:边|侧|眼|只|腿)?|小学|小时候|退休)"
)
"""What an answer begins with that answers such a question, and not another one."""
_ASKS_FOR_MORE: Final = re.compile(r"^\W*(?:how|when|which|what|why|where)\b|几|多少|什么时候|哪")
_ASKS: Final = re.compile(r"[?？:：]\s*$")
_OF_SOMETHING_ELSE: Final = re.compile(
    r"查|检|测|疫苗|接种|家族|家里|亲属|\b(?:tests?|tested|scans?|screen\w*|vaccin\w*|jabs?|family|relatives?"
    r"|parents?)\b"
)
_NEGATIVE: Final = re.compile(r"你才|的是(?:我|他|她)|差点|\bthe one with\b|阴性|正常|排除|怀疑|\bnegative\b")
_FOLLOWS_UP: Final = re.compile(
    r"什么(?:时候|牌子|型号)|哪(?:一)?(?:年|侧|边|只)|几|多久|胰岛素"
    r"|\b(?:when|what (?:year|make|kind|type)|how (?:long|many)|which)\b"
)
"""Asks for more of what the sentence before it has asked about."""
_SENTENCES: Final = 2
_DENIES: Final = re.compile(
    r"没|不(?!耐|良)|无|未|非|别|哪有|健康|正常|\b(?:no|not|none|nope|nah|never|nothing|negative|neither|nil|clear|fine"
    r"|healthy|ok|okay|normal|if|unless|maybe|unsure|think|guess|wondering|dunno|idea|forget|sorry|later|why|what"
    r"|who|waiting|nobody|pending|knows?|next|schedul\w*|plan\w*|hop(?:e|ing|efully)|almost|only|wish|decided"
    r"|instead|but|born|thought"
    r"|turned|ruled|smok\w*|marri\w*|driv\w*|kids|children|pregnant|lost|wrong|just"
    r"|still (?:in|there|have|got))\b"
    r"|n't\b|[?？]|好像|可能|也许|大概|应该|记|忘|知道|以前|小时候|曾|好了|怀疑|排除|阴|疫苗|可以用|说|等|差点|想"
    r"|怕|打算|计划|安排|明年|下个?[月周]|以后|哪来|搞错|本来|才|生的|出生|属|岁"
    r"|\b(?:used to|cured|gone|outgrew|grew out|as a (?:kid|child|baby)|mum|mom|dad|wife|husband|son|daughter)\b"
)
_GOES_ON: Final = re.compile(
    r"(?:19|20)\d\d|\d+年|[一二两三四五六七八九十几]年|去年|前年|上个?月|一直|每[天晚]|左|右|双|两[只侧]|还没取"
    r"|(?:做|装|放|切|割|拿|摘|取|得|查|患|治|喷|植)(?:出|掉)?(?:来)?(?:了|过|的)|确诊"
    r"|\b(?:yes|affirmative|since|diagnosed|years?|yrs?|ago|left|right|both|once|twice|burst|removed|fitted|put in"
    r"|taken out"
    r"|sadly|unfortunately|always|mild|bad|severe)\b"
)
"""In an answer: it goes on about what was asked."""
_OPTION: Final = re.compile(r"(?:(?<=[\s,，;；：:?？。])|^)([0-9a-h])(?:[.、):：]\s*|\s+|(?=[\u4e00-\u9fff]))")
_CHOICE: Final = re.compile(
    r"^\W*(?:选|选择|option |number )?[0-9a-h](?:(?:\s|和|及|、|,|，|&|and"
    r"|/)+[0-9a-h])*\W*(?:[(（][^()（）]*[)）]\W*)?$"
    r"|^\W*第[一二三四五六]个?\W*$"
)
_TOGETHER: Final = re.compile(r"\W*(?:[a-e]{2,4}|[1-9]{2,4})\W*")
_NUMBER: Final = re.compile(r"\d+")
_NUMBERS: Final = str.maketrans("一二三四五六", "123456")
_CHOSEN: Final = re.compile(r"[0-9a-h](?![a-z])")


def elaborated(reading: Reading, before: Question) -> Iterator[Finding]:
    """What an answer grants of what was asked about. `reading.answered` has each, as with a yes."""
    if len(reading.drawn) > _CHARS_MAX or not set(reading.people.named) <= {USER}:
        return
    chosen = _chosen(before.sentences, reading.sketch.lowered)
    asked = _asked(before.sentences[-_SENTENCES:])
    if chosen:
        yield from _granted(reading, drawn("、".join(chosen)), reading.before, each=True)
    elif any(True for _ in reading.groups("DO")):
        yield from _repeated(reading, asked)
    elif not any(True for _ in reading.groups("YR")):
        yield from _unnamed(reading, asked)


def _unnamed(reading: Reading, asked: str) -> Iterator[Finding]:
    """What an answer grants that names nothing of medicine."""
    said = reading.sketch.lowered
    if not _DENIES.search(said):
        tells = _TELLS_THAT.match(said) is not None
        known = tells and any(each.search(asked) for each in (_TAKES_FOR_KNOWN, _OF_WHAT_IS_HAD))
        whether = ASKS_WHETHER.search(asked) is not None and _ASKS_FOR_MORE.search(asked) is None
        if known or (whether and _GOES_ON.search(said)):
            yield from _granted(reading, drawn(what_asks(asked)), asked, one=not known)
            return
    if _OF_WHAT_IS_HAD.search(asked) and not (_TO_COME.search(asked) or _NOT_HAD.search(said)):
        yield from _granted(reading, drawn(what_asks(asked)), asked, possible=True)


def _asked(sentences: Sequence[str]) -> str:
    """The question that names what is asked about: the one before a question for more of the same. Empty for none.

    One for tests, vaccines or relatives does not ask whether somebody has what it names.
    """
    asking = [each for each in sentences if _ASKS.search(each) and not _OF_SOMETHING_ELSE.search(each)]
    if not asking or not _ASKS.search(sentences[-1]):
        return ""
    return asking[0] if _FOLLOWS_UP.search(sentences[-1]) else asking[-1]


def _repeated(reading: Reading, asked: str) -> Iterator[Finding]:
    """Of what was asked about what the answer names again: asthma or COPD? COPD."""
    named = set(names(drawn(asked), "DO"))
    for at, group in reading.groups("DO") if not _NEGATIVE.search(reading.drawn) else ():
        if reading.spoken_against(at) or reading.asks(reading.sketch.clause_at(at)):
            continue
        kind = DISEASE if group.letter == "D" else SURGERY
        for member in group.members:
            if member.term.name in named:
                reading.answered.add((kind, reading.name(member)))
                yield from reading.told(kind, reading.name(member), at)


def _granted(
    reading: Reading, question: Sketch, asked: str, *, one: bool = False, each: bool = False, possible: bool = False
) -> Iterator[Finding]:
    """What a question names. `one`: only if it is one thing: else nobody knows which is granted.

    `each`: of several organs too what was done to them.
    """
    kinds: Sequence[tuple[str, list[str]]] = (
        (DISEASE, names(question, "D")),
        (SURGERY, operations(question, asked, each=each)),
        (ALLERGY, names(question, "S") if reading.grammar.asks_allergy.search(asked.lower()) else []),
    )
    named = [(kind, name) for kind, each in kinds for name in each]
    numbers = _NUMBER.findall(reading.drawn)
    named = [each for each in named if any(number in each[1] for number in numbers)] or named
    for kind, name in named if len(named) == 1 or not one else ():
        if kind == ALLERGY and (one or any(True for _ in reading.groups("S"))):
            continue
        reading.answered.add((kind, name))
        yield from reading.told(kind, name, 0, possible=possible)


def _chosen(sentences: Sequence[str], said: str) -> list[str]:
    """The texts of the options that an answer names by their number or letter."""
    if not sentences or not (_CHOICE.match(said) or _TOGETHER.fullmatch(said)):
        return []
    parts = _OPTION.split(" ".join(sentences))
    if _TOGETHER.fullmatch(said):
        said = " ".join(said)
    options = dict(zip(parts[1::2], parts[2::2], strict=False))
    if len(options) < len("12"):
        return []
    return [options[each] for each in _CHOSEN.findall(said.translate(_NUMBERS)) if each in options]
