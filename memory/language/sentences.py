"""Chinese and English text as sentences, and sentences made comparable."""

import re
import unicodedata
from dataclasses import dataclass

_LINE_END = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CLOSERS = "”’」』】〕）)\"'"
_STOPS = "。！？；!?;"

# A run of stops with the quotes and brackets that close after it; a full stop is only a candidate.
_BORDER = re.compile(rf"[{_LINE_END}]+|[{_STOPS}]+[{_STOPS}.]*[{_CLOSERS}]*|[.．]+[{_CLOSERS}]*")
_WORD = re.compile(r"\w")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

_LOOK_BACK_CHARS = 12
_ABBREVIATION = re.compile(
    r"(?:^|[^a-z])(?:dr|drs|mr|mrs|ms|prof|vs|e\.g|eg|i\.e|approx|fig|cf|ca|dept|tab|cap|resp|temp|max|min)$"
)
_MAYBE_ABBREVIATION = re.compile(r"(?:^|[^a-z])(?:no|etc|al|st|jr|sr|inc|ltd|hrs?|wks?|yrs?|(?:[a-z]\.)+[a-z])$")
_INITIAL = re.compile(r"(?:^|[^A-Za-z.])[A-HJ-Z]$")
_LIST_NUMBER = re.compile(rf"(?:^|[{_LINE_END}{_STOPS}.:：,，][\s{_CLOSERS}]*)\d{{1,2}}$")

_LIST_MARK = re.compile(r"^\s*(?:[-*•·#>]+\s*|(?:\d{1,2}[.)、）]|\(\d{1,2}\))\s*(?!\d))+")
# Between two digits punctuation carries the value (38.5, 120/80, 3-5), so it stays there.
_PUNCTUATION = re.compile(r"(?<!\d)[^\w+<>=]+|[^\w+<>=]+(?!\d)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place: `text == source[start:end]`, without white space around it."""

    text: str
    start: int
    end: int


def split_sentences(source: str) -> list[Sentence]:
    """Cut text at sentence ends, line ends and semicolons; linear in its length.

    The closing punctuation belongs to its sentence. Pieces without a letter or digit are left out.
    """
    sentences: list[Sentence] = []
    start = 0
    for border in _BORDER.finditer(source):
        if border.group()[0] in ".．" and not _ends_sentence(source, border):
            continue
        _append(sentences, source, start, border.end())
        start = border.end()
    _append(sentences, source, start, len(source))
    return sentences


def normalise(sentence: str) -> str:
    """Reduce a sentence to what it says: width, case, spaces, punctuation and list marks do not count."""
    plain = unicodedata.normalize("NFKC", sentence).casefold()
    return _PUNCTUATION.sub("", _LIST_MARK.sub("", plain))


def _append(sentences: list[Sentence], source: str, start: int, end: int) -> None:
    piece = source[start:end]
    if not _WORD.search(piece):
        return
    text = piece.strip()
    start += len(piece) - len(piece.lstrip())
    sentences.append(Sentence(text, start, start + len(text)))


def _ends_sentence(source: str, stop: re.Match[str]) -> bool:
    after = source[stop.end() : stop.end() + 2]
    if after and not after[0].isspace() and not _CJK.match(after):
        return False
    # A line's start counts as a start, so that "1." opens a list there.
    before = source[max(0, stop.start() - _LOOK_BACK_CHARS) : stop.start()]
    if _LIST_NUMBER.search(before) and after.strip():
        return False
    if _ABBREVIATION.search(before.lower()) or _INITIAL.search(before):
        return not after.strip()
    # "etc." and "p.m." end a sentence only before a capital, "No." only not before a number.
    following = after.strip()
    return not (_MAYBE_ABBREVIATION.search(before.lower()) and following and not _opens(following[0]))


def _opens(char: str) -> bool:
    return char.isupper() or bool(_CJK.match(char))
