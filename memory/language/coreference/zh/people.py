"""People whom a Chinese utterance names: by name, or by what they are to the speaker."""

import re
from enum import Enum
from typing import Final, NamedTuple

from memory.language.coreference.zh.lexicon import PEOPLE
from memory.language.coreference.zh.words import (
    COMPOUND_SURNAMES,
    DISEASE,
    DRUG,
    DRUG_LETTERS,
    FEMALE_ROLES,
    GIVEN_NAME_CHARS,
    MALE_ROLES,
    NAME_BAD_ENDS,
    NAME_BAD_STARTS,
    NAME_GLUED_ENDS,
    NEUTRAL_ROLES,
    NICK_PREFIXES,
    NOT_A_GIVEN_NAME,
    NOT_INTRODUCED,
    NOT_NAMES,
    SHORT_FEMALE_ROLES,
    SHORT_MALE_ROLES,
    SURNAMES,
)
from memory.language.tagger import OTHER, PERSON, Token

NAME_CHARS_MIN: Final = 2
NAME_CHARS_MAX: Final = 3
"""Of a plain name; one with a surname of two letters has one more."""


NAMES_CHARS_MAX: Final = 80
"""In longer utterances a tagger's names are mostly words of the matter."""


class How(Enum):
    """How a person was named."""

    INTRODUCED = "introduced"  # 我女儿叫X, X是我的女儿
    NAME = "name"
    ROLE = "role"


class Person(NamedTuple):
    """A person as the utterance names them; `sex` is "m", "f", "pet", or "" where the word does not tell."""

    text: str
    how: How
    sex: str
    start: int


ROLES: Final = MALE_ROLES | FEMALE_ROLES | NEUTRAL_ROLES
_SEXES: Final = {
    **dict.fromkeys(NEUTRAL_ROLES, ""),
    **dict.fromkeys(MALE_ROLES, "m"),
    **dict.fromkeys(FEMALE_ROLES, "f"),
}
_KIN_SEXES: Final = {
    **_SEXES,
    **dict.fromkeys("猫狗", "pet"),
    **dict.fromkeys("哥弟爸", "m"),
    **dict.fromkeys("姐妹妈", "f"),
}
_ROLE_WORDS: Final = "|".join(sorted(_SEXES, key=len, reverse=True))
_SHORT_ROLES: Final = f"我(?:[{SHORT_MALE_ROLES}{SHORT_FEMALE_ROLES}])"
_ROLE: Final = re.compile(
    rf"(?<![男女])(?P<role>{_ROLE_WORDS})(?![们子气节味妆装控])|(?P<short>{_SHORT_ROLES})(?![们妈爸哥姐弟妹爷的啊呀夫])"
)
# Missing or wanted, nobody in particular: 没有女朋友, 找个对象.
_NOT_MEANT: Final = re.compile(
    r"(?:没有?|找个?|介绍个?|想要个?|缺个?|求|当|做|像|第[一二三]个)(?:[我你您他她咱]们?[家的]?)?$"
)
_OWNER: Final = re.compile(r"(?:[我你您他她咱]们?[家的]?|[\u4e00-\u9fff]的)$")
_BEFORE_CHARS: Final = 8
_PREDICATE: Final = re.compile(
    r"(?<![这那])(?:不是|才是|就是|也是|都是|还是|真是|是)(?:一个|个)?(?:我|你|您|他|她|人家|大家)?(?:的|家)?$"
)
_VOCATIVE: Final = re.compile(r"[，,！!你您]")
_OF_PERSON: Final = re.compile(r"的(?:朋友|同学|同事|老师|医生|" + _ROLE_WORDS + ")")
_NAME_TEXT: Final = r"[\u4e00-\u9fff·]{2,4}?|[A-Z][A-Za-z]{1,11}"
_KIN: Final = rf"(?:{_ROLE_WORDS}|猫|狗|好朋友|朋友|老师|[哥姐弟妹爸妈])"
_CALLED: Final = re.compile(
    rf"(?:我|我们|我家|他|她)(?:的|家)?(?P<kin>{_KIN})(?:的?名字)?(?:叫做?|名叫|是叫)(?P<x>{_NAME_TEXT})(?=$|[，。！？；,.!?;~…\s今吧啊哦呢])"
    rf"|(?:^|[，。！？；,.!?;~…\s])(?:她|他)(?:的名字)?叫(?P<y>{_NAME_TEXT})(?=$|[，。！？；,.!?;~…\s吧啊哦呢])"
)
_IS_MY: Final = re.compile(
    rf"(?:^|[，。！？；,.!?;~…\s])(?P<x>{_NAME_TEXT})(?<![不也就都才还真只可算总又])是我(?:们)?(?:家)?的?(?P<kin>{_KIN})(?=$|[，。！？；,.!?;~…\s])"
)
_NOT_A_SUBJECT: Final = re.compile(
    r"^(?:这|那|我|你|您|他|她|它|谁|今天|昨天|明天|就|也|都|不|还|其实|因为|所以|但|可|如果|一直|曾经|只|真|好像|原来)"
)

_SELF: Final = re.compile(r"我(?:的名字)?(?:叫做?|是|名叫)(?P<x>[\u4e00-\u9fff]{2,4})(?=$|[，。！？；,.!?;~…\s]|的|，)")
_GREETED: Final = re.compile(
    r"(?:你好|您好|嗨|哈喽|[Hh]ello|[Hh]i|早上好|晚上好|下午好|早安|晚安|谢谢|再见|亲爱的|欢迎)"
    r"[啊呀哦呢]?[，,！! ]?(?P<x>[\u4e00-\u9fff]{2,4})"
    r"|^(?P<y>[\u4e00-\u9fff]{2,4})"
    r"(?:[，,！! ]?(?:你好|您好|早上好|晚上好|晚安|早安|再见|加油)|[，,！!](?:你|您|请|谢))"
)


