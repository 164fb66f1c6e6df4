"""What somebody was told not to have: for good, as if they were allergic, or for now, or beside something else."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, Finding
from memory.clinical.reactions import Harm, harms_of, is_a_drug, is_mild, near
from memory.clinical.reading import NEAR, Reading
from memory.clinical.sketch import Group, pattern

_NEVER: Final = re.compile(
    r"再|永远|辈子|终[身生]|以后|从此|[禁忌]|千万|绝对|[碰沾]|\b(?:never|ever|away|clear|again|no more|off|banned)\b"
)
_NO_MORE: Final = re.compile(r"\s?(?:了|啦|any ?more\b|for now\b|for a (?:bit|while|few|couple)\b|for \d+\b|until\b)")
_BESIDE: Final = pattern(
    r"^s?(?: and \w+)? (?:with|while|whilst|when|during|before|after|as long as|until|till|on an|more than|in case"
    r"|unless|if|near|around)\b(?![^.;!?]*\ball?erg)"
    r"|^(?:类|的?药物?|片)?(?:不能|别)?(?:[和跟同与]|空腹|超过|多)"
)
"""Behind what is not to be had: it is so beside something, or for a time."""
_BESIDE_BEFORE: Final = pattern(
    r"(?:吃|用|打|服|喝|吃着|用着|在吃|在用|停)(?:了|着|完|的)?(?:<S>|疫苗|药|抗生素|中药)(?:类|期间|的?时候|时|后"
    r"|之后|以后|前)*[，,]?"
    r"[^。；！？\n]{0,8}$|(?:期间|的时候|阶段|术前|手术前|术后|手术后|化疗|放疗|检查前|抽血前|拔牙[前后]"
    r"|出院后)[^。；！？\n]{0,8}$"
    r"|\b(?:while|during|before|when|as long as) [^.;!?\n]{0,30}$"
)
"""The same before it."""
_REASON: Final = pattern(
    r"(?:(?:because|cos|coz|cuz) of|due to) (?:the |my )?<GSRY>|<D>|胃|肾|肝|心脏|血压|血糖|尿酸|痛风"
    r"|溃疡|怀孕|孕|哺乳|喂奶|伤口|感冒|咳嗽|上火|发炎|拉肚子|腹泻|结石|(?:身体|体质)[虚寒弱]|出血"
    r"|\b(?:kidneys?|liver|stomach|ulcers?|reflux|heart|blood pressure|bp|sugars?|pregnan\w+|breast-?feeding|nursing"
    r"|bleed\w*|gout|bowels?|ibs|diet|weight|cholesterol|interact\w*|age"
    r"|surgery|operation|migraines?)\b"
)
"""Why somebody is not to have it, where that is no reaction."""


_FOR_ANOTHER: Final = re.compile(
    r"(?:[他她]|宝宝|孩子|娃|儿子|女儿)[^。！？\n]{0,16}过敏[^。！？\n]{0,6}所以我"
    r"|\b(?:he|she|baby|son|daughter)\b[^.!?\n]{0,30}\ballerg\w+[^.!?\n]{0,20}\bso i\b"
)
"""Before it: somebody who is fed by the speaker, or lives with them, does not bear it."""


def avoided(reading: Reading) -> Iterator[Finding]:
    """What somebody was told never to have again.

    A medicine left alone for another reason, or for now: possible. What does not go with something else, what is left
    before a test, a food left for one's stomach: nothing.
    """
    harms: list[Harm] | None = None
    for each in reading.grammar.avoided:
        for found in each.finditer(reading.drawn):
            at = found.start("x")
            group = reading.sketch.groups.get(at)
            if not found["told"] or group is None or at in reading.taken or reading.retracted(at):
                continue
            clause = reading.sketch.clause_at(at)
            if reading.asks(clause) or reading.grammar.treated.search(reading.words(clause, clause)):
                continue
            harms = harms_of(reading) if harms is None else harms
            certain = _how_certain(reading, found, group, harms)
            reading.taken.add(at)
            if certain is False:
                reading.left_open.update(reading.names(group))
            if certain is not None:
                yield from reading.told_each(ALLERGY, group, at, possible=not certain, end=found.end())


def _how_certain(reading: Reading, found: re.Match[str], group: Group, harms: Sequence[Harm]) -> bool | None:
    """None: it is no allergy."""
    at, drawn = found.start("x"), reading.drawn
    if near([harm for harm in harms if not is_mild(reading, group, harm)], at):
        return not _is_stopped(drawn, found)
    clause = reading.sketch.clause_at(at)
    began = max(clause.began, at - 2 * NEAR)
    beside = _BESIDE.search(drawn[at + 1 : at + NEAR]) or _BESIDE_BEFORE.search(drawn, began, found.end("told"))
    never = _NEVER.search(found.group()) is not None
    if _is_stopped(drawn, found) or (beside and not never):
        return False if is_a_drug(group) and not beside else None
    if _FOR_ANOTHER.search(drawn, max(0, began - 2 * NEAR), at):
        return None
    reason = _REASON.search(drawn, began, at) or _REASON.search(drawn, at + 1, min(len(drawn), at + NEAR))
    if reason is not None:
        return False if is_a_drug(group) else None
    return True


def _is_stopped(drawn: str, found: re.Match[str]) -> bool:
    """Whether it is to be taken no more, and not never again: what treats somebody is stopped for many reasons."""
    return _NO_MORE.match(drawn, found.end("x")) is not None and _NEVER.search(found.group()) is None
