"""What goes into a rewriting and what comes out of it."""

from typing import Final, NamedTuple

CONTEXT_UTTERANCES_MAX: Final = 5
"""Only so many of the last utterances can hold the antecedent."""

USER: Final = "user"
"""The speaker whose text is rewritten."""


class Utterance(NamedTuple):
    """Something said before. `speaker` is "user", "assistant" or a name; an unknown speaker is ""."""

    speaker: str
    text: str


class Resolution(NamedTuple):
    """The text to search with.

    `text` is never empty unless the input was; `changed` says whether it differs from the input. `reason` starts with
    a stable rule id. After a change it is mention, source and span: "person.name_twice: 她 -> 灿灿". Otherwise it says
    why there was none: "no_pronoun", "too_long", "no_context", "no_antecedent", "two_rivals", "antecedent_in_query",
    "name_asked", "idiom" or "plural".
    """

    text: str
    changed: bool
    reason: str


def unchanged(text: str, reason: str) -> Resolution:
    """A resolution that leaves the text as it is."""
    return Resolution(text, changed=False, reason=reason)
