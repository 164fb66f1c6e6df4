"""Chinese facts of a life in one clause: name, family, age, job, home, tastes, plans, pets, habits."""

import re
from typing import Final

from memory.extraction.facts.frame import Finding
from memory.extraction.facts.zh.words import (
    ANIMAL,
    CLOSE_RELATIVES,
    FUTURE,
    JOB,
    NUMBER,
    OTHERS,
    PLACE_OF_ORIGIN,
    RELATIVES,
    SPAN,
)

_ROLE: Final = "|".join((*RELATIVES, *CLOSE_RELATIVES))
_PERSON: Final = r"[\u4e00-\u9fff·]{1,5}?|[A-Za-z][A-Za-z .]{1,20}"
_OBJECT_CHARS_MAX: Final = 18

_NAME: Final = re.compile(
    r"^(?:大家好|你好|您好)?(?:我(?:的)?(?:名字|姓名|全名|大名)?(?:叫做?|是叫)|我的?(?:名字|"
    r"姓名)是|(?:以后|你|您|请|大家|别人|都|也)*(?:可以|就)*[叫喊]我(?=[小老阿]|[A-Za-z])|(?:以后|你)*(?:可以|就)*叫我"
    rf"|(?:患者)?姓名[：:是])(?P<name>{_PERSON})"
    r"(?:吧|就[行好可]以?了?|就可以了?|啊|哦|呀)?$"
)
_NOT_NAMES: Final = re.compile(
    r"^[他她你您了过车人去来吃做不起名到着的它苦]|[了过着]$|什么|外卖|滴滴|起床|医生|救命|怎么|一声|名字|救护|急救|出租|网约"
    r"|快递|跑腿|代驾|护士|大夫|家属|家人|家里人|同事|朋友|同学|室友|邻居|保安|警察|孩子|儿子|女儿|老[公婆伴]"
    r"|^[爸妈爷奶]|一辆|一个|几个|几声|半天|老实|小[心声点]"
)
_FAMILY: Final = re.compile(
    rf"(?:我们?家?|咱家?)(?:的|家)?(?P<role>{_ROLE})(?:的?(?:名字|小名|大名|乳名))?(?:叫做?|"
    rf"名叫|是叫)(?P<name>[\u4e00-\u9fff]{{1,4}}|[A-Za-z]{{2,15}})$"
)
_FAMILY_NAMED: Final = re.compile(
    r"我(?:们?家)?的?(?P<role>[大小]?(?:儿子|女儿|闺女|老公|老婆|弟弟|妹妹|哥哥|姐姐|孙子|"
    r"孙女))(?P<name>(?P<a>[\u4e00-\u9fff])(?P=a)|[小阿][\u4e00-\u9fff])(?:今年|明年|去年|"
    r"已经|现在|快|刚|在|上|喜欢|对|有|，|$)"
)
_HAS_FAMILY: Final = re.compile(
    rf"我(?:们)?(?:家)?(?:还)?有(?:一|1)?(?P<count>{NUMBER}(?=[个位]))?[个位]?(?P<what>双胞胎(?:儿子|"
    rf"女儿)?|儿子|女儿|孩子|哥哥|姐姐|弟弟|妹妹|孙子|孙女)(?:了|和一个\S{{2}})?$"
)

