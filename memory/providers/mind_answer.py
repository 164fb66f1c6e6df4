"""What a model is asked to answer about a dialogue, and the reading of what it does answer, item by item.

Nothing in an answer is trusted. What can be told for certain is mended: prose around the JSON is cut off, a predicate
that the rules know by another name is called by theirs, an importance is brought between 0 and 1, the message of a
quote is found by the quote. An item that cannot be mended is left out and counted, the others stay. Only an answer
that holds no list of items is refused. Whether a quote stands in its message is checked once more where memories are
made.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, WithJsonSchema

from memory.clinical.people import USER
from memory.errors import InvariantBroken
from memory.model.extraction import Extraction, FoundCause, FoundEpisode, FoundEvent, FoundFact, Said
from memory.model.predicates import PREDICATES, nearest
from memory.model.statement import Statement
from memory.providers.mind_json import items_of
from memory.providers.mind_mending import (
    ATTRIBUTE_NAME_CHARS_MAX,
    ATTRIBUTE_TEXT_CHARS_MAX,
    ATTRIBUTES_MAX,
    Shown,
    mended_event,
    mended_fact,
    mended_quote,
    moment_of,
)

FACTS_MAX: Final = 200
EVENTS_MAX: Final = 100
EPISODES_MAX: Final = 32
RELATIONS_MAX: Final = 100
CAUSES_MAX: Final = 50
NAME_CHARS_MAX: Final = 128
PREDICATE_CHARS_MAX: Final = 64
OBJECT_CHARS_MAX: Final = 300
QUOTE_CHARS_MAX: Final = 2_000
EVENT_CHARS_MAX: Final = 1_000
TITLE_CHARS_MAX: Final = 120
EPISODE_CHARS_MAX: Final = 4_000
STATEMENTS_MAX: Final = 200
STATEMENT_CHARS_MAX: Final = 1_000
STATEMENT_SEQS_MAX: Final = 100
_SCHEMA_WORDS: Final = ("type", "properties", "required", "additionalProperties", "items", "enum", "$ref", "$defs")
"""What every endpoint with strict schemas knows. Lengths and bounds are only ours to check."""

ASKED: Final[tuple[str, ...]] = tuple(row.name for row in PREDICATES.values() if row.asked)
"""The predicates that a model is asked for; others become facts under a name of its own."""
_NO_CONTROLS: Final = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"


def _text(chars_max: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=chars_max, pattern=_NO_CONTROLS)


class RejectedOutput(InvariantBroken):
    """The model's answer holds nothing that was asked for. The reason names fields, never their texts."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class _Attribute(_Part):
    name: Annotated[str, _text(ATTRIBUTE_NAME_CHARS_MAX)]
    text: Annotated[str, _text(ATTRIBUTE_TEXT_CHARS_MAX)]


class _Fact(_Part):
    seq: int
    subject: Annotated[str, _text(NAME_CHARS_MAX)]
    predicate: Annotated[str, _text(PREDICATE_CHARS_MAX), WithJsonSchema({"enum": list(ASKED), "type": "string"})]
    object: Annotated[str, _text(OBJECT_CHARS_MAX)]
    polarity: Literal["+", "-"]
    quote: Annotated[str, _text(QUOTE_CHARS_MAX)]
    importance: Annotated[float, Field(ge=0, le=1)]
    attributes: Annotated[list[_Attribute], Field(max_length=ATTRIBUTES_MAX)]


class _Event(_Part):
    seq: int
    text: Annotated[str, _text(EVENT_CHARS_MAX)]
    date: Annotated[str, _text(40)]
    quote: Annotated[str, _text(QUOTE_CHARS_MAX)]
    importance: Annotated[float, Field(ge=0, le=1)]


class _Episode(_Part):
    participant: Annotated[str, _text(NAME_CHARS_MAX)]
    title: Annotated[str, _text(TITLE_CHARS_MAX)]
    content: Annotated[str, _text(EPISODE_CHARS_MAX)]


