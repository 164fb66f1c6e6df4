"""Chinese facts: clauses, whose they are, and when nothing may be believed.

The rules themselves stand in `health` and `life`. Precision comes first: a clause that
asks, supposes, fears, advises or repeats hearsay yields nothing, whatever it names.
"""

import re
from typing import Final, NamedTuple

from memory.extraction.facts.frame import (
    OTHER,
    PRONOUN,
    UNNAMED,
    USER,
    Fact,
    Finding,
    Mention,
    carry_on,
    subject_at,
)
from memory.extraction.facts.patterns import listed
from memory.extraction.facts.zh.health import health_findings
from memory.extraction.facts.zh.life import life_findings
from memory.extraction.facts.zh.people import introduced_names, named, opens_with_a_noun
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, NEEDS_MY, RELATIVES
from memory.language.clauses import Clause, cut
from memory.language.conditions import IF_ZH

_BORDER: Final = re.compile(r"[。！!？?\n…～~，,；;（）()“”\"\s]+|(?<!\d)\.+|\.+(?!\d)")
_SENTENCE_END: Final = re.compile(r"[。！!？?\n…～~.]")
# These say nothing about the user unless a subject was named.
_NEED_A_SUBJECT: Final = frozenset({"job", "origin", "family", "plan-will"})
_THE_USERS: Final = frozenset({"family", "pet"})

# Of these a clause that opens with an unknown noun says nothing of the user; illness has too many ways to open.
_OF_A_LIFE: Final = frozenset({"age", "job", "residence", "like", "plan", "habit"})
_KIN: Final = frozenset({*RELATIVES.values(), *CLOSE_RELATIVES.values()})

_LEFT_CHARS: Final = 6
_CHILD: Final = "孩子"
_YEARS: Final = re.compile(r"(\d+|[二三四五六七八九]十[一二三四五六七八九]?)(?:周岁|岁)")
_GROWN_UP_YEARS: Final = 19

_ROLE: Final = "|".join(RELATIVES)
_CLOSE_ROLE: Final = "|".join(CLOSE_RELATIVES)
_OUTSIDER: Final = (
    r"同事|朋友(?!圈)|同学|邻居|室友|舍友|闺蜜|网友|亲戚|领导|客户|房东|别人|有的人|有人|"
    r"有些人|很多人|大家|人家|对方|"
    r"患者(?!$)|病人(?!$)|家里人|家人|哥们|亲属|长辈|祖上|祖辈|全家人?|一家人|(?:家里|家中|亲戚里|家族里)?(?:没有?|无)人|家族(?!性)(?:里|中)?(?:有人|人)?|几代人|"
    r"女主角?|男主角?|主角|主人公|反派|[大小](?:姑|姨|叔|舅)子|前[妻夫任]|"
    r"[他她]们|[小老](?:[王李张刘陈杨赵黄周吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕苏蒋蔡贾丁魏薛叶潘杜钟姜]|"
    r"[明红刚强芳丽华军])|它"
)
# 孩子爸爸, 我老公妈妈: whose parents they are makes them nobody whose facts are kept.
_OF_WHOM: Final = r"孩子|宝宝|娃|老公|老婆|媳妇|爱人|丈夫|妻子|[男女]朋友|[男女]友|对象"
_WHOSE: Final = (
    r"爸爸?|妈妈?|爹|娘|父亲|母亲|父母|爸妈|爷爷|奶奶|外婆|外公|姥姥|姥爷|"
    r"姑姑|姑妈|舅舅|舅妈|叔叔|阿姨|姨妈?|伯伯|哥哥?|姐姐?|弟弟?|妹妹?"
)
_FIRST_CHARS: Final = "".join(sorted({word[0] for word in (*RELATIVES, *CLOSE_RELATIVES)}))
_MENTION: Final = re.compile(
    rf"(?=[{_FIRST_CHARS}我本俺咱你您医大这那某同朋邻室舍闺网亲领客房别有很人对患病哥他她它小老家狗猫宠没无全一长亲祖班教护主校上师保司战几女男主反前])(?:"
    rf"(?P<third>(?:{_OUTSIDER})(?:家的|家|的)?(?:{_ROLE}|{_CLOSE_ROLE})?|[他她你您](?:家的|"
    rf"家|的)?(?:{_ROLE}|{_CLOSE_ROLE})|"
    rf"(?:(?:我家?|咱家?)的?)?(?:{_ROLE}|(?<=我)(?:{_CLOSE_ROLE}))(?:的|他|她|家的?|单位的?)"
    rf"(?:{_ROLE}|同事|朋友|同学|前[妻夫任]|[大小](?:姑|姨|叔|舅)子?|[表堂][哥姐弟妹]|领导|老板|邻居|室友|亲戚|老师|学生|{_CLOSE_ROLE})|"
    r"(?:我家?的?|家里的?|邻居家的?)?(?:狗狗?|猫咪?|宠物|金毛|泰迪)(?=[得患生吃对做查打在被已今现])|"
    rf"(?:班主任|老师|老板|教练|医生|护士|主任|校长|上司|师傅|保姆|司机|战友)(?:家的?|的)(?:{_ROLE}|{_CLOSE_ROLE})|"
    rf"(?:我们?家?的?)?(?:{_OF_WHOM})(?:家|的|[他她])?(?:{_WHOSE}))|"
    rf"(?:我们家|我家|我|咱家?)(?:的|家)?(?:(?:\d+岁的?)?(?P<mine>{_ROLE})|(?P<close>{_CLOSE_ROLE})(?![女童们夫媳丈]))|"
    r"(?P<pronoun>(?<![其排利吉维雷伐])[他她](?![们汀定滨克莫唑]))|"
    rf"(?P<user>我们|我|本人|俺|咱们)|(?P<role>{_ROLE})(?!们)|"
    r"(?P<passing>你们?|您|(?:医生|大夫)(?!说|诊断|查|检查|告诉|给|让|开|怀疑)|这(?=是|种|"
    r"不是|叫)|那(?=是|种|不是)|某))"
)
_MANY: Final = re.compile(
    r"(?:很多|许多|有的|有些|一些|这些|那些|大多|多数|每个|哪些|别的|其他|邻家|谁家|隔壁|对门|楼上|楼下|对面)(?:的)?$"
)

