"""Of whom a dialogue is, message after message: who calls about a parent goes on about them without saying so."""

import re
from collections.abc import Iterable
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, SYMPTOM, Finding
from memory.clinical.introduced import introduced
from memory.clinical.kin import KIN_EN, KIN_ZH, may_be_meant, person_of, says_he_or_she
from memory.clinical.languages import in_use
from memory.clinical.people import OTHER, USER, People, is_just_born
from memory.clinical.reading import lasts
from memory.clinical.sketch import Group, sketch

_BEGINNING: Final = 12
"""Letters in which a message names the one of whom it is."""
_ON_BEHALF: Final = re.compile(
    r"\b(?:writing|asking|calling|messaging|here|typing|update|news|back|enquiring|inquiring|query"
    r"|question)(?: (?:in|this|today))?"
    rf" (?:for|about|on behalf of|regarding) ((?:my|our) (?:[a-z]+ )?(?:{KIN_EN}))\b"
    rf"|(?:替|帮|代)(我?(?:们)?(?:家)?(?:{KIN_ZH}))(?:来)?(?:问|咨询|挂|看|打听)"
)
"""Who is written for."""
_IS_DEAD: Final = re.compile(r"\b(?:died|passed away|passed on|funeral|lost my)\b|去世|过世|走了|没了")
_IN_PASSING: Final = re.compile(
    r"\b(?:since|because|when|after|before|until|for|with|from|like|as|to)\b|自从|因为|跟|和|陪", re.IGNORECASE
)
"""Before a relative: they are named beside what is told."""
_ASKS_YOURSELF: Final = re.compile(
    r"[您你](?:自己|本人)|\byou yourself\b|\b(?:do|have|are|did|were) you\b[^?]{0,40}\byourself\b|^\W*and you\b(?!r)"
)
_NOT_ME: Final = re.compile(r"^\W*(?:no|nope|nah|not me|没有?|没得|我没有?|我不)(?![a-z])")
"""An answer about oneself, beside which a relative is named."""
_OF_ONESELF: Final = re.compile(
    r"传染(?:给|了)?(?:我|自己)|传给我|把我(?:也|都)?传染|怕我(?:自己)?(?:也)?(?:有|得|会)"
    r"|我没有(?=[，,。！!\s]|$)|我倒没事"
    r"|\bi(?:'m| am| feel)(?: really| so| a bit| now)? (?:rough|ill|sick(?! (?:with worry|of))|unwell|poorly)\b"
    r"|\b(?:caught|got) it (?:off|from) (?:him|her|them)\b|\bnot me\b|\bworr(?:y|ied) about getting\b|"
    r"(?:担心|害怕|怕|查查?|检查|看看|问问?|想)(?:一下|下)?我?自己(?!吃|做|去|在家)"
    r"|我(?:也|自己)?(?:会不会|是不是)(?:也|遗传|得)|(?:怕|担心)(?:我|自己)?(?:也得|遗传)|遗传给我"
    r"|\bworried (?:about|for|that i)\b(?! (?:him|her|them|my|it))[^.;!?]{0,12}\b(?:me|myself|i)\b"
    r"|\b(?:could|might|will|am|should) i (?:have|get|be|also|too|next|at risk|worried|tested)\b|\bdo i have it\b"
)
"""Said beside what a relative has: it is themselves whom the speaker asks about."""
_ASKS_YOU: Final = re.compile(r"\byou(?:r|'re|'ve)?\b|[你您]")
_KINDS: Final = {"S": ALLERGY, **dict.fromkeys("OGV", SURGERY)}
_HISTORY: Final = frozenset({ALLERGY, DISEASE, SURGERY})
"""What is told of relatives in passing."""


class Spoken:
    """Hears the messages of one speaker in their order."""

    def __init__(self) -> None:
        self._about = USER
        self._own = False
        self._aside = False
        self._names: dict[str, str] = {}
        self._behalf = USER
        """The relative for whom the speaker writes: what they tell of themselves then, they tell in passing."""
        self._relative = ""
        """The relative of whom something was told last."""
        self._said_so = False
        """Whether they said that they write for that one."""

    def called(self, subject: str) -> str:
        """A relative by the word by which they were first spoken of: 父亲 is 我爸 still."""
        return self._names.setdefault(person_of(subject), subject)

    def about(self, before: str) -> str:
        """Of whom the next message is, unless it names somebody. `before`: what it answers.

        Who has told of themselves, and then that an uncle had tuberculosis, is asked about themselves again, unless the
        question names him; so is who has told of a stranger and is asked "do you". A relative's complaint is no aside:
        from there on it is about them. Who writes for a child, and says that they bear no latex, goes on about the
        child.
        """
        if _ASKS_YOURSELF.search(before.lower()):
            return USER
        if self._behalf != USER and self._aside:
            return self._behalf
        if self._about == OTHER and _ASKS_YOU.search(before.lower()):
            return USER
        if self._about == USER and self._relative and _asks_of(self._relative, before):
            return self._relative
        return USER if self._aside and not _names_somebody(before) else self._about

    def hear(self, text: str, found: Iterable[Finding], before: str = "") -> None:
        """Take in a message, with what was found in it and what it answers."""
        told = [(self.called(each.subject), each.kind) for each in found]
        self._relative = next((each for each, _ in reversed(told) if each not in {USER, OTHER}), self._relative)
        behalf = _on_behalf(text)
        if behalf and self._behalf == USER:
            self._behalf, self._said_so = behalf, True
        self._about = _goes_on(text, {subject for subject, _ in told}, self.about(before))
        kinds = {kind for subject, kind in told if subject == self._about}
        of_history = bool(kinds) and kinds <= _HISTORY
        if self._behalf == USER and not self._own and self._about not in {USER, OTHER} and not of_history:
            self._behalf = self._about
        own = {kind for subject, kind in told if subject == USER}
        said = text.lower()
        not_me = bool(before) and _NOT_ME.search(said) is not None and not _names_somebody(before)
        of_oneself = _OF_ONESELF.search(said) is not None and not self._said_so
        if of_oneself and self._behalf == self._about != USER:
            self._behalf = USER
        beside = of_history and _ASKS_YOU.search(before.lower()) is not None and not _names_somebody(before)
        self._own = self._own or not_me or of_oneself or (beside and self._behalf == USER)
        of_history = of_history or of_oneself or (not_me and not told)
        if own and not (self._said_so or own <= _HISTORY):
            self._behalf = USER  # they have a complaint of their own
        self._own = self._own or bool(own)
        if self._behalf == USER:
            self._aside = self._own and self._about != USER and of_history
        else:
            self._aside = self._about != self._behalf and (self._said_so or of_history or self._about == USER)