class _Relation(_Part):
    seq: int
    subject: Annotated[str, _text(NAME_CHARS_MAX)]
    relation: Annotated[str, _text(PREDICATE_CHARS_MAX)]
    object: Annotated[str, _text(OBJECT_CHARS_MAX)]
    quote: Annotated[str, _text(QUOTE_CHARS_MAX)]


class _Cause(_Part):
    seq: int
    cause: Annotated[str, _text(QUOTE_CHARS_MAX)]
    effect: Annotated[str, _text(QUOTE_CHARS_MAX)]
    quote: Annotated[str, _text(QUOTE_CHARS_MAX)]


class _Answer(_Part):
    facts: Annotated[list[_Fact], Field(max_length=FACTS_MAX)]
    events: Annotated[list[_Event], Field(max_length=EVENTS_MAX)]
    episodes: Annotated[list[_Episode], Field(max_length=EPISODES_MAX)]
    relations: Annotated[list[_Relation], Field(max_length=RELATIONS_MAX)]
    causes: Annotated[list[_Cause], Field(max_length=CAUSES_MAX)]


class _Statement(_Part):
    seqs: Annotated[list[int], Field(min_length=1, max_length=STATEMENT_SEQS_MAX)]
    text: Annotated[str, _text(STATEMENT_CHARS_MAX)]


class _AnswerAlone(_Answer):
    """Of a dialogue in which only the user speaks."""

    statements: Annotated[list[_Statement], Field(max_length=STATEMENTS_MAX)]


def schema(*, alone: bool = False) -> dict[str, Any]:
    """The JSON schema of an answer (with statements if `alone`), in the words that strict structured output takes."""
    plain: dict[str, Any] = _plain((_AnswerAlone if alone else _Answer).model_json_schema())
    return plain


def read_answer(content: str, messages: Sequence[Said], *, alone: bool = False, last: bool = False) -> Extraction:
    """What an answer holds that can be used; `dropped` counts by reason what cannot. Pure.

    Raises RejectedOutput when it holds none of the lists that were asked for, or breaks off and may be asked for again
    (`last`: it may not; then what came before the break is read).
    """
    names = tuple((_AnswerAlone if alone else _Answer).model_fields)
    found, whole = items_of(content, names)
    if not found:
        raise RejectedOutput(f"no JSON object with the lists {', '.join(names)}")
    if not whole and not last:
        raise RejectedOutput("the answer breaks off: be shorter, and whole")
    reading = _Reading(messages)
    return Extraction(
        facts=[*reading.facts(found.get("facts", ())), *reading.relations(found.get("relations", ()))],
        events=list(reading.events(found.get("events", ()))),
        episodes=list(reading.episodes(found.get("episodes", ()))),
        statements=list(reading.statements(found.get("statements", ()))) if alone else (),
        dropped=reading.dropped,
        causes=list(reading.causes(found.get("causes", ()))),
    )


