"""How much somebody likes a thing, and under which condition, in English."""

import re
from typing import Final

_LIKES: Final = r"(?:like|love|enjoy|adore|hate|dislike|prefer|can'?t stand)"
DEGREE: Final = (
    re.compile(
        r"\b(?P<degree>really|absolutely|totally|particularly|especially|quite|truly|genuinely|rather|kind of|kinda"
        rf"|sort of) {_LIKES}\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_LIKES}\b[^,.;]{{1,40}}? (?P<degree>very much|so much|a lot|a little|a bit|the most)\s*$", re.IGNORECASE
    ),
    re.compile(r"\b(?P<degree>favou?rite)\b", re.IGNORECASE),
)
CONDITION: Final = (
    re.compile(
        r"\b(?P<condition>(?:only )?(?:when(?:ever)?|if|unless|as long as) [^,.;]{2,40}?)"
        rf"(?=,|\s*$| (?:i|we) (?:\w+ )?{_LIKES}\b)",
        re.IGNORECASE,
    ),
)
