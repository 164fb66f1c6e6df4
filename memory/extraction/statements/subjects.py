"""Of whom a sentence speaks, and what it says of them, so that sentences about the same one can be put together.

Only people and pets that were introduced by name, and relatives, are told apart here; what the user says of anything
else stays as it was said. A sentence is taken apart only if its subject stands at its start and holds to its end.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from memory.extraction.facts.en.people import OPENS_PREDICATE as OPENS_EN
from memory.extraction.facts.en.words import RELATIVE
from memory.extraction.facts.zh.people import NAMED_RELATIVE, opens_with_predicate
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.language.conditions import IF_ZH
from memory.language.coreference.en.query import introductions as introductions_en
from memory.language.coreference.zh.people import introductions as introductions_zh

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_STOPS: Final = "。！!.~～…；; \t\n"
_COMMA_ZH: Final = re.compile(r"[，,；;：:。！!~～…\s]+")
_BORDER_EN: Final = re.compile(
    r"[,;:!]\s*|\.\s+|\s[-–—]\s|\s(?:but|because|so|although|though|while|and)\s", re.IGNORECASE
)

_KIN_ZH: Final = re.compile(
    r"(?P<owner>我们家|我们|我家|我)(?:家)?的?(?P<kin>[\u4e00-\u9fff]{1,4}?)(?:的?(?:名字|小名|大名))?(?:叫做?|名叫|是叫|名字是)$"
)
_OWN_ZH: Final = re.compile(r"^我们?家?的?")
_ROLE_ZH: Final = re.compile(
    rf"^(?P<own>我们?家?的?)?(?P<kin>{'|'.join(RELATIVES)})|^我家?的?(?P<close>{'|'.join(CLOSE_RELATIVES)})(?![妈爸哥姐弟妹爷奶子夫妻友])"
)
_NOT_A_PREDICATE_ZH: Final = re.compile(r"[的和跟与、们家也同及或叫名，。！？,.!?\s~～…]|$")
_ROLE_EN: Final = re.compile(
    rf"^(?:My|Our|my|our)\s(?:(?:older|younger|little|big|eldest|youngest|oldest|twin)\s)?(?P<kin>{RELATIVE})(?=\s|$|['’,])"
)
_CALLED_EN: Final = re.compile(r"^(?:['’]s\sname\sis|,?\sis\s(?:called|named)|,?\s(?:called|named)|,|\sis)?\s")


class Told(NamedTuple):
    """A sentence taken apart. Those with the same key have one subject, written as `head`."""

    key: str
    head: str
    predicates: tuple[str, ...]
    chinese: bool


class Cast(NamedTuple):
    """Who was introduced in a session: names, and the one name of a relative where there is only one."""

    names: Sequence[str]
    named: Mapping[str, str]


def cast_of(texts: Sequence[str]) -> Cast:
    """The people and pets whom the user's texts introduce by name."""
    names: list[str] = []
    kin: dict[str, set[str]] = {}
    for text in texts:
        for name, role in _introduced(text):
            names.append(name)
            kin.setdefault(role, set()).add(name)
    longest_first = sorted(dict.fromkeys(names), key=len, reverse=True)
    return Cast(longest_first, {role: min(found) for role, found in kin.items() if role and len(found) == 1})


def take_apart(sentence: str, cast: Cast) -> Told | None:
    """The sentence as subject and predicate, or None if it is better left as it is."""
    text = sentence.strip(_STOPS)
    told = _chinese(text, cast) if _HAN.search(text) else _english(text, cast)
    return told if told and _holds(told) else None


def put_together(head: str, predicates: Sequence[str], *, chinese: bool) -> str:
    """One sentence that says all of somebody, in the order given."""
    if chinese:
        return head + "，".join(predicates)
    first = ", ".join(predicates[:-1])
    return f"{head} {first} and {predicates[-1]}" if first else f"{head} {predicates[-1]}"


def _introduced(text: str) -> list[tuple[str, str]]:
    if not _HAN.search(text):
        return [(name, kin.lower()) for name, kin in introductions_en(text)]
    found = []
    for person in introductions_zh(text):
        called = _KIN_ZH.search(text[: person.start])
        found.append((person.text, _role(called["kin"]) if called else ""))
    found += [
        (match["name"], _role(_OWN_ZH.sub("", match.group()[: -len(match["name"])])))
        for match in NAMED_RELATIVE.finditer(text)
    ]
    return found


