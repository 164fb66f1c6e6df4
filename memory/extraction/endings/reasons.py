"""Why a message says that an allergy or a lasting disease is so no longer. Where there is doubt it gives no reason.

A reason ends what safety rests on; a no without one is asked about. So one counts only where it is said of the very
thing, by the user, as a fact, and with a result that speaks for it: a test that came back positive, another's test, a
headache that is gone, a test that is still to come are none.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from memory.clinical.findings import ALLERGY
from memory.clinical.lasting import disease_lasts
from memory.clinical.sameness import HEADS, head_of, is_of_one, is_short_for, word_of
from memory.clinical.sketch import Clause, Sketch
from memory.extraction.endings.known import is_users_own
from memory.extraction.endings.reason_patterns import BORNE, ELSE, FINE, IT, LASTING, OF_IT
from memory.language.conditions import IF_ZH

_I: Final = re.IGNORECASE
_OF_MEDICINE: Final = "SDYO"
_REACH: Final = 3
"""Clauses on either side that are looked at."""
_SHORTLY: Final = 8
_SENTENCES: Final = 2
"""And sentences."""
_FOUND_OUT: Final = re.compile(
    r"抽血|血检|过敏原|点刺|皮试|激发|斑贴|化验|报告|结果|真正过敏|罪魁祸首|元凶"
    r"|\b(?:tests?|tested|results?|bloods?|panel|ige|pricks?|challenge|culprit|allergist|turns out)\b",
    _I,
)
"""Said near it: an allergy was looked for, or what it is of instead."""
_OF_ALLERGY: Final = (
    r"皮试|点刺|斑贴|激发|过敏原|过敏测试"
    r"|\b(?:ige|rast|challenge|skin pricks?|(?:skin|prick|patch|allergy|scratch)(?: \w+)? tests?)\b"
)
_TESTS: Final = (
    (r"哮喘|asthma", r"肺功能|激发|spirometry|lung function|methacholine"),
    (r"癫痫|epilep", r"脑电图|\beeg\b"),
    (r"糖尿病|diabet", r"血糖|糖化|糖耐|glucose|\ba1c|hba1c|\bogtt"),
    (r"高血压|血压高|hypertens|high blood", r"动态血压|血压监测|(?:24h|24-hour|pressure|bp) monitor"),
    (r"甲亢|甲减|thyroid", r"甲功|thyroid (?:tests?|panel|function)|\btsh\b"),
    (r"乙肝|丙肝|肝炎|hepatitis", r"表面抗原|hbsag|肝炎(?:病毒)?(?:检查|抗体)"),
    (r"幽门|pylori", r"吹(?:完|了|过)?气|呼气|碳1[34]|breath test|根除"),
    (r"乳糜泻|c(?:o)?eliac", r"\bbiops|\bttg\b|endoscopy"),
)
"""By the disease that is named: the tests that are of it. Of other tests nothing is concluded."""
_GOOD: Final = (
    r"(?:阴性|转阴|根除(?:了|成功)|正常|没有?(?:反应|问题|事)|通过"
    r"|\b(?:negative|normal|clear|fine|passed|no reaction|nothing happened)\b)"
)
_BAD: Final = re.compile(
    r"阳|[不没未][^，。]?正常|[不没未]通过|异常|偏|高|红|肿|弱|不[是算能]|没做"
    r"|\b(?:positive|abnormal|not|never|high|raised|low|spikes?|reacted"
    r"|borderline)\b|n't\b",
    _I,
)
_WRONG_DIAGNOSIS: Final = re.compile(
    r"误诊|(?:诊断|判断|诊)(?:是|得)?错(?:了|的)|\b(?:it|that|this|which)\b[^,.;!?]{0,16}\bmisdiagnos\w+"
    r"|\bwrong diagnosis\b|\bde-?label\w*|脱敏(?:治疗)?(?:已经)?(?:做完|成功|结束)",
    _I,
)
_UNSURE: Final = re.compile(
    rf"还没|没[做去查测出拿]|[要等去]做|打算|准备|预约|明天|后天|下周|下个?月|就好|才好|希望|如果|{IF_ZH}|的话|可能"
    r"|也许|大概|好像|应该|怀疑|觉得|吧$|不信|管.{0,6}怎么说"
    r"|\b(?:tomorrow|next (?:week|month)|scheduled|booked|waiting|yet|never tested|needs? (?:an?|to)|pending"
    r"|hop(?:e|ing)|if|maybe|perhaps|probably|might|may|guess|i think|whatever|matter what|care what|refuse\w*|want\w*"
    r"|wish)\b",
    _I,
)
"""It is not known, or not so yet."""
_NEGATED: Final = re.compile(r"(?:[不没未无]能?|还没|(?:\b(?:not|never|cannot|hardly)|n't)(?: been| be)?) ?$", _I)
_OTHERS: Final = re.compile(
    r"邻居|隔壁|朋友|同事|同学|室友|病友|网友|客服"
    r"|\b(?:neighbou?rs?|friends?|colleagues?|room ?mates?|co-?workers?|someone|people)\b",
    _I,
)


_INSTEAD: Final = re.compile(
    rf"^(?:[^{LASTING}]{{0,80}}\bdiagnosis[^{LASTING}]{{0,8}})?\W*{LASTING}\W*$"
    rf"|^[^{LASTING}]{{0,12}}?(?:是|\b(?:it'?s|it is|it was|got|i have)\b)[^{LASTING}]{{0,12}}{LASTING}",
    _I,
)
"""It is another one: said before what it is not."""


_EATEN: Final = re.compile(r"\b(?:ate|eaten|tried)\b|[吃喝试]了", _I)


class _Stretch(NamedTuple):
    """Clauses in a row, as they are read here, and where they are in the drawing."""

    text: str = ""
    start: int = 0
    end: int = 0


class _Part(NamedTuple):
    """A stretch of a clause up to a thing of medicine, the words for that, and its sign if it is another."""

    before: str
    words: Sequence[str] = ()
    sign: str = ""

    def sign_for(self, named: str) -> str:
        """What stands for it where this is looked for."""
        its = any(
            is_of_one(named, each) or is_short_for(each, named) or (each in HEADS and named.endswith(each))
            for each in self.words
        )
        return IT if its else self.sign


class _Thing(NamedTuple):
    """What is looked for, how it is said, and the clauses as they are read then, by number."""

    name: str
    said_as: re.Pattern[str]
    texts: dict[int, str]


class _Near(NamedTuple):
    """What is read about a thing: the clause that says no of it, its sentence, and what is said on either side."""

    own: _Stretch
    sentence: _Stretch
    left: _Stretch
    right: _Stretch
    whole: _Stretch
    around: str
    """All that stands beside it, of whatever it speaks."""


class Reasons:
    """Reasons in one message: each of its clauses is read once, for whatever is looked for."""

    def __init__(self, drawn: Sketch, before: str = "") -> None:
        """`before`: what was said right before it, that may name the test of which it tells."""
        self.drawn = drawn
        self._before = before
        self._own: dict[int, bool] = {}
        self._parts: dict[int, list[_Part]] = {}
        self._things: dict[str, _Thing] = {}

    def reason_for(self, quote: str, named: str, predicate: str) -> str:
        """The words by which what is `named` (of this predicate) is so no longer, as its `quote` says; none: no reason.

        A few clauses about the quote are read.
        """
        near = self._near(quote, self._thing(named))
        found = None if near is None else _found(near, named, predicate)
        return "" if found is None else self.drawn.quote(found.start, found.end)

    def is_users_own(self, clause: Clause) -> bool:
        """Whether a clause speaks of nobody but the user, or of the user too."""
        if clause.number not in self._own:
            self._own[clause.number] = is_users_own(self.drawn, clause)
        return self._own[clause.number]

    def _thing(self, named: str) -> _Thing:
        if named not in self._things:
            head, said_as = head_of(named), word_of(named)
            said_as = re.compile(f"{said_as.pattern}|{head.pattern}") if head else said_as
            self._things[named] = _Thing(named, said_as, {})
        return self._things[named]

    def _near(self, quote: str, thing: _Thing) -> _Near | None:
        """What stands about the clause of a quote that says it; None: that speaks of somebody or something else."""
        drawn = self.drawn
        at = drawn.spelled.said.find(quote) if quote else -1
        if at < 0:
            return None
        start, end = (drawn.place_of(drawn.spelled.place_of(place)) for place in (at, at + len(quote) - 1))
        first, last = drawn.clause_at(start), drawn.clause_at(end)
        quoted = drawn.clauses[first.number : last.number + 1][-_REACH:]
        own = next((each for each in quoted if IT in self._read(each, thing)), quoted[-1])
        said = self._read(own, thing)
        others = _OTHERS.search(said) or not self.is_users_own(own)
        if others or (IT not in said and _names_else(said)):
            return None
        before = list(self._beside(own, -1, thing))[::-1]
        after = list(self._beside(own, 1, thing))
        sentence = [each for each in (*before, own, *after[:1]) if each.sentence == own.sentence]
        beside = drawn.clauses[max(0, own.number - _REACH) : own.number + _REACH + 1]
        return _Near(
            self._stretch([own], thing),
            self._stretch(sentence, thing),
            self._stretch(before, thing),
            self._stretch(after, thing),
            self._stretch([*before, own, *after], thing),
            f"{self._before} {drawn.quote(beside[0].start, beside[-1].end)}",
        )

    def _stretch(self, clauses: Sequence[Clause], thing: _Thing) -> _Stretch:
        if not clauses:
            return _Stretch()
        return _Stretch("，".join(self._read(each, thing) for each in clauses), clauses[0].start, clauses[-1].end)

    def _beside(self, own: Clause, step: int, thing: _Thing) -> Iterator[Clause]:
        """The clauses on one side, to the end of the next sentence, until one speaks of something or somebody else."""
        for number in range(own.number + step, own.number + step * (_REACH + 1), step):
            if not 0 <= number < len(self.drawn.clauses):
                return
            clause = self.drawn.clauses[number]
            text = self._read(clause, thing)
            far = abs(clause.sentence - own.sentence) > _SENTENCES
            if far or clause.asked or _UNSURE.search(text) or _OTHERS.search(text) or not self.is_users_own(clause):
                return
            next_to_it = abs(number - own.number) == 1 and LASTING in text
            told_instead = next_to_it and (step > 0 or _INSTEAD.match(text) is not None)
            if _names_else(text) and IT not in text and not told_instead:
                if _EATEN.search(text):
                    continue  # of what it is a kind of: negative, and I ate prawns. I'm not allergic to shellfish
                return
            yield clause

    def _read(self, clause: Clause, thing: _Thing) -> str:
        """A clause in small letters, with one sign for the thing, and one for each other thing of medicine."""
        if clause.number not in thing.texts:
            if clause.number not in self._parts:
                self._parts[clause.number] = list(self._cut(clause))
            parts = (part.before + part.sign_for(thing.name) for part in self._parts[clause.number])
            thing.texts[clause.number] = thing.said_as.sub(IT, "".join(parts))
        return thing.texts[clause.number]

    def _cut(self, clause: Clause) -> Iterator[_Part]:
        drawn, at = self.drawn, clause.start
        for place, group in drawn.groups_in(clause.start, clause.end, _OF_MEDICINE):
            words = [word for each in group.members for word in (drawn.lowered[each.start : each.end], each.term.name)]
            sign = LASTING if group.letter == "D" and any(map(disease_lasts, words)) else ELSE
            before = drawn.lowered[drawn.places[at] : drawn.places[place]]
            yield _Part(before, list(dict.fromkeys(words)), sign)
            at = place + 1
        yield _Part(drawn.lowered[drawn.places[at] : drawn.places[clause.end]])


def reason_for(drawn: Sketch, quote: str, named: str, predicate: str) -> str:
    """As `Reasons` has it, of a message in which only this is looked for."""
    return Reasons(drawn).reason_for(quote, named, predicate)


def result_in(answer: Sketch, named: str) -> str:
    """The words by which an answer to how somebody knows tells of a test, of nothing else than what is `named`."""
    found = _result_of(_OF_ALLERGY).search(answer.lowered)
    if found is None or _BAD.search(found[0]) or _UNSURE.search(found[0]):
        return ""
    start, end = answer.place_of(found.start()), answer.place_of(found.end() - 1) + 1
    first, last = answer.clause_at(start), answer.clause_at(end - 1)
    others = [
        member
        for _, group in answer.groups_in(first.start, last.end, "S")
        for member in group.members
        if not is_of_one(member.term.name, named)
    ]
    own = all(is_users_own(answer, each) for each in answer.clauses[first.number : last.number + 1])
    return "" if others or not own else answer.quote(first.start, last.end)


def _found(near: _Near, named: str, predicate: str) -> _Stretch | None:
    is_named = IT in near.whole.text
    if is_named:
        for where in (near.own, near.sentence):
            if any(_is_sure(pattern, where.text) for pattern in OF_IT):
                return where
        if any(_is_sure(pattern, near.whole.text) for pattern in BORNE):
            return near.whole
        fine = predicate == ALLERGY and any(_is_sure(pattern, near.own.text) for pattern in FINE)
        if fine and _FOUND_OUT.search(near.around) and not _UNSURE.search(near.around):
            return near.own
    elif predicate == ALLERGY:  # nobody knows of what: a test of a disease is of that disease
        return None
    return _found_out(near, _test_of(named, predicate), is_named=is_named)


def _found_out(near: _Near, test: str, *, is_named: bool) -> _Stretch | None:
    """Where a test of it says so, or that it was a wrong diagnosis."""
    result = _result_of(test) if test else None
    told_apart = [] if IT in near.own.text else [near.sentence]
    for where in [near.left, near.right, near.own, *told_apart]:
        told = result.search(where.text) if result else None
        if told is not None and not _BAD.search(_around(told, where, near)):
            return where
        if is_named and where in (near.left, near.right) and _is_sure(_WRONG_DIAGNOSIS, where.text):
            return where
    return None


@cache
def _result_of(test: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{test})[^！？!?]{{0,40}}?{_GOOD}|{_GOOD}[^，。！？,.!?]{{0,16}}?(?:{test})", _I)


def _around(told: re.Match[str], where: _Stretch, near: _Near) -> str:
    """The words that may turn a result round: all of them; in the clause that says no, those right before it."""
    names_it = where is near.own and IT in where.text
    return where.text[max(0, told.start() - _SHORTLY) : told.end()] if names_it else where.text


def _is_sure(pattern: re.Pattern[str], text: str) -> bool:
    found = pattern.search(text)
    return found is not None and not (_NEGATED.search(text, 0, found.start()) or _UNSURE.search(text))


def _test_of(named: str, predicate: str) -> str:
    """The tests that say something of it; none: those of another."""
    if predicate == ALLERGY:
        return _OF_ALLERGY
    return "|".join(tests for of, tests in _TESTS if re.search(of, named, _I))


def _names_else(text: str) -> bool:
    return LASTING in text or ELSE in text
