"""Whose clause it is, where a Chinese clause names somebody who is neither the user nor a relative.

A clause may open with any name or noun ("灿灿今年5岁", "隔壁班的体育老师有哮喘"), and then it says nothing of the user.
Names that were introduced count wherever they stand; any other name only where a subject stands.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.extraction.facts.frame import OTHER, Mention
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES, SPAN
from memory.language.coreference.lists import words
from memory.language.coreference.zh.lexicon import PEOPLE
from memory.language.coreference.zh.people import How, introductions, people
from memory.language.coreference.zh.words import DISEASE, DRUG, NOT_NAMES
from memory.language.tagger import PERSON, THING, default_tagger

_HEAD_CHARS_MAX: Final = 16

_ROLE: Final = "|".join((*RELATIVES, *CLOSE_RELATIVES))
NAMED_RELATIVE: Final = re.compile(
    r"[我咱]们?家?的?[大小]?(?:儿子|女儿|闺女|老公|老婆|弟弟|妹妹|哥哥|姐姐|孙子|孙女)"
    r"(?P<name>(?P<a>[\u4e00-\u9fff])(?P=a)|[小阿][\u4e00-\u9fff])(?=今年|明年|去年|已经|现在|快|刚|在|上|喜欢|对|有|，|$)"
)
_NAMING: Final = re.compile(r"(?:叫做?|名叫|名字是|叫我|姓名[：:是])$")
_OF_THEIRS: Final = re.compile(
    rf"(?:家的?|的)?(?:{_ROLE}|同事|朋友|同学|老师|邻居|室友|男友|女友|老板|医生|狗|猫)|的(?=[\u4e00-\u9fff])"
)
_DOING_FOR: Final = re.compile(r"(?:和|跟|与|同|陪|带|帮|替|问|找|听|向|比|像|被|让|叫|请|见到?|看到?|认识|知道)$")
_SHARED: Final = re.compile(r"(?:都|一起|一块儿?|一同)")
_TOGETHER: Final = re.compile(r"(?:和|跟|与|同)$")

# What may stand before the subject of a clause.
_TIME: Final = (
    r"(?:今|昨|明|前|后)[天晚早日年]|去年|[上下本这]个?(?:周|月|星期|学期)[一二三四五六日天末]?|周[一二三四五六日末]|星期[一二三四五六日天]|刚刚?|刚才|最近|近来|"
    r"近期|这几天|这两天|前几天|前段时间|这段时间|从小|从不|从没|小时候|以前|之前|后来|早上|早晨|上午|中午|下午|傍晚|晚上|半夜|夜里|凌晨|白天|"
    r"每[天周晚早年月日]|平时|平常|平日|天天|一直|经常|常常?|偶尔|有时候?|一般|通常|现在|目前|如今|当时|暑假|寒假|春节|国庆|年轻时|"
    rf"\d{{4}}年|\d{{1,2}}月份?(?:\d{{1,2}}[日号])?|大?前[天年]|{SPAN}(?:前|来|后)?"
)
_LEAD: Final = re.compile(
    rf"(?:你好|您好|大家好|医生|大夫|老师(?=我|你好|您好)|嗯+|哦+|啊|那么?|其实|但是?|可是|不过|然后|所以|因为|由于|和|而且|另外|还有|对了|"
    rf"除此之外|此外|反正|总之|告诉[你您]|跟[你您]说|原来|结果|只是|就是|虽然|尽管|为了|{_TIME})*+"
)
_MODIFIED: Final = re.compile(
    r"[我咱](?:们|家)*(?:隔壁|对门|楼上|楼下|班|公司|单位|学校|村|小区|店|部门|组|院|家)*(?:里|上)?的?"
)
_INSTITUTION: Final = re.compile(r"(?:班|公司|单位|学校|村|小区|店|部门|组|院)$")
_PREDICATE: Final = (
    rf"{_TIME}|现年|已经?|才|快|也|都|还|就|又|从来|很|最|特别|非常|超级?|比较|挺|真|不|没|是|有|患|得[了过]|查出|确诊|诊断|对|"
    r"喜欢|喜爱|爱|讨厌|热爱|酷爱|受不了|住|定居|搬|来自|家[在住]|老家|在|吃|服|喝|用|打|做|动|接受|要|会|打算|准备|计划|决定|养|抽|怀|习惯|戒|叫|"
    r"切|割|停|高血压|糖尿病|感冒|发烧|咳嗽|住院|过敏|失眠|骨折|高烧|[一二三四五六七八九十]+岁|\d|的?(?:爱好|职业|工作|兴趣)|从事|坚持|总|老是|有点"
)
_HEAD: Final = re.compile(rf"(?P<head>[\u4e00-\u9fff·A-Za-z]{{1,12}}?)(?={_PREDICATE})")
_PREDICATE_AT: Final = re.compile(_PREDICATE)
_TWICE: Final = re.compile(r"(?P<a>[\u4e00-\u9fff])(?P=a)")
_NOT_TWICE: Final = words(
    """
    渐渐 慢慢 仅仅 往往 稍稍 人人 个个 样样 痘痘 奶奶 太太 公公 婆婆 天天 常常 刚刚 偏偏 恰恰
    明明 多多 早早 好好 默默 悄悄 爸爸 妈妈 爷爷 姐姐 哥哥 弟弟 妹妹 叔叔 舅舅 姑姑 伯伯 姥姥
    宝宝 娃娃 狗狗 猫猫 谢谢 哈哈 嘿嘿 呵呵 嗯嗯 常年 足足 整整 轻轻 微微 久久 隐隐 阵阵 时时
    事事 处处 次次 年年 月月 日日 夜夜 星星 包包 泡泡 疙瘩 统统 满满 连连 频频 屡屡 单单
    """
)
_HUMAN: Final = re.compile(
    r"(?:[习究学中]生|徒弟|发小|死党|同门|上司|下属|[哥姐]们儿?|老师|教师|教授|教练|学生|学霸|老板|经理|主管|总监|主任|院长|校长|班长|组长|队长|局长|老乡|老总|总裁|秘书|助理|师傅|师父|师兄|师姐|师弟|师妹|学长|学姐|学弟|学妹|"
    r"同桌|班主任|房客|租客|顾客|客人|乘客|司机|保安|保姆|阿姨|大妈|大爷|大叔|大姐|大哥|老太太|老头|老人|老奶奶|老爷爷|女士|小姐|先生|姑娘|小伙子?|男孩|女孩|男生|女生|男的|女的|"
    r"女人|男人|人|员|者|师|民|兵|警察|护士|律师|歌手|演员|明星|主播|博主|作家|诗人|皇帝|主角|主人公|角色|球星|偶像|前男友|前女友|前任|网红|粉丝|战友|球友|驴友|病友|"
    r"[一-龥]总|[一-龥][哥姐叔婶嫂爷姨]|侄儿|干妈|干爸|亲家|姨妈|姨夫|姑妈|姑父|舅妈|婶婶|嫂子|姐夫|妹夫|弟媳|小姨子?|小舅子|大姨|大伯|二叔|三叔|小叔|二姨|表叔|表嫂|堂姐|堂妹|曾祖父|祖父|祖母|"
    r"儿媳妇?|女婿|孙媳|[猫狗鸟鱼兔牛马羊猪鸡鸭熊猴虎]|熊猫|仓鼠|乌龟|鹦鹉|兔子|猴子|老虎|狮子|大象|企鹅)$"
)
_NOT_HUMAN: Final = re.compile(r"^人$|(?:本人|个人|主诊医生|一人|成人|两人|几人|别人|让人)$")


_KIN: Final = re.compile(
    r"[姐妹姑舅姨婶嫂叔伯][夫父母妈婆公丈爹子嫂媳]|儿媳妇?|[大二三小][姨姑伯叔舅]|表[叔舅姨嫂]|堂[姐妹兄]|弟[媳妹]|孙媳妇?|(?:前|初恋)[男女]友|前[妻夫任]|[大小][姑姨叔舅]子|[嫂婶妗]子?"
)
_ROLE_FIRST: Final = re.compile(rf"(?:{_ROLE})(?![家的])")
_ROLE_WITHIN: Final = re.compile(_ROLE)
_ADDRESSED: Final = re.compile(r"$|[你您]好")
_DOCTOR: Final = re.compile(r"(?:医生|大夫|医师|主任|专家|医院|护士)$")
_FINDS: Final = re.compile(r"说|诊断|查|检查|告诉|给|让|开|怀疑|确诊|判断|建议")
_REPORTS: Final = re.compile(r"(?:跟我|对我)?(?:说|告诉|建议|让我|给我|问|讲|推荐|介绍)")
_TITLED: Final = re.compile(r"同学|老师|先生|女士|小姐|阿姨|叔叔|师傅|经理")
_SOMEBODY: Final = re.compile(
    r"有(?:一?[个位名]|几[个位])[\u4e00-\u9fff]{0,4}?(?:生|人|孩|子|友|学|事|师|客|亲戚|邻居|老板|网红|明星)(?=对|有|得|患|喜欢|讨厌|住|在|每|今年|吃|养|做|怀|是)"
)
# Nearly only people have a "this year" of their own: 梓涵今年上大班.
_THIS_YEAR: Final = re.compile(r"(?<=[\u4e00-\u9fff]{2})今年")
_GIVEN: Final = re.compile(r"[\u4e00-\u9fff]{2,3}")
_MEDICAL: Final = re.compile(f"{DRUG.pattern}|{DISEASE.pattern}")
_TAKEN_ALONG: Final = re.compile(
    rf"[带陪抱送](?!(?:[我他她它你您]|(?:{_ROLE}))(?:家|的|们)?)[\u4e00-\u9fff]{{2,3}}?(?=去(?:了|看|医|做|检|打)|到医|看病|看了|上医|做检查)"
)


def introduced_names(texts: Sequence[str]) -> frozenset[str]:
    """Names of people whom one of the texts introduces: 我女儿叫灿灿, 灿灿是我女儿, 我女儿灿灿今年."""
    found = {person.text for text in texts for person in introductions(text) if person.sex != "pet"}
    found.update(match["name"] for text in texts for match in NAMED_RELATIVE.finditer(text))
    return frozenset(found)


def named(clause: str, known: frozenset[str]) -> list[Mention]:
    """Mentions of people by name, and of a name or a human noun with which the clause opens."""
    found = [mention for name in known for mention in _occurrences(clause, name)]
    passers = [match for pattern in (_TAKEN_ALONG, _SOMEBODY) if (match := pattern.search(clause))]
    strangers = [match for match in passers if not any(name in match.group() for name in known)]
    found += [Mention(match.end() - 1, OTHER) for match in strangers]
    head = None if found and min(found).at <= _start(clause) else _head(clause)
    return sorted([*found, head] if head else found)


def opens_with_a_noun(clause: str) -> bool:
    """Whether a clause opens with what may be its subject, though nothing is known of it: 性格, 我同门, 我们公司."""
    start = _start(clause)
    modified = _MODIFIED.match(clause, start)
    if not modified:
        return bool(_opening(clause, start)) and "我" not in clause
    head = _opening(clause, modified.end())
    return _is_noun(head) if head else _INSTITUTION.search(modified.group()) is not None


def opens_with_predicate(clause: str) -> bool:
    """Whether a clause goes on with its predicate, so that its subject is that of the clause before."""
    return _PREDICATE_AT.match(clause, _start(clause)) is not None or _start(clause) == len(clause)


def _occurrences(clause: str, name: str) -> list[Mention]:
    found = []
    for match in re.finditer(re.escape(name), clause):
        before, after = clause[: match.start()], match.end()
        shared = _TOGETHER.search(before) and _SHARED.match(clause, after)
        if not shared and not _NAMING.search(before):
            found.append(_owned(clause, match.start(), name, accompanied=_DOING_FOR.search(before) is not None))
    return found


def _owned(clause: str, at: int, name: str, *, accompanied: bool = False) -> Mention:
    """The mention of a name; of nobody where something of theirs follows (灿灿的老师), or somebody takes it along."""
    theirs = _OF_THEIRS.match(clause, at + len(name))
    if theirs:
        return Mention(theirs.end() - 1, OTHER)
    return Mention(at, OTHER if accompanied else name)


def _head(clause: str) -> Mention | None:
    lead = _start(clause)
    modified = _MODIFIED.match(clause, lead)
    start = modified.end() if modified else lead
    head = _opening(clause, start)
    if not head:
        return None
    end = start + len(head)
    if not _KIN.fullmatch(head) and (_ROLE_FIRST.match(head) or _ADDRESSED.match(clause, end)):
        return None
    if _DOCTOR.search(head):
        return None if _FINDS.match(clause, end) else Mention(end - 1, OTHER, passing=True)
    name = _name_at(clause[start : start + _HEAD_CHARS_MAX], head)
    if name:
        return _owned(clause, start, name, accompanied=modified is not None or name in PEOPLE)
    human = (
        _KIN.fullmatch(head)
        or (not modified and _THIS_YEAR.match(clause, end))
        or (_HUMAN.search(head) and not _NOT_HUMAN.search(head))
    )
    at = end - 1 if _ROLE_WITHIN.search(head) else start
    return Mention(at, OTHER, passing=_REPORTS.match(clause, end) is not None) if human else None


def _is_noun(head: str) -> bool:
    """Whether one word of the tagger's things and people is all that stands between "my" and a predicate of a life."""
    tokens = default_tagger().tag(head)
    return len(tokens) == 1 and tokens[0].kind in (THING, PERSON) and head != "个人" and not _MEDICAL.search(head)


