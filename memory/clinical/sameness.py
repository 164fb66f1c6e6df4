"""Whether two names are of one thing, in the same words or in others: hypertension, high blood pressure.

What decides is what names are of, and not which letters one has of the other: 花生 is no 花, licorice no rice. A name
may say more than another of the same thing: a side, a type, a stage, a salt, a form of a drug, that it is an allergy.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, NamedTuple

from memory.clinical.languages import in_use
from memory.clinical.lexicon import Lexicon, Mention
from memory.clinical.sketch import plain

_BORNE_OR_NOT: Final = frozenset({"drug", "allergen"})
_THINGS: Final = frozenset({*_BORNE_OR_NOT, "disease", "operation", "device"})
"""Kinds that a name is of. What it says of organs, complaints and tests counts where it says nothing of these."""
_NEUTRAL: Final = re.compile(
    r"^(?:对(?=.+过敏)|有(?=..)|药物性?(?=..))|(?:过敏(?:史|反应|症)?|病?史|的|类(?:药物?|抗生素)?|(?<=..)(?:抗生素"
    r"|药物))$"
    r"|^(?:an?|the|my|history of|(?:an? )?allerg(?:y|ies|ic)(?: reactions?)? to) "
    r"| (?:allerg(?:y|ies)|antibiotics?|drugs?|group|class|family)$|\s*\([^()]*\)$"
)
"""Before or behind any name: says nothing of what it is."""
_OF_DRUGS: Final = re.compile(
    r"^(?P<salt>盐酸|硫酸|磷酸|硝酸|醋酸|富马酸|酒石酸|马来酸|枸橼酸|苯磺酸|氢溴酸|注射用|口服)(?=..)"
    r"|(?<=..)(?P<salt2>钠|钾|钙|酯)$"
    r"|(?<=..)(?:(?:缓释|控释|肠溶|分散|咀嚼|泡腾|含)?片剂?|(?:软|缓释|肠溶)?胶囊|颗粒|(?:粉|水|注射)?针剂?"
    r"|注射[液剂]|口服(?:溶)?液"
    r"|滴[眼耳鼻]液|滴[丸剂]|眼[药膏]膏?|[软乳]?膏|凝胶|(?:气雾|喷雾|吸入|混悬|干混悬)[剂液]|糖浆|栓剂?|贴剂?|散剂?"
    r"|粉剂)$"
    r"| (?P<salt3>sodium|potassium|calcium|hydrochloride|hcl|sul(?:f|ph)ate|maleate|tartrate|besylate|acetate)$"
    r"| (?:tablets?|pills?|capsules?|injections?|syrup|cream|ointment|drops|inhalers?|infusion|iv)$"
)
"""Its salt, and its form."""
_OF_DISEASES: Final = re.compile(
    r"^(?P<type>慢性|(?:亚)?急性|左侧?|右侧?|双侧?|先天性|原发性|继发性|特发性|过敏性|病毒性|细菌性|老年性|陈旧性"
    r"|复发性|难治性|顽固性"
    r"|[早中晚末]期|[轻中重]度|严重|[一二三四ⅰⅱⅲⅳ\d]+[型期级度])(?:的)?(?=..)"
    r"|(?<=..)(?P<type2>[早中晚末]期|[\[(]?[一二三四ⅰⅱⅲⅳ\d]+[型期级度][\])]?)$|(?<=..)(?:综合[征症]|症|病|手术|术)$"
    r"|^(?P<type3>left|right|bilateral|chronic|acute|severe|mild|moderate|seasonal|congenital|allergic|viral|bacterial"
    r"|early|late|end[- ]stage|(?:type|stage|grade) [\div]+)[ -]"
    r"|[ ,]+(?P<type4>(?:type|stage|grade) [\div]+)$| (?:disease|syndrome|disorder)$"
)
"""Its side, type, stage and severity."""
_SAID_ALIKE: Final = {
    "左": "left", "左侧": "left", "右": "right", "右侧": "right", "双": "bilateral", "双侧": "bilateral",
    "慢性": "chronic", "急性": "acute", "严重": "severe", "重度": "severe", "中度": "moderate", "轻度": "mild",
}  # fmt: skip
_TYPE: Final = re.compile(r"^\W?(\w+)[型期级度]\W?$|^(?:type|stage|grade) (\w+)$")
_NUMBERS: Final = {"一": "1", "二": "2", "三": "3", "四": "4", "i": "1", "ii": "2", "iii": "3", "iv": "4"} | {
    "ⅰ": "1", "ⅱ": "2", "ⅲ": "3", "ⅳ": "4"
}  # fmt: skip
_ALSO_SAID: Final = re.compile(r"(?P<name>[^()]+) \((?P<said>[^()]+)\)")
"""As a reading tells of what was said in another word: 哮喘 (气喘)."""
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_WORD: Final = re.compile(r"[^\s\u3000-\u9fff\uff00-\uff20!-&(-/:-@\[-`{-~]+")
_PLURAL: Final = re.compile(r"(?<=[^aeiou])ies$|(?<=ch|sh)es$|(?<=[xo])es$|'s$|(?<=[a-z]{2})(?<![su])s$")
_EMPTY: Final = frozenset({"allergy", "allergic", "to", "of", "the", "a", "an", "my", "and", "with"})
_BESIDE: Final = frozenset({"reaction", "symptom", "test"})
_BEFORE: Final = "对吃喝用碰摸闻养跟和与及是有没不我得查测的"
HEADS: Final = frozenset(("溃疡", "结石", "囊肿", "息肉", "结节", "肌瘤", "骨折", "血栓", "积液", "贫血"))
"""What a disease is, at the end of a name that begins with where it is."""
_HEAD: Final = re.compile(rf"(?<=[\u4e00-\u9fff])(?:{'|'.join(sorted(HEADS))})$")
_BEHIND: Final = "过不没都也就已早全现会能好了的和跟与及我"
"""Signs right before and behind a word of one sign: 对花过敏, and not 花生."""
_EDGE: Final = " ,.;，。；、"
_STRIPPED_MAX: Final = 6
_SHORT_MIN: Final = 4


class _Reading(NamedTuple):
    """A name, what it is of by the lexicons, and what it says beside that: words, and what stands in Chinese.

    `more`: what it says of the thing: its side, its salt.
    """

    folded: str
    concepts: frozenset[str]
    words: frozenset[str]
    chinese: tuple[str, ...]
    more: frozenset[str]

    def is_of(self, other: "_Reading") -> bool:
        first, second = self.words | self.more, other.words | other.more
        return (first <= second or second <= first) and (self.folded == other.folded != "" or self._names_as(other))

    def _names_as(self, other: "_Reading") -> bool:
        named = bool(self.concepts or self.chinese or self.words & other.words)
        return named and (self.concepts, self.chinese) == (other.concepts, other.chinese)


class Name(NamedTuple):
    """A name, read once to be compared with many."""

    readings: Sequence[_Reading]

    @property
    def known_by(self) -> frozenset[str]:
        """What it is looked up by: two names of one thing have one of these together."""
        by = ((each.folded, *(each.concepts or (*each.words, *each.chinese))) for each in self.readings)
        return frozenset(word for each in by for word in each if word)

    def is_of_one(self, other: "Name") -> bool:
        """Whether both are of one thing."""
        return any(one.is_of(two) for one in self.readings for two in other.readings)


def name_of(text: str) -> Name:
    """A name as it is compared. Raises nothing; a few walks of the lexicon, the first time."""
    return _name_of(plain(text), in_use().lexicon)


@lru_cache(maxsize=8_192)
def _name_of(text: str, lexicon: Lexicon) -> Name:
    readings = _readings(text, lexicon)
    also = _ALSO_SAID.fullmatch(text)
    if also and any(lexicon.is_name_of(also["said"], each.term) for each in lexicon.mentions(also["name"])):
        readings = [*readings, *_readings(also["said"], lexicon)]
    return Name(readings)


def is_of_one(one: str, other: str) -> bool:
    """Whether two names are of one thing: none that is only contained in the other, as 花 in 花生."""
    return name_of(one).is_of_one(name_of(other))


def told_as(name: str) -> str:
    """A name without the word in which it was said, to be compared: sertraline of "sertraline (Zoloft)"."""
    also = _ALSO_SAID.fullmatch(name)
    return (also["name"] if also else name).casefold()


def is_short_for(said: str, name: str) -> bool:
    """Whether a Chinese name is said without where it is: 椎间盘突出 for 腰椎间盘突出."""
    return len(said) >= _SHORT_MIN and _HAN.fullmatch(said) is not None and name.endswith(said)


def head_of(name: str) -> re.Pattern[str] | None:
    """Where a Chinese disease is spoken of by its last word alone: 结石排出来了, of 肾结石; None: it has none."""
    head = _HEAD.search(name)
    return re.compile(rf"(?:(?<![\u4e00-\u9fff])|(?<=[的个说点有])){head.group()}") if head else None


def is_part(one: str, other: str) -> bool:
    """Whether one of two names stands in the other: in whole words where it is not Chinese."""
    first, second = _folded(plain(one)), _folded(plain(other))
    return _stands_in(first, second) or _stands_in(second, first)


def word_of(name: str) -> re.Pattern[str]:
    """A name where it stands as a word in a text that is `plain`: as many, with hyphens or without.

    In Chinese, where nothing parts words, one of a single sign stands beside signs that are seldom part of its word.
    """
    words = re.escape(plain(name).strip()).replace(r"\ ", " ").replace(r"\-", " ").replace(" ", "[ -]")
    if len(name) == 1 and _HAN.match(name):
        return re.compile(rf"(?:(?<![\u3400-\u9fff])|(?<=[{_BEFORE}])){words}(?:(?![\u3400-\u9fff])|(?=[{_BEHIND}]))")
    return re.compile(rf"(?<![a-z0-9]){words}(?:'?s|es)?(?![a-z0-9])" if name.isascii() else words)


def _stands_in(part: str, whole: str) -> bool:
    return bool(part) and (part in whole if _HAN.search(part) else f" {part} " in f" {whole} ")


def _folded(text: str) -> str:
    """Its words without their plurals and hyphens, Chinese as it is."""
    return text if _HAN.search(text) else " ".join(map(_singular, _WORD.findall(text)))


def _singular(word: str) -> str:
    return _PLURAL.sub(lambda found: "y" if found.group() == "ies" else "", word)


def _readings(text: str, lexicon: Lexicon) -> Sequence[_Reading]:
    """What a name is of: as it stands, and without what it says beside it, piece by piece.

    A side or a type counts in each of them: acute bronchitis is bronchitis, and no chronic one.
    """
    readings, salts, types = list[_Reading](), frozenset[str](), frozenset[str]()
    for _ in range(_STRIPPED_MAX):
        text = text.strip(_EDGE)
        mentions = lexicon.mentions(text)
        kinds = frozenset(each.kind for each in mentions)
        if not text or (types and kinds & _BORNE_OR_NOT):  # 双黄连 is no 黄连 on both sides
            break
        readings.append(_reading(text, mentions, salts, lexicon))
        found = next(filter(None, (words.search(text) for words in _strippable(kinds))), None)
        if found is None:
            break
        said = {_said_alike(said) for said in found.groupdict().values() if said}
        salts, types = (salts, types | said) if found.re is _OF_DISEASES else (salts | said, types)
        text = text[found.end() :] if found.start() == 0 else text[: found.start()]
    return [each._replace(more=each.more | types) for each in readings]


def _strippable(kinds: AbstractSet[str]) -> Sequence[re.Pattern[str]]:
    """What may be said beside the name of such a thing."""
    if "drug" in kinds:
        return _NEUTRAL, _OF_DRUGS
    return (_NEUTRAL,) if kinds & _BORNE_OR_NOT else (_NEUTRAL, _OF_DISEASES)


def _reading(text: str, mentions: Sequence[Mention], more: frozenset[str], lexicon: Lexicon) -> _Reading:
    things = [each for each in mentions if each.kind in _THINGS]
    named = things or [each for each in mentions if each.kind != "idiom"]
    rest, at = list[str](), 0
    for each in [each for each in mentions if each in named or each.kind in _BESIDE]:
        rest.append(text[at : each.start])
        at = each.end
    left = " ".join((*rest, text[at:]))
    concepts = frozenset(lexicon.concept_of(each.term) for each in named)
    words = frozenset(map(_singular, _WORD.findall(left))) - _EMPTY
    return _Reading(_folded(text), concepts, words, tuple(_HAN.findall(left)), more)


def _said_alike(said: str) -> str:
    """A side or a type in one way for all in which it is said."""
    found = _TYPE.match(said)
    if found is None:
        return _SAID_ALIKE.get(said, said)
    number = found[1] or found[2]
    return f"type {_NUMBERS.get(number, number)}"
