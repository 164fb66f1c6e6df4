"""What a fact is, and the frame that the Chinese and the English rules share.

A rule looks at one clause and yields findings; the frame gives each finding its subject and its quote.
Subjects are found as mentions: the last one that stands before a finding owns it.
"""

from typing import Final, NamedTuple

USER: Final = "user"
# The two marks of a subject that is nobody whose facts are kept; "" says that no subject was named.
OTHER: Final = "\x00other"
UNNAMED: Final = ""
# He or she: the relative spoken of last, else somebody unknown.
PRONOUN: Final = "\x00pronoun"


class Fact(NamedTuple):
    """One thing that the user's words say about the user or about one of the user's relatives.

    `polarity` is "+" or "-" (denied); `quote` is the clause as it stands in the text; `rule` names the
    rule that found it.
    """

    subject: str
    predicate: str
    object: str
    polarity: str
    quote: str
    rule: str


class Finding(NamedTuple):
    """What a rule found in a clause; `at` is where in the clause, which decides whose fact it is."""

    predicate: str
    object: str
    polarity: str
    at: int
    rule: str


class Mention(NamedTuple):
    """A subject named in a clause. A passing one (you, the doctor) does not carry into the next clause."""

    at: int
    subject: str
    passing: bool = False


def subject_at(mentions: list[Mention], at: int, carried: str) -> str:
    """Whose fact stands at a place: the nearest mention before it, else who was spoken of before."""
    subject = relative = carried
    for mention in mentions:
        if mention.at >= at:
            break
        subject = _meant(mention.subject, relative)
        if not mention.passing and subject not in (USER, OTHER):
            relative = subject
    return subject


def carry_on(mentions: list[Mention], carried: str) -> str:
    """Who is spoken of after a clause with these mentions."""
    lasting = [mention for mention in mentions if not mention.passing]
    return subject_at(lasting, lasting[-1].at + 1, carried) if lasting else carried


def _meant(subject: str, relative: str) -> str:
    if subject != PRONOUN:
        return subject
    return OTHER if relative in (USER, OTHER, UNNAMED) else relative
