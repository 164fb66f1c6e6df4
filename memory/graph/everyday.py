"""Names of one thing: what people call by several words, everyday things and those of medicine. Pure.

`memory/language/words/<language>/same_things.txt` has a thing a line, tabs between its names; a name stands in one
line. They only suggest: two labels that come to the same names are shown to somebody who may say so.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from memory.clinical.languages import in_use
from memory.clinical.lexicon import Lexicon
from memory.graph.tokens import Token, is_small, tokens_of
from memory.graph.wording import HAN
from memory.language.words import listed

_SHORT: Final = 4
"""Letters of a name that may be another thing's in another language."""


class Unit(NamedTuple):
    """Words of a label that name a thing; `thing`: what stands for all its names."""

    thing: str
    first: int
    end: int


class Things:
    """All names, found in one walk over the words of a label, the longest first.

    Names are kept as texts, their words between spaces: nothing that a garbage collector looks through.
    """

    def __init__(self, lines: Mapping[str, Iterable[Sequence[str]]], lexicon: Lexicon) -> None:
        """`lines`: of each language. Of two things that have a name in common the first has it.

        Things of two languages are one where they share a long name: CAD is a disease here and money there.
        """
        self._lexicon = lexicon
        self._thing_of: dict[str, dict[str, str]] = {language: {} for language in lines}
        self._same_as: dict[str, str] = {}
        self._longest: dict[str, int] = {}
        called: dict[str, str] = {}
        names: dict[str, str] = {}
        for language, of_it in lines.items():
            known = self._thing_of[language]
            for number, said in enumerate(of_it):
                long = (called[name.lower()] for name in said if len(name) > _SHORT and name.lower() in called)
                thing = next(long, f"#{language}{number}")
                for name in said:
                    called.setdefault(name.lower(), thing)
                    words = [each.word for each in tokens_of(name)]
                    form = " ".join(words)
                    if not words or form in known:
                        continue
                    known[form] = thing
                    names[thing] = f"{names[thing]}\t{form}" if thing in names else form
                    self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))
                    term = lexicon.term(name.lower())
                    if term is not None:
                        self._same_as.setdefault(f"{term.kind}:{lexicon.concept_of(term)}", thing)
        self._names_of = names

    def names_of(self, thing: str) -> list[list[str]]:
        """The names of a thing, in words; none of one that only the lexicon has."""
        return [name.split(" ") for name in self._names_of.get(thing, "").split("\t") if name]

    def units(self, text: str, tokens: Sequence[Token]) -> list[Unit]:
        """What the words of a text name, the first and of those the longest; a word that names nothing is itself."""
        terms = self._terms(text, tokens)
        return self.named([each.word for each in tokens], terms=terms)

    def named(self, words: Sequence[str], *, less_than: int = 0, terms: Mapping[int, Unit] | None = None) -> list[Unit]:
        """As `units`, of words alone. `less_than`: of names with fewer words than these; 0: of all."""
        language = "zh" if any(HAN.match(word) for word in words) else "en"
        names = [self._thing_of.get(language, {}), *self._thing_of.values()]
        found, at = list[Unit](), 0
        while at < len(words):
            unit = self._longest_at(names, words, at, less_than)
            term = (terms or {}).get(at)
            if term is not None and (unit is None or term.end > unit.end):
                unit = term
            unit = unit or Unit(words[at], at, at + 1)
            found.append(unit)
            at = unit.end
        return found

    def _longest_at(
        self, names: Sequence[Mapping[str, str]], words: Sequence[str], at: int, less_than: int
    ) -> Unit | None:
        longest = min(self._longest.get(words[at], 0), len(words) - at)
        for length in range(min(longest, less_than - 1) if less_than else longest, 0, -1):
            name = words[at : at + length]
            form = " ".join(name)
            thing = next((known[form] for known in names if form in known), None)
            if thing is not None and (length == len(words) or not all(map(is_small, name))):
                return Unit(thing, at, at + length)
        return None

    def _terms(self, text: str, tokens: Sequence[Token]) -> dict[int, Unit]:
        """The words of medicine by the number of the token where they begin."""
        begins = {token.start: number for number, token in enumerate(tokens)}
        ends = {token.end: number + 1 for number, token in enumerate(tokens)}
        found = {}
        for each in self._lexicon.mentions(text):
            if each.start in begins and each.end in ends and each.kind != "idiom":
                concept = f"{each.kind}:{self._lexicon.concept_of(each.term)}"
                found[begins[each.start]] = Unit(
                    self._same_as.get(concept, concept), begins[each.start], ends[each.end]
                )
        return found


def things() -> Things:
    """Those of both languages, beside the lexicon in use. Read when they are first asked for."""
    return _things(in_use().lexicon)


@cache
def _things(lexicon: Lexicon) -> Things:
    lines = {language: (line.split("\t") for line in listed(language, "same_things")) for language in ("zh", "en")}
    return Things(lines, lexicon)
