"""Facts that a caller tells as triples: memories like those that are found, made at once."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.clinical.people import USER
from memory.consolidation.derive import Derived, fact_category, fact_type, indexed
from memory.language.choice import has_han
from memory.model.memory import CALLER, Category, Kind, Memory, Source, id_of
from memory.model.predicates import NAME, PREDICATES
from memory.scope import UserScope
from memory.session.safety import REACTION, WHY, Detail


@dataclass(frozen=True, slots=True)
class Told:
    """A triple. Times are ms; `conversation` may be empty, `quote` too: the triple then speaks for itself.

    `polarity` "-": it is not so. `about_ms`: when that was said of which this is told, 0: it stands alone; `seqs`: the
    messages that say it. `lasts`: it is always kept in mind, as what it puts right was.
    """

    subject: str
    predicate: str
    object: str
    quote: str
    conversation: str
    told_ms: int
    valid_from_ms: int | None = None
    polarity: str = "+"
    about_ms: int = 0
    seqs: Sequence[int] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    importance: float = 1.0
    lasts: bool = False


def verdict_on(detail: Detail, *, holds: bool, now_ms: int, why: str = "") -> Told:
    """What a caller says of a safety fact: that it is so, or not. It is said after that of which it is said."""
    attributes = {REACTION: detail.reaction, WHY: why}
    return Told(
        subject=detail.subject,
        predicate=detail.kind,
        object=detail.text,
        quote=detail.quote,
        conversation=detail.conversation,
        told_ms=max(now_ms, detail.said_ms),
        valid_from_ms=detail.said_ms if holds and detail.said_ms else None,
        polarity="+" if holds else "-",
        about_ms=detail.said_ms,
        seqs=(detail.seq,) if detail.seq else (),
        attributes={name: text for name, text in attributes.items() if text},
    )


def told_fact(scope: UserScope, told: Told) -> Derived:
    """The memory of a triple. Told again it is the same one."""
    denied = ("-",) if told.polarity == "-" else ()
    digest = hashlib.sha256("\n".join((told.subject, told.predicate, told.object, *denied)).encode()).hexdigest()
    text = told.quote or _in_words(told)
    category = fact_category(told.predicate, "+", subject=told.subject)
    memory = Memory(
        memory_id=id_of(f"{scope}/{CALLER}/{Kind.FACT}/{digest}", scope.tenant, scope.user),
        user_id=scope.user,
        kind=Kind.FACT,
        category=Category.CORE if told.lasts else category,
        type=fact_type(told.predicate),
        text=text,
        source=Source(told.conversation, "", tuple(told.seqs), told.quote),
        occurred_ms=told.told_ms,
        recorded_ms=told.told_ms,
        importance=told.importance,
        subject=told.subject,
        predicate=told.predicate,
        object=told.object,
        polarity=told.polarity,
        attributes=dict(told.attributes),
        mind=CALLER,
        valid_from_ms=told.told_ms if told.valid_from_ms is None else told.valid_from_ms,
    )
    return indexed(memory)


def name_told(name: str, now_ms: int) -> Told:
    """What a caller says that a user is called. It is of no conversation: it stays when one is forgotten."""
    return Told(subject=USER, predicate=NAME, object=name, quote="", conversation="", told_ms=now_ms)


def _in_words(told: Told) -> str:
    """A triple whose words nobody quotes. What is not so must not read as if it were."""
    chinese, denied = has_han(told.subject + told.object), told.polarity == "-"
    row = PREDICATES.get(told.predicate)
    if row is None:
        said = f"{told.subject} {told.predicate} {told.object}"
        return said if not denied else f"并非：{said}" if chinese else f"not: {said}"
    if not chinese:
        return f"{told.subject} {(row.denied if denied else row.holds)['en']} {told.object}"
    who = "用户" if told.subject == USER else told.subject
    return f"{who}{row.denied['zh'] if denied else '的' + row.label['zh']}：{told.object}"
