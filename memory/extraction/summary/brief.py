"""The short summary: what users say of themselves, clause by clause, and a word of what they were told.

As `writing`, but every word of medicine, every figure and part of the body counts once, in the clause that says most
for the room that it takes. So a third of a dialogue holds nearly all that a nurse needs of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from memory.clinical.languages import in_use
from memory.extraction.summary.exchange import Line, Said, groups_of, read
from memory.extraction.summary.selection import OWN, REST, SAFETY, Piece, Unit, choose, clauses_alone
from memory.extraction.summary.writing import first_and_last, rate, tool_units
from memory.language.speech import asks, is_bare_answer, negates
from memory.language.vocabulary import Kind, complaint_terms, kinds_of, safety_terms, safety_weight_of

_SHARE: Final = 3
_LEAST_CHARS: Final = {"zh": 60, "en": 180}
_WHOLE_CHARS: Final = 24
_RUN_ON_CHARS: Final = 24
_RUN_ON: Final = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![没无不未别有从到自比在是于和跟像如的我])"
    r"(?=然后|但是|可是|而且|后来|现在(?!的)|目前(?!的)|前天|昨天|今天|我现在|我目前|我之前|前几天|去医院)"
)
"""Where who types without a comma goes on."""
_FIGURE: Final = re.compile(r"\d+(?:[./:：度]\d+)?(?=\s?(?:%|％|[a-zA-Z]|[\u4e00-\u9fff])|$)")
_CLAUSE_COST: Final = 4
_TERM: Final = 4.0
_DETAIL: Final = 2.0
_WORTH: Final = (
    (Kind.COURSE, 0.5),
    (Kind.MEASURE, 1.0),
    (Kind.NUMBER, 0.5),
    (Kind.PERSONAL, 2.0),
    (Kind.MEDICATION, 1.0),
    (Kind.SYMPTOM, 1.0),
    (Kind.DECISION, 0.5),
)
_FIRST_WORDS: Final = 1.0
_BROUGHT: Final = 6.0
"""For the first words that name what brought the user here."""
_ORGAN: Final = "organ"
_NO_TERMS: Final = frozenset({"idiom", _ORGAN})


class _Named(NamedTuple):
    """Words of medicine; figures, and parts of the body: people complain of these without such a word (膝盖不得劲)."""

    terms: frozenset[str]
    details: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Told:
    """What may be kept of what a user says.

    Its words of medicine; figures and parts of the body; what else it is worth; whether it is grave.
    """

    pieces: tuple[Piece, ...]
    terms: frozenset[str]
    details: frozenset[str]
    worth: float
    kinds: int
    grave: bool

    @property
    def chars(self) -> int:
        """Of all its pieces."""
        return sum(len(piece.text) for piece in self.pieces)

    def density(self, known: set[str]) -> float:
        """What it is worth for a character of its room, beside what is known."""
        news = _TERM * len(self.terms - known) + _DETAIL * len(self.details - known)
        return (news + self.worth) / (self.chars + _CLAUSE_COST)

    def unit(self, tier: int, score: float) -> Unit:
        """It as what is chosen from."""
        return Unit(self.pieces, tier, score)


def summarise_briefly(lines: Sequence[Line], *, limit_chars: int, locale: str = "zh") -> str:
    """Choose what a nurse needs from a dialogue, verbatim and in order, in a third of its characters.

    More, up to `limit_chars`, where the users' allergies and conditions need it; a dialogue of a few words may keep
    them. Deterministic, linear in the dialogue but for a sort.
    """
    turns = read(lines, locale)
    groups = groups_of(turns)
    told = list(_told(groups))
    grave = [each.unit(SAFETY, safety_weight_of(each.kinds)) for each in told if each.grave]
    safety = choose(grave, limit_chars).text()
    least = max(_LEAST_CHARS["en" if locale.lower().startswith("en") else "zh"], len(safety))
    share = sum(len(line.text) for line in lines) // _SHARE
    room = min(limit_chars, max(least, share))
    units = [*grave, *_by_news(told, room - len(safety)), *_heard(groups)]
    return choose(units or tool_units(turns) or first_and_last(turns), room).text()


def _by_news(told: Sequence[_Told], room: int) -> Iterator[Unit]:
    """What is not grave, the most news for its room first; what an earlier one that fits has said is none."""
    known = {word for each in told if each.grave for word in each.terms | each.details}
    left = [each for each in told if not each.grave]
    for each in sorted(left, key=lambda each: -each.density(known)):
        score = each.density(known)
        if score:
            yield each.unit(OWN, score)
        if each.chars <= room:
            room -= each.chars
            known |= each.terms | each.details


def _heard(groups: Sequence[tuple[Said, ...]]) -> Iterator[Unit]:
    """What users were told, of what counts."""
    safe: set[str] = set()
    for group in groups:
        if group[-1].role != "user":
            _, score = rate(group, safe)
            if score > 0:
                yield Unit(tuple(said.piece for said in group), REST, score)


def _told(groups: Sequence[tuple[Said, ...]]) -> Iterator[_Told]:
    """What users say, in parts that are kept or left out."""
    own = [group for group in groups if group[-1].role == "user"]
    first = own[0][-1].turn if own else -1
    known: set[str] = set()
    brought = False
    for group in own:
        for pieces in _parts(group):
            part = _rated(pieces, known)
            if not part.density(set()):
                continue
            begins = bool(part.terms | part.details) and not brought
            brought = brought or begins
            yield replace(part, worth=part.worth + _FIRST_WORDS * (group[-1].turn == first) + _BROUGHT * begins)


def _parts(group: tuple[Said, ...]) -> list[tuple[Piece, ...]]:
    """What is kept or left out together: an answer that says nothing alone with its question, else clause by clause."""
    answer = group[-1].piece
    if len(group) > 1 and (is_bare_answer(answer.text) or not _named(answer.text).terms):
        asked = [said.piece for said in group if said.role != "user"]
        asked = asked if is_bare_answer(answer.text) else asked[-1:]
        return [(*asked, *(said.piece for said in group if said.role == "user"))]
    own = [said.piece for said in group if said.role == "user"]
    return [(part,) for piece in own for part in _clauses(piece)]


def _clauses(piece: Piece) -> Iterator[Piece]:
    if len(piece.text) <= _WHOLE_CHARS:
        yield piece
        return
    at = 0
    for clause in clauses_alone(piece.text):
        for text in _RUN_ON.split(clause) if len(clause) > _RUN_ON_CHARS else [clause]:
            yield replace(piece, position=piece.position + at / (len(piece.text) + 1), text=text.strip())
            at += len(text)


def _rated(pieces: tuple[Piece, ...], known: set[str]) -> _Told:
    """What of it counts. What is said of an allergy or a condition is grave where it is new; both become known."""
    text, answer = " ".join(piece.text for piece in pieces), pieces[-1].text
    kinds, (terms, details) = kinds_of(text), _named(text)
    if not is_bare_answer(answer):  # what a question names is the user's where they grant it alone
        own = " ".join(piece.text for piece in pieces if piece.prefix == pieces[-1].prefix)
        kinds = kinds & ~Kind.SAFETY | kinds_of(own)
    news = not terms <= known or negates(text)  # what was said of an allergy may be denied later
    grave = bool(kinds & (Kind.ALLERGY | Kind.CONDITION)) and not asks(answer) and news
    known |= terms
    worth = sum(each for kind, each in _WORTH if kinds & kind)
    return _Told(pieces, terms, details, worth, kinds, grave)


def _named(text: str) -> _Named:
    mentions = in_use().lexicon.mentions(text.lower())
    medicine = (each.term.name for each in mentions if each.kind not in _NO_TERMS)
    organs = (each.term.name for each in mentions if each.kind == _ORGAN)
    terms = frozenset([*medicine, *complaint_terms(text), *safety_terms(text)])
    return _Named(terms, frozenset([*_FIGURE.findall(text), *organs]))
