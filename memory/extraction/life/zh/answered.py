"""Frames of Chinese for what only the question before them explains: 换工作了？对，青禾教育."""

import re
from typing import Final

from memory.extraction.life.grammar import Frame

_YES: Final = r"(?:嗯+|对|是的?|没错|换了|搬了)[啊呀的了，,。！! ]*"
_NEW_JOB: Final = re.compile(
    r"换(?:了)?(?:新)?(?:工作|单位|公司|东家)|新(?:公司|单位|工作|东家)|跳槽|在哪(?:里|儿)?(?:上班|工作)|哪家公司"
)
_PARTED: Final = re.compile(r"女朋友|男朋友|女友|男友|对象|你们(?:俩|两)?(?:还|怎么)|[她他]来|异地")
_MARRIED: Final = re.compile(r"结婚了|已经结婚|婚礼办|领证|办(?:过)?婚")
_SCHOOL: Final = re.compile(r"换(?:了)?(?:学校|班)|哪(?:个|所)学校|转学|在哪(?:里|儿)?(?:上学|读书|念书)")
_MOVED: Final = re.compile(r"搬(?:家|到哪|去哪|走)|住(?:在)?哪|现在在哪")

_ASKS_DRINK: Final = re.compile(r"(?:平时|现在|都|一般|主要)?喝(?:点|些)?(?:什么|啥)")
ANSWER_FRAMES: Final = (
    Frame(
        "habit",
        re.compile(
            r"^(?:就|现在|主要|一般|都)*(?:喝)?(?P<x>[\u4e00-\u9fff]{0,6}(?:茶|水|咖啡|牛奶|豆浆|果汁|美式|拿铁))(?=$|[，,。！])"
        ),
        answers=_ASKS_DRINK,
    ),
    Frame(
        "job",
        re.compile(
            rf"^(?:{_YES})?(?:上+周[一二三四五六日天]?|上个?月|刚|现在|这周|月初)*(?:去了?|到了?|在|入职了?的?(?:是)?|进了?|是)"
            r"(?P<x>(?!一|新|个|家|别)[\u4e00-\u9fff]{2,8}?)(?=[，。！]|$|上班|工作|了)"
        ),
        answers=_NEW_JOB,
    ),
    Frame(
        "job",
        re.compile(
            rf"^(?:{_YES})?(?:现在|转)*(?:在|到|去了?)(?P<x>[\u4e00-\u9fff]{{1,8}}?"
            r"(?:大学|学院|中学|小学|附中|附小|职高|技校|[一二三四五六七八九十]中))"
        ),
        answers=_SCHOOL,
    ),
    Frame(
        "residence",
        re.compile(
            rf"^(?:{_YES})?(?:上+周|上个?月|刚)*(?:搬|去|到|回|在)(?:到|去|了)*(?P<x>[\u4e00-\u9fff]{{2,5}}?)(?=了|[，。！]|$)"
        ),
        answers=_MOVED,
    ),
    Frame(
        "state",
        re.compile(r"^(?P<x>(?:我们|跟[她他])?(?:早就|已经|上+周|上个?月|前阵子)*分(?:手)?了)(?=$|[，。！])"),
        given="单身",
        answers=_PARTED,
    ),
    Frame(
        "state",
        re.compile(
            r"^(?P<x>(?:嗯+|对|是的?)?[，, ]?"
            r"(?:已经|上+周[一二三四五六日天]?|上个?月|刚|昨天|前天|去年|国庆|元旦)+(?:刚)?(?:办的|办了|结的|结了|领的证|领了证|领证了))"
        ),
        given="已婚",
        answers=_MARRIED,
    ),
)
