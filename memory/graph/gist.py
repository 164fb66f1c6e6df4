"""What a label comes to, whatever it is called and in whatever order it is said: 拔智齿 as 智齿拔除. Pure.

A label may be read in several ways: by the longest names in it, by shorter ones, with other names for a thing in it.
Two labels that have a reading in common may be one thing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Final, NamedTuple

import rjieba

from memory.clinical.languages import in_use
from memory.clinical.lexicon import Lexicon
from memory.graph.everyday import Things, Unit, things
from memory.graph.tokens import is_small, prepared, tokens
from memory.graph.wording import HAN

Gist = tuple[str, ...]
"""What a label names, in the order of the letters."""
_NOTED: Final = re.compile(
    r" ?[(（](?![a-z甲乙丙丁][)）])(?![^()（）]*(?:排除|否认|疑似|ruled out|爸|妈|父|母|兄|弟|姐|妹|mother"
    r"|father|brother|sister))"
    r"[^()（）\d一二三四五六七八九十不没无未非+<>=$€£¥-]{2,24}[)）]",
    re.IGNORECASE,
)
"""What a label says in brackets beside its name, and does not count or deny."""
_BETWEEN: Final = re.compile(r"(?<=[^\W\d_]{2})[-\u2010\u2011](?=[^\W\d_]{2})")
"""A hyphen between two words: a label is read as one word there, and as two."""
_UNITS_MAX: Final = 6
"""Things of a label: longer ones are sentences, which are not compared so."""
_INITIALS: Final = range(2, 5)
"""Words of which the first letters are taken."""
_CHARS_MAX: Final = 200
"""Letters of a label: a longer one is a sentence."""
_WORDS_MAX: Final = 32
"""Words of a label, Chinese ones by their characters: a longer one is a sentence."""
_READINGS_MAX: Final = 24


class Readings(NamedTuple):
    """Of a label: all of it, and what it may be called in short."""

    whole: frozenset[Gist]
    short: frozenset[Gist]


def gists(label: str) -> frozenset[Gist]:
    """All readings of a label; none of a sentence. Labels that come to one have one in common."""
    read = _read(label)
    return read.whole | read.short


def come_to_one(one: str, other: str) -> bool:
    """Whether two labels have a reading in common, not both in short.

    A bat (animal) is no bat (cricket), though either may be a bat; nor are Dr. Allan and Dr. Allen one D. A.
    """
    a, b = _read(one), _read(other)
    return not (a.whole.isdisjoint(b.whole | b.short) and a.short.isdisjoint(b.whole))


def _read(label: str) -> Readings:
    return _readings_of(label, in_use().lexicon)


@lru_cache(maxsize=2_000)
def _readings_of(label: str, _in_use: Lexicon) -> Readings:
    """In short: without what stands in brackets, and with the first letters of some Latin words."""
    if len(label) > _CHARS_MAX:
        return Readings(frozenset(), frozenset())
    name = _NOTED.sub("", label).strip()
    words = [each.word for each in tokens(prepared(label))]
    if len(words) > _WORDS_MAX:
        return Readings(frozenset(), frozenset())
    initials = (tuple(sorted({*each})) for each in _by_initials(things(), words) if len(each) <= _UNITS_MAX)
    noteless = _gists(name) if name not in {"", label} else frozenset[Gist]()
    return Readings(_gists(label), noteless | frozenset(islice(initials, _READINGS_MAX)))


def _gists(label: str) -> frozenset[Gist]:
    apart = _BETWEEN.sub(" ", label)
    return _gists_of(label) | (_gists_of(apart) if apart != label else frozenset())


def _gists_of(label: str) -> frozenset[Gist]:
    text, known = prepared(label), things()
    found = tokens(text)
    words = [each.word for each in found]
    coarse = known.units(text, found)
    readings = set[Gist]()
    for reading in _readings(known, words, coarse):
        if reading and len(reading) <= _UNITS_MAX:
            readings.add(tuple(sorted(set(reading))))
        if len(readings) == _READINGS_MAX:
            break
    return frozenset(readings)


def _readings(known: Things, words: Sequence[str], coarse: Sequence[Unit]) -> Iterator[list[str]]:
    yield _said(words, coarse)
    yield _said(words, known.named(words))
    yield _said(words, list(_finer(known, words, coarse)))
    for place, unit in enumerate(coarse):
        rest = [*_said(words, coarse[:place]), *_said(words, coarse[place + 1 :])]
        for name in known.names_of(unit.thing):
            if name != words[unit.first : unit.end] and len(name) > 1:
                yield [*rest, *_fine(known, name)]


def _by_initials(known: Things, words: Sequence[str]) -> Iterator[list[str]]:
    """Some Latin words behind each other by their first letters: a homeowners association's meeting as an HOA's."""
    for length in _INITIALS:
        for first in range(len(words) - length + 1):
            run = words[first : first + length]
            if all(word.isascii() and word.isalpha() for word in run):
                letters = "".join(word[0] for word in run)
                rest = [*words[:first], *words[first + length :]]
                yield [letters, *_said(rest, known.named(rest))]


def _finer(known: Things, words: Sequence[str], coarse: Sequence[Unit]) -> Iterator[Unit]:
    for unit in coarse:
        if unit.end - unit.first == 1:
            yield unit
        else:
            for part in _parts(known, words[unit.first : unit.end]) or [
                unit._replace(first=0, end=unit.end - unit.first)
            ]:
                yield Unit(part.thing, unit.first + part.first, unit.first + part.end)


def _fine(known: Things, name: Sequence[str]) -> list[str]:
    return _said(name, _parts(known, name))


def _parts(known: Things, name: Sequence[str]) -> list[Unit]:
    """The shorter names in a name; none where they are its characters alone: 牛奶 is no 奶牛."""
    parts = known.named(name, less_than=len(name))
    if HAN.match(name[0]) and all(part.end - part.first == 1 for part in parts):
        return []
    return parts


def _said(words: Sequence[str], units: Sequence[Unit]) -> list[str]:
    """The things of a reading, without small words; Chinese characters that name nothing by the words they make."""
    found = list[str]()
    for is_left, run in groupby(units, lambda unit: _is_left(words, unit)):
        if is_left:
            found += rjieba.cut("".join(unit.thing for unit in run))
        else:
            found += (unit.thing for unit in run)
    return [each for each in found if not is_small(each)]


def _is_left(words: Sequence[str], unit: Unit) -> bool:
    return unit.end - unit.first == 1 and unit.thing == words[unit.first] and HAN.match(unit.thing) is not None
