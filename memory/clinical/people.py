"""Whose a word of medicine is: the nearest person named before it, who goes on into the clauses that name nobody."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memory.clinical.grammar import Grammar
from memory.clinical.introduced import Introduced, introduced
from memory.clinical.meant import ANIMAL
from memory.clinical.sketch import LETTERS, Sketch, pattern

_BESIDE: Final = " \t\n,，、.。;；!！和及andor"
"""What may stand around what an answer names."""
_ONLY: Final = re.compile(r"\b(?:only|just|mainly|mostly|also|yes|yeah|yep|maybe|to)\b|就|只|有|对")
"""The same in an answer."""
_NEAR: Final = 8
_ALLERGY_NEAR: Final = 40
_IS_ONE: Final = pattern(r"(?:我|本人|俺)(?:也|还)?[是系](?:一?[个名位])?<D>?$|^<D>$|^大[一二三四]$")
"""Right before a disease, or behind it: its patient is the speaker."""
_ALLERGIC: Final = re.compile(r"\ballerg(?:ic|y|ies)\b[^.;!?]{0,24}(?<!my )(?<!our )$|过敏(?:源|原)?[：:是有]{0,2}$")
"""Before an animal: it is what somebody is allergic to."""
_GO_ON: Final = re.compile(r"\W*(?:they|it|he|she|it's|they've)\b|\W*[它他她]")
"""Behind an animal that is named alone: it is told of."""
_ALLERGY: Final = re.compile(r"过敏|(?: hair| fur| dander)? allerg(?:y|ies)\b")
"""The same behind it."""
_LOOKS_AFTER: Final = re.compile(
    r"我(?:刚刚?|又|再|就|昨[天晚]|今[天早]|已经|先|也|给[他她它]?)*(?:量|测|喂|摸|抱|拍|带|送)(?!我|不)"
    r"|i(?:'ve| have)? (?:just |then |also )?(?:measured|checked) (?:his|her|the|it|their)\b"
)
"""Said of who looks after somebody, and not of their own health."""
_TOGETHER: Final = frozenset({"we", "我们", "咱们"})
"""The speaker and whoever was spoken of last."""
USER: Final = "user"
_INTRODUCED: Final = "introduced"
_ONESELF: Final = "自己"
_FAMILY: Final = re.compile(
    r"家族(?!性)|家里(?:面)?(?:有没有|有|还有)?(?:其他|别的)?人|(?:直系|近)亲|亲属|有血缘"
    r"|\b(?:in|of|among) (?:the|your) (?:close |immediate )?(?:family|relatives)\b|\bfamily history\b"
)
"""Asks about all relatives."""
_ALL_OF_THEM: Final = frozenset(
    {"家里人", "家人", "亲戚", "父母", "长辈", "family", "your family", "the family", "parents", "your parents"}
)
_SENTENCES: Final = re.compile(r"(?<=[。.!！?？])\s*")
_OF_YOU: Final = re.compile(r"[您你](?!(?:们)?(?:家|的)?(?:孩子|宝宝|爸|妈|父|母|儿|女))|\byou\b(?! (?:or|and) your\b)")
_OF_YOURS: Final = re.compile(r"^的|^家的?(?=孩子|小孩|宝|娃|儿子|女儿|闺女|老|爸|妈|先生|太太|丈夫|妻子)")
_APART: Final = re.compile(r"[，。,；;：:！？!?\n]")
OTHER: Final = ""
"""Somebody of whom nothing is kept."""


class _Named(NamedTuple):
    start: int
    kind: str
    text: str


_EVENT: Final = re.compile(
    r"我?(?:[大小二]?(?:姐|哥|弟|妹|爸|妈|女儿|儿子|闺女|朋友|爸妈|父母))(?:他|她)?家(?=$|[，。,里住待]|这边|那边)|"
    r"(?:my |our |his |her )?(?:[a-z]+ ){0,2}?[a-z]+'s (?:funeral|death|birthday|wedding|party|graduation"
    r"|school play)\b"
)
"""A relative who is named for a day of theirs: what follows is not of them."""
_BIRTH_NEAR: Final = 24
_CHILD: Final = re.compile(
    r"(?:一?个)?(?:女儿|儿子|闺女|千金|[男女](?:孩|宝)|宝宝|小子|双胞胎|龙凤胎)"
    r"|(?:an? |our |my )?(?:(?:baby|little|healthy|beautiful) )*(?:daughter|son|boy|girl|baby|twins)\b"
)
_BORN_BEFORE: Final = re.compile(
    r"(?:生(?:了|啦|下)|顺产(?:的|了)?|剖(?:腹产|宫产)?(?:的|了)"
    r"|卸货了?)[，,、！! ]*(?:[^，。！？]{0,8}[，,])?(?:就?是)?(?:一?个)?(?:健康的?|可爱的?|大胖)*$"
    r"|\b(?:(?:gave birth to|delivered|welcomed)(?: an?| our| my)?|had (?:an?|our))(?: \w+){0,2} ?$"
)
"""Before a child: it was born."""


class People:
    """Who is spoken of at each place of a drawing. `first`: before anybody is named."""

    def __init__(self, sketch: Sketch, grammar: Grammar, first: str = USER) -> None:
        self._first = first
        self._starts: list[int] = []
        self._subjects: list[str] = []
        relative = first if first != USER else OTHER
        before = 0
        for named in _named(sketch, grammar):
            oneself = named.text == _ONESELF and _APART.search(sketch.lowered, before, named.start) is None
            before = named.start
            if (oneself and self._subjects) or self._says_no_more(sketch, grammar, named, relative):
                continue
            subject = USER
            if named.kind == "relative":
                subject = relative = _called(named.text)
            elif named.kind == _INTRODUCED:
                subject = relative = named.text if relative == OTHER else relative
            elif named.kind == "pronoun":
                subject = relative
            elif named.kind == "other":
                subject = OTHER
                relative = OTHER
            self._starts.append(sketch.place_of(named.start))
            self._subjects.append(subject)

    def _says_no_more(self, sketch: Sketch, grammar: Grammar, named: _Named, relative: str) -> bool:
        """Whether whoever was spoken of goes on being spoken of.

        We carry an EpiPen; 我刚又量了一次, where who measures is not measured; they, who treated the user.
        """
        if relative == OTHER:
            is_new = named.kind == "pronoun" and set(self._subjects) <= {USER}
            return is_new and grammar.staff.match(sketch.lowered, named.start) is not None
        together = named.text in _TOGETHER and self._subjects[-1:] == [relative]
        return together or _LOOKS_AFTER.match(sketch.lowered, named.start) is not None

    @property
    def named(self) -> Sequence[str]:
        """Those who are named, in their order."""
        return self._subjects

    def at(self, place: int) -> str:
        """Who is spoken of there: USER, a relative as said, or OTHER."""
        index = bisect_right(self._starts, place) - 1
        return self._subjects[index] if index >= 0 else self._first

    def are_named(self, place: int, until: int) -> bool:
        """Whether somebody is named in a stretch."""
        return bisect_right(self._starts, place) < bisect_right(self._starts, until)

    def own_after(self, place: int, until: int) -> bool:
        """Whether the user names themself in a stretch."""
        first = bisect_right(self._starts, place)
        last = bisect_right(self._starts, until)
        return USER in self._subjects[first:last]


def _called(named: str) -> str:
    """What a relative is called, as it was said: without whose it is where `you` stood before it."""
    return _OF_YOURS.sub("", named.strip()).removesuffix("'s").removesuffix("'")


def _named(sketch: Sketch, grammar: Grammar) -> Iterator[_Named]:
    """Who is named, in order; nobody inside the words with which the speaker says whose relative they are."""
    said = [each for each in introduced(sketch.lowered) if not _holds_medicine(sketch, each)]
    inside = [range(each.start, each.end) for each in said]
    named = [_Named(each.start, _INTRODUCED, each.relative) for each in said]
    named += (
        _Named(found.start(), found.lastgroup or "", found.group())
        for found in grammar.people.finditer(sketch.lowered)
        if not any(found.start() in each for each in inside)
    )
    for each in sorted(named):
        if is_just_born(sketch.lowered, each.start) or _EVENT.match(sketch.lowered, each.start):
            continue
        place = sketch.place_of(each.start)
        other = each.kind == "other" and not _IS_ONE.search(sketch.drawn, max(0, place - _NEAR), place)
        if place not in sketch.groups or (other and not _is_allergen(sketch, place)):  # the 他 of 他汀; 我是糖尿病人
            yield each


def is_just_born(lowered: str, start: int) -> bool:
    """Whether a child that is named at a place has just been born there: what follows is its mother's."""
    child = _CHILD.match(lowered, start) is not None
    return child and _BORN_BEFORE.search(lowered, max(0, start - _BIRTH_NEAR), start) is not None


