"""What config.yaml says of each setting: the one place where these words stand."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gateway.config.sources import default_text

_SETTING: Final = re.compile(r"^  (\w+): (.*?)\s+# (.*)$")


class Line(NamedTuple):
    """One setting: its default as it is written there, and what it is for."""

    section: str
    key: str
    default: str
    why: str


def lines() -> Iterator[Line]:
    """All of them, in their order."""
    section = ""
    for line in default_text().splitlines():
        if line.endswith(":") and not line.startswith((" ", "#")):
            section = line[:-1]
        elif match := _SETTING.match(line):
            yield Line(section, *match.groups())
