"""What a language has to say for complaints, medicines, values and tests to be read: patterns over sketches."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class HealthGrammar:
    """Patterns of one language. `…_before` are searched in what of a clause stands before, `…_after` behind."""

    written: Pattern
    """A text in which this language says whole clauses."""
    complaints: Sequence[Pattern]
    """What is wrong, beside the lexicon: group x; `no`: not so, or no longer. The first: one would not live."""
    denied_before: Pattern
    """It is not so: beside what every grammar denies with."""
    over_after: Pattern
    """A complaint that has passed."""
    not_now_before: Pattern
    """What follows is feared, caused by something else, or spoken of in general."""
    not_now_after: Pattern
    asks_of_it: Pattern
    """A clause that asks whether something causes a complaint, or which ones there are."""
    lasting: Pattern
    """For how long, or since when: group x."""
    severity: Pattern
    side: Pattern
    course: Pattern
    """How it goes: by fits, at night, worse."""
    taken_before: Pattern
    """Taken, prescribed, applied: stands before a medicine."""
    taken_after: Pattern
    not_taken_before: Pattern
    """Wanted, asked for, advised: it is not taken."""
    not_taken_after: Pattern
    only_named: Pattern
    """A clause in which a medicine is named that need not be taken: heard of, proposed, compared, bought for others."""
    never_before: Pattern
    """It has not been taken."""
    stopped_before: Pattern
    stopped_after: Pattern
    others_want: Pattern
    """A whole clause: somebody who is no doctor wants a medicine stopped, or says that it should be."""
    staff: Pattern
    """Whoever may stop a medicine, and where they are."""
    followed: Pattern
    """Said after it: it was stopped, or may have been."""
    not_followed: Pattern
    """Said after it: it was not."""
    unlikely_before: Pattern
    """Before a medicine of which nothing says that it is taken: the clause says no to something."""
    resumed: Pattern
    """Behind a medicine that was stopped: it is taken again."""
    stopped_alone: Pattern
    """A clause after the medicine that says that it was stopped."""
    used_before: Pattern
    """Worn, used, fitted: stands before a device."""
    used_after: Pattern
    left_after: Pattern
    """Behind a device that is used no longer."""
    shaped: Pattern
    """A medicine that no lexicon has, behind a word of taking it: by the shape of its name."""
    switched: Sequence[Pattern]
    """Groups x, the medicine that was left, and y, the one that is taken instead; either may be missing."""
    dose: Pattern
    dose_now: Pattern
    """The dose that it was changed to."""
    asks_treatment: Pattern
    """A question for what is taken."""
    asks_still: Pattern
    """A question whether a medicine is taken still: who says no has stopped it."""
    asks_dose: Pattern
    """A question for how much is taken."""
    frequency: Pattern
    vitals: Mapping[str, Pattern]
    """By name of what was measured: group x is the value as said."""
    done_before: Pattern
    """A test that was made."""
    planned_before: Pattern
    """One that is to be made, or that is asked about."""
    result_after: Pattern
    """What came out of it."""
    occasion: Pattern
    """What one is given a day for."""
    day: Pattern
    """A day, and a time of it."""
    moved: Pattern
    """It is on another day now."""
    moved_alone: Pattern
    """A clause that says no more than that it was moved: the day stands behind it."""
    asks_moved: Pattern
    """A question for the day that something was moved to: the answer names only that."""
    called_off: Pattern
    """It does not take place."""
    was: Pattern
    """It has been."""
    asks_over: Pattern
    """A question whether a complaint is over: who says yes has it no more."""
    yes: Pattern
    """An answer that says yes to what was asked, be it with more words."""
    no: Pattern
    kind_of: Sequence[Pattern]
    """Words that only say that there is a complaint, and not which."""
