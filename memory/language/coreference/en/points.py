"""Points for and against a name as the antecedent of an English pronoun.

The points are a logistic fit over half of a public set of ambiguous pronouns, rounded. They say how the text is built
(who is a subject, who is said again, what stands between), nothing about the world.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.language.coreference.en.words import FEMALE_KIN, MALE_KIN, NOT_NAMES, NOT_VERBS, PREPOSITIONS, VERBS


class Span(NamedTuple):
    """Characters `start` to `end` of a text."""

    start: int
    end: int


class Signs(NamedTuple):
    """What speaks for and against a name, one or zero; in `POINTS` what that is worth."""

    repeated: int  # said again somewhere
    often: int  # said three times or more
    subject: int
    subject_of_subject: int  # a subject, and so is the pronoun
    subject_elsewhere: int  # a subject where it is said again
    same_clause: int  # no punctuation up to the pronoun
    same_sentence: int
    nearest_in_sentence: int
    sentence_before: int
    far: int  # two sentences before or more
    behind: int  # after the pronoun
    pronoun_opens: int  # a subject, and the pronoun opens its sentence
    apposition: int  # X, a painter
    after_preposition: int
    pronoun_before: int  # a pronoun of the sex stands earlier in the name's sentence
    introduced_by_pronoun: int  # her sister X
    bracketed: int
    list_member: int  # X and Y
    of_the_sex: int  # his wife X, of "she"
    bound: int  # X saw him: somebody else
    owner_subject: int  # X ... his house


POINTS: Final = Signs(
    repeated=4,
    often=4,
    subject=8,
    subject_of_subject=1,
    subject_elsewhere=4,
    same_clause=5,
    same_sentence=6,
    nearest_in_sentence=4,
    sentence_before=-2,
    far=-2,
    behind=-2,
    pronoun_opens=5,
    apposition=2,
    after_preposition=-2,
    pronoun_before=-6,
    introduced_by_pronoun=-3,
    bracketed=-2,
    list_member=-3,
    of_the_sex=2,
    bound=-5,
    owner_subject=-5,
)
OUTSIDER_HANDICAP: Final = 17
"""A name that nobody offered is less often meant than the text's build says."""
NOBODY_POINTS: Final = -5
"""What a name has to beat even without a rival."""

_SENTENCE_END: Final = re.compile(r"(?<![A-Z])(?<!Mr|Dr|Ms|Jr|Sr|St)(?<!Mrs)[.!?][\"')\]]*\s+(?=[\"'(\[]*[A-Z])|\n+")
_BREAK: Final = re.compile(r"[,;:.]")
_NAME: Final = re.compile(
    r"\b[A-Z][A-Za-z'\u00c0-\u024f-]*(?:\s+(?:(?:de|van|von|la|le|da|di|del|der|bin|al|of)\s+)?[A-Z][A-Za-z'\u00c0-\u024f.-]*)*"
)
_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f'-]+")
_LAST_WORD: Final = re.compile(r"([A-Za-z']+)[\s\"'(]*$")
_NEXT_WORD: Final = re.compile(
    r"\s*+(?:,?\s*+(?:who|also|then|later|never|soon|still|however|eventually|finally|first|once|often|subsequently|would|not)\s++)*"
    r"([A-Za-z']+)"
)
_APPOSITION: Final = re.compile(
    r"\s*,\s*(?:(?:a|an|the|who|whose|his|her|one|then|born|now|also|daughter|son|wife|husband|sister|brother)\b|\d)"
)
_BY_PRONOUN: Final = re.compile(r"\b(?:his|her|their)\s+(?:[a-z-]+\s+){1,4},?\s*$", re.IGNORECASE)
_AND_NAME: Final = re.compile(r"\s*(?:,? and|,? or|,? &)\s+[A-Z]")
_CLAUSE_BREAK: Final = re.compile(
    r"[,;:.]|\b(?:that|and|but|when|while|who|which|because|after|before|if|as|to|where)\b"
)
_KIN_BEFORE: Final = {
    sex: re.compile(rf"\b(?:{'|'.join(words)})\b[.,\s]*(?:named|called)?\s*$")
    for sex, words in (("f", FEMALE_KIN), ("m", MALE_KIN))
}
_PRONOUNS: Final = {
    "m": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "f": re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
}
_SUBJECTS: Final = frozenset({"he", "she"})
_FEMALES: Final = frozenset({"she", "her", "hers", "herself"})
_OWNED: Final = re.compile(
    r" (?!(?:to|and|in|at|on|for|with|from|as|by|that|when|but|into|about|after|or|out|up|the|a|"
    r"yesterday|today|tonight|again|now|last|next|this|every|very|so|too|much|well)\b)[a-z]"
)


class _Scene(NamedTuple):
    """A text around its pronoun, cut into sentences."""

    text: str
    pronoun: Span
    starts: tuple[int, ...]  # where sentences begin
    sex: str
    case: str  # "subject", "object" or "owner"

    def sentence(self, place: int) -> int:
        """The number of the sentence that holds a place."""
        return sum(1 for start in self.starts if start <= place) - 1


