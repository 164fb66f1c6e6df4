"""What an agent proposes and the user agrees to: another dose, another medicine, a day. A yes says what it answers."""

import re
from collections.abc import Iterator
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.drawing import drawn_of
from memory.clinical.findings import APPOINTMENT, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.health.medication import medication
from memory.clinical.languages import in_use
from memory.clinical.reading import Reading
from memory.clinical.sketch import TEXT_CHARS_MAX
from memory.language.conditions import IF_ZH
from memory.language.sentences import split_sentences

_AGREES: Final = re.compile(
    r"^\W*(?:ok(?:ay)?|yes|yeah|yep|yup|sure|fine|great|perfect|lovely|brilliant|thanks|thank you|ta|will do"
    r"|sounds good"
    r"|(?:that|this|it)(?:'?s| is)? (?:fine|ok(?:ay)?|good|great|works?|perfect)|works for me|(?:mon|tues?|wed"
    r"|thurs?|fri|sat|sun)"
    r"\w*(?:'s| is| works)(?: \w+)?|see you|so )\b"
    r"|^\W*(?:好(?![多转些点像几久])|行(?![吗不])|可以(?![吗不])|嗯|没问题|要的|约(?:吧|上)|收到|知道了|谢谢|明白"
    r"|就这样|这个(?:可以|行)|对(?![^，。]{0,3}过敏))",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"\b(?:but|can'?t|cannot|not|don'?t|won'?t|rather|instead|no)\b|不(?!客气|好意思|用谢)|别|算了|还是|能不能"
    r"|可不可以|换(?:一?[个种天]|别的)"
)
_PROPOSES: Final = re.compile(
    r"建议|给您?开|开了|改(?:成|为|用|吃)?|换(?:成|用)?|加(?:到|用|量)|减(?:到|量)|停(?:用|掉|药)?|先用|试试|可以用"
    r"|继续"
    r"|\b(?:suggests?|prescri\w+|would like you to|wants you to|start(?:ing)?|stop|switch|rais(?:e|ing)|lower(?:ing)?"
    r"|increas(?:e|ing)|reduc(?:e|ing)|put you on|take|continue|carry on with|stay on|go(?:ing)? (?:up|down) to"
    r"|back to|sent a prescription for)\b",
    re.IGNORECASE,
)
"""A sentence of an agent's that says what to take, or to leave."""
_TAKES_IT: Final = re.compile(
    r"\d|这个(?:可以|行)|加|减|换|停|吃(?!完)|开始|今[晚天]|明天|就这样|\b(?:will|i'?ll|pick|start|from|take|tak\w+|try|bin|stop\w*"
    r"|switch\w*|do that)\b",
    re.IGNORECASE,
)
"""An answer that says more than thanks: what will be taken, or since when."""
_SOME_DAY: Final = re.compile(
    rf"再(?:开始|用|吃|加|减|停|考虑)|如果|{IF_ZH}|若|才(?:能|可以)|必要时|\b(?:if|once|until|unless|when|before|could"
    r"|might|may)\b",
    re.IGNORECASE,
)
"""What holds later, or under a condition, is not begun."""
_OF_AGENT: Final = re.compile(
    r"那?可以(?:先)?(?:试试|用|吃)|(?:主治|值班)?(?:医生|大夫|主任)?(?:的)?(?:意见是)?建议(?:您|你)?(?:先|把|试试"
    r"|使用|用)?|(?:给|帮)(?:您"
    r"|你)(?:开|换|加)(?:了|的)?"
    r"|(?:可以吗|行吗|好吗|您看)[?？]?|请(?:您|你)?"
    r"|\b(?:the |your |dr\.? \w+ |i'd |i would |she |he |they )?(?:doctor|gp|consultant)?,? ?(?:suggests?"
    r"|prescribes?|would (?:like|want)"
    r" you to|wants you to|recommends?|has sent a prescription for|sent a prescription for)\b|\b(?:take|please)\b",
    re.IGNORECASE,
)
"""What of a proposal says only that it is one."""
_TAG: Final = re.compile(
    r"^\W*(?:is that )?(?:ok(?:ay)?|alright|all right|does that work|is that ok(?:ay)?|可以吗"
    r"|行吗|好吗|要约吗)\W*$",
    re.IGNORECASE,
)
_ASKED_BEHIND: Final = re.compile(
    r"[,，]?\s*(?:does that work|is that ok(?:ay)?|ok(?:ay)?|要约吗|可以吗|行吗|好吗|要不要约|吗)?\s*[?？]\s*$",
    re.IGNORECASE,
)
"""What asks for the yes."""
_BOOKED: Final = re.compile(
    r"预约|约|有号|的号|来(?:院|复|抽|做|拍)|\b(?:book(?:ed)?|slot|free|dr|nurse|physio|clinic|see|come|what about"
    r"|how about|suits?|work for you)\b|[上下]午[一二三四五六七八九十\d]{1,3}点",
    re.IGNORECASE,
)
"""What a day may be for, where no word of `HealthGrammar.occasion` stands."""
_TODAY: Final = re.compile(
    r"今[天日](?:上午|下午|晚上|早上)?\s?[\d一二三四五六七八九十]+点|\btoday\b(?=[^.]{0,16}\d)"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm)? today"
)
_HOURS: Final = re.compile(
    r"\bopen\b|\bopening\b|\bhours\b|(?:mon|tues|wednes)day to |营业|开门|上班时间|周一(?:到|至)"
)
"""When a place is open."""
_DAY_MAX: Final = 90
_TIME: Final = re.compile(
    r"(?:上午|下午|晚上|早上)?\s?(?:[\d一二三四五六七八九十]+点(?:半|\d+分?|钟)?|\d{1,2}[:：]\d\d)"
)
_DAY_NEAR: Final = 6
_MARKS: Final = " ,，。?？"
_ANSWER_MAX: Final = 60


