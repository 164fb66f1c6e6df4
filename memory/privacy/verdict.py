"""What the privacy gate answers, and what its two languages share."""

import re
from typing import Final, Literal, NamedTuple

PRIVATE: Final = "PRIVATE"
PUBLIC: Final = "PUBLIC"

# Enough to know that an identifier is there; finding where it begins and ends is another module's work.
_IDENTIFIER: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2}|(?<!\d)1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)|"
    r"(?<![\dA-Za-z])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dXx](?![\dA-Za-z])|"
    r"(?<!\d)(?:\+?1[ -])?\(?\d{3}\)?[ -]\d{3}[- ]\d{4}(?!\d)|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)"
)


class Verdict(NamedTuple):
    """Whether a text is worth remembering about its user, and the rule and clause that decided."""

    label: Literal["PRIVATE", "PUBLIC"]
    reason: str


def identifier_in(text: str) -> str:
    """The first e-mail address, mobile or id number of a text, or nothing."""
    found = _IDENTIFIER.search(text)
    return found.group() if found else ""
