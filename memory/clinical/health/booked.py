"""Appointments that an agent says it has made: that's booked for you, Thursday at 4 is yours; the user asked for it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.drawing import drawn_of
from memory.clinical.findings import APPOINTMENT, MOVED, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.languages import in_use
from memory.clinical.people import USER, People
from memory.clinical.sketch import TEXT_CHARS_MAX, Sketch
from memory.language.sentences import split_sentences

_IS_MADE: Final = re.compile(
    r"\bbooked (?:for you|in\b|you\b)|\bthat'?s (?:booked|done|moved|changed|all set)\b|(?:day|am|pm|\d) is yours\b"
    r"|\byou(?:'re| are) (?:all )?(?:booked|down for|set for)\b"
    r"|\b(?:i'?ve|i have|we'?ve|we have) (?:now )?(?:booked|moved|rescheduled|changed|reserved|put|scheduled|swapped)"
    r" (?:you|it|that|the|your)\b|\bsee you (?:then|on|there)\b"
    r"|^(?:changed|moved|booked|updated|swapped)(?: (?:it|that|you))?(?: for you)?[.!]|^(?:all )?(?:done"
    r"|sorted)\b|\byou'?ll get a (?:text|confirmation|message|e-?mail|reminder)\b"
    r"|(?:已经?|都)?(?:帮|给|为|替)(?:您|你)(?:二位|们)?(?:[^，。！？]{0,6})?(?:预?约|登记|安排|调整|改|挂|换|订)(?:好|上|到|成|在)?了?"
    r"|已经?[^，。！？]{0,4}(?:预?约|登记|安排|调整|改|挂|换|订)(?:好|上|到|成|在)?了?|(?:预约|约|改约|挂号)(?:好|成功)了?"
    r"|[约改挂]好了|到时见",
    re.IGNORECASE,
)
"""A sentence of an agent that says that an appointment is made."""
_IS_NOT: Final = re.compile(
    r"[?？]|不能|无法|没有?号|没法|抱歉|\b(?:can'?t|cannot|unable|unfortunately|sorry|full|if|would|could|shall)\b",
    re.IGNORECASE,
)
"""Beside it: it is not, or asked."""
_WANTED: Final = re.compile(
    r"\b(?:book|make|instead|move|change|swap|reschedul\w+|get in|fit me in|appointment|slot|free|monday"
    r"|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|yes|please|pls)\b|约|挂|改|换|号|可以|好|行|周|星期|礼拜|明天|后天",
    re.IGNORECASE,
)
"""What is answered so asks for a day, or takes one."""
_REQUESTS: Final = re.compile(r"\b(?:can|could|book|like|need|want|please)\b|约|挂|改|帮", re.IGNORECASE)
_TIME: Final = re.compile(
    r"\d{1,2}[:.]\d\d ?(?:am|pm)?|\d{1,2} ?(?:am|pm)|[上下]午[一二三四五六七八九十\d]{1,3}点半?", re.IGNORECASE
)
"""A time of a day."""
_OFFERS: Final = re.compile(
    r"(?:\d ?(?:am|pm)|\d[:.]\d\d(?: ?[ap]m)?)\b[^.?!]{0,16}\b(?:free|available|open|works?)\b|\b(?:have|got"
    r"|is)\b[^.?!]{0,12}\d[:.]\d\d|\b(?:slot|space|gap) at \d"
    r"|点[^。？]{0,6}(?:有号|可以|空)",
    re.IGNORECASE,
)
"""An agent names a time that is free."""
_TAKES_IT: Final = re.compile(
    r"\W*(?:ok(?:ay)?|yes|yeah|great|perfect|lovely|brilliant|fine|thanks|that works|i'?ll take|that'?s (?:fine"
    r"|great|perfect))\b"
    r"(?!.{0,30}\b(?:but|can'?t|other|another|earlier|later|instead)\b)|\W*(?:好|可以|行|就这个)(?![吗么])",
    re.IGNORECASE,
)
_HOUR: Final = re.compile(r"^\W*[^，。,.]{0,6}(?:点|[上下]午|早上|晚上|\d{1,2}[:.]\d\d|\d ?[ap]m)", re.IGNORECASE)
"""A time that begins an answer."""
_MARKS: Final = " ,，.。!！?？"
_ANY: Final = re.compile(
    r"预约|挂号|的号|约[了的]|\b(?:booked|scheduled|appointments?|appt|slot|session)\b", re.IGNORECASE
)
"""Words of an appointment that do not say what it is for."""
_ASKS_TO_MOVE: Final = re.compile(
    r"\b(?:need|want|like|can|could|have) (?:i |we |you |to )*(?:please )?(?:move|change|swap|reschedule|rebook"
    r"|put back)\b|\breschedul\w+"
    r"|\b(?:anything|something) (?:the (?:week|day) after|else|later|earlier)\b|\bcan'?t (?:make|do|come)\b"
    r"|改(?:期|约|到|个?时间|一下)|换(?:个|一个)?(?:时间|日子)|换到|推迟|提前",
    re.IGNORECASE,
)
_CHANGES: Final = re.compile(
    r"\b(?:move[d]?|change[d]?|swap(?:ped)?|reschedul\w+|instead|different day|wait no)\b|改|换|挪|推迟|提前",
    re.IGNORECASE,
)


def booked(confirmed: str, asked: str, earlier: Sequence[str] = ()) -> Iterator[Finding]:
    """The appointment that an agent's message (`confirmed`) says it has made of what the user `asked` for.

    Its day is the one that the agent names, else the last one that the user does; what it is for stands in their
    words, or in those that they said before (`earlier`, the last one first). Nothing where it is for somebody else.
    """
    made = [each.text for each in split_sentences(confirmed[:TEXT_CHARS_MAX])]
    made = [each for each in made if _IS_MADE.search(each)]
    wanted = _WANTED.search(asked) or (earlier and _HOUR.search(asked))
    if not made or any(map(_IS_NOT.search, made)) or not wanted:
        return
    if not _is_for_the_user(asked):
        return
    for _, _, health, _ in in_use().all:
        when = _day(confirmed, health, first=True) or _day(asked, health)
        if not when and earlier and _HOUR.search(asked):  # 能改到周五下午吗 / 两点半吧
            when = f"{_day(earlier[0], health)} {asked.strip()}" if _day(earlier[0], health) else ""
        if when and health.written.search(asked.lower()):
            moved = ((MOVED, "true"),) if _CHANGES.search(asked) or _CHANGES.search(" ".join(made)) else ()
            found = Finding(APPOINTMENT, when, asked.strip(), USER, attributes=(("when", when), *moved))
            yield told_for(found, (asked, *earlier))
            return


def told_for(found: Finding, said: Sequence[str]) -> Finding:
    """An appointment that names no more than its day, with what it is for: as the first of these messages says it.

    Where one of them asks for another day, it is one that was moved.
    """
    when = dict(found.attributes).get("when", "")
    moved = any(key == MOVED for key, _ in found.attributes) or any(map(_ASKS_TO_MOVE.search, said))
    attributes = (("when", when), *(((MOVED, "true"),) if moved else ()))
    if _names(found.text):
        return found._replace(attributes=attributes)
    what = next((name for each in said if (name := _occasion(each))), "")
    return found._replace(text=f"{what} {found.text}".strip(), attributes=attributes)


def taken_up(text: str, before: str, earlier: Sequence[str]) -> Iterator[Finding]:
    """The appointment of who takes the time that an agent offers without its day, which they had asked for."""
    if not (earlier and _TAKES_IT.match(text) and _OFFERS.search(before)) or not _is_for_the_user(earlier[0]):
        return
    for _, _, health, _ in in_use().all:
        day = "" if _day(before, health) else _day(earlier[0], health)
        if day:
            time = _TIME.search(before)
            when = f"{day} {time.group()}" if time else day
            yield told_for(Finding(APPOINTMENT, when, text.strip(), USER, attributes=(("when", when),)), earlier)
            return


def _is_for_the_user(asked: str) -> bool:
    """Whether the clauses in which something is asked for speak of nobody else."""
    drawn = _drawn(asked)
    wanted = [drawn.quote(each.start, each.end) for each in drawn.clauses]
    return all(
        set(People(_drawn(each), grammar).named) <= {USER, ""}
        for each in wanted
        if _REQUESTS.search(each)
        for grammar in in_use().grammars
    )


def _drawn(text: str) -> Sketch:
    return drawn_of(text[:TEXT_CHARS_MAX])


def _names(text: str) -> bool:
    """Whether a text says what an appointment is for."""
    drawn = _ANY.sub("", _drawn(text).drawn)
    return any(health.occasion.search(drawn) for health in in_use().healths)


def _occasion(text: str) -> str:
    """The clause of a message that says what an appointment is for, without the day that was not to be."""
    drawn = _drawn(text)
    for clause in drawn.clauses:
        words = drawn.drawn[clause.start : clause.end]
        if any(health.occasion.search(words) for health in in_use().healths):
            days = [day.span() for health in in_use().healths for day in health.day.finditer(words)]
            said = drawn.quote(clause.start, clause.end)
            for start, end in days:
                said = said.replace(drawn.quote(clause.start + start, clause.start + end), " ")
            return " ".join(said.split()).strip(_MARKS)
    return ""


def _day(text: str, health: HealthGrammar, *, first: bool = False) -> str:
    """The first day that a text names, or the last; with its time."""
    drawn = _drawn(text)
    days = list(health.day.finditer(drawn.drawn))
    if not days:
        return ""
    day = days[0] if first else days[-1]
    return drawn.quote(day.start(), day.end())
