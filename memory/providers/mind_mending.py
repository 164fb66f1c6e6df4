"""What can be mended of an item that a model gives, without guessing what it meant."""

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, tzinfo
from typing import Any, Final, NamedTuple

from memory.model.extraction import Said
from memory.model.predicates import importance_of, nearest

_EVENT_IMPORTANCE: Final = 0.5
ATTRIBUTES_MAX: Final = 12
ATTRIBUTE_NAME_CHARS_MAX: Final = 64
ATTRIBUTE_TEXT_CHARS_MAX: Final = 300
_YEARS: Final = (1900, 2200)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})", re.IGNORECASE | re.ASCII
)
_SPACE: Final = re.compile(r"\s+")
_POLARITIES: Final = {
    **dict.fromkeys(("+", "positive", "true", "yes", "affirmed", "present", "肯定", "是"), "+"),
    **dict.fromkeys(("-", "−", "negative", "false", "no", "negated", "denied", "absent", "否定", "否"), "-"),
}


class Shown(NamedTuple):
    """What a model was shown: the messages of people by seq, who they are, and the clock of each message."""

    own: Mapping[int, str]
    people: frozenset[str]
    clocks: Mapping[int, tzinfo]

    @classmethod
    def of(cls, messages: Sequence[Said]) -> "Shown":
        """Pieces of one message are one."""
        own: dict[int, str] = {}
        for message in messages:
            if message.own:
                own[message.seq] = own.get(message.seq, "") + message.text
        people = frozenset(message.speaker for message in messages if message.own)
        return cls(own, people, {message.seq: message.clock for message in messages})

    def seq_of(self, seq: object, quote: str) -> object:
        """The message that says the quote: that one where it does, else the only one that does."""
        number = int(seq) if isinstance(seq, str) and seq.isascii() and seq.isdecimal() else seq
        said = _SPACE.sub("", quote)
        saying = [own for own, text in self.own.items() if said and said in _SPACE.sub("", text)]
        return saying[0] if len(saying) == 1 and number not in saying else number


def mended_fact(item: object, shown: Shown) -> object:
    """A fact with the message of its quote, a predicate of the table, a polarity and an importance that are some."""
    if not isinstance(item, Mapping):
        return item
    fact = _mended(item, shown)
    predicate = nearest(str(fact.get("predicate", "")))
    fact["predicate"] = predicate
    fact["object"] = _as_text(fact.get("object"))
    fact["importance"] = _share(fact.get("importance"), importance_of(predicate))
    fact["polarity"] = _POLARITIES.get(str(fact.get("polarity", "")).strip().casefold(), fact.get("polarity"))
    fact["attributes"] = _attributes(fact.get("attributes"))
    return fact


def mended_event(item: object, shown: Shown) -> object:
    """An event with the message of its quote and an importance that is one."""
    if not isinstance(item, Mapping):
        return item
    event = _mended(item, shown)
    event["importance"] = _share(event.get("importance"), _EVENT_IMPORTANCE)
    return event


def mended_quote(item: object, shown: Shown) -> object:
    """An item with the message of its quote."""
    return _mended(item, shown) if isinstance(item, Mapping) else item


def moment_of(date: str, clock: tzinfo) -> int | None:
    """Milliseconds since the epoch of a day (its start by the clock) or a moment with its offset; None for neither."""
    moment = None
    with suppress(ValueError):
        if _DAY.fullmatch(date):
            moment = datetime.fromisoformat(date).replace(tzinfo=clock)
        elif _MOMENT.fullmatch(date):
            moment = datetime.fromisoformat(date.upper())
    if moment is None or not _YEARS[0] <= moment.year < _YEARS[1]:
        return None
    return int(moment.timestamp() * 1000)


def _mended(item: Mapping[str, Any], shown: Shown) -> dict[str, Any]:
    quote = item.get("quote")
    return {**item, "seq": shown.seq_of(item.get("seq"), quote if isinstance(quote, str) else "")}


def _as_text(value: object) -> object:
    """A number is its digits."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _share(value: object, otherwise: float) -> float:
    """A number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return otherwise
    return float(min(1, max(0, value)))


def _attributes(value: object) -> list[Any]:
    """As they are asked for, or as one object; what is not a short text under a short name is left out."""
    if isinstance(value, Mapping):
        value = [{"name": name, "text": text} for name, text in value.items()]
    if not isinstance(value, list):
        return []
    pairs = [(each.get("name"), _as_text(each.get("text"))) for each in value if isinstance(each, Mapping)]
    return [
        {"name": name, "text": text}
        for name, text in pairs
        if isinstance(name, str) and isinstance(text, str)
        if 0 < len(name.strip()) <= ATTRIBUTE_NAME_CHARS_MAX and 0 < len(text.strip()) <= ATTRIBUTE_TEXT_CHARS_MAX
    ][:ATTRIBUTES_MAX]
