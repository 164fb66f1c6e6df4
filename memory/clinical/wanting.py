"""Harm that did not come of having a substance: it was left off, a dog is ill, a medicine and a drink met."""

import re
from typing import Final

from memory.clinical.reading import Reading
from memory.clinical.sketch import Group

_LEFT_OFF: Final = re.compile(
    r"(?:不|没|没有|停|断|戒)(?:再)?(?:吃|喝|用|打|服|抽)?(?:了|掉)?(?:我的)?$"
    r"|\b(?:(?:don'?t|didn'?t|haven'?t|hasn'?t|not) (?:have|had|drink|take|taken|eat|get)|without|quit"
    r"|stopped(?: taking)?"
    r"|c[ao]m(?:e|ing) off|(?<!put )off|missed|skip(?:ped)?)(?: (?:my|the|any))* $"
)
"""Right before a substance."""
_LEFT_OFF_BEHIND: Final = re.compile(
    r"^(?:[，,]\s?(?:我|要是|如果)?)?(?:一)?(?:不|没|停|断|戒)(?:再)?(?:吃|喝|用|打|服|抽|上)?(?:了|掉|药)?(?:[一二两三四五几\d]+天)?(?:就|后|以后|之后|会|开始|又|，|,|我|的话|时)*$"
)
"""All that stands between a substance and what somebody felt."""
_WHY: Final = re.compile(
    r"因为|由于|一[吃用打喝擦抹碰沾闻戴贴涂染]|[吃用打喝擦碰](?:了|过|完)|\b(?:when|if|whenever|every time) i\b"
    r"|\b(?:it|they|which|that) (?:makes?|gives?|made|gave|causes?|caused)\b"
    r"|\b(?:because|due to|cos|coz|as (?:i|it)|since it|after (?:i|it))\b"
)
"""It came of having it all the same."""
_PETS: Final = frozenset(
    (
        "dog",
        "cat",
        "horse",
        "rabbit",
        "hamster",
        "guinea pig",
        "bird",
        "puppy",
        "kitten",
        "狗",
        "猫",
        "兔子",
        "仓鼠",
        "鸟",
        "宠物",
    )
)
_ANIMAL_IS: Final = re.compile(
    r"(?:s|'s)? ?(?:is|was|has|are|were|got|died|ran|bit|ate|had|been|threw|vomit\w*|keeps|won'?t)\b"
    r"|(?:狗|猫|咪|子)?(?:也|又|最近|今天|昨天|这几天)*(?:病|生病|死|丢|走丢|拉|吐|怀|生了|不吃|绝育)"
)
"""Right behind an animal: how it is."""
_CLASHES: Final = re.compile(
    r"头孢|甲硝唑|替硝唑|呋喃唑酮|双硫仑|\bcef\w+|\bceph\w+|metronidazole|flagyl|tinidazole|disulfiram"
)
_DRINK: Final = re.compile(r"酒|\b(?:alcohol|wine|beers?|vodka|gin|whisk(?:e)?y|pint|drinks?|cocktails?|booze)\b")


def was_left_off(reading: Reading, at: int, harm_at: int) -> bool:
    """Whether what somebody felt came of not having it: 不喝咖啡就头疼, dizzy since I came off sertraline."""
    between = reading.drawn[at + 1 : harm_at] if harm_at > at else reading.drawn[harm_at + 1 : at]
    if _WHY.search(between):
        return False
    behind = harm_at > at and _LEFT_OFF_BEHIND.match(between) is not None and between != ""
    return behind or _LEFT_OFF.search(reading.prefix(at)) is not None


def is_an_animal(group: Group) -> bool:
    """Whether it is a pet."""
    return all(member.term.name in _PETS for member in group.members)


def is_an_ill_animal(reading: Reading, at: int) -> bool:
    """Whether it is somebody's animal, of which something is told: my dog is ill."""
    return is_an_animal(reading.sketch.groups[at]) and _ANIMAL_IS.match(reading.drawn, at + 1) is not None


def met_a_drink(reading: Reading) -> bool:
    """Whether a medicine that nobody bears with alcohol was had with it: what came of that is no allergy for sure."""
    said = reading.sketch.lowered
    return _CLASHES.search(said) is not None and _DRINK.search(said) is not None
