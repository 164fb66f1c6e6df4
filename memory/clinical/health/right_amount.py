"""An amount that is put right in the breath that told it: 糖化7.8%，不对，是8.7%; 20 mg, no sorry, 40."""

import re
from typing import Final

_UNIT: Final = r"(?:\s?(?:mg|mcg|g|ml|units?|puffs?|tablets?|%|度|℃|毫克|微克|克|毫升|片|粒|个?单位|u)(?![a-z]))?"
_AMOUNT: Final = rf"(?P<x>\d{{1,3}}(?:[./点]\d{{1,3}}(?:/\d{{2,3}})?)?{_UNIT})(?![\d:：年月号岁天次])"
_ZH: Final = re.compile(
    r"[^。，,.;；\d\n]{0,5}[。，,.;；\s—–-]*(?:[哦噢呃啊嗯哎等诶]|等等|等下|那个)*[，,、\s]*"
    r"(?:不对|不是(?=[，,、\s])|说错了?|记错了?|看错了?|看反了|写错了?|打错了?|错了|口误|更正|应该是)[，,。:：、\s]*"
    rf"(?:我|应该|其实|刚才|刚刚|看错了|记错了|是|为|:|：|，|\s)*{_AMOUNT}"
)
_EN: Final = re.compile(
    r"[^.,;\d\n]{0,8}[.,;\s—–-]*(?:oh |er+m?,? |um,? |ah |hmm,? )?(?:no,? wait|wait,? no|no,? sorry|sorry|i mean"
    r"|i meant|correction|actually|make that|scratch that|no)\b[,.:\s—–-]*"
    r"(?:(?:no|it'?s|it was|that'?s|i mean|i meant|sorry|actually|make that|should be|it should be|is)\b[,:\s]*)*"
    rf"{_AMOUNT}"
)


def right_amount(drawn: str, end: int) -> tuple[int, int] | None:
    """Where the amount stands that is right, if one that ends here is put right behind it; places of a drawing."""
    found = _ZH.match(drawn, end) or _EN.match(drawn, end)
    return found.span("x") if found else None
