"""All that a message says of somebody's health, safety first: a finding is used up by the frame that explains it."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.allergies import not_allergic
from memory.clinical.asked import Question
from memory.clinical.diseases import not_had, passing_diseases
from memory.clinical.drawing import drawn_of, pieces
from memory.clinical.findings import MEDICATION, SYMPTOM, TEST, Finding, each_once
from memory.clinical.health.agreed import agreed
from memory.clinical.health.appointments import appointments
from memory.clinical.health.devices import devices
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.measures import tests, vitals
from memory.clinical.health.medication import DRUG, medication
from memory.clinical.health.symptoms import symptoms
from memory.clinical.languages import in_use
from memory.clinical.people import USER, asked_about
from memory.clinical.reading import EDGE, Reading
from memory.clinical.safety import safety_frames
from memory.clinical.sketch import TEXT_CHARS_MAX, sketch
from memory.clinical.taking import answered_whether_taken
from memory.language.sentences import split_sentences

_CLAUSE_ENDS: Final = re.compile(r"[。！!；;,，\n]|\.(?=\s|$)")
_DOSE_MAX: Final = 60
"""Letters of an answer that is little more than a dose."""
_ASKS_AMOUNT: Final = re.compile(
    r"\b(?:what|which) (?:dose|strength|dosage)\b|\b(?:dose|dosage)\?"
    r"|^\W*(?:ok(?:ay)?|right|and)?\W*how (?:much|many)\W*$"
    r"|\bhow (?:much|many)(?: of (?:it|that|them))? (?:do|are|did|have) you "
    r"(?:take|taking|on|inject\w*|us(?:e|ing)|been)"
    r"|\bhow many (?:units|mg|milligrams|micrograms|tablets|puffs)\b"
    r"|剂量|用量|[吃打用服](?:的|了)?(?:多少(?!年|钱|天|次|主食|饭|度|时间|久)|几[片粒颗毫单])"
    r"|(?:一次|每次|每天|一天)[吃打用服]?(?:多少(?!主食|饭|钱)|几(?![次点]))|多少(?:毫克|单位|mg)"
)
"""Asks how much of a medicine is taken."""
_OF_NO_DOSE: Final = re.compile(r"\b(?:alcohol|left|drink|when|box|cost)\b|体温|多少钱|剩|盒")
_PART_OF_DAY: Final = r"(?:in the |at )?(?:mornings?|am|nights?|bed ?time|evenings?|pm|lunch(?: ?time)?|noon)"
_BARE_DOSE: Final = re.compile(
    r"(?!.{0,16}\b(?:3[5-9]|4[0-2])\.\d)\W*(?:it'?s |i'?m on |i take |just |about |only |就|吃|打|是|大概)*"
    rf"(?P<x>\d{{1,4}}(?:\.\d+)? {_PART_OF_DAY}(?:,? (?:and )?(?:then )?\d{{1,4}}(?:\.\d+)? {_PART_OF_DAY})+"
    r"|早(?:上)?\d+[，, 、]*(?:中(?:午)?\d+[，, 、]*)?晚(?:上)?\d+|(?!(?:19|20)\d\d\W*$)\d{1,4}(?:\.\d+)?)"
    r"(?=\W*$|,? ?(?:once|twice|(?:three|four|\d) times|a day|daily|per day|every|each|in the (?:morning"
    r"|evening)|at night"
    r"|b\.?d|t\.?d\.?s|o\.?d|一天|每天|一日|早上|晚上|睡前))"
)
_WORD_GOES_ON: Final = re.compile("[a-z]")
_NUMBER_ALONE: Final = re.compile(
    r"^\W*(?:现在|今天|是|it'?s|its|now)?\s*(?P<x>\d{1,3}(?:\.\d{1,2})?)(?=$|[!！。，,\s])(?!\s*(?:mg|mcg|天|次|片"
    r"|年|weeks?|days?|times))",
    re.IGNORECASE,
)
_ASKS_FOR_THOUGHTS: Final = re.compile(
    r"\b(?:harm|hurt|kill)(?:ing)? (?:yourself|himself|herself|themsel\w+)|suicid|end(?:ing)? (?:your|their) life"
    r"|自杀|轻生|伤害自己|不想活|结束(?:自己的?)?生命|自伤|自残|寻短见"
)
_HAS_THOUGHT: Final = re.compile(
    r"^\s*(?:yes|yeah|yep|sometimes|a bit|sort of|i do|i have|i did)\b|\b(?:thought|thinking|think) (?:about|of)\b"
    r"|\bcrossed my mind\b|^\s*(?:有(?!没)|嗯|偶尔|会|是的)|想过|有时候?|闪过|动过"
)
_BARE_COMPLAINT: Final = re.compile(
    r"(?:很|非常|特别|有点儿?|有些|超|好|太|挺|老是?|总是?|一直"
    r"|又)?(?P<x>[痒疼痛酸麻晕肿喘咳])(?:[得死到][^，。\n]{0,5})?"
)
"""A complaint that does not say where it is."""
_ALIKE: Final = {"疼": "[疼痛]", "痛": "[疼痛]"}
_ANSWER_MAX: Final = 24
"""Letters of an answer that says yes or no to the complaints of a question."""


_ASKS_IF_TAKEN: Final = re.compile(
    r"\b(?:are|is) (?:you|he|she|they) (?:\w+ )?(?:taking|on|using)\b|在(?:吃|用|打)|[吃用打]着"
)
_STOPPED_IT: Final = re.compile(
    r"\b(?:stopped|threw|binned|quit|came off|took (?:me|him|her) off) (?:it|that|them)\b|(?:给我?|让我?|已经"
    r"|早就?)停(?:了|掉)"
)
"""An answer that says that what the question names was stopped."""
_SPEAKS_ON: Final = re.compile(r"(?<=有)(?![的啊呀哦呢了过吧嘛呃也都])[\u4e00-\u9fff]")
"""没有放射痛: an answer that says itself what there is, or is not."""


def read_health(text: str, before: str = "", about: str = USER, medicine: str = "") -> list[Finding]:
    """Complaints, medicines, values and tests that a user's message tells, each once. Raises nothing, linear.

    `before`: what it answers; `about`: of whom its speaker spoke last; `medicine`: which one was spoken of last.
    `read_safety` reads what safety rests on.
    """
    found: list[Finding] = []
    question = Question(before)
    for piece in pieces(text):
        drawn = drawn_of(piece)
        if any(grammar.retold.search(drawn.lowered) for grammar in in_use().grammars):
            return []
        for _, grammar, health, _ in in_use().all:
            if health.written.search(drawn.lowered):
                found += _read(Reading(drawn, grammar, in_use().grammars, question, about), health)
    found += _answered(text, before, about)
    found += _thought_of(text, before, about)
    found += list(_taken_still(text, before, about)) or _taken_as_asked(text, before, about)
    found += _measured(text, before, about)
    found += agreed(text, before, about)
    if before:
        lone = all(each.kind != MEDICATION for each in found)
        if lone or _names_no_medicine(_first_clause(text)):
            found += _dosed(text if lone else _first_clause(text), before, about, medicine)
    return _widest(each_once(found))


def _names_no_medicine(text: str) -> bool:
    return not any(True for _ in sketch(text, in_use().lexicon).groups_in(0, len(text), "S"))


def _first_clause(text: str) -> str:
    """What an answer says first, where it goes on about another medicine."""
    return _CLAUSE_ENDS.split(text.strip())[0]


def _dosed(text: str, before: str, about: str, medicine: str) -> Iterator[Finding]:
    """A dose alone, where it was asked for: of the one medicine that the question names, else of the last one."""
    lowered, healths = before.lower(), in_use().healths
    asked = any(words.search(lowered) for each in healths for words in (each.asks_dose, each.dose, each.dose_now))
    if len(text) > _DOSE_MAX or not asked:
        return
    question = sketch(before[:TEXT_CHARS_MAX], in_use().lexicon)
    groups = question.groups_in(0, len(question.drawn), "S")
    named = {member.term.name for _, group in groups for member in group.members if member.kind == DRUG}
    medicine = named.pop() if len(named) == 1 else "" if named else medicine
    if medicine and (dose := dose_in(text) or _bare_dose(text, lowered)):
        yield Finding(MEDICATION, medicine, text.strip(), about, attributes=tuple(dose.items()))


def _bare_dose(text: str, asked: str) -> dict[str, str]:
    """As `dose_in` a number alone, where it was asked how much is taken."""
    last = next((each.text for each in reversed(split_sentences(asked))), "")
    asks = _ASKS_AMOUNT.search(last) and not _OF_NO_DOSE.search(last)
    dose = _BARE_DOSE.match(text.lower()) if asks else None
    if dose is None:
        return {}
    often = next(filter(None, (each.frequency.search(text.lower(), dose.end("x")) for each in in_use().healths)), None)
    return {"dose": dose["x"].strip(), **({"frequency": often["x"].strip()} if often else {})}


def dose_in(text: str) -> dict[str, str]:
    """The dose that a text tells, with its frequency if any; empty without one."""
    lowered, healths = text.lower(), in_use().healths
    doses = (words.search(lowered) for each in healths for words in (each.dose, each.dose_now))
    dose = next(filter(None, doses), None)
    if dose is None:
        return {}
    often = next(filter(None, (each.frequency.search(lowered) for each in healths)), None)
    return {"dose": dose["x"].strip(), **({"frequency": often["x"].strip()} if often else {})}


def _widest(found: list[Finding]) -> list[Finding]:
    """Of complaints one of which says what another says and more, only the wider one."""
    complaints = [each for each in found if each.kind == SYMPTOM]
    return [each for each in found if not any(_says_more(other, each) for other in complaints)]


def _says_more(wide: Finding, narrow: Finding) -> bool:
    alike = (wide.kind, wide.subject, wide.denied) == (narrow.kind, narrow.subject, narrow.denied)
    if not alike or wide.text == narrow.text:
        return False
    bare = _BARE_COMPLAINT.fullmatch(narrow.text)
    if bare:
        return re.search(_ALIKE.get(bare["x"], bare["x"]), wide.text) is not None and len(wide.text) > 1
    return narrow.text in wide.text


def _read(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    told = list(safety_frames(reading))
    yield from medication(reading, health, told)
    yield from devices(reading, health)
    yield from vitals(reading, health)
    yield from tests(reading, health)
    yield from symptoms(reading, health, told)
    yield from passing_diseases(reading)
    yield from not_had(reading)
    yield from not_allergic(reading)
    yield from appointments(reading, health)


def _measured(text: str, before: str, about: str) -> Iterator[Finding]:
    """A number alone, where what was measured is asked for: its value now."""
    value = _NUMBER_ALONE.match(text)
    if not before or value is None:
        return
    question = sketch(before[:TEXT_CHARS_MAX], in_use().lexicon)
    for _, group in question.groups_in(0, len(question.drawn), "T"):
        for member in group.members[:1]:
            name = question.text[member.start : member.end]
            yield Finding(
                TEST, f"{name} {value['x']}", text.strip(), about, attributes=(("name", name), ("value", value["x"]))
            )
        return


def _taken_still(text: str, before: str, about: str) -> Iterator[Finding]:
    """The medicines that a question asks whether they are taken still, where the answer begins with yes or no."""
    lowered = text.lower()
    for health in in_use().healths if before else ():
        left = health.stopped_alone.match(lowered)
        found = health.no.search(lowered) or health.yes.search(lowered) or left
        asked = health.asks_still.search(before.lower()) or (left and _ASKS_IF_TAKEN.search(before.lower()))
        if found is None or not asked or (not left and _WORD_GOES_ON.match(lowered, found.end())):
            continue
        stopped = left is not None or _STOPPED_IT.search(lowered) is not None
        own = any(True for _ in sketch(text[:TEXT_CHARS_MAX], in_use().lexicon).groups_in(0, len(text), "S"))
        if own and not stopped:
            return  # it says itself which
        question = sketch(before[:TEXT_CHARS_MAX], in_use().lexicon)
        for _, group in question.groups_in(0, len(question.drawn), "S"):
            for member in group.members:
                if member.kind == DRUG:
                    denied = stopped or health.no.search(lowered) is not None
                    yield Finding(MEDICATION, member.term.name, text.strip(), about, denied=denied)


def _taken_as_asked(text: str, before: str, about: str) -> Iterator[Finding]:
    """The medicines that a question asks for, and an answer says yes or no to."""
    answer = answered_whether_taken(drawn_of(text[:TEXT_CHARS_MAX]), Question(before)) if before else None
    for member in answer.members if answer else ():
        if member.kind == DRUG:
            yield Finding(MEDICATION, member.term.name, text.strip(), about, denied=not (answer and answer.takes))


def _thought_of(text: str, before: str, about: str) -> Iterator[Finding]:
    """Thoughts of ending one's life, where an agent asks for them and the answer is not no."""
    asked, said = _ASKS_FOR_THOUGHTS.search(before.lower()), text.lower()
    if asked is None or any(health.no.search(said) for health in in_use().healths) or not _HAS_THOUGHT.search(said):
        return
    name = "suicidal thoughts" if asked.group().isascii() else "自杀念头"
    yield Finding(SYMPTOM, name, text.strip(), about)


def _answered(text: str, before: str, about: str) -> Iterator[Finding]:
    """The complaints that a question asks for, and a short answer says yes or no to."""
    if not before or len(text) > _ANSWER_MAX or sketch(text, in_use().lexicon).groups:
        return
    question = sketch(before, in_use().lexicon)
    for _, grammar, health, _ in in_use().all:
        yes, no = health.yes.search(text.lower()), health.no.search(text.lower())
        said, over = yes or no, health.asks_over.search(before.lower()) is not None
        if (
            said is None or _SPEAKS_ON.match(text, said.end()) or (over and text[said.end() :].strip(EDGE))
        ):  # 嗯，还没好: what follows decides
            continue
        has = bool(yes) != over
        subject = asked_about(before, text.lower(), in_use().grammars)
        subject = about if subject == USER else subject
        for clause in question.clauses:
            if not (clause.asked or grammar.asked.search(question.drawn[clause.start : clause.end])):
                continue
            for _, group in question.groups_in(clause.start, clause.end, "YR"):
                for member in group.members:
                    name = question.text[member.start : member.end]
                    yield Finding(SYMPTOM, name, text.strip(), subject, denied=not has)
