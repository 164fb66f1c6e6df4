"""Frames of Chinese for who belongs to a family, who came and who went."""

import re
from typing import Final

from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.extraction.life.grammar import Frame

_NAMES: Final = dict.fromkeys((*RELATIVES, *CLOSE_RELATIVES, "老伴", "老头子", "老太婆", "公公", "婆婆"))
_KIN: Final = "|".join(sorted(_NAMES, key=len, reverse=True))
_SPOUSE: Final = r"(?:老公|老婆|老伴|丈夫|妻子|爱人|先生|太太|媳妇)"
_LATELY: Final = r"(?:已经|刚|也|都|终于|(?:上|这|去|前|今)[^，。没不要想爸妈姐哥弟妹儿女]{1,4}?)*"
_WITH_SPOUSE: Final = rf"(?:我们?(?:(?:和|跟|与){_SPOUSE}|俩|两口子)?{_LATELY})?"
_DIED: Final = (
    r"(?:去世|过世|病逝|离世|离开人世|不在人世|走了(?=[一二两三四五六七八九十几半\d]+[年天周月]|个月)"
    r"|(?:上个?月|昨天|昨晚|前天|上周[一二三四五六日天]?|上(?:个)?(?:礼拜|星期)[一二三四五六日天]?|去年|前年|今早"
    r"|今天|年前"
    r"|年初)(?:走|没)了|走了?(?:以后|之后))"
)
_CHILD: Final = (
    r"(?:(?<=[生产了是]个)[女男]孩|双胞胎(?:儿子|女儿)?|龙凤胎|女儿|儿子|闺女|千金|女宝宝?|男宝宝?|大胖小子)"
)
_BORN: Final = (
    r"(?:生(?:了|下|出|的|是)+|顺产(?:了|的|生的?)*|剖(?:腹产|宫产|的)?(?:了|的|生)*|添了|喜得|^(?:是|就是"
    r"|得了)(?=一?[个对])|斤(?:[一二两三四五六七八九半\d]+两?)?(?:重)?的)"
)

_NEAREST: Final = (
    r"(?:老公|老婆|老伴|丈夫|妻子|媳妇|爱人(?!类)|未婚[夫妻]|男朋友|女朋友|男友|女友|儿子|女儿|闺女"
    r"|孙子|孙女|外孙女?|双胞胎)"
)

