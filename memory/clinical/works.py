"""What is taken does by itself what is no allergy: bleeding under what thins blood, a hypo under insulin."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.clinical.reading import Reading

SWOLLEN_ELSEWHERE: Final = re.compile(r"脚|腿|踝|牙龈|ankle|feet|foot|legs?\b|gum|puffy", re.IGNORECASE)
"""What swells for other reasons than an allergy."""
_THINS: Final = "anticoagulant"
"""The tag of what thins blood."""
_BLEEDING: Final = re.compile(r"血|青紫|淤青|瘀|bleed|blood|bruis")
_WORKS: Final = (
    (re.compile(r"地平|dipine", re.IGNORECASE), SWOLLEN_ELSEWHERE),
    (
        re.compile(r"胰岛素|格列|insulin|gliclazide|glimepiride|glipizide|glyburide", re.IGNORECASE),
        re.compile(r"低血糖|出虚汗|冒汗|出汗|心慌|手抖|hypo|low sugar|sweat|shak|trembl|dizz|头晕|晕|饿"),
    ),
    (
        re.compile(r"codeine|codamol|morphine|tramadol|oxycod|iron|ferrous|可待因|吗啡|曲马多|铁", re.IGNORECASE),
        re.compile(r"constipat|bunged up|便秘|拉不出"),
    ),
    (
        re.compile(
            r"sartan|pril\b|dipine|olol\b|thiazide|semide|spironolactone|doxazosin|tamsulosin|沙坦|普利|地平|洛尔|噻嗪|塞米"
            r"|螺内酯|唑嗪|坦索罗辛|降压药",
            re.IGNORECASE,
        ),
        re.compile(r"(?:blood )?pressure|\bbp\b|血压|dizz|light-?headed|头[晕昏]"),
    ),
    (
        re.compile(r"coffee|\btea\b|caffeine|energy drink|red bull|咖啡|浓茶|茶|功能饮料|红牛", re.IGNORECASE),
        re.compile(r"心慌|心悸|手抖|睡不着|失眠|palpitat|racing|jitter|shak|awake|sleep|wired"),
    ),
    (
        re.compile(r"\bheat\b|hot weather|sunlight|热|太阳|日晒", re.IGNORECASE),
        re.compile(r"faint|dizz|pass(?:ed|es)? out|collaps|sweat|headache|晕|中暑|出汗|头[疼痛]"),
    ),
    (
        re.compile(r"olol\b|洛尔", re.IGNORECASE),
        re.compile(r"wheez|breath|tired|cold (?:hands|feet)|喘|憋|手脚凉|没劲"),
    ),
    (re.compile(r"ticagrelor|替格瑞洛", re.IGNORECASE), re.compile(r"breath|喘|憋|气短")),
    (
        re.compile(r"^cold|冷"),
        re.compile(r"\bach(?:es?|ing|y)\b|\bhurts?\b|\bstiff|[酸疼痛]"),
    ),
)
"""What it is called, and what it does."""
_PART_NEAR: Final = 12
"""Letters before harm in which the part of the body stands."""


class Works(NamedTuple):
    """What is taken in a message does by itself, each as the words that say it."""

    effects: Sequence[re.Pattern[str]]

    @classmethod
    def of(cls, reading: Reading) -> "Works":
        """Those of a message. One look at all of them: harm is then held against these."""
        terms = [member.term for _, group in reading.groups("S") for member in group.members]
        effects = [does for called, does in _WORKS if any(called.search(term.name) for term in terms)]
        thins = any(term.tag == _THINS for term in terms)
        return cls([*effects, _BLEEDING] if thins else effects)

    def explain(self, reading: Reading, start: int, end: int) -> bool:
        """Whether harm, from `start` to `end` of the drawing, is what one of them does."""
        begun = max(reading.sketch.clause_at(start).start, start - _PART_NEAR)
        said = reading.sketch.quote(begun, end).lower()
        return any(does.search(said) for does in self.effects)