_SURNAMED: Final = re.compile(
    r"[王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕苏蒋蔡贾丁魏薛叶潘杜钟姜]"
)

# 我爸和我妈都有: what two relatives share would be kept of one of them.
_JOINED: Final = re.compile(r"(?:和|跟|与|、|及|还有)?(?:我家?的?)?")
# 对青霉素过敏的是我妈: who has it stands behind.
_CLEFT: Final = re.compile(r"的(?:人|那个)?(?:[就只]|其实|应该)?是(?=(?P<who>.+))")
_THEMSELF: Final = re.compile(r"我(?:自己|本人)?(?:$|[呀啊哦])")

# Somebody the user does something for; the talk stays with the user.
_CARED_FOR: Final = re.compile(r"[养给带陪抱喂奶生跟和]$|照顾$")

_ASKS: Final = listed(
    r"[吗吧嘛]$|(?<![那这多怎什要])么$|呢$|是不是|会不会|能不能|可不可以|有没有|要不要|需不需要|"
    r"算不算|对不对|是否|可否|能否|有无|"
    r"(?<!不)(?<!没)怎么|怎样|咋|如何|(?<!没)(?<!没有)什么|(?<!没)(?<!没有)啥|多少|多久|多大|"
    r"多长|哪(?!怕)|为何|谁|请问|请教|"
    r"想问|想知道|几[片粒次]"
)
# What follows these is not said to be so; a condition holds to the end of the sentence.
_CONDITIONS: Final = rf"如果|(?<!不){IF_ZH}|假如|假设|万一|倘若|一旦|即使|假使|除非|若(?!干)|的话"
_CONDITION: Final = listed(_CONDITIONS)
_SUPPOSES: Final = listed(
    _CONDITIONS + r"|比如|例如|听说|据说|听人说|听别人|网上[说查看]|有人说|书上说|新闻|报道|"
    r"怀疑|担心|害怕|(?<![恐可])怕(?![冷热黑])|不知道|不确定|不清楚|不晓得|排除|预防|避免|防止|以为|希望|建议|推荐|"
    r"(?:不|没|没有|从不|从未)(?:认为|相信|觉得|承认|同意)|不代表|不等于|不见得|"
    r"帮我|给我讲|告诉我|梦[见到]|小说|[影视剧]里|玩笑|(?<!不)[小当]心(?!脏|肌|率|[慌悸])|千万|可能|"
    r"也许|或许|疑似|好像|似乎|感觉|觉得|像是|估计|应该|"
    r"大概是|差点|容易|会不|说不定|想象|假装"
)
# These go on until somebody is named anew.
_HEARSAY: Final = listed(
    r"听说|据说|听人说|听别人|网上[说查看]|有人说|书上说|新闻|报道|怀疑|担心|害怕|梦[见到]|小说|[影视剧]里|想象|比如|例如"
)
# What is said of a kind, not of a person.
_GENERAL: Final = listed(
    r"人群|的人(?!$)|的孕妇|一般(?:来说|情况|人)|通常|往往|是一种|是指|属于|常见|导致|影响(?!了)|引起|"
    r"引发|造成|诱发|诊断标准|发病率|"
    r"的(?:原因|症状|治疗|区别|患者|病人|方法|知识|办法)|有关|治好了的|[有得]\S{1,8}的人$"
)
_ALTERNATIVE: Final = re.compile(r"^(?:还是|抑或)")
_FORM_NO: Final = re.compile(r"[-－—]|阴性?|无|否|没有")
_FORM_YES: Final = re.compile(r"[+＋]|阳性|有|是")
_FORM_LABEL: Final = re.compile(r"过敏(?:史|反应|情况)?[：:]$")
_CORRECTS: Final = re.compile(r"^(?:而是|是|其实是|我是|应该是)")


