"""The one table of what a fact can say of somebody. Rules, prompts, profiles, safety and fading read it.

A new predicate is one row here and the patterns that find it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from memory.model.memory import Type


class Predicate(NamedTuple):
    """One row. Texts are by language, `zh` and `en`.

    `label` stands before its values in a profile, `holds` and `denied` between subject and object of a relation; `hint`
    tells a model what belongs to it. `single`: only one value at a time is true. `ends`: denied later, or healed, or
    stopped, what was held is true no longer. `safety`: the list of `safety` in which it stands. `asked`: a model may
    name it.
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


def _row(
    name: str,
    label: str,
    zh: tuple[str, str],
    en: tuple[str, str],
    hints: tuple[str, str] = ("", ""),
    **more: float | bool | str | Type,
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
    _row("name", "姓名", ("名字", "名字不是"), ("is named", "is not named"), importance=0.8, single=True),
    _row("sex", "性别", ("性别", "性别不是"), ("is of sex", "is not of sex"), single=True),
    _row("age", "年龄", ("年龄", "年龄不是"), ("is aged", "is not aged"), single=True),
    _row("job", "职业", ("职业", "职业不是"), ("works as", "does not work as"), single=True, ends=True),
    _row("residence", "住地", ("住在", "不住在"), ("lives in", "does not live in"), single=True, ends=True),
    _row(
        "allergy",
        "过敏",
        ("过敏", "不过敏"),
        ("is allergic to", "is not allergic to"),
        importance=1.0,
        ends=True,
        safety="allergies",
    ),
    _row("disease", "疾病", ("患有", "否认患有"), ("has", "denies having"), importance=0.9, safety="chronic_diseases"),
    _row(
        "surgery", "手术", ("做过", "否认做过"), ("had", "denies having had"), importance=0.9, safety="surgery_history"
    ),
    _row("pregnancy", "妊娠", ("处于", "否认"), ("is", "is not"), importance=1.0, safety="states", asked=False),
    _row("breast_feeding", "哺乳", ("处于", "否认"), ("is", "is not"), importance=1.0, safety="states", asked=False),
    _row(
        "implant",
        "植入物",
        ("体内有", "体内没有"),
        ("has", "does not have"),
        importance=1.0,
        safety="states",
        asked=False,
    ),
    _row(
        "anticoagulant",
        "抗凝药",
        ("服用", "不服用"),
        ("takes", "does not take"),
        importance=1.0,
        safety="states",
        asked=False,
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
    ),
    _row(
        "medication",
        "用药",
        ("服用", "不服用"),
        ("takes", "does not take"),
        ("用药，已停用的写否定", "denied when it was stopped"),
        importance=0.8,
        ends=True,
    ),
    _row(
        "vital",
        "体征",
        ("测得", "没有测得"),
        ("measured", "did not measure"),
        ("体征，如体温、血压，带数值", "temperature, blood pressure and the like, with the value"),
        importance=0.6,
    ),
    _row(
        "test",
        "检查",
        ("检查", "没有做检查"),
        ("was tested:", "was not tested:"),
        ("做过的检查及结果", "a test that was made, with its result"),
        importance=0.6,
    ),
    _row(
        "state",
        "状况",
        ("状况", "否认"),
        ("is", "is not"),
        ("当前状态，如怀孕、哺乳", "how somebody is just now: pregnant, breastfeeding"),
        ends=True,
    ),
    _row(
        "habit",
        "习惯",
        ("习惯", "没有习惯"),
        ("has habit", "does not have habit"),
        ("习惯，如吸烟、睡眠、饮食", "smoking, sleep, diet, what is done regularly"),
        ends=True,
    ),
    _row(
        "family",
        "家人",
        ("家人", "没有家人"),
        ("has family", "does not have family"),
        importance=0.7,
        type=Type.RELATION,
    ),
    _row("pet", "宠物", ("宠物", "没有宠物"), ("has pet", "does not have pet"), type=Type.RELATION, ends=True),
    _row("like", "喜好", ("喜欢", "不喜欢"), ("likes", "dislikes"), type=Type.OPINION, ends=True),
    _row(
        "appointment",
        "预约",
        ("预约了", "没有预约"),
        ("has an appointment:", "has no appointment:"),
        ("预约、复诊，带日期", "with its day"),
        importance=0.7,
        ends=True,
    ),
    _row("plan", "打算", ("打算", "不打算"), ("plans", "does not plan"), ends=True),
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


def told_to_models(locale: str) -> str:
    """The predicates that a model may name, each with what belongs to it, for a prompt."""
    brackets, comma = ("（{}）", "、") if locale == "zh" else (" ({})", ", ")
    return comma.join(
        row.name + (brackets.format(row.hint[locale]) if row.hint[locale] else "")
        for row in PREDICATES.values()
        if row.asked
    )
