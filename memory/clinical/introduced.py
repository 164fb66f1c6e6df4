"""Who says whose relative they are writes for that one: 我是陈先生的女儿, it's Leo's mum again."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_SAID: Final = re.compile(
    r"我(?:就|也)?是(?P<zh>[\u4e00-\u9fff]{1,4}?)的?"
    r"(?P<zh_kin>女儿|儿子|闺女|老婆|妻子|太太|老公|丈夫|爱人|妈妈?|母亲|爸爸?|父亲|家长|孙子|孙女|儿媳妇?"
    r"|女婿)(?![\u4e00-\u9fff]{0,2}[店家公])"
    r"|\b(?:i'?m|i am|it'?s|this is|here is)(?: just)? (?P<en>his|her|their|the (?:patient|boy|girl|child)'?s?"
    r"|(?!my|our|your|the|an?\b)(?:mrs? |ms |old )?(?!(?:as|his|this|was|has|its|always|plus|just)\b)[a-z]{2,}'?s)"
    r" (?P<en_kin>mum|mom|mother|dad|father|parent|daughter|son|wife|husband)\b"
)
_HE: Final = re.compile(r"他|先生|[大老]?爷|叔|伯|\b(?:he|his|him|mr|boy)\b")
_SHE: Final = re.compile(r"她|女士|太太|阿姨|奶奶|婆|\b(?:she|her|hers|mrs|ms|girl)\b")
_OF_THE_SPEAKER: Final = re.compile(r"[我你您咱]|家里|独生|第|这|那|一个|两个|三个")
"""No name before a word for a relative."""
_ABOUT_MAX: Final = 60
"""Letters behind it in which he or she says which."""
_INVERSE: Final = {
    "女儿": ("我爸", "我妈", "家人"),
    "老婆": ("我老公", "我老公", "我老公"),
    "老公": ("我老婆", "我老婆", "我老婆"),
    "爱人": ("我老公", "我老婆", "我爱人"),
    "妈": ("孩子", "孩子", "孩子"),
    "孙子": ("我爷爷", "我奶奶", "家人"),
    "儿媳": ("我公公", "我婆婆", "家人"),
    "女婿": ("我岳父", "我岳母", "家人"),
    "mum": ("my son", "my daughter", "my child"),
    "daughter": ("my dad", "my mum", "my parent"),
    "wife": ("my husband", "my husband", "my husband"),
    "husband": ("my wife", "my wife", "my wife"),
}
"""Of each who may say so: the one who is spoken of, if a man, if a woman, and if nothing says which."""
_LIKE: Final = {
    **dict.fromkeys(("儿子", "闺女"), "女儿"),
    **dict.fromkeys(("妻子", "太太"), "老婆"),
    "丈夫": "老公",
    **dict.fromkeys(("妈妈", "母亲", "爸", "爸爸", "父亲", "家长"), "妈"),
    "孙女": "孙子",
    "儿媳妇": "儿媳",
    **dict.fromkeys(("mom", "mother", "dad", "father", "parent"), "mum"),
    "son": "daughter",
}


class Introduced(NamedTuple):
    """Where it is said, and who is spoken of from there on."""

    start: int
    end: int
    relative: str


def introduced(lowered: str) -> Iterator[Introduced]:
    """Each place where the speaker says whose relative they are. `lowered`: a text in small letters."""
    for found in _SAID.finditer(lowered):
        whose = found["zh"] or found["en"]
        if _OF_THE_SPEAKER.search(whose):
            continue
        kin = found["zh_kin"] or found["en_kin"]
        man, woman, either = _INVERSE[_LIKE.get(kin, kin)]
        rest = lowered[found.end() : found.end() + _ABOUT_MAX]
        signs = (_HE.search(whose), _SHE.search(whose))
        if signs == (None, None):
            signs = _first_of(_HE.search(rest), _SHE.search(rest))
        yield Introduced(*found.span(), man if signs[0] else woman if signs[1] else either)


def _first_of(
    one: re.Match[str] | None, other: re.Match[str] | None
) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    if one and other:
        return (one, None) if one.start() < other.start() else (None, other)
    return one, other
