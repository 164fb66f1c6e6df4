"""Whether a clause tells of the past or of what is to come, for dates that do not say it themselves."""

import re
from typing import Final

_WINDOW_CHARS: Final = 60
_BORDER: Final = re.compile(r"[。！？；!?;\n]|\.(?=\s|$)|[，,](?=[\u3400-\u9fff])")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")

_ZH_FUTURE: Final = re.compile(
    r"打算|准备|计划|提醒|预约|将要?(?!近)|即将|就要|(?<![不需重主想只])要(?![求点么是紧])|(?<![开机社约聚])会(?!议|诊|员|计|话|面)|"
    r"(?<!想)想(?![起到过])|到时候|记得|别忘|有空|再(?![三也])|得去|必须|应该|能不能|可以|可不可以|希望|截止"
)
_ZH_PAST: Final = re.compile(
    r"了(?![吗吧解不])|(?<=[\u3400-\u9fff])过(?![敏程来去年度几后期于段])|刚(?!好)|曾|当时|那时|已经|以来|[\u3400-\u9fff]{2}的$|"
    r"[来去做买到见认出生吃看查]的(?=$|[，,。 ])|开始(?=[\u3400-\u9fff]{0,4}[痛疼烧吐咳痒晕])|昨|上次|之前|"
    r"[睡吃喝穿盖][的得](?=[有不没太很挺少多晚早着])|没(?:睡|吃|喝|去)|有(?=着凉|受凉|拉肚|发烧|呕?吐)|[疼痛痒咳吐冻]醒"
)
# Behind the date, 做的手术, 结的婚: what a verb says so of an event is over; of a thing it may lie ahead (到的航班).
_ZH_DONE: Final = re.compile(
    r"(?:做|动|开|去|来|看|查|拍|吃|喝|买|结|离|生|怀|住|办|打|切|割|装|放|植入|确诊|诊断|检查|拿|取|换|搬|挂|考|毕|走|去世|认识|签|入|退|"
    r"拔|补|种|抽|输|缝|拆|得|犯|摔|骨折|手术|住院|出院|复查|体检|化验|发烧|发作|发现|接种|订|分|剖|停|用|服|戒|娶|嫁|领|建|立|感染|受)"
    r"(?:完|到|好|掉|上|起|下)?的(?!话|时候|时间|[\u3400-\u9fff]{0,3}(?:票|航班|飞机|火车|高铁|动车|车次|酒店|讲座|活动|会议|截止))"
)
_EN_FUTURE: Final = re.compile(
    r"will|['’]ll|won't|going to|gonna|shall|let's|remind|see you|looking forward|plan(?:ning)? to|hop(?:e|ing) to",
    re.IGNORECASE,
)
_EN_PAST: Final = re.compile(
    r"(?<![a-z])(?:was|were|had|did|didn't|went|saw|met|got|came|took|told|said|felt|made|left|began|bought|ate|slept|"
    r"woke|gave|found|spent|ran|drove|been|became|broke|brought|caught|fell|flew|forgot|grew|heard|kept|knew|lost|paid|"
    r"read|rode|sang|sat|sent|sold|spoke|stood|taught|thought|threw|won|wore|wrote|hurt|"
    r"(?!need|feed|speed|indeed|schedul|suppos|plann|book)[a-z]{2,15}ed|ago|since)(?![a-z])",
    re.IGNORECASE,
)
_EN_SOON: Final = re.compile(
    r"(?<![a-z])(?:want|would like|i'd like|need|must|should|have to|has to|schedul|book|appointment|due|deadline|"
    r"can (?:we|you|i)|could (?:we|you|i)|are you|is on|starts?|leaves?|by|until|free|meet|"
    r"(?:am|is|are|'m|'re) [a-z]+ing)",
    re.IGNORECASE,
)


def tense_around(text: str, start: int, end: int) -> int:
    """-1 for the past, 1 for what is to come, 0 if the clause round text[start:end] does not say."""
    before = text[max(0, start - _WINDOW_CHARS) : start]
    opened = max((border.end() for border in _BORDER.finditer(before)), default=0)
    after = text[end : end + _WINDOW_CHARS]
    closed = _BORDER.search(after)
    clause = f"{before[opened:]} {after[: closed.start()] if closed else after}".strip()
    if _HAN.search(clause):
        if _ZH_FUTURE.search(clause):
            return 1
        return (
            -1 if _ZH_PAST.search(clause) or _ZH_DONE.search(after, 0, closed.start() if closed else len(after)) else 0
        )
    if _EN_FUTURE.search(clause):
        return 1
    if _EN_PAST.search(clause):
        return -1
    return 1 if _EN_SOON.search(clause) else 0
