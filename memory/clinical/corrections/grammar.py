"""What a language has to say for corrections to be read in it: patterns over sketches, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.clinical.grammar import Pattern


@dataclass(frozen=True, slots=True)
class CorrectionGrammar:
    """Patterns of one language.

    Groups: `w`, what was wrong, and `r`, what is right instead; each one letter. `both`: the first of a list is wrong,
    the rest right.
    """

    may_correct: Pattern
    """Without this a text takes nothing back: looked for in every message."""
    mark: Pattern
    """Somebody says that they said it wrongly."""
    named: Sequence[Pattern]
    """What was wrong and what is right, in words that say so themselves."""
    marked: Sequence[Pattern]
    """The same, in words that mean it beside a mark only. Without group `w` it is not named what was wrong.

    No pattern may try a run of fillers in more than one way: bounded, and possessive where two meet.
    """
    lead: Pattern
    """What may stand in a sentence before a form without a mark: who names what the form is about means that."""
    borne: Pattern
    """Around what is right: it is no trouble, or not what is spoken of."""
    loose: Pattern
    """Somebody may say so: beside this a word of medicine is worth a question."""
    of_else: Pattern
    """What is put right is something else: a day, a number, what was taken."""
    not_of_else: Pattern
    """What is put right is an allergy after all, or what somebody has."""
    added: Pattern
    """It comes in addition: nothing is put right."""
    told_by: Pattern
    """Right behind a relative: who knows it better, and tells the speaker of the speaker."""
    operated: str
    """What is told behind an organ of which nobody says what was done with it."""
