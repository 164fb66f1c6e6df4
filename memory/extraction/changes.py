"""What holds no longer, said of a thing that is known (云南不去了, gave up the wine), as denials of what is held.

Who says that something is over seldom says it as they once said that it was so. So it is not read from the sentence
alone: a clause that says that something has ended, and shares a word with what is held, ends that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import APPOINTMENT, MOVED
from memory.clinical.lexicon import lexicon
from memory.clinical.people import USER, People
from memory.clinical.safety import GRAMMARS
from memory.clinical.sketch import TEXT_CHARS_MAX, Clause, Sketch, sketch
from memory.extraction.rules_mind import NAME
from memory.language.terms import terms
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import PREDICATES, importance_of

_OVER: Final = re.compile(
    r"(?:不再|早就?不|已经?不|现在不|再也不|从此不)|不(?![会能要想敢知太是管过但仅只错对好])[^，。,\s不]{1,2}了|戒(?:了|掉)|停(?:了|掉|用)|取消|作罢|泡汤"
    r"|黄了|辞(?:职|了|掉)|离职|被裁|退休了|换掉|没了|好了(?!点|些)|痊愈|卖了|送人了|去世|腻了?|放弃了|退(?:了|掉|订)|不爱|没兴趣"
    r"|\bno (?:longer|more)\b|\bany ?more\b|\bquit\b|\bg(?:a|i)ven? up\b|\bstopped\b|\bcancel+ed\b"
    r"|\bcalled off\b|\bis off\b|\bfell through\b"
    r"|\blet me go\b|\blaid off\b|\bretired\b|\bresigned\b|\bleft (?:the|my)\b|\blost (?:all )?interest\b"
    r"|\bnot for me\b|\bsold\b|\brehomed\b"
    r"|\bpassed away\b|\bcleared up\b|\b(?:all|is|are|now) gone\b|\bwent away\b|\bcame off\b|\bcut out\b"
    r"|\bgot rid of\b|\bhaven'?t \w+ (?:it|any) since\b",
    re.IGNORECASE,
)
_PARTED: Final = re.compile(r"分手|离婚|分开了|\b(?:broke|split|broken) up\b|\bdivorced\b|\bseparated\b", re.IGNORECASE)
_NOT_DONE: Final = re.compile(
    r"想|打算|考虑|要不要|该不该|能不能|可不可以|是不是|会不会|差点|险些|准备|建议|如果|要是|怕|本来|别人|需不需要"
    r"|\b(?:nearly|almost|thinking|consider\w*|might|may|should|could|can i|want(?:ed)? to|wish|if"
    r"|going to|gonna|plan\w* to|whether|about to|tempted|hope|try(?:ing)? to)\b",
    re.IGNORECASE,
)
_FAMILY: Final = "family"
MAY_END: Final = (*(row.name for row in PREDICATES.values() if row.ends and not row.safety), _FAMILY)
_SHORT: Final = 2


class Known(NamedTuple):
    """What is held as true of the user; `seq`: of the message that says it, 0 when another session did."""

    predicate: str
    object: str
    seq: int = 0


def may_change(dialogue: Dialogue) -> bool:
    """Whether anything of a dialogue may say that something is over."""
    return any(
        said.own and said.speaker == USER and (_OVER.search(said.text) or _PARTED.search(said.text))
        for said in dialogue.messages
    )


def changes(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what is held, in the user's words that end it."""
    known = [(each, words) for each in held if each.predicate in MAY_END and (words := _words(each.object))]
    for said in dialogue.messages if known else ():
        if not (said.own and said.speaker == USER) or not (_OVER.search(said.text) or _PARTED.search(said.text)):
            continue
        drawn = sketch(said.text[:TEXT_CHARS_MAX], lexicon())
        for clause in drawn.clauses:
            yield from _ended(said, drawn, clause, known)


def moved(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the appointments that are on another day now: of those that share a word, or of the only one."""
    known = [each for each in held if each.predicate == APPOINTMENT]
    for fact in found:
        if fact.predicate != APPOINTMENT or not fact.attributes.get(MOVED):
            continue
        earlier = [each for each in known if each.seq < fact.seq and each.object != fact.object]
        alike = [each for each in earlier if not _words(each.object).isdisjoint(_words(fact.object))]
        for each in alike or (earlier if len(earlier) == 1 else ()):
            yield replace(fact, object=each.object, polarity="-", attributes={})


def _ended(said: Said, drawn: Sketch, clause: Clause, known: list[tuple[Known, frozenset[str]]]) -> Iterator[FoundFact]:
    quote = drawn.quote(clause.start, clause.end)
    over, parted = _OVER.search(quote), _PARTED.search(quote)
    if not (over or parted) or clause.asked or _NOT_DONE.search(quote) or not _is_own(drawn, clause):
        return
    words = _words(quote)
    for each, theirs in known:
        fits = parted if each.predicate == _FAMILY else over
        if fits and each.seq < said.seq and not theirs.isdisjoint(words):
            importance = importance_of(each.predicate)
            yield FoundFact(said.seq, USER, each.predicate, each.object, "-", quote, importance, NAME)


def _is_own(drawn: Sketch, clause: Clause) -> bool:
    """Whether a clause speaks of nobody but the user, or of the user too."""
    own = sketch(drawn.text[drawn.places[clause.start] : drawn.places[clause.end]], lexicon())
    named = {name for grammar in GRAMMARS for name in People(own, grammar).named}
    return not named or USER in named


def _words(text: str) -> frozenset[str]:
    """The terms of a text that mean something alone."""
    return frozenset(word for word in terms(text) if len(word) >= _SHORT and not word.isdigit())
