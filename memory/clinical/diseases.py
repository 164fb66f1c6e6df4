"""Diseases that somebody has: those of the lexicon that do not pass, and what has the shape of a disease's name."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, Finding
from memory.clinical.lexicon import Mention
from memory.clinical.meant import EITHER
from memory.clinical.people import USER
from memory.clinical.reading import EDGE, NEAR, Reading, lasts
from memory.clinical.sketch import Clause, Group, is_drawn, pattern

_DATED: Final = re.compile(
    r"^\s*(?:since|dx|diagnosed)[^.;]{0,8}(?:19|20)\d\d"
    r"|^\s*since (?:my \w+|i was|uni|school|birth)\b|^ for (?:\w+|\d+) (?:years|yrs)"
)
_TOLD_NEXT: Final = re.compile(
    r"^\s*(?:mine'?s? (?:is|has|been|was|got)\b|(?:have )?had (?:it|that|them)\b|diagnosed\b|dx\b|undetectable"
    r"|controlled|on [a-z]"
    r"|the \w+ (?:kind|sort|type)\b"
    r"|(?:\w+|\d+) (?:years|yrs) (?:in|now)\b|for (?:\w+ )?(?:years|yrs)\b|since (?:i was|uni|school|birth|\d{4}))"
)
"""The clause behind a disease that is named alone: it is somebody's."""
_LASTS: Final = re.compile(
    r"^[^，。,;；]{0,3}?(?:\d+|[一二两三四五六七八九十几廿半好多]+)(?:来|多|几)?个?[年月]多?了|^都?(?:长|爬)到"
)
"""Right behind a disease: it is somebody's, whatever its clause asks then."""
_SHARED: Final = pattern(
    r"(?P<x><D>)(?:(?!<D>)[^。！？\n]){0,12}?[，,。]\s*(?:现在|其实)?(?P<own>我)(?:自己)?也(?:(?:有|是|得了|一样"
    r"|查出来?了?)(?=[，。,.！!；]|$)"
    r"|有(?:\d|[一二两三四五六七八九十几好]){1,3}多?(?:年|个月)多?了?(?=[，。,.！!；]|$))"
    r"|(?P<x2><D>)(?:(?!<D>)[^.!?\n]){0,40}?\b(?:so (?:do|have|did) (?P<own2>i)(?=[.,!;]|$)"
    r"|(?:and |now )+(?P<own3>i)(?:'?ve| have)? (?:got|have|developed) it (?:too|as well|now)(?=[.,!;]|$))"
)
"""What somebody else has, and who speaks too."""
_INTOLERANCE: Final = "intolerance"
"""The tag of what is named as a disease and is a thing that somebody does not bear."""
_CHILDHOOD: Final = re.compile(
    r"小时候|儿时|小学|幼儿园|童年|\bas an? (?:kid|child|baby|toddler)\b|\bchildhood\b|\bwhen i was (?:little|young"
    r"|small|a)\b"
)
_NO_MORE: Final = re.compile(
    r"早(?:就)?好了|没(?:有)?再?犯过?|没再(?:发|犯)|痊愈|\b(?:gr[eo]wn?|grew) out of\b|\boutgr[eo]wn?\b"
    r"|\bdischarged me\b"
    r"|\bhaven'?t had (?:it|one|an attack) since\b|\b(?:gone|cleared|none) since\b"
)
_HAS_DIED: Final = re.compile(
    r"\W*(?!我(?!家|[爸妈爷奶姥外]))[^，。]{1,8}?(?:上个?月|昨天|前天|上周|去年|前年|今年|刚|已经|突然)*(?:走了|去世了?|过世了?|病逝了?|死了)\W*$"
    r"|\W*(?!i\b)[a-z' ]{2,24} (?:died|passed away|passed)(?: \w+){0,3}\W*$"
)
_GONE: Final = re.compile(
    r"\W*(?:but )?(?:it'?s |they'?re |that'?s )?(?:all |long |now )*(?:gone|cured|cleared up)"
    r"(?: now| away| years ago)?\W*"
    r"|\W*(?:现在|早就?|后来|已经?|都)*(?:治好|痊愈)了\W*|\W*(?:早就?|后来|已经)(?:都)?好了\W*"
)
"""A clause behind it that says no more than that it is over."""
_WITH_A_PREGNANCY: Final = re.compile(
    r"怀|孕|妊娠|子痫|pregnan|gestation|eclampsia|\bwith my (?:first|second|third|last)\b"
)
"""A disease is spoken of that may have come with a pregnancy."""
_TESTED_CLEAR: Final = re.compile(
    r"[都也]*(?:查|测|验|筛)(?:过|了|查)*(?:都|也|是|全|结果|显示|出来|两对半|抗体|抗原|核酸|的|[，, ])*"
    r"(?:阴性?(?![道部影])|没有(?=$|[，,。 ])|没事|正常)"
    r"|(?:(?!\b(?:sugars?|glucose|pressure|bp|peak|function|levels?|bloods?|counts?|hba1c|inr)\b)[^.!?;]){0,24}?"
    r"\b(?:tested|checked|screened)\b"
    r"(?:(?!\b(?:sugars?|glucose|pressure|bp|peak|function|levels?|counts?|hba1c|inr)\b)[^.!?;]){0,36}?"
    r"\b(?:negative|neg|all clear|clear|came back (?:fine|normal))\b"
    r"|[, ]{1,2}(?:negative|neg)\b"
)
"""Behind a disease: a test for it found none."""
_THOUGH: Final = re.compile(r"\b(?:but|now|since then|later)\b|但|不过|后来|现在又")
"""Behind that: it was found after all."""
_OVER_WITH_BIRTH: Final = re.compile(
    r"生(?:完|了|下)[^，。]{0,8}(?:就|都|也)?(?:好了|没了|正常了?|消失)"
    r"|\b(?:went away|disappeared|cleared up|gone|resolved|fine) (?:(?:as soon as|once|after) "
    r"(?:i (?:had|gave birth)|(?:the )?(?:birth|delivery|baby|he was|she was)))"
)
"""Behind what came with a pregnancy."""
_FELT_BEHIND: Final = pattern(
    r"^(?:特别|非常|很|好|有点|挺|真的?)?(?:难受|严重|厉害)|^(?:了)?[，,]?<YR>|^ (?:is|has been) (?:bad|awful"
    r"|terrible|getting)\b"
)
"""Behind a passing disease: what it does, or how much; somebody has it now."""
_GUESSED: Final = re.compile(
    r"\b(?:pretty|fairly|quite|almost) sure (?:that )?(?:i(?: have|'?ve(?: got)?| got)|it'?s) "
)
"""Before a disease that somebody takes themselves to have."""
_BY_A_DOCTOR: Final = re.compile(r"\b(?:doctor|gp|consultant|diagnos\w+|told me|confirmed)\b")
"""Behind it: they were told so."""
_TO_BE_RULED_OUT: Final = re.compile(r"\s?[(（]?(?:待排|待查(?![\u4e00-\u9fff\ue000-\uf8ff])|可能性大|不除外)")
"""Right behind one that is only suspected."""
_TELEGRAM_MAX: Final = 6
"""Letters before a disease in a clause that is little more than its name."""


