"""A dialogue as what counts in it: sentences alone, or a bot's questions with the user's answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from memory.extraction.summary.selection import Piece
from memory.language.sentences import split_sentences
from memory.language.speech import asks, is_bare_answer, is_small_talk
from memory.language.vocabulary import Kind, kinds_of

_LABELS = {
    "zh": {"user": "用户", "assistant": "AI", "tool": "工具"},
    "en": {"user": "User", "assistant": "AI", "tool": "Tool"},
}
_NAME_CHARS_MAX = 40
_NAME_UNSAFE = str.maketrans("()（）\n\r", "[][]  ")

_ANSWER_CHARS_MAX = 24
_QUESTIONS_PER_ANSWER_MAX = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One message: role is user, assistant, tool or system; the name tells users of a team apart."""

    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Said:
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


def read(lines: Sequence[Line], locale: str) -> list[list[Said]]:
    """The sentences of each message, its speaker told in that language; what system messages say is noise."""
    labels = _LABELS["en" if locale.lower().startswith("en") else "zh"]
    turns: list[list[Said]] = []
    position = 0
    for line in lines:
        if line.role not in labels:
            continue
        prefix = _prefix(labels[line.role], line.name)
        turn = []
        for sentence in split_sentences(line.text):
            piece = Piece(position, prefix, prefix, sentence.text)
            turn.append(Said(piece, line.role, len(turns), kinds_of(sentence.text)))
            position += 1
        if turn:
            turns.append(turn)
    return turns


def _prefix(label: str, name: str) -> str:
    # A name must not be able to look like another speaker's line.
    name = " ".join(name.translate(_NAME_UNSAFE).split())[:_NAME_CHARS_MAX]
    return f"{label}({name}): " if name else f"{label}: "


def groups_of(turns: list[list[Said]]) -> list[tuple[Said, ...]]:
    """What counts, in the order in which it was said; the last of a group says who says it."""
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
        self.groups: list[tuple[Said, ...]] = []
        self._asked: list[Said] = []
        self._answered: int | None = None  # the group that holds the answers to `_asked`
        self._user_spoke = False

    def bot_says(self, turn: list[Said]) -> None:
        """A bot's questions wait for their answer; what else it says counts by itself."""
        if self._user_spoke:
            self._asked, self._answered, self._user_spoke = [], None, False
        self._asked += [said for said in turn if asks(said.piece.text)]
        self._asked = self._asked[-_QUESTIONS_PER_ANSWER_MAX:]
        self.groups += [(said,) for said in turn if said.substantial and not asks(said.piece.text)]

    def user_says(self, turn: list[Said]) -> None:
        """What answers stands with its questions, the rest counts by itself."""
        self._user_spoke = True
        taken = self._take_answer(turn)
        self.groups += [(said,) for said in turn[taken:] if said.substantial]

    def _take_answer(self, turn: list[Said]) -> int:
        if self._answered is None:
            answer = _answer(self._asked, turn)
            if answer:
                self._answered = len(self.groups)
                self.groups.append((*self._asked, *_without_thanks(answer)))
            return len(answer)
        if not is_bare_answer(turn[0].piece.text):
            return 0
        # Patients answer several questions in several messages: "no" belongs to what was asked.
        self.groups[self._answered] = (*self.groups[self._answered], turn[0])
        return 1


def _answer(asked: list[Said], turn: list[Said]) -> list[Said]:
    """The sentences of a user's message that mean little without the question before them."""
    first = turn[0]
    wanted = union(asked) & ~(Kind.QUESTION | Kind.NUMBER | Kind.MEASURE)
    if not wanted or asks(first.piece.text) or wanted & first.kinds == wanted:
        return []
    if wanted & Kind.SAFETY and first.kinds & Kind.SAFETY:  # 没有药物过敏史。我住在北京: the rest counts by itself
        return list(takewhile(lambda said: said.kinds & Kind.SAFETY or is_bare_answer(said.piece.text), turn))
    if sum(len(said.piece.text) for said in turn) <= _ANSWER_CHARS_MAX:
        return turn
    if is_bare_answer(first.piece.text):
        return turn[:2]
    short = len(first.piece.text) <= _ANSWER_CHARS_MAX
    return turn[:1] if short or wanted & Kind.SAFETY else []


def _without_thanks(answer: list[Said]) -> list[Said]:
    """What of an answer says something; the whole, where nothing does."""
    return [said for said in answer if said.substantial or is_bare_answer(said.piece.text)] or answer


def union(group: Iterable[Said]) -> int:
    """All that the sentences of a group are about."""
    kinds: int = Kind.NONE
    for said in group:
        kinds |= said.kinds
    return kinds
