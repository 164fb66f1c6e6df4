"""Statements: what a user said in a session as sentences that stand alone. Pure rules, Chinese and English.

Pronouns are resolved, sentences about the same person are put together, and what nobody would look for is left out with
a reason. Nothing is reworded but an introduction (我女儿叫灿灿 becomes 灿灿是我的女儿); a doubt keeps sentences apart.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, NamedTuple

from memory.extraction.facts.reading import find_facts, introduced_names
from memory.extraction.statements.resolved import CONTEXT_UTTERANCES, Piece, resolve_message
from memory.extraction.statements.subjects import Cast, Told, cast_of, put_together, take_apart
from memory.language.conditions import IF_ZH
from memory.language.coreference.resolving import Utterance
from memory.language.speech import is_bare_answer
from memory.model.extraction import Said
from memory.model.predicates import is_single
from memory.model.statement import Statement, Statements
from memory.privacy.gate.decision import classify

STATEMENT_CHARS_MAX: Final = 160
"""A statement that others join grows no longer than this; one message may be."""
STATEMENT_CLAUSES_MAX: Final = 8
"""So many sentences are put together at most."""

QUESTION: Final = "question"
COMMAND: Final = "command"
PUBLIC: Final = "public"
SMALL_TALK: Final = "small_talk"
UNRESOLVED: Final = "unresolved"
EMPTY: Final = "empty"
_TELLING_FIRST: Final = (UNRESOLVED, QUESTION, PUBLIC, COMMAND, SMALL_TALK, EMPTY)
_REASONS: Final = {"question": QUESTION, "command": COMMAND, "courtesy": SMALL_TALK, "empty": SMALL_TALK}
_ASKED: Final = re.compile(r"[?？]")
# A clause that leads on to a question says nothing without it.
_LEADS_ON: Final = re.compile(
    r"(?:(?:另外|还有|那么?|请问|医生|好的|谢谢)[，, ]?)*"
    rf"(?:如果|{IF_ZH}|假如|若|除了|除此|对于|关于|根据|按照|请问|我?想(?:问|咨询|了解|知道)|当.*时|另外|那)"
    r"|\s*(?:and |but |so |also )?(?:if|when|besides|as for|regarding|apart from|in addition)\b",
    re.IGNORECASE,
)
_STOPS: Final = "。.！!~～…，, "
_CLOSED: Final = re.compile(r"[^\w\s]$")
_CLAUSES: Final = re.compile(r"(?<=[，,；;])")


class _Kept(NamedTuple):
    """A sentence that is kept, from message `seq`."""

    seq: int
    piece: Piece
    told: Told | None


@dataclass(slots=True)
class _Group:
    """Sentences that become one statement."""

    text: str
    seqs: list[int]
    quotes: list[str]
    told: Told | None = None
    predicates: list[str] = field(default_factory=list)
    values: dict[tuple[str, str], str] = field(default_factory=dict)


def make_statements(messages: Sequence[Said], user_name: str = "") -> Statements:
    """What the user's own messages of one session state, in the order in which each statement was begun.

    Every message with text is in a statement or in `skipped`, with a stable reason. Raises nothing; linear in the
    number of messages for a given number of people.
    """
    own = [said for said in messages if said.own]
    texts = [said.text for said in own]
    reader = _Reader(cast_of(texts), introduced_names(texts), user_name)
    skipped: dict[int, str] = {}
    partly: dict[int, str] = {}
    groups: list[_Group] = []
    latest: dict[str, _Group] = {}
    for index, said in enumerate(own):
        before = [Utterance("user", text) for text in texts[max(0, index - CONTEXT_UTTERANCES) : index]]
        kept, reasons = reader.read(said, before)
        if reasons or not kept:
            left_out = partly if kept else skipped
            left_out[said.seq] = min(reasons, key=_TELLING_FIRST.index, default=EMPTY)
        for run in _runs(kept):
            _add(run, groups, latest)
    made: dict[str, list[_Group]] = {}
    for group in groups:
        made.setdefault(group.text, []).append(group)
    return Statements([_statement(text, same) for text, same in made.items()], skipped, partly)


class _Reader(NamedTuple):
    cast: Cast
    people: frozenset[str]
    user_name: str

    def read(self, said: Said, before: Sequence[Utterance]) -> tuple[list[_Kept], list[str]]:
        """The sentences of a message that are kept, and why the others are not."""
        kept: list[_Kept] = []
        reasons: list[str] = []
        for piece in resolve_message(said.text, before, self.user_name).pieces:
            stated = _without_question(piece)
            reason = self._left_out(stated) if stated else QUESTION
            if stated and not reason:
                kept.append(_Kept(said.seq, stated, take_apart(stated.text, self.cast)))
            else:
                reasons.append(reason)
            if stated and stated != piece:
                reasons.append(QUESTION)
        return kept, reasons

    def _left_out(self, piece: Piece) -> str:
        verdict = classify(piece.text)
        reason = _REASONS.get(verdict.rule, PUBLIC) if verdict.label == "PUBLIC" else ""
        if reason in (QUESTION, COMMAND, SMALL_TALK):
            return reason
        if is_bare_answer(piece.text):
            return SMALL_TALK
        # A bare time answers a question that is not here.
        if not piece.clear or (verdict.rule == "time" and len(verdict.clause) >= len(piece.text.strip(_STOPS))):
            return UNRESOLVED
        return "" if self._of_somebody_known(piece) else reason

    def _of_somebody_known(self, piece: Piece) -> bool:
        return any(name in piece.text for name in self.cast.names) or any(
            fact.subject != "user" for fact in find_facts(piece.text, self.user_name, self.people)
        )


def _without_question(piece: Piece) -> Piece | None:
    """A sentence without the clauses in which it asks; None if it only asks."""
    text, said = _told(piece.text), _told(piece.said)
    if text == piece.text:
        return piece
    return piece._replace(text=text, said=said) if text and classify(text).label == "PRIVATE" else None


def _told(sentence: str) -> str:
    """What a sentence tells before it asks: 我怀孕三个月了 of 我怀孕三个月了，能吃布洛芬吗."""
    clauses = _CLAUSES.split(sentence)
    if not _ASKED.search(sentence) and (len(clauses) == 1 or classify(clauses[-1]).rule != "question"):
        return sentence
    told = takewhile(lambda clause: not _LEADS_ON.match(clause) and classify(clause).rule != "question", clauses[:-1])
    return "".join(told).rstrip("，,；; ")


def _runs(kept: Sequence[_Kept]) -> Iterator[list[_Kept]]:
    """Sentences of a message that stay side by side as they were said; one about somebody known is alone."""
    run: list[_Kept] = []
    for one in kept:
        if one.told:
            if run:
                yield run
            run = []
            yield [one]
        else:
            run.append(one)
    if run:
        yield run


def _add(run: Sequence[_Kept], groups: list[_Group], latest: dict[str, _Group]) -> None:
    first = run[0]
    group = latest.get(first.told.key) if first.told else None
    if first.told and group and _joins(group, first.told):
        group.seqs.append(first.seq)
        group.quotes.append(first.piece.said)
        return
    text = _as_said([one.piece.text for one in run])
    # What comes after "yesterday she had a fever" is not to be put before it.
    heads = {key: known.told.head for key, known in latest.items() if known.told}
    for key in [key for key, head in heads.items() if key in text or head in text]:
        del latest[key]
    group = _Group(text, [first.seq], [one.piece.said for one in run])
    if first.told:
        _begin(group, first)
        latest[first.told.key] = group
    groups.append(group)


def _as_said(sentences: Sequence[str]) -> str:
    chinese = any("\u4e00" <= char <= "\u9fff" for char in sentences[0])
    stop, space = ("。", "") if chinese else (".", " ")
    closed = [text if _CLOSED.search(text) else text + stop for text in sentences[:-1]]
    return space.join([*closed, sentences[-1]])


def _begin(group: _Group, one: _Kept) -> None:
    told = one.told
    if told is None:
        return
    group.told = told
    group.predicates = list(told.predicates)
    group.values = _values(told)
    if not one.piece.text.startswith(told.head):
        group.text = put_together(told.head, group.predicates, chinese=told.chinese)


def _joins(group: _Group, told: Told) -> bool:
    """Add a sentence to a group, unless it says something else of the same thing, or the group is full."""
    new = [said for said in told.predicates if said not in group.predicates]
    if not new:
        return True
    head = group.told.head if group.told else told.head
    predicates = [*group.predicates, *new]
    text = put_together(head, predicates, chinese=told.chinese)
    values = _values(told)
    mixed = group.told is not None and group.told.chinese != told.chinese
    otherwise = any(group.values.get(thing, value) != value for thing, value in values.items())
    full = len(text) > STATEMENT_CHARS_MAX or len(predicates) > STATEMENT_CLAUSES_MAX
    if mixed or otherwise or full:
        return False
    group.text, group.predicates = text, predicates
    group.values.update(values)
    return True


def _values(told: Told) -> dict[tuple[str, str], str]:
    """What a sentence sets: the one age or home that somebody has, and whether each other thing is so or not."""
    sentence = put_together(told.head, told.predicates, chinese=told.chinese)
    facts = find_facts(sentence, known=frozenset({told.head}))
    return {
        (fact.predicate, "" if is_single(fact.predicate) else fact.object): (
            fact.object if is_single(fact.predicate) else fact.polarity
        )
        for fact in facts
    }


def _statement(text: str, groups: Sequence[_Group]) -> Statement:
    seqs = dict.fromkeys(seq for group in groups for seq in group.seqs)
    quotes = dict.fromkeys(quote for group in groups for quote in group.quotes)
    return Statement(text, tuple(sorted(seqs)), tuple(quotes))