def diseases(reading: Reading) -> Iterator[Finding]:
    """Background diseases. One beside a question that says nothing of whose it is, is possible only."""
    if reading.is_of_vaccines:
        return
    _leave_denied(reading)
    for at, group in reading.groups("D"):
        if at in reading.taken or not lasts(group):
            continue
        apart = _before_a_denial(reading, at, group)
        if apart:
            yield from _each_held(reading, at, apart)
        elif _holds(reading, at, at + 1):
            yield from () if _is_of_the_dead(reading, at) else _disease(reading, at, group)
    yield from _shared(reading)
    for found in reading.grammar.named_disease.finditer(reading.drawn):
        at, end = found.span("x")
        if is_drawn(found["x"]) or not _holds(reading, at, end) or _is_general(reading, found):
            continue
        yield from reading.told(DISEASE, reading.sketch.quote(at, end), at)


def _leave_denied(reading: Reading) -> None:
    """What the speaker says not to have is no fact where it was named before either."""
    denied = {
        name
        for at, group in reading.groups("D")
        if reading.grammar.denied_before.search(reading.prefix(at))
        and reading.people.own_after(reading.sketch.clause_at(at).start - 1, at)
        for name in reading.names(group)
    }
    for at, group in reading.groups("D") if denied else ():
        if denied.issuperset(reading.names(group)):
            reading.taken.add(at)


