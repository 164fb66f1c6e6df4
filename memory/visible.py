"""Texts of strangers where people look at them: in a terminal, a log, a drawing."""

import re
from typing import Final

_HIDDEN: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f"  # C0 but tab and line end, DEL, C1: a terminal obeys them
    "\u2028\u2029\u202a-\u202e\u2066-\u2069"  # line ends that look like none, and what turns the order of letters round
    "\ud800-\udfff]"  # halves of a character, which no terminal can be sent
)


def visible(text: str) -> str:
    r"""The text with every character that is obeyed instead of shown as its escape, e.g. `\u001b`.

    Within strings of JSON that is the same character, so JSON stays the JSON that it was. Line ends and tabs stay.
    """
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def visible_line(text: str) -> str:
    """As `visible`, in one line."""
    return visible(text).replace("\n", "\\n").replace("\t", " ")
