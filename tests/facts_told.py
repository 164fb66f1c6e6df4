"""What rules make of one message when it is memory: safety and the other facts together."""

from memory.clinical.people import USER
from memory.extraction.facts.clinical import with_health
from memory.extraction.rules_mind import extract
from memory.model.extraction import Dialogue, FoundFact, Said

_AT_MS = 1_764_000_000_000


def facts_told(text: str) -> list[FoundFact]:
    """All facts that a message tells."""
    dialogue = Dialogue([Said(1, USER, own=True, text=text, at_ms=_AT_MS)], "", "en")
    return list(with_health(extract(dialogue), dialogue, by_rules=True).facts)


def safety_told(text: str) -> set[tuple[str, str, str]]:
    """Sign, kind and name of each allergy and disease of the user; what is only possible is left out."""
    return {
        (fact.polarity, fact.predicate, fact.object)
        for fact in facts_told(text)
        if fact.subject == USER and fact.predicate in {"allergy", "disease"}
    }
