"""Whose clause it is, where an English clause names somebody who is neither the user nor a relative.

A name or a noun that opens a clause owns it ("Anna works as a nurse", "my landlord has gout"). A capitalised word is
taken for a person only if it was introduced or is a common first name; any other keeps the clause from the user.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.extraction.facts.en.words import RELATIVE
from memory.extraction.facts.frame import OTHER, Mention
from memory.language.coreference.en.query import introductions
from memory.language.coreference.en.words import FEMALE_NAMES, MALE_NAMES, NOT_NAMES, VERBS

_OF_A_BEING: Final = (
    r"has|had|have|owns?|takes?|took|lives?|lived|works?|worked|likes?|loves?|hates?|enjoys?|prefers?|dislikes?|adores?|smokes?|drinks?|"
    r"vapes?|eats?|moved|got|adopted|quit|stopped|turned|plans|doesn't|don't|never|always|usually|really|also|suffers|went|comes|grew|"
    r"meditates|exercises|can't stand|was diagnosed|keeps"
)
_BE: Final = r"is|was|are|were"
_VERB: Final = rf"(?:{_OF_A_BEING}|{_BE})"
_SAID_OF_A_BEING: Final = (
    r"(?:a|an|the|from|allergic|diabetic|asthmatic|pregnant|retired|vegan|vegetarian|single|married|moving|planning|going|flying|into|"
    r"called|named|also|just|now|only|\d+|diagnosed|on|taking|having|not|very|really|still)\b"
)
_WORD: Final = r"[A-Z][a-z'’\u00e0-\u024f-]+"
_TITLE: Final = r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Professor|Doctor|Uncle|Aunt|Auntie|Coach|Sir|Miss)\.?\s)"
_NAME: Final = re.compile(
    rf"(?:^|(?<=\s))(?P<title>{_TITLE})?(?P<name>{_WORD}(?:\s{_WORD})?)(?P<and>\s(?:and|or|&)\s{_WORD})?"
    rf"(?=(?P<theirs>['’]s)?(?:\s[a-z]+ly)?\s(?:(?P<plain>{_VERB})|{'|'.join(sorted(VERBS))}|[a-z]{{3,}}ed)\b|['’]s\s)"
)
_GOVERNED: Final = re.compile(
    rf"\b(?:in|at|from|to|with|of|for|near|on|about|by|like|visit|around|after|before|the|(?:my|our)\s(?:\w+\s)?(?:{RELATIVE})|"
    r"named|called|is|was|i'm|am|me)\s$",
    re.IGNORECASE,
)
_OWNS: Final = re.compile(rf"['’]s\s(?!{_SAID_OF_A_BEING})")
_OUTSIDER: Final = re.compile(r"\b(?:my|our|a|the|his|her|their|your)\s(?:[a-z-]+\s){1,2}$", re.IGNORECASE)
_NO_NOUN: Final = rf"(?:{_VERB}|i|i'm|i've|you|he|she|we|they|it|and|or|am|that|but)\b"
_NOUN: Final = re.compile(
    r"\b(?P<of>my|our|the|this|that|a|an|some|every|each|another|his|her|their|your|one of my|most|all)\s"
    rf"(?P<noun>(?!{_NO_NOUN})[\w'’-]+(?:\s(?!{_NO_NOUN})[\w'’-]+){{0,4}}?)\s(?:(?P<being>{_OF_A_BEING})|(?:{_BE})\s(?P<said>{_SAID_OF_A_BEING})?)(?=\s|$|(?<=\s))",
    re.IGNORECASE,
)
_KIN_LAST: Final = re.compile(rf"(?<![\w-])(?<!foster )(?<!adoptive )(?<!former )(?:{RELATIVE})$", re.IGNORECASE)
_POSSESSED: Final = re.compile(
    r"['’]s\s|\b(?:study|business|lab|dance|gym|tennis|running|work|training)\spartner", re.IGNORECASE
)
_THINGS: Final = re.compile(
    r"\b(?:name|age|sex|gender|job|work|diagnosis|problem|condition|hobby|hobbies|goal|plan|weight|height|pressure|sugar|favou?rite|"
    r"favou?rites|passion|dream|home|house|hometown|allergy|allergies|birthday|thing|doctor|results?|test|scan|biopsy)\b",
    re.IGNORECASE,
)


OPENS_PREDICATE: Final = re.compile(
    rf"(?:and\s|but\s|then\s)?(?:{_VERB}|isn't|wasn't|hasn't|hadn't|won't|will|can|could|cannot|can't|didn't|does|did|would|must|went|came|"
    r"said|says|made|makes|started|began|studies|studied|plays|played|speaks|spoke|wants|wanted|needs|needed|knows|goes|"
    r"broke|fell|passed|finished|wears|reads|writes|runs|swims|dances|sings|draws|paints|collects|teaches|learns|calls|sleeps)\b"
)
"""What the predicate of a sentence begins with, where no subject may hide in it."""


def introduced_names(texts: Sequence[str]) -> frozenset[str]:
    """Names of relatives whom one of the texts introduces: my daughter Mia, Mia is my daughter."""
    found = (pair for text in texts for pair in introductions(text))
    return frozenset(name for name, kin in found if re.fullmatch(rf"(?:{RELATIVE}|best friend|friend)", kin))


def opening_name(clause: str, known: frozenset[str]) -> str:
    """The person's name that is the subject with which a clause opens, or nothing."""
    found = _NAME.match(clause)
    if not found or found["title"] or found["and"] or found["theirs"]:
        return ""
    if _OWNS.match(clause, len(found["name"])):
        return ""
    return found["name"] if _is_person(found["name"], known) else ""


