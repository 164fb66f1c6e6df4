"""What is said of something without its name, of which there is only one: that medicine, the allergy, the value."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, MEDICATION, TEST, VITAL
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one, word_of
from memory.clinical.sketch import TEXT_CHARS_MAX, sketch
from memory.extraction.endings.known import Known, alone, denial, own_messages, spoken_of
from memory.extraction.endings.reasons import result_in
from memory.extraction.endings.words import NOT_DONE, says
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import importance_of

THAT_ONE: Final = re.compile(
    r"(?:那个?|这个?|上次的?|开的)药[^，。,]{0,6}(?:不(?:再)?(?:吃|用|打|喝)了|停了|断了|扔了)"
    r"|\b(?:stopped|off|came off|finished|quit) (?:taking )?(?:the|those|that) (?:tablets?|pills?|meds?|medicine"
    r"|medication|capsules?)\b",
    re.IGNORECASE,
)
"""A medicine is stopped that only what was said before in the same session names."""
LAST_ONE: Final = re.compile(
    r"(?:那个?|这个?)(?:胶囊|丸子|喷雾|针|药膏)[^，。,没不]{0,6}(?:停|断|扔)了"
    r"|(?:^|[，。！!？?,])(?:上+周[一二三四五六日天]?|上个?月|昨天|前天|已经|现在|我|终于|[月年]?[底初]|就|早)*(?:彻底|完全)停(?:了|掉"
    r"|药)(?=$|[，。！!,~])"
    r"|吃完(?:那|最后)(?:一)?[板盒瓶片粒][^，。,]{0,3}没再(?:续|吃|买)"
    r"|\b(?:took|did|had|finished) (?:my|the) (?:very )?last (?:pen|pill|tablet|dose|patch)\b(?! (?:at|for|today"
    r"|tonight|this|before|with|test))"
    r"|\blast (?:pen|pill|tablet|dose|patch) was\b|\bhaven'?t (?:took|taken) (?:any|one|it|them) (?:in|for|since)\b",
    re.IGNORECASE,
)
"""The only medicine that somebody takes is stopped for good, whenever they have named it."""
_ASKS_STILL: Final = re.compile(
    r"药[^，。？?]{0,2}还(?:在)?(?:吃|用)|还在?(?:吃|用)[^，。？?]{0,2}药"
    r"|\bstill (?:on|taking|using) (?:it|them|the|those|that|your)\b",
    re.IGNORECASE,
)
"""A question whether that medicine is taken still: of the only one, whenever it was named."""
CLEARED: Final = re.compile(
    r"(?:医生|大夫|专家|主任|护士|医院|结果|报告)[^。！？\n]{0,12}(?:根本|压根|其实|并)(?:就)?(?:不(?:是)?"
    r"|没有?)过敏|(?:^|[。！？，,])说我(?:根本|压根|其实)(?:就)?不过敏"
    r"|(?:^|[。！？，,])(?:结果|报告)(?:都|全|都是|全是)没(?:事|反应|问题)|(?:那条|那一条|这条)(?:已经|早就?|也|都|给|被)*划(?:掉|了)"
    r"|\bpassed (?:the|my|an?|her|his) (?:oral |food |\w+ )?challenge\b|\boutgr(?:ew|own) it\b"
    r"|\b(?:doctors?|clinic|consultant|allergist|specialist|nurse|tests?|results?)\b[^.!?\n]{0,30}?\b(?:not|never)"
    r" (?:actually |really |been |was )*allergic(?: at all| after all| to anything)?\b",
    re.IGNORECASE,
)
"""Somebody who knows says that there is no allergy."""
_TESTED: Final = re.compile(
    r"皮试|激发|斑贴|点刺|变态反应|过敏科|口服观察|过敏试验|(?:重新|又|再)做了?[^，。]{0,4}试验"
    r"|\b(?:allergy clinic|skin tests?|challenge|patch tests?|pricks?|allergist)\b",
    re.IGNORECASE,
)
TESTED_ON_ME: Final = re.compile(
    r"\b(?:allergist|allergy (?:nurse|clinic|doctor|team)|nurse|doctor|consultant|specialist)\b[^.!?\n]{0,40}"
    r"\b(?:had|made|let|gave) me\b[^.!?\n]{0,20}\b(?:eat|try|swallow|drink)\b[^?\n]{0,80}\b(?:says?|said|told me"
    r"|confirmed)"
    r" (?:that )?i(?:'m| am| was|'ve been| have been) (?:not|never) (?:actually |really |been )*allergic"
    r"(?= at all| after all| and\b|[.!]|$)(?!.*\b(?:but|still|hives|react\w*|rash)\b)",
    re.IGNORECASE,
)
"""Somebody who knows has let the user eat it, and says so."""
STRUCK_OFF: Final = re.compile(
    r"(?:阴性|没有?反应)[^。！？但]{0,24}过敏[^，。没不]{0,2}帽子[^，。没不]{0,4}摘(?:了|掉)(?=$|[。！])"
)
"""An allergy that a test has found to be none leaves the file."""
MEASURED: Final = re.compile(
    r"(?:^|[，。！？,、\s])(?:刚|今天|昨天|上周|前天|这次|已经|现在)*(?:复查|再查|又查|重新查|降到|降成|升到|涨到)"
    r"(?:了|是|只有|已经|到|[，,：: ])*(?P<x>\d{1,4}(?:\.\d+)?)"
    r"(?!\d|\.\d|\s*(?:mg|毫克|片|粒|个|天|周|月|年|号|点|岁|公斤|斤|kg|次|/))"
    r"|(?:^|[.!?]\s?)(?P<x3>\d{2,3}(?:\.\d)?) (?:this morning|today)\b"
    r"|(?:^|[.,!?;]\s)(?:now |it'?s |and |came )?(?:down|up|back) (?:again )?(?:to|at) (?P<x2>\d{1,4}(?:\.\d+)?)\b"
    r"(?!\s*(?:mg|mcg|units?|puffs?|tablets?|pills?|days?|weeks?|months?|years?|times|kg|lbs?|stone|%|a day|:|/))",
    re.IGNORECASE,
)
"""A value that was measured again, told without what it is of."""
UNNAMED: Final = {
    TESTED_ON_ME: (ALLERGY,),
    STRUCK_OFF: (ALLERGY,),
    THAT_ONE: (MEDICATION,),
    LAST_ONE: (MEDICATION,),
    CLEARED: (ALLERGY,),
    _TESTED: (ALLERGY,),
    MEASURED: (TEST, VITAL),
}
"""Words that may change something unnamed, and the predicates of what that may be."""
_MEASURE: Final = re.compile(r"^[^\d:：]{0,24}?(?=\s*(?:只有|是|was|is|of|at)?\s*\d)")
_FILLED: Final = re.compile(r"(?:只有|是|才|was|is|of|at|\s)+$")


def unnamed(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the only medicine that is taken and of the only allergy; the only value as it is now."""
    known = list(held)
    tested = any(_TESTED.search(each.text) for each in own_messages(dialogue))
    asked = _questions(dialogue) if known else {}
    for said in own_messages(dialogue) if known else ():
        text = said.text[:TEXT_CHARS_MAX]
        earlier = [each for each in known if each.seq < said.seq]
        if says(LAST_ONE, text) or (says(THAT_ONE, text) and _ASKS_STILL.search(asked.get(said.seq, ""))):
            yield from _denied(said, earlier, MEDICATION)
        elif says(THAT_ONE, text):  # of an earlier session others were taken since, for all we know
            yield from _denied(said, [each for each in earlier if each.seq], MEDICATION)
        if NOT_DONE.search(text):
            continue
        named = TESTED_ON_ME.search(text) or STRUCK_OFF.search(text)
        if named and alone(dialogue):
            yield from (denial(said, each, text.strip()) for each in earlier if _is_allergy_in(text, each))
        elif tested and CLEARED.search(text) and _is_about_user(text):
            yield from _denied(said, [each for each in earlier if _names_only(text, each.object)], ALLERGY)
        if (found := MEASURED.search(text)) is not None and not _draws(text, "TS"):
            yield from _measured(said, earlier, found["x"] or found["x2"] or found["x3"])


