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


def without_fenced(text: str) -> str:
    """A text without what contexts put into it that were pasted there: it is not said again."""
    return _FENCED.sub("", text) if any(fence.open in text for fence in _ALL) else text


def has_fence(text: str) -> bool:
    """Whether a text brings a fence, open or closed."""
    return any(fence.open in text or fence.close in text for fence in _ALL)


def on_a_line(text: str) -> str:
    """A text on one line, with no fence in it."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
