"""An English query rewritten so that it stands alone: at most one pronoun, replaced only where that is safe.

Chat differs from the prose that `choose_antecedent` was fitted on: people are introduced ("my daughter Lily"), roles
are said without a name ("my boss"), and most "it" and "there" point at nothing. So a query asks for a certain source,
and for no rival to it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memory.language.coreference.en.points import Span, case_of, names_in
from memory.language.coreference.en.words import (
    FEMALE_NAMES,
    FEMALE_ROLES,
    MALE_NAMES,
    MALE_ROLES,
    NEUTRAL_ROLES,
    NOT_PLACES,
    PET_ROLES,
    THING_VERBS,
    VAGUE,
)
from memory.language.coreference.values import USER, Resolution, Utterance, unchanged

QUERY_CHARS_MAX: Final = 120
"""A longer query stands alone."""
UTTERANCE_CHARS_MAX: Final = 300
"""Only the start of a longer utterance is read."""


class _Said(NamedTuple):
    """A person, pet, thing or place that an utterance names; `sex` is "m", "f", "pet", "thing", "place" or ""."""

    text: str
    sex: str
    source: str
    utterance: int


_ROLE_SEXES: Final = {
    **dict.fromkeys(NEUTRAL_ROLES, ""),
    **dict.fromkeys(MALE_ROLES, "m"),
    **dict.fromkeys(FEMALE_ROLES, "f"),
    **dict.fromkeys(PET_ROLES, "pet"),
}
_ROLES: Final = "|".join(sorted(map(re.escape, _ROLE_SEXES), key=len, reverse=True))
_NAME: Final = r"[A-Z][a-z'\u00e0-\u024f-]+(?: [A-Z][a-z'\u00e0-\u024f-]+)?"

_POINTING: Final = re.compile(r"\b(?:s?he|him|hers?|his|it|its|there)\b", re.IGNORECASE)
_PERSON: Final = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_IT: Final = re.compile(
    rf"(?:\b(?:{'|'.join(THING_VERBS)}) (?P<object>it)\b(?! (?:is|was|that|when|if|to))"
    r"|\b(?:how (?:much|big|old|heavy|fast|long) (?:is|was)|does|did|will"
    r"|where (?:is|was|did (?:i|you|we) (?:buy|get|put|find))) (?P<subject>it)\b"
    r"(?! (?:rain|snow|matter|take|mean|make sense|seem|look like|feel like|hurt)))",
    re.IGNORECASE,
)
_THERE: Final = re.compile(
    r"\b(?P<to>go|went|going|been|travel|fly|drive|get|move|moving|moved|return)? ?\b(?P<word>there)\b"
    r"(?! (?:is|are|was|were|will|has|have|had|must|might|may|be|any|a|an|no|some|seem|s)\b)(?!['’])",
    re.IGNORECASE,
)
_ASKS_EXISTENCE: Final = re.compile(
    r"\b(?:is|are|was|were|will|be|isn't|aren't|has|have|had|over|out|up|in|hi|hey|hello) there\b", re.IGNORECASE
)

_INTRODUCED: Final = re.compile(
    rf"\b[Mm]y (?:[a-z]+ )?(?P<kin>{_ROLES})(?:'s name is|,? (?:is )?(?:called|named)|,)? (?P<x>{_NAME})(?=$|[\s.,!?])"
    rf"|(?:^|[.!?] )(?P<y>{_NAME}) is my (?:[a-z]+ )?(?P<relation>{_ROLES})\b"
)
_ROLE: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<role>(?:(?:older|younger|little|big|ex|eldest|youngest|best) )?(?:{_ROLES}))\b(?!'s)"
)
_VOCATIVE: Final = re.compile(
    rf"(?:^|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Tt]hanks|[Tt]hank you|[Bb]ye),? )(?P<x>{_NAME})(?=,|!|$)"
    rf"|\b(?:I am|I'm|I’m|[Mm]y name is|[Cc]all me) (?P<me>{_NAME})"
)
_OBJECT: Final = re.compile(
    r"\b(?:bought|ordered|adopted|got|made|cooked|baked|watched|read|finished|started|tried|sold|found|lost|broke|"
    r"installed|downloaded|watching|reading|playing|learning|using|buying|wearing|take|taking|have|own) "
    r"(?:a|an|the|my|some|this) (?P<x>(?:[a-z-]+ ){0,2}[a-z-]{3,})"
    r"(?=$|[.,!?]| (?:yesterday|today|last|this|for|from|at|in|on|and|but|because|online)\b)"
)
_TITLE: Final = re.compile(r"[\"“](?P<x>[A-Z][^\"“”]{1,40})[\"”]")
_PLACE: Final = re.compile(
    rf"\b(?:to|in|visit|visited|visiting|from|near|at|around|leave|left|reached|love) (?P<x>{_NAME})(?=$|[\s.,!?])"
)


def resolve_en(query: str, context: Sequence[Utterance], user_name: str) -> Resolution:
    """Replace the pronoun of an English query; see `memory.language.coreference.resolving.resolve`."""
    if len(query) > QUERY_CHARS_MAX:
        return unchanged(query, "too_long")
    if not context or not _POINTING.search(query):
        return unchanged(query, "no_context" if _POINTING.search(query) else "no_pronoun")
    said = [one for index, utterance in enumerate(context) for one in _read(index, utterance, user_name)]
    if pronoun := _PERSON.search(query):
        return _person(query, Span(*pronoun.span()), said)
    if it := _IT.search(query):
        place = Span(*it.span("object" if it["object"] else "subject"))
        return _replaced(query, place, "it", _it(said, len(context) - 1))
    return _there(query, said)


def introductions(text: str) -> list[tuple[str, str]]:
    """Names that a text introduces, each with what they are to the speaker: my daughter Mia, Mia is my daughter."""
    return [
        (match["x"], match["kin"]) if match["x"] else (match["y"], match["relation"])
        for match in _INTRODUCED.finditer(text)
    ]


def _there(query: str, said: Sequence[_Said]) -> Resolution:
    there = _THERE.search(query)
    if there and not _ASKS_EXISTENCE.search(query):
        found = _only([one for one in said if one.sex == "place"])
        if isinstance(found, _Said):
            found = found._replace(text=("to " if there["to"] else "in ") + found.text)
        return _replaced(query, Span(*there.span("word")), "there", found)
    return unchanged(query, "no_pronoun")


def _person(query: str, pronoun: Span, said: Sequence[_Said]) -> Resolution:
    if names_in(query, pronoun.start) or _ROLE.search(query, 0, pronoun.start):
        return unchanged(query, "antecedent_in_query")
    sex = "f" if query[pronoun.start : pronoun.end].lower() in {"she", "her"} else "m"
    fitting = [one for one in said if one.sex in (sex, "")]
    named = [one for one in fitting if one.source != "role"]
    sexed = [one for one in fitting if one.source == "role" and one.sex == sex]
    if named:
        found = _only(named)
        if isinstance(found, str):
            found = _twice(named) or found
        if isinstance(found, _Said) and any(one.utterance > found.utterance for one in sexed):
            found = _only(sexed)
    else:
        found = _only(sexed or fitting)
    if isinstance(found, _Said) and case_of(query, pronoun) == "owner":
        found = found._replace(text=found.text + "'s")
    return _replaced(query, pronoun, "person", found)


def _it(said: Sequence[_Said], last: int) -> _Said | str:
    for source in ("introduced", "title", "object"):
        sexes = ("pet", "thing")
        if options := [
            one
            for one in said
            if one.source == source and one.sex in sexes and (source != "object" or one.utterance <= last)
        ]:
            return _only(options)
    return "no_antecedent"


def _only(options: Sequence[_Said]) -> _Said | str:
    """The one that is named, or why not."""
    if not options:
        return "no_antecedent"
    return options[-1] if len({one.text for one in options}) == 1 else "two_rivals"


def _twice(options: Sequence[_Said]) -> _Said | None:
    """The one that two utterances name, while every other is named once."""
    again = [
        one for one in options if any(one.text == other.text and one.utterance != other.utterance for other in options)
    ]
    found = _only(again)
    return None if isinstance(found, str) else found._replace(source="name_twice")


def _replaced(query: str, place: Span, rule: str, found: _Said | str) -> Resolution:
    if isinstance(found, str):
        return unchanged(query, "two_rivals" if found == "two_rivals" else "no_antecedent")
    if found.text.removesuffix("'s").lower() in query.lower():
        return unchanged(query, "antecedent_in_query")
    old = query[place.start : place.end]
    new = found.text[0].upper() + found.text[1:] if place.start == 0 else found.text
    return Resolution(
        query[: place.start] + new + query[place.end :], changed=True, reason=f"{rule}.{found.source}: {old} -> {new}"
    )


def _read(index: int, utterance: Utterance, user_name: str) -> Iterator[_Said]:
    """Everything an utterance names, without those who talk."""
    text = utterance.text[:UTTERANCE_CHARS_MAX]
    talkers = {match["x"] or match["me"] for match in _VOCATIVE.finditer(text)} | {user_name}
    taken: set[str] = set()
    for name, kin in introductions(text):
        taken.update((name, kin))
        yield _Said(name, _ROLE_SEXES[kin], "introduced", index)
    for name, sex in _named(text):
        if name not in talkers and name not in taken:
            yield _Said(name, sex, "name", index)
    own = "my" if utterance.speaker in (USER, "") else "your"
    if own == "my":
        for match in _ROLE.finditer(text):
            if match["role"] not in taken:
                yield _Said(f"my {match['role']}", _ROLE_SEXES[match["role"].split()[-1]], "role", index)
    yield from _things(index, text)


def _named(text: str) -> Iterator[tuple[str, str]]:
    for span in names_in(text, len(text)):
        name = text[span.start : span.end]
        first = name.split()[0]
        if first in MALE_NAMES or first in FEMALE_NAMES:
            yield name, "m" if first in MALE_NAMES else "f"


def _things(index: int, text: str) -> Iterator[_Said]:
    for match in _TITLE.finditer(text):
        yield _Said(match["x"], "thing", "title", index)
    for match in _OBJECT.finditer(text):
        if match["x"].split()[-1] not in VAGUE:
            yield _Said(f"the {match['x']}", "thing", "object", index)
    for match in _PLACE.finditer(text):
        first = match["x"].split()[0]
        if first not in NOT_PLACES and first not in MALE_NAMES and first not in FEMALE_NAMES:
            yield _Said(match["x"], "place", "place", index)
