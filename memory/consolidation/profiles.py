"""What the facts of a user come to: safety facts, the user's profile, a group's profile. Pure.

Profiles are views: they are made anew from the facts that are held true, and never hold anything that these do not.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memory.model.memory import Category, Kind, Memory, Source, Type, id_of
from memory.scope import ConversationScope, UserScope

USER: Final = "user"
"""The subject of facts that users tell of themselves."""
_SAFETY: Final = {"allergy": "allergies", "disease": "chronic_diseases", "surgery": "surgery_history"}
_CHRONIC: Final = re.compile(
    r"慢性|高血压|糖尿病|冠心病|心脏病|心衰|心力衰竭|房颤|心律失常|心梗|心肌梗[死塞]|哮喘|慢阻肺|肺气肿|癫痫|帕金森|阿尔茨海默|痴呆"
    r"|甲亢|甲减|甲状腺功能|痛风|高血脂|高脂血症|高尿酸|肝硬化|[乙丙]型?肝|肾病|肾炎|肾衰|肾功能|尿毒症|类风湿|狼疮|强直性|骨质疏松|癌|肿瘤"
    r"|白血病|抑郁症|焦虑症|精神分裂|双相|艾滋|血友病|贫血症|地中海贫血|蚕豆病|溃疡性结肠炎|克罗恩|银屑病|牛皮癣|青光眼|脑梗|中风|卒中|脑出血"
    r"|\bchronic|diabet|hypertension|high blood pressure|asthma|\bcopd\b|emphysema|epilep|parkinson|alzheimer|dementia"
    r"|thyroid|\bgout\b|high cholesterol|cirrhosis|hepatitis [bc]\b|kidney (?:disease|failure)|renal|rheumatoid|lupus"
    r"|osteoporosis|cancer|leuk[ae]+mia|tumou?r|depression|anxiety disorder|bipolar|schizophren|\bhiv\b|h[ae]+mophilia"
    r"|crohn|ulcerative colitis|psoriasis|glaucoma|stroke|heart (?:disease|failure|attack)|atrial fibrillation"
    r"|arrhythmia|coronary|sickle cell|multiple sclerosis",
    re.IGNORECASE,
)
_LABELS_ZH: Final = {
    "name": "姓名",
    "sex": "性别",
    "age": "年龄",
    "job": "职业",
    "residence": "住地",
    "allergy": "过敏",
    "disease": "疾病",
    "surgery": "手术",
    "medication": "用药",
    "state": "状况",
    "habit": "习惯",
    "family": "家人",
    "pet": "宠物",
    "like": "喜好",
    "plan": "打算",
}
_ORDER: Final = tuple(_LABELS_ZH)
_LABELS: Final[Mapping[str, Mapping[str, str]]] = {"zh": _LABELS_ZH, "en": {}}
_TEXT: Final = {
    "zh": {"deny": "否认", "item": "、", "kind": "；", "colon": "：", "profile": "用户画像", "group": "群体画像"},
    "en": {"deny": "denied: ", "item": ", ", "kind": "; ", "colon": ": ", "profile": "Profile", "group": "Group"},
}
_MEMBERS: Final = {"zh": "成员", "en": "members"}
_TEXT_CHARS_MAX: Final = 4_000
_GROUP_MIN: Final = 2


def held(facts: Iterable[Memory]) -> list[Memory]:
    """The facts that nothing has superseded or ended, as they were told."""
    current = (m for m in facts if m.kind is Kind.FACT and not m.superseded_by and m.valid_to_ms is None)
    return sorted(current, key=lambda memory: (memory.occurred_ms, memory.memory_id))


def safety_facts(facts: Iterable[Memory], name: str = "") -> dict[str, list[Memory]]:
    """The user's own allergies, chronic diseases and operations, by the names that a profile gives them.

    Of the user under their own name too; never of anybody else. What was denied once and claimed another time is
    claimed: here the mistake on the safe side is the right one.
    """
    found: dict[str, list[Memory]] = {kind: [] for kind in _SAFETY.values()}
    for fact in held(facts):
        own = fact.subject == USER or (bool(name) and fact.subject == name)
        lasting = fact.predicate != "disease" or _CHRONIC.search(fact.object) is not None
        if own and lasting and fact.polarity == "+" and fact.predicate in _SAFETY:
            found[_SAFETY[fact.predicate]].append(fact)
    return found


def own_name(facts: Iterable[Memory]) -> str:
    """What users last said that they are called; empty when they have not."""
    told = [fact.object for fact in held(facts) if fact.subject == USER and fact.predicate == "name"]
    return told[-1] if told else ""


def user_profile_id(scope: UserScope) -> str:
    """Of each user there is one."""
    return id_of(f"{scope}/{Kind.PROFILE}", scope.tenant, scope.user)


def group_profile_id(scope: ConversationScope, user: str) -> str:
    """Of each conversation in which several people speak every user who leads it has one."""
    return id_of(f"{scope}/{Kind.PROFILE}/group", scope.tenant, user)


def user_profile(scope: UserScope, facts: Iterable[Memory], locale: str) -> Memory | None:
    """The user's profile; None when nothing is known of the user."""
    own = [fact for fact in held(facts) if fact.subject == USER]
    if not own:
        return None
    text = f"{_TEXT[locale]['profile']}{_TEXT[locale]['colon']}{_told(own, locale)}"
    return _profile(user_profile_id(scope), scope.user, text, Source("", "", (), ""), own)


