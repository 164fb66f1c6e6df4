"""Options of a question, by number or letter, and which of them an answer takes: 1 asthma 2 gout. Both."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

_SIGNS: Final = str.maketrans("①②③④⑤⑥⑦⑧⑨", "123456789")
_OPTION: Final = re.compile(r"(?:(?<=[\s,，;；：:?？。])|^)([0-9a-h])(?:[.、):：]\s*|\s+|(?=[\u4e00-\u9fff]))")
_CHOICE: Final = re.compile(
    r"^\W*(?:选|选择|option |number )?[0-9a-h](?:(?:\s|和|及|、|,|，|&|and|/)+[0-9a-h])*"
    r"\W*(?:[(（][^()（）]*[)）]\W*|[，,](?!.*(?:\bno\b|\bnot\b|maybe|没|不)).{0,12}|only\W*)?$"
    r"|^\W*第[一二三四五六]个?\W*$"
)
_TOGETHER: Final = re.compile(r"\W*(?:[a-e]{2,4}|[1-9]{2,4})\W*")
_NUMBERS: Final = str.maketrans("一二三四五六", "123456")
_CHOSEN: Final = re.compile(r"(?<![a-z0-9])[0-9a-h](?![a-z0-9])")
_ALL: Final = re.compile(
    r"^\W*(?:all (?:of (?:them|those|the above)|two|three|four|five)|(?:[两二三四五]个|全部|以上)?(?:都"
    r"|全)(?:有|是|占|中))\b"
    r"|^\W*(?:[两二三四五]个)?(?:都|全)(?:有|是|占了?|中了?)\W*$|全占了"
)
_ALL_BUT: Final = re.compile(
    r"\b(?:all|everything) (?:but|except)(?: for)? (?:number |option )?(?P<x>[0-9a-h])\b"
    r"|除了?(?:第)?(?P<x2>[0-9a-h一二三四五])[^，。]{0,4}(?:都|全)"
)
_NONE: Final = re.compile(r"\bnone\b|\bno\b|\bneither\b|\bplanned\b|\bgoing to\b|无|没有|不|准备|计划|打算")
"""In the text of an option: whoever takes it has nothing yet."""
_ORDINALS: Final = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_ORDINAL: Final = re.compile(r"^\W*(?:the )?(first|second|third|fourth)(?: one| option)?\W*$")
_FEWEST: Final = 2


def options(sentences: Sequence[str]) -> Mapping[str, str]:
    """The texts of the options that a question names, by their number or letter; none where there are not two."""
    parts = _OPTION.split(" ".join(sentences).translate(_SIGNS))
    found = dict(zip(parts[1::2], parts[2::2], strict=False))
    return found if len(found) >= _FEWEST else {}


def chosen(sentences: Sequence[str], answer: str) -> list[str]:
    """The texts of the options that an answer names by their number or letter, or takes all of, or all but some."""
    said = _ORDINAL.sub(lambda found: _ORDINALS[found[1]], answer.translate(_SIGNS))
    but, takes_all = _ALL_BUT.search(said), _ALL.search(said) is not None
    if not sentences or not (but or takes_all or _CHOICE.match(said) or _TOGETHER.fullmatch(said)):
        return []
    named = options(sentences)
    if but or takes_all:
        left_out = (but["x"] or but["x2"]).translate(_NUMBERS) if but else ""
        return [text for key, text in named.items() if key != left_out and not _NONE.search(text)]
    if _TOGETHER.fullmatch(said):
        said = " ".join(said)
    texts = (named[each] for each in _CHOSEN.findall(said.translate(_NUMBERS)) if each in named)
    return [text for text in texts if not _NONE.search(text)]
