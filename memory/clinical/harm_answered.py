"""An answer that tells harm, of what the question names: what happened with it, how bad it was, how the test was."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.asked import Question, drawn
from memory.clinical.asking import ASKS_CULPRIT
from memory.clinical.findings import ALLERGY, Finding
from memory.clinical.languages import in_use
from memory.clinical.not_so import asks_of_leaving_it, is_after_all_no, is_of_having
from memory.clinical.questions import ASKS_WHETHER, MAY_TAKE, NO, names, what_asks
from memory.clinical.reactions import harms_of, is_remedy
from memory.clinical.reading import Reading
from memory.clinical.sketch import LETTERS, pattern

_CALLED_SO: Final = re.compile(
    r"\s*(?:会|有点|严重|全身)?过敏(?![吗原源科试测])|\s*(?:an? )?(?:bad "
    r"|severe )?allergic reaction\b"
)
"""An answer that begins with the word for it."""
_HAVING_IT: Final = re.compile(
    r"[吃用打喝擦抹涂贴输挂](?:了|过|完|上|到|的时候|一次|几次)|一[吃用打喝碰擦抹涂贴沾]|上[次回]|[每回]次?[吃用打喝]"
    r"|\b(?:again|last time|every time|each time|on it|off it|it (?:made|gave|makes|gives|brought|left)"
    r"|when(?:ever)? i (?:had|have|took|take|tried|used?)|after (?:it|taking|using|having|the|one|\w+ing)"
    r"|minutes? (?:later|in)|(?:made|gave|makes|gives) me|in an hour|within)\b"
)
"""In an answer: it speaks of having had what the question names."""
_ILL_STILL: Final = re.compile(
    r"还(?:是|在|没|有点)|仍|没好|好(?:多|点|些)?了|老样子|一样|不见好|没(?:什么)?(?:用|效)|怕|没[打用吃]过"
    r"|\b(?:cleared|still|no better"
    r"|better now|the same|helped)\b"
)
"""Said of an illness: what was taken for it did not do it."""
_GOES_BACK: Final = re.compile(r"\b(?:was|is) (?:it|that|this)\b|\bwhich one\b|是(?:哪|什么)")
"""Asks about what the sentence before it tells."""
_SENT: Final = re.compile(r"抢救|急诊|\b(?:sent|put|landed) you (?:to|in)\b|\ba&e\b")
_MOST_ASKED: Final = 3
_TAKEN_NOW: Final = re.compile(
    r"[吃用打喝涂]了(?:吗|没|么)|现在|好(?:点|些)|\b(?:did|have) you (?:take|taken|use|used|try|tried)\b"
    r"|did it help|\bhelp(?:ed|ing)?\b"
    r"|any better|how are you"
)
"""Asks whether something was taken for what somebody has now."""
_OFFERED: Final = re.compile(
    r"可以(?:给您用)?吗|行吗|[配换开]|\b(?:ok|okay|fine|all right|alright|safe|happy) (?:with"
    r"|for|to)\b|(?:suit|agree with) you"
    r"|\bwe'?d like to (?:give|prescribe|use|start)\b|\bok(?:ay)?\?\s*$|\bmay we (?:give|use|put)\b|\bwe(?:'ll"
    r"| will) (?:be )?(?:giv|us|put)\w*\b|\bis (?:that|it) (?:ok|okay"
    r"|fine|all right|alright)\b"
)
_EVER: Final = re.compile(r"以前|曾经|有过|出过|用过|打过|\b(?:ever|before|mentioned)\b")
_EVER_SO: Final = re.compile(r"^\W*(?:有|是|会|出过|yes|yeah|yep|once)(?![没点])")
_HOW_BAD: Final = re.compile(
    r"^\W*(?:轻度|中度|重度|轻微|严重|很严重|mild|moderate|severe|bad|life[- ]threatening|anaphyla)"
)
_SHORT_MAX: Final = 24
_NOW: Final = re.compile(
    r"\b(?:i have|i've|got|now|today|since|this)\b|现在|今天|昨天|这几天|最近|长了|[天周月]了|\b(?:days?|weeks?)\b"
)
"""It is what somebody comes with."""
_ASKED: Final = re.compile(r"[?？]")
_BADLY: Final = re.compile(
    r"^\W*(?:very|severely|badly|deathly|highly|extremely|seriously)(?: (?:so|much so|allergic|bad(?:ly)?))?\W*$"
    r"|^\W*(?:非常|特别|很|挺|极其|超级?)(?:严重|过敏|厉害)的?\W*$|^\W*皮试(?:是)?(?:呈)?阳性"
)
_GUESSED: Final = re.compile(
    r"^\W*(?:(?:i )?(?:think|believe|guess|suppose)(?: so| i am)?|probably|possibly|maybe|might be|apparently|perhaps"
    r"|so i'?m told|so (?:my|the) \w+ says?|my (?:mum|mom|mother|gp|doctor) says so|a (?:bit|little))\W*$"
    r"|^\W*(?:好像|可能|应该|大概|也许|估计)(?:是|有|会|过敏)?(?:的|吧)?\W*$|^\W*有(?:一)?点(?:儿)?(?:过敏)?\W*$"
    r"|^\W*我妈说(?:是|有|过敏)\W*$"
)
_KNOWN_ALLERGY: Final = pattern(
    r"(?P<x><S>)(?:类|类药物)?过敏的?(?:严重)?程度|\byour (?P<x2><S>) (?:allergy|reaction)\b"
)
_SKIN_TEST: Final = pattern(
    r"(?P<x><S>)(?:做|的)?(?:皮试|试敏)|\b(?:skin|patch|prick) test (?:for|with|to) (?P<x2><S>)"
)
_POSITIVE: Final = re.compile(
    r"^(?!.*(?:阴性|\bnegative\b)).*(?:阳性|没过|不过关|红了|[（(]\+|\bpositive\b|\bfailed\b)"
)


def harm_answered(reading: Reading, before: Question, asked: str) -> Iterator[Finding]:
    """Allergies that are not named in an answer. `asked`: the sentences of the question that ask."""
    if not (reading.grammar.unharmed.search(reading.drawn) or _ILL_STILL.search(reading.sketch.lowered)):
        yield from _reaction(reading, before, asked)
    yield from _how_badly(reading, asked)
    if _HOW_BAD.search(reading.drawn):
        yield from _known(reading, before, _KNOWN_ALLERGY)
    if _POSITIVE.search(reading.drawn):
        yield from _known(reading, before, _SKIN_TEST)


def asks_what_did_harm(before: Question) -> bool:
    """Whether harm is told, and it is asked what did it: 吃药后全身脱皮，是哪种药. In one sentence, or in two."""
    told = list[str]()
    for each in before.sentences:
        if ASKS_CULPRIT.search(each) and _is_of_harm(" ".join((*told, each)) if _GOES_BACK.search(each) else each):
            return True
        told += [] if each[-1] in "?？" else [each]
    return False


def _is_of_harm(told: str) -> bool:
    said = drawn(told).drawn
    harms = (words for grammar in in_use().grammars for words in (grammar.harm, grammar.upset))
    return LETTERS["R"] in said or _SENT.search(said) is not None or any(words.search(said) for words in harms)


def _reaction(reading: Reading, before: Question, asked: str) -> Iterator[Finding]:
    """What happens with the substance that the question names, where the answer is harm that came of having it.

    What somebody is ill with, and took something for, is none: harm counts where it is asked what a substance did,
    where the answer speaks of having had it, or where it is to be had and the answer refuses. A refusal of what was
    asked whether it may be had is a possible one without any. Of a few that it names each is possible.
    """
    called = _CALLED_SO.match(reading.drawn) is not None
    asked_for = reading.grammar.asks_reaction.search(asked) is not None
    if (
        not (called or asked_for or _speaks_of_it(reading, asked))
        or _TAKEN_NOW.search(asked)
        or asks_of_leaving_it(asked)
    ):
        return
    named = names(before.noted, "S")
    if not 0 < len(named) <= _MOST_ASKED:
        return
    found = harms_of(reading, reading.grammar.upset if asked_for else None)
    harms = [harm for harm in found if not reading.denied(harm.start, harm.end) and (asked_for or harm.strong)]
    refused = MAY_TAKE.search(asked) is not None and NO.match(reading.sketch.lowered) is not None
    at = min((harm.start for harm in harms), default=0)
    own = [place for place, group in reading.groups("S") if not is_remedy(group)]
    if not (harms or called or refused) or any(place < at or called or not harms for place in own):
        return
    reaction = reading.sketch.quote(at, min(harms).end) if harms else ""
    sure = bool(harms or called) and len(named) == 1
    for name in named if sure or harms or called or len(named) == 1 else ():
        reading.answered.add((ALLERGY, name))
        for told in reading.told(ALLERGY, name, at, possible=not sure):
            yield told._replace(reaction=reaction)


def _how_badly(reading: Reading, asked: str) -> Iterator[Finding]:
    """The one substance that it is asked about, where the answer says how badly, or what comes of it, or guesses."""
    said = reading.sketch.lowered
    whether = reading.grammar.asks_allergy.search(asked) and ASKS_WHETHER.search(asked) and not MAY_TAKE.search(asked)
    if not whether or len(said) > _SHORT_MAX or is_after_all_no(said) or not is_of_having(ALLERGY, asked):
        return
    named = names(drawn(what_asks(asked)), "S")
    if len(named) != 1 or (ALLERGY, named[0]) in reading.answered or any(True for _ in reading.groups("S")):
        return
    ill = _NOW.search(said) is not None or len(_ASKED.findall(asked)) > 1
    harms = [each for each in harms_of(reading) if not (ill or reading.denied(each.start, each.end))]
    guessed = _GUESSED.match(said) is not None
    if guessed or harms or _BADLY.match(said):
        reading.answered.add((ALLERGY, named[0]))
        for told in reading.told(ALLERGY, named[0], 0, possible=guessed):
            yield told._replace(reaction=reading.sketch.quote(harms[0].start, harms[0].end) if harms else "")


def _speaks_of_it(reading: Reading, asked: str) -> bool:
    """Whether an answer speaks of having had what is asked about, or refuses what is to be had."""
    said = reading.sketch.lowered
    if NO.match(said) and (_OFFERED.search(asked) or MAY_TAKE.search(asked)):
        return True
    return _HAVING_IT.search(said) is not None or (_EVER.search(asked) is not None and _EVER_SO.match(said) is not None)


def _known(reading: Reading, before: Question, words: re.Pattern[str]) -> Iterator[Finding]:
    """An allergy that the question speaks of so: one that is known, or a skin test for it."""
    for found in words.finditer(before.drawn.drawn):
        group = before.drawn.groups[found.start("x") if found["x"] else found.start("x2")]
        for name in dict.fromkeys(member.term.name for member in group.members):
            reading.answered.add((ALLERGY, name))
            yield from reading.told(ALLERGY, name, 0)
