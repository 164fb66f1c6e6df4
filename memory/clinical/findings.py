"""What is read of a message: safety facts, and what else is told of somebody's health."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from memory.clinical.people import USER

ALLERGY: Final = "allergy"
DISEASE: Final = "disease"
SURGERY: Final = "surgery"
PREGNANCY: Final = "pregnancy"
BREAST_FEEDING: Final = "breast_feeding"
IMPLANT: Final = "implant"
ANTICOAGULANT: Final = "anticoagulant"
SYMPTOM: Final = "symptom"
MEDICATION: Final = "medication"
VITAL: Final = "vital"
TEST: Final = "test"
DEVICE: Final = "device"
APPOINTMENT: Final = "appointment"
MOVED: Final = "moved"
"""The attribute of an appointment that is on another day now."""
DURATION: Final = "duration"
"""The attribute that says for how long, or since when, in the words of who said it."""
SINCE: Final = "since"
"""The same as a date, by the clock of who said it."""
ENDED: Final = "ended"
"""The attribute of a denial that says that what was held is over, or never was."""
TAKEN_BACK: Final = "taken_back"
"""The attribute of a denial that says that somebody corrected themself: a person decides which of the two is so."""
CONTRADICTS: Final = "contradicts"
"""The attribute of a denial that says which claim is held all the same, by its id: a person decides."""
CORRECTS: Final = "corrects"
"""The attribute that says from which memory, by its id, the object of a correction is: its own words do not say it."""
ANYTHING: Final = "*"
"""The text of a denial of all of a kind."""


class Finding(NamedTuple):
    """One fact of a message.

    `kind` is one of this module's; `text` what it is, as a reader is told; `quote` the words; `subject` USER, or the
    relative as said; `possible`: a person has to confirm it; `denied`: there is none, or no longer; `reaction`: what
    the body did; `attributes`: what else is said of it, by name.
    """

    kind: str
    text: str
    quote: str
    subject: str = USER
    possible: bool = False
    denied: bool = False
    reaction: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


def each_once(found: Iterable[Finding]) -> list[Finding]:
    """Each fact once, as it was told most firmly: none is possible beside the same one said.

    None by its name and other words for it (高血压 (血压高)) beside the same by its name alone, which has its harm
    then; of operations it is the other way round, as those words say where: 白内障手术 (右眼).
    """
    kept: dict[tuple[str, str, bool, str], Finding] = {}
    for finding in found:
        key = _key(finding, finding.text)
        if key not in kept or (kept[key].possible and not finding.possible):
            kept[key] = finding
    for key, finding in list(kept.items()):
        bare = _key(finding, finding.text.partition(" (")[0])
        if bare == key or bare not in kept or kept[bare].possible:
            continue
        if finding.kind == SURGERY:
            kept[key] = finding._replace(possible=False)
            del kept[bare]
        else:
            kept[bare] = kept[bare]._replace(reaction=kept[bare].reaction or finding.reaction)
            del kept[key]
    return list(kept.values())


def _key(finding: Finding, text: str) -> tuple[str, str, bool, str]:
    return finding.kind, text.casefold(), finding.denied, finding.subject