class _Reading:
    """One answer as it is read: what was shown, and what had to be left out."""

    def __init__(self, messages: Sequence[Said]) -> None:
        self._shown = Shown.of(messages)
        self.dropped: Counter[str] = Counter()

    def facts(self, items: Sequence[Any]) -> Iterator[FoundFact]:
        """The facts, in the order in which they were told."""
        for item in self._few(items, FACTS_MAX, "facts"):
            fact = self._checked(_Fact, mended_fact(item, self._shown), "facts")
            if isinstance(fact, _Fact) and self._is_said(fact.seq, "facts"):
                attributes = {each.name: each.text for each in fact.attributes}
                yield FoundFact(**fact.model_dump(exclude={"attributes"}), attributes=attributes)

    def events(self, items: Sequence[Any]) -> Iterator[FoundEvent]:
        """The events that happen at a time."""
        for item in self._few(items, EVENTS_MAX, "events"):
            event = self._checked(_Event, mended_event(item, self._shown), "events")
            if not isinstance(event, _Event) or not self._is_said(event.seq, "events"):
                continue
            occurred_ms = moment_of(event.date, self._shown.clocks[event.seq])
            if occurred_ms is None:
                self._drop("events.date: no day or moment")
                continue
            yield FoundEvent(event.seq, event.text, occurred_ms, event.quote, event.importance)

    def relations(self, items: Sequence[Any]) -> Iterator[FoundFact]:
        """What holds between people and things that are not the speaker alone, in words of the model's own."""
        for item in self._few(items, RELATIONS_MAX, "relations"):
            one = self._checked(_Relation, mended_quote(item, self._shown), "relations")
            if not isinstance(one, _Relation) or not self._is_said(one.seq, "relations"):
                continue
            if nearest(one.relation) in PREDICATES or one.subject == USER:  # `facts` says whether that is so
                self._drop("relations.relation: one of facts")
                continue
            yield FoundFact(one.seq, one.subject, one.relation, one.object, "+", one.quote)

    def causes(self, items: Sequence[Any]) -> Iterator[FoundCause]:
        """What led to what, by the words of one message."""
        for item in self._few(items, CAUSES_MAX, "causes"):
            one = self._checked(_Cause, mended_quote(item, self._shown), "causes")
            if isinstance(one, _Cause) and self._is_said(one.seq, "causes"):
                yield FoundCause(one.seq, one.cause, one.effect, one.quote)

    def episodes(self, items: Sequence[Any]) -> Iterator[FoundEpisode]:
        """One for each person; what an answer tells of one twice is one."""
        told: dict[str, list[str]] = {}
        for item in self._few(items, EPISODES_MAX, "episodes"):
            episode = self._checked(_Episode, item, "episodes")
            if not isinstance(episode, _Episode):
                continue
            if episode.participant not in self._shown.people:
                self._drop("episodes.participant: not one of the participants")
                continue
            told.setdefault(episode.participant, []).append(f"{episode.title}\n{episode.content}")
        for participant, texts in told.items():
            yield FoundEpisode(participant, "\n\n".join(dict.fromkeys(texts)))

    def statements(self, items: Sequence[Any]) -> Iterator[Statement]:
        """Sentences that stand alone; each quotes the messages that it is made of."""
        for item in self._few(items, STATEMENTS_MAX, "statements"):
            one = self._checked(_Statement, item, "statements")
            if not isinstance(one, _Statement):
                continue
            seqs = sorted(set(one.seqs) & self._shown.own.keys())
            if len(seqs) < len(set(one.seqs)):
                self._drop("statements.seqs: not the seq of a message with own = true")
                continue
            yield Statement(one.text, seqs, [self._shown.own[seq] for seq in seqs])

    def _few(self, items: Sequence[Any], most: int, name: str) -> Sequence[Any]:
        if len(items) > most:
            self.dropped[f"{name}: too many"] += len(items) - most
        return items[:most]

    def _checked(self, part: type[_Part], item: object, name: str) -> _Part | None:
        if isinstance(item, Mapping):
            item = {key: value for key, value in item.items() if key in part.model_fields}
        try:
            return part.model_validate(item)
        except ValidationError as error:
            self._drop(f"{name}{_reason(error)}")
        return None

    def _is_said(self, seq: int, name: str) -> bool:
        known = seq in self._shown.own
        if not known:
            self._drop(f"{name}.seq: not the seq of a message with own = true, and its quote stands in none")
        return known

    def _drop(self, reason: str) -> None:
        self.dropped[reason] += 1


def _reason(error: ValidationError) -> str:
    """Where and what is wrong first, without the value."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return "".join(f".{part}" for part in first["loc"] if isinstance(part, str)) + f": {first['type']}"


def _plain(value: Any) -> Any:
    """A schema with nothing but `_SCHEMA_WORDS`; names of properties and definitions stay as they are."""
    if not isinstance(value, Mapping):
        return value
    plain: dict[str, Any] = {}
    for word, part in value.items():
        if word in {"properties", "$defs"}:
            plain[word] = {name: _plain(inner) for name, inner in part.items()}
        elif word in _SCHEMA_WORDS:
            plain[word] = _plain(part)
    return plain
