"""The mind without a model: facts, dated events and episodes by rules, in Chinese and English. Deterministic."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.extraction.facts.manner import manner_of
from memory.extraction.facts.reading import find_resolved_facts, introduced_names
from memory.extraction.statements.reading import make_statements
from memory.extraction.statements.resolved import CONTEXT_UTTERANCES, Resolved, resolve_message
from memory.extraction.summary.exchange import Line
from memory.extraction.summary.writing import summarise
from memory.language.coreference.resolving import Utterance
from memory.language.dates.reading import find_dates, resolve_dates
from memory.model.extraction import Dialogue, Extraction, FoundEpisode, FoundEvent, FoundFact, Said
from memory.model.predicates import importance_of
from memory.privacy.gate.decision import classify
from memory.zones import clock_at

NAME: Final = "rules"
_ASKS: Final = "question"
"""The rule of the privacy gate by which a message is public that asks something; what it tells beside that is not."""
_EPISODE_CHARS: Final = 600
_ROLES: Final = ("user", "assistant")
_EVENT_CHARS: Final = (6, 300)


class RulesMind:
    """The Mind port by rules."""

    name = NAME

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Read each message of the user; raises nothing."""
        return extract(dialogue)


def extract(dialogue: Dialogue) -> Extraction:
    """Facts and events of what the user and other people said, and an episode for each of them.

    Pronouns are resolved before facts are read; a fact of somebody who stays unnamed is not found.
    """
    facts: list[FoundFact] = []
    events: list[FoundEvent] = []
    skipped: dict[int, str] = {}
    speakers = {said.speaker: _Speaker(dialogue.user_name, frozenset()) for said in dialogue.messages if said.own}
    for index, said in enumerate(dialogue.messages):
        if not said.own:
            continue
        speaker = speakers[said.speaker]
        speakers[said.speaker] = speaker = speaker._replace(known=speaker.known | introduced_names([said.text]))
        verdict = classify(said.text)
        resolved = resolve_message(said.text, _before(dialogue.messages, index), speaker.name)
        found = _facts(said, resolved, speaker)
        about_known = resolved.text != said.text or any(fact.subject in speaker.known for fact in found)
        if verdict.label != "PRIVATE" and not about_known:
            found = [fact for fact in found if verdict.rule == _ASKS and fact.quote not in verdict.clause]
        if verdict.label != "PRIVATE" and not found:
            skipped[said.seq] = f"public: {verdict.reason}"
            continue
        dated = _events(said, resolved)
        facts += found
        events += dated
        own_name = next((fact.object for fact in found if fact.predicate == "name" and fact.polarity == "+"), "")
        speakers[said.speaker] = speaker._replace(name=own_name or speaker.name)
        if not found and not dated:
            skipped[said.seq] = "nothing that a rule recognises: kept as part of its episode only"
    if dialogue.alone:
        made = make_statements(dialogue.messages, dialogue.user_name)
        left_out = {seq: f"not stored: {reason}" for seq, reason in made.skipped.items()}
        return Extraction(facts, events, (), skipped | left_out, statements=made.statements)
    return Extraction(facts, events, _episodes(dialogue), skipped)


class _Speaker(NamedTuple):
    """What a person has said of their name, and whom they introduced."""

    name: str
    known: frozenset[str]


def _facts(said: Said, resolved: Resolved, speaker: _Speaker) -> list[FoundFact]:
    return [
        FoundFact(
            said.seq,
            fact.subject,
            fact.predicate,
            fact.object,
            fact.polarity,
            fact.quote,
            importance_of(fact.predicate),
            attributes=manner_of(fact.predicate, fact.quote),
        )
        for fact in find_resolved_facts(resolved, speaker.name, speaker.known)
    ]


def _events(said: Said, resolved: Resolved) -> list[FoundEvent]:
    """The sentences of a message that name a time and are worth keeping, each made to stand alone.

    Days are those of the speaker's clock, so an event lies at that clock's midnight.
    """
    now = clock_at(said.at_ms, said.clock)
    events = []
    for piece in resolved.pieces:
        if not _EVENT_CHARS[0] <= len(piece.said) <= _EVENT_CHARS[1]:
            continue
        dates = [date for date in find_dates(piece.said, now) if date.grain != "year" or date.begin.year != now.year]
        if not dates or classify(piece.said).label != "PRIVATE":
            continue
        when = int(dates[0].begin.timestamp() * 1000)
        events.append(FoundEvent(said.seq, resolve_dates(piece.text, now), when, piece.said))
    return events


def _before(messages: Sequence[Said], index: int) -> list[Utterance]:
    return [
        Utterance("user" if said.own else "assistant", said.text)
        for said in messages[max(0, index - CONTEXT_UTTERANCES) : index]
    ]


def _episodes(dialogue: Dialogue) -> list[FoundEpisode]:
    """For each person the gist of what they said, with what it answers."""
    people = dict.fromkeys(said.speaker for said in dialogue.messages if said.own)
    episodes = []
    for person in people:
        lines = [
            Line(
                "user" if said.speaker == person else "assistant",
                said.text,
                "" if said.speaker in _ROLES else said.speaker,
            )
            for said in dialogue.messages
        ]
        gist = summarise(lines, limit_chars=_EPISODE_CHARS, locale=dialogue.locale)
        if gist:
            episodes.append(FoundEpisode(person, gist))
    return episodes
