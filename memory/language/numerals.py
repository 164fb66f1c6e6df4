"""Words that are numbers, in Chinese and English: what dates, labels and guards count with."""

from collections.abc import Mapping
from typing import Final

CHINESE_DIGITS: Final[Mapping[str, int]] = {sign: n for n, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
ENGLISH_NUMBERS: Final[Mapping[str, int]] = {
    word: n
    for n, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
        )
    )
}
_CHINESE_UNITS: Final = {"十": 10, "百": 100, "千": 1000}


def chinese_number(text: str) -> int:
    """A number below 10,000 in digits or Chinese numerals, also read digit by digit: 十五, 二百零三, 二〇二三.

    Raises KeyError for other characters.
    """
    if text.isdigit() and text.isascii():
        return int(text)
    if _CHINESE_UNITS.keys().isdisjoint(text):
        return int("".join(str(CHINESE_DIGITS[char]) for char in text))
    total = last = 0
    for char in text:
        if unit := _CHINESE_UNITS.get(char):
            total, last = total + (last or 1) * unit, 0
        else:
            last = CHINESE_DIGITS[char]
    return total + last
