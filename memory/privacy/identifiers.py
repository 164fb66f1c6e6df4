"""Where a text names identifiers of people: e-mail, phone and card numbers, identity papers, addresses, names.

Pure rules, Chinese and English, so that a deployment can mask or keep private what was said without asking a
model. A number counts if its shape and check digits say so, or if a word before it does; names and addresses
only after such words, so most of those in free text are not found.
"""

import re
import unicodedata
from typing import Final, NamedTuple

from memory.privacy.identifier_rules import RULES

_ASCII_LIKE: Final = (
    (0xA0, 0xC0),
    (0x2000, 0x20A0),
    (0x2460, 0x249C),
    (0xFE50, 0xFE70),
    (0xFF01, 0xFF5F),
    (0x1D400, 0x1D800),
)
_KEPT: Final = "，！？；"


def _folding() -> dict[int, str]:
    """What NFKC makes one ASCII character, plus the hyphens and the spaces without width."""
    table = {}
    for first, last in _ASCII_LIKE:
        for code in range(first, last):
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and plain.isascii() and chr(code) not in _KEPT:
                table[code] = plain
    table |= dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-")
    return table | dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u3000\t"), " ")


_FOLDING: Final = _folding()
_DIGITS: Final = re.compile(r"(?:[0-9][^0-9]{0,3}){5}")


class IdentifierSpan(NamedTuple):
    """`text[start:end]` is an identifier of this kind.

    Kinds: email, url, mobile (Chinese), landline (Chinese), phone (any other), id_card (Chinese), passport, card,
    iban, ssn, ip, plate (Chinese), birth, account (of a messenger, a bank, a clinic ...), name, address.
    """

    start: int
    end: int
    kind: str


def find_identifiers(text: str) -> list[IdentifierSpan]:
    """All identifiers, left to right, none over another; places are those of the text as given.

    Full-width digits, other digits that NFKC makes plain, and numbers with spaces or hyphens are found too.
    """
    folded = text if text.isascii() else text.translate(_FOLDING)
    lower = folded.lower()
    digits = _DIGITS.search(folded) is not None
    found: list[IdentifierSpan] = []
    taken = bytearray(len(folded))
    for rule in RULES:
        if (rule.digits and not digits) or (rule.words and not any(word in lower for word in rule.words)):
            continue
        for match in rule.pattern.finditer(folded):
            start, end = match.span(rule.group)
            if rule.check is not None and not rule.check(folded[start:end]):
                continue
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\x01" * (end - start)
                found.append(IdentifierSpan(start, end, rule.kind))
    found.sort()
    return found
