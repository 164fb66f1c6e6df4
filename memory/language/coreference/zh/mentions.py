"""The word of a Chinese query that points back, and the words that only look as if they did."""

import re
from typing import Final, Literal, NamedTuple

from memory.language.tagger import OTHER, Tagger

Kind = Literal["person", "people", "thing", "place", "sign"]
Sex = Literal["m", "f", ""]


class Mention(NamedTuple):
    """What is to be replaced. `rule` names the pattern; `field` narrows what a head noun allows (book, song, drug)."""

    start: int
    end: int
    kind: Kind
    rule: str
    sex: Sex = ""
    field: str = ""


POINTING: Final = re.compile(r"[他她它这那]")
"""A query without one of these letters holds no mention."""

_END: Final = r"(?=$|[，。！？；、,.!?;~…\s])"
_PARTICLE: Final = r"(?:[吗嘛呢吧啊呀哦哈么了的啦]|不)"

_HUMAN: Final = (
    r"[个位](?:人|男人|女人|男的|女的|男生|女生|演员|明星|歌手|作家|作者|球员|球星|主播|博主|医生|老师|导演|艺人|偶像|美女|帅哥)"
    r"(?!物|家|类|生|口|才|员|工|民|气|格|性|体|心|情|数|们|了)"
)
# Classifier and head noun, what it may stand for, and what may not follow (个人物, 部电影院).
_PHRASES: Final[tuple[tuple[str, str, Kind, str], ...]] = (
    ("sign", r"个星座", "sign", ""),
    ("book", r"(?:本|部)(?:书|小说|漫画|杂志)(?!包|店|桌|架|城|名|里说|家)", "thing", "book"),
    (
        "film",
        r"部(?:电影|电视剧|片子|剧|动漫|动画片?|美剧|韩剧|日剧|国产剧|番)(?!院|节|票|频道|情|组|本|场)",
        "thing",
        "film",
    ),
    (
        "film",
        r"个(?:电影|电视剧|片子|剧|动漫|动画片?|综艺|节目|美剧|韩剧)(?!院|节|票|频道|情|组|本|场)",
        "thing",
        "film",
    ),
    ("song", r"(?:首|个)(?:歌曲?|曲子)(?!手|词|名|剧|迷|星)", "thing", "song"),
    ("game", r"[个款](?:游戏|手游)(?!机|厅|币|里|中)", "thing", "game"),
    ("app", r"[个款](?:软件|app|APP|App)", "thing", "thing"),
    ("ware", r"[个款](?:产品|手机|牌子|品牌|相机|电脑)(?!壳|店|号|卡|里|上)", "thing", "thing"),
    ("car", r"(?:辆|款|个)车(?!站|票|库|牌|位|间|里|上)", "thing", "thing"),
    ("dish", r"(?:道|个)菜(?!单|市|谱|园|鸟)", "thing", "food"),
    ("drug", r"(?:个|种|款)药(?!店|房|效|物|品|膏|水|量|片|厂)", "thing", "drug"),
    ("illness", r"(?:个|种)(?:疾病|病)(?!人|房|毒|历|例|情|床|因|史|症)", "thing", "disease"),
    ("school", r"[个所](?:学校|大学|高校)(?!生|里)", "place", "school"),
    ("hospital", r"[个家]医院(?!里)", "place", "hospital"),
    (
        "place",
        r"个(?:地方|城市|国家|景点|景区)(?!的人|病|台|队|里)|座(?:城市?|山)(?!里|堡)|家(?:店|餐厅|饭店|公司)(?!里)",
        "place",
        "",
    ),
    (
        "human",
        _HUMAN,
        "person",
        "",
    ),
)
_PHRASE: Final = re.compile("[这那]一?(?:" + "|".join(f"({pattern})" for _, pattern, _, _ in _PHRASES) + ")")

_PERSON: Final = re.compile(
    r"(?<![其排利吉维雷伐耳犹])(?P<word>[他她])(?P<many>们)?"
    r"(?!们|乡|日|国|杀|处|物|者|汀|定|滨|克莫|唑|啶|列|达拉|莫昔|米巴|扎罗|卡西|喷他|伐|"
    r"人(?![家呢在是很好怎不也还去说来])|妈(?!妈)|奶奶的|娘的|喵|大爷的|[一几]?[个]?[一]?把[吧]?$)"
)
# 他 that nobody is: 管他呢, 去他的, 睡他一觉.
_DUMMY: Final = re.compile(r"管他|去他|随他|由他|任他|你我他|他妈(?!妈)|[来睡喝玩吃干整搞赚]上?他个|[睡喝吃]他[一几]")
_IT: Final = re.compile(r"(?<!其)[它牠](?!们)")
_THEM_THINGS: Final = re.compile(r"(?<!其)[它牠]们")

