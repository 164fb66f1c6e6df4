"""Public dialogue sets in one shape: whose dialogues, and which questions with the messages that answer them.

A message is named by its place: its conversation, and its number in it from 1.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from benchmarks.processes import BenchmarkError

T = TypeVar("T")

LOCOMO_KINDS: Final = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
_LOCOMO_DATE: Final = "%I:%M %p on %d %B, %Y"
_EVIDENCE: Final = re.compile(r"D(\d+):(\d+)")
_MORNING: Final = "T09:00:00+00:00"
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")


class Place(NamedTuple):
    """One message."""

    conversation: str
    number: int


@dataclass(frozen=True, slots=True)
class Message:
    """One message as WriteMessages takes it; `name` is empty for a speaker without one."""

    role: str
    content: str
    occurred_at: str
    name: str = ""

    @property
    def speaker(self) -> str:
        """Who stands before it in a written history."""
        return self.name or self.role


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages that are written together; they are finalised then, unless it `lives` on."""

    conversation_id: str
    messages: Sequence[Message]
    lives: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question. Each item of `evidence` is found when one of its places is."""

    text: str
    evidence: Sequence[frozenset[Place]]
    kind: str


@dataclass(frozen=True, slots=True)
class Case:
    """One user: the dialogues, and what is asked about them."""

    user: str
    conversations: Sequence[Conversation]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Material:
    """A set of one language. `left_out` counts questions whose evidence names no message."""

    name: str
    language: str
    cases: Sequence[Case]
    left_out: int = 0

    @property
    def questions(self) -> int:
        """How many are asked."""
        return sum(len(case.questions) for case in self.cases)

    @property
    def messages(self) -> int:
        """How many are written."""
        return sum(len(conversation.messages) for case in self.cases for conversation in case.conversations)


def read(path: Path, reader: Callable[[str], T]) -> T:
    """Read a file. Raises BenchmarkError, which says what to do, when it is not there or has another format."""
    try:
        return reader(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BenchmarkError(f"{path} can't be read ({error.strerror}); give the path of the data set") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BenchmarkError(
            f"{path} does not have the format that was expected ({type(error).__name__}: {error}); "
            "benchmarks/evaluation/README.md says which file belongs to which command"
        ) from error


def locomo_time(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a moment; LoCoMo names no zone, UTC is taken."""
    return datetime.strptime(text.strip(), _LOCOMO_DATE).replace(tzinfo=UTC)


def read_locomo(text: str) -> Material:
    """LoCoMo: one user for each conversation, one conversation of the gateway for each session."""
    cases, left_out = [], 0
    for number, sample in enumerate(json.loads(text), 1):
        sessions = dict(_locomo_sessions(sample["conversation"], number))
        questions = [_locomo_question(asked, sessions) for asked in sample["qa"]]
        kept = [question for question in questions if question is not None]
        left_out += len(questions) - len(kept)
        cases.append(Case(f"locomo-{number}", list(sessions.values()), kept))
    return Material("LoCoMo", "en", cases, left_out)


def _locomo_sessions(dialogue: Mapping[str, Any], number: int) -> Iterator[tuple[int, Conversation]]:
    for session in range(1, len(dialogue) + 1):
        turns = dialogue.get(f"session_{session}")
        if turns:
            start = locomo_time(dialogue[f"session_{session}_date_time"])
            messages = [_locomo_message(turn, start + timedelta(seconds=index)) for index, turn in enumerate(turns)]
            yield session, Conversation(f"locomo-{number}-s{session}", messages)


def _locomo_message(turn: Mapping[str, Any], moment: datetime) -> Message:
    caption = turn.get("blip_caption")
    content = f"{turn['text']} [{caption}]" if caption else turn["text"]
    return Message("user", content, moment.isoformat(), turn["speaker"])


def _locomo_question(asked: Mapping[str, Any], sessions: Mapping[int, Conversation]) -> Question | None:
    evidence = [place_of(text, sessions) for text in asked["evidence"]]
    places = [frozenset({place}) for place in evidence if place is not None]
    if not places or len(places) < len(evidence):
        return None
    return Question(asked["question"], list(dict.fromkeys(places)), LOCOMO_KINDS[asked["category"]])


