"""All that what was found or said has ended: the one list of the rules that read endings, and when to ask them."""

from collections.abc import Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, ANTICOAGULANT, DISEASE, MEDICATION, MOVED, SURGERY, SYMPTOM
from memory.clinical.sketch import simplified
from memory.extraction.endings.answered import BY_ANSWER, answered
from memory.extraction.endings.changes import (
    PLANNED,
    changes,
    done,
    given_up,
    moved,
    relieved,
    thinned,
)
from memory.extraction.endings.follows import (
    cured,
    eats_again,
    goes_to_bed,
    grown_into,
    is_as_much_now,
    left_behind,
    married,
    outlived,
    quit_what,
    retyped,
    says_quit,
    says_retyped,
    taken_up_again,
    wedded,
)
from memory.extraction.endings.instead import drinks_otherwise, exercises_otherwise, operated_as_planned, says_operated
from memory.extraction.endings.known import Known, own_messages
from memory.extraction.endings.medicines import (
    all_finished,
    doses,
    exchanged,
    may_change,
    not_borne,
    of_a_kind,
    same_by_another_name,
)
from memory.extraction.endings.put_right import RIVALS, says_right
from memory.extraction.endings.said_again import CORRECTED, may_say_again, said_again
from memory.extraction.endings.unnamed import UNNAMED, tested, unnamed
from memory.extraction.endings.words import ENDINGS
from memory.language.apostrophes import spelled
from memory.model.extraction import Dialogue, FoundFact
from memory.model.predicates import FAMILY, HABIT, JOB, STATE

_MAY_END: Final = {
    ALLERGY: (MEDICATION,),
    DISEASE: (DISEASE,),
    FAMILY: (FAMILY, *PLANNED),
    SURGERY: (*PLANNED, DISEASE),
    STATE: (*PLANNED, STATE, JOB, HABIT, FAMILY),
    JOB: (STATE, JOB),
    HABIT: (STATE, HABIT),
}
"""By predicate of what was found: the predicates of what it may end."""


def may_end(dialogue: Dialogue, found: Sequence[FoundFact]) -> frozenset[str]:
    """The predicates of which a dialogue, or what was found in it, may end what is held."""
    texts = [simplified(spelled(said.text).text).strip() for said in own_messages(dialogue)]
    said = {name for ending in ENDINGS if any(map(ending.words.search, texts)) for name in ending.predicates}
    said.update(name for words, names in UNNAMED.items() if any(map(words.search, texts)) for name in names)
    said.update(name for fact in found for name in _MAY_END.get(fact.predicate, ()))
    said.update(fact.predicate for fact in found if fact.polarity == "-" and fact.predicate in {SYMPTOM, MEDICATION})
    said.update(name for words, names in BY_ANSWER.items() if any(map(words.search, texts)) for name in names)
    if any(map(may_change, texts)):
        said.add(MEDICATION)
    if any(map(says_retyped, texts)):
        said.add(DISEASE)
    if any(map(says_operated, texts)):
        said.update((*PLANNED, DISEASE))
    if any(map(says_quit, texts)):
        said.add(HABIT)
    if any(fact.attributes.get(MOVED) for fact in found):
        said.update(PLANNED)
    if may_say_again(dialogue):
        said.update(CORRECTED)
    if says_right(dialogue):
        said.update(RIVALS)
    return frozenset({*said, ANTICOAGULANT} if MEDICATION in said else said)


def endings(said: Dialogue, found: Sequence[FoundFact], known: Sequence[Known]) -> list[FoundFact]:
    """Denials of what is known and holds no longer, and what else an ending tells: of a switch, the new medicine.

    `known`: what is stored, and what was found in the same dialogue; nothing ends what was said after it.
    """
    over = [
        *changes(said, known),
        *doses(said, found, known),
        *answered(said, known),
        *not_borne(said, found, known),
        *exchanged(said, found, known),
        *all_finished(said, known),
        *of_a_kind(found, known),
        *same_by_another_name(said, found, known),
        *unnamed(said, known),
        *tested(said, found, known),
        *moved(found, known),
        *done(found, known),
        *married(found, known),
        *outlived(found, known),
        *relieved(found, known),
        *cured(found, known),
        *grown_into(found, known),
        *retyped(said, known),
        *wedded(found, known),
        *left_behind(found, known),
        *taken_up_again(found, known),
        *eats_again(found, known),
        *goes_to_bed(found, known),
        *is_as_much_now(found, known),
        *exercises_otherwise(said, found, known),
        *drinks_otherwise(said, found, known),
        *operated_as_planned(said, found, known),
        *quit_what(said, known),
        *said_again(said, found, known),
    ]
    return [*over, *thinned([*found, *over], known), *given_up(over, known)]
