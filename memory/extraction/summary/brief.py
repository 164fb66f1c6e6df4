"""The short summary: what users say of themselves, clause by clause, and a word of what they were told.

As `writing`, but every word of medicine counts where it is said first, against the room that its clause takes. So a
third of a dialogue holds nearly all that a nurse needs of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.languages import in_use
from memory.extraction.summary.exchange import Line, Said, groups_of, read
from memory.extraction.summary.selection import OWN, REST, SAFETY, Piece, Unit, choose, clauses_alone
from memory.extraction.summary.writing import first_and_last, rate, tool_units
from memory.language.speech import asks, is_bare_answer, negates
from memory.language.vocabulary import Kind, complaint_terms, kinds_of, safety_terms, safety_weight_of

_SHARE: Final = 3
_LEAST_CHARS: Final = {"zh": 60, "en": 180}
_WHOLE_CHARS: Final = 24
_CLAUSE_COST: Final = 8
_TERM: Final = 3.0
_WORTH: Final = (
    (Kind.COURSE, 1.5),
    (Kind.MEASURE, 2.0),
    (Kind.NUMBER, 1.0),
    (Kind.PERSONAL, 2.0),
    (Kind.MEDICATION, 1.0),
    (Kind.SYMPTOM, 0.5),
    (Kind.DECISION, 0.5),
)
_FIRST_WORDS: Final = 1.0
_LAST_QUESTION: Final = 2.0
_NO_TERMS: Final = frozenset({"idiom", "organ"})


def summarise_briefly(lines: Sequence[Line], *, limit_chars: int, locale: str = "zh") -> str:
    """Choose what a nurse needs from a dialogue, verbatim and in order, in a third of its characters.

    More, up to `limit_chars`, where the users' allergies and conditions need it; a dialogue of a few words may keep
    them. Deterministic, linear in the dialogue.
    """
    turns = read(lines, locale)
    units = list(_units(turns)) or tool_units(turns) or first_and_last(turns)
    safety = choose([unit for unit in units if unit.tier == SAFETY], limit_chars).text()
    least = max(_LEAST_CHARS["en" if locale.lower().startswith("en") else "zh"], len(safety))
    share = sum(len(line.text) for line in lines) // _SHARE
    return choose(units, min(limit_chars, max(least, share))).text()


def _units(turns: list[list[Said]]) -> Iterator[Unit]:
    groups = groups_of(turns)
    asking = [group for group in groups if group[-1].role == "user" and group[-1].kinds & Kind.QUESTION]
    last = int(asking[-1][-1].piece.position) if asking else -1
    first = next((group[-1].turn for group in groups if group[-1].role == "user"), -1)
    known: set[str] = set()
    safe: set[str] = set()
    for group in groups:
        if group[-1].role != "user":
            _, score = rate(group, safe)
            if score > 0:
                yield Unit(tuple(said.piece for said in group), REST, score)
            continue
        for pieces in _parts(group):
            bonus = _FIRST_WORDS * (group[-1].turn == first) + _LAST_QUESTION * (int(pieces[-1].position) == last)
            unit = _rated(pieces, known, bonus)
            if unit is not None:
                yield unit


def _parts(group: tuple[Said, ...]) -> list[tuple[Piece, ...]]:
    """What is kept or left out together: an answer that says nothing alone with its question, else clause by clause."""
    answer = group[-1].piece
    if len(group) > 1 and (is_bare_answer(answer.text) or not _terms(answer.text)):
        return [tuple(said.piece for said in group)]
    own = [said.piece for said in group if said.role == "user"]
    return [(part,) for piece in own for part in _clauses(piece)]


def _clauses(piece: Piece) -> Iterator[Piece]:
    if len(piece.text) <= _WHOLE_CHARS:
        yield piece
        return
    at = 0
    for text in clauses_alone(piece.text):
        yield replace(piece, position=piece.position + at / (len(piece.text) + 1), text=text.strip())
        at += len(text)


def _rated(pieces: tuple[Piece, ...], known: set[str], bonus: float) -> Unit | None:
    """None where nothing is said that counts."""
    text = " ".join(piece.text for piece in pieces)
    kinds = kinds_of(text)
    terms = _terms(text)
    worth = _TERM * len(terms - known) + sum(each for kind, each in _WORTH if kinds & kind) + bonus
    news = not terms <= known or negates(text)  # what was said of an allergy may be denied later
    grave = kinds & (Kind.ALLERGY | Kind.CONDITION) and not asks(pieces[-1].text) and news
    known |= terms
    if not worth:
        return None
    if grave:
        return Unit(pieces, SAFETY, safety_weight_of(kinds))
    return Unit(pieces, OWN, worth / (sum(len(piece.text) for piece in pieces) + _CLAUSE_COST))


def _terms(text: str) -> set[str]:
    mentioned = {each.term.name for each in in_use().lexicon.mentions(text.lower()) if each.kind not in _NO_TERMS}
    return mentioned | complaint_terms(text) | safety_terms(text)
