"""Complaints: a symptom of the lexicon, or a part of the body and what is wrong with it; since when, how, where."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, SYMPTOM, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.reading import NEAR, Reading
from memory.clinical.sketch import Clause, Group, Sketch

_OUTCOME: Final = "severe"
"""The tag of reactions that say what became of it, and no complaint."""
_CAME: Final = re.compile(
    r"以后|之后|后来|就|会|住过?院|那次|当时|小时候|以前|上次|上回|那年|过(?=[，。,.]|$)|起过|[吃喝用打输碰]了"
    r"|\b(?:g[ai]ve|gives|ma[dk]es?|comes?|came|brings?|brought|breaks?|broke|gets?|got|goes|go|went"
    r"|when i was|ended up"
    r"|as a (?:kid|child)|last time|years ago|once|swells?|swelled|closed|closes|blew|turned|had|in (?:19|20)\d\d)\b"
)
"""Between what is not borne and a complaint, or beside it: it came of that."""
_IS_NOW: Final = re.compile(
    r"现在|今[天早晚日]|最近|这[几两]天|这会儿?|目前|昨[天晚]|我(?:还)?有|还有|另外|一直|[天周月]了|"
    r"\b(?:i (?:also )?(?:have|feel|keep)|i'?ve|i'?m (?!all?erg)|my (?!all?erg)[\w\ue000-\uf8ff]+ "
    r"(?:is|are|hurts?|aches?|feels?)|now"
    r"|today|yesterday|tonight|currently|since|at the moment|at present|this (?:morning|week|evening|afternoon)"
    r"|last night|for (?:\d|the|a|two|three|four|five)|also|here (?:about|with|for))\b"
)
"""Between what is not borne and a complaint, or beside it: it is one of today."""
_HOW_MUCH: Final = re.compile(r"[很太挺]|非常|特别")
"""What begins so and is denied is there all the same: 不是很痛."""
_SO_MUCH: Final = re.compile(r"^(?:[很太挺真好]|非常|特别|有[点些])+(?=[疼痛痒酸胀麻晕闷肿困累冷])")
"""How much it is felt is no part of its name: 也不痒了 ends what was 好痒."""
_COMES_BACK: Final = re.compile(
    r"\b(?:comes? and goes?|(?:it|they)(?:'ll| will)? (?:usually |always |often |still |just |keeps? |tends? to )*"
    r"com(?:e|es|ing) back)\b|时好时坏|(?:但是?|不过|可是)(?:一般|通常|老|总是?|还|又|过[^，。]{1,4})*(?:会"
    r"|要)?(?:再|又)(?:犯|来|疼|痛|复发)"
)
_COMES_BACK_NEAR: Final = 60
"""Letters behind the clause of a complaint in which its sentence may say so."""
_LONG_AGO: Final = re.compile(
    r"\blast time (?:it|they|i (?:had|took|tried))\b|(?:上次|上回)(?:吃|用|打|喝|输)|(?<!since )\bin (?:19|20)\d\d\b"
    r"|(?<!从)(?<!自)(?:19|20)\d\d年(?!(?:开始|起|以来|到现在))"
)
"""A clause that tells of a year, or of another time."""
_OWN_LIFE: Final = re.compile(r"better off without me|my life|killing myself|不想活")
"""Said of the speaker, whoever else is named."""
_SIDE_NEAR: Final = 8
_CLAUSES_NEAR: Final = 6
"""Clauses of a sentence after a complaint that may say how long it lasts."""


def symptoms(reading: Reading, health: HealthGrammar, told: list[Finding]) -> Iterator[Finding]:
    """What somebody complains of. `told`: what safety has read of it: a reaction to a medicine is none."""
    not_borne = _places_of_what_is_not_borne(reading, told)
    covered: set[int] = set()
    for words in health.complaints:
        for found in words.finditer(reading.drawn):
            start, end = found.span("x")
            if covered.isdisjoint(range(start, end)):
                covered.update(range(start, end))
                denied = bool(found.groupdict().get("no")) or _denied(reading, health, start, end)
                if not (denied and _HOW_MUCH.match(found["x"])) and not _came_of_it(reading, start, told, not_borne):
                    yield from _told(reading, health, _said(reading, found), (start, end), denied=denied)
    for at, group in reading.groups("YR"):
        if at not in covered and not _came_of_it(reading, at, told, not_borne):
            yield from _named(reading, health, at, group)


def _said(reading: Reading, found: re.Match[str]) -> str:
    """A complaint in the words that were said, without those that deny it: 胃不疼了 is of 胃疼."""
    start, end = found.span("x")
    no = found.span("no") if found.groupdict().get("no") else (end, end)
    return reading.sketch.quote(start, no[0]) + reading.sketch.quote(no[1], end)


def _named(reading: Reading, health: HealthGrammar, at: int, group: Group) -> Iterator[Finding]:
    denied = _denied(reading, health, at, at + 1)
    for member in group.members:
        if member.term.tag != _OUTCOME:
            said = reading.sketch.text[member.start : member.end]
            name = reading.name(member) if member.kind == SYMPTOM else said
            yield from _told(reading, health, name, (at, at + 1), denied=denied)


def _denied(reading: Reading, health: HealthGrammar, start: int, end: int) -> bool:
    return health.denied_before.search(reading.prefix(start)) is not None or reading.denied(start, end)


def _told(
    reading: Reading, health: HealthGrammar, text: str, span: tuple[int, int], *, denied: bool
) -> Iterator[Finding]:
    start, end = span
    text = _SO_MUCH.sub("", text)
    clause = reading.sketch.clause_at(start)
    if any(words.search(text) for words in health.kind_of) or reading.retracted(start):
        return
    prefix, suffix = reading.prefix(start), reading.suffix(end)
    if health.not_now_before.search(prefix) or health.not_now_after.search(suffix):
        return
    if health.asks_of_it.search(reading.words(clause, clause)):
        return
    if _LONG_AGO.search(reading.words(clause, clause)) and not _IS_NOW.search(reading.words(clause, clause)):
        return
    over = health.over_after.search(suffix) is not None
    if (over or denied) and comes_back(reading.sketch, clause):
        over = denied = False  # no back pain this morning, but it usually comes back by evening
    whose = -1 if _OWN_LIFE.search(text) else None
    for finding in reading.told(SYMPTOM, text, start, end=end, whose=whose):
        details = () if over or denied else _details(reading, health, clause, start)
        yield finding._replace(denied=denied or over, attributes=details)


def comes_back(drawn: Sketch, clause: Clause) -> bool:
    """Whether a sentence says, from this clause on, that what is not felt now is not over."""
    until = min(clause.end + _COMES_BACK_NEAR, len(drawn.drawn))
    sentence = next(
        (each.start for each in drawn.clauses[clause.number + 1 :] if each.sentence != clause.sentence), until
    )
    until = drawn.places[min(until, max(sentence, clause.end))]
    return _COMES_BACK.search(drawn.lowered, drawn.places[clause.start], until) is not None


def _details(reading: Reading, health: HealthGrammar, clause: Clause, at: int) -> tuple[tuple[str, str], ...]:
    """What stands in its clause, and of what the clause leaves open what the rest of the sentence says."""
    until = clause.end
    for each in reading.sketch.clauses[clause.number + 1 : clause.number + _CLAUSES_NEAR]:
        until = each.end if each.sentence == clause.sentence else until
    own = (max(clause.start, at - NEAR), min(clause.end, at + NEAR))
    whole = (max(clause.began, own[0] - NEAR), min(until, own[1] + NEAR))
    lasting, course = health.lasting, health.course
    found = {
        "duration": reading.said(lasting, *own)
        or reading.said(lasting, *whole)
        or reading.said(lasting, 0, min(len(reading.drawn), 2 * NEAR)),  # told once for all that a message complains of
        "severity": reading.said(health.severity, *own),
        "course": reading.said(course, *own) or reading.said(course, *whole),
        "side": reading.said(health.side, max(clause.start, at - _SIDE_NEAR), min(clause.end, at + _SIDE_NEAR)),
    }
    return tuple((name, said) for name, said in found.items() if said)


def _places_of_what_is_not_borne(reading: Reading, told: list[Finding]) -> list[int]:
    names = {each.text for each in told if each.kind == ALLERGY and not (each.possible or each.denied)}
    return [at for at, group in reading.groups("S") if names and not names.isdisjoint(reading.names(group))]


def _came_of_it(reading: Reading, at: int, told: list[Finding], not_borne: Sequence[int]) -> bool:
    """Whether it is what came of something that is not borne, told together with it: no complaint of today."""
    clause = reading.sketch.clause_at(at)
    quote = reading.sketch.quote(clause.start, clause.end)
    if any(finding.reaction and not finding.possible and quote in finding.quote for finding in told):
        return True
    index = bisect_left(not_borne, at)
    if not index or at - not_borne[index - 1] > 2 * NEAR:
        return False
    began = not_borne[index - 1]
    if reading.sketch.clause_at(began).sentence + 1 < clause.sentence:
        return False
    words = (began, min(clause.end, at + NEAR))
    if not reading.drawn[began + 1 : at].strip():  # latex gives me hives: all of it is the reaction's name
        return _IS_NOW.search(reading.drawn, *words) is None
    return _CAME.search(reading.drawn, *words) is not None and _IS_NOW.search(reading.drawn, *words) is None