def named(clause: str, known: frozenset[str]) -> list[Mention]:
    """Mentions of subjects by name, and of nouns that have what only a being has: of these no facts are kept."""
    found = [_of_name(match, clause, known) for match in _NAME.finditer(clause)]
    found += [_of_noun(match) for match in _NOUN.finditer(clause)]
    return sorted(mention for mention in found if mention)


def _of_name(match: re.Match[str], clause: str, known: frozenset[str]) -> Mention | None:
    name, before = match["name"], clause[: match.start()]
    if name.split(maxsplit=1)[0] in _NO_SUBJECTS or (_GOVERNED.search(before) and not match["title"]):
        return None
    theirs = match["theirs"] or clause[match.end() :].startswith(("'s", "’s"))
    # "Stomach hurts", "Doctor said": before any verb only a person's name is taken for somebody.
    if not (match["plain"] or theirs or match["title"] or _is_person(name, known)):
        return None
    if theirs or match["title"] or match["and"] or _OUTSIDER.search(before) or not _is_person(name, known):
        return Mention(match.end() - 1, OTHER)
    return Mention(match.start(), name)


def _of_noun(match: re.Match[str]) -> Mention | None:
    own = match["of"].lower() in ("my", "our")
    if own and _KIN_LAST.search(match["noun"]) and not _POSSESSED.search(match["noun"]):
        return None
    if _THINGS.search(match["noun"]):
        return None
    return Mention(match.end("noun"), OTHER, passing=not (match["being"] or match["said"]))


def _is_person(name: str, known: frozenset[str]) -> bool:
    first = name.split(maxsplit=1)[0]
    return name in known or first in known or first in FEMALE_NAMES or first in MALE_NAMES


_NO_SUBJECTS: Final = frozenset(
    {*NOT_NAMES, "I", "I'm", "I've", "Who", "There's", "It's", "That's", "What's", "Let's"}
) - {
    "English",
    "American",
    "British",
    "French",
    "German",
    "Italian",
    "Spanish",
    "Russian",
    "Chinese",
    "Japanese",
    "Indian",
    "Irish",
    "April",
    "May",
    "June",
    "London",
    "Paris",
    "Washington",
    "Chicago",
    "Boston",
    "Everyone",
    "Everybody",
    "Someone",
}
