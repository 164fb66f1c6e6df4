"""What ends by an answer that only its question explains: are the headaches gone? yes."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from memory.clinical.findings import MEDICATION, SYMPTOM
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sameness import word_of
from memory.clinical.sketch import simplified
from memory.extraction.endings.changes import alike, words_of
from memory.extraction.endings.felt import SIGNS_MAX, is_at_the_place
from memory.extraction.endings.known import Known, denial
from memory.extraction.endings.words import ANSWERED_OVER, OF_PREGNANCY, YES
from memory.model.extraction import Dialogue, FoundFact
from memory.model.predicates import STATE

_ANSWER_CHARS_MAX: Final = 80
_PREGNANT: Final = ("pregnancy", STATE)
_ASKS_BIRTH: Final = re.compile(
    r"(?:生了|出生了?|卸货了?)(?:吗|没|吧)"
    r"|\b(?:has|have|did|is) (?:the |your )?(?:baby|little one|twins)\b[^?]{0,12}"
    r"\b(?:come|came|arrived?|here|born)\b"
    r"|\b(?:have|did) you (?:given|give) birth\b|\bhad (?:the|your) baby\b",
    re.IGNORECASE,
)
_BORN: Final = re.compile(
    r"^\W*(?:嗯+|对|是的?|生了|上+周|昨[天晚]|前[天晚]|\d+月)(?![^。！？]{0,40}(?:没|快|产检|检查|复查|预产|待产|催))"
    r"|^\W*(?:yes|yep|yeah|yup|last (?:night|week|month|\w+day)|yesterday|this morning|(?:\w+ ){1,3}ago"
    r"|(?:she|he|they) (?:came|arrived|was|were))\b"
    r"(?![^.!?]{0,60}\b(?:not|no|due|overdue|still|to go|will|any day|soon"
    r"|nearly|almost|scan|check\w*|wait\w*|induc\w*|labou?r)\b)",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"^\W*(?:(?:no|nope|不是?|没有?)\W+)?(?:instead(?: of (?:it|that|them))?\b|in place of (?:it|that)\b"
    r"|(?:是)?(?:代替|替代|替换|换掉)(?:它|了|那个|的))",
    re.IGNORECASE,
)
"""Said of a medicine that is asked about: another one took its place."""
BY_ANSWER: Final = {
    ANSWERED_OVER: (SYMPTOM,),
    YES: (SYMPTOM,),
    _BORN: _PREGNANT,
    _INSTEAD: (MEDICATION,),
}
"""Answers that may end something, and the predicates of what that may be."""


def answered(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what an agent has asked about and is over: complaints, a pregnancy, a medicine beside another."""
    known, asked = list(held), dialogue.before
    for said in dialogue.messages if known else ():
        if said.own and said.speaker == USER and asked:
            text = simplified(said.text).strip()
            for each in known:
                if each.seq < said.seq and _is_over(each, asked, text):
                    yield denial(said, each, said.text.strip()[:_ANSWER_CHARS_MAX])
        asked = "" if said.own else said.text


def _is_over(known: Known, asked: str, text: str) -> bool:
    """Whether what is known is over, by the answer to a question."""
    if known.predicate == SYMPTOM:
        return _is_asked_about(known.object, asked) and _says_over(asked, text)
    if known.predicate in _PREGNANT and OF_PREGNANCY.search(known.object):
        return _ASKS_BIRTH.search(asked) is not None and _BORN.search(text) is not None
    is_asked = known.predicate == MEDICATION and word_of(known.object).search(asked.lower()) is not None
    return is_asked and _INSTEAD.search(text) is not None


def _is_asked_about(complaint: str, asked: str) -> bool:
    """Whether a question names a complaint, or two signs of a short one: 脚背肿, and then 脚肿好些了吗."""
    if alike(complaint, words_of(asked)) or is_at_the_place(complaint, asked.lower()):
        return True
    return not complaint.isascii() and len(complaint) <= SIGNS_MAX and len(set(complaint) & set(asked)) > 1


def _says_over(asked: str, text: str) -> bool:
    """Whether an answer says that what was asked about is over."""
    return ANSWERED_OVER.search(text.replace("啦", "了")) is not None or (
        any(health.asks_over.search(asked.lower()) for health in in_use().healths) and YES.match(text) is not None
    )
