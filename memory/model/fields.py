"""The types of fields that callers send: what is checked of each, wherever it stands. Lengths count characters."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from memory import limits
from memory.model.as_models_write import folded
from memory.model.memory import Category, Kind, Type
from memory.model.relations import NAMES
from memory.scope import ID_PATTERN
from memory.zones import zone_of


def _zoned(text: str) -> str:
    """An RFC 3339 time with the offset of its writer's clock: yesterday is the day before on that."""
    refusal = "must be an RFC 3339 time with a zone, e.g. 2026-01-31T08:30:00Z"
    try:
        moment = datetime.fromisoformat(text)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(refusal) from None
    if moment.tzinfo is None:
        raise ValueError(refusal)
    return moment.isoformat().replace("+00:00", "Z")


def _utc(text: str) -> str:
    """Normalise an RFC 3339 time to UTC with a trailing Z."""
    return datetime.fromisoformat(_zoned(text)).astimezone(UTC).isoformat().replace("+00:00", "Z")


def known_zone(name: str) -> str:
    """The name of a time zone. Raises ValueError for one that is not known here."""
    if zone_of(name) is None:
        raise ValueError("must be the IANA name of a time zone, e.g. Asia/Shanghai")
    return name


_TYPE_NAMES: Final = {"事件": "event", "事实": "fact", "关系": "relation", "观点": "opinion"}
_TYPES_MEANT: Final = {**_TYPE_NAMES, "relationship": "relation"}


def _type_name(value: Any) -> Any:
    """The name of a type, from the Chinese one too, however it is written."""
    if not isinstance(value, str):
        return value
    name = folded(value)
    return _TYPES_MEANT.get(name, name if name in set(Type) else value)


def _searched(kind: Kind) -> Kind:
    if kind is Kind.LINK:
        raise ValueError("links are not searched: list them by ListMemories")
    return kind


def _relation(value: Any) -> Any:
    """The name of a relation, from any of the words for it."""
    return NAMES.get(folded(value), value) if isinstance(value, str) else value


def _json_chars(limit: int) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if len(json.dumps(value, ensure_ascii=False)) > limit:
            raise ValueError(f"must not be longer than {limit} characters as JSON")
        return value

    return check


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Rfc3339 = Annotated[str, StringConstraints(max_length=64), AfterValidator(_utc)]
ZonedTime = Annotated[str, StringConstraints(max_length=64), AfterValidator(_zoned)]
TimeZone = Annotated[str, StringConstraints(max_length=64), AfterValidator(known_zone)]
Query = Annotated[str, StringConstraints(max_length=limits.QUERY_CHARS_MAX)]
Answer = Annotated[str, StringConstraints(max_length=limits.ANSWER_CHARS_MAX)]
Summary = Annotated[str, StringConstraints(max_length=limits.SUMMARY_CHARS_MAX)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=limits.NAME_CHARS_MAX)]
Fact = Annotated[str, StringConstraints(min_length=1, max_length=limits.FACT_CHARS_MAX, pattern=r"\S")]
Facts = Annotated[list[Fact], Field(max_length=limits.FACTS_PER_KIND_MAX)]
GraphCursor = Annotated[str, StringConstraints(pattern=r"^([el][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$")]
"""The edge or link that a page of a graph ended with."""
KindName = Annotated[Kind, Field(strict=False)]
SearchedKind = Annotated[Kind, Field(strict=False), AfterValidator(_searched)]
RelationType = Annotated[
    Literal["causes", "cites", "based_on", "related"],
    BeforeValidator(_relation),
    WithJsonSchema({"type": "string", "enum": sorted(NAMES)}),
]
CategoryName = Annotated[Category, Field(strict=False)]
TypeName = Annotated[
    Type,
    Field(strict=False),
    BeforeValidator(_type_name),
    WithJsonSchema({"type": "string", "enum": [*map(str, Type), *_TYPE_NAMES]}),
]
RecentTurns = Annotated[int, Field(ge=0, le=limits.RECENT_TURNS_MAX)]
Revision = Annotated[int, Field(ge=0, le=limits.REVISION_MAX)]
IdempotencyKey = Annotated[str, StringConstraints(min_length=1, max_length=limits.IDEMPOTENCY_KEY_CHARS_MAX)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=limits.ENTITY_KEY_CHARS_MAX)]
EntityValue = Annotated[Any, AfterValidator(_json_chars(limits.ENTITY_JSON_CHARS_MAX))]
Entities = Annotated[dict[Key, EntityValue], Field(max_length=limits.ENTITIES_PER_UPDATE_MAX)]
Slot = Annotated[dict[str, Any], AfterValidator(_json_chars(limits.SLOT_JSON_CHARS_MAX))]
PreferenceValue = Annotated[Any, AfterValidator(_json_chars(limits.PREFERENCE_JSON_CHARS_MAX))]
Preferences = Annotated[dict[Key, PreferenceValue], Field(max_length=limits.PREFERENCES_MAX)]
