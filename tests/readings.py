"""What is read of a sentence by the rules, short enough to be written beside it."""

from memory.clinical.health.reading import read_health
from memory.clinical.people import USER
from memory.clinical.safety import read_safety


def safety_of(text: str, before: str = "") -> list[str]:
    """What is told of safety, in order: ? possible, - denied, @ whose, if not the user's. `before`: the question."""
    return sorted(
        {
            "?" * each.possible + "-" * each.denied + each.text + ("" if each.subject == USER else f"@{each.subject}")
            for each in read_safety(text, before)
        }
    )


def medicines_of(text: str, before: str = "") -> list[str]:
    """The user's medicines, in order: - no more."""
    found = (each for each in read_health(text, before) if each.kind == "medication" and each.subject == USER)
    return sorted({"-" * each.denied + each.text for each in found})
