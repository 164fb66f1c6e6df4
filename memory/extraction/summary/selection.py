"""Choosing sentences under a limit: the best first, kept in their order, cut where one is too long."""

import re
from bisect import bisect_left, insort
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from memory.language.sentences import normalise
from memory.language.speech import asks, negates
from memory.language.vocabulary import (
    kinds_of,
    safety_kinds_of,
    safety_terms,
    safety_weight_of,
    weight_of,
)

SAFETY, REQUEST, OWN, REST, OLD_REST = range(5)  # tiers: a lower one goes first

_FULL_WIDTH_END = re.compile(r"[。！？；][”’」』】）\"']*$|[，、]$")
_HALF_WIDTH_END = re.compile(r"[.!?;][”’」』】）)\"']*$|,$")
_HAN_END = re.compile(r"[\u3400-\u9fff]\W*$")
_CLAUSE_END = re.compile(r"[，、；]+|[,;]+(?!\d)\s*")
_NEW_PREDICATE = re.compile(r"\s*(?:我|他|她|对|有|但|而|现在|目前|曾|also|but|and i|i )", re.IGNORECASE)
_LEFT_OPEN = re.compile(r"[，、,]+$", re.MULTILINE)
_OPEN_END = re.compile(r"[，、,]$")
_CUT_CHARS_MIN = 8
_OVERLONG_SHARE = 3
_CUTS_MAX = 4  # of sentences that may as well be left out


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence and where it stands; pieces of one run in a row share the prefix."""

    position: float
    run: Hashable
    prefix: str
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences that are kept or left out together, and how much they matter."""

    pieces: tuple[Piece, ...]
    tier: int
    score: float
    heading: Piece | None = None  # stands above the first of its items that is kept

    @property
    def position(self) -> float:
        """Where the unit stands: the place of its last sentence."""
        return self.pieces[-1].position

    @property
    def meaning(self) -> str:
        """What it says, comparable."""
        return normalise(" ".join(piece.text for piece in self.pieces))

    def overlong(self, limit_chars: int) -> bool:
        """Whether a part of it is better than nothing; shorter ones fit whole or are left out."""
        return sum(len(piece.text) for piece in self.pieces) > limit_chars // _OVERLONG_SHARE