def _name_at(text: str, head: str) -> str:
    """The name with which a text begins: doubled (灿灿), or what the tagger takes for a name."""
    if _TWICE.fullmatch(head):
        return "" if head in _NOT_TWICE else head
    if _TWICE.match(head) and _OF_THEIRS.match(text, 2) and head[:2] not in _NOT_TWICE:
        return head[:2]
    tokens = default_tagger().tag(text)
    first = next((person for person in people(text, tokens) if person.start == 0), None)
    if first and first.how is How.ROLE and first.text.partition("的")[2]:
        return first.text.partition("的")[0]
    if first and first.how is How.NAME:
        if len(head) > 1 and first.text.startswith(head):
            return head
        rest = len(first.text)
        alone = head == first.text or _OF_THEIRS.match(text, rest) or _TITLED.fullmatch(head, rest)
        return first.text if alone else ""
    word = tokens[0]
    plain = word.kind == PERSON and word.text == head and _GIVEN.fullmatch(word.text) and not _HUMAN.search(word.text)
    return word.text if plain and word.text not in NOT_NAMES and not _MEDICAL.search(word.text) else ""


def _start(clause: str) -> int:
    lead = _LEAD.match(clause)
    return lead.end() if lead else 0


def _opening(clause: str, start: int) -> str:
    if _PREDICATE_AT.match(clause, start):
        return ""
    head = _HEAD.match(clause, start)
    return head["head"] if head else ""
