"""What holds for a while and changes what is safe: pregnancy, breast-feeding, anticoagulants. And: nothing is known."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.excepted import BUT, leaves_out
from memory.clinical.expecting import FAR_ALONG
from memory.clinical.findings import (
    ALLERGY,
    ANTICOAGULANT,
    BREAST_FEEDING,
    DISEASE,
    PREGNANCY,
    Finding,
)
from memory.clinical.lexicon import Mention
from memory.clinical.reactions import harms_of
from memory.clinical.reading import Reading
from memory.clinical.sketch import Clause, Group, pattern

_STOPPED_BESIDE: Final = pattern(
    r"\b(?:and|but) (?:i |i'?ve |have )?(?:just )?(?:stopped|came off|quit)(?: taking| the| my)* <S>.*"
)
"""Another medicine was stopped."""


FORMERLY: Final = re.compile(
    r"(?:以前|从前|原来|本来|之前|起初|一开始|早些年|前些年|早年)(?:一直|都|也|就|是|长期|还)*(?:吃|用|服|打)(?:过|着|的是|的)?$"
    r"|\bused to (?:take|be on|use|have)(?: the| a| some| my)* $"
)
"""Before a medicine that was taken once."""
_WAS_ON: Final = re.compile(r"\b(?:was|were|had been) on(?: the| a| some| my)* $")
STILL: Final = re.compile(
    r"我(?:还是)?一直(?:在)?吃|偷偷在吃|现在(?:也|还|仍|依然|照样)|还在(?:吃|用|打)|到现在|至今"
    r"|\bstill (?:do|am|take|on)\b"
)
"""Behind it: it is taken to this day."""


_STOPPED_BEFORE: Final = re.compile(
    r"(?:停了|停掉了?|停用了?|不再?(?:吃|用|打)了?)$"
    r"|\b(?:i|i've|i have|they|doctor|gp) (?:just |finally )?(?:stopped|came off|finished|took me off)(?: taking)?"
    r"(?: the| my)? $"
    r"|\bused to (?:take|be on)(?: the| my)? $|\bno longer (?:on|taking|take)(?: the| my)? $"
)
_STOPPED_AFTER: Final = re.compile(
    r"^(?:我|也|都|已经|早就?|后来|去年|前年|上个?月|上周|前阵子|医生|大夫|给我?|让我?)*"
    r"(?:停了|停掉了?|停用了?|不(?:再)?(?:吃|用|打)了)"
    r"|^ (?:was|is|has been|got) stopped\b"
)
_TAKES_NONE: Final = re.compile(
    r"(?:没有?|从没|从来没有?|[并从]?未|并不)(?:再|在|长期)?(?:服用|服|吃|用|打|注射)(?:过|任何)?$"
    r"|(?:\bnot|n'?t|\bnever|\bno longer)(?: (?:been|currently|actually|really|even|ever|now|yet))*"
    r" (?:takes?|taking|taken|on|use|uses|using)(?: any| either)? $"
)
"""Before a medicine: it is not taken."""
_NOT_AS_MEANT: Final = re.compile(
    r"^\W*(?:correctly|properly|right\b|regularly|consistently|every|as\b|enough|at the (?:right|same|proper)"
    r"|on time|with food|today|tonight|this (?:morning|evening)|for (?:a|\d|two|three|some))"
)
"""Behind it, after all: it is, but not as it should be, or not for now."""
_BUT_THIS: Final = pattern(
    r"(?:\bnot|n'?t) (?:take|taking|on) <S>,? (?:but|it'?s|rather) (?:on |taking |i take )?(?:the )?$"
)
"""Before it: this one is taken, in place of another."""
_MAY_BE_ONE: Final = re.compile(
    r"[不没别禁忌]|\b(?:no|not|never|can'?t|cannot|mustn'?t|reaction|out|told|stopped|was|used)\b|n't\b"
)
"""Said of a medicine behind a no to allergies: it may be one."""
_MAY_BE_PREGNANT: Final = re.compile(
    r"(?:怕|担心|怀疑|会不会|是不是|可能|好像|也许)(?:就|是|会|自己|我|已经)*怀(?:孕|上|了)(?![吗嘛]?[^，。]{0,4}排除)"
    r"|\b(?<!women who )(?:might|could|may) (?:i )?(?:actually )?be pregnant\b|\bam i pregnant\b"
    r"|(?<!don't )\bthink i(?:'?m| am| might be| may be) pregnant\b"
    r"|\b(?:fear|afraid|worried|scared|wondering if|not sure if) (?:that )?i(?:'?m| am| might be| could be) pregnant\b"
)
_TESTED_PREGNANT: Final = re.compile(
    r"\bpositive pregnancy test|\bpregnancy test\b[^.;!?]{0,16}\b(?:positive|two lines)|两[道条]杠"
)
_WHO_IS: Final = re.compile(
    r"\b(?:i'?m|i am|im|i was|we'?re|my|she'?s|as i)\b|\d ?(?:weeks?|wks?|months?)\b"
    r"|我|老婆|媳妇|[\d一二三四五六七八九十] ?(?:周|个月)"
)
"""In a question: somebody is pregnant."""
_A_WHILE: Final = re.compile(
    r"停了?(?:几|[\d一二两三四五六七]+)天|\b(?:days?|weeks?) before\b|\bfor (?:the|my|an?) (?:op|surgery|procedure)\b"
)
"""It is left for some days."""


def states(reading: Reading) -> Iterator[Finding]:
    """Pregnancy, breast-feeding, and anticoagulants that are taken."""
    yield from _motherhood(reading)
    for at, group in reading.groups("S"):
        members = [member for member in group.members if member.term.tag == "anticoagulant"]
        if members:
            yield from _anticoagulants(reading, at, group, members)


def _anticoagulants(reading: Reading, at: int, group: Group, members: Sequence[Mention]) -> Iterator[Finding]:
    """Those of a list that are taken; those that were stopped (denied), where all of it were."""
    apart = {member.term.name for member in reading.but_the_last(group)}
    if apart and _is_said_to_be_taken(reading, at):
        taken = [member for member in members if member.term.name in apart]
    else:
        taken = list(members) if _is_taken(reading, at) else []
    stopped = not taken and len(members) == len(group.members) and _was_stopped(reading, at)
    for member in members if stopped else taken:
        for finding in reading.told(ANTICOAGULANT, reading.name(member), at):
            yield finding._replace(denied=stopped)


def _was_stopped(reading: Reading, at: int) -> bool:
    """Whether it is told, and not asked or feared, that it is taken no more; a pause is no end."""
    before, after = reading.prefix(at), reading.suffix(at + 1)
    stopped = _STOPPED_BEFORE.search(before) or _STOPPED_AFTER.search(after)
    is_open = reading.asks(reading.sketch.clause_at(at)) or reading.retracted(at)
    return stopped is not None and not is_open and _A_WHILE.search(after) is None


def _motherhood(reading: Reading) -> Iterator[Finding]:
    grammar, drawn = reading.grammar, reading.drawn
    yield from _pregnancy(reading)
    for found in FAR_ALONG.finditer(reading.sketch.lowered):
        if grammar.written.search(found[0]) and not reading.retracted(reading.sketch.place_of(found.start())):
            yield from reading.told(PREGNANCY, grammar.pregnant_name, reading.sketch.place_of(found.start()))
    for found in grammar.nursing.finditer(drawn):
        at = found.start()
        if not reading.retracted(at) and not grammar.denied_before.search(reading.prefix(at)):
            yield from reading.told(BREAST_FEEDING, grammar.nursing_name, found.end() - 1)


def is_not_taken(reading: Reading, at: int) -> bool:
    """Whether a medicine is said not to be taken at all."""
    none = _TAKES_NONE.search(reading.prefix(at)) is not None
    return none and _NOT_AS_MEANT.search(reading.suffix(at + 1)) is None


def is_taken_otherwise(reading: Reading, at: int) -> bool:
    """Whether it is said not to be taken as it should be, or not today: it is taken."""
    none = _TAKES_NONE.search(reading.prefix(at)) is not None
    return none and _NOT_AS_MEANT.search(reading.suffix(at + 1)) is not None


def _pregnancy(reading: Reading) -> Iterator[Finding]:
    """Feared or asked about: to be confirmed; found by a test, or told."""
    grammar, lowered = reading.grammar, reading.sketch.lowered
    seen = _MAY_BE_PREGNANT.search(lowered) or _TESTED_PREGNANT.search(lowered)
    if seen is not None and grammar.written.search(seen[0]):
        at, possible = reading.sketch.place_of(seen.start()), _MAY_BE_PREGNANT.search(lowered) is not None
        yield from reading.told(PREGNANCY, grammar.pregnant_name, at, possible=possible)
        return
    for found in () if grammar.not_pregnant.search(reading.drawn) else grammar.pregnant.finditer(reading.drawn):
        if not reading.retracted(found.start()) and not grammar.general_after.search(reading.suffix(found.end())):
            possible = _is_asked_of_it(reading, found.start())
            yield from reading.told(PREGNANCY, grammar.pregnant_name, found.start(), possible=possible)


def _is_asked_of_it(reading: Reading, at: int) -> bool:
    """Whether it is asked what may be done in it, and not said who is."""
    clause = reading.sketch.clause_at(at)
    return reading.asks(clause) and _WHO_IS.search(reading.words(clause, clause)) is None


def was_taken_once(reading: Reading, at: int) -> bool:
    """Whether it is told that it was taken once, and not that it still is."""
    once = any(words.search(reading.prefix(at)) for words in (FORMERLY, _WAS_ON))
    return once and not STILL.search(reading.drawn, at)


def _is_taken(reading: Reading, at: int) -> bool:
    grammar, clause = reading.grammar, reading.sketch.clause_at(at)
    said = _STOPPED_BESIDE.sub("", reading.words(clause, clause))
    if was_taken_once(reading, at):
        return False
    if reading.retracted(at) or reading.denied(at, at + 1):
        return False
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    if _BUT_THIS.search(prefix):
        return True
    if grammar.not_taken.search(said) or is_not_taken(reading, at):
        return False
    return grammar.takes_before.search(prefix) is not None or grammar.takes_after.search(suffix) is not None


def _is_said_to_be_taken(reading: Reading, at: int) -> bool:
    """Whether it is said before a list that it is taken, of which something else is said behind it."""
    return reading.grammar.takes_before.search(reading.prefix(at)) is not None and not reading.retracted(at)


def _substances(reading: Reading, clause: Clause) -> Iterator[tuple[int, Group]]:
    return reading.sketch.groups_in(clause.start, clause.end, "S")


def _is_just_taken(reading: Reading, end: int, at: int) -> bool:
    """Whether it is told behind a denial that ends before it, and a but, that something is taken, and no harm."""
    but = BUT.search(reading.drawn, end, at)
    if but is None or harms_of(reading) or _MAY_BE_ONE.search(reading.drawn, but.end()):
        return False
    return reading.grammar.takes_before.search(reading.drawn[but.end() : at]) is not None


def nothing_known(reading: Reading) -> Iterator[Finding]:
    """That there are no allergies, or no lasting diseases; that one substance is borne says nothing of the others."""
    for kind, none in ((ALLERGY, reading.grammar.no_allergies), (DISEASE, reading.grammar.no_diseases)):
        for found in none.finditer(reading.drawn):
            clause = reading.sketch.clause_at(found.start())
            one = any(not _is_just_taken(reading, found.end(), at) for at, _ in _substances(reading, clause))
            one = one or (kind == ALLERGY and leaves_out(reading))
            if not one and not reading.asks(clause) and not reading.retracted(found.start()):
                yield from reading.none(kind, found.start(), found.end())