def signs_of_all(text: str, pronoun: Span, candidates: Sequence[Span]) -> list[Signs]:
    """The signs of each candidate, then those of each other name that stands like a subject before the pronoun."""
    starts = (0, *(match.end() for match in _SENTENCE_END.finditer(text)))
    word = text[pronoun.start : pronoun.end].lower()
    scene = _Scene(text, pronoun, starts, "f" if word in _FEMALES else "m", case_of(text, pronoun))
    everyone = [*candidates, *_outside(text, pronoun, candidates)]
    return [_signs(scene, span, everyone) for span in everyone]


def points(signs: Signs) -> int:
    """The points of a name."""
    return sum(worth for worth, sign in zip(POINTS, signs, strict=True) if sign)


def names_in(text: str, end: int) -> list[Span]:
    """Capitalised names before a place, without words that only open a sentence; no possessive ending."""
    found = []
    for match in _NAME.finditer(text, 0, end):
        name = match[0]
        first = name.split()[0]
        if first.removesuffix("'s") in NOT_NAMES or len(name) == 1:
            continue
        found.append(Span(match.start(), match.start() + len(name.removesuffix("'s").rstrip(".'"))))
    return found


def case_of(text: str, pronoun: Span) -> str:
    """How a pronoun stands: as "subject", "object", "owner" (his house), or "other"."""
    word = text[pronoun.start : pronoun.end].lower()
    if word in _SUBJECTS:
        return "subject"
    if word == "his" or (word == "her" and _OWNED.match(text, pronoun.end)):
        return "owner"
    return "object" if word in {"him", "her"} else "other"


def _outside(text: str, pronoun: Span, candidates: Sequence[Span]) -> list[Span]:
    known = {word for span in candidates for word in _WORD.findall(text[span.start : span.end])}
    return [
        span
        for span in names_in(text, pronoun.start)
        if not known.intersection(_WORD.findall(text[span.start : span.end])) and _is_subject(text, span)
    ]


def _is_subject(text: str, span: Span) -> bool:
    if _after_preposition(text, span) or text.startswith(("'s", "’s"), span.end):
        return False
    following = _NEXT_WORD.match(text, span.end)
    if not following:
        return False
    word = following[1]
    inflected = word.endswith(("ed", "s")) and len(word) > len("his") and word.islower()
    return word in VERBS or (inflected and word not in NOT_VERBS)


def _after_preposition(text: str, span: Span) -> bool:
    before = _LAST_WORD.search(text[max(0, span.start - 20) : span.start])
    return before is not None and before[1].lower() in PREPOSITIONS


def _signs(scene: _Scene, span: Span, everyone: Sequence[Span]) -> Signs:
    text, pronoun = scene.text, scene.pronoun
    mine, its = scene.sentence(span.start), scene.sentence(pronoun.start)
    behind = span.start > pronoun.start
    between = "" if behind else text[span.end : pronoun.start]
    opening = scene.starts[mine]
    subject = _is_subject(text, span)
    again = _said_again(text, span)
    nearest = not behind and span.start == max(other.start for other in everyone if other.start < pronoun.start)
    return Signs(
        repeated=bool(again),
        often=len(again) > 1,
        subject=subject,
        subject_of_subject=subject and scene.case == "subject",
        subject_elsewhere=any(_is_subject(text, other) for other in again),
        same_clause=not behind and not _BREAK.search(between),
        same_sentence=mine == its,
        nearest_in_sentence=nearest and mine == its,
        sentence_before=mine == its - 1,
        far=mine < its - 1,
        behind=behind,
        pronoun_opens=pronoun.start == scene.starts[its] and subject and not behind,
        apposition=_APPOSITION.match(text, span.end) is not None,
        after_preposition=_after_preposition(text, span),
        pronoun_before=_PRONOUNS[scene.sex].search(text, opening, span.start) is not None,
        introduced_by_pronoun=_BY_PRONOUN.search(text[max(0, span.start - 60) : span.start]) is not None,
        bracketed=text.rfind("(", opening, span.start) > text.rfind(")", opening, span.start),
        list_member=_AND_NAME.match(text, span.end) is not None,
        of_the_sex=_KIN_BEFORE[scene.sex].search(text[max(0, span.start - 30) : span.start]) is not None,
        bound=subject and not behind and scene.case == "object" and not _CLAUSE_BREAK.search(between),
        owner_subject=subject and not behind and mine == its and scene.case == "owner",
    )


def _said_again(text: str, span: Span) -> list[Span]:
    """Where a part of the name stands again."""
    names = {word for word in _WORD.findall(text[span.start : span.end]) if len(word) > len("Al") and word[0].isupper()}
    if not names:
        return []
    again = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b(?:\s[A-Z][a-z]+)?")
    return [
        Span(match.start(), match.end())
        for match in again.finditer(text)
        if match.end() <= span.start or match.start() >= span.end
    ]