class _Reader(NamedTuple):
    """Under which name the user speaks, who is known by name, and what was found so far."""

    user_name: str
    known: frozenset[str]
    facts: list[Fact]


def zh_facts(text: str, user_name: str, known: frozenset[str] = frozenset()) -> list[Fact]:
    """Facts of a text with Chinese characters, in the order of the text; `known` are names of people."""
    reader = _Reader(user_name, (known | introduced_names([text])) - {user_name}, [])
    carried = UNNAMED
    sentence: list[Clause] = []
    for clause in cut(_BORDER, text):
        sentence.append(clause)
        if _SENTENCE_END.search(clause.closing):
            carried = _read(sentence, carried, reader)
            sentence = []
    if sentence:
        _read(sentence, carried, reader)
    return reader.facts


def _read(sentence: list[Clause], carried: str, reader: _Reader) -> str:
    supposed = conditional = False
    before: list[Finding] = []
    asked = sentence[-1].asked and any(_ALTERNATIVE.match(clause.text) for clause in sentence)
    for index, clause in enumerate(sentence):
        mentions = _mentions(clause.text)
        conditional = conditional or _CONDITION.search(clause.text) is not None
        # What is feared or heard goes on until somebody is named anew.
        supposed = conditional or (supposed and not mentions)
        found: list[Finding] = []
        if not (asked or supposed or clause.asked):
            following = sentence[index + 1].text if index + 1 < len(sentence) else ""
            found = _believed(clause.text, before, corrected=_CORRECTS.match(following) is not None)
            found = _answered(_without_cleft(clause.text, found), clause, following)
        mentions = _without_own_name(sorted([*mentions, *_named(clause.text, reader)]), found)
        _keep(found, mentions, carried, clause.text, reader)
        supposed = supposed or _HEARSAY.search(clause.text) is not None
        before = found
        carried = carry_on(mentions, carried)
    return carried


def _without_cleft(clause: str, found: list[Finding]) -> list[Finding]:
    """Findings without those of which a clause says only behind them that they are somebody else's."""
    cleft = _CLEFT.search(clause) if found else None
    if not cleft or _THEMSELF.match(cleft["who"]) or not _MENTION.match(cleft["who"]):
        return found
    return [finding for finding in found if finding.at > cleft.start()]


def _answered(found: list[Finding], clause: Clause, following: str) -> list[Finding]:
    """What an item of a form says: behind its label or in brackets stands whether it holds."""
    label = clause.text.endswith(("：", ":")) or clause.closing[-1:] in ("（", "(")
    if label and _FORM_NO.fullmatch(following):
        return [finding._replace(polarity="-") for finding in found]
    unanswered = _FORM_LABEL.search(clause.text) and "对" not in clause.text and not _FORM_YES.match(following)
    return [finding for finding in found if finding.predicate != "allergy"] if unanswered else found