def _shared(reading: Reading) -> Iterator[Finding]:
    for found in _SHARED.finditer(reading.drawn):
        at = found.start("x") if found["x"] else found.start("x2")
        own = next(found.start(name) for name in ("own", "own2", "own3") if found[name])
        group = reading.sketch.groups[at]
        if lasts(group) and not reading.asks(reading.sketch.clause_at(own)) and not reading.retracted(at):
            yield from reading.told_each(DISEASE, group, at, end=found.end(), whose=own)


def passing_diseases(reading: Reading) -> Iterator[Finding]:
    """Diseases that pass, as somebody has them now or had them."""
    grammar = reading.grammar
    for at, group in reading.groups("D") if not reading.is_of_vaccines else ():
        if at in reading.taken or not _holds(reading, at, at + 1) or reading.asks(reading.sketch.clause_at(at)):
            continue
        prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
        had = grammar.had_before.search(prefix) or grammar.since_after.search(suffix)
        alone = len(prefix.strip(EDGE)) <= _TELEGRAM_MAX and not grammar.general_after.search(suffix)
        over = grammar.over_after.search(suffix) is not None
        felt = _FELT_BEHIND.match(suffix) is not None
        for member in group.members:
            if member.term.tag == "acute" and (had or alone or over or felt):
                for finding in reading.told(DISEASE, reading.name(member), at):
                    yield finding._replace(denied=over)


def not_had(reading: Reading) -> Iterator[Finding]:
    """That there is none of a disease whose word names a complaint too: read as a disease it is no complaint."""
    for at, group in reading.groups("D"):
        clause = reading.sketch.clause_at(at)
        is_open = reading.retracted(at) or reading.doubted(at, at + 1) or reading.asks(clause)
        for member in group.members if reading.denied(at, at + 1) and not is_open else ():
            if member.term.tag == EITHER:
                for finding in reading.told(DISEASE, reading.name(member), at):
                    yield finding._replace(denied=True)


def _before_a_denial(reading: Reading, at: int, group: Group) -> Sequence[Mention]:
    """Of a list over a comma what stands before the comma, where only the rest is denied: 有高血压，心脏病没有."""
    grammar, suffix = reading.grammar, reading.suffix(at + 1)
    over = grammar.over_after.search(suffix) or grammar.denied_after.search(suffix)
    return reading.before_a_comma(group) if over else ()


def _each_held(reading: Reading, at: int, members: Sequence[Mention]) -> Iterator[Finding]:
    grammar, prefix = reading.grammar, reading.prefix(at)
    reading.taken.add(at)
    had = grammar.had_before.search(prefix) or grammar.own_before.search(prefix)
    denied = grammar.denied_before.search(prefix) or grammar.doubted_before.search(prefix)
    if not denied and not reading.retracted(at) and not reading.asks(reading.sketch.clause_at(at)):
        for member in members:
            if member.term.tag != "acute":
                yield from reading.told(DISEASE, reading.name(member), at, possible=not had)


def _holds(reading: Reading, at: int, end: int) -> bool:
    if reading.grammar.own_before.search(reading.prefix(at)) and not reading.retracted(at):
        return True
    if _TESTED_CLEAR.match(reading.sketch.lowered, reading.sketch.places[end]) and not _THOUGH.search(
        reading.drawn, end
    ):
        reading.taken.update(range(at, end))
        return False
    return not (reading.retracted(at) or reading.denied(at, end) or reading.doubted(at, end))


def _is_general(reading: Reading, found: re.Match[str]) -> bool:
    grammar = reading.grammar
    after, before = reading.suffix(found.end()), reading.prefix(found.start())
    return grammar.general_after.search(after) is not None or grammar.doubted_before.search(before) is not None


