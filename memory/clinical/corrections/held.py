"""What is held of somebody, what a message puts right of it, and what becomes of both.

What was wrong is not taken off: that it was denied stands beside it, for a person to decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from memory.clinical.corrections.heard import SURE
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, TAKEN_BACK, Finding, each_once
from memory.clinical.lexicon import Mention
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one, is_part

KINDS: Final = (ALLERGY, DISEASE, SURGERY)
"""Of what is put right."""
_FAMILIES: Final = {ALLERGY: "S", DISEASE: "D", SURGERY: "OGV"}
_KIND_OF: Final = {"S": ALLERGY, "D": DISEASE, "O": SURGERY, "V": SURGERY}
_OPERATED: Final = frozenset({"organ", "operation", "device"})

Named = tuple[Mention, str]
"""A word of medicine, and what was said for it or is told of it."""


class Held(NamedTuple):
    """A safety fact of the speaker. `here`: it was said in the conversation in which the correction stands."""

    kind: str
    text: str
    here: bool = True
    possible: bool = False
    now: bool = False
    """It is said in the same message."""
    last: bool = False
    """It was said in the last turn before."""
    own: bool = True
    """False: it is a relative's; known so that nobody takes it for the speaker's."""


class Correction(NamedTuple):
    """That something is to be put right, whatever is held: what was wrong (empty: not named), and what is right.

    `letter` is the family of what is right.
    """

    wrong: Sequence[Named]
    right: Sequence[Named]
    letter: str
    quote: str
    sure: bool = True
    """A form of correcting says so, or it sounds so; else it is only named beside words with which somebody may."""
    of_kind: bool = False
    """It says that an allergy is spoken of, or what somebody has: then it may be of what was said long before."""
    sounds: float | None = None
    """How much the message sounds like one, where no form says which is which: what is held says it then."""


def put_right(found: Iterable[Correction], held: Sequence[Held]) -> list[Finding]:
    """Of each what is right, and that what was wrong is denied; nothing where it is of nothing that is held.

    `held`: the oldest first.
    """
    return each_once(finding for each in found for finding in _findings(each, held))


def held_of(findings: Iterable[Finding]) -> list[Held]:
    """What findings say of the speaker and of relatives, in the message in which they were found."""
    return [
        Held(each.kind, each.text, possible=each.possible, now=True, own=each.subject == USER)
        for each in findings
        if not each.denied
    ]


def before(held: Iterable[Held]) -> list[Held]:
    """The same for the next message."""
    return [each._replace(now=False, last=each.now) for each in held]


def _findings(correction: Correction, held: Sequence[Held]) -> Iterator[Finding]:
    if correction.sounds is not None:
        held = [each for each in held if not each.possible]
        correction = _settled(correction, held, correction.sounds)
    wrong = _meant(correction, held)
    right = [(member, name) for member, name in correction.right if wrong and not _names(wrong.text, member)]
    if wrong is None or not right or (wrong.kind == DISEASE and any(each.term.tag == "acute" for each, _ in right)):
        return
    firm = _is_firm(correction, right, wrong, held)
    for member, name in right:
        if firm or not any(_names(each.text, member) for each in held if each.own):
            yield Finding(wrong.kind, name, correction.quote, possible=wrong.possible or not firm)
    if firm:
        taken_back = ((TAKEN_BACK, "true"),)
        yield Finding(wrong.kind, wrong.text, correction.quote, denied=True, attributes=taken_back)


def _settled(correction: Correction, held: Sequence[Held], sounds: float) -> Correction:
    """What was held before is what was wrong, and what is right stands there once.

    Where nothing that was held is named it has to sound surer.
    """
    earlier = [each.text for each in held if each.own and not each.now]
    wrong, right = list[Named](), list[Named]()
    for each in (*correction.wrong, *correction.right):
        if any(_names(text, each[0]) for text in earlier):
            wrong.append(each)
        elif each in correction.right and not any(is_of_one(each[1], name) for _, name in right):
            right.append(each)
    return correction._replace(wrong=wrong, right=right, sure=bool(wrong) or sounds >= SURE)


def _is_firm(correction: Correction, right: Sequence[Named], wrong: Held, held: Sequence[Held]) -> bool:
    """Whether it is clear enough what was wrong, and what is right."""
    if not correction.sure or (correction.sounds is not None and len(right) > 1):
        return False
    takes_its_place = correction.sounds is not None and _takes_its_place(right, wrong, held)
    return bool(correction.wrong) or correction.of_kind or wrong.last or wrong.now or takes_its_place


def _takes_its_place(right: Sequence[Named], wrong: Held, held: Sequence[Held]) -> bool:
    """Whether the message tells what is right as a fact of its kind, and there was one such fact before."""
    same = [each for each in held if each.own and each.kind == wrong.kind]
    told = any(each.now and _names(each.text, member) for each in same for member, _ in right)
    return told and sum(each.here and not each.now for each in same) == 1


def _meant(correction: Correction, held: Sequence[Held]) -> Held | None:
    """Which of what is held was wrong: what is named, or the last of its kind that was said here before.

    Who names nothing corrects what was spoken of last: where that was a relative's, nothing of the speaker's.
    """
    fitting = [each for each in reversed(held) if each.own and _fits(correction, each)]
    other = [each for each in fitting if not any(_names(each.text, member) for member, _ in correction.right)]
    known = [each for each in fitting if not each.now and each not in other]
    if not correction.wrong:
        lately = [each for each in held if each.last or each.now]
        if lately and not lately[-1].own:
            return None
        said_before = any(each.here for each in known)
        return next((each for each in other if each.here and not said_before), None)
    if known:  # it is no news: what the same message says beside it is no mistake of the speaker's
        other = [each for each in other if not each.now]
    return next((each for each in other if _names_one_of(each.text, correction.wrong)), None)


def _fits(correction: Correction, held: Held) -> bool:
    """Whether what is right may be of the same kind; where nothing says that it is right, is of that kind by itself."""
    if not correction.sure:
        return _KIND_OF.get(correction.letter) == held.kind
    return correction.letter in _FAMILIES.get(held.kind, "")


def _names(held: str, member: Mention) -> bool:
    """Whether a word names what is held, in whatever words or language; of an operation also what it was of."""
    return _is_named(held, member.term.name, member)


def _names_one_of(held: str, said: Sequence[tuple[Mention, str]]) -> bool:
    """Whether one of these does, or the words that were said."""
    return any(_is_named(held, word, member) or _names(held, member) for member, word in said)


def _is_named(held: str, word: str, member: Mention) -> bool:
    return is_of_one(held, word) or (member.kind in _OPERATED and is_part(word, held))