def agreed(text: str, before: str, about: str) -> Iterator[Finding]:
    """Medicines and days that an agent spoke of last, as the user's, where a short answer says yes to that."""
    answer = next((each.text for each in split_sentences(text)), "") if before else ""
    if not answer or len(answer) > _ANSWER_MAX or not _AGREES.search(answer) or _REFUSES.search(answer):
        return
    if answer[-1] in "?？" or any(grammar.asked.search(answer.lower()) for grammar in in_use().grammars):
        return
    said = [each.text for each in split_sentences(before[:TEXT_CHARS_MAX])]
    asked = bool(said) and (_TAG.match(said[-1]) is not None or said[-1][-1] in "?？")
    while said and _TAG.match(said[-1]):
        said.pop()
    takes_it = asked or _TAKES_IT.search(answer) is not None
    for sentence in said[-1:] if said and said[-1][-1] in "?？" else said:
        yield from _proposed(_ASKED_BEHIND.sub("", sentence), text, about, takes_it=takes_it)


def _proposed(sentence: str, text: str, about: str, *, takes_it: bool) -> Iterator[Finding]:
    """`takes_it`: a yes to a question, or one that says more than thanks: then medicines count too."""
    proposes = takes_it and _PROPOSES.search(sentence) is not None and not _SOME_DAY.search(sentence)
    drawn = drawn_of(_OF_AGENT.sub("", sentence).strip(_MARKS) if proposes else sentence)
    for _, grammar, health, _ in in_use().all:
        if health.written.search(drawn.lowered):
            reading = Reading(drawn, grammar, in_use().grammars, Question(""), about)
            for each in (*(medication(reading, health, []) if proposes else ()), *_day(reading, health)):
                yield each._replace(quote=text.strip(), subject=about)


def _day(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """A day and what it is for: Booked, Dr Patel, tomorrow 10:20."""
    words = reading.drawn
    days = list(health.day.finditer(words)) or list(_TODAY.finditer(words))
    for_something = health.occasion.search(words) or _BOOKED.search(words)
    none = (health.called_off, health.was, _SOME_DAY, _HOURS)
    if not days or not for_something or any(each.search(words) for each in none):
        return
    near = [each for each in days if each.start() - days[0].end() <= _DAY_NEAR]
    time = _TIME.match(words, near[-1].end())
    when = reading.sketch.quote(days[0].start(), time.end() if time else near[-1].end())
    for finding in reading.told(APPOINTMENT, reading.sketch.quote(0, len(words))[:_DAY_MAX], 0, whose=-1):
        yield finding._replace(attributes=(("when", when),))