def _questions(dialogue: Dialogue) -> dict[int, str]:
    """What an agent said right before each message of the user."""
    asked, before = dict[int, str](), dialogue.before
    for said in dialogue.messages:
        if said.own:
            asked[said.seq] = before
        before = "" if said.own else said.text
    return asked


def tested(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the allergy that was denied or asked about before, by an answer that tells of a good test of it."""
    known = [each for each in held if each.predicate == ALLERGY]
    denied = [each for each in found if each.predicate == ALLERGY and each.polarity == "-" and each.subject == USER]
    asked = dialogue.before
    for said in dialogue.messages if known else ():
        if said.own and said.speaker == USER and asked.rstrip().endswith(("?", "？")) and _TESTED.search(said.text):
            drawn = sketch(said.text[:TEXT_CHARS_MAX], in_use().lexicon)
            for each in known:
                spoken_of = word_of(each.object).search(asked.lower()) or any(
                    one.seq < said.seq and is_of_one(one.object, each.object) for one in denied
                )
                words = result_in(drawn, each.object) if spoken_of and each.seq < said.seq else ""
                if words:
                    yield denial(said, each, words)
        asked = "" if said.own else said.text


def _denied(said: Said, earlier: Iterable[Known], predicate: str) -> Iterator[FoundFact]:
    only = {each.object: each for each in earlier if each.predicate == predicate}
    if len(only) == 1:
        yield denial(said, next(iter(only.values())), said.text.strip())


def _measured(said: Said, earlier: Iterable[Known], value: str) -> Iterator[FoundFact]:
    """The new value under the name of the old one, which it replaces as any later value does."""
    measures = {
        (each.predicate, _FILLED.sub("", found.group()))
        for each in earlier
        if each.predicate in {TEST, VITAL} and (found := _MEASURE.match(each.object)) is not None and found.group()
    }
    if len(measures) == 1:
        predicate, name = measures.pop()
        quote, importance = said.text.strip(), importance_of(predicate)
        attributes = {"value": value}
        yield FoundFact(
            said.seq, USER, predicate, f"{name} {value}", "+", quote, importance, NAME, attributes=attributes
        )


def _is_allergy_in(text: str, known: Known) -> bool:
    """Whether it is an allergy that a text names, and names no other."""
    named = known.predicate == ALLERGY and word_of(known.object).search(text.lower()) is not None
    return named and _names_only(text, known.object)


def _is_about_user(text: str) -> bool:
    """Whether nobody else is spoken of."""
    return spoken_of(text) <= {USER}


def _names_only(text: str, name: str) -> bool:
    """Whether no substance is named but this one."""
    drawn = sketch(text[:TEXT_CHARS_MAX], in_use().lexicon)
    named = {each.term.name for _, group in drawn.groups_in(0, len(drawn.drawn), "S") for each in group.members}
    return all(is_of_one(each, name) for each in named)


def _draws(text: str, letters: str) -> bool:
    drawn = sketch(text[:TEXT_CHARS_MAX], in_use().lexicon)
    return any(True for _ in drawn.groups_in(0, len(drawn.drawn), letters))
