"""A text with its words of medicine drawn as one letter each, so that grammar can be written about them.

`我对青霉素和头孢过敏` is drawn `我对S过敏`: S stands for a list of substances, and knows them. The letters are from
Unicode's private use area; `pattern` names them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from memory.clinical.lexicon import Lexicon, Mention
from memory.language.apostrophes import STRAIGHT, Spelled, spelled
from memory.language.words import listed

LETTERS: Final = {
    "S": "\ue000",  # substances: drugs, classes of drugs, allergens
    "D": "\ue001",  # diseases
    "O": "\ue002",  # operations
    "V": "\ue003",  # devices
    "G": "\ue004",  # organs
    "R": "\ue005",  # what a body does
    "Y": "\ue006",  # symptoms
    "T": "\ue008",  # tests
    "I": "\ue007",  # idioms: words of medicine that mean something else
}
_FAMILY: Final = {
    "drug": "S", "allergen": "S", "disease": "D", "operation": "O", "device": "V", "organ": "G", "reaction": "R",
    "symptom": "Y", "test": "T", "idiom": "I",
}  # fmt: skip
_LISTED: Final = re.compile(
    r"[\s,，、/+&()（）“”\"'‘’|]*"
    r"(?:(?:sorry|oh|wait|ah|um+|erm?)[\s,]+(?=(?:and|plus)\b))?"
    r"(?:(?:和|或者?|及|与|跟|以及|还有|同|，?也?还?有|and also(?: to)?|and,? sorry|and|n(?=\s)|or|plus|as well as)"
    r"[\s,，、]*)?"
)
_GAP_MAX: Final = 14
_WIDE: Final = {ord("　"): " ", **STRAIGHT} | {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "，；！？（）："
}
_SIMPLIFIED: Final = {ord(pair[0]): pair[1] for pair in listed("zh", "traditional")}
_PLAIN: Final = _WIDE | _SIMPLIFIED | {ord(letter): " " for letter in LETTERS.values()}
"""One character for one, so that places stay: wide letters as narrow ones, traditional characters as simplified.

A letter of a sketch that somebody writes is none: such characters stand in texts for signs of a font.
"""
_MISSPELT: Final = re.compile(
    r"过(?:[民闽闵皿](?!国|间|众|俗|生|族|主|事|法|警|兵|办|风))|(?<=[\u4e00-\u9fff])国敏(?=[\s,，。.!！的]|$)"
)
"""过敏 as phones write it by its sound."""
_GROUP: Final = r"[\ue000-\ue008]"
_HAN: Final = r"[\u4e00-\u9fff\ue000-\ue008]"
_DENSE: Final = r"[\u4e00-\u9fff\ue000-\ue008\d.]"
_BORDER: Final = re.compile(
    r"(?=[，,；;。！!？?.—\s])(?:[，,；;。！!？?\n]+|(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)\.(?=\s|$)|(?<!\s)\s{1,3}[-–—]{1,3}\s|——+"
    r"|\s(?=so (?:what|which|how|can|could|should|do|does|is|are|would|will)\b)"
    # a space for a comma: who types Chinese on a phone
    rf"|(?:(?<=[\u4e00-\u9fff\d]{_DENSE}{{2}})|(?<=^{_HAN}{{2}})|(?<=[，。！？\n]{_HAN}{{2}})"
    rf"|(?<=\s\ue001))\s(?={_GROUP}|{_HAN}{{2}}))"
)
_MARKS: Final = " \t\n，,。;；.!！?？、"
_STOPS: Final = frozenset("。！!？?\n.；;")
TEXT_CHARS_MAX: Final = 4_000
"""Of one sketch: a longer text is read in pieces."""


class Group(NamedTuple):
    """A list of mentions of one family, as one letter of a sketch."""

    letter: str
    members: Sequence[Mention]


class Clause(NamedTuple):
    """A stretch of a sketch between commas; `asked`: a question mark closes it.

    `number` counts clauses, `sentence` sentences, and `began` is where its sentence begins.
    """

    start: int
    end: int
    number: int
    sentence: int
    began: int
    asked: bool


@dataclass(frozen=True)
class Sketch:
    """A drawn text. `lowered` and `drawn` are in lower case; `places` says where its letters begin in the text.

    `text` has its apostrophes, `quote` gives the words as they were said. `stands`: where groups are drawn.
    """

    spelled: Spelled
    lowered: str
    drawn: str
    places: Sequence[int]
    groups: dict[int, Group]
    stands: Sequence[int]

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Its clauses, in order; one where it is empty."""
        return _clauses(self.drawn)

    @cached_property
    def _starts(self) -> Sequence[int]:
        return [clause.start for clause in self.clauses]

    @property
    def text(self) -> str:
        """What was said, with the apostrophes that were left out."""
        return self.spelled.text

    def place_of(self, at: int) -> int:
        """Where in the drawing a place of the text is."""
        return bisect_right(self.places, at) - 1

    def clause_at(self, at: int) -> Clause:
        """The clause in which a place of the drawing is."""
        index = bisect_right(self._starts, at) - 1
        return self.clauses[max(0, index)]

    def quote(self, start: int, end: int) -> str:
        """The words behind a stretch of the drawing, as they were said."""
        return self.spelled.written(self.places[start], self.places[end]).strip(_MARKS)

    def words(self, start: int, end: int) -> str:
        """The same, with the apostrophes that were left out."""
        return self.text[self.places[start] : self.places[end]].strip(_MARKS)

    def groups_in(self, start: int, end: int, letters: str) -> Iterator[tuple[int, Group]]:
        """The groups of these families that are drawn in a stretch, in order."""
        for index in range(bisect_left(self.stands, start), len(self.stands)):
            at = self.stands[index]
            if at >= end:
                return
            group = self.groups[at]
            if group.letter in letters:
                yield at, group


