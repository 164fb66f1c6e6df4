"""What the console calls things: its own table, read as text."""

import re
from collections.abc import Callable

from tests.gateways import ROOT

LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}
_ROW = re.compile(r"^  (\w+): \[\s*(['\"])(.*?)\2,\s*(['\"])(.*?)\4,?\s*\],$", re.MULTILINE | re.DOTALL)
_FILE = ROOT / "console" / "src" / "lib" / "words.ts"
WORDS = {row[1]: {"en": row[3], "zh": row[5]} for row in _ROW.finditer(_FILE.read_text(encoding="utf-8"))}

Say = Callable[[str], str]


def speech(language: str) -> Say:
    """The texts of a language, by their names in the table."""
    return lambda name: WORDS[name][language]
