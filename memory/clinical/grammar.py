"""What a language has to say for assertion and frames to be read in it: patterns over sketches, and nothing else.

After ConText (Harkema et al. 2009, doi:10.1016/j.jbi.2009.05.002): a word of medicine is believed of its speaker unless
something beside it says that it is denied, doubted, asked, told of others, or of nobody.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """Patterns of one language. `…_before` are searched in what of a clause stands before, `…_after` behind."""

    written: Pattern
    """A text in which this language is written at all."""
    asks_first: bool
    """Whether questions show at their beginning, so that one asks about all that follows in its clause."""
    telling: Pattern
    """Without a word of medicine and without this a text says nothing of safety."""
    allergic: Pattern
    """Without a substance and without this it says nothing of allergies."""
    cut: Pattern
    """Without an organ, a disease or an operation and without this it says nothing of operations."""
    people: Pattern
    """Who is spoken of. Groups: own, relative, pronoun, other."""
    staff: Pattern
    """Pronouns that mean doctors while nobody has been named."""
    retold: Pattern
    """A text that as a whole is no report: to be translated, made up, homework."""
    reported: Pattern
    """What comes after it in its sentence is read or heard, and not reported of oneself."""
    denied_before: Pattern
    denied_after: Pattern
    doubted_before: Pattern
    doubted_after: Pattern
    supposed: Pattern
    """What comes after it in its sentence is supposed."""
    overturned: Pattern
    """What was said before it proved wrong."""
    asked: Pattern
    """A clause that asks without a question mark."""
    noted: Pattern
    """A clause that asks for what it says to be noted: it asks nothing."""
    own_before: Pattern
    """It is theirs: stands before what they have, also where they ask about something else."""
    had_before: Pattern
    """Says that somebody has what follows at once."""
    since_after: Pattern
    """For how long, or that it is treated: somebody has it."""
    general_after: Pattern
    """Says that the thing itself is spoken of, or those who have it."""
    over_after: Pattern
    """Healed, or ruled out later."""
    allergies: Sequence[Pattern]
    """Group x: what is not borne; `no` and `not_to`: unless one is there; `maybe`: uncertain when this is there."""
    averse: Sequence[Pattern]
    """Group x: what may not be borne, where nothing else has decided about it; group `maybe` is there always."""
    headings: Pattern
    """Group `kind`: what is listed behind it; group x: the list, to the end of the line."""
    nothing: Pattern
    """What stands for none behind a heading, or as a whole answer."""
    yes: Pattern
    no_allergies: Pattern
    no_diseases: Pattern
    contact_before: Pattern
    """Taken or touched: stands before a substance."""
    contact_after: Pattern
    treated: Pattern
    """Between a substance and what the body did, or around them: the substance is a remedy."""
    unharmed: Pattern
    """Nothing came of it."""
    harm: Pattern
    """What a body did, told as a part and its harm, beside the lexicon of reactions."""
    disliked: Pattern
    """Somebody cannot stand a thing, or its smell, or food was bad: what it does to them is no allergy yet."""
    disgust: Pattern
    """What a body does at the thought of a thing, or after food that was bad."""
    upset: Pattern
    """What a body does that is only worth a question beside a food or something touched."""
    caused: Pattern
    """What a body did told as what was done to it: then it needs no word of contact."""
    led_to: Pattern
    """Stands between a substance and what it did."""
    likened: Pattern
    """Right before something that another thing is only like."""
    came_of: Pattern
    """Stands between what a body did and the substance, told in this order."""
    avoided: Sequence[Pattern]
    """Groups x, and `told` when somebody has said so for good."""
    planned: Pattern
    """An operation that is to come."""
    done_before: Pattern
    done_after: Pattern
    operations: Sequence[Pattern]
    """An organ and what was done with it; group x is what is told of it."""
    operated: Pattern
    """Right behind an organ: what is done with one, though nothing says that it was."""
    pregnant: Pattern
    not_pregnant: Pattern
    nursing: Pattern
    takes_before: Pattern
    takes_after: Pattern
    not_taken: Pattern
    asks_allergy: Pattern
    asks_reaction: Pattern
    """What a substance does to somebody."""
    asks_disease: Pattern
    asks_operation: Pattern
    asks_thinner: Pattern
    asks_pregnancy: Pattern
    named_disease: Pattern
    """A disease that stands in no list, by its shape: group x."""
    pregnant_name: str
    nursing_name: str
