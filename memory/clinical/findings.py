"""What is read of a message: safety facts."""

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
SAID: Final = "said"
POSSIBLE: Final = "possible"
ANYTHING: Final = "*"
"""The text of a denial of all of a kind."""


class Finding(NamedTuple):
    """One safety fact of a message.

    `kind` is one of this module's; `text` what it is, as a reader is told; `status`: SAID, or POSSIBLE for a person to
    confirm; `polarity` "+" or "-" (denied); `subject` "user", or the relative as said; `quote` the words; `reaction`:
    what the body did.
    """

    kind: str
    text: str
    status: str
    polarity: str
    quote: str
    subject: str = USER
    reaction: str = ""


def each_once(found: Iterable[Finding]) -> list[Finding]:
    """Each fact once, as it was told most firmly: none is possible beside the same one said."""
    kept: dict[tuple[str, str, str, str], Finding] = {}
    for finding in found:
        key = (finding.kind, finding.text.casefold(), finding.polarity, finding.subject)
        if key not in kept or (kept[key].status == POSSIBLE and finding.status == SAID):
            kept[key] = finding
    return list(kept.values())
