"""The summary that needs no model: the sentences worth keeping, word for word.

A summary is chosen from *units*: a sentence, or sentences that say nothing apart (a bot's question with
the patient's "no"; a heading "Allergies:" with its items). Units are placed best first while they fit, and
stand in dialogue order. Safety facts come before everything else.

    dialogue -> _Said -> Unit --+
                                 +--> Draft (limit, order, speaker prefixes) -> text
    summaries ---------> Unit --+
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.extraction.summary.parsing import not_yet_said, parse
from memory.extraction.summary.selection import OLD_REST, REQUEST, REST, SAFETY, Piece, Unit, choose
from memory.language.sentences import split_sentences
from memory.language.speech import asks, is_bare_answer, is_small_talk
from memory.language.vocabulary import (
    Kind,
    concerns_patient,
    kinds_of,
    safety_kinds_of,
    safety_terms,
    safety_weight_of,
    weight_of,
)

_LABELS = {
    "zh": {"user": "用户", "assistant": "AI", "tool": "工具"},
    "en": {"user": "User", "assistant": "AI", "tool": "Tool"},
}
_NAME_CHARS_MAX = 40
_NAME_UNSAFE = str.maketrans("()（）\n\r", "[][]  ")

_ANSWER_CHARS_MAX = 24
_QUESTIONS_PER_ANSWER_MAX = 3

_SUBSTANCE_WEIGHT = 8
_FIRST_COMPLAINT_WEIGHT = 25
_LAST_QUESTION_WEIGHT = 30
_OWN_CASE_WEIGHT = 8
_OWN_WORDS_WEIGHT = 100  # what a patient says of an allergy outranks what a bot repeats


@dataclass(frozen=True, slots=True)
class Line:
    """One message: role is user, assistant, tool or system; the name tells users of a team apart."""

    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of the dialogue with what it is about."""

    piece: Piece
    role: str
    turn: int
    kinds: int

    @property
    def substantial(self) -> bool:
        """Whether it says something standing alone."""
        text = self.piece.text
        announces = self.role == "assistant" and text.endswith((":", "："))
        return not (announces or is_bare_answer(text) or is_small_talk(text, self.kinds))


def is_safety(sentence: str) -> bool:
    """Whether a sentence speaks of allergies, conditions, operations, pregnancy, self-harm or drugs taken.

    Negated facts count ("no known allergies"). Errs towards yes: a fact kept in vain costs a few characters.
    """
    return bool(safety_kinds_of(sentence))


def summarise(lines: Sequence[Line], *, limit_chars: int, locale: str = "zh") -> str:
    """Choose what a doctor needs from a dialogue, verbatim, in order, within `limit_chars` characters.

    Deterministic; the time grows linearly with the dialogue. A sentence too long for the limit is cut at a
    clause border. Safety facts are never left out while anything else is kept.
    """
    labels = _LABELS["en" if locale.lower().startswith("en") else "zh"]
    turns = _read(lines, labels)
    units = _units_of(turns)
    if not units:
        units = _tool_units(turns) or _first_and_last(turns)
    return choose(units, limit_chars).text()


def merge_summaries(previous: str, new: str, *, limit_chars: int) -> str:
    """Add a new summary to what earlier ones said, within `limit_chars` characters.

    What `previous` says beyond `new` comes first, then `new` in full. For want of room the least important
    of `previous` goes first. `new` is cut when it alone is over the limit, or when an earlier safety fact
    needs the room: no safety fact is lost while anything else is kept.
    """
    previous, new = previous.strip(), new.strip()
    new_units = parse(new, REST, start=0)
    old_units = not_yet_said(parse(previous, OLD_REST, start=-len(previous) - 1), new_units)
    if len(new) <= limit_chars:
        room = limit_chars - len(new) - bool(new)
        old = choose(old_units, room)
        if old.holds_whole(unit for unit in old_units if unit.tier == SAFETY):
            return "\n".join(text for text in (old.text(), new) if text)
    return choose([*old_units, *new_units], limit_chars).text()


def _read(lines: Sequence[Line], labels: dict[str, str]) -> list[list[_Said]]:
    """The sentences of each message; roles without a label (system) are noise."""
    turns: list[list[_Said]] = []
    position = 0
    for line in lines:
        if line.role not in labels:
            continue
        prefix = _prefix(labels[line.role], line.name)
        turn = []
        for sentence in split_sentences(line.text):
            piece = Piece(position, prefix, prefix, sentence.text)
            turn.append(_Said(piece, line.role, len(turns), kinds_of(sentence.text)))
            position += 1
        if turn:
            turns.append(turn)
    return turns


def _prefix(label: str, name: str) -> str:
    # A name must not be able to look like another speaker's line.
    name = " ".join(name.translate(_NAME_UNSAFE).split())[:_NAME_CHARS_MAX]
    return f"{label}({name}): " if name else f"{label}: "


def _units_of(turns: list[list[_Said]]) -> list[Unit]:
    groups = _groups_of(turns)
    by_user = [group for group in groups if group[-1].role == "user"]
    bonus = _bonuses(by_user)
    request = _request_positions(by_user)
    known_terms: set[str] = set()
    units = []
    for group in groups:
        tier, score = _rate(group, known_terms)
        position = group[-1].piece.position
        score += bonus.get(position, 0)
        if tier != SAFETY and position in request:
            tier = REQUEST
        if score > 0:
            units.append(Unit(tuple(said.piece for said in group), tier, score))
    return units


def _groups_of(turns: list[list[_Said]]) -> list[tuple[_Said, ...]]:
    exchange = _Exchange()
    for turn in turns:
        if turn[0].role == "assistant":
            exchange.bot_says(turn)
        elif turn[0].role == "user":
            exchange.user_says(turn)
    return exchange.groups


