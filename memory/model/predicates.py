"""The one table of what a fact can say of somebody. Rules, prompts, profiles, safety and fading read it.

A new predicate is one row here and the patterns that find it.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple

from memory.model.memory import Type

NAME: Final = "name"
LIKE: Final = "like"
JOB: Final = "job"
STATE: Final = "state"
HABIT: Final = "habit"
FAMILY: Final = "family"
PET: Final = "pet"
PLAN: Final = "plan"


class Predicate(NamedTuple):
    """One row. Texts are by language, `zh` and `en`.

    `label` stands before its values in a profile, `holds` and `denied` between subject and object of a relation; `hint`
    tells a model what belongs to it. `single`: only one value at a time is true. `ends`: denied later, or healed, or
    stopped, what was held is true no longer. `safety`: the list of `safety` in which it stands. `asked`: a model is
    told of it. `also`: what models call it all the same.
    """

    name: str
    label: Mapping[str, str]
    holds: Mapping[str, str]
    denied: Mapping[str, str]
    hint: Mapping[str, str]
    importance: float = 0.5
    type: Type = Type.FACT
    single: bool = False
    ends: bool = False
    safety: str = ""
    asked: bool = True
    also: Sequence[str] = ()


def _row(
    name: str,
    label: str,
    zh: tuple[str, str],
    en: tuple[str, str],
    hints: tuple[str, str] = ("", ""),
    **more: float | bool | str | Type | Sequence[str],
) -> Predicate:
    return Predicate(
        name,
        {"zh": label, "en": name.replace("_", " ")},
        {"zh": zh[0], "en": en[0]},
        {"zh": zh[1], "en": en[1]},
        {"zh": hints[0] or label, "en": hints[1]},
        **more,  # type: ignore[arg-type]
    )


_ROWS: Final = (
    _row(
        "name",
        "姓名",
        ("名字", "名字不是"),
        ("is named", "is not named"),
        importance=0.8,
        single=True,
        also=("full_name", "nickname", "called", "名字", "叫"),
    ),
    _row("sex", "性别", ("性别", "性别不是"), ("is of sex", "is not of sex"), single=True, also=("gender", "男女")),
    _row(
        "age",
        "年龄",
        ("年龄", "年龄不是"),
        ("is aged", "is not aged"),
        single=True,
        also=("years_old", "岁数"),
    ),
    _row(
        JOB,
        "职业",
        ("职业", "职业不是"),
        ("works as", "does not work as"),
        single=True,
        ends=True,
        also=("occupation", "profession", "work", "works_as", "employer", "career", "工作", "职位", "单位"),
    ),
    _row(
        "residence",
        "住地",
        ("住在", "不住在"),
        ("lives in", "does not live in"),
        single=True,
        ends=True,
        also=(
            "location",
            "address",
            "city",
            "home",
            "lives_in",
            "hometown",
            "residence",
            "住址",
            "居住地",
            "地址",
            "城市",
            "住处",
            "家庭住址",
            "现住址",
            "现居",
            "住在",
        ),
    ),
    _row(
        "allergy",
        "过敏",
        ("过敏", "不过敏"),
        ("is allergic to", "is not allergic to"),
        importance=1.0,
        ends=True,
        safety="allergies",
        also=(
            "allergies",
            "allergic_to",
            "allergen",
            "drug_allergy",
            "intolerance",
            "adverse_reaction",
            "过敏史",
            "药物过敏",
            "过敏原",
        ),
    ),
    _row(
        "disease",
        "疾病",
        ("患有", "否认患有"),
        ("has", "denies having"),
        importance=0.9,
        safety="chronic_diseases",
        also=(
            "condition",
            "illness",
            "diagnosis",
            "chronic_disease",
            "medical_history",
            "disorder",
            "病史",
            "慢病",
            "既往史",
            "诊断",
        ),
    ),
    _row(
        "surgery",
        "手术",
        ("做过", "否认做过"),
        ("had", "denies having had"),
        importance=0.9,
        safety="surgery_history",
        also=("operation", "procedure", "surgical_history", "手术史"),
    ),
    _row(
        "pregnancy",
        "妊娠",
        ("处于", "否认"),
        ("is", "is not"),
        importance=1.0,
        safety="states",
        asked=False,
        also=("pregnant", "怀孕"),
    ),
    _row(
        "breast_feeding",
        "哺乳",
        ("处于", "否认"),
        ("is", "is not"),
        importance=1.0,
        safety="states",
        asked=False,
        also=("breastfeeding", "lactation"),
    ),
    _row(
        "implant",
        "植入物",
        ("体内有", "体内没有"),
        ("has", "does not have"),
        importance=1.0,
        safety="states",
        asked=False,
        also=("pacemaker", "stent"),
    ),
    _row(
        "device",
        "辅助器械",
        ("使用", "不再使用"),
        ("uses", "no longer uses"),
        ("戴着或用着的器械：助听器、呼吸机、石膏、轮椅", "worn or used: hearing aids, a CPAP, a cast, a wheelchair"),
        importance=0.6,
        ends=True,
        also=("equipment", "aid", "器械", "辅具"),
    ),
    _row(
        "anticoagulant",
        "抗凝药",
        ("服用", "不服用"),
        ("takes", "does not take"),
        importance=1.0,
        safety="states",
        asked=False,
        also=("blood_thinner",),
    ),
    _row(
        "possible_allergy",
        "待确认的过敏",
        ("可能过敏", "不过敏"),
        ("may be allergic to", "is not allergic to"),
        asked=False,
    ),
    _row("possible_disease", "待确认的疾病", ("可能患有", "否认患有"), ("may have", "denies having"), asked=False),
    _row(
        "symptom",
        "症状",
        ("有", "没有"),
        ("has", "does not have"),
        ("症状，不再有的写否定", "a complaint; denied when it has passed"),
        importance=0.7,
        ends=True,
        also=("complaint", "sign", "chief_complaint", "不适", "主诉"),
    ),
    _row(
        "medication",
        "用药",
        ("服用", "不服用"),
        ("takes", "does not take"),
        ("用药，已停用的写否定", "denied when it was stopped"),
        importance=0.8,
        ends=True,
        also=("medicine", "drug", "prescription", "treatment", "takes", "药物", "药", "服药"),
    ),
    _row(
        "vital",
        "体征",
        ("测得", "没有测得"),
        ("measured", "did not measure"),
        ("体征，如体温、血压，带数值", "temperature, blood pressure and the like, with the value"),
        importance=0.6,
        also=("vital_sign", "measurement", "body_temperature", "blood_pressure", "生命体征", "体温", "血压"),
    ),
    _row(
        "test",
        "检查",
        ("检查", "没有做检查"),
        ("was tested:", "was not tested:"),
        ("做过的检查及结果", "a test that was made, with its result"),
        importance=0.6,
        also=("examination", "lab_result", "exam", "imaging", "result", "检验", "化验"),
    ),
    _row(
        STATE,
        "状况",
        ("状况", "否认"),
        ("is", "is not"),
        ("当前状态，如怀孕、哺乳", "how somebody is just now: pregnant, breastfeeding"),
        ends=True,
        also=("status", "mood", "状态"),
    ),
    _row(
        HABIT,
        "习惯",
        ("习惯", "没有习惯"),
        ("has habit", "does not have habit"),
        ("习惯，如吸烟、睡眠、饮食", "smoking, sleep, diet, what is done regularly"),
        ends=True,
        also=("lifestyle", "smoking", "drinking", "diet", "exercise", "sleep", "吸烟", "饮酒", "饮食", "作息"),
    ),
    _row(
        FAMILY,
        "家人",
        ("家人", "没有家人"),
        ("has family", "does not have family"),
        importance=0.7,
        type=Type.RELATION,
        also=("relative", "relationship", "spouse", "child", "parent", "亲属", "家属"),
    ),
    _row(
        PET,
        "宠物",
        ("宠物", "没有宠物"),
        ("has pet", "does not have pet"),
        type=Type.RELATION,
        ends=True,
        also=("animal",),
    ),
    _row(
        "like",
        "喜好",
        ("喜欢", "不喜欢"),
        ("likes", "dislikes"),
        type=Type.OPINION,
        ends=True,
        also=("preference", "hobby", "interest", "favorite", "favourite", "爱好", "兴趣"),
    ),
    _row(
        "appointment",
        "预约",
        ("预约了", "没有预约"),
        ("has an appointment:", "has no appointment:"),
        ("预约、复诊，带日期", "with its day"),
        importance=0.7,
        ends=True,
        also=("booking", "visit", "follow_up", "复诊", "挂号"),
    ),
    _row(PLAN, "打算", ("打算", "不打算"), ("plans", "does not plan"), ends=True, also=("intention", "goal", "计划")),
)
PREDICATES: Final[Mapping[str, Predicate]] = {row.name: row for row in _ROWS}
"""In the order in which a profile tells them."""
_OTHER_IMPORTANCE: Final = 0.5


def importance_of(predicate: str) -> float:
    """How much a fact of this predicate matters, 0..1; callers may name predicates of their own."""
    row = PREDICATES.get(predicate)
    return row.importance if row else _OTHER_IMPORTANCE


def is_single(predicate: str) -> bool:
    """Whether only one value at a time is true."""
    return predicate in PREDICATES and PREDICATES[predicate].single


def ends(predicate: str) -> bool:
    """Whether a later denial ends what was held."""
    return predicate in PREDICATES and PREDICATES[predicate].ends


@lru_cache(maxsize=4_096)
def nearest(name: str) -> str:
    """The row that somebody means who knows the table badly; the name itself, in small letters, when there is none."""
    plain = _NO_LETTER.sub("_", name.strip().casefold()).strip("_")
    if plain in _MEANT:
        return _MEANT[plain]
    if _OPPOSITE.match(plain):
        return plain
    close = get_close_matches(plain, _of_length_near(len(plain)), n=1, cutoff=_CLOSE)
    return _MEANT[close[0]] if close else plain


def cues_of(predicate: str) -> list[str]:
    """The words that say what an object is: the predicate, and what stands before its values. None of no predicate."""
    row = PREDICATES.get(predicate)
    told = (*row.label.values(), *row.holds.values()) if row else ()
    return [predicate, *told] if predicate else []


def _meant() -> dict[str, str]:
    """What each row may be called."""
    called = {word: row.name for row in PREDICATES.values() for word in (*row.label.values(), *row.also)}
    return {word.replace(" ", "_"): name for word, name in called.items()} | {name: name for name in PREDICATES}


_NO_LETTER: Final = re.compile(r"[\W_]+")
_OPPOSITE: Final = re.compile(r"(?:no|not|non|without|past|former|family|medical_family|ex)_|[无没非不]")
_CLOSE: Final = 0.8
"""Of difflib's ratio: a letter or two of a long word, a plural."""
_MEANT: Final[Mapping[str, str]] = _meant()


@lru_cache(maxsize=256)
def _of_length_near(length: int) -> Sequence[str]:
    """What can be close to a word of so many letters: difflib's ratio is 2 * shared / (all of both) at most."""
    return [word for word in _MEANT if 2 * min(len(word), length) >= _CLOSE * (len(word) + length)]


def told_to_models(locale: str) -> str:
    """The predicates that a model may name, each with what belongs to it, for a prompt."""
    brackets, comma = ("（{}）", "、") if locale == "zh" else (" ({})", ", ")
    return comma.join(
        row.name + (brackets.format(row.hint[locale]) if row.hint[locale] else "")
        for row in PREDICATES.values()
        if row.asked
    )