_AGE_NUMBER: Final = r"(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})"
_AGE: Final = re.compile(
    rf"(?P<age>{_AGE_NUMBER}(?:周岁|岁)(?:半|零?{_AGE_NUMBER}个?月)?)(?!以[上下前内]|左右|"
    r"之前|时|那|的?时候|就|开始|前|后|到|之|起|至|[-~—]|才|得|生日|患|做|来|从)"
)
_BOTH: Final = re.compile(r"^(?:我|本人|患者)?[，, ]?(?P<age>[1-9]\d)(?P<sex>男|女)(?:性|士|生)?$")
_AGE_LEFT_CHARS: Final = 12
_AGE_LEFT: Final = re.compile(
    rf"(?:^|今年|现在|目前|已经|都|刚|才|快|年龄[：:是]?|[男女](?:性|孩|宝)?|(?:{_ROLE}|我|"
    r"本人)(?:才|刚|都|快|也|已经|是)*|是(?:一[个名位])?|有|满|[，、：:])$"
)
_BABY_AGE: Final = re.compile(
    rf"(?:孩子|宝宝|儿子|女儿|闺女|娃)(?:现在|才|刚|快|已经|今年|有|都|出生)*(?P<age>{NUMBER}个?半?月|"
    rf"出生{NUMBER}天)(?:大|零\S{{1,4}})?了?$"
)
_AGED_CHILD: Final = re.compile(
    rf"(?P<age>{_AGE_NUMBER}(?:岁(?:零?{_AGE_NUMBER}个?月)?|个月)(?:半|大)?)的?(?P<who>孩子|"
    r"儿子|女儿|宝宝)"
)
_SEX: Final = re.compile(
    rf"^(?:你好|您好|医生)?(?:我|本人|(?:我家?的?)?(?:{_ROLE}))?(?:今年|现在)?(?:是|性别[：:是]?)?(?:一[个名位])"
    rf"?(?:的)?(?:{_AGE_NUMBER}(?:周岁|岁)的?)?(?:已婚|未婚|成年)?的?(?P<sex>[男女])"
    rf"(?:性(?!朋)|生|士|孩子?|的|宝宝|人)?(?:患者|病人)?(?:{_AGE_NUMBER}(?:周岁|岁))?$"
)

_JOB: Final = re.compile(
    rf"(?:^|我|本人|[{''.join(CLOSE_RELATIVES)}公婆子人夫妻友])(?:现在|目前|其实|以前|就|也|"
    rf"都)?是(?:一|1)?[名个位]?(?P<lead>[\u4e00-\u9fff]{{0,6}}?)(?P<job>{JOB})(?:啊|呀|哦|"
    r"的)?$"
)
_PROFESSION: Final = re.compile(
    r"(?:职业|工作)(?:就)?是(?:做|一[名个位])?(?P<job>[\u4e00-\u9fff]{2,8}?)(?:的)?$|从事(?P<trade>[\u4e00-\u9fff]{2,8}?"
    r")(?:的)?(?:工作|行业|方面的工作)"
)
_WORKPLACE: Final = re.compile(
    r"(?<![正现存实])在(?P<place>(?!家|外|这|那|哪|一起|忙)[\u4e00-\u9fffA-Za-z]{2,12}?)(?:上班|"
    r"工作(?!压|强|忙|的|时)|任职|任教|教书|实习)(?:了|的)?(?:\S{0,6})$|在(?P<at>[\u4e00-\u9fffA-Za-z]{2,8}?"
    r")(?:当|做)(?:一?[名个])?(?P<as>" + JOB + r")(?:的)?$"
)
_ORGANISATION: Final = re.compile(
    r"(?:银行|医院|学校|大学|中学|小学|高中|幼儿园|厂|店|超市|餐厅|饭馆|酒店|局|学院|研究院|"
    r"法院|检察院|研究所|事务所|派出所|政府|机关|企业|"
    r"工地|机场|车站|互联网|外企|国企|央企|集团|科技公司|网络公司|贸易公司|保险公司|建筑公司|"
    r"咨询公司|中心|出版社|报社|图书馆|博物馆|"
    r"腾讯|阿里|华为|字节|百度|美团|京东|小米|部队|工厂|药房|诊所|社区|电视台)$|^(?:北京|上海|广州|深圳|杭州|成都)$"
)
_ONE_OF: Final = re.compile(r"^(?:一[家所个间]|某[家所个])")
_JOB_GENERIC: Final = re.compile(
    r"^(?:人员|成员|会员|老师的|队员|党员|病员|单身|我的|最|这|那|好|坏)|人员$|成员$|团员$"
)

