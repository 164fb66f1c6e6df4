"""What a question takes for known (since when, which side, how is your asthma?), and whether an answer denies it."""

import re
from enum import StrEnum
from typing import Final

from memory.clinical.questions import ASKS_WHETHER
from memory.language.conditions import IF_ZH

_WHEN_OR_WHICH: Final = re.compile(
    r"几型|[12]型还是[12]型|轻型还是重型|大三阳还是小三阳|全切还是|甲乙丙|哪(?:一)?(?:年|只|侧|边|型|条|种)"
    r"|几岁|多少年|几年|(?:到|第)?几期"
    r"|(?:得|患|有|做|放|装|切|剖宫产|里放)了?[^，。？?]{0,12}(?:多久|多长时间|几(?:次|个|颗|回|根|枚))"
    r"|(?:什么时候|啥时候|哪(?:一)?年)[^，。？?]{0,6}(?:诊断|确诊|发现|查出|得|做|装|放|切|换|摘|割|开始)"
    r"|(?:您|你)的?[^，。？?]{0,24}(?:什么时候|啥时候|几(?:型|年|个|颗|根|次|回)|多久|多少年|多长时间)"
    r"|[换切摘装做]的是(?:哪|什么)"
    r"|\b(?:when (?:was|were|did)|how (?:long|many|old were)|what (?:kind|type|sort|year|age|stage)|at what age"
    r"|which (?:kind|type|eye|side|knee|hip|year|of your|\w+ (?:valve|joint|organ|kidney|lung))|type 1 or type 2"
    r"|left, right or both|left or right|or just the trait)\b|\bwhich (?:\w+ ){0,3}was\b"
)
"""Asks for more of what somebody has, or had done."""
_HOW_IS_IT: Final = re.compile(
    r"(?:稳定|好(?:点|些|转)|好多|加重|复发|发作|控制)(?:了|得|些)?[^，。？?]{0,4}(?:吗|没|么|如何|怎么?样)"
    r"|(?:现在|目前|最近|近来|这阵子|平时)[^，。？?]{0,8}(?:怎么?样|如何)"
    r"|(?:近来|最近|现在|目前|还)怎么?样|有没有(?:加重|复发|发作)|还(?:有|在|犯|疼|过敏|在吃|在打|打|吃"
    r"|用)[^，。？?]{0,8}(?:吗|没|么)"
    r"|平时(?:吃|用)(?:什么|哪些|啥)药?"
    r"|\bhow(?:'s| is| are| has| have)(?: \w+){1,4}\b|\b(?:is|are|has|have) (?:your|the|it"
    r"|that) (?:[\w'-]+ ){0,6}?(?:been )?"
    r"(?:under control|controlled|well controlled|stable|settled|active|flaring|playing up|any better|any worse"
    r"|better|worse|a problem|bad|ok|okay)\b"
    r"|\bdo you (?:still|take|use|see)\b[^?]{0,30}\b(?:have|get|for)\b|^\W*still (?:on|taking|using|got|have)\b"
)
"""Asks how it is, or what is taken for it."""
_ASKS_MORE: Final = re.compile(
    r"几|哪|多少|多久|多长|什么时候|啥时候|怎么?样|如何|是[^，。？?]{1,8}还是|什么(?:药|反应|类型|阶段|情况"
    r"|过敏)|活动吗|还(?:在|用)"
    r"|\b(?:when|how|which|what|still)\b"
)
"""Asks for more of what it names."""
_EITHER: Final = re.compile(r"\b\w+ or (?!not\b|any|other|anything)\w+")
"""The same, where it is not asked whether there is any."""
_IN_GENERAL: Final = re.compile(
    r"怎么(?:治|办|预防|引起|回事|得|吃)|如何(?:治|预防|避免)|什么是|是什么(?!时候|药|型|反应)|能不能"
    r"|可以.{0,8}吗|想(?:了解|问"
    r"|咨询)|挂哪|哪个科|哪里|哪家|哪方面"
    r"|\bhow (?:do|can|should|to|would|could)\b(?! you (?:manage|treat|cope)| your)|\bwhat (?:is|are|causes?"
    r"|can|should|would)\b(?! your)"
    r"|\bwhich (?:doctor|clinic|hospital|department|day|of these|of the following|appl)|\b(?:hear|heard|know) about\b"
    r"|\b(?:clinics?|class|leaflets?|appointments?|help you|any of|following)\b|以下|下列|下面|哪些"
)
"""Asks what has nothing to do with who is asked, or names things to choose from."""
_BESIDES: Final = re.compile(
    r"除(?:了|去|开)(?P<zh>[^，。？?]{1,20}?)(?:以外|之外|外)?[，,、]"
    r"|\b(?:apart from|besides|other than|in addition to|aside from)(?: the"
    r"| your)? (?P<en>[\w' -]{3,40}?)(?=[,?]|\bare\b|\bdo\b|\bany\b|$)"
)
"""Names what is known, and asks for more of the kind."""
_TO_COME: Final = re.compile(
    rf"如果|{IF_ZH}|打算|计划|准备|预约|下次|安排|需要|能不能|可不可以|多久(?:才|能|可以)|会不会|怎么办|家里|家人|孩子"
    r"|等|排队|建议|(?:猫|狗)的|\b(?:waiting|wait|offer\w*|suggest\w*|advis\w*|recommend\w*|feel(?:ing)? about"
    r"|how (?:is|are) \w+ treated|(?:cat|dog)'s)\b"
    r"|\b(?:will|would|going to|plan\w*|schedul\w*|if you|next|due|booked|expect\w*|family|relatives?|parents?)\b"
)
"""A question for what is not there yet, or of others."""
_NOT_HAD: Final = re.compile(
    r"哪有|[看认]错|错人|干净|排掉|消失|"
    r"^\W*n\W*$|^\W*(?:0|zero)\b|零[个次]|"
    r"没(?!事|变|以前|那么|好|怎么|太)|不(?!太?清|太?记得|知道|确定|详|严重|疼|舒服|好|稳|行|太|怎么|错|犯|来|了|动|下)"
    r"|(?<!都)无|未|从来|搞错|弄错|排除|怀疑|转阴|疫苗|差点"
    r"|打算|计划|安排|明年|下个?[月周]|以后|本来|生的|出生|属|岁数|哪来|谁|痊愈|治好|[?？]"
    r"|\b(?:no(?! (?:change|worse|better|different))|none|nope|nah|never|nothing|negative|neither|nil|wrong"
    r"|mistake|ruled|planned|planning"
    r"|schedul\w*|hop\w+|next|almost|wish|instead|decided|turned|born|if|unless|smok\w*|marri\w*|driv\w*|kids|children"
    r"|pregnant|who|what|why|mum|mom|dad|wife|husband|son|daughter|brother|sister|seeing|waiting|tests?|tested|over \d+"
    r"|cured|gone|outgrew|grew out|not (?:any ?more|me|mine|had|got)|isn'?t mine)\b"
    r"|(?:n't|\bnot) (?:have|got|had|has|had it)\b|^\W*i'?m on the|\bin (?:\d+|an?|two|three|six) (?:days?|weeks?"
    r"|months?)\b|\bfrom now\b|\bweeks?'? time\b|\bbooked\b"
    r"|\b(?:normal|fine) now\b|^\W*not\b(?! (?:bad|great|good|too|so|really|well|sure"
    r"|very))|^\W*i'?m \d"
)
"""In an answer: what was taken for known is not so, or something else is spoken of."""
_ANSWERS_WHEN: Final = re.compile(
    r"^\W*(?:(?:yes|well|oh|um|about|around|for|over|nearly|almost|roughly|the (?:last|past)|in|back in|i think|like"
    r"|just|only)\W+)*"
    r"(?:since\b|(?:19|20)\d\d\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w* (?:of )?(?:19|20)?\d\d"
    r"|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|a few|a couple of"
    r"|many|several)"
    r"[ -]?(?:years?|yrs?|months?|weeks?|decades?)\b|last (?:year|month|spring|summer|autumn|winter)|years\b|ages\b"
    r"|when i was|(?:the )?(?:spring|summer|autumn|winter|year) before last\b"
    r"|(?:the )?(?:spring|summer|autumn|fall|winter|christmas|easter)(?: of)? '?(?:19|20)?\d\d\b"
    r"|(?:stage|class|grade|type) (?:\d[ab]?|i{1,3}v?|iv|[a-d])\b|[1-9][ab]\b|(?:one|two|three|four|five|six"
    r"|single|double|triple|quadruple)\b(?! (?:kids|children))"
    r"|[1-9]\d?(?: of (?:them|those))?\W*$|0\d\W*$|(?:type )?[12]\b|(?:the )?(?:left|right|both)\b)"
    r"|^\W*(?:大概|差不多|好像|快|是|有|都|得有|从|自从|第)*(?:[零〇]?[一二三四五六七八九\d]年"
    r"|[一二两俩仨三四五六\d](?:[期级](?![的])|(?:个|颗|根|次|回|枚)?(?:了|吧)?\W*$)|[俩仨]\W*$"
    r"|[一二三四五六七八九十几\d]+(?:多|来|几)?个?[年月岁](?:多|了|前"
    r"|以上)?|好[多几]年"
    r"|(?:19|20)?\d\d年|[去前]年|大前年|上个?月|[一二12]型|[左右双两](?:边|侧|眼|只|腿)?|小学|小时候|退休)"
)
"""What an answer begins with that answers when, which or how many, and not another question."""
_SAYS_HOW: Final = re.compile(
    r"老样子|^在|[又没]?发了|还(?:行|好|是|那样|可以|有|在)|差不多|好(?:点|些|多|转|一点)|厉害|加?重|稳定|控制"
    r"|正常|一样|又?犯"
    r"|发作|[吃打用滴喷]着|照[样旧吃]"
    r"|天天|每天|复诊|早上|晚上|僵|疼|痛|闷|喘|痒|比(?:以前|去年|上)|一天[一二两三四五\d]"
    r"|\b(?:worse|better|same|stable|settled|quiet|flar\w*|bad|under control|controlled|still|mostly|big time"
    r"|daily|every"
    r"|on the|stiff|painful|pain|aches?|fits?|attacks?|pressures?|drops|jabs?|injections?|\d+ ?mg|\d+ (?:a"
    r"|times)|up and down|so[- ]so"
    r"|playing up|behaving|awful|terrible|not (?:bad|great|good|too bad|so good))\b"
)
"""Says how something is: it is there."""
_ALSO: Final = re.compile(r"还有[^，。？?]{0,8}[吗么]")
_SO_SO: Final = re.compile(r"\W*(?:还(?:行|好|可以)|控制|一般)")
"""Says that somebody is well, where it may be asked whether there is something else."""
_ALONE_OR_TOO: Final = re.compile(
    r"就(?:这|那|它)(?:一?个)?|只有|没别的|没(?:有)?其他|也(?:不|过敏|有|是)|还有|\b(?:just|only) (?:that"
    r"|the one|this)\b|\bthat'?s (?:it|all)\b"
    r"|\b(?:too|also|as well)\b"
)
_DENIES_IT: Final = re.compile(
    r"弄错|搞错|写错|没有这|不过敏|\bnot allergic\b|\bwrong\b|\bmistake\b|\bdon'?t have (?:it|that)\b|\bwho said\b"
)
_PARTS: Final = re.compile(r"[，,；;。]|\.\s")
_HAD: Final = re.compile(
    r"(?:您|你)[^，。]{0,4}?(?:有|得|患|做|装|放|换|说|提|切|的)|[得患做装放切换摘割]过|[?？]$"
    r"|\byou(?:r| have| had| told"
    r"| mentioned| said|'ve)\b"
)
_WORDS: Final = re.compile(r"[\u4e00-\u9fff]|[a-z0-9α-ω]+")
_SAY_NOTHING: Final = frozenset("的了是有在我还就也") | {
    *("a", "an", "the", "it", "i", "my", "is", "was", "in", "on", "of", "and", "to", "that", "your", "you", "have"),
    *(
        "with",
        "how",
        "what",
        "which",
        "who",
        "why",
        "when",
        "where",
        "do",
        "did",
        "are",
        "any",
        *"您你什么怎几多哪问这那",
    ),
}
"""Words with which an answer picks nothing from its question."""