_PLACE: Final = re.compile(
    r"(?<![我你您他她它们咱家的在住人边])(?:这里|那里|这儿|那儿)(?![面边头会])(?!(?<=这里)有|(?<=这儿)有)"
)
_AT_PLACE: Final = re.compile(r"(?<=[在住去到])(?:这里|那里|这儿|那儿)(?=[玩吃买住工上旅的吗生])")
_HERE: Final = re.compile(r"这里|这儿")
_THERE: Final = re.compile(r"那里|那儿")

# The verbs that take 这个 as their object, and what may follow 这个 where it stands for a thing.
_THING_LEFT: Final = (
    r"(?:(?:喜欢|想|爱|能|会|要|可以|敢|不|没|常|经常|天天|也|都|多|少|再|继续|一直|正在|在|你|我)?"
    r"(?:吃|喝|看过?|买|用|玩|听过?|穿|养|戴|抹|擦|涂|服用|服|打过?|学|换|试试|尝尝|尝|喷|画|做|煮|炒|种|卖|送|拿|点)过?着?"
    r"|喜欢|爱|认识|讨厌|推荐|了解)"
)
_THING_RIGHT: Final = (
    rf"{_PARTICLE}{{0,3}}{_END}"
    r"|(?:很|太|真|特别|非常|超|最|挺|也|都|好像|真的|还|一定|那么|多|这么|比较)?"
    r"(?:好吃|好喝|好看|好玩|好听|好用|好闻|甜|辣|酸|苦|咸|贵|便宜|难吃|难看|难听|难喝|难用|耐用|有毒|上瘾)"
    r"|多少钱|几块钱|怎么(?:吃|喝|用|玩|做|卖|养|煮|炒|服用|洗|戴)|怎么样|如何(?:吃|用|服用|做|养)"
    r"|(?:能|可以|可不可以|能不能|会不会|会)(?:吃|喝|用|玩|洗|抹|涂|治|减肥|上火|过敏|长胖|发胖|咬人|掉毛)"
    r"|在哪(?:里|儿)?(?:能|可以)?(?:买|看|玩|下载|吃)|哪里(?:有卖|能买|可以买)|(?:是)?(?:谁|哪个)(?:写|唱|演|拍|画|导演)的"
    r"|有(?:副作用|毒|营养|什么用|什么作用|什么功效|什么副作用)|(?:要|得)?(?:吃|服用|用)(?:几|多)|的(?:味道|口感|价格|作者|主演|做法|副作用|用法)"
)
_CHOICE: Final = re.compile(
    rf"(?P<left>(?:^|[，。！？；,.!?;~…\s]){_THING_LEFT}?|{_THING_LEFT})(?P<word>[这那]个)(?={_THING_RIGHT})"
)
_VERB_TAIL: Final = re.compile(r"(?:过|着)$")

_BARE: Final = re.compile(
    r"(?:^|[，。！？；,.!?;~…\s])(?P<word>[这那])(?=(?:不|就|也|都)?是(?:谁|哪|什么(?:歌|电影|书|剧|时候的|游戏|牌子|类型|软件|梗|东西|鬼)|"
    r"[^，。！？；,.!?;~…\s]{0,8}(?:的歌|的书|的电影|的小说|的剧|写的|唱的|演的|拍的|导演的|画的|歌|电影|游戏|小说|电视剧)))"
)


def find_mention(query: str, tagger: Tagger) -> Mention | str:
    """The one mention of a query that the rules replace, or the reason why there is none."""
    if phrase := _PHRASE.search(query):
        rule, _, kind, field = _PHRASES[(phrase.lastindex or 1) - 1]
        return Mention(phrase.start(), phrase.end(), kind, rule, field=field)
    if person := _PERSON.search(query):
        if _DUMMY.search(query):
            return "idiom"
        kind = "people" if person["many"] else "person"
        return Mention(person.start(), person.end(), kind, kind, "m" if person["word"] == "他" else "f")
    if it := _IT.search(query):
        return Mention(it.start(), it.end(), "thing", "it")
    if _THEM_THINGS.search(query):
        return "plural"
    return _place(query) or _choice(query, tagger) or _bare(query) or "no_pronoun"


def _place(query: str) -> Mention | None:
    found = _PLACE.search(query) or _AT_PLACE.search(query)
    if not found or (_HERE.search(query) and _THERE.search(query)):
        return None
    return Mention(found.start(), found.end(), "place", "place")


def _choice(query: str, tagger: Tagger) -> Mention | None:
    found = _CHOICE.search(query)
    if not found:
        return None
    start, end = found.span("word")
    rest = query[end : end + 6]
    if rest and tagger.tag(rest)[0].kind != OTHER:
        return None
    return Mention(start, end, "thing", "this", field=_verb_field(found["left"]))


def _verb_field(left: str) -> str:
    verb = _VERB_TAIL.sub("", left)[-1:]
    return "food" if verb and verb in "吃喝尝煮炒" else ""


def _bare(query: str) -> Mention | None:
    found = _BARE.search(query)
    return Mention(found.start("word"), found.end("word"), "thing", "bare") if found else None
