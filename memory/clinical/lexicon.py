"""The words of medicine: one entry a line in `memory/language/lexicon/<language>/<kind>.txt`.

A line is `term<TAB>tag<TAB>name`; the name, under which a reader is told of it, may be left out where it is the term.
Each file says in its first line where its words are from.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import ahocorasick_rs

from memory.clinical.meant import ANIMAL, EITHER, is_allergen, is_disease, is_felt, returns
from memory.clinical.typing_errors import TYPED_MIN, TypingErrors
from memory.errors import InvalidInput
from memory.language.words import listed

FOLDER: Final = Path(__file__).parent.parent / "language" / "lexicon"
KINDS: Final = ("reaction", "disease", "drug", "allergen", "operation", "device", "organ", "symptom", "test", "idiom")
"""A term that stands in several files is of the first kind here that has it, unless an idiom is longer."""
_COLUMNS_MAX: Final = 3
_MISTYPED: Final = frozenset({"disease", "drug", "allergen"})
_AND: Final = frozenset({"、", "和", "跟", "与", "及", "以及", "还有", "/"})
_LONG_WORD: Final = re.compile(rf"(?<![a-z0-9@./_-])[a-z]{{{TYPED_MIN},24}}(?![a-z0-9@_-])")


class Term(NamedTuple):
    """A word of medicine. `tag` is its file's own; `name` how a reader is told of it, in the word's own script.

    `listed`: the name that its line gives it, of whatever script; empty: none.
    """

    kind: str
    tag: str
    name: str
    listed: str = ""


class Mention(NamedTuple):
    """A term where it stands in a text."""

    start: int
    end: int
    term: Term

    @property
    def kind(self) -> str:
        """The kind of its term."""
        return self.term.kind


class Lexicon:
    """All terms, found in one walk over a text."""

    def __init__(self, entries: Iterable[tuple[str, Term]]) -> None:
        """Of a word that comes again the first kind of KINDS counts, of a medicine the first name in its own script."""
        terms: dict[str, Term] = {}
        self._either: dict[str, Term] = {}
        self._concepts = _Concepts()
        for word, term in entries:
            self._concepts.join(term.kind, word, (term.listed or term.name).lower())
            if term.tag == EITHER:
                self._either[word] = term
            known = terms.get(word)
            if known is None or _counts_before(term, known):
                terms[word] = term
        self._terms = list(terms.values())
        self._tags = {term.name.lower(): term.tag for term in self._terms} | {
            word: term.tag for word, term in terms.items()
        }
        self._automaton = ahocorasick_rs.AhoCorasick(list(terms))
        self._words = terms

    def tag_of(self, word: str) -> str | None:
        """The tag of a word, or of a name that readers are told; None when it is unknown."""
        return self._tags.get(word.lower())

    def term(self, word: str) -> Term | None:
        """The term that a word in lower case is as a whole."""
        return self._words.get(word)

    def concept_of(self, term: Term) -> str:
        """One word for all that name the same in any language: Tylenol, paracetamol and 对乙酰氨基酚 have one."""
        return self._concepts.of(term.kind, term.name.lower())

    def is_name_of(self, word: str, term: Term) -> bool:
        """Whether a word in lower case names what a term does, where it is of the term's kind: 气喘 of asthma."""
        return self._concepts.of(term.kind, word) == self.concept_of(term)

    def mentions(self, text: str) -> list[Mention]:
        """The terms of a text in lower case, in their order, none inside another: the first, and of those the longest.

        Latin words are found whole only. Idioms hide what is in them. What stands beside a word may decide what it is,
        once that is settled: an animal that is none of medicine there is left out, and no shorter term takes its place.
        """
        found = [
            (start, -end, index)
            for index, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True)
            if _whole(text, start, end)
        ]
        found += self._mistyped(text, found)
        found.sort()
        mentions, reached = [], 0
        for start, ending, index in found:
            if start >= reached:
                reached = -ending
                mentions.append(Mention(start, reached, self._terms[index]))
        return list(self._meant(text, mentions))

    def _meant(self, text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
        for number, each in enumerate(mentions):
            disease = self._either.get(text[each.start : each.end])
            if disease is not None and _is_disease(text, each, mentions[max(0, number - 1) : number + 2]):
                yield each._replace(term=disease)
            elif each.term.tag == ANIMAL and not is_allergen(text, each.start, each.end):
                continue
            elif not returns(text, each.start, each.end):
                yield each

    @cached_property
    def _typing_errors(self) -> TypingErrors:
        names = {word: term.name for word, term in self._words.items() if term.kind in _MISTYPED}
        return TypingErrors(names, listed("en", "near_terms"))

    def _mistyped(self, text: str, found: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
        """Long Latin words that are a term but for one letter, where no term stands."""
        taken = {place for start, ending, _ in found for place in (start, -ending - 1)}
        for word in _LONG_WORD.finditer(text):
            if word.start() not in taken and word.end() - 1 not in taken:
                meant = self._typing_errors.meant(word.group())
                if meant:
                    yield word.start(), -word.end(), self._terms.index(self._words[meant])


class _Concepts:
    """Words of one kind that files give one name, and names that are listed as the same: joined."""

    def __init__(self) -> None:
        self._under: dict[tuple[str, str], str] = {}
        for kind, *names in (line.split(";") for line in (*listed("zh", "same_terms"), *listed("en", "same_terms"))):
            for name in names:
                self.join(kind, name, names[0])

    def join(self, kind: str, one: str, other: str) -> None:
        first, second = self.of(kind, one), self.of(kind, other)
        if first != second:
            self._under[kind, first] = second

    def of(self, kind: str, word: str) -> str:
        while (above := self._under.get((kind, word))) is not None:
            word = above
        return word


def read(folder: Path) -> Iterator[tuple[str, Term]]:
    """The entries of a folder of files. Raises InvalidInput for a line that is none, by file and number."""
    for kind in KINDS:
        path = folder / f"{kind}.txt"
        if not path.exists():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            word, *rest = line.split("\t")
            if not word.strip() or len(rest) not in range(1, _COLUMNS_MAX):
                raise InvalidInput(f"{path}:{number}: expected term<TAB>tag[<TAB>name]")
            name = given = rest[1].strip() if len(rest) > 1 else ""
            if not name or (word.isascii() and not name.isascii()):  # who says penicillin reads penicillin
                name = word.strip()
            yield word.strip().lower(), Term(kind, rest[0].strip(), name, given)


def _counts_before(term: Term, known: Term) -> bool:
    """Of an earlier kind; of medicines also a name in the word's own script: sertraline for Zoloft."""
    if term.kind != known.kind:
        return KINDS.index(term.kind) < KINDS.index(known.kind)
    named = term.kind == "drug" and term.name == term.listed and term.name.isascii() and known.name != known.listed
    return named and not term.name.lower().startswith(known.name.lower())  # sulfa stays what it is called


def _is_disease(text: str, mention: Mention, around: Sequence[Mention]) -> bool:
    """Whether a word is said as one has a disease, or stands in a list with one that lasts."""
    listed_with = any(
        each.kind == "disease" and each.term.tag != "acute" and _is_list(text, *sorted((mention, each)))
        for each in around
        if each is not mention
    )
    return is_disease(text, mention.start, mention.end) or (listed_with and not is_felt(text, mention.end))


def _is_list(text: str, one: Mention, other: Mention) -> bool:
    return text[one.end : other.start].strip() in _AND


def _whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (
        (before.isascii() and before.isalnum() and text[start].isascii() and text[start].isalnum())
        or (after.isascii() and after.isalnum() and text[end - 1].isascii() and text[end - 1].isalnum())
    )