_HOME: Final = re.compile(
    r"(?:住在|定居在|定居|搬到了?|搬去了?|搬来了?|搬进了?|老家在|老家是|(?<![在回大国专])家在|"
    r"家住在?|现居|现住|常住|来自|(?<=[我们])住)(?P<place>[\u4e00-\u9fffA-Za-z0-9]{2,16}?)(?:了|"
    r"的|住|来|生活|那边|这边|已经.*|" + SPAN + r".*|好几年.*)*$"
)
_NOT_HOME: Final = re.compile(
    r"^(?:院|校$|一些|酒店|民宿|一起|这|那|哪|隔壁|楼|宿舍$|我|你|他|她|了|过|不|外面|里面|一个|新家|新房|"
    r"的|家里|急诊|同|得|着|心|在)"
)
_PAST: Final = re.compile(r"以前|之前|曾|计划|旅行|考虑|失去|小时候|从前|当时|那时|大学时|想|要|打算|准备|没|不|如")
_OTHERS_SAY: Final = re.compile(
    rf"{OTHERS}[^我，。]{{0,6}}(?:说|以为|觉得|记成|当)(?:我|咱)$|[喊叫劝催逼求约邀](?:我|咱)"
)
"""Somebody else has it so, or wants it."""
_ORIGIN: Final = re.compile(
    rf"(?:^|我|本人|公|婆|爸|妈)(?:们|家)?(?:也|都|就)?是(?:土生土长的?|地道的?)?(?P<place>{PLACE_OF_ORIGIN})"
    r"(?:本地|本土|当地)?人$"
)

_DEGREE: Final = (
    r"(?:很|最|特别|非常|超级?|比较|真的?|一直|都|也|还|蛮|挺|尤其|平时|从小|就|更|十分|确实|"
    r"其实|有点|更加|现在|都很)*"
)
_LIKE: Final = re.compile(
    rf"(?P<no>不太|不是很|不怎么|不大|从来不|一点也不|并不|不|没那么)?{_DEGREE}"
    r"(?:喜欢|喜爱|热爱|酷爱|偏爱|痴迷|着迷于|钟爱|最爱|(?<![恋可关热相疼做亲友敬])爱(?=吃|"
    r"喝|看|玩|听|打(?![喷嗝呼鼾瞌])|睡|运|唱|画|逛|穿|养|读|写|跳|跑|爬|钓|旅|做))(?:上了?|"
    r"的[\u4e00-\u9fff]{1,6}?是)?"
    r"(?P<what>.{1,24})$"
)
_HATE: Final = re.compile(r"(?:(?<!不)讨厌|厌恶|受不了|反感)(?P<what>.{1,20})$")
_HOBBY: Final = re.compile(r"(?:爱好|兴趣|特长)(?:就|主要)?(?:是|有|：|:)(?P<what>.{1,24})$")
_NOT_LIKED: Final = re.compile(
    r"^(?:[你您这那他她它的了过上谁说就得着和]|我(?!的|们|家)|一个人$|什么|不)|[吗呢?？]|感冒|生病|出汗|上火"
)
_WHICH_IS: Final = re.compile(r"^[\u4e00-\u9fff]{1,2}的就?是")
_AT_A_PLACE: Final = ("在", "去", "到", "跟", "里面")
_OBJECT_EDGE: Final = re.compile(r"(?:了|啊|呀|呢|哦|的|啦|嘛|之类|等等|等)+$")
_AND: Final = re.compile(r"[、/]|以及|还有|(?<=[\u4e00-\u9fff]{2})和(?!朋|我|他|她|家|同|爸|妈|老|女|男|孩)")

_PLAN_DATED: Final = re.compile(
    rf"(?P<date>(?:{FUTURE})(?:上午|下午|早上|晚上|中午|[一二三四五六七八九十\d]+点)*)(?:我们?)?(?:就|"
    rf"还|也|都|得|必须)*(?P<verb>要|会|得|准备|打算|计划|决定)(?P<what>(?!是|不|怎|求).{{2,24}})$"
)
_PLAN: Final = re.compile(
    r"(?<![照行的])(?:打算|计划|决定|准备)(?:好)?(?:要)?(?P<what>(?!好|中|工作$|之中|怎|不|"
    r"了|的|是|材料|[^\u4e00-\u9fff]).{2,24})$"
)
_PLAN_DENIED: Final = re.compile(r"(?:不|没有?|未|取消了?|放弃了?)(?:再|是|去|曾)?$")
_EMPTY_PLAN: Final = re.compile(
    r"[：:]|注意|尝试|听从|遵|试试|考虑|按照|听您|听你|看看情况|怎么|什么|再说|再来|咨询|问"
)

