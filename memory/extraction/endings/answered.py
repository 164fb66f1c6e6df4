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
from memory.extraction.endings.known import Known, denial, own_messages, spoken_of
from memory.extraction.endings.words import OF_PREGNANCY
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import HABIT, LIKE, PLAN, STATE

_ANSWER_CHARS_MAX: Final = 80
_DONE_NO_MORE: Final = r"(?![吃用喝打服去做想能敢要抽上开])"
"""What is done no more is no complaint: 不吃了."""
_OVER: Final = re.compile(
    rf"(?:^|[，。])[^，。？?]{{0,4}}(?:当场|当时|当天)就(?:好|不{_DONE_NO_MORE}[\u4e00-\u9fff]{{1,2}})了"
    rf"|^[^，。？?]{{0,8}}(?:(?<!马上)(?<!很快)(?<!过几天)(?<!不久)(?<!会)就(?:好|不{_DONE_NO_MORE}[\u4e00-\u9fff]{{1,2}})了|(?:一次(?:都|也)"
    rf"|都|就)没(?:有)?再?{_DONE_NO_MORE}"
    r"(?:[疼痛犯发咳吐晕出响痒肿喘麻过]|$|[，。])|没(?:有)?(?:血|痰|汗|感觉|症状|事)了$)"
    r"|^(?:嗯|对|现在|已经|早就?|全|都|完全|基本|彻底|这几天|后来|[，,、 ])*(?:好(?:了|啦)(?!点|些"
    r"|多|一)|没(?:有)?了"
    rf"|不{_DONE_NO_MORE}[\u4e00-\u9fff]{{1,2}}了|消(?:了|下去了)|没(?:有)?再{_DONE_NO_MORE}|没犯|痊愈|退了)"
    r"|^(?:yes|yep|yeah|no|nope|oh|honestly|thankfully|luckily|all|mostly|[,.! ])*(?:(?:they|its|it"
    r"|that|those|the \w+)(?:'ve|'s|'re| have| has| is| are| was| were)? )?(?:all |completely "
    r"|totally |fully |finally )*(?:cleared|gone|vanished|healed|disappeared|went away|settled down"
    r"|stopped|completely[.!,]|completely$|totally[.!,]|fully[.!,]|not (?:at all|any ?more|a bit"
    r"|one bit|a twinge|since|once)|none\b(?! of)|no (?:pain|trouble|more|sign|problem)|calm\b|steady\b"
    r"|(?:perfectly |all |absolutely )?fine\b|haven'?t had (?:a single |one|any))"
    r"|^oh,? that!? (?:totally |completely |all )?(?:fine|gone|better) now\b",
    re.IGNORECASE,
)
"""Of a complaint that was asked about: it is over."""
_ASKS_ANY: Final = re.compile(
    r"(?:还)?有(?:没有)?(?:什么|哪里|其他|别的|任何)+(?:地方)?(?:的)?不(?:舒服|适)|(?:哪里|还)不舒服"
    r"|\b(?:any (?:other |more )?(?:symptoms|complaints|problems|pain)|anything else (?:bothering|troubling|wrong)"
    r"|how (?:are you|do you) feel(?:ing)?)\b[^?]{0,20}\?",
    re.IGNORECASE,
)
_NONE_LEFT: Final = re.compile(
    r"^\W*+(?:都|全|现在|已经)*+(?:没有?了|没啥了|好了|没事了|没有不舒服)(?![吗么点些])(?![^。！？]{0,12}(?:就是|但|只是|不过|还))"
    r"|^\W*+(?:no|nope|none|nothing|all)[,. ]+(?:nothing (?:now|left|at all)|all (?:gone|fine|good)|(?:they'?re"
    r"|it'?s) all gone|gone)\b"
    r"(?!.{0,40}\b(?:but|except|still|apart|just)\b)",
    re.IGNORECASE,
)
"""An answer to the question for any complaint: there is none any more."""
_ASKS_STILL: Final = re.compile(
    r"还(?:在)?(?P<does>[打跑游练跳抽喝骑爬吸])|\b(?:do|are) you still (?P<verb>\w+(?: \w+)?)", re.IGNORECASE
)
_OBJECTS: Final = {"打": "打|球|太极|牌|麻将", "抽": "烟|[包根支]", "吸": "烟|[包根支]", "喝": "喝|酒|茶|咖啡"}
"""What is done, by its verb, where a habit is told without it."""
_NOT_ANY_MORE: Final = re.compile(
    r"^\W*+(?:no|nope|nah)\b.{0,24}?\b(?:any ?more|stopped|gave (?:it|that) up|quit|not since|packed it in)\b"
    r"|^\W*+not any ?more\b",
    re.IGNORECASE,
)
_STEM: Final = 3
_DOES_NOT: Final = re.compile(rf"不[打跑游练跳抽喝骑爬吸]了|{_NOT_ANY_MORE.pattern}", re.IGNORECASE)
_YES: Final = re.compile(
    r"^(?:嗯+|对|是的?|好了|没了|全好了|都好了)(?![^。！？]{0,6}(?:不|没|还))|^(?:yes|yep|yeah|yup|they (?:are|have)"
    r"|it (?:is|has|did)|thankfully|completely|totally|all gone)\b(?![,.]? (?:but|still|not|no\b))",
    re.IGNORECASE,
)
"""An answer that says yes."""
_NOT_GOING: Final = re.compile(
    r"^[嗯对是的，, ]*+(?:不去了|不去啦|去不成了?)(?![吗呀])|^\W*(?:yes\W+|yeah\W+)?(?:(?:we|i)(?:'ve"
    r"| have)? )?(?:cancell?ed|scrapped) (?:it|that)\b",
    re.IGNORECASE,
)
"""Said of a place that is asked about: nobody goes there."""
_PREGNANT: Final = ("pregnancy", STATE)
_ASKS_BIRTH: Final = re.compile(
    r"(?:生了|出生了?|卸货了?)(?:吗|没|吧)"
    r"|\b(?:has|have|did|is) (?:the |your )?(?:baby|little one|twins)\b[^?]{0,12}"
    r"\b(?:come|came|arrived?|here|born)\b"
    r"|\bhow old (?:is|'s) (?:the |your )?(?:baby|little one|newborn)\b"
    r"|\b(?:have|did) you (?:given|give) birth\b|\bhad (?:the|your) baby\b"
    r"|恭喜[您你]?生了",
    re.IGNORECASE,
)
_ASKS_OFF: Final = re.compile(
    r"不去了|去不成|取消了?|还去吗|\b(?:not going|still going|cancell?ed|is that off|change of plans?)\b", re.IGNORECASE
)
_ASKS_AGE: Final = re.compile(r"\bhow old (?:is|'s) (?:the |your )?(?:baby|little one|newborn)\b", re.IGNORECASE)
"""Of who has given birth, where nobody else has been spoken of, and the answer tells of that."""
_CAME: Final = re.compile(r"\b(?:came|born|arrived|delivered|c-section|birth)\b", re.IGNORECASE)
_BORN: Final = re.compile(
    r"^\W*(?:嗯+|对|是的?|生了|上+周|昨[天晚]|前[天晚]|\d+月)(?![^。！？]{0,40}(?:没|快|产检|检查|复查|预产|待产|催))"
    r"|^[谢嗯对哈啊呀，,！!。 ]*+(?:是个?|生了个?)(?:闺女|女儿|女孩|千金|儿子|男孩|小子|龙凤胎|双胞胎)"
    r"(?![^。！？]{0,40}(?:产检|检查|预产|待产|还有|还没|[bB]超|孕|肚子|月后|周后|快生))"
    r"|^\W*(?:just |only |about |almost |nearly )*(?:[\w-]+ days?|(?:one|two|three|four|five|six"
    r"|[1-6]) weeks?)(?: old)?"
    r"(?=[,.!]|$)(?![^.!?]{0,60}\b(?:overdue|pregnant|kick\w*|scan|due)\b)"
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
_OFF_IT: Final = re.compile(
    r"^(?!.*\b(?:still on|back on|restart\w*|again|if|when|hopefully|next|until|till|for (?:the|a|my)|mon|tues"
    r"|\w+day)\b)"
    r"\W*(?:(?:no|nope|yes|yeah|yep|oh|well|honestly)\W+){0,2}(?:i'?m|i am|i(?:'ve)? (?:come|came)) "
    r"(?:all the way |completely |now )?off (?:it|them)(?: now| actually| completely| altogether)?(?=[.!,]|$)",
    re.IGNORECASE,
)
"""Said of a medicine that is asked about: it is taken no longer."""
BY_ANSWER: Final = {
    _OVER: (SYMPTOM,),
    _YES: (SYMPTOM,),
    _NONE_LEFT: (SYMPTOM,),
    _DOES_NOT: (HABIT, LIKE),
    _BORN: _PREGNANT,
    _INSTEAD: (MEDICATION,),
    _OFF_IT: (MEDICATION,),
    _NOT_GOING: (PLAN,),
}
"""Answers that may end something, and the predicates of what that may be."""


def answered(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of what an agent asked about and is over: complaints, a pregnancy, a medicine left, where nobody goes."""
    known, asked = list(held), dialogue.before
    for said in dialogue.messages if known else ():
        if said.own and said.speaker == USER and asked:
            text = simplified(said.text).strip()
            if _ASKS_AGE.search(asked) and (_CAME.search(text) is None or _of_others(dialogue, said)):
                asked = ""  # whose baby it is nobody knows
            for each in known:
                if each.seq < said.seq and _is_over(each, asked, text):
                    yield denial(said, each, said.text.strip()[:_ANSWER_CHARS_MAX])
        asked = "" if said.own else said.text


def _of_others(dialogue: Dialogue, until: Said) -> bool:
    """Whether the user has spoken of somebody else before a message."""
    return any(spoken_of(each.text) - {USER, ""} for each in own_messages(dialogue) if each.seq < until.seq)


def _is_over(known: Known, asked: str, text: str) -> bool:
    """Whether what is known is over, by the answer to a question."""
    if known.predicate == SYMPTOM and _ASKS_ANY.search(asked) and _NONE_LEFT.match(text):
        return True
    if known.predicate == SYMPTOM:
        return _is_asked_about(known.object, asked) and _says_over(asked, text)
    if known.predicate in {HABIT, LIKE}:
        return _does_no_more(known.object, asked, text)
    if known.predicate == PLAN:
        asked_off = _NOT_GOING.search(text) and _ASKS_OFF.search(asked)
        return asked_off is not None and not words_of(known.object).isdisjoint(words_of(asked))
    if known.predicate in _PREGNANT and OF_PREGNANCY.search(known.object):
        return _ASKS_BIRTH.search(asked) is not None and _BORN.search(text) is not None
    is_asked = known.predicate == MEDICATION and word_of(known.object).search(asked.lower()) is not None
    return is_asked and (_INSTEAD.search(text) or _OFF_IT.search(text)) is not None


def _does_no_more(habit: str, asked: str, text: str) -> bool:
    """Whether a question asks whether somebody does that still, and the answer is no: 现在还打球吗？不打了."""
    still = _ASKS_STILL.search(asked)
    if still is None:
        return False
    if still["does"]:
        does, what = still["does"], _OBJECTS.get(still["does"], still["does"])
        return (
            re.search(what, habit) is not None and re.search(f"(?:^|[，。])[^，。]{{0,6}}不{does}了", text) is not None
        )
    said = _NOT_ANY_MORE.match(text) is not None
    return said and any(word[:_STEM] in habit.lower() for word in still["verb"].lower().split() if len(word) >= _STEM)


def _is_asked_about(complaint: str, asked: str) -> bool:
    """Whether a question names a complaint, or two signs of a short one: 脚背肿, and then 脚肿好些了吗."""
    if alike(complaint, words_of(asked)) or is_at_the_place(complaint, asked.lower()):
        return True
    return not complaint.isascii() and len(complaint) <= SIGNS_MAX and len(set(complaint) & set(asked)) > 1


def _says_over(asked: str, text: str) -> bool:
    """Whether an answer says that what was asked about is over."""
    return _OVER.search(text.replace("啦", "了")) is not None or (
        any(health.asks_over.search(asked.lower()) for health in in_use().healths) and _YES.match(text) is not None
    )
