"""What a context shows a model as data stands between fences: no text may bring its own, and none is told again."""

import re
from typing import Final, NamedTuple


class Fence(NamedTuple):
    """What stands before and behind."""

    open: str
    close: str


RECALLED: Final = Fence("<recalled_memories>", "</recalled_memories>")
CORE: Final = Fence("<core_memories>", "</core_memories>")
TOOLS: Final = Fence("<tool_results>", "</tool_results>")
_ALL: Final = (RECALLED, CORE, TOOLS)
_FENCED: Final = re.compile(
    "|".join(rf"{re.escape(fence.open)}.*?(?:{re.escape(fence.close)}|\Z)" for fence in _ALL), re.DOTALL
)

_LINE: Final = re.compile(r"^\s*(?:- )?\[[0-9]{4}-[0-9]{2}-[0-9]{2}\] ", re.MULTILINE)
"""The beginning of a memory's line (memory/retrieval/render.py); its end may be cut off."""


def without_fenced(text: str) -> str:
    """A text without what contexts put into it that were pasted there: it is not said again."""
    return _FENCED.sub("", text) if any(fence.open in text for fence in _ALL) else text


def is_shown(text: str) -> bool:
    """Whether a text is what a context shows: it has a fence, open or closed, or the line of a memory."""
    fenced = any(fence.open in text or fence.close in text for fence in _ALL)
    return fenced or _LINE.search(text) is not None


def on_a_line(text: str) -> str:
    """A text on one line, with no fence in it."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