def _disease(reading: Reading, at: int, group: Group) -> Iterator[Finding]:
    grammar, clause = reading.grammar, reading.sketch.clause_at(at)
    prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
    had = any(words.search(prefix) for words in (grammar.had_before, grammar.own_before))
    anchored = had or grammar.since_after.search(suffix) is not None
    general = not anchored and grammar.general_after.search(suffix) is not None
    if general or grammar.over_after.search(suffix) or is_outgrown(reading, at) or _is_over_next(reading, at):
        return
    weak = all(member.term.tag == "weak" for member in group.members)
    told_next = any(_TOLD_NEXT.match(reading.words(each, each)) for each in reading.following(clause))
    told_next = told_next or (clause.sentence == 0 and reading.answers_about(grammar.asks_disease))
    anchored = anchored or told_next
    if (
        weak
        and not (had or told_next)
        and not _DATED.search(suffix)
        and not _is_treated_next(reading, clause, prefix, suffix)
    ):
        return
    own = had or _LASTS.match(suffix) is not None
    if reading.asks(clause) and not (own or (anchored and reading.people.own_after(clause.start - 1, clause.end))):
        return
    reading.taken.add(at)
    alone = len(group.members) == 1 and not reading.drawn.strip(EDGE + reading.drawn[at])
    guessed = _GUESSED.search(prefix) is not None and _BY_A_DOCTOR.search(reading.drawn, at) is None
    guessed = guessed or _TO_BE_RULED_OUT.match(suffix) is not None
    possible = guessed or (not anchored and (alone or not _is_report(reading, clause, prefix, suffix)))
    if guessed:
        reading.left_open.update(reading.names(group))
    for member in group.members:
        if member.term.tag == _INTOLERANCE:
            yield from reading.told(ALLERGY, reading.name(member), at, possible=possible)
        elif member.term.tag != "acute":
            yield from reading.told(DISEASE, reading.name(member), at, possible=possible)


def _is_of_the_dead(reading: Reading, at: int) -> bool:
    """Whether it is of somebody, or an animal, of whom the clause before says that they died; it is used up then."""
    clause = reading.sketch.clause_at(at)
    before = reading.sketch.clauses[clause.number - 1] if clause.number else None
    if reading.people.at(at) != USER or reading.people.own_after(clause.start - 1, clause.end):
        return False
    same = before is not None and before.sentence == clause.sentence
    of_the_dead = same and before is not None and _HAS_DIED.match(reading.words(before, before)) is not None
    reading.taken.update({at} if of_the_dead else ())
    return of_the_dead


def _is_over_next(reading: Reading, at: int) -> bool:
    """Whether all that the next clause says is that it has gone: then it is used up."""
    clause = reading.sketch.clause_at(at)
    following = reading.following(clause)
    beside = any(True for _ in reading.sketch.groups_in(at + 1, clause.end, "DRY"))
    if beside or len(reading.sketch.groups[at].members) > 1 or reading.grammar.had_before.search(reading.prefix(at)):
        return False  # of several nobody can tell which; what somebody had is told as history
    over = any(_GONE.fullmatch(reading.words(each, each)) for each in following)
    reading.taken.update({at} if over else ())
    return over


def is_outgrown(reading: Reading, at: int) -> bool:
    """Whether it was so in childhood, and is no more: 小时候有哮喘，后来二十年没犯."""
    began = reading.sketch.clause_at(at).began
    came_with = _WITH_A_PREGNANCY.search(reading.sketch.lowered) is not None
    if came_with and _OVER_WITH_BIRTH.search(
        reading.drawn, at, min(at + NEAR, reading.sketch.clause_at(at).end + NEAR)
    ):
        return True
    other = next((place for place, _ in reading.sketch.groups_in(at + 1, len(reading.drawn), "D")), len(reading.drawn))
    told = reading.drawn[max(began, at - NEAR) : min(other, at + NEAR)]
    return _CHILDHOOD.search(told) is not None and _NO_MORE.search(reading.drawn, at, min(other, at + NEAR)) is not None


def _is_report(reading: Reading, clause: Clause, prefix: str, suffix: str) -> bool:
    """Whether a disease without a word of having it is reported: in a telegram, or by who says I."""
    asked_next = any(each.sentence == clause.sentence and reading.asks(each) for each in reading.following(clause))
    if asked_next:
        return reading.people.own_after(clause.start - 1, clause.end)
    return len(prefix.strip(EDGE)) <= _TELEGRAM_MAX or not suffix.strip(EDGE)


def _is_treated_next(reading: Reading, clause: Clause, prefix: str, suffix: str) -> bool:
    """A telegram, and then what is taken for it: bipolar, on lithium."""
    alone = not prefix.strip(EDGE) and not suffix.strip(EDGE)
    return alone and any(
        True for each in reading.following(clause) for _ in reading.sketch.groups_in(each.start, each.end, "S")
    )
