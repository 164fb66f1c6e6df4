"""What the facts of a user come to: safety facts, the user's profile, a group's profile. Pure.

Profiles are views: they are made anew from the facts that are held true, and never hold anything that these do not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memory.clinical.findings import (
    ANYTHING,
    BREAST_FEEDING,
    CONTRADICTS,
    DISEASE,
    DURATION,
    PREGNANCY,
    SINCE,
    TAKEN_BACK,
)
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.relatives import is_relative
from memory.language.choice import spoken
from memory.model.memory import CALLER, Category, Kind, Memory, Source, Type, id_of
from memory.model.predicates import NAME, PREDICATES
from memory.model.profile import Profile
from memory.privacy.placeholders import is_mark
from memory.scope import ConversationScope, UserScope
from memory.session.safety import LIST_OF, POSSIBLE_PREFIX, REACTION, WHY, Detail, Status

_DAY_MS: Final = 86_400_000
_LASTS_MS: Final = {PREGNANCY: 300 * _DAY_MS, BREAST_FEEDING: 730 * _DAY_MS}
"""States that end by themselves, and when they are over at the latest."""
_TEXT: Final = {
    "zh": {
        "deny": "否认",
        "none": "无",
        "item": "、",
        "kind": "；",
        "colon": "：",
        "open": "（",
        "close": "）",
        "since": "{} 起",
        "profile": "用户画像",
        "group": "群体画像",
    },
    "en": {
        "deny": "denied: ",
        "none": "none",
        "item": ", ",
        "kind": "; ",
        "colon": ": ",
        "open": " (",
        "close": ")",
        "since": "since {}",
        "profile": "Profile",
        "group": "Group",
    },
}
_MEMBERS: Final = {"zh": "成员", "en": "members"}
_TEXT_CHARS_MAX: Final = 4_000
_GROUP_MIN: Final = 2


def held(facts: Iterable[Memory]) -> list[Memory]:
    """The facts that nothing has superseded or ended, as they were told."""
    current = (m for m in facts if m.kind is Kind.FACT and m.holds)
    return sorted(current, key=lambda memory: (memory.occurred_ms, memory.memory_id))


def safety_details(facts: Iterable[Memory], now_ms: int, name: str = "") -> list[Detail]:
    """What is held of the safety of the user and of relatives, with where it is from; also doubts, and denials.

    Of the user under their own name too; never of anybody else. What was denied once and claimed another time is
    claimed: here the mistake on the safe side is the right one. That somebody took it back stands beside it.
    """
    details = []
    for fact in held(facts):
        detail = safety_detail(fact, name)
        if detail is None or (detail.kind == DISEASE and not disease_lasts(detail.text)):
            continue
        if detail.said_ms < now_ms - _LASTS_MS.get(detail.kind, now_ms):
            continue
        open_one = detail.text == ANYTHING or not {TAKEN_BACK, CONTRADICTS}.isdisjoint(fact.attributes)
        if detail.denied and not open_one and detail.status is not Status.CONFIRMED:
            continue
        details.append(detail)
    return details


def safety_detail(fact: Memory, name: str = "") -> Detail | None:
    """A fact as one of safety; None when it is of something else, or of neither the user, so named, nor a relative."""
    kind = fact.predicate.removeprefix(POSSIBLE_PREFIX)
    own = fact.subject == USER or (name and fact.subject == name)
    if kind not in LIST_OF or not (own or is_relative(fact.subject)):
        return None
    sure = Status.CONFIRMED if fact.mind == CALLER else Status.REMEMBERED
    return Detail(
        kind=kind,
        text=fact.object,
        status=Status.POSSIBLE if kind != fact.predicate else sure,
        quote=fact.source.quote,
        conversation=fact.source.conversation,
        seq=fact.source.seqs[0] if fact.source.seqs else 0,
        said_ms=fact.occurred_ms,
        fact_id=fact.memory_id,
        is_memory=True,
        denied=fact.polarity == "-",
        reaction=fact.attributes.get(REACTION, ""),
        why=fact.attributes.get(WHY, ""),
        subject=USER if own else fact.subject,
    )


def name_of(profile: Profile, facts: Iterable[Memory]) -> str:
    """What a user is called, as was said or told last; empty when that is not known.

    The profile speaks where no fact does: for what callers told to gateways up to 0.1, and where facts have marks for
    names.
    """
    own = (fact for fact in held(facts) if (fact.subject, fact.predicate, fact.polarity) == (USER, NAME, "+"))
    named = [fact.object for fact in own if not is_mark(fact.object)]
    return named[-1] if named else profile.name


def is_told_name(fact: Memory, name: str) -> bool:
    """Whether a fact is what a caller told of a user's name."""
    return fact.mind == CALLER and (fact.subject, fact.predicate, fact.object) == (USER, NAME, name)


def places_of(scope: UserScope, memories: Iterable[Memory]) -> Sequence[ConversationScope]:
    """The conversations that memories come from, each once."""
    named = dict.fromkeys(memory.source.conversation for memory in memories if memory.source.conversation)
    return [ConversationScope(scope.tenant, name) for name in named]


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
    locale = spoken(locale, (fact.source.quote or fact.text for fact in own))
    text = f"{_TEXT[locale]['profile']}{_TEXT[locale]['colon']}{_told(own, locale)}"
    return _profile(user_profile_id(scope), scope.user, text, Source("", "", (), ""), own)


def group_profile(scope: ConversationScope, user: str, memories: Sequence[Memory], locale: str) -> Memory | None:
    """Who speaks in a conversation, how often, and what is known of each; None unless there are several people.

    Of people there are episodes, of agents only what they said.
    """
    locale = spoken(locale, (memory.text for memory in memories if memory.kind is not Kind.PROFILE))
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
    words = _TEXT[locale]
    by_predicate: dict[str, list[str]] = {}
    for fact in facts:
        denied = words["none"] if fact.object == ANYTHING else words["deny"] + fact.object
        if fact.object == ANYTHING and fact.polarity == "+":
            continue  # somebody found that it is wrong that there is none: of what there is, nothing is known
        told = _with_details(fact, words) if fact.polarity == "+" else denied
        by_predicate.setdefault(fact.predicate, []).append(told)
    order = [name for name in (*PREDICATES, *by_predicate) if name in by_predicate]
    return words["kind"].join(
        _label(name, locale) + words["colon"] + words["item"].join(dict.fromkeys(by_predicate[name]))
        for name in dict.fromkeys(order)
    )


def _label(predicate: str, locale: str) -> str:
    return PREDICATES[predicate].label[locale] if predicate in PREDICATES else predicate


def _with_details(fact: Memory, words: Mapping[str, str]) -> str:
    """What a fact is of, and what else is said of it."""
    shown = {name: said for name, said in fact.attributes.items() if name != WHY}  # of a verdict, not of the fact
    if SINCE in shown:  # for how long it was when it was said misleads whoever reads it later
        shown[DURATION] = words["since"].format(shown.pop(SINCE))
    said = words["item"].join(dict.fromkeys(text for text in shown.values() if text not in fact.object))
    return f"{fact.object}{words['open']}{said}{words['close']}" if said else fact.object


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