class Draft:
    """A text that grows piece by piece in any order, and knows its length at every step."""

    def __init__(self, limit_chars: int) -> None:
        self._limit = limit_chars
        self._length = 0
        self._order: list[float] = []
        self._pieces: dict[float, Piece] = {}

    @property
    def room(self) -> int:
        """Characters left; negative only while a placement is tried."""
        return self._limit - self._length

    def place(self, unit: Unit) -> bool:
        """Take a whole unit, or leave the draft as it was."""
        fresh = self._fresh(unit)
        self._insert(fresh)
        if self.room >= 0:
            return True
        self._remove(fresh)
        return False

    def place_cut(self, unit: Unit, *, hard: bool) -> bool:
        """Take a unit with its longest sentence shortened to the room there is."""
        longest = max(unit.pieces, key=lambda piece: len(piece.text))
        fresh = self._fresh(unit)
        self._insert(fresh)
        room = len(longest.text) + self.room - 2  # what joins it to the next sentence may grow by two
        self._remove(fresh)
        text = _cut(longest.text, room, safety=unit.tier == SAFETY, hard=hard)
        pieces = (replace(piece, text=text) if piece is longest else piece for piece in unit.pieces)
        return bool(text) and self.place(replace(unit, pieces=tuple(pieces)))

    def holds_whole(self, units: Iterable[Unit]) -> bool:
        """Whether every sentence of these units stands in the draft uncut."""
        return all(self._pieces.get(piece.position) == piece for unit in units for piece in unit.pieces)

    def text(self) -> str:
        """The pieces in order."""
        pieces = [self._pieces[position] for position in self._order]
        text = "".join(
            _joint(before, piece) + _closed(piece, after)
            for before, piece, after in zip([None, *pieces], pieces, [*pieces[1:], None], strict=False)
        )
        return _LEFT_OPEN.sub("", text)

    def _fresh(self, unit: Unit) -> list[Piece]:
        pieces = [unit.heading, *unit.pieces] if unit.heading else unit.pieces
        return [piece for piece in pieces if piece.position not in self._pieces]

    def _insert(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            before, after = self._around(piece.position)
            self._length += _growth(before, piece, after)
            self._pieces[piece.position] = piece
            insort(self._order, piece.position)

    def _remove(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            del self._order[bisect_left(self._order, piece.position)]
            del self._pieces[piece.position]
            before, after = self._around(piece.position)
            self._length -= _growth(before, piece, after)

    def _around(self, position: float) -> tuple[Piece | None, Piece | None]:
        index = bisect_left(self._order, position)
        before = self._pieces[self._order[index - 1]] if index else None
        after = self._pieces[self._order[index]] if index < len(self._order) else None
        return before, after


def _growth(before: Piece | None, piece: Piece, after: Piece | None) -> int:
    grown = len(_joint(before, piece)) + len(piece.text)
    return grown + len(_joint(piece, after)) - len(_joint(before, after))


def _closed(piece: Piece, after: Piece | None) -> str:
    """A piece as it is read before another sentence: one that was cut at a comma does not go on there."""
    if after is None or piece.run != after.run or int(piece.position) == int(after.position):
        return piece.text
    return _OPEN_END.sub(lambda found: ";" if found.group() == "," else "；", piece.text)


def _joint(before: Piece | None, after: Piece | None) -> str:
    """What stands between two sentences, the speaker of the second included."""
    if after is None:
        return ""
    if before is None:
        return after.prefix
    if before.run != after.run:
        return "\n" + after.prefix
    if _FULL_WIDTH_END.search(before.text):
        return ""
    if _HALF_WIDTH_END.search(before.text):
        return " "
    return "；" if _HAN_END.search(before.text) else "; "


def clauses_alone(text: str) -> list[str]:
    """A sentence in pieces that can stand alone: none is parted from the negation it depends on."""
    starts = [clause.start for clause in _clauses_of(text) if clause.free or not clause.start]
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def choose(units: Iterable[Unit], limit_chars: int) -> Draft:
    """Place the best units first; once a safety fact found no room, nothing of lower rank gets any."""
    draft = Draft(limit_chars)
    said: set[str] = set()
    cuts_left = _CUTS_MAX
    safety_lost = False
    for unit in sorted(units, key=lambda unit: (unit.tier, -unit.score, unit.position)):
        if safety_lost and unit.tier > SAFETY:
            break
        meaning = unit.meaning
        if meaning in said or draft.place(unit):
            said.add(meaning)
        elif unit.tier == SAFETY:
            safety_lost |= not _place_facts(draft, unit)
        elif unit.tier == REQUEST:
            draft.place_cut(unit, hard=True)
        elif cuts_left and unit.overlong(limit_chars) and draft.place_cut(unit, hard=False):
            cuts_left -= 1
        elif unit.tier == OLD_REST:
            break  # of what earlier summaries say, the least goes first even where it would fit
    return draft


def _place_facts(draft: Draft, unit: Unit) -> bool:
    """Place a safety unit that is too long, fact by fact, the gravest first; whether all of them fit whole."""
    stated = [piece for piece in unit.pieces if safety_kinds_of(piece.text) and not asks(piece.text)]
    alone = [replace(unit, pieces=(piece,)) for piece in stated] or [unit]
    parts = [part for each in alone for part in _facts_of(each) or [each]]
    cut = [part for part in parts if not draft.place(part)]
    for part in cut:
        draft.place_cut(part, hard=True)
    return not cut


def _facts_of(unit: Unit) -> list[Unit]:
    """The facts of a single sentence as units of their own; none where it has to stand whole."""
    if len(unit.pieces) > 1:
        return []
    piece = unit.pieces[0]
    facts = []
    for start, end in _fact_spans(piece.text):
        text = _trimmed(piece.text[start:end])
        part = replace(piece, position=piece.position + start / (len(piece.text) + 1), text=text)
        facts.append(replace(unit, pieces=(part,), score=safety_weight_of(safety_kinds_of(text))))
    return sorted(facts, key=lambda fact: -fact.score)


def _fact_spans(text: str) -> list[tuple[int, int]]:
    """Stretches of clauses that state safety facts and can stand alone."""
    facts: list[tuple[int, int]] = []
    scope = 0  # where a fact found here must begin to keep its negation
    for clause in _clauses_of(text):
        scope = clause.start if clause.free else scope
        if not clause.safety:
            continue
        touches = bool(facts) and facts[-1][1] == clause.start and not clause.own
        if touches or (facts and facts[-1][1] > scope):
            facts[-1] = (facts[-1][0], clause.end)
        else:
            facts.append((scope, clause.end))
    return facts


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    safety: int  # the kinds of safety facts it states
    own: bool  # it brings its own predicate
    free: bool  # a cut before it leaves no negation behind that it depends on ("no asthma, diabetes")


def _clauses_of(text: str) -> list[_Clause]:
    borders = [0, *(found.end() for found in _CLAUSE_END.finditer(text))]
    clauses: list[_Clause] = []
    negated = False
    for start, end in pairwise([*borders, len(text)] if borders[-1] < len(text) else borders):
        clause = text[start:end]
        safety = safety_kinds_of(clause)
        own = start == 0 or bool(_NEW_PREDICATE.match(clause))
        listed = start > 0 and text[start - 1] == "、"
        # A list of denied things ends with the first clause that is none.
        negated = negated and not own and bool(safety)
        clauses.append(_Clause(start, end, safety, own, own or not (negated or listed)))
        negated = negated or negates(clause)
    return clauses


def _trimmed(text: str) -> str:
    return text.strip().lstrip("。.，、,；; ").rstrip("，、,；;")


def _cut(text: str, room: int, *, safety: bool, hard: bool) -> str:
    """The best part of a sentence that fits, still verbatim; "" when none is worth it."""
    if len(text) <= room:
        return text
    if room < _CUT_CHARS_MIN:
        return text[: _word_border(text, 0, room)] if hard and room > 0 and not safety else ""
    start, end = _best_clauses(text, room, safety=safety)
    if start == end:
        if not hard:
            return ""
        start, end = _hard_window(text, room, safety=safety)
    part = _trimmed(text[start:end])
    return part if safety_kinds_of(part) or not safety else ""


def _best_clauses(text: str, room: int, *, safety: bool) -> tuple[int, int]:
    """The span of neighbouring clauses that weighs most within the room; an empty span when none does."""
    clauses = _clauses_of(text)
    weights = [_clause_weight(text, clause, safety=safety) for clause in clauses]
    best, best_weight = (0, 0), 0.0
    last, weight = 0, 0.0
    for first, clause in enumerate(clauses):
        while last < len(clauses) and clauses[last].end - clause.start <= room:
            weight += weights[last]
            last += 1
        if last == first:  # a clause longer than the room
            last, weight = first + 1, 0.0
            continue
        if clause.free and weight > best_weight:
            best, best_weight = (clause.start, clauses[last - 1].end), weight
        weight -= weights[first]
    return best


def _clause_weight(text: str, clause: _Clause, *, safety: bool) -> float:
    if safety:
        return safety_weight_of(clause.safety)
    return weight_of(kinds_of(text[clause.start : clause.end]), bot=False)


def _hard_window(text: str, room: int, *, safety: bool) -> tuple[int, int]:
    """As much as fits, of a safety fact about its term: no word is split, and no negation left outside."""
    start = 0
    if safety:
        found = [at for term in safety_terms(text) if (at := text.lower().find(term)) >= 0]
        centre = min(found, default=0)
        start = 0 if centre < room // 2 else min(centre - room // 2, len(text) - room)
        while 0 < start < centre and _inside_word(text[start - 1], text[start]):
            start += 1
        if negates(text[:start]):
            return 0, 0
    return start, _word_border(text, start, start + room)


def _word_border(text: str, start: int, end: int) -> int:
    """The last place up to `end` that splits neither a word nor a number from its unit."""
    at = end
    while at > start and at < len(text) and _inside_word(text[at - 1], text[at]):
        at -= 1
    return at if at > start else end


def _inside_word(before: str, after: str) -> bool:
    if before.isdigit() or before == ".":
        return True
    return before.isascii() and before.isalpha() and after.isascii() and after.isalnum()