class _Exchange:
    """Sentences that count, alone or as a bot's questions with the user's answers."""

    def __init__(self) -> None:
        self.groups: list[tuple[_Said, ...]] = []
        self._asked: list[_Said] = []
        self._answered: int | None = None  # the group that holds the answers to `_asked`
        self._user_spoke = False

    def bot_says(self, turn: list[_Said]) -> None:
        """A bot's questions wait for their answer; what else it says counts by itself."""
        if self._user_spoke:
            self._asked, self._answered, self._user_spoke = [], None, False
        self._asked += [said for said in turn if asks(said.piece.text)]
        self._asked = self._asked[-_QUESTIONS_PER_ANSWER_MAX:]
        self.groups += [(said,) for said in turn if said.substantial and not asks(said.piece.text)]

    def user_says(self, turn: list[_Said]) -> None:
        """What answers stands with its questions, the rest counts by itself."""
        self._user_spoke = True
        taken = self._take_answer(turn)
        self.groups += [(said,) for said in turn[taken:] if said.substantial]

    def _take_answer(self, turn: list[_Said]) -> int:
        if self._answered is None:
            answer = _answer(self._asked, turn)
            if answer:
                self._answered = len(self.groups)
                self.groups.append((*self._asked, *answer))
            return len(answer)
        if not is_bare_answer(turn[0].piece.text):
            return 0
        # Patients answer several questions in several messages: "no" belongs to what was asked.
        self.groups[self._answered] = (*self.groups[self._answered], turn[0])
        return 1


def _answer(asked: list[_Said], turn: list[_Said]) -> list[_Said]:
    """The sentences of a user's message that mean little without the question before them."""
    first = turn[0]
    wanted = _union(asked) & ~(Kind.QUESTION | Kind.NUMBER | Kind.MEASURE)
    if not wanted or asks(first.piece.text) or wanted & first.kinds == wanted:
        return []
    if sum(len(said.piece.text) for said in turn) <= _ANSWER_CHARS_MAX:
        return turn
    if is_bare_answer(first.piece.text):
        return turn[:2]
    short = len(first.piece.text) <= _ANSWER_CHARS_MAX
    return turn[:1] if short or wanted & Kind.SAFETY else []


def _union(group: Iterable[_Said]) -> int:
    kinds: int = Kind.NONE
    for said in group:
        kinds |= said.kinds
    return kinds


def _bonuses(by_user: list[tuple[_Said, ...]]) -> dict[float, float]:
    """Weight for the place in the dialogue: what brought the user here, and the last thing asked."""
    complaints = Kind.SYMPTOM | Kind.SAFETY
    first = next((group for group in by_user if _union(group) & complaints), next(iter(by_user), None))
    last = next((group for group in reversed(by_user) if group[-1].kinds & Kind.QUESTION), None)
    bonus = {first[-1].piece.position: _FIRST_COMPLAINT_WEIGHT} if first else {}
    if last:
        position = last[-1].piece.position
        bonus[position] = bonus.get(position, 0) + _LAST_QUESTION_WEIGHT
    return dict(bonus)


def _request_positions(by_user: list[tuple[_Said, ...]]) -> set[float]:
    """Where the user's last message of substance says or asks something."""
    if not by_user:
        return set()
    final = [group[-1] for group in by_user if group[-1].turn == by_user[-1][-1].turn]
    asking = [said.piece.position for said in final if said.kinds & Kind.QUESTION]
    return {final[0].piece.position, *asking[-1:]}


def _rate(group: tuple[_Said, ...], known_terms: set[str]) -> tuple[int, float]:
    """The tier and score of what was said; the safety terms it brings become known."""
    kinds = _union(group)
    text = " ".join(said.piece.text for said in group)
    bot = group[-1].role != "user"
    if kinds & Kind.SAFETY and _states_safety(group, text, known_terms):
        known_terms |= safety_terms(text)
        return SAFETY, safety_weight_of(kinds) + (0 if bot else _OWN_WORDS_WEIGHT)
    if not bot and kinds & Kind.QUESTION and len(group) == 1:
        kinds &= ~Kind.DECISION  # asking for advice is not advice
    score = weight_of(kinds, bot=bot, chars=len(text))
    if not bot:
        return REST, score + _SUBSTANCE_WEIGHT
    if score <= _OWN_CASE_WEIGHT:
        return REST, 0
    return REST, score + (_OWN_CASE_WEIGHT if concerns_patient(text) else 0)


def _states_safety(group: tuple[_Said, ...], text: str, known_terms: set[str]) -> bool:
    """A user's statement always counts; a question, or a bot's sentence, if it brings something new."""
    said = group[-1]
    if len(group) > 1 or (said.role == "user" and not said.kinds & Kind.QUESTION):
        return True
    if said.role != "user" and not concerns_patient(text):
        return False
    return not safety_terms(text) <= known_terms


def _tool_units(turns: list[list[_Said]]) -> list[Unit]:
    said = [said for turn in turns for said in turn if said.role == "tool"]
    return [
        Unit((one.piece,), REST, weight_of(one.kinds, bot=False))
        for one in said
        if one.kinds & (Kind.NUMBER | Kind.DECISION)
    ]


def _first_and_last(turns: list[list[_Said]]) -> list[Unit]:
    said = [said for turn in turns for said in turn]
    chosen = [one for one in said if one.role == "user"] or said
    return [Unit((one.piece,), REQUEST, 0) for one in dict.fromkeys([*chosen[:1], *chosen[-1:]])]
