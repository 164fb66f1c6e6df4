"""The summary that needs no model: the sentences worth keeping, word for word.

A summary is chosen from *units*: a sentence, or sentences that say nothing apart (a bot's question with
the patient's "no"; a heading "Allergies:" with its items). Units are placed best first while they fit, and
stand in dialogue order. Safety facts come before everything else.

    dialogue -> Said -> Unit --+
                               +--> Draft (limit, order, speaker prefixes) -> text
    summaries --------> Unit --+
"""

from collections.abc import Sequence

from memory.extraction.summary.exchange import Line, Said, groups_of, read, union
from memory.extraction.summary.parsing import not_yet_said, parse
from memory.extraction.summary.selection import OLD_REST, REQUEST, REST, SAFETY, Unit, choose
from memory.language.vocabulary import (
    Kind,
    concerns_patient,
    safety_terms,
    safety_weight_of,
    weight_of,
)

_SUBSTANCE_WEIGHT = 8
_FIRST_COMPLAINT_WEIGHT = 25
_LAST_QUESTION_WEIGHT = 30
_OWN_CASE_WEIGHT = 8
_OWN_WORDS_WEIGHT = 100  # what a patient says of an allergy outranks what a bot repeats


def summarise(lines: Sequence[Line], *, limit_chars: int, locale: str = "zh") -> str:
    """Choose what a doctor needs from a dialogue, verbatim, in order, within `limit_chars` characters.

    Deterministic; the time grows linearly with the dialogue. A sentence too long for the limit is cut at a
    clause border. Safety facts are never left out while anything else is kept.
    """
    turns = read(lines, locale)
    units = _units_of(turns) or tool_units(turns) or first_and_last(turns)
    return choose(units, limit_chars).text()


def merge_summaries(previous: str, new: str, *, limit_chars: int) -> str:
    """Add a new summary to what earlier ones said, within `limit_chars` characters.

    What `previous` says beyond `new` comes first, then `new` in full. For want of room the least important
    of `previous` goes first. `new` is cut when it alone is over the limit, or when an earlier safety fact
    needs the room: no safety fact is lost while anything else is kept.
    """
    previous, new = previous.strip(), new.strip()
    new_units = parse(new, REST, start=0)
    old_units = not_yet_said(parse(previous, OLD_REST, start=-len(previous) - 1), new_units)
    if len(new) <= limit_chars:
        room = limit_chars - len(new) - bool(new)
        old = choose(old_units, room)
        if old.holds_whole(unit for unit in old_units if unit.tier == SAFETY):
            return "\n".join(text for text in (old.text(), new) if text)
    return choose([*old_units, *new_units], limit_chars).text()


def _units_of(turns: list[list[Said]]) -> list[Unit]:
    groups = groups_of(turns)
    by_user = [group for group in groups if group[-1].role == "user"]
    bonus = _bonuses(by_user)
    request = _request_positions(by_user)
    known_terms: set[str] = set()
    units = []
    for group in groups:
        tier, score = rate(group, known_terms)
        position = group[-1].piece.position
        score += bonus.get(position, 0)
        if tier != SAFETY and position in request:
            tier = REQUEST
        if score > 0:
            units.append(Unit(tuple(said.piece for said in group), tier, score))
    return units


def _bonuses(by_user: list[tuple[Said, ...]]) -> dict[float, float]:
    """Weight for the place in the dialogue: what brought the user here, and the last thing asked."""
    complaints = Kind.SYMPTOM | Kind.SAFETY
    first = next((group for group in by_user if union(group) & complaints), next(iter(by_user), None))
    last = next((group for group in reversed(by_user) if group[-1].kinds & Kind.QUESTION), None)
    bonus = {first[-1].piece.position: _FIRST_COMPLAINT_WEIGHT} if first else {}
    if last:
        position = last[-1].piece.position
        bonus[position] = bonus.get(position, 0) + _LAST_QUESTION_WEIGHT
    return dict(bonus)


def _request_positions(by_user: list[tuple[Said, ...]]) -> set[float]:
    """Where the user's last message of substance says or asks something."""
    if not by_user:
        return set()
    final = [group[-1] for group in by_user if group[-1].turn == by_user[-1][-1].turn]
    asking = [said.piece.position for said in final if said.kinds & Kind.QUESTION]
    return {final[0].piece.position, *asking[-1:]}


def rate(group: tuple[Said, ...], known_terms: set[str]) -> tuple[int, float]:
    """The tier and score of what was said (0: nothing); the safety terms it brings become known."""
    kinds = union(group)
    text = " ".join(said.piece.text for said in group)
    bot = group[-1].role != "user"
    if kinds & Kind.SAFETY and _states_safety(group, text, known_terms):
        known_terms |= safety_terms(text)
        return SAFETY, safety_weight_of(kinds) + (0 if bot else _OWN_WORDS_WEIGHT)
    if not bot and kinds & Kind.QUESTION and len(group) == 1:
        kinds &= ~Kind.DECISION  # asking for advice is not advice
    score = weight_of(kinds, bot=bot, chars=len(text))
    if not bot:
        return REST, score + _SUBSTANCE_WEIGHT
    if score <= _OWN_CASE_WEIGHT:
        return REST, 0
    return REST, score + (_OWN_CASE_WEIGHT if concerns_patient(text) else 0)


def _states_safety(group: tuple[Said, ...], text: str, known_terms: set[str]) -> bool:
    """A user's statement always counts; a question, or a bot's sentence, if it brings something new."""
    said = group[-1]
    if len(group) > 1 or (said.role == "user" and not said.kinds & Kind.QUESTION):
        return True
    if said.role != "user" and not concerns_patient(text):
        return False
    return not safety_terms(text) <= known_terms


def tool_units(turns: list[list[Said]]) -> list[Unit]:
    """What tools answered, where nobody said anything of substance."""
    said = [said for turn in turns for said in turn if said.role == "tool"]
    return [
        Unit((one.piece,), REST, weight_of(one.kinds, bot=False))
        for one in said
        if one.kinds & (Kind.NUMBER | Kind.DECISION)
    ]


def first_and_last(turns: list[list[Said]]) -> list[Unit]:
    """The least there is to say of a dialogue: how it began and how it ended."""
    said = [said for turn in turns for said in turn]
    chosen = [one for one in said if one.role == "user"] or said
    return [Unit((one.piece,), REQUEST, 0) for one in dict.fromkeys([*chosen[:1], *chosen[-1:]])]