_PET: Final = re.compile(
    rf"(?:养(?P<kept>了|着|过)?|家里?(?:还)?有|我有|领养了?|买了)(?:{NUMBER}|好?几|一)?(?:[只条头匹个窝]|"
    rf"对)?(?:[\u4e00-\u9fff]{{0,3}}?的)?(?P<what>{ANIMAL})(?P<rest>.{{0,12}})$"
)
_PET_UNKEPT: Final = re.compile(
    r"(?:不|没有?|未|想|打算|准备|计划|考虑|可以|能|敢|不会|建议|让|适合|禁止|别)(?:再|去|也|在|继续|过)?$"
)
_PET_NAME: Final = re.compile(
    r"^(?:(?:它|名字|她|他|小名)?(?:的名字)?(?:叫做?|名叫|是叫))(?P<name>[\u4e00-\u9fff]{1,4}|[A-Za-z]{2,12})$"
)

_VICE: Final = r"抽烟|吸烟|喝酒|饮酒|嗜酒|酗酒|熬夜|吃素|吃夜宵|打呼噜|喝咖啡|喝茶|喝奶茶|午睡|吃早餐|吃早饭|吃辣"
_SPORT: Final = (
    r"跑步|晨跑|夜跑|游泳|健身|锻炼|运动|散步|打太极|打羽毛球|打篮球|打乒乓球|打坐|冥想|瑜伽|"
    r"做瑜伽|练瑜伽|爬山|骑车|骑行|跳绳|跳舞|跳广场舞|写日记|看书|读书|背单词|泡脚|早起|喝牛奶|"
    r"练琴|练字"
)
_LOOSE: Final = re.compile(
    r"(?P<verb>[抽吸喝饮])(?:点儿?|过|了|着|些|一?点|一包|两包|小|白|啤|红|很多|大量)*(?P<noun>烟|酒)"
)
_HABIT: Final = re.compile(_VICE)
_AFTER_CHARS: Final = 10
_HABIT_SPORT: Final = re.compile(
    r"(?:每[天日周晚早]|天天|经常|常年|坚持|习惯|平时都?|一直|总是|周末都?|常常?|每个?星期|"
    rf"每隔.天)(?:[早晚中]上|早晨|都|会|要|去|睡前|饭后|下班后?|下午|傍晚|{NUMBER}[次点]|起床后?|"
    rf"出去|在家|坚持)*(?P<what>{_SPORT})"
)
_HABIT_SAID: Final = re.compile(
    r"(?P<no>没)?有(?:一个|个)?(?P<what>[\u4e00-\u9fff]{2,8}?)的习惯(?!性)(?:$|了)|(?:^|我|"
    r"都|也|已经|从小就?|一直|还是)习惯(?:了|于)?(?P<used>[\u4e00-\u9fff]{2,14})$"
)
_HABIT_OFTEN: Final = re.compile(
    r"不|从不|从来不|每[天日晚周]|天天|经常|偶尔|有时|平时|一直|常年|长期|总是|老是|会|常|"
    rf"我$|我都?$|{SPAN}|晚上|最近"
)
_HABIT_NOT: Final = re.compile(r"(?:不|从不|从来不|从没有?|不怎么|滴)(?:会|怎么)?$")
_NEITHER: Final = re.compile(
    r"(?:能|可以|别|少|要|应该|该|最好|尽量|避免|想|控制|禁止|是否|戒|因为|由于|没有?|劝|"
    r"期间|注意|忌|后|如|会|怕|过度|喜欢|爱|一|跟|和|减少)(?:我|再|去|多|不|都|经常|老)*$"
)
_WISHED: Final = re.compile(r"(?<!听)[让叫劝催逼求要](?:我|咱)(?:赶紧|赶快|快|一定|必须|把)*$")
"""Somebody else wants it."""
_QUIT: Final = re.compile(r"戒(?:掉)?了?(?P<what>烟|酒)(?:了|已经|很久|" + SPAN + r")")