def group_profile(scope: ConversationScope, user: str, memories: Sequence[Memory], locale: str) -> Memory | None:
    """Who speaks in a conversation, how often, and what is known of each; None unless there are several people.

    Of people there are episodes, of agents only what they said.
    """
    words = _TEXT[locale]
    members = {memory.subject for memory in memories if memory.kind is Kind.EPISODE and not memory.position}
    people = Counter(memory.speaker for memory in memories if memory.position and memory.speaker in members)
    if len(people) < _GROUP_MIN:
        return None
    parts = [_MEMBERS[locale] + words["colon"] + words["item"].join(f"{who} ({n})" for who, n in people.most_common())]
    known = held(memories)
    for who in people:
        about = [fact for fact in known if fact.subject == who]
        if about:
            parts.append(f"{who}{words['colon']}{_told(about, locale)}")
    text = f"{words['group']}{words['colon']}{words['kind'].join(parts)}"
    source = Source(scope.conversation, "", (), "")
    made_of = [memory for memory in memories if memory.kind is not Kind.PROFILE]
    return _profile(group_profile_id(scope, user), user, text, source, made_of)


def _told(facts: Sequence[Memory], locale: str) -> str:
    words, labels = _TEXT[locale], _LABELS[locale]
    by_predicate: dict[str, list[str]] = {}
    for fact in facts:
        told = fact.object if fact.polarity == "+" else words["deny"] + fact.object
        by_predicate.setdefault(fact.predicate, []).append(told)
    order = [*(name for name in _ORDER if name in by_predicate), *(n for n in by_predicate if n not in _ORDER)]
    return words["kind"].join(
        labels.get(name, name) + words["colon"] + words["item"].join(dict.fromkeys(by_predicate[name]))
        for name in order
    )


def _profile(memory_id: str, user: str, text: str, source: Source, made_of: Sequence[Memory]) -> Memory:
    return Memory(
        memory_id=memory_id,
        user_id=user,
        kind=Kind.PROFILE,
        category=Category.CORE,
        type=Type.FACT,
        text=text[:_TEXT_CHARS_MAX],
        source=source,
        occurred_ms=max(memory.occurred_ms for memory in made_of),
        recorded_ms=max(memory.recorded_ms for memory in made_of),
        importance=1.0,
    )


def by_kind(found: Mapping[str, Sequence[Memory]]) -> dict[str, list[str]]:
    """The objects of safety facts, by kind."""
    return {kind: [fact.object for fact in facts] for kind, facts in found.items()}
