"""Whether two names of safety are of one thing, in the same words or in others: hypertension, high blood pressure."""

from memory.clinical.languages import in_use


def is_of_one(one: str, other: str) -> bool:
    """Whether one name is part of the other, or a lexicon knows both by one name."""
    first, second = one.casefold(), other.casefold()
    return first in second or second in first or not concepts(one).isdisjoint(concepts(other))


def concepts(text: str) -> frozenset[str]:
    """The things that a text names, each under the one name that a lexicon has for it."""
    lexicon = in_use().lexicon
    return frozenset(lexicon.concept_of(each.term) for each in lexicon.mentions(text.lower()))
