"""Why a record cannot be imported, in a sentence: for ImportMemories, in English and Chinese."""

from collections.abc import Mapping
from typing import Final

from memory.consolidation.transfer import Fault

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "unknown": "no memory has a field {what}",
        "missing": "the field {what} is missing or empty",
        "long": "the field {what} is too long",
        "wrong": "the field {what} is not as it has to be",
        "profile": "a profile is made from facts and is not imported",
        "category": "no memory of this kind has the category {what}",
        "order": "it ends before it begins",
        "full": "the user has as many of the kind {what} as there may be",
    },
    "zh": {
        "unknown": "记忆没有字段 {what}",
        "missing": "字段 {what} 缺失或为空",
        "long": "字段 {what} 过长",
        "wrong": "字段 {what} 不符合要求",
        "profile": "画像由事实生成，不能导入",
        "category": "这种记忆没有类别 {what}",
        "order": "结束时间早于开始时间",
        "full": "该用户的 {what} 类记忆已达上限",
    },
}
_NAME_CHARS_MAX: Final = 100
"""Names of unknown fields are the caller's own, and may be as long as the body."""


def reason(fault: Fault, locale: str) -> str:
    """What is wrong, in a sentence."""
    return _WORDS[locale][fault.word].format(what=fault.what[:_NAME_CHARS_MAX])