def place_of(evidence: str, sessions: Mapping[int, Conversation]) -> Place | None:
    """The message that `D<session>:<turn>` names; None when there is no such message."""
    named = _EVIDENCE.fullmatch(evidence.strip())
    session = sessions.get(int(named[1])) if named else None
    if named is None or session is None or not 1 <= int(named[2]) <= len(session.messages):
        return None
    return Place(session.conversation_id, int(named[2]))


def memorybank_reader(questions: Sequence[Mapping[str, Any]]) -> Callable[[str], Material]:
    """A reader of MemoryBank's dialogues: one user each, one conversation for each date."""

    def reader(text: str) -> Material:
        people = json.loads(text)
        ids = {person: f"memorybank-{number}" for number, person in enumerate(people, 1)}
        cases = [
            Case(
                user=ids[person],
                conversations=[_memorybank_day(ids[person], *day) for day in entry["history"].items()],
                questions=[
                    _memorybank_question(ids[person], entry["history"], asked)
                    for asked in questions
                    if asked["user"] == person
                ],
            )
            for person, entry in people.items()
        ]
        strangers = {asked["user"] for asked in questions} - set(people)
        if strangers:
            raise ValueError(f"the questions name {', '.join(sorted(strangers))}, whom the dialogues do not have")
        return Material("MemoryBank", "zh", cases)

    return reader


def read_questions(text: str) -> list[dict[str, Any]]:
    """Questions in JSON Lines: `user`, `question`, `evidence` as pairs of date and exchange from 0, `kind`."""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _memorybank_day(user: str, date: str, exchanges: Sequence[Mapping[str, str]]) -> Conversation:
    start = datetime.fromisoformat(date + _MORNING)
    said = [(role, one[field]) for one in exchanges for role, field in (("user", "query"), ("assistant", "response"))]
    messages = [
        Message(role, content, (start + timedelta(seconds=30 * index)).isoformat())
        for index, (role, content) in enumerate(said)
    ]
    return Conversation(f"{user}-{date}", messages)


def _memorybank_question(user: str, history: Mapping[str, Sequence[Any]], asked: Mapping[str, Any]) -> Question:
    evidence = []
    for date, exchange in asked["evidence"]:
        if not 0 <= exchange < len(history[date]):
            raise ValueError(f"there is no exchange {exchange} on {date}: {asked['question']}")
        evidence.append(frozenset(Place(f"{user}-{date}", 2 * exchange + side) for side in (1, 2)))
    return Question(asked["question"], evidence, asked["kind"])


def read_solo_chat(text: str) -> Material:
    """A chat of one person with an assistant over several days: one conversation for each day, no questions."""
    days: dict[str, list[Message]] = {}
    for one in json.loads(text)["conversation_list"]:
        role = "assistant" if one["sender"].startswith("robot") else "user"
        days.setdefault(one["create_time"][:10], []).append(Message(role, one["content"], one["create_time"]))
    conversations = [Conversation(f"solo-chat-{day}", messages) for day, messages in days.items()]
    language = "zh" if _CHINESE.search(text) else "en"
    return Material("solo chat", language, [Case("solo-chat", conversations, ())])


def pending(material: Material, last: int) -> Material:
    """The last conversations of each user stay alive; the kind of a question is where its evidence is then."""
    return replace(material, cases=[_pending(case, last) for case in material.cases])


def _pending(case: Case, last: int) -> Case:
    lives = {one.conversation_id for one in case.conversations[-last:]}

    def kind(question: Question) -> str:
        held = {place.conversation in lives for item in question.evidence for place in item}
        return "evidence pending" if True in held else "evidence in memory"

    return replace(
        case,
        conversations=[replace(one, lives=one.conversation_id in lives) for one in case.conversations],
        questions=[replace(question, kind=kind(question)) for question in case.questions],
    )


def limited(material: Material, count: int | None) -> Material:
    """At most `count` questions, evenly over the set; of users without a question nothing is written."""
    places = [(case.user, question) for case in material.cases for question in case.questions]
    if count is None or count >= len(places):
        return material
    chosen = [places[index * len(places) // count] for index in range(count)]
    cases = [
        Case(case.user, case.conversations, [question for user, question in chosen if user == case.user])
        for case in material.cases
    ]
    kept = [case for case in cases if case.questions]
    return Material(material.name, material.language, kept, material.left_out)


def history_text(case: Case) -> str:
    """All of a user's dialogues as a bot without a memory would send them."""
    lines = (f"{message.speaker}: {message.content}" for part in case.conversations for message in part.messages)
    return "\n".join(lines)
