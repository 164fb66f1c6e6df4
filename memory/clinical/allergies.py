"""What is not borne, said so: allergic to, 对…过敏, a heading with its list, what a doctor forbade for good."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.people import OTHER, USER
from memory.clinical.questions import ASKS_TAKEN
from memory.clinical.reactions import is_a_drug, is_remedy
from memory.clinical.reading import EDGE, NEAR, Reading
from memory.clinical.sketch import Group, is_drawn, pattern
from memory.clinical.wanting import is_an_animal
from memory.language.noise import without_noise

_ALLERGIES: Final = re.compile(r"过敏|all?er?g|adr|^all$|nkda")
_IN_GENERAL: Final = re.compile(r"^(?:会不会|能不能|会|是)?(?:遗传|传染|怎么引起|是什么)")
_ITEMS: Final = re.compile(r"[、，,；;/\n]|(?<=[^\d])\.(?=\s|$)")
_DATE: Final = re.compile(
    r"^\W*(?:[12]\d{3}|\d{2}(?=年))(?:年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)?|[(（]?(?:in )?(?:19"
    r"|20)\d\d(?:年)?[)）]?\W*$"
)
_OPERATIONS: Final = re.compile(r"手术|surg|operation|psh|implant")

_TESTED_WELL: Final = pattern(
    r"\s*+(?:[，,]|[-–](?=\s))?\s*+[(（]?(?:<T>|皮试|检测|测试|结果|[均都全也为是呈]|\b(?:skin|tests?|tested|is"
    r"|was|were|all)\b|\s)*+"
    r"[:：]?\s*+(?:阴性(?!的)|(?<=[(（])-+(?=[)）])|\bneg(?:ative)?\b(?! (?:for|to)))"
)
"""Right behind what a heading lists: it was tested, and it is no allergy."""
_WELL: Final = re.compile(r"(?:阴性的?[:：是有]+|\bnegative (?:for|to))\s*$")
"""The same right before it."""
_LEFT_OUT: Final = re.compile(r"\bnot(?: to)? $")
"""Right before one of a list: penicillin, but not aspirin."""
_LEFT_OUT_OF_ALL: Final = re.compile(r"除(?:了|去|开)$")
"""Right before what a denial of all others leaves out."""
_NOES: Final = ("no", "not_to")
"""Groups of a pattern that deny."""
_TO_ME: Final = re.compile(r" (?:makes?|made|gave|gives?|brings?|brought|sets?|caused?|causes) (?:me|my)\b")
"""Behind a list of what a relative does not bear: the last one of it did something to the speaker."""
_FOUND_BORNE: Final = pattern(
    r"(?:后来|再|又|去年|前年|今年|长大|现在)[^，。]{0,8}皮试[^，。]{0,4}(?:没(?:事|问题|反应|过敏)|不过敏|是?正常)"
    r"|(?:(?:^|[.,;] ?)(?:was |got )?(?:re-?)?|\b(?:i was|i got|i've been|i have been|but was|but got|and was"
    r"|and got) (?:re-?)?)"
    r"tested(?: (?:for (?:it|that)|last \w+|again|properly|since|recently|in clinic|at \w+|\w+ (?:years|months) ago))*"
    r"(?:,| and| but| -)* (?:that |it (?:was|turned out) |(?:i'?m|i am|i was) )*"
    r"(?:(?:not|negative)(?: (?:actually|really))?"
    r"|(?:totally|completely|absolutely|all|perfectly) (?:fine|clear|ok(?:ay)?))"
    r"(?=\W*(?:$|[,.;]|any ?more\b|after all\b|allergic\b(?! to)))"
)
"""Behind a substance: it was tested later, and is borne."""
_HARM_NEAR: Final = 20
"""Letters behind a test in which harm may be told that came all the same."""
_GUESSED: Final = re.compile(
    r"(?:可能|好像|似乎|大概|也许|或许|估计|应该)(?:是|会|也|我|有点)*$"
    r"|(?:医生|大夫|护士|药师|专家|医院)[^，。！？]{0,4}(?:怀疑|疑似|考虑)(?:是|会|也|我|有点)*$"
    r"|\b(?:doctors?|gp|nurse|consultant|specialist|hospital|they) (?:suspects?|suspected)(?: that)?"
    r" i(?:'?m| am| may be| might be) $"
    r"|\b(?:(?:i )?think(?: that)? i(?:'?m| am)|i (?:might|may) be|probably|possibly|maybe)(?: i'?m| a bit| also)* $"
)
"""Before what somebody says that they do not bear: they are not sure."""
_RECKONED: Final = re.compile(
    r"\b(?:doctors?|gp|nurse|consultant|specialist|pharmacist|they|he|she|hospital)\b[^.;!?]{0,12}"
    r"\b(?:(?:reckons?|thinks?|says?|said)\b[^.;!?]{0,16}\b(?:might|may|could|possibly|probably)|suspect(?:s|ed))\b"
    r"|(?:医生|大夫|护士|药师|医院)[^，。！？]{0,4}(?:(?:说|觉得|认为|估计)[^，。！？]{0,4}(?:可能|也许|好像|大概)|怀疑|疑似|考虑)"
)
"""Before it: those who treat somebody are not sure."""
_ANEW: Final = re.compile(
    r".*\b(?:and|but|because|cos|coz|cuz|although|though)(?= (?:also )?(?:i'?m|i am|i'?ve|i have)\b)"
)
"""Before the word: the speaker begins anew, and what stands before that says nothing of it."""
_JOINED: Final = re.compile(r".*\b(?:and|but|because|cos|coz|cuz|although|though) $")
_OWN: Final = re.compile(r"i(?:'?m|'?ve| am| have)\b")
"""The same, where the words of the allergy begin with the speaker."""
_GONE: Final = re.compile(
    r"^(?:现在|已经|早就?|后来|也|都|全|就)*(?:好|没|没有|痊愈|治好|消失)了(?![吗么])(?=[，。,.！!]|$)"
    r"|^(?:'s| is| has)?(?: now| all| completely| totally| finally| since)*"
    r" (?:gone\b(?! (?:up|down|to|from|worse))|went away|disappeared|cleared\b|resolved|been cured|cured)"
)
"""Right behind the word: of a food that is news; of a medicine nobody can say so who has not taken it."""
_ONCE: Final = re.compile(r"小时候|以前|从前|原来|早年|\b(?:as a (?:kid|child|baby|toddler)|used to|once|when i was)\b")
_NOT_SO_NOW: Final = re.compile(rf"{_ONCE.pattern}|希望|但愿|确认|保证|\bhop(?:e|ing)\b|\bwish\b")
"""Before a denial: it was so, is wished, or is to be made sure of."""


def under_headings(reading: Reading) -> Iterator[Finding]:
    """Allergies: penicillin; 过敏史：无. What stands under other headings is read as it is anywhere."""
    for found in reading.grammar.headings.finditer(reading.drawn):
        kind, at, start, end = _kind_of(found["kind"]), found.start("kind"), *found.span("x")
        if reading.people.at(at) == OTHER:
            continue
        if reading.grammar.nothing.search(found["x"]):
            if kind != SURGERY:
                yield from reading.none(kind, at, end)
        elif kind == ALLERGY:
            yield from _listed(reading, start, end)
        elif kind == SURGERY:
            yield from _operations_listed(reading, start, end)


def _kind_of(heading: str) -> str:
    if _ALLERGIES.search(heading):
        return ALLERGY
    return SURGERY if _OPERATIONS.search(heading) else DISEASE


def _operations_listed(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    """Each item as it was said, without its date."""
    at = start
    for part in _ITEMS.split(reading.drawn[start:end]):
        at = reading.drawn.find(part, at)
        name = reading.sketch.quote(at, at + len(part))
        told = without_noise(_DATE.sub("", name).strip(EDGE))
        if len(told) > 1 and not reading.taken.intersection(range(at, at + len(part))):
            reading.taken.update(place for place, _ in reading.sketch.groups_in(at, at + len(part), "GDOVS"))
            yield from reading.told(SURGERY, told, at, end=at + len(part))
        at += len(part)


def _listed(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    for at, group in reading.sketch.groups_in(start, end, "S"):
        if _TESTED_WELL.match(reading.drawn, at + 1, end) or _WELL.search(reading.drawn, start, at):
            reading.taken.add(at)
        elif not is_remedy(group) and not reading.grammar.denied_before.search(reading.drawn[start:at]):
            yield from reading.told_each(ALLERGY, group, at)
    yield from reading.unknown(start, end, possible=False)


_FINE_SINCE: Final = re.compile(
    r"^(?:(?![儿女弟妹哥姐爸妈老孩他她])[^。！？!?\n\ue000-\uf8ff]){0,16}?(?:现在|如今|早就|已经)(?:我)?(?:都|也)?"
    r"(?:天天[吃喝]|照[吃喝]|能[吃喝]了|不过敏了|[吃喝](?:了|着)?(?:都|也|就)?没事了?)(?=[，。,.！!]|$)"
    r"|^[^。！？!?\n\ue000-\uf8ff]{0,8}?长大(?:了|后|以后)?(?:就|也|都)?(?:好了|没事了|不过敏了)"
    r"|^(?:(?!\b(?:son|daughter|he|she|dad|mum|mom|brother|sister)\b)[^.!?\n\ue000-\uf8ff]){0,30}?"
    r"\b(?:gr[eo]wn? out of it|outgr[eo]wn? it|(?:eat|drink|have) (?:it|them) (?:now|all the time|every day))\b"
    r"(?![^.!\n]*\?)"
)
"""Behind a food that was not borne once: it is now. Of a medicine nobody can say so who has not taken it."""
_NOT_BECAUSE: Final = re.compile(r"\b(?:not because|not that|doubt|jokes?|joking|don'?t think)\b")


_SUSCEPTIBLE: Final = re.compile(r"sensitiv|敏感")
_CULTURE: Final = re.compile(
    r"\b(?:cultures?|isolates?|organisms?|e\.? ?coli|staph\w*|mrsa|strep\w*|klebsiella|grew|swab|msu|bacteri\w*"
    r"|susceptib\w*|resistant)\b|药敏|培养|菌"
)
"""Beside it what is sensitive to a medicine is a germ."""


def allergies(reading: Reading) -> Iterator[Finding]:
    """A substance beside the word for it. What stands in no lexicon is possible only: people say it of Mondays too."""
    for each in reading.grammar.allergies:
        for found in each.finditer(reading.drawn):
            yield from _allergy(reading, found)


def tested_borne(reading: Reading) -> set[str]:
    """What a later test of that very substance found to be no allergy, as who told of it says."""
    borne = set[str]()
    for at, group in reading.groups("S") if "皮试" in reading.drawn or "tested" in reading.drawn else ():
        until = next((other for other, _ in reading.sketch.groups_in(at + 1, len(reading.drawn), "SD")), None)
        found = _FOUND_BORNE.search(reading.drawn, at + 1, len(reading.drawn) if until is None else until)
        if found is None or reading.people.at(found.start()) != reading.people.at(at):
            continue
        harmed = any(True for _ in reading.sketch.groups_in(found.end(), found.end() + _HARM_NEAR, "R"))
        if not harmed:
            borne.update(reading.names(group))
    return borne


def averse(reading: Reading) -> Iterator[Finding]:
    """What may not be borne: to be read behind the frames that know."""
    for each in reading.grammar.averse:
        for found in each.finditer(reading.drawn):
            group = reading.sketch.groups.get(found.start("x"))
            if group and found.start("x") not in reading.taken and is_a_drug(group):
                yield from _allergy(reading, found)


def _allergy(reading: Reading, found: re.Match[str]) -> Iterator[Finding]:
    named = found.groupdict()
    start, end = _span(found)
    named_there = reading.sketch.groups_in(start, end, "S")
    groups = [(at, group) for at, group in named_there if not (at in reading.taken or reading.may_be_had(at))]
    reading.taken.update(at for at, _ in groups)
    if not groups and is_drawn(reading.drawn[start:end]):
        return
    guessed = _GUESSED.search(reading.prefix(found.start())) if groups else None
    if _SUSCEPTIBLE.search(found.group()) and _CULTURE.search(reading.sketch.lowered):
        return
    if not _holds(reading, found, start, reading.prefix(found.start())[: guessed.start()] if guessed else None):
        return
    if len(groups) > 1 or any(map(named.get, ("apart", "forbids"))):
        groups = [(at, group) for at, group in groups if not is_remedy(group)]
    possible = bool(named.get("maybe") or guessed)
    _leave_open(reading, found, [group for _, group in groups])
    whose: int | None = found.start("apart") if (named.get("apart") or "").isalpha() else None
    for at, group in (each for each in groups if not _LEFT_OUT.search(reading.drawn, start, each[0])):
        named_so = _not_borne_of(reading, group)
        whose = found.start() if whose is None and is_an_animal(group) else whose  # allergic to my dog
        told = list(reading.told_each(ALLERGY, named_so, at, possible=possible, end=found.end(), whose=whose))
        harmed = any(True for _ in reading.sketch.groups_in(at + 1, at + NEAR, "RY"))
        if len(told) > 1 and harmed and _TO_ME.match(reading.sketch.lowered, reading.sketch.places[at + 1]):
            told[-1] = told[-1]._replace(subject=USER)
        yield from told
    if not groups and not named.get("apart"):
        yield from reading.unknown(start, end, possible=True)


def _not_borne_of(reading: Reading, group: Group) -> Group:
    """Those of a list that the word is said of: behind a question for what is taken the last."""
    asked = reading.question.text.lower()
    if not ASKS_TAKEN.search(asked) or reading.grammar.asks_allergy.search(asked):
        return group
    apart = reading.but_the_last(group)
    return group._replace(members=[each for each in group.members if each not in apart])


def _leave_open(reading: Reading, found: re.Match[str], groups: Sequence[Group]) -> None:
    """Where those who treat somebody are not sure, nothing else that is said makes it firm."""
    if _RECKONED.search(reading.prefix(found.start()) + found.group()):
        reading.left_open.update(name for group in groups for name in reading.names(group))


def _span(found: re.Match[str]) -> tuple[int, int]:
    """Where the substance stands: group x, or x2 where a pattern has two orders."""
    return found.span("x" if found.groupdict().get("x") else "x2")


def _since_anew(before: str, said: str) -> str:
    """What of it stands behind where the speaker begins anew: I might need surgery and | I'm (allergic)."""
    anew = _ANEW.match(before) or (_JOINED.match(before) if _OWN.match(said) else None)
    return before[anew.end() :] if anew else before


