"""What a model may answer about a dialogue, and the strict reading of it: right as a whole, or refused as a whole.

Nothing in an answer is trusted. It has these fields and no others, within these lengths and counts; it speaks only of
messages and people it was shown, and only in the predicates that the rules know. Whether a quote stands in its message
is checked once more where memories are made.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)

from memory.errors import InvariantBroken
from memory.model.extraction import Extraction, FoundEpisode, FoundEvent, FoundFact, Said
from memory.model.predicates import PREDICATES
from memory.model.statement import Statement

FACTS_MAX: Final = 200
EVENTS_MAX: Final = 100
EPISODES_MAX: Final = 32
NAME_CHARS_MAX: Final = 128
OBJECT_CHARS_MAX: Final = 300
QUOTE_CHARS_MAX: Final = 2_000
EVENT_CHARS_MAX: Final = 1_000
TITLE_CHARS_MAX: Final = 120
EPISODE_CHARS_MAX: Final = 4_000
STATEMENTS_MAX: Final = 200
STATEMENT_CHARS_MAX: Final = 1_000
STATEMENT_SEQS_MAX: Final = 100
_YEARS: Final = (1900, 2200)
_ERRORS_TOLD_MAX: Final = 5
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})", re.IGNORECASE | re.ASCII
)
_THOUGHTS: Final = ("<think>", "</think>")
_FENCE: Final = "```"
_FENCES_OF_A_BLOCK: Final = 2
_SCHEMA_WORDS: Final = ("type", "properties", "required", "additionalProperties", "items", "enum", "$ref", "$defs")
"""What every endpoint with strict schemas knows. Lengths and bounds are only ours to check."""

ASKED: Final[tuple[str, ...]] = tuple(row.name for row in PREDICATES.values() if row.asked)
"""The predicates that a model may name."""
_NO_CONTROLS: Final = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"


def _text(chars_max: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=chars_max, pattern=_NO_CONTROLS)


def _known(predicate: str) -> str:
    if predicate not in ASKED:
        raise ValueError("not a predicate")
    return predicate


class RejectedOutput(InvariantBroken):
    """The model's answer is not what was asked for, again and again. The reason names fields, never their texts."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class _Fact(_Part):
    seq: int
    subject: Annotated[str, _text(NAME_CHARS_MAX)]
    predicate: Annotated[str, AfterValidator(_known), WithJsonSchema({"enum": list(ASKED), "type": "string"})]
    object: Annotated[str, _text(OBJECT_CHARS_MAX)]
    polarity: Literal["+", "-"]
    quote: Annotated[str, _text(QUOTE_CHARS_MAX)]
    importance: Annotated[float, Field(ge=0, le=1)]


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


class _Answer(_Part):
    facts: Annotated[list[_Fact], Field(max_length=FACTS_MAX)]
    events: Annotated[list[_Event], Field(max_length=EVENTS_MAX)]
    episodes: Annotated[list[_Episode], Field(max_length=EPISODES_MAX)]


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


def read_answer(content: str, messages: Sequence[Said], *, alone: bool = False) -> Extraction:
    """The facts, events, episodes and (if `alone`) statements of an answer. Raises RejectedOutput; pure.

    The answer is JSON, bare or in one fenced block, whatever a model thought aloud before it.
    """
    try:
        answer = (_AnswerAlone if alone else _Answer).model_validate_json(_json_of(content))
    except ValidationError as error:
        raise RejectedOutput(_reason(error)) from None
    own = {message.seq for message in messages if message.own}
    people = {message.speaker for message in messages if message.own}
    _require_known(answer, own, people)
    return Extraction(
        facts=[FoundFact(**fact.model_dump()) for fact in answer.facts],
        events=[
            FoundEvent(event.seq, event.text, _occurred_ms(event.date, index), event.quote, event.importance)
            for index, event in enumerate(answer.events)
        ],
        episodes=[FoundEpisode(one.participant, f"{one.title}\n{one.content}") for one in answer.episodes],
        statements=_statements(answer, messages) if isinstance(answer, _AnswerAlone) else (),
    )


def _statements(answer: _AnswerAlone, messages: Sequence[Said]) -> list[Statement]:
    """Each quotes the messages that it is made of."""
    said = {message.seq: message.text for message in messages if message.own}
    made = []
    for index, one in enumerate(answer.statements):
        seqs = sorted(set(one.seqs))
        if not said.keys() >= set(seqs):
            raise RejectedOutput(f"statements.{index}.seqs: not the seq of a message with own = true")
        made.append(Statement(one.text, seqs, [said[seq] for seq in seqs]))
    return made


def _json_of(content: str) -> str:
    """The JSON of an answer: its one fenced block, or all of it."""
    spoken = content.strip()
    if spoken.startswith(_THOUGHTS[0]):
        spoken = spoken.partition(_THOUGHTS[1])[2].strip()
    lines = spoken.split("\n")
    fences = [number for number, line in enumerate(lines) if line.startswith(_FENCE)]
    if len(fences) != _FENCES_OF_A_BLOCK or lines[fences[0]].strip() not in {_FENCE, f"{_FENCE}json"}:
        return spoken
    return "\n".join(lines[fences[0] + 1 : fences[1]])


def _require_known(answer: _Answer, own: set[int], people: set[str]) -> None:
    """Only messages and people that were shown, and each person once."""
    named = [(f"facts.{index}", fact.seq) for index, fact in enumerate(answer.facts)]
    named += [(f"events.{index}", event.seq) for index, event in enumerate(answer.events)]
    for place, seq in named:
        if seq not in own:
            raise RejectedOutput(f"{place}.seq: not the seq of a message with own = true")
    told = [episode.participant for episode in answer.episodes]
    for index, participant in enumerate(told):
        if participant not in people:
            raise RejectedOutput(f"episodes.{index}.participant: not one of the participants")
        if participant in told[:index]:
            raise RejectedOutput(f"episodes.{index}.participant: this participant has an episode already")


def _occurred_ms(date: str, index: int) -> int:
    """Milliseconds since the epoch of a day (its start in UTC) or a moment with its offset."""
    moment = None
    with suppress(ValueError):
        if _DAY.fullmatch(date):
            moment = datetime.fromisoformat(date).replace(tzinfo=UTC)
        elif _MOMENT.fullmatch(date):
            moment = datetime.fromisoformat(date.upper())
    if moment is None or not _YEARS[0] <= moment.year < _YEARS[1]:
        raise RejectedOutput(f"events.{index}.date: neither YYYY-MM-DD nor RFC 3339, or no such day")
    return int(moment.timestamp() * 1000)


def _reason(error: ValidationError) -> str:
    """Where and what, without the values: a place that the model named itself is not told either."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{'.'.join(map(_place, one['loc'])) or 'answer'}: {one['type']}" for one in errors[:_ERRORS_TOLD_MAX]]
    more = len(errors) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "")


def _place(part: int | str) -> str:
    return str(part) if isinstance(part, int) or part in _FIELDS else "a field that is not known"


_FIELDS: Final = frozenset(
    name for model in (_AnswerAlone, _Fact, _Event, _Episode, _Statement) for name in model.model_fields
)  # fmt: skip


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