def _role(word: str) -> str:
    return RELATIVES.get(word) or CLOSE_RELATIVES.get(word, word)


def _chinese(text: str, cast: Cast) -> Told | None:
    for name in cast.names:
        if text.startswith(name):
            return _told_zh(name, name, text[len(name) :])
        at = text.find(name)
        if at > 0:
            introduced = _introduction_zh(text, name, at)
            if introduced:
                return introduced
    role = _ROLE_ZH.match(text)
    if not role:
        return None
    kin = _role(role["kin"] or role["close"])
    name = cast.named.get(kin, "")
    return _told_zh(name or kin, name or role.group(), text[role.end() :])


def _introduction_zh(text: str, name: str, at: int) -> Told | None:
    """我女儿叫灿灿 says that 灿灿 is the daughter; so does 我女儿灿灿 before a predicate."""
    rest = text[at + len(name) :]
    called = _KIN_ZH.fullmatch(text[:at])
    if called and (not rest or _COMMA_ZH.match(rest)):
        of = "" if called["owner"] == "我" and len(called["kin"]) == 1 else "的"  # 我妈, but 我的女儿
        return Told(name, name, _both(f"是{called['owner']}{of}{called['kin']}", rest), chinese=True)
    beside = NAMED_RELATIVE.match(text)
    if beside and beside["name"] == name:
        kin = _OWN_ZH.sub("", text[:at])
        return Told(name, name, _both(f"是我的{kin}", rest), chinese=True)
    return None


def _told_zh(key: str, head: str, predicate: str) -> Told | None:
    return None if _NOT_A_PREDICATE_ZH.match(predicate) else Told(key, head, (predicate,), chinese=True)


def _english(text: str, cast: Cast) -> Told | None:
    for name in cast.names:
        if text.startswith(f"{name} "):
            return Told(name, name, (text[len(name) + 1 :],), chinese=False)
    role = _ROLE_EN.match(text)
    if not role:
        return None
    rest = text[role.end() :]
    called = _CALLED_EN.match(rest)
    after = rest[called.end() :] if called else ""
    name = next((name for name in cast.names if re.match(rf"{re.escape(name)}(?=$|[,\s])", after)), "")
    if name:
        return Told(name, name, _both(f"is {role.group().lower()}", after[len(name) :]), chinese=False)
    if not rest.startswith(" "):
        return None
    name = cast.named.get(role["kin"].lower(), "")
    return Told(name or role["kin"].lower(), name or role.group(), (rest[1:],), chinese=False)


def _both(relation: str, rest: str) -> tuple[str, ...]:
    more = rest.strip("，, ")
    return (relation, more) if more else (relation,)


def _holds(told: Told) -> bool:
    """Whether what is said holds on its own, and no clause after the first may have a subject of its own."""
    border, opens = (_COMMA_ZH, opens_with_predicate) if told.chinese else (_BORDER_EN, _opens_en)
    if any((_RESTS_ON_MORE_ZH if told.chinese else _RESTS_ON_MORE_EN).search(said) for said in told.predicates):
        return False
    clauses = [[clause for clause in border.split(said) if clause] for said in told.predicates]
    if not told.chinese and not all(said and OPENS_EN.match(said[0]) for said in clauses):
        return False
    return all(opens(clause) for said in clauses for clause in said[1:])


def _opens_en(clause: str) -> bool:
    return OPENS_EN.match(clause) is not None or _PART_OF_A_LIST.fullmatch(clause) is not None


_PART_OF_A_LIST: Final = re.compile(r"(?:[a-z]+ ?){1,2}")
# What is supposed, reported or given as a reason reaches over what would be put after it.
_RESTS_ON_MORE_ZH: Final = re.compile(
    rf"如果|{IF_ZH}|假如|万一|除非|只要|因为|所以|虽然|但|不过|即使|听说|据说|好像|可能|也许|以为|说|觉得|认为|告诉|问|希望|想让|建议|[“”「」\"]"
)
_RESTS_ON_MORE_EN: Final = re.compile(
    r"\b(?:if|unless|because|although|though|when|while|would|might|may|maybe|perhaps|thinks?|thought|says?|said|tells?|told|asks?|asked|"
    r"hopes?|wants me|seems?|but|that|who|which)\b|[\"“”]",
    re.IGNORECASE,
)