def _is_outgrown(reading: Reading, found: re.Match[str], before: str) -> bool:
    named = [group for _, group in reading.sketch.groups_in(*_span(found), "S")]
    after = reading.drawn[found.end() :]
    if not named or any(map(is_a_drug, named)):
        return False
    if _GONE.search(after):
        return True
    if _FINE_SINCE.search(after) is None:
        return False
    return _ONCE.search(before + found.group() + after) is not None


def not_allergic(reading: Reading) -> Iterator[Finding]:
    """That a substance is borne after all; what is doubted or asked is not denied."""
    for each in reading.grammar.allergies:
        for found in each.finditer(reading.drawn):
            start, end = _span(found)
            gone = _is_outgrown(reading, found, reading.prefix(found.start()))
            if _is_denied(reading, found, start) or (gone and not reading.asks(reading.sketch.clause_at(start))):
                for at, group in reading.sketch.groups_in(start, end, "S"):
                    yield from _borne(reading, group, at, found.end())
    for at, group in reading.groups("S"):
        if reading.proved_borne(at) and not reading.asks(reading.sketch.clause_at(at)):
            yield from _borne(reading, group, at, at + 1)


def _borne(reading: Reading, group: Group, at: int, end: int) -> Iterator[Finding]:
    for name in reading.names(group):
        for finding in reading.told(ALLERGY, name, at, end=end):
            yield finding._replace(denied=True)


