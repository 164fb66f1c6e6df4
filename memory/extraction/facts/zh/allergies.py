"""Chinese allergies in one clause: 对…过敏, 吃了…过敏, 过敏史：无."""

import re
from typing import Final

from memory.extraction.facts.frame import Finding
from memory.extraction.facts.zh.words import ALLERGEN
from memory.language.noise import without_noise

_NAME_CHARS_MAX: Final = 11

_NOT_ALLERGIC: Final = (
    r"(?:从来|从|并|都|也|已经|现在|以前|目前|一直|完全|根本)*"
    r"(?:不再|不是|不怎么|不|没有?|未)(?:出现|发生|引起)?过?(?:什么|任何)?"
)
_LEFT_DENIES: Final = re.compile(r"(?:没有?|不|不是|并非|从没有?|从未|从来没有?|未|否认|不再)(?:再|会|曾|说)?$")
_ALLERGIC: Final = re.compile(
    rf"对(?P<to>[^对，]{{1,30}}?)(?P<not>{_NOT_ALLERGIC})?(?:会|有点?|很|也|都|比较|严重|"
    r"容易|高度|重度|轻度|中度|产生)*过敏(?![性原源药])|"
    r"(?:吃|喝|用|闻到?|碰到?|接触|打|注射|输)(?:了|过|到)?(?P<by>[^，吃喝]{1,12}?)"
    rf"(?:之?后|以后)?(?P<not2>{_NOT_ALLERGIC})?(?:就|会|都|也|容易|老是?|总是?|有点?)*过敏(?![性原源药])"
)
_ALLERGY_HISTORY: Final = re.compile(
    r"(?P<no>没有?|无|否认|未发现|不存在)?(?:明确的?|任何|什么|啥|其[他它]|有)*(?P<what>(?:药物?|"
    r"食物|药品)(?:[、和及或](?:药物?|食物|药品))*)?(?:的)?过敏(?:史|反应|情况|症状|现象|"
    r"的药物?|的食物|的东西)?"
)
_ALLERGEN_NAMED: Final = re.compile(
    rf"(?P<no>没有?|无|不是?)?(?P<what>(?:{ALLERGEN})(?:[、和及或](?:{ALLERGEN}))*)(?:的)?(?:严重|"
    r"重度|轻度)?(?P<not>不)?过敏(?![性原源药]|的[人药])"
)
_ALLERGY_NONE: Final = re.compile(
    r"(?:史|反应|情况|症状|现象)?(?:[：:](?:无|否|没有|未发现|不存在|未见|阴性|[-－—]$)|(?:是|为)?(?:无|否|没有|阴性|不存在)$)"
)
_HISTORY_NONE: Final = re.compile(r"过敏史[：:](?:无|否|没有)$")
_ALLERGY_TEST: Final = re.compile(r"(?:试验|测试|检测|检查|皮试|筛查|结果|试纸)")
_ALLERGEN_EDGE: Final = re.compile(
    r"^(?:了|过|的|都|一些|某些|有些|这个|多种|像)+|(?:这[类种些].*|之?类的?(?:东西)?|都|"
    r"也|会|就|等|的|是|一直|有点|轻微|严重|[一]?直)+$"
)
_ALLERGEN_BAD: Final = re.compile(r"什么|哪|这|那|它|他|她|某|很多|东西|所有|皮肤|鼻|我|药物过|确认|要|不(?!锈)")
_AND: Final = re.compile(r"[、/]|以及|还有|和(?!牛)|及(?!其)|与|跟|或者?")


def allergy_findings(clause: str) -> list[Finding]:
    """What a clause says of allergies: claimed, denied, or an item of a form."""
    found: list[Finding] = []
    for match in _ALLERGIC.finditer(clause):
        what = match["to"] or match["by"]
        polarity = "-" if match["not"] or match["not2"] or _LEFT_DENIES.search(clause[: match.start()]) else "+"
        found += _allergens(what, polarity, match.start("to" if match["to"] else "by"))
    if found:
        return found
    named = _ALLERGEN_NAMED.search(clause)
    if named:
        polarity = _allergy_polarity(clause[named.end() :])
        denied = named["no"] or named["not"]
        return _allergens(named["what"], "-" if denied else polarity, named.start("what")) if polarity else []
    return _history(clause)


def _history(clause: str) -> list[Finding]:
    """A history of allergies, of anything or of drugs and food: had, denied, or an item of a form."""
    form = _HISTORY_NONE.search(clause)
    if form:
        return [Finding("allergy", "过敏史", "-", form.start() + 1, "allergy-history")]
    history = _ALLERGY_HISTORY.search(clause)
    if history and (history["no"] or (history["what"] and "有" in clause[: history.start("what")])):
        if history.group().endswith("过敏") and clause[history.end() :].startswith(("性", "原", "源", "药")):
            return []
        polarity = "-" if history["no"] else "+"
        if not history["what"]:
            return [Finding("allergy", "过敏史", polarity, history.start() + 1, "allergy-history")]
        return _allergens(history["what"], polarity, history.start() + 1)
    return []


def _allergy_polarity(right: str) -> str:
    """What the words after a named allergy make of it: 史：无 denies it, a test says it only if positive."""
    if _ALLERGY_TEST.match(right) and "阳性" not in right:
        return ""
    return "-" if _ALLERGY_NONE.match(right) else "+"


def _allergens(what: str, polarity: str, at: int) -> list[Finding]:
    items = (_ALLERGEN_EDGE.sub("", without_noise(item)) for item in _AND.split(what))
    return [
        Finding("allergy", item, polarity, at, "allergy")
        for item in items
        if item and len(item) <= _NAME_CHARS_MAX and not _ALLERGEN_BAD.search(item)
    ]
