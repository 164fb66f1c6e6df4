"""Safety facts as a nurse reads them: lists, and behind each entry who said it, where, and how sure it is."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from memory.clinical.findings import ALLERGY, ANYTHING
from memory.clinical.people import USER
from memory.model.predicates import NAME, PREDICATES
from memory.session.times import rfc3339


class Status(StrEnum):
    """How sure a safety fact is."""

    SAID = "said"
    """Somebody said it; its session is not in memory yet."""
    REMEMBERED = "remembered"
    """Somebody said it, and it is in memory."""
    CONFIRMED = "confirmed"
    """A caller has told it: a person, or a system that knows."""
    POSSIBLE = "possible"
    """A substance and harm stand together, or a disease beside a question: a person has to ask."""


LIST_OF: Final = {row.name: row.safety for row in PREDICATES.values() if row.safety}
"""The list in which a kind of safety fact stands."""
LISTS: Final = tuple(dict.fromkeys(LIST_OF.values()))
REACTION: Final = "reaction"
"""The attribute that says what the body did."""
WHY: Final = "why"
"""The attribute that says why a caller has decided so."""
RELATIVES: Final = "relatives"
SUBJECT: Final = "subject"
"""Of a detail that is a relative's: who it is, as said."""
POSSIBLE_PREFIX: Final = "possible_"
"""Of the predicate of a fact that a person has to confirm."""
GUARDED: Final = (NAME, *LIST_OF, *(POSSIBLE_PREFIX + kind for kind in LIST_OF))
"""The predicates on which safety rests, and names."""
_SURENESS: Final = (Status.POSSIBLE, Status.SAID, Status.REMEMBERED, Status.CONFIRMED)


_Key = tuple[str, str, str, bool]


class Detail(NamedTuple):
    """One safety fact and where it is from. `denied`: it is not so; of anything, there is none of this kind.

    Times are ms. `fact_id` is that of the memory that it is or will be. `subject`: whose it is, USER or a relative as
    said.
    """

    kind: str
    text: str
    status: Status
    quote: str = ""
    conversation: str = ""
    seq: int = 0
    said_ms: int = 0
    reaction: str = ""
    fact_id: str = ""
    is_memory: bool = False
    denied: bool = False
    why: str = ""
    subject: str = USER


def safety_view(lists: Mapping[str, Sequence[str]], details: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All that is known for safety, as plain JSON: the lists with what the details add, and the details, each once.

    `details` as `shown` gives them. Of two that say the same the surer one stays, of two as sure the first. What is
    possible stands in no list, nor what is a relative's: that has a list of its own. What a caller has decided
    otherwise is left out, until it is said again.
    """
    view: dict[str, Any] = {name: list(lists.get(name, ())) for name in LISTS}
    known = {name: {text.casefold() for text in texts} for name, texts in view.items()}
    kept: dict[_Key, Mapping[str, Any]] = {}
    every = list(details)
    decided, claimed = _decided(every), _claimed(every)
    for each in every:
        if _yields(each, decided) or _is_of_nothing(each) or _is_said_again(each, claimed):
            continue
        key = _key(each)
        if key not in kept or _SURENESS.index(each["status"]) > _SURENESS.index(kept[key]["status"]):
            kept[key] = each
        if each["status"] != Status.POSSIBLE and not each.get("denied") and SUBJECT not in each:
            name, folded = LIST_OF[each["kind"]], each["text"].casefold()
            if folded not in known[name]:
                known[name].add(folded)
                view[name].append(each["text"])
    view["details"] = [each for each in kept.values() if SUBJECT not in each]
    view[RELATIVES] = [each for each in kept.values() if SUBJECT in each]
    nothing = any(
        each.get("denied") and (each["kind"], each["text"]) == (ALLERGY, ANYTHING) for each in view["details"]
    )
    view["no_known_allergies"] = nothing and not view["allergies"]
    return view


def users_own(view: Mapping[str, Any]) -> dict[str, Any]:
    """The view without what is known of relatives."""
    return {name: value for name, value in view.items() if name != RELATIVES}


def _key(detail: Mapping[str, Any], *, contrary: bool = False) -> _Key:
    """Of what it is, and whether it is so."""
    denied = detail.get("denied", False)
    return detail.get(SUBJECT, USER), detail["kind"], detail["text"].casefold(), not denied if contrary else denied


def _decided(details: Iterable[Mapping[str, Any]]) -> dict[_Key, str]:
    """What callers have decided, and when."""
    return {_key(each): each["said_at"] for each in details if each["status"] == Status.CONFIRMED and "said_at" in each}


def _yields(detail: Mapping[str, Any], decided: Mapping[_Key, str]) -> bool:
    """Whether the contrary was decided after it was said: times of RFC 3339 in UTC compare as texts."""
    contrary = decided.get(_key(detail, contrary=True))
    return contrary is not None and "" < detail.get("said_at", "") <= contrary


def _claimed(details: Iterable[Mapping[str, Any]]) -> dict[_Key, tuple[str, int]]:
    """What was said to be so, and when last."""
    claimed: dict[_Key, tuple[str, int]] = {}
    for each in details:
        if not each.get("denied") and "said_at" in each:
            key = _key(each)
            claimed[key] = max(claimed.get(key, ("", 0)), _when(each))
    return claimed


def _is_said_again(detail: Mapping[str, Any], claimed: Mapping[_Key, tuple[str, int]]) -> bool:
    """Whether it was denied, and said once more after that: then the denial is over."""
    if not detail.get("denied") or detail["status"] == Status.CONFIRMED or "said_at" not in detail:
        return False
    last = claimed.get(_key(detail, contrary=True))
    return last is not None and last > _when(detail)


def _when(detail: Mapping[str, Any]) -> tuple[str, int]:
    return detail["said_at"], detail.get("seq", 0)


def _is_of_nothing(detail: Mapping[str, Any]) -> bool:
    """Whether it is the verdict that not everything is denied: of what there is it says nothing."""
    return detail["text"] == ANYTHING and not detail.get("denied") and "said_at" in detail


def shown(detail: Detail) -> dict[str, Any]:
    """A detail as plain JSON; what is not known is left out."""
    fields = {
        SUBJECT: detail.subject if detail.subject != USER else None,
        "kind": detail.kind,
        "text": detail.text,
        "status": detail.status.value,
        "denied": detail.denied or None,
        "quote": detail.quote or None,
        "reaction": detail.reaction or None,
        "conversation_id": detail.conversation or None,
        "seq": detail.seq or None,
        "said_at": rfc3339(detail.said_ms) if detail.said_ms else None,
        "fact_id": detail.fact_id or None,
        "memory_id": detail.fact_id if detail.is_memory else None,
        "why": detail.why or None,
    }
    return {name: value for name, value in fields.items() if value is not None}