FAMILY_FRAMES: Final = (
    Frame(
        "family",
        re.compile(
            rf"^(?:[上前昨今这][^，。！]{{0,6}})?(?:终于|已经|刚)?(?:生|卸货|顺产|剖)(?:腹产|宫产)?(?:了|啦|的|完)"
            rf"[^没不流]{{0,24}}?(?<![给跟])(?P<x>{_CHILD})(?=$|[，,。！!了啦\s]|[一二两三四五六七八九十\d]+斤)"
        ),
        ours=True,
        wide=True,
    ),
    Frame(
        "family",
        re.compile(
            r"(?:宝宝|孩子|娃|[大二三]宝|老[大二三])[^，。没]{0,8}(?:出生|出来|生)(?:了|啦)[，,]是个?(?P<x>女儿|儿子|女孩|男孩|闺女)"
        ),
        ours=True,
        wide=True,
    ),
    Frame(
        "family",
        re.compile(
            r"(?:我|我们)?(?:的|家)?(?P<x>孙子|孙女|外孙女?|重孙|侄子|侄女|外甥女?|儿子|女儿|宝宝|闺女|老[二三])"
            r"(?:也|都|终于|上周|昨天|刚)*(?:出生|生下来|落地)(?:了|啦|的)"
        ),
        ours=True,
    ),
    Frame(
        "family",
        re.compile(
            rf"(?:^|[，。！？\s…]|我(?:们?家?(?:的)?)?|跟|和)(?P<x>{_NEAREST})(?!们|叫|的?(?:名字|朋友|同学|同事"
            rf"|公司|学校|妈|爸|爷|奶|姐|哥|弟|妹))"
            rf"(?![^，。]{{0,8}}(?:{_DIED}|离))"
        ),
        own=True,
    ),
    Frame(
        "family",
        re.compile(
            rf"(?:我们?家?(?:的)?)?(?P<x>{_KIN})(?:从[^，。]{{1,6}})?(?:也|就|都|现在)*(?:被?我?接|搬|住|过)(?:到"
            rf"|来|在)*(?:我|我们)?家?"
            r"(?:里)?(?:来|住|搭把手|带娃|带孩子|帮忙|一起住)"
        ),
        ours=True,
    ),
    Frame(
        "state",
        re.compile(
            r"(?<!没)(?P<x>离婚证[^，。没]{0,2}(?:拿|领|办|到手)(?:了|$)|(?:拿|领)(?:了|到)离婚证|离婚手续[^，。没]{0,3}(?:办|好|完))"
        ),
        given="离婚",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(r"(?:^(?:我们?|终于)?|[跟和][他她])(?P<x>离(?:了|婚了|了婚))(?=$|以后|之后)"),
        given="离婚",
        ours=True,
    ),
    Frame(
        "family",
        re.compile(r"(?P<x>[俩两一二三]?(?:个)?(?:孩子|娃|儿子|女儿|闺女))(?:都|就|也)?(?:归|跟着?|判给)我"),
        ours=True,
        own=True,
    ),
    Frame(
        "family",
        re.compile(rf"{_BORN}(?:一?[个对])?(?:大胖|健康的?|可爱的?|漂亮的?|小)*(?P<x>{_CHILD})(?=$|了|啦|啊|呢|哦|，)"),
        ours=True,
    ),
    Frame(
        "family",
        re.compile(rf"(?:^|…|\s|[，。])(?:我|我家|一个)?(?P<x>{_CHILD})[一二两三四五六七八九十\d]+斤"),
        ours=True,
    ),
    Frame("family", re.compile(rf"(?:我们?家?的?)?(?P<x>(?:{_KIN})[^，。没不]{{0,8}}?{_DIED})"), ours=True),
    Frame("state", re.compile(rf"(?P<x>{_SPOUSE}[^，。没不]{{0,8}}?{_DIED})"), given="丧偶", ours=True),
    Frame(
        "state",
        re.compile(
            rf"(?<![要想没快])(?P<x>{_WITH_SPOUSE}(?:办完|办了|领了|把)?离(?:了)?婚(?:证)?(?:都|也)?(?:领)?(?:了|，"
            rf"|。|$))(?!吗)"
        ),
        given="离婚",
        ours=True,
    ),
    Frame("state", re.compile(r"(?<![没不要想])(?P<x>(?:再|又结)婚了)"), given="已婚", ours=True),
    Frame(
        "state",
        re.compile(r"(?P<x>(?:刚|已经|终于|上周|上个?月|国庆|元旦|昨天|五一|七夕|去年|今年)+领的证)"),
        given="已婚",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(r"^(?:结婚)?(?P<x>证(?:都|已经|刚|上个?[周月][一二三四五六日天]?|昨天|前天)*领了)"),
        given="已婚",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(
            r"(?P<x>[跟和与](?!朋友|同学|同事|同桌|教练|老师|房东|中介|医|[狗猫]|公司|单位|学校)[^，。跟和]{1,4}?[^，。没想要]{0,6}领(?:的|了)(?:结婚)?证)(?=$|[，。！])"
        ),
        given="已婚",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(
            r"(?:^|我们?|[跟和与](?!朋友|同事|同学)[^，。没不]{1,4}?)(?:已经|早就|刚刚?|上+周|上个?月|前阵子|前几天|最近|也|就|还是|最后|最终|终于)*"
            r"(?P<x>分手了|分了手)(?![吗么])"
        ),
        given="单身",
        ours=True,
    ),
    Frame("state", re.compile(rf"(?P<x>{_WITH_SPOUSE}分居(?:了|中|$))"), given="分居", ours=True),
    Frame("state", re.compile(r"(?:^|我|目前|现在|还|一直)(?:是)?(?P<x>单身)(?!贵族|公寓|的人)"), given="单身"),
    Frame("state", re.compile(r"(?:有|交|谈)(?:了)?(?:个)?(?P<x>(?:男|女)(?:朋友|友))了"), given="恋爱中"),
    Frame(
        "state",
        re.compile(
            rf"(?<!没)(?<!要)(?P<x>{_WITH_SPOUSE}(?:刚结婚(?=[，,。和跟]|$)|(?:领(?:了)?证|结婚(?!证|纪念|照)"
            rf"|办(?:了|完)婚礼|成家)"
            r"(?:结婚)?[了啦]))"
        ),
        given="已婚",
        ours=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"(?:在|准备|打算|开始|正)(?:明年|后年|今年|过两年|下半年)?(?P<x>备孕|要(?:个)?(?:孩子|二胎|二宝|三胎|宝宝))"
        ),
        planned=True,
    ),
)
