"""A disease that is called by what is measured: any conditions? Just the blood pressure."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.findings import DISEASE, Finding
from memory.clinical.reading import Reading

_VALUES: Final = (
    (re.compile(r"\b(?:blood pressure|bp)\b"), "high blood pressure"),
    (re.compile(r"\bcholesterol\b"), "high cholesterol"),
    (re.compile(r"血压"), "高血压"),
    (re.compile(r"血脂"), "高血脂"),
    (re.compile(r"尿酸"), "高尿酸"),
)
_MEASURED: Final = re.compile(r"\d|正常|不高|还好|\b(?:normal|fine|ok|okay|good|low)\b")
"""Said of a value: it is no disease."""


def called_by_a_value(reading: Reading) -> Iterator[Finding]:
    """A disease that is called by what is measured: any conditions? Just the blood pressure."""
    said = reading.sketch.lowered
    for value, disease in _VALUES if not _MEASURED.search(said) else ():
        for found in value.finditer(said):
            at = reading.sketch.place_of(found.start())
            if at not in reading.taken and not reading.denied(at, at + 1) and at not in reading.sketch.groups:
                yield from reading.told(DISEASE, disease, at)