class Known(StrEnum):
    """How surely an answer leaves what a question takes for known as it is."""

    SURE = "sure"
    POSSIBLE = "possible"
    NO = "no"


def takes_for_known(asked: str, said: str) -> Known:
    """Whether a question takes what it names for known, and its answer does not deny it. Both in lower case."""
    narrow = _WHEN_OR_WHICH.search(asked) is not None
    is_how = _HOW_IS_IT.search(asked) is not None
    also = _ALSO.search(asked) is not None and _SO_SO.match(said) is not None
    if also or _TO_COME.search(asked) or not (narrow or is_how or asks_for_more(asked)) or _NOT_HAD.search(said):
        return Known.NO
    answers = (narrow and _ANSWERS_WHEN.match(said)) or (is_how and _SAYS_HOW.search(said)) or _picks(said, asked)
    return Known.SURE if answers else Known.POSSIBLE


def asks_for_more(asked: str) -> bool:
    """Whether a question asks for more of something, which nobody asks who does not take it for known."""
    if _IN_GENERAL.search(asked):
        return False
    return _ASKS_MORE.search(asked) is not None or (
        _EITHER.search(asked) is not None and ASKS_WHETHER.search(asked) is None
    )


def _picks(said: str, asked: str) -> bool:
    """Whether an answer begins with a word of the question: permanent or does it come and go? Comes and goes."""
    first = next((each for each in _WORDS.findall(said) if each not in _SAY_NOTHING), "")
    words = _WORDS.findall(asked)
    return bool(first) and any(each == first or (first[:-1] == each and first[-1] == "s") for each in words)


def what_is_known(asked: str) -> str:
    """The parts of a question that ask for more, and those that say what somebody has (您有哮喘，现在吃什么药).

    What else it says is an opinion: 考虑是胃炎，大便一天几次.
    """
    parts = [part for part in _PARTS.split(asked) if part.strip()]
    cues = (_WHEN_OR_WHICH, _HOW_IS_IT, _ASKS_MORE, _EITHER, _HAD)
    return "，".join(part for part in parts if any(cue.search(part) for cue in cues)) if len(parts) > 1 else asked


def named_beside(asked: str, said: str) -> tuple[str, Known]:
    """What a question names beside what it asks for (apart from penicillin), and whether the answer leaves it so."""
    found = _BESIDES.search(asked)
    if found is None or _DENIES_IT.search(said):
        return "", Known.NO
    return found["zh"] or found["en"], Known.SURE if _ALONE_OR_TOO.search(said) else Known.POSSIBLE


def asks_how_it_is(asked: str) -> bool:
    """Whether it is asked how something is: complaints are an answer then."""
    return _HOW_IS_IT.search(asked) is not None
