"""Relations between memories: what they are called, and how one is read. Ground first, then what follows from it."""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple

RelationName = Literal["causes", "cites", "based_on", "related"]
CAUSES: Final = "causes"


class Relation(NamedTuple):
    """A relation: its label in zh and en, and a sentence of `ground` and `follows`."""

    label: dict[str, str]
    reads: dict[str, str]


RELATIONS: Final = MappingProxyType(
    {
        CAUSES: Relation(
            {"zh": "导致", "en": "leads to"},
            {"zh": "“{ground}”导致“{follows}”", "en": "“{ground}” leads to “{follows}”"},
        ),
        "cites": Relation(
            {"zh": "被引用于", "en": "is cited by"},
            {"zh": "“{follows}”引用“{ground}”", "en": "“{follows}” cites “{ground}”"},
        ),
        "based_on": Relation(
            {"zh": "是依据", "en": "is the basis of"},
            {"zh": "“{follows}”基于“{ground}”", "en": "“{follows}” is based on “{ground}”"},
        ),
        "related": Relation(
            {"zh": "相关", "en": "is related to"},
            {"zh": "“{ground}”与“{follows}”相关", "en": "“{ground}” is related to “{follows}”"},
        ),
    }
)
NAMES: Final = MappingProxyType(
    {
        "因为": "causes",
        "所以": "causes",
        "导致": "causes",
        "引用": "cites",
        "基于": "based_on",
        "相关": "related",
        **{name: name for name in RELATIONS},
    }
)
"""What a caller may say, and what it means. 因为, 所以 and 导致 all join a reason to what came of it."""


def reads(relation: str, ground: str, follows: str, locale: str) -> str:
    """A relation in words."""
    return RELATIONS[relation].reads[locale].format(ground=ground, follows=follows)
