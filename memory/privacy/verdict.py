"""What the privacy gate answers, and what its two languages share."""

from typing import Final, Literal, NamedTuple

from memory.language.vocabulary import Kind, kinds_of

PRIVATE: Final = "PRIVATE"
PUBLIC: Final = "PUBLIC"
MEDICAL: Final = Kind.ALLERGY | Kind.CONDITION | Kind.MEDICATION | Kind.SYMPTOM | Kind.ALARM
_NOISE: Final = ("courtesy", "general")
_FINDING: Final = Kind.SYMPTOM | Kind.CONDITION | Kind.ALLERGY


class Verdict(NamedTuple):
    """Whether a text is worth remembering about its user, and the rule and clause that decided."""

    label: Literal["PRIVATE", "PUBLIC"]
    rule: str
    clause: str

    @property
    def reason(self) -> str:
        """The rule's name, a colon and the deciding clause as it stands in the text."""
        return f"{self.rule}: {self.clause}"

    @property
    def is_noise(self) -> bool:
        """Whether the text is a courtesy or what everybody knows: nothing that anybody would look for."""
        return self.label == PUBLIC and self.rule in _NOISE


def judge_question(text: str, *, own: bool, hypothetical: bool) -> tuple[bool, str]:
    """Whether a question tells something, and by which rule: one about oneself that names a finding tells of it."""
    if own and not hypothetical and kinds_of(text) & _FINDING:
        return True, "question-with-finding"
    return False, "question"
