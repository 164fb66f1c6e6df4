"""What the utterances before a Chinese query offer as antecedents, by the way each was said.

The way matters more than the word: a title in book marks or what somebody was asked about is nearly always meant, a
noun in passing seldom is. Sources stand in `Source` with what they look at; the choice among them is made elsewhere.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from memory.language.coreference.zh.people import ROLES, Person, introductions, people
from memory.language.coreference.zh.words import DRUG, GENERIC_NOUNS, PERSON_NOUNS
from memory.language.tagger import OTHER, PERSON, PLACE, THING, Tagger, Token, WordClass

READ_CHARS_MAX: Final = 200
NOUN_UTTERANCE_CHARS_MAX: Final = 30
_NAME_CHARS_MIN: Final = 2
_TOPIC_CHARS_MAX: Final = 10
_NAME_CHARS_MAX: Final = 8


class Source(Enum):
    """How a candidate was said."""

    TITLE = "title"  # 《X》
    TOPIC = "topic"  # 认识X吗, X是谁, or the whole utterance
    OBJECT = "object"  # 买了X
    NOUN = "noun"  # any run of nouns
    SIGN = "sign"  # a sign of the zodiac


class Thing(NamedTuple):
    """A candidate that was not found as a person.

    `kind` is None where the words do not tell its class. `verb` is what is done to it; of a noun "^" says that it opens
    the utterance and "v" that it is eaten, bought, seen or gone to.
    """

    text: str
    source: Source
    kind: WordClass | None
    start: int
    verb: str = ""


class Said(NamedTuple):
    """One utterance with all it offers, each list in the order of the text."""

    text: str
    people: list[Person]
    things: list[Thing]


_CLAUSE: Final = re.compile(r"(?:[^，。！？；、,.!?;~…\s《》【】\[\]（）()“”\"：:]|(?<=[A-Za-z]) (?=[A-Za-z]))+")
_TITLE: Final = re.compile(r"《([^《》\s][^《》]{0,19})》")
_SIGN: Final = re.compile(
    r"(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天平|天蝎|射手|人马|摩羯|魔羯|山羊|水瓶|双鱼)座"
    r"|(?:金牛|双子|巨蟹|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)(?=男|女|的)"
)
_TAIL: Final = re.compile(r"(?:吗|嘛|么|没有|没|不|吧|呢|啊|呀|哦|哈|啦|了|的|哇|咯|噢)+$")
_APPOSITION: Final = re.compile(
    r"(?:这|那)(?:个人|位\w{2}|部\w{1,3}|首歌|本书|个游戏|个电影|个节目|个地方|个城市|种\w{2}|个|款\w{2}|样)|(?:这部|那部).*$"
)

_ASKED: Final = re.compile(
    r"(?P<verb>认识|见过|粉|追过?|知道|晓得|听说过?|了解|关注|喜欢看|喜欢听|喜欢吃|喜欢喝|喜欢玩|爱看|爱听|爱吃|爱喝|爱玩|看过|看了|听过|玩过|玩|吃过|喝过|用过|"
    r"去过|到过|读过|打过|养过|学过|喜欢|爱)(?:一个叫|一部叫|一首叫|的)?(?P<x>[^\s]{1,14})$"
)
_WHO: Final = re.compile(
    r"^(?:那|请问|你说的?|你知道)?(?P<x>.{2,10}?)(?:又|到底|究竟|她|他)?是(?:谁|哪位|哪个明星|哪里人|哪国人|男的|女的|干什么的|干嘛的|做什么的)"
)
_ASKS_WHO: Final = re.compile(r"是(?:谁|哪|男|女|干|做|什)|谁是|什么是|啥是|啥叫|什么叫")
_WHO_IS: Final = re.compile(r"(?:谁是|什么是|啥是|啥叫|什么叫)(?P<x>.{2,10})$")
_JUDGED: Final = re.compile(
    r"怎么样|咋样|如何|好不好|好[看吃喝玩听用]|难[吃看听]|有[意才名]|帅|漂亮|美|可爱|厉害|演技|火"
)
_HOW: Final = re.compile(
    r"^(?:那|你觉得|觉得|感觉|你看|听说)?(?P<x>.{2,10}?)(?:怎么样|咋样|如何|好不好|(?:很|真|太|好|超|超级|挺|不|最|特别|非常|真的很|真的)?"
    r"(?P<how>好看|好吃|好喝|好玩|好听|好用|难吃|难看|难听|有意思|帅|漂亮|美|可爱|厉害|有才|演技|火|有名))"
)
_WORK_OF: Final = re.compile(
    r"(?:听|看|喜欢|爱|唱|读|有)(?:过)?(?P<x>[^的]{2,8})的(?:歌曲?|新歌|专辑|演唱会|电影|戏|剧|电视剧|书|小说|诗|作品|直播|节目|相声)$"
)
_ONLY_HEAD: Final = re.compile(
    r"^(?:那|当然是|当然|肯定是|就是|还是|应该是|大概是|可能是|我觉得|我猜|我最喜欢的?|我也喜欢|我很喜欢|我超喜欢|我喜欢|我爱|最喜欢|喜欢|我在看|在看|我想看|我想吃|"
    r"我是|是|叫|看|听|玩|吃|口服|外用|服用)(?:是|看|听|玩|吃)?"
)
_OBJECT: Final = re.compile(
    r"(?P<verb>买|开|吃|喝|用|换|装|养|学|得|患|服用|服|看|听|玩|打|追|弹|种|做|煮|涂|抹|戴|穿)(?:了|过|着|的是|的|起|到|上)?"
    r"(?:[一两几二三四五六七八九十半\d]{1,2}|这|那)?(?:个|只|条|台|部|辆|瓶|杯|盒|本|件|双|款|支|盆|棵|碗|份|串|首|些|点|头|匹|袋|片|粒|把|套|块|种|款)?"
    r"(?P<x>[^的\s]{1,10})$"
)
_PERSON_VERBS: Final = frozenset({"认识", "见过", "粉"})
_PLACE_VERBS: Final = frozenset({"去过", "到过"})
_THING_VERBS: Final = re.compile(r"[看听吃喝玩用读打养学]")
_PERSON_PRAISE: Final = frozenset({"帅", "漂亮", "有才", "演技", "厉害", "可爱", "美", "火", "有名"})
_SAY_LITTLE: Final = GENERIC_NOUNS | PERSON_NOUNS
_NOT_IN_TOPIC: Final = re.compile(r"[我你您他她它咱这那谁哪什怎吗呢吧了]|没有|不是|时候|多少|自己|一下|有没|是不|为啥")
_FUNCTION: Final = re.compile(r"[的是不没很都也就还和跟在着有要会能想去来说过得把被让给对从到]")
_MASKED: Final = re.compile(r"MASK|\d{4,}|[xX*＊]{2,}")
_NOUN_VERB: Final = re.compile(r"[吃喝买看听玩用养打追](?:了|过|着)?(?:[一两几]?[个只条台部辆瓶杯本件款]?)$")
_PLACE_VERB: Final = re.compile(r"(?:去|到|在|来|回|住|从|逛)(?:了|过)?$")


def read(text: str, tagger: Tagger, *, persons: bool) -> Said:
    """The candidates of one utterance for a person or for a thing; of a very long one only those at its start."""
    text = text[:READ_CHARS_MAX]
    tokens = [_undrugged(token) for token in tagger.tag(text)]
    if persons:
        return Said(text, people(text, tokens), list(_topics(text, tokens)))
    things = [*_titles(text), *_signs(text), *_topics(text, tokens), *_objects(text, tokens), *_nouns(text, tokens)]
    return Said(text, introductions(text), things)


def _undrugged(token: Token) -> Token:
    """Drugs sound like foreign names, and taggers take them for people."""
    return token._replace(kind=THING) if token.kind == PERSON and DRUG.search(token.text) else token


def _titles(text: str) -> Iterator[Thing]:
    for match in _TITLE.finditer(text):
        yield Thing(match[1].strip(), Source.TITLE, THING, match.start())


def _signs(text: str) -> Iterator[Thing]:
    for match in _SIGN.finditer(text):
        yield Thing(match[0], Source.SIGN, None, match.start())


def _topics(text: str, tokens: list[Token]) -> Iterator[Thing]:
    clauses = list(_CLAUSE.finditer(text))
    for clause in clauses:
        if topic := _topic(clause[0], clause.start(), tokens):
            yield topic
    if len(clauses) == 1 and (topic := _whole(clauses[0], tokens)):
        yield topic


def _topic(clause: str, offset: int, tokens: list[Token]) -> Thing | None:
    if _ASKS_WHO.search(clause) and (match := _WHO.match(clause) or _WHO_IS.search(clause)):
        known = PERSON if "谁" in match[0] or "人" in match[0] or "的" in match[0][-1:] else None
        return _checked(match, offset, tokens, known)
    bare = _TAIL.sub("", clause)
    if "的" in bare and (match := _WORK_OF.search(bare)):
        if topic := _checked(match, offset, tokens, None):
            return topic if topic.kind == PERSON else None
        return None
    if _JUDGED.search(clause) and (match := _HOW.match(clause)):
        return _praised(match, offset, tokens)
    question = len(bare) < len(clause) and clause[len(bare)] in "吗嘛么没不吧"
    if question and (match := _ASKED.search(bare)):
        return _asked(match, offset, tokens)
    return None


def _praised(match: re.Match[str], offset: int, tokens: list[Token]) -> Thing | None:
    topic = _checked(match, offset, tokens, None)
    if not topic:
        return None
    how = match["how"]
    if how in _PERSON_PRAISE:
        return topic if topic.kind == PERSON else None
    return topic if not how or topic.kind != PERSON else None


def _asked(match: re.Match[str], offset: int, tokens: list[Token]) -> Thing | None:
    verb = match["verb"]
    known: WordClass | None = None
    if verb in _PERSON_VERBS:
        known = PERSON
    elif verb in _PLACE_VERBS:
        known = PLACE
    topic = _checked(match, offset, tokens, known)
    if topic and _THING_VERBS.search(verb) and topic.kind != PERSON:
        return topic._replace(kind=THING, verb=verb)
    return topic


def _checked(match: re.Match[str], offset: int, tokens: list[Token], known: WordClass | None) -> Thing | None:
    """The group x as a topic if it can be a name; its class by the words where the pattern does not tell."""
    text = _APPOSITION.sub("", match["x"])
    start = offset + match.start("x")
    inside = _covering(tokens, start, text)
    whole = len(inside) == 1 and inside[0].text == text and inside[0].kind != OTHER
    if not _nameable(text, whole=whole):
        return None
    return _of_class(Thing(text, Source.TOPIC, known, start), inside)


def _nameable(text: str, *, whole: bool) -> bool:
    latin = text.isascii()
    if not _NAME_CHARS_MIN <= len(text) <= (_TOPIC_CHARS_MAX * 2 if latin else _TOPIC_CHARS_MAX):
        return False
    if (
        text in GENERIC_NOUNS
        or text in PERSON_NOUNS
        or text in ROLES
        or text.endswith(("们", "人"))
        or _MASKED.search(text)
    ):
        return False
    return whole or not (_NOT_IN_TOPIC.search(text) or _FUNCTION.search(text))


def _of_class(topic: Thing, inside: list[Token]) -> Thing | None:
    """The topic with the class of its words; of a person only the name, and none if more is said of them."""
    shifted = [token._replace(start=token.start - inside[0].start) for token in inside]
    if named := people(topic.text, shifted):
        name = named[-1].text
        if not topic.text.endswith(name):
            return None
        return topic._replace(text=name, kind=PERSON, start=topic.start + len(topic.text) - len(name))
    if topic.kind or not inside or inside[-1].kind in (PERSON, OTHER):
        return topic
    latin = topic.text.isascii() and all(token.kind == THING for token in inside)
    return topic if latin else topic._replace(kind=inside[-1].kind)


def _whole(clause: re.Match[str], tokens: list[Token]) -> Thing | None:
    """An utterance that is only X, or only says that X is it."""
    bare = _TAIL.sub("", clause[0])
    head = _ONLY_HEAD.match(bare)
    cut = head.end() if head else 0
    text = bare[cut:]
    inside = _covering(tokens, clause.start() + cut, text)
    if not inside or any(token.kind == OTHER for token in inside) or not _nameable(text, whole=len(inside) == 1):
        return None
    return _of_class(Thing(text, Source.TOPIC, None, clause.start() + cut), inside)


def _objects(text: str, tokens: list[Token]) -> Iterator[Thing]:
    for clause in _CLAUSE.finditer(text):
        match = _OBJECT.search(_TAIL.sub("", clause[0]))
        if not match:
            continue
        start = clause.start() + match.start("x")
        inside = _covering(tokens, start, match["x"])
        nouns = bool(inside) and all(token.kind in (THING, PLACE) for token in inside)
        if nouns and _nameable(match["x"], whole=len(inside) == 1):
            yield Thing(match["x"], Source.OBJECT, THING, start, match["verb"])


def _covering(tokens: list[Token], start: int, text: str) -> list[Token]:
    """The tokens that make up a text at a place; none if it cuts a token."""
    end = start + len(text)
    inside = [token for token in tokens if token.start >= start and token.end <= end]
    return inside if sum(len(token.text) for token in inside) == len(text) else []


def _nouns(text: str, tokens: list[Token]) -> Iterator[Thing]:
    """Runs of thing or place words of a short utterance."""
    if len(text) > NOUN_UTTERANCE_CHARS_MAX:
        return
    run: list[Token] = []
    for token in [*tokens, Token("", OTHER, len(text))]:
        if token.kind in (THING, PLACE):
            run.append(token)
            continue
        if run and (noun := _noun(text, run)):
            yield noun
        run = []


def _noun(text: str, run: list[Token]) -> Thing | None:
    name = text[run[0].start : run[-1].end]
    if len(name) > _NAME_CHARS_MAX or not _nameable(name, whole=len(run) == 1) or run[-1].text in _SAY_LITTLE:
        return None
    before = text[: run[0].start]
    verb = _PLACE_VERB if run[-1].kind == PLACE else _NOUN_VERB
    prominent = "^" if not before else "v" if verb.search(before) else ""
    return Thing(name, Source.NOUN, run[-1].kind, run[0].start, prominent)