def _without_own_name(mentions: list[Mention], found: list[Finding]) -> list[Mention]:
    """Mentions without the name that the user goes by: 我叫小朱 speaks of nobody else."""
    naming = next((finding for finding in found if finding.predicate == "name"), None)
    return [mention for mention in mentions if naming is None or mention.at < naming.at]


def _believed(clause: str, before: list[Finding], *, corrected: bool) -> list[Finding]:
    """What a clause states, without what it only asks, supposes or says of a kind."""
    found = _findings(clause, before, corrected=corrected)
    # Most clauses hold nothing, so the guards come second.
    if not found or _ASKS.search(clause) or _GENERAL.search(clause):
        return []
    supposing = _SUPPOSES.search(clause)
    return [finding for finding in found if finding.at <= supposing.start()] if supposing else found


def _findings(clause: str, before: list[Finding], *, corrected: bool) -> list[Finding]:
    found = health_findings(clause, before) + life_findings(clause, before)
    if corrected:
        denied = clause.find("不是")
        found = [finding for finding in found if denied < 0 or finding.at < denied]
    return found


def _keep(found: list[Finding], mentions: list[Mention], carried: str, clause: str, reader: _Reader) -> None:
    unnamed = all(mention.subject == USER for mention in mentions)
    unknown = bool(found) and unnamed and opens_with_a_noun(clause)
    for finding in found:
        subject = subject_at(mentions, finding.at, carried)
        if subject == OTHER or (subject == UNNAMED and finding.rule in _NEED_A_SUBJECT):
            continue
        if unknown and subject in (USER, UNNAMED) and finding.predicate in _OF_A_LIFE:
            continue
        if (finding.predicate in _THE_USERS and subject in _KIN) or (subject == _CHILD and _is_grown_up(finding)):
            subject = USER
        quote = clause
        if finding.rule == "pet-named" and reader.facts and reader.facts[-1].predicate == "pet":
            quote = reader.facts.pop().quote
        # A name may stick to what follows it: 灿灿感冒了.
        what = finding.object.removeprefix(subject) or finding.object
        reader.facts.append(
            Fact(subject or USER, finding.predicate, what, finding.polarity, quote, f"zh-{finding.rule}")
        )


def _is_grown_up(finding: Finding) -> bool:
    """Whether an age is no child's: then the user's own, who spoke of a child before."""
    years = _YEARS.match(finding.object) if finding.predicate == "age" else None
    return years is not None and (not years[1].isdigit() or int(years[1]) >= _GROWN_UP_YEARS) and len(years[1]) > 1


def _mentions(clause: str) -> list[Mention]:
    mentions: list[Mention] = []
    end = -1
    for found in _MENTION.finditer(clause):
        mention = _mention_of(found, clause)
        kin = mention is None or mention.subject in _KIN
        if kin and mentions and mentions[-1].subject in _KIN and _JOINED.fullmatch(clause, end, found.start()):
            mentions.append(Mention(found.start(), OTHER))
        elif mention:
            mentions.append(mention)
        end = found.end()
    return mentions


def _mention_of(found: re.Match[str], clause: str) -> Mention | None:
    at = found.start()
    kind = found.lastgroup or ""
    word = found[kind]
    if kind == "role":
        return _role(word, at, clause[max(0, at - _LEFT_CHARS) : at])
    if kind in ("mine", "close"):
        return Mention(at, RELATIVES.get(word) or CLOSE_RELATIVES[word])
    return Mention(at, _WHO.get(kind, OTHER), passing=kind == "passing")


def _named(clause: str, reader: _Reader) -> list[Mention]:
    """Mentions by name; the user's own name is the user's."""
    mentions = named(clause, reader.known)
    if not reader.user_name:
        return mentions
    mentions = [mention for mention in mentions if mention.subject != reader.user_name]
    at = clause.find(reader.user_name)
    return [*mentions, Mention(at, USER)] if at >= 0 and "叫" not in clause[:at] else mentions


_WHO: Final = {"user": USER, "pronoun": PRONOUN}


def _role(word: str, at: int, left: str) -> Mention | None:
    """A relative named without "my"."""
    if word in NEEDS_MY:
        return None
    subject = OTHER if _MANY.search(left) or _SURNAMED.fullmatch(left) else RELATIVES[word]
    return Mention(at, subject, passing=_CARED_FOR.search(left) is not None)