def _holds_medicine(sketch: Sketch, said: Introduced) -> bool:
    """我是糖尿病人的女儿: no name."""
    return any(sketch.groups_in(sketch.place_of(said.start), sketch.place_of(said.end), "SDOGVRY"))


def _is_allergen(sketch: Sketch, place: int) -> bool:
    """Whether an animal is not somebody, but what somebody is allergic to: penicillin and cats."""
    group, before = sketch.groups[place], sketch.drawn[max(0, place - _ALLERGY_NEAR) : place]
    clause = sketch.clause_at(place)
    if not _ONLY.sub("", sketch.drawn[clause.start : clause.end]).strip(_BESIDE + LETTERS["S"]):
        return _GO_ON.match(sketch.drawn, clause.end) is None  # nothing else is said in its clause: an answer
    return any(each.term.tag == ANIMAL for each in group.members) or (
        group.letter == "S"
        and (_ALLERGIC.search(before) is not None or _ALLERGY.match(sketch.drawn, place + 1) is not None)
    )


def asked_about(question: str, answer: str, grammars: Sequence[Grammar]) -> str:
    """Of whom a short answer speaks before it names anybody: a relative who is asked about, else the user.

    Where the whole family is asked about, of the relative whom it names: 有，乳腺癌，我妈和我小姨.
    """
    said = [each for each in _SENTENCES.split(question.lower()) if each.strip()]
    if len(said) > 1 and _OF_YOU.search(said[-1]):  # what is only repeated before is not asked about
        question = said[-1]
    asked = next(_relatives(question.lower(), grammars), USER)
    if asked not in _ALL_OF_THEM and _FAMILY.search(question.lower()) is None:
        return asked
    return next(_relatives(answer, grammars), OTHER if asked == USER else asked)


def _relatives(lowered: str, grammars: Sequence[Grammar]) -> Iterator[str]:
    for grammar in grammars:
        for found in grammar.people.finditer(lowered):
            if found.lastgroup == "relative":
                yield _called(found.group())