def spoken_of(text: str, about: str) -> Iterable[tuple[str, str]]:
    """Kind and subject of what the words of medicine of a message may tell, each once, unread.

    `about`: of whom before anybody is named.
    """
    drawn = sketch(text, in_use().lexicon)
    people = [People(drawn, each, about) for each in in_use().grammars if each.written.search(drawn.lowered)]
    return dict.fromkeys((_kind_of(group), each.at(at)) for at, group in drawn.groups.items() for each in people)


def _kind_of(group: Group) -> str:
    if group.letter == "D" and lasts(group):
        return DISEASE
    return _KINDS.get(group.letter, SYMPTOM)


def needs_those_before(text: str, question: str, *, found: bool) -> bool:
    """Whether only the messages before a message say of whom it is. `found`: whether it tells something.

    It does not begin with whom it is of, or speaks of him or her and names nobody; or he or she was asked about.
    """
    first, named = _named_first(text), _named(text)
    if found and _asks_of_one(question):
        return True
    if "pronoun" in first or ("pronoun" in named and "relative" not in named):
        return True
    return found and first.isdisjoint({"own", "relative"})


def names_a_relative(text: str) -> bool:
    """Whether it speaks of one by any word for them."""
    return "relative" in _named(text)


def _asks_of(relative: str, question: str) -> bool:
    """Whether a question asks of him or her, and may mean that one."""
    return _asks_of_one(question) and may_be_meant(relative, question)


def _asks_of_one(question: str) -> bool:
    """Whether what is asked last is of him or her, and names nobody else."""
    asking = Question(question)
    question = asking.sentences[-1] if asking.asking and asking.sentences else ""
    if _ASKS_YOU.search(question):
        return False
    return says_he_or_she(question) and _named(question).isdisjoint({"relative", "own"})


def _names_somebody(question: str) -> bool:
    """Whether what a question asks names somebody: your sister is allergic to sulfa, noted. What would you like?"""
    question = Question(question).asking or question
    return not _named(question).isdisjoint({"relative", "pronoun"})


def _named_first(text: str) -> set[str]:
    """What kind of word names somebody first, in each language."""
    lowered = text.lower()
    first = (grammar.people.search(lowered) for grammar in in_use().grammars)
    return {found.lastgroup or "" for found in first if found}


def _named(text: str) -> set[str]:
    lowered = text.lower()
    return {found.lastgroup or "" for grammar in in_use().grammars for found in grammar.people.finditer(lowered)}


def _on_behalf(text: str) -> str:
    """The relative for whom a message says that it is written; empty for none."""
    lowered = text.lower()
    said = next(introduced(lowered), None)
    found = None if said else _ON_BEHALF.search(lowered)
    return said.relative if said else str(found[1] or found[2]) if found else ""


def _goes_on(text: str, subjects: set[str], about: str) -> str:
    """Of the one of whom everything was that was found.

    Where nothing was, of a relative with whom it begins, unless the speaker comes in too.
    """
    if subjects:
        return next(iter(subjects)) if len(subjects) == 1 else USER if USER in subjects else about
    behalf = _on_behalf(text)
    if behalf:
        return behalf if about == USER else about
    if any(grammar.asked.search(text.lower()) for grammar in in_use().grammars):
        return about
    if _IS_DEAD.search(text.lower()):
        return about
    named = [
        words
        for grammar in in_use().grammars
        if (words := grammar.people.search(text[:_BEGINNING].lower()))
        and not _IN_PASSING.search(text[: words.start()])
        and not is_just_born(text.lower(), words.start())
    ]
    relatives = [words.group().strip() for words in named if words.lastgroup == "relative"]
    later = (words.lastgroup for grammar in in_use().grammars for words in grammar.people.finditer(text.lower()))
    return relatives[0] if relatives and len(named) == 1 and "own" not in later else about