def _is_denied(reading: Reading, found: re.Match[str], start: int) -> bool:
    named, grammar = found.groupdict(), reading.grammar
    before = reading.prefix(found.start()) + reading.drawn[found.start() : start]
    if not (any(map(named.get, _NOES)) or grammar.denied_before.search(before)):
        return False
    if "不" in reading.drawn[start : found.end("x")]:  # 对青霉素不是不过敏
        return False
    if _LEFT_OUT_OF_ALL.search(before):
        return False
    if any(map(named.get, ("no2", "maybe"))) or any(
        words.search(before) for words in (grammar.doubted_before, _NOT_SO_NOW)
    ):
        return False
    asks = reading.asks(reading.sketch.clause_at(found.end() - 1))
    return not (asks or reading.retracted(found.start()))


def _holds(reading: Reading, found: re.Match[str], start: int, before: str | None = None) -> bool:
    """`before`: what of its clause stands before it, if less of that counts."""
    named, grammar = found.groupdict(), reading.grammar
    if named.get("apart") or named.get("forbids"):
        return _holds_apart(reading, found)
    before = _since_anew(reading.prefix(found.start()) if before is None else before, found.group())
    if _is_outgrown(reading, found, before):
        return False
    if (
        any(map(named.get, (*_NOES, "no2")))
        or grammar.denied_before.search(before)
        or grammar.denied_before.search(before + reading.drawn[found.start() : start])
    ):
        return False
    if reading.retracted(found.start()) or grammar.doubted_before.search(before):
        return False
    return not _is_asked(reading, found)


def _holds_apart(reading: Reading, found: re.Match[str]) -> bool:
    """Where it is said in a clause of its own: what stands before the substance denies something else."""
    named = found.groupdict()
    if reading.retracted(found.start()) or any(map(named.get, _NOES)):
        return False
    if reading.likened(found.start("x") if named.get("x") else found.start("x2")):
        return False
    if not named.get("apart"):
        return True
    return not (_NOT_BECAUSE.search(found.group()) or (not named.get("forbids") and _is_asked(reading, found)))


def _is_asked(reading: Reading, found: re.Match[str]) -> bool:
    """Whether the allergy itself is asked about, and not something else after it."""
    clause = reading.sketch.clause_at(found.end() - 1)
    if reading.grammar.asks_first:
        return (
            clause.asked
            and reading.asks(clause)
            and reading.grammar.asked.search(reading.prefix(found.end())) is not None
        )
    rest = reading.drawn[found.end() : clause.end].strip(EDGE)
    if _IN_GENERAL.search(rest):
        return True
    return (clause.asked and len(rest) <= 1) or reading.grammar.asked.search(reading.prefix(found.start())) is not None
