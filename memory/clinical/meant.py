"""Words that are of medicine only beside others: 气喘 is asthma or a complaint, 猫 an allergen or somebody's cat.

A lexicon tags them `either` and `animal`; what stands around them in their sentence decides. Texts are in lower case
and in simplified characters.
"""

import re
from typing import Final

EITHER: Final = "either"
"""The tag of a disease whose word names a complaint too."""
ANIMAL: Final = "animal"
"""The tag of an allergen that is somebody where no allergy is spoken of."""
_NEAR: Final = 32
_AFTER: Final = 16
_SENTENCE: Final = re.compile(r"[。！？!?；;\n]")
_YEARS: Final = r"(?:[\d一二两三四五六七八九十几]+|好[几多]|很多)(?:多|来|几)?年"
_FOUND_BEFORE: Final = re.compile(
    r"(?:患(?:有|了|过|上)?|得(?:了|过|的是|上)|(?:确诊|诊断)(?:我|出)?(?:为|是|了|有|过)?|查出(?:来)?(?:有|是|了)?"
    r"|既往(?:史|病史)?[:：有]?|病史[:：有]+|遗传了?)"
    rf"(?:过敏性|支气管|慢性|先天性?的?|(?:多年|{_YEARS})的?|轻度的?|中度的?|重度的?)*$"
)
"""Words by which somebody has what follows as a disease, and no complaint."""
_OWNED_BEFORE: Final = re.compile(
    r"(?:(?:我|本人|俺|自己|从小就?|小时候|[爸妈爷奶哥姐弟妹公婆]|儿子|女儿)"
    r"(?:也|还|都|就|是|本身|一直|从小|本来|原来|真的|确实|以前|之前|曾经?|小时候|没|从来|从|天生)*有(?:过|个)?"
    rf"|^有过?|(?:另外|本身|同时|还|也)有|我(?:的|这个?))(?:过敏性|慢性|先天性?的?|(?:多年|{_YEARS})的?)*$"
)
"""Words by which one may have either."""
_LASTING_AFTER: Final = re.compile(
    rf"^(?:病?史|患者|病人|的?老毛病|体质|多年|从小|(?:已经?|都|快|有|大概|差不多|了)*{_YEARS})"
)
_FELT_AFTER: Final = re.compile(
    r"^(?:吁|声|得(?!过|了)|起来|不已|不止)"
    r"|^[^，。；！？\n]{0,8}?(?:症状|感觉|情况|的时候|怎么|咋|天(?!生)|小时|晚上|早上|星期|周|今|昨)"
    r"|^[、和跟，,](?:还|也|就是|只是|就|只|伴|有|没有?)*(?:咳|胸|痰|发烧|头|心慌|喉|嗓|鼻(?!子?过敏|炎)|乏力)"
    r"|^[，,](?:是|从|最近|这几)?(?:昨|今|前|最近|这几)[天晚早]"
)
"""What is said of a complaint, or another complaint beside it."""
_TO: Final = re.compile(r"对(?:我家?|家里)?的?(?:[^，。对]{1,10}?[、和跟与及])?[猫狗兔鸟马]?$")
_MORE: Final = r"^(?:[猫狗兔鸟马]|毛|皮屑)?(?:[、和跟与及][^，。、]{1,6}?){0,3}"
"""The rest of a list of allergens that begins with an animal: 狗尾草 is none."""
_HOW_MUCH: Final = r"[的都也全会很太不没有点儿些严重特别非常从来一直老是总就真超极好像可能高轻中度我]{0,8}"
_BORNE_NOT: Final = re.compile(_MORE + _HOW_MUCH + r"(?:过敏|有反应|起反应|不耐受)")
_LISTED: Final = re.compile(
    r"(?:^|[，、\s]|我的?|[查验]|药物|食物|吸入)过敏(?:史|[原源物]|(?<=我过敏)的(?:东西)?)?(?:查出来?|主要|检测"
    r"|结果)*(?:是|有|为|包括|[:：])+"
    r"\s*(?:(?![无没])[^。]{1,24}?[、，和跟与及/,]\s*)?$|[不没]过敏$"
)
_LIST_GOES_ON: Final = re.compile(r"^(?:毛|皮屑)?(?:[、，和跟与及。.;；,\s]|$|[全都也])")
_TESTED_BEFORE: Final = re.compile(r"过敏[原源][^。]{0,8}?[，,：:\s](?:[^。，]{1,8}[、和跟与及])?$")
_TESTED_AFTER: Final = re.compile(_MORE + r"[都全均也是呈很 ]{0,3}(?:阳性|强阳|[一二三四五六1-6]级|[+＋]|超标)")
_I_AM_TO: Final = re.compile(r"^(?:[、和跟与及]?[猫狗兔鸟马]){0,3}我(?:们)?(?:都|也|全|会|很|严重|不|没有?)*过敏")
_OWNER: Final = re.compile(r"(?:家|家里|养的?|我的?|的|只|条|匹|[这那小老它])$")
_RETURNS: Final = re.compile(
    r"\b(?:i am|i['’]?m|(?:we|they|you) are|we['’]re|(?:they|you)['’]?re|came|comes?|coming|went|gone|go|going|been"
    r"|(?:call|ring|rang|called) (?:me|you))(?: (?:now|just|right|all))? $"
)
"""By whom a back is none of a body."""
_LIST_BEFORE: Final = re.compile(r"^\s*(?:[^，。、\s]{1,4}[、，,和跟与及]){0,4}$")
_LIST_AFTER: Final = re.compile(r"^(?:[、，,和跟与及][^，。、\s]{1,4}){0,4}[\s。.!！了的啊呀]*$")


def is_disease(text: str, start: int, end: int) -> bool:
    """Whether a word that names a complaint too is said as one has a disease."""
    before, after = _before(text, start), text[end : end + _AFTER]
    if _FOUND_BEFORE.search(before) or _LASTING_AFTER.search(after):
        return True
    return _OWNED_BEFORE.search(before) is not None and not _FELT_AFTER.search(after)


def is_felt(text: str, end: int) -> bool:
    """Whether what follows a word says that it is a complaint."""
    return _FELT_AFTER.search(text, end, end + _AFTER) is not None


def is_allergen(text: str, start: int, end: int) -> bool:
    """Whether an animal is an allergen: an allergy to it is spoken of, or nothing else is said."""
    before, after = _before(text, start), text[end : end + _AFTER]
    if _TO.search(before):
        return _BORNE_NOT.search(after) is not None
    if _LISTED.search(before):
        return _LIST_GOES_ON.search(after) is not None
    if _TESTED_BEFORE.search(before):
        return _TESTED_AFTER.search(after) is not None
    if _I_AM_TO.search(after):
        return not _OWNER.search(before)
    return _LIST_BEFORE.search(before) is not None and _LIST_AFTER.search(after) is not None


def _before(text: str, start: int) -> str:
    return _SENTENCE.split(text[max(0, start - _NEAR) : start])[-1]


def returns(text: str, start: int, end: int) -> bool:
    """Whether a back is no part of a body: whoever says "I'm back" is there again."""
    return text[start:end] == "back" and _RETURNS.search(_before(text, start)) is not None