def life_findings(clause: str, before: list[Finding]) -> list[Finding]:
    """What a clause says of who the user is and how the user lives; `before` is what the clause before it said."""
    found: list[Finding] = []
    chars = frozenset(clause)
    for hints, rule in _RULES:
        if not hints.isdisjoint(chars):
            found += rule(clause)
    if not _PET_HINTS.isdisjoint(chars):
        found += _pets(clause, before)
    return found


def _persons(clause: str) -> list[Finding]:
    named = _NAME.match(clause)
    if named and not _NOT_NAMES.search(named["name"]):
        return [Finding("name", named["name"], "+", named.start("name"), "name")]
    family = (_FAMILY.search(clause) if "叫" in clause else None) or _FAMILY_NAMED.search(clause)
    if family and not _NOT_NAMES.search(family["name"]):
        role = RELATIVES.get(family["role"]) or CLOSE_RELATIVES.get(family["role"], family["role"])
        return [Finding("family", role + family["name"], "+", family.start() + 1, "family")]
    has = _HAS_FAMILY.search(clause)
    if has:
        count = f"{has['count']}个" if has["count"] else ""
        return [Finding("family", count + has["what"], "+", has.start() + 1, "family")]
    return []


def _ages(clause: str) -> list[Finding]:
    child = _AGED_CHILD.search(clause) if "岁" in clause or "月" in clause else None
    if child:
        return [Finding("age", child["age"], "+", child.end(), "age-child")]
    baby = _BABY_AGE.search(clause)
    if baby:
        return [Finding("age", baby["age"], "+", baby.start("age"), "age-baby")]
    age = _AGE.search(clause) if "岁" in clause else None
    if age and _AGE_LEFT.search(clause[: age.start()][-_AGE_LEFT_CHARS:]):
        return [Finding("age", age["age"], "+", age.start() + 1, "age")]
    return []


def _age_and_sex(clause: str) -> list[Finding]:
    """我30女, 30男: as people begin to write to a doctor."""
    found = _BOTH.match(clause)
    if not found:
        return []
    return [
        Finding("age", f"{found['age']}岁", "+", found.start("age"), "age-sex"),
        Finding("sex", found["sex"], "+", found.start("sex") + 1, "age-sex"),
    ]


def _sex(clause: str) -> list[Finding]:
    sex = _SEX.match(clause)
    return [Finding("sex", sex["sex"], "+", sex.start("sex") + 1, "sex")] if sex else []


def _work(clause: str) -> list[Finding]:
    found: list[Finding] = []
    job = _JOB.search(clause)
    if job and not _JOB_GENERIC.search(job["lead"] + job["job"]):
        found.append(Finding("job", job["lead"] + job["job"], "+", job.start("job"), "job"))
    trade = _PROFESSION.search(clause)
    if trade:
        found.append(Finding("job", trade["job"] or trade["trade"], "+", trade.start() + 1, "job"))
    place = _WORKPLACE.search(clause)
    if place and (place["as"] or _ORGANISATION.search(place["place"])) and not _PAST.search(clause[: place.start()]):
        found.append(Finding("job", _ONE_OF.sub("", place["as"] or place["place"]), "+", place.start() + 1, "job"))
    return found


def _home(clause: str) -> list[Finding]:
    found: list[Finding] = []
    home = _HOME.search(clause)
    before = clause[: home.start()] if home else ""
    if home and not (_NOT_HOME.search(home["place"]) or _PAST.search(before) or _OTHERS_SAY.search(before)):
        found.append(Finding("residence", home["place"], "+", home.start("place"), "residence"))
    origin = _ORIGIN.search(clause)
    if origin:
        found.append(Finding("residence", origin["place"], "+", origin.start("place"), "origin"))
    return found


