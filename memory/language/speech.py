"""How something is said: questions, bare answers, courtesies, negations."""

import re

from memory.language.apostrophes import spelled
from memory.language.vocabulary import Kind

_HAN = re.compile(r"[\u3400-\u9fff]")
_QUESTION_MARK = re.compile(r"[?？]\W{0,9}$|(?:吗|多久了?|多长时间了?|几天了?|有没有|怎么样)\W{0,9}$")
_NEGATION = re.compile(
    r"没|无|不|否认|未|非(?!常)|(?<![a-z])(?:no|not|never|none|without|den(?:y|ies|ied)|neither|"
    r"nor)(?![a-z])|n't"
)

_SMALL_TALK = re.compile(
    r"非常|十分|感谢|谢谢|多谢|谢了|再次|麻烦|您好|你好|大家(?:早|好)|早上好|下午好|晚上好|早安|晚安|"
    r"哈喽|嗨|医生|大夫|先生|女士|朋友|老师|"
    r"好的|好吧|好滴|好哒|行的|嗯+|哦+|啊|呀|哈哈+|呵呵|收到|明白了?|知道了?|了解了?|我会注意的?|"
    r"这些事项|客气|不用谢|应该的|没关系|没事|"
    r"祝(?:您|你)?[^，。！!]{0,24}|再见|拜拜|加油|辛苦了?|放心|您的|你的|解答|回答|回复|建议|指导|帮助|"
    r"耐心|详细|在吗|在么|"
    r"希望[^，。！!]{0,12}(?:帮助|有用)|随时[^，。！!]{0,24}|如(?:果|有)[^，。！!]{0,24}问题|"
    r"很高兴[^，。！!]{0,16}|稍等|久等了?|抱歉|对不起|(?<!不)好|行|恩|噢|哎|唉|呃|嘛|了|的|地|吧|吗|呢|很|太|是|那|就|"
    r"(?<![a-z])(?:thank(?:s| you)?|so much|very much|a lot|many|again|hi|hello|hey|dear|"
    r"good (?:morning|afternoon|evening|night)|"
    r"ok(?:ay)?|sure|great|nice|got it|i see|i understand|understood|you're welcome|welcome|no problem|"
    r"bye|goodbye|"
    r"take care|see you|have a (?:nice|good|great) (?:day|one|evening|weekend)|doctor|for (?:your|the|"
    r"all)(?: the| your)?|help|advice|time|"
    r"sounds good|perfect|wonderful|awesome|alright|cool|haha|lol|very|you|too|i|of course|"
    r"feel free[^.!?]*|"
    r"glad[^.!?]*|happy to help[^.!?]*|let me know[^.!?]*|how are you|nice to meet you|and|that|is|the|"
    r"it|appreciate|really)(?![a-z])"
)
_BARE_ANSWER = re.compile(
    r"(?:没有?|有一?点点?|有|是|对|不是|不|不会|会|无|嗯+|好|能|不能|可以|不可以|偶尔|经常|正常|知道|不知道|不清楚|"
    r"一点|应该|可能|都)"
    r"(?:的|啊|呀|了|吧|呢|哦|过|有)*|yes|no|nope|yeah|yep|none|not really|never|sometimes|i do|i don't|"
    r"i do not|not that i know of|a little"
)
_WORDS = re.compile(r"\W+")
_COURTESY = re.compile(
    r"再来?(?:咨询|请教|问您?)|感谢(?:您|你)的(?:理解|信任|咨询)|希望我的|"
    r"随时[^，。]{0,8}(?:咨询|找我|联系|提问|向我|问我|告诉)|如有(?:任何)?其他问题|(?:有|给您?你?|"
    r"提供)一些建议(?!.*[:：])|"
    r"祝(?:您|你|早日)|any (?:other|further|more) questions|feel free|don't hesitate|hope (?:this|"
    r"that) helps|here to help"
)
_SUBSTANCE_CHARS_MIN = {True: 2, False: 4}  # by whether it is Chinese
_SUBSTANTIAL = Kind.SAFETY | Kind.SYMPTOM | Kind.NUMBER


def asks(sentence: str) -> bool:
    """Whether a sentence is put as a question (a request without a question mark is not)."""
    return bool(_QUESTION_MARK.search(sentence))


def negates(text: str) -> bool:
    """Whether a text holds a negation, so that cutting it may turn its meaning round."""
    return bool(_NEGATION.search(spelled(text).text.lower()))


def is_small_talk(sentence: str, kinds: int) -> bool:
    """Greetings, thanks and acknowledgements, with nothing else of substance in the sentence."""
    text = sentence.lower()
    if _COURTESY.search(text):
        return not kinds & Kind.SAFETY
    if kinds & _SUBSTANTIAL:
        return False
    rest = _WORDS.sub("", _SMALL_TALK.sub("", text))
    return len(rest) < _SUBSTANCE_CHARS_MIN[bool(_HAN.search(rest))]


def is_bare_answer(sentence: str) -> bool:
    """A yes, no or the like, which says nothing without its question."""
    return bool(_BARE_ANSWER.fullmatch(_WORDS.sub(" ", sentence.lower()).strip()))


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Where a text holds a quote, white space aside; None when it does not, or when the quote says nothing."""
    exact = text.find(quote) if quote.strip() else -1
    if exact >= 0:
        return exact, exact + len(quote)
    wanted = "".join(quote.split())
    places = [place for place, char in enumerate(text) if not char.isspace()]
    at = "".join(text[place] for place in places).find(wanted) if wanted else -1
    return (places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None
