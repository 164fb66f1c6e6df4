"""Summaries as anybody writes them, read into units: ours, a model's, a doctor's note with headings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory.extraction.summary.selection import REST, SAFETY, Piece, Unit, choose
from memory.language.sentences import normalise, split_sentences
from memory.language.speech import asks, is_bare_answer
from memory.language.vocabulary import Kind, kinds_of, safety_kinds_of, safety_weight_of, weight_of

_PREFIX = re.compile(
    r"(?:(?P<bot>AI|医生|助手|Doctor|Assistant)|用户|患者|病人|工具|User|Patient|Tool)"
    r"(?:\([^()\n]{1,40}\))?[:：] ?"
)
_HEADING = re.compile(r"(?:#{1,6} .{1,40}|\*\*[^*]{1,40}\*\*[:：]?|[^。！？!?]{1,40}[:：]\**)")
_LINE = re.compile(r".*\n|.+")
_DENIED_BEFORE = re.compile(r"(?:没|无|不|否认|未|no|never|den(?:y|ies|ied)|without|nt)\w{0,8}$|[\d.]$")
_DENIED_AFTER = re.compile(r".{0,3}(?:排除|不详|否认|阴性|吗|待查)|[\d.]")
_DENIAL_CHARS_MAX = 20
_ANSWER_CHARS_MAX = 24


@dataclass(frozen=True, slots=True)
class _Written:
    """A sentence of a summary, with the heading it stands under."""

    piece: Piece
    heading: Piece | None


def parse(text: str, tier: int, start: int) -> list[Unit]:
    """Anybody's summary as units; positions begin at `start`."""
    groups = _bound_together(_written(text, tier, start))
    return [_unit_of(group, tier, index) for index, group in enumerate(groups)]


def without_said(summary: str, texts: Iterable[str]) -> str:
    """A summary without the sentences that stand word for word in these texts; the same where none does.

    What it says of allergies, conditions and medicines stays: it is also read where those texts are not.
    """
    said = normalise("\n".join(texts))
    units = parse(summary, REST, start=0)
    left = [
        unit for unit in units if unit.tier == SAFETY or not all(normalise(each.text) in said for each in unit.pieces)
    ]
    return choose(left, len(summary)).text() if len(left) < len(units) else summary


def _unit_of(group: list[_Written], tier: int, index: int) -> Unit:
    heading = group[0].heading
    pieces = tuple(written.piece for written in group)
    text = " ".join(piece.text for piece in pieces)
    kinds = kinds_of(text) | (safety_kinds_of(heading.text) if heading else Kind.NONE)
    if kinds & Kind.SAFETY:
        return Unit(pieces, SAFETY, safety_weight_of(kinds), heading)
    prefix = _PREFIX.match(pieces[-1].prefix)
    score = weight_of(kinds, bot=bool(prefix and prefix["bot"]), chars=len(text))
    return Unit(pieces, tier, score + index / 1000, heading)  # of equals the later one


def _written(text: str, tier: int, start: int) -> list[_Written]:
    sentences: list[_Written] = []
    heading: Piece | None = None
    for line in _LINE.finditer(text):
        pieces = _pieces_of(line, tier, start)
        if len(pieces) == 1 and not pieces[0].prefix and _HEADING.fullmatch(pieces[0].text):
            heading = pieces[0]
            sentences.append(_Written(heading, None))
            continue
        # Markdown leaves a line free below a heading, and after the last item.
        ended = not pieces and bool(sentences) and sentences[-1].heading is heading
        if ended or (pieces and pieces[0].prefix):
            heading = None
        sentences += [_Written(piece, heading) for piece in pieces]
    with_items = {written.heading.position for written in sentences if written.heading}
    return [written for written in sentences if written.piece.position not in with_items]


def _pieces_of(line: re.Match[str], tier: int, start: int) -> list[Piece]:
    prefix = _PREFIX.match(line.group())
    spoken_by = prefix.group() if prefix else ""
    offset = start + line.start() + len(spoken_by)
    run = (tier, spoken_by or line.start())
    return [
        Piece(offset + sentence.start, run, spoken_by, sentence.text)
        for sentence in split_sentences(line.group()[len(spoken_by) :])
    ]


def _bound_together(sentences: list[_Written]) -> list[list[_Written]]:
    """Questions with their answers."""
    groups: list[list[_Written]] = []
    for written in sentences:
        if groups and _answers(groups[-1][-1].piece, written.piece):
            groups[-1].append(written)
        else:
            groups.append([written])
    return groups


def _answers(before: Piece, piece: Piece) -> bool:
    if not piece.prefix or len(piece.text) > _ANSWER_CHARS_MAX:
        return False
    if piece.prefix == before.prefix:
        # One "no" after another, as patients answer several questions.
        return is_bare_answer(piece.text) and is_bare_answer(before.text)
    return asks(before.text)


def not_yet_said(old: list[Unit], new: list[Unit]) -> list[Unit]:
    """What the old units say beyond the new ones."""
    said = [_meaning_under_heading(unit) for unit in new]
    anything = "\n".join(said)  # most of the old stands nowhere: one search says so
    fresh = []
    for unit in old:
        meaning = _meaning_under_heading(unit)
        if meaning not in anything or not any(_repeats(meaning, other) for other in said):
            fresh.append(unit)
    return fresh


def _meaning_under_heading(unit: Unit) -> str:
    """So that an allergy to penicillin is not taken as repeated where penicillin is merely named."""
    heading = unit.heading.text if unit.heading and safety_kinds_of(unit.heading.text) else ""
    return normalise(heading) + unit.meaning


def _repeats(old: str, new: str) -> bool:
    """Whether the new says all of the old and does not deny it ("allergic" in "not allergic")."""
    at = new.find(old)
    if at < 0:
        return False
    before, after = new[max(0, at - _DENIAL_CHARS_MAX) : at], new[at + len(old) :]
    return old == new or not (_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(after))
