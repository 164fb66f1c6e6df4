"""No allergies but one: 没有药物过敏，除了青霉素. What is left out of a denial is not borne."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, ANYTHING, Finding
from memory.clinical.reactions import harms_of, is_remedy
from memory.clinical.reading import Reading
from memory.clinical.sketch import pattern

_NEAR: Final = 24
"""Letters behind a denial in which something is left out of it."""
_TAKEN: Final = r"(?! (?:now|sometimes|when|for|as|once|every|twice|daily|at|if|\d))(?![^，。]{0,3}[吃用打](?:过|着))"
_LEFT_OUT: Final = pattern(
    rf"(?:除(?:了|去|开)(?:对)?|就(?:是)?(?:对)?|只有(?:对)?|唯独(?:对)?|唯一就?是|但是?对)(?P<x><S>){_TAKEN}"
    r"|\b(?:except(?: for)?|apart from|aside from|other than|besides|bar|only|just|but for"
    r"|but(?= <S>s?\W*$))(?: to| the| for)?"
    rf" (?P<x2><S>){_TAKEN}"
)
_LEFT_OUT_FIRST: Final = pattern(
    r"^\W*(?:就)?除(?:了|去|开)(?:对)?(?P<x><S>)(?:以外|之外|外)?[，,]?(?:我|其[他它]的?|别的|其余的?)*"
    r"(?:就|都|全|也|倒)*(?:没有?|无)(?:了|过|什么|啥|过敏|的)*[。.!！]?$"
)
"""A whole answer to the question for allergies."""
_CAME_TO_MIND: Final = pattern(
    r"^\W*(?:(?:no|nope|nah|none|nothing|not (?:really|that i know of)|没有?|没得|无)"
    r"(?:[\s.,!。，！…]|的|啊|吧|呀)*){1,3}"
    r"(?:(?:oh|ah|well|um+|er+|hmm+|actually|wait|hang on|hold on|sorry|yes|yeah|哦|噢|啊|呃|哎|嗯|对了|等等|等下"
    r"|等一下|不对|想起来了?|差点忘了?|忘了)[\s.,!。，！…]*)+"
    r"(?:there(?:'s| is)|i(?:'m| am)|i do|i get|allergic to|对|是|有|还有|\s)*"
    rf"(?P<x><S>){_TAKEN}(?:s\b)?(?:过敏)?(?: (?:actually|yes|yeah|too|though|maybe))?(?:好像|应该|可能)?(?:也)?有?"
    r"(?=\W*$|[,，.。!！])"
)
"""A whole answer to it that says no, and then what comes to mind."""
ALL_THAT_IS_TAKEN: Final = re.compile(
    r"\b(?:only|just) (?:take|taking|on|use)\b|\b(?:don'?t|do not|not) (?:take|taking|on|use)\b(?! (?:well|kindly))"
    r".{0,40}\b(?:apart from|except|other than|besides|but)\b|只(?:在|是)?[吃用服打](?!不)"
    r"|(?:不|没(?:有|在)?)[吃用服](?:别的|其他|什么|啥)?药?[，,]?(?:除了|就|只)"
)
"""Before a medicine: it is what is taken, and nothing else."""
_UNSURE: Final = re.compile(
    r"可能|也许|好像|不确定|不知道|疑似|\b(?:may|might|maybe|possibl[ey]|probably|think|not sure)\b"
)
_MEDICINES: Final = re.compile(r"药物?[、和及或与/].{0,4}过敏|过敏.{0,4}[、和及或与/].{0,4}药|\bmed(?:s|ic\w+)\b")
"""Asked beside allergies: which of the two an answer leaves out nobody knows."""
BUT: Final = re.compile(r"不过|但|可是|\b(?:but|though|although|however)\b")
"""Between a no and what is told beside it."""
_GOES_ON: Final = pattern(
    rf"(?:{BUT.pattern}|只是|就是|倒是|除了|\b(?:except|unless|only|just)\b)[^。.!！?？;；\n]{{0,60}}?<S>"
)
"""A substance behind what takes something of a no back: 没有，不过吃虾会肿嘴."""
_FORBIDDEN: Final = pattern(
    rf"(?:{BUT.pattern}|\bunless\b)[^。.!！?？;；\n\ue000]{{0,30}}?(?:"
    r"(?:不能再?|不可以|不敢|不让|不准|不许|别|碰不得)(?:我)?(?:吃|用|打|碰|喝)?(?P<x><S>)"
    r"|(?:\b(?:can'?t|cannot|mustn'?t|shouldn'?t|don'?t|not allowed|avoid|stay away from|steer clear of"
    r"|keep away from|off)\b(?: (?:to|take|have|eat|use|touch|any|the|have any))*|\bunless you count) (?P<x2><S>)"
    r"|(?P<x3><S>)(?:类|的|我|也|医生|大夫)*(?:不能|不可以|不敢|不让|不准|用不了|碰不得|不行)"
    r"|(?P<x4><S>)s? (?:yes|is out|is not allowed|is off limits|is a no)\b)"
)
"""What may not be had, behind what takes something of a no back."""
OF_A_KIND: Final = re.compile(
    r"\bno (?:known )?(?:drug|food|med\w*|other|seasonal|environmental) (?:or \w+ )?all?erg"
    r"|没有?(?:药物|食物|其[他它]|别的)过敏|(?:药物?|食物|其[他它]的?|别的)(?:倒|都|也)?(?:没有?过敏|不过敏|没有?(?=[，。,.]|$))"
)
"""A no to one kind of allergies: beside one that is told it does not deny all."""


def excepted(reading: Reading) -> Iterator[Finding]:
    """What a text leaves out of its own denial of allergies."""
    yield from _told(reading, _places(reading))


def leaves_out(reading: Reading) -> bool:
    """Whether a text leaves something out of its own denial of allergies: then not all are denied."""
    return any(True for _ in _places(reading))


def all_denied(reading: Reading, found: Sequence[Finding]) -> list[Finding]:
    """The no to all allergies that a text takes back by an allergy, firm or possible, that it goes on with."""
    denials = [each for each in found if each.denied and (each.kind, each.text) == (ALLERGY, ANYTHING)]
    in_part = any(words.search(reading.drawn) for words in (_GOES_ON, OF_A_KIND, _FORBIDDEN))
    return denials if denials and in_part else []


def not_to_be_had(reading: Reading) -> Iterator[Finding]:
    """What may not be had, behind a no that goes on with it: 没有，但青霉素我不敢用; possible, as nobody says why."""
    for found in _FORBIDDEN.finditer(reading.drawn):
        at = next(found.start(name) for name in ("x", "x2", "x3", "x4") if found[name])
        group = reading.sketch.groups[at]
        if at not in reading.taken and not is_remedy(group) and not reading.asks(reading.sketch.clause_at(at)):
            reading.answered.update((ALLERGY, name) for name in reading.names(group))
            yield from reading.told_each(ALLERGY, group, at, possible=True)


def excepted_in_answer(reading: Reading, asked: str) -> Iterator[Finding]:
    """What an answer to the question for allergies leaves out of its no. `asked`: the question, in lower case."""
    first, whole = reading.sketch.clauses[0], _LEFT_OUT_FIRST.match(reading.drawn)
    whole = whole or _CAME_TO_MIND.match(reading.drawn)
    places = [whole.start("x")] if whole else []
    beside = _MEDICINES.search(asked) is not None
    but = None if beside else BUT.search(reading.drawn, first.start, first.end)
    end = but.start() if but else first.end
    if reading.grammar.nothing.search(reading.drawn[first.start : end].strip()):
        places += _behind(reading, end)
    yield from _told(reading, places, doubtful=beside)


def _told(reading: Reading, places: Iterable[int], *, doubtful: bool = False) -> Iterator[Finding]:
    """Possible only where it is doubtful, somebody is not sure, or harm is told that need be no allergy."""
    for at in places:
        group = reading.sketch.groups[at]
        if at in reading.taken or is_remedy(group) or reading.asks(reading.sketch.clause_at(at)):
            continue
        unsure = _UNSURE.search(reading.sketch.lowered) is not None
        possible = doubtful or unsure or bool(harms_of(reading))
        if not possible:
            reading.answered.update((ALLERGY, name) for name in reading.names(group))
        yield from reading.told_each(ALLERGY, group, at, possible=possible)


def _places(reading: Reading) -> Iterator[int]:
    for denial in reading.grammar.no_allergies.finditer(reading.drawn):
        yield from _behind(reading, denial.end())


def _behind(reading: Reading, end: int) -> Iterator[int]:
    """Where the substance stands that is left out right behind a denial."""
    found = _LEFT_OUT.search(reading.drawn, end, end + _NEAR)
    if found is not None:
        yield found.start("x") if found["x"] else found.start("x2")