def addressed(text: str) -> list[str]:
    """Names of those who talk: said of oneself, or called out to the other. They are no third person."""
    names = [match["x"] for match in _SELF.finditer(text)] if "我" in text else []
    names.extend(match["x"] or match["y"] for match in _GREETED.finditer(text))
    return names


def people(text: str, tokens: list[Token]) -> list[Person]:
    """All persons of an utterance in its order; `tokens` are the words of exactly this text."""
    found = {person.start: person for person in _names(tokens)} if len(text) <= NAMES_CHARS_MAX else {}
    found.update((person.start, person) for person in introductions(text))
    named = sorted(found.values(), key=lambda person: person.start)
    introduced = any(person.how is How.INTRODUCED for person in named)
    roles = [] if introduced else _roles(text, named)
    owned = {role.start for role in roles}
    return sorted([*roles, *(person for person in named if person.start not in owned)], key=lambda person: person.start)


def introductions(text: str) -> list[Person]:
    """People and pets whose names an utterance tells: 我女儿叫X, X是我的女儿."""
    if "叫" not in text and "是我" not in text:
        return []
    found = []
    for match in _CALLED.finditer(text):
        group = "x" if match["x"] else "y"
        found.append(Person(match[group], How.INTRODUCED, _KIN_SEXES.get(match["kin"] or "", ""), match.start(group)))
    found.extend(
        Person(match["x"], How.INTRODUCED, _KIN_SEXES.get(match["kin"], ""), match.start("x"))
        for match in _IS_MY.finditer(text)
        if not _NOT_A_SUBJECT.match(match["x"]) and match["x"] not in _SEXES
    )
    return [person for person in found if person.text not in NOT_NAMES and not NOT_INTRODUCED.search(person.text)]


def _names(tokens: list[Token]) -> list[Person]:
    found: list[Person] = []
    taken = 0
    for index, token in enumerate(tokens):
        if token.start < taken or (token.kind != PERSON and token.text not in COMPOUND_SURNAMES):
            continue
        name, start = _unglued(token)
        end = start + len(name)
        follower = tokens[index + 1] if index + 1 < len(tokens) else None
        if follower and end == follower.start and _continues(name, follower):
            name += follower.text
            taken = follower.end
        of_drug = follower is not None and follower.text[0] in DRUG_LETTERS
        if is_name(name) and not of_drug:
            found.append(Person(name, How.NAME, "", start))
    return found


def _unglued(token: Token) -> tuple[str, int]:
    """The name in a person token, and where it starts, without words that the tagger glued to it."""
    name, start = token.text, token.start
    if name in PEOPLE:
        return name, start
    while len(name) > NAME_CHARS_MIN and name[0] in NAME_BAD_STARTS:
        name, start = name[1:], start + 1
    while len(name) > NAME_CHARS_MIN and name[-1] in NAME_GLUED_ENDS:
        name = name[:-1]
    if name[0] in "小老" and len(name) > NAME_CHARS_MIN and name[1] != name[-1] and name not in PEOPLE:
        name = name[:NAME_CHARS_MIN]
    return name, start


def _continues(name: str, follower: Token) -> bool:
    """Whether a tagger cut a given name off its surname: 霍|建华, 李敏|镐."""
    if name in PEOPLE or follower.text in NOT_NAMES or not "\u4e00" <= follower.text[0] <= "\u9fff":
        return False
    if name in COMPOUND_SURNAMES or (len(name) == 1 and name in SURNAMES):
        return (
            follower.kind != OTHER
            and len(follower.text) <= NAME_CHARS_MIN
            and follower.text[-1] not in NOT_A_GIVEN_NAME
        )
    if (
        len(name) != NAME_CHARS_MIN
        or name[0] not in SURNAMES
        or len(follower.text) != 1
        or follower.text in NOT_A_GIVEN_NAME
    ):
        return False
    return follower.text in GIVEN_NAME_CHARS if follower.kind == OTHER else True


def is_name(text: str) -> bool:
    """Whether a word tagged as a person is written like a person's name."""
    if text in PEOPLE:
        return True
    compound = text[:2] in COMPOUND_SURNAMES
    if not NAME_CHARS_MIN + compound <= len(text) <= NAME_CHARS_MAX + compound:
        return False
    if text in NOT_NAMES or text in _SEXES or text[-1] in NAME_BAD_ENDS:
        return False
    if DRUG.search(text) or DISEASE.search(text):
        return False
    return compound or text[0] in SURNAMES or text[0] in NICK_PREFIXES


def _roles(text: str, named: list[Person]) -> list[Person]:
    found: list[Person] = []
    for match in _ROLE.finditer(text):
        before, word = text[max(0, match.start() - _BEFORE_CHARS) : match.start()], match[0]
        if _PREDICATE.search(before) or _NOT_MEANT.search(before) or _OF_PERSON.match(text, match.end()):
            continue
        if (
            not match["short"]
            and not _OWNER.search(before)
            and not before.strip()
            and _VOCATIVE.match(text, match.end())
        ):
            continue
        sex = _SEXES[word] if match["role"] else ("m" if word[1] in SHORT_MALE_ROLES else "f")
        found.append(_owned(text, Person(word, How.ROLE, sex, match.start()), named))
    return found


def _owned(text: str, role: Person, named: list[Person]) -> Person:
    """周杰伦的老婆 is not the speaker's: the name belongs to it."""
    for owner in named:
        end = owner.start + len(owner.text)
        if end == role.start or (end + 1 == role.start and text[end] == "的"):
            return role._replace(text=text[owner.start : role.start + len(role.text)], start=owner.start)
    return role
