"""The border to terminals: all that commands print goes through here, so nothing of a stranger's text is obeyed."""

import sys
from typing import Final, TextIO

from memory.visible import visible

EXIT_REFUSED: Final = 1
"""The exit status of what was asked for rightly, and refused, not done or not found sound."""
EXIT_SETUP: Final = 2
"""The exit status of what was used or set up wrongly: it would be no better the next time."""


def show(text: object, *, file: TextIO | None = None) -> None:
    """Print a line, or several, on standard output or on `file`; what a terminal would obey is shown as its escape."""
    out = sys.stdout if file is None else file
    out.write(visible(str(text)) + "\n")


def complain(text: object) -> None:
    """Tell on standard error what is wrong, in the program's name."""
    show(f"anamnesis: {text}", file=sys.stderr)


def hand_on(text: str) -> None:
    """Write data to standard output as it is; as `show` when somebody looks at it in a terminal."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)