CLAUSE_ZH: Final = r"[^，。,.;；!?！？\n]"
"""A letter of a Chinese clause."""
CLAUSE_EN: Final = r"[^,.;!?\n]"
"""A letter of an English clause."""


def pattern(source: str) -> re.Pattern[str]:
    """A pattern over sketches: `<S>` stands for a substance, and so on; `<SDO>` for one of these."""
    letters = re.sub(r"<([A-Z]+)>", lambda found: "[" + "".join(LETTERS[one] for one in found.group(1)) + "]", source)
    return re.compile(letters)


def is_drawn(part: str) -> bool:
    """Whether words of medicine stand in a part of a sketch."""
    return any(letter in part for letter in LETTERS.values())


def simplified(text: str) -> str:
    """A text with simplified characters for traditional ones, as far as our words have them; as long as it was."""
    return text.translate(_SIMPLIFIED)


def plain(text: str) -> str:
    """A text as lexicons are read beside it: narrow, simplified, in lower case; as long as it was."""
    lowered = _MISSPELT.sub("过敏", text.translate(_PLAIN).lower())
    if len(lowered) == len(text):
        return lowered
    # a few letters change their length in lower case
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text.translate(_PLAIN))


def sketch(said: str, lexicon: Lexicon) -> Sketch:
    """Draw a text of up to TEXT_CHARS_MAX characters. Linear in them."""
    return sketch_of(spelled(said), lexicon)


def sketch_of(words: Spelled, lexicon: Lexicon, read: str = "") -> Sketch:
    """As `sketch`, of what is spelled already. `read`: its text with blanks for what is not read; it is as long."""
    lowered = plain(read or words.text)
    drawn: list[str] = []
    places: list[int] = []
    groups: dict[int, Group] = {}
    at = size = 0
    for letter, members in _grouped(lowered, lexicon.mentions(lowered)):
        start, end = members[0].start, members[-1].end
        drawn += (lowered[at:start], LETTERS[letter])
        places += range(at, start)
        size += start - at
        groups[size] = Group(letter, members)
        places.append(start)
        size += 1
        at = end
    drawn.append(lowered[at:])
    places += range(at, len(lowered) + 1)
    return Sketch(words, lowered, "".join(drawn), places, groups, list(groups))


def _grouped(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[str, list[Mention]]]:
    members: list[Mention] = []
    letter = ""
    for mention in mentions:
        family = _FAMILY[mention.kind]
        if members and family == letter and family in "SDOTY" and _is_list(text[members[-1].end : mention.start]):
            members.append(mention)
            continue
        if members:
            yield letter, members
        letter, members = family, [mention]
    if members:
        yield letter, members


def _is_list(gap: str) -> bool:
    return len(gap) <= _GAP_MAX and "\n" not in gap and _LISTED.fullmatch(gap) is not None


def _clauses(drawn: str) -> list[Clause]:
    clauses: list[Clause] = []
    start = sentence = began = 0
    for border in _BORDER.finditer(drawn):
        if border.start() > start:
            asked = "?" in border.group() or "？" in border.group()
            clauses.append(Clause(start, border.start(), len(clauses), sentence, began, asked))
        start = border.end()
        if not _STOPS.isdisjoint(border.group()):
            sentence, began = sentence + 1, start
    if start < len(drawn) or not clauses:
        clauses.append(Clause(start, len(drawn), len(clauses), sentence, began, asked=False))
    return clauses
