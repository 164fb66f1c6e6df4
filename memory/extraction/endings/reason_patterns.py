"""How people say that something is so no longer, of what is named: in clauses in which it and the rest have signs."""

import re
from typing import Final

_I: Final = re.IGNORECASE
IT: Final = "\uf000"
"""Where the thing is named, in a text as it is read here."""
LASTING: Final = "\uf001"
"""Another lasting disease."""
ELSE: Final = "\uf002"
"""Anything else of medicine."""


def _pattern(source: str) -> re.Pattern[str]:
    """`@`: the thing; `#`: another lasting disease; `~`: a letter of its clause that names nothing else.

    `&`: one before which no other clause is joined on; `%`: nor a negation.
    """
    return re.compile(
        source.replace("~", f"[^，。！？,.;!?{LASTING}{ELSE}]")
        .replace("&", rf"(?:(?!\b(?:and|but|though)\b)[^，,.;!?{LASTING}{ELSE}])")
        .replace("%", rf"(?:(?!\b(?:and|but|not|never)\b|n't)[^，,.;!?{LASTING}{ELSE}])")
        .replace("@", IT)
        .replace("#", LASTING),
        _I,
    )


_DOCTOR: Final = (
    r"(?<![跟和对向给问])(?<!告诉)(?:医生|大夫|专家|主任|门诊|科)[^，。！？]{0,8}(?:说|确认|告诉|诊断|看过|判断"
    r"|明确|认为|查过)"
    r"(?!要|让|需|先|可能|也许|还|得|最好|下次|如果)(?:了|过)?[，：]?说?"
)
_DOCTOR_EN: Final = (
    r"(?<!told )(?<!asked )(?<!told the )(?<!told my )(?<!asked the )(?<!asked my )"
    r"\b(?:doctors?|allergists?|specialists?|consultants?|gps?|\w+ologists?|clinic|hospital|dr|they)\b%{0,24}"
    r"\b(?:says?|said|told me|confirmed|tested me|thinks|decided|called it)\b(?: and|[，,])?"
)
OF_IT: Final = (
    _pattern(r"@(?:(?![没不未无])~){0,8}(?:治好|治愈|痊愈|逆转|转阴|根除|误诊|排除|划掉|阴性|纠正)"),
    _pattern(
        r"@(?:过敏|病|已经|早|都|也|就|全|完全|现在|后来|自己|终于|基本|[前昨今][天晚早]){0,4}(?:没了|没有了|消失|好了(?![点些])|消了|退了|排(?:出来|出|掉)了|愈合)"
    ),
    _pattern(r"\bno more @(?! (?:attacks?|episodes?|flare|symptoms?))"),
    _pattern(r"(?:排除|误诊|治好|治愈|划掉|否定)(?:成|为|掉)?了?(?:(?![没不未无])~){0,4}@"),
    _pattern(r"@[^。！？]{0,16}不~{0,3}过敏了|不~{0,4}@~{0,3}过敏了|没有?~{0,3}@~{0,3}过敏了"),
    _pattern(r"@~{0,4}(?:可以|能)(?:正常|放心)?[吃用打碰喝]了|(?:可以|能)(?:正常|放心)?[吃用打碰喝]@了"),
    _pattern(_DOCTOR + r"(?:(?![不没未无])~){0,8}(?:没有?(?!排除)|不(?!能|确定|知道|一定|排除)|并非|排除|误诊)~{0,6}@"),
    _pattern(_DOCTOR + r"~{0,8}@~{0,4}(?:不(?!能|确定|知道|一定|排除)|没(?!排除))"),
    _pattern(r"\btests?\b[^.;!?]{0,30}(?:\bnot\b|n't)(?:(?!rule|exclude)[^.;!?]){0,12}@"),
    _pattern(
        r"\b(?:s?he|they) (?:says?|said|told me)\b[^.;!?]{0,8}\b(?:it|that)?(?:'s| is|is)?(?:n't"
        r"| not)\b[^.;!?]{0,16}@[^.;!?]{0,12}[,;] (?:it's|it is|but)[^.;!?]{0,24}(?:#|dysfunction|syndrome|disorder)"
    ),
    _pattern(r"(?:镜|超|ct|片|查|检|验|拍)~{0,4}[，,](?:根本|并|压根)?没有@(?=$|[，,](?:就|只|而)?是)"),
    _pattern(r"(?:说|查|诊|结果|原来|其实)[^。]{0,8}不是@[，,]就是[^，。]{0,6}#"),
    _pattern(
        r"\b(?:they|clinic|hospital|doctor|allergist|specialist|nurse)\b[^.;!?]{0,40}\btested me\b[^.;!?]{0,30}"
        r"(?:\bnot\b|n't)[^.;!?]{0,16}@"
    ),
    _pattern(r"不是~{0,4}@~{0,4}[，,](?:而|原来|其实)?是[^，。]{0,6}#"),
    _pattern(
        r"(?:^|，)(?:原来|其实|结果|最后|查出来|确诊|诊断|医生|大夫|专家|主任|[^，]{0,3}说){0,2}(?:我|这|就|的){0,2}是"
        r"(?:#|[^，。！？怕担主要为看]{2,10}(?:障碍|综合征))[，,](?:而|并|才)?(?:不|并非)是@(?![犯发引导的药闹又])"
    ),
    _pattern(
        r"@%{0,24}\b(?:gone|disappeared|cured|sorted|resolved|reversed|ruled out|misdiagnosed|remission|negative)\b"
    ),
    _pattern(
        r"\b(?:cured of|free of|rid of|outgr\w+|gr[eo]wn? out of|rul(?:ed|ing) out|misdiagnosed with"
        r"|wrongly diagnosed with|cleared of|desensiti[sz]ed to|no longer)\b%{0,24}@"
    ),
    _pattern(r"\brul(?:ed|ing)%{0,6}@%{0,6}\bout\b|\b(?:took|taken|removed|struck)\b%{0,12}@%{0,12}\b(?:off|from)\b"),
    _pattern(r"(?:\bnot?\b|n't)%{0,30}@%{0,12}\b(?:any ?more|any longer|after all)\b"),
    _pattern(r"\bturn(?:s|ed) out\b~{0,12}(?:\bnot\b|n't|\bnever\b)%{0,16}@"),
    _pattern(r"\bcan (?:eat|have|take|drink|use)%{0,12}@%{0,3} (?:again|normally|safely|freely)\b"),
    _pattern(_DOCTOR_EN + r"&{0,24}(?:\bnot?\b|n't|\bnever\b)%{0,24}@"),
    _pattern(_DOCTOR_EN + r"%{0,12}@%{0,8} off\b"),
    _pattern(r"(?:\bnot\b|n't)%{0,16}@[，,;.]? ?(?:but |it'?s |it is |it was |rather )%{0,16}#"),
    _pattern(
        r"\b(?:it'?s|it is|it was|i'?ve got|i have)\b (?:(?!my\b|not\b)[\w-]+ ){0,3}?"
        r"(?:#|\w+ (?:dysfunction|syndrome|disorder))[，,;.:]? ?(?:and |so )?(?:it'?s |it is )? ?not "
        r"(?:an? |actually |really |type )*@(?! (?:that|which|play|act|again)|,? though)"
    ),
    _pattern(
        r"\b(?:changed|revised|new|final|right|real|actual)\b[^.;!?]{0,12}\bdiagnosis[^.;!?]{0,12}?[:,，]{0,2} ?#"
        r"[,，]? ?not (?:an? |the )?@"
    ),
    _pattern(r"\bde-?label\w*\b[^.!?]{0,40}@|\bnegative for%{0,6}@"),
)
"""Said of it where it is named: that it passed, that it is borne, what a doctor says, what it is instead."""
BORNE: Final = (
    _pattern(
        r"[吃打用喝碰试](?:了|过)(?:@|[一二两三四五六几半好些点个片口次颗杯回块针瓶多很完它，都也后之]){0,8}"
        r"(?:啥|什么|任何|完全)?没有?(?:任何)?(?:事|反应|问题)"
    ),
    _pattern(
        r"\b(?:ate|eaten|had|tried|took|taken|gave me|given)\b%{0,12}(?:@|\b(?:it|them|one|two|three|some|few)\b)"
        rf"[^;!?{LASTING}{ELSE}]{{0,40}}\b(?:fine|no (?:reaction|problem)|nothing happened"
        r"|without (?:an? |any )?(?:reaction|problem))\b"
    ),
)
"""That it was eaten, and nothing came of it: in a few clauses about it."""
FINE: Final = (
    _pattern(
        r"@~{0,4}?(?:那[项个条]|这[项个条])?(?:完全|根本|压根|其实|一点儿?|啥)?(?:都|也)?没(?:有)?(?:事|反应|问题)"
    ),
    _pattern(r"\b(?:fine|ok(?:ay)?) with @"),
    _pattern(r"[跟和与]@(?:完全|根本|一点儿?|真的?)?(?:都|也)?(?:没|无)关系"),
    _pattern(
        r"@%{0,6}\b(?:was|were|is|are|came (?:back|out|up))\b%{0,12}\b(?:fine|clear|ok(?:ay)?|negative|nothing)\b"
    ),
)