def _tastes(clause: str) -> list[Finding]:
    for pattern, polarity in ((_HATE, "-"), (_LIKE, "+"), (_HOBBY, "+")):
        found = pattern.search(clause)
        if not found:
            continue
        denied = polarity == "-" or (pattern is _LIKE and found["no"])
        what = _WHICH_IS.sub("", found["what"])
        parts = [what] if what.startswith(_AT_A_PLACE) else _AND.split(what)
        items = (_OBJECT_EDGE.sub("", item) for item in parts)
        kept = [item for item in items if item and len(item) <= _OBJECT_CHARS_MAX]
        if _NOT_LIKED.search(found["what"]):
            return []
        return [Finding("like", item, "-" if denied else "+", found.start() + 1, "like") for item in kept]
    return []


def _plans(clause: str) -> list[Finding]:
    dated = _PLAN_DATED.search(clause)
    plan = dated or _PLAN.search(clause)
    if not plan or _PLAN_DENIED.search(clause[: plan.start()]) or _EMPTY_PLAN.search(plan["what"]):
        return []
    what = (dated["date"] if dated else "") + _OBJECT_EDGE.sub("", plan["what"])
    # "会" may foretell anything; it is a plan only of somebody named.
    rule = "plan-will" if dated and dated["verb"] == "会" else "plan"
    return [Finding("plan", what, "+", plan.start() + 1, rule)]


def _pets(clause: str, before: list[Finding]) -> list[Finding]:
    pet = _PET.search(clause)
    if pet and pet["kept"] != "过" and not _PET_UNKEPT.search(clause[: pet.start()]):
        called = _PET_NAME.match(pet["rest"])
        if pet["rest"] and not called and pet["rest"][0] not in "了的和、，":
            return []
        return [Finding("pet", pet["what"] + (called["name"] if called else ""), "+", pet.start() + 1, "pet")]
    named = _PET_NAME.match(clause) if before and before[-1].predicate == "pet" else None
    if named:
        return [Finding("pet", before[-1].object + named["name"], "+", 1, "pet-named")]
    return []


def _habits(clause: str) -> list[Finding]:
    quit_ = _QUIT.search(clause)
    if quit_ and not _WISHED.search(clause[: quit_.start()]):
        return [Finding("habit", "抽烟" if quit_["what"] == "烟" else "喝酒", "-", quit_.start() + 1, "quit")]
    said = _HABIT_SAID.search(clause)
    if said and not _NEITHER.search(clause[: said.start()]):
        return _said_habit(said)
    sport = _HABIT_SPORT.search(clause)
    if sport and not _NEITHER.search(clause[: sport.start()]):
        return [Finding("habit", sport["what"], "+", sport.start() + 1, "habit")]
    return _vices(_LOOSE.sub(lambda match: "抽烟" if match["noun"] == "烟" else "喝酒", clause))


def _vices(clause: str) -> list[Finding]:
    found: list[Finding] = []
    end = 0
    for match in _HABIT.finditer(clause):
        left, after = clause[end : match.start()], clause[match.end() :][:_AFTER_CHARS]
        end = match.end()
        if _NEITHER.search(left) or not _HABIT_OFTEN.search(left + after):
            continue
        polarity = "-" if _HABIT_NOT.search(left) else "+"
        found.append(Finding("habit", match.group(), polarity, match.start() + 1, "habit"))
    return found


def _said_habit(said: re.Match[str]) -> list[Finding]:
    what = said["what"] or said["used"]
    if what.startswith(("好", "坏", "不良", "这", "那", "饮食", "生活", "个人", "这样", "健康", "良好", "性", "就")):
        return []
    return [Finding("habit", what, "-" if said["no"] else "+", said.start() + 1, "habit-said")]


_PET_HINTS: Final = frozenset("养有买叫")
# A rule runs where one of its characters stands.
_RULES: Final = (
    (frozenset("叫名有女儿哥弟姐妹"), _persons),
    (frozenset("岁月天"), _ages),
    (frozenset("男女"), _age_and_sex),
    (frozenset("男女"), _sex),
    (frozenset("是业工在从"), _work),
    (frozenset("住居家搬自人"), _home),
    (frozenset("喜爱欢好趣厌受感迷钟特"), _tastes),
    (frozenset("要会得准打计决"), _plans),
    (frozenset("烟酒夜素惯跑泳健锻运步太打坐冥瑜爬骑跳写看读背泡起喝练茶睡早呼辣"), _habits),
)
