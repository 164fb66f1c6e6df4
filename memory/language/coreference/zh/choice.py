"""Which candidate a Chinese mention stands for: decision lists, the most reliable source first.

Inside a source the last one said wins; two different ones in the same utterance are rivals, and then nothing is
chosen. Weak sources do not count in the utterance right before the query where another speaker may have said it:
what one answers is more often a new subject than the old one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from memory.language.coreference.zh.candidates import Said, Source, Thing
from memory.language.coreference.zh.mentions import Mention
from memory.language.coreference.zh.people import How, Person
from memory.language.coreference.zh.words import DISEASE, DRUG
from memory.language.tagger import PERSON, PLACE, THING

NO_ANTECEDENT: Final = "no_antecedent"
TWO_RIVALS: Final = "two_rivals"
_OBJECT_UTTERANCE_CHARS_MAX: Final = 60


class Choice(NamedTuple):
    """An antecedent with the source it came from."""

    source: str
    text: str


class Heard(NamedTuple):
    """What was said before a query, the utterance whose weak sources are dropped, and who is no third person."""

    said: Sequence[Said]
    weak: int | None
    talkers: Sequence[str]


class _Spot(NamedTuple):
    utterance: int
    start: int
    text: str


def choose(mention: Mention, heard: Heard) -> Choice | str:
    """The antecedent of a mention, or why none is certain enough."""
    if mention.kind == "person":
        return _person(mention, heard)
    if mention.kind == "people":
        return _last("group", _groups(heard) or _bands(heard))
    if mention.kind == "sign":
        return _last("sign", [spot for spot, thing in _things(heard) if thing.source is Source.SIGN])
    return _thing(mention, heard)


def _last(source: str, spots: Sequence[_Spot]) -> Choice | str:
    if not spots:
        return NO_ANTECEDENT
    latest = max(spot.utterance for spot in spots)
    texts = {spot.text for spot in spots if spot.utterance == latest}
    return Choice(source, texts.pop()) if len(texts) == 1 else TWO_RIVALS


def _twice(spots: Iterable[_Spot]) -> list[_Spot]:
    """Those of a text that was said in two utterances."""
    known = list(spots)
    where: dict[str, set[int]] = {}
    for spot in known:
        where.setdefault(spot.text, set()).add(spot.utterance)
    return [spot for spot in known if len(where[spot.text]) > 1]


def _first(options: Iterable[tuple[str, Callable[[], list[_Spot]]]]) -> Choice | str:
    for source, spots in options:
        if found := spots():
            return _last(source, found)
    return NO_ANTECEDENT


# Persons ------------------------------------------------------------------------------------------------------------


def _person(mention: Mention, heard: Heard) -> Choice | str:
    everyone = [
        (_Spot(index, person.start, person.text), person)
        for index, said in enumerate(heard.said)
        for person in said.people
        if not _talks(person, heard)
    ]
    names = [spot for spot, person in everyone if person.how is not How.ROLE and _fits(person, mention)]
    introduced = [spot for spot, person in everyone if person.how is How.INTRODUCED and _fits(person, mention)]
    roles = [
        (spot, person)
        for spot, person in everyone
        if person.how is How.ROLE
        and _fits(person, mention)
        and spot.utterance != heard.weak
        and mention.rule != "human"
    ]
    last_name = max(((spot.utterance, spot.start) for spot in names), default=(-1, -1))
    last_intro = max(((spot.utterance, spot.start) for spot in introduced), default=(-1, -1))
    return _first(
        (
            ("introduced", lambda: introduced if last_intro == last_name else []),
            (
                "role_of_sex",
                lambda: [spot for spot, person in roles if person.sex and (spot.utterance, spot.start) > last_name],
            ),
            ("name_twice", lambda: _twice(names)),
            ("topic", lambda: _with_rivals(_person_topics(heard), names, heard)),
            ("name", lambda: _with_rivals([spot for spot in names if _firm(spot, heard)], names, heard)),
            ("role", lambda: [spot for spot, _ in roles]),
        )
    )


def _firm(spot: _Spot, heard: Heard) -> bool:
    return spot.utterance != heard.weak or spot.start == 0


def _with_rivals(found: list[_Spot], names: Sequence[_Spot], heard: Heard) -> list[_Spot]:
    """The spots, with every other name that makes them doubtful: said beside them, or since in passing."""
    if not found:
        return []
    latest = max(spot.utterance for spot in found)
    texts = [spot.text for spot in found if spot.utterance == latest]
    rivals = [
        spot._replace(utterance=latest)
        for spot in names
        if (spot.utterance == latest or (spot.utterance > latest and not _firm(spot, heard)))
        and not any(spot.text in text or text in spot.text for text in texts)
    ]
    return [*found, *rivals]


def _fits(person: Person, mention: Mention) -> bool:
    return person.sex != "pet" and (not person.sex or not mention.sex or person.sex == mention.sex)


def _talks(person: Person, heard: Heard) -> bool:
    return person.how is How.NAME and any(name.startswith(person.text) for name in heard.talkers)


def _person_topics(heard: Heard) -> list[_Spot]:
    return [
        spot
        for spot, thing in _things(heard)
        if thing.source is Source.TOPIC
        and (thing.kind == PERSON or (thing.kind is None and spot.utterance != heard.weak))
        and not any(name.startswith(thing.text) for name in heard.talkers)
    ]


_GROUP: Final = re.compile(
    r"(?:孩子|同学|学生|同事|家人|小朋友|室友|舍友|女孩|男孩|女生|男生|姐妹|兄弟|邻居|亲戚|队友|警察|老人|小伙伴|球员|演员|妹子)们|父母|爸爸妈妈|爸妈|公婆|爷爷奶奶|外公外婆|双胞胎|[\u4e00-\u9fffA-Z]{2,4}队(?!友|长|员|伍)"
)
_BETWEEN: Final = frozenset("和跟与、")


def _groups(heard: Heard) -> list[_Spot]:
    found: list[_Spot] = []
    for index, said in enumerate(heard.said):
        if index == heard.weak:
            continue
        found.extend(_Spot(index, match.start(), match[0]) for match in _GROUP.finditer(said.text))
        for one, other in zip(said.people, said.people[1:], strict=False):
            if said.text[one.start + len(one.text) : other.start] in _BETWEEN:
                found.append(_Spot(index, one.start, said.text[one.start : other.start + len(other.text)]))
    return found


def _bands(heard: Heard) -> list[_Spot]:
    """What was asked about by a name in capitals: EXO, TFBOYS."""
    return [spot for spot, thing in _things(heard) if thing.source is Source.TOPIC and _BAND.fullmatch(spot.text)]


_BAND: Final = re.compile(r"[A-Z0-9]{2,8}(?:-[A-Z]+)?")

# Things and places --------------------------------------------------------------------------------------------------

_SEEN: Final = re.compile(r"[看读听玩打追]")
_EATEN: Final = re.compile(r"[吃喝买做煮种养开换]")
_WORKS: Final = frozenset({"book", "film", "song", "game"})
_HOSPITAL: Final = re.compile(r"(?:医院|院|妇幼|协和|华西|湘雅)$")
_SCHOOL: Final = re.compile(r"(?:大学|学院|中学|小学|学校|一中|附中|[清北][华大]|大|高中)$")


def _things(heard: Heard) -> list[tuple[_Spot, Thing]]:
    return [
        (_Spot(index, thing.start, thing.text), thing) for index, said in enumerate(heard.said) for thing in said.things
    ]


def _thing(mention: Mention, heard: Heard) -> Choice | str:
    pets = [
        _Spot(index, person.start, person.text)
        for index, said in enumerate(heard.said)
        for person in said.people
        if person.sex == "pet" and mention.rule == "it"
    ]
    fitting = [(spot, thing) for spot, thing in _things(heard) if _allowed(mention, thing)]
    topics = [
        spot
        for spot, thing in fitting
        if thing.source is Source.TOPIC and (thing.kind is not None or spot.utterance != heard.weak)
    ]
    strict = mention.rule == "bare"
    titles = [spot for spot, thing in fitting if thing.source is Source.TITLE]
    objects = [spot for spot, thing in fitting if thing.source is Source.OBJECT and _short(heard, spot)]
    nouns = [(spot, thing) for spot, thing in fitting if thing.source is Source.NOUN]
    return _first(
        (
            ("introduced", lambda: pets),
            ("title", lambda: titles),
            ("topic_twice", lambda: _twice(topics)),
            ("topic", lambda: topics),
            ("object", lambda: [] if strict else objects),
            ("noun_twice", lambda: [] if strict else _twice(spot for spot, _ in nouns)),
            ("only_noun", lambda: [] if strict or mention.field in _WORKS else _only(nouns, heard)),
        )
    )


def _short(heard: Heard, spot: _Spot) -> bool:
    return len(heard.said[spot.utterance].text) <= _OBJECT_UTTERANCE_CHARS_MAX


def _only(nouns: Sequence[tuple[_Spot, Thing]], heard: Heard) -> list[_Spot]:
    """The noun if there is no other, and it opened a short utterance or was eaten, bought or seen."""
    if len({spot.text for spot, _ in nouns}) != 1:
        return []
    return [
        spot
        for spot, thing in nouns
        if spot.utterance != heard.weak
        and (thing.verb == "v" or (thing.verb == "^" and len(heard.said[spot.utterance].text) <= _OPENING_CHARS_MAX))
    ]


_OPENING_CHARS_MAX: Final = 12


def _allowed(mention: Mention, thing: Thing) -> bool:
    if thing.source is Source.SIGN:
        return False
    if mention.kind == "place":
        return thing.kind == PLACE and _of_place(mention.field, thing.text)
    if thing.kind not in (THING, None):
        return False
    return _of_field(mention.field, thing)


def _of_place(field: str, text: str) -> bool:
    if field == "hospital":
        return bool(_HOSPITAL.search(text))
    return field != "school" or bool(_SCHOOL.search(text))


def _of_field(field: str, thing: Thing) -> bool:
    drug, disease = DRUG.search(thing.text), DISEASE.search(thing.text)
    if field == "drug":
        return bool(drug)
    if field == "disease":
        return bool(disease)
    if field in _WORKS:
        acted = not thing.verb or thing.source is Source.NOUN or bool(_SEEN.search(thing.verb))
        return acted and not drug and not disease
    if field == "food":
        edible = not thing.verb or thing.source is Source.NOUN or bool(_EATEN.search(thing.verb))
        return edible and thing.source is not Source.TITLE and not disease
    return field != "thing" or thing.source is not Source.TITLE
