"""From a sealed journal to MemUnits. Pure: the same journal always makes the same units."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory.consolidation.boundaries import BoundarySettings, stretches
from memory.extraction.summary import Line, merge_summaries, summarise
from memory.language.choice import spoken
from memory.language.sentences import split_sentences
from memory.limits import CUMULATIVE_SUMMARY_CHARS_MAX, SUMMARY_CHARS_MAX
from memory.model.finalization import FinalizationKey, SealedJournal
from memory.model.memunit import MemUnit, memunit_id
from memory.model.session import JournalMessage, Role
from memory.session.journal import decode, decode_checkpoints, header, session_start

SUBJECT_CHARS_MAX: Final = 60
NARRATIVE_CHARS_MAX: Final = 4_000
CHARS_PER_TOKEN: Final = {"zh": 1.4, "en": 4.0}
"""About what o200k_base makes of everyday text; only used to size summaries by rules."""
RULES_SUMMARY_TOKENS_MIN: Final = 60


def lines_of(messages: Iterable[JournalMessage]) -> list[Line]:
    """Journal messages as the summariser takes them."""
    return [Line(str(m.message.role), m.message.content, m.message.name) for m in messages]


def summary_chars(threshold_tokens: float, locale: str) -> int:
    """How long a summary by rules may be: a quarter of what may be sent."""
    tokens = max(RULES_SUMMARY_TOKENS_MIN, threshold_tokens / 4)
    return int(min(SUMMARY_CHARS_MAX, tokens * CHARS_PER_TOKEN[locale]))


def cumulated(previous: str, new: str, threshold_tokens: float, locale: str) -> str:
    """A cumulative summary: what came before and is not said again, then the new one in full.

    It may take up to a third of what may be sent, and always as much as two summaries of the smallest size.
    """
    tokens = max(2 * RULES_SUMMARY_TOKENS_MIN, threshold_tokens / 3)
    limit = int(min(CUMULATIVE_SUMMARY_CHARS_MAX, tokens * CHARS_PER_TOKEN[locale]))
    return merge_summaries(previous, new, limit_chars=max(limit, len(new)))


def final_summary(journal: SealedJournal, threshold_tokens: float, locale: str) -> str:
    """What a session leaves as its summary: its checkpoints, what came after them, and the caller's last word."""
    locale = _spoken(journal, locale)
    start = session_start(journal.records)
    checkpoints = decode_checkpoints(journal.records)
    summary = checkpoints[-1].summary if checkpoints else str(start["summary"])
    covered = checkpoints[-1].covers_seq if checkpoints else int(start["base_seq"])
    fresh = [decode(entry) for entry in journal.messages if header(entry)[0] > covered]
    tail = summarise(lines_of(fresh), limit_chars=summary_chars(threshold_tokens, locale), locale=locale)
    summary = cumulated(summary, tail, threshold_tokens, locale)
    given = journal.finalization.summary if journal.finalization else ""
    return cumulated(summary, given, threshold_tokens, locale)


def _spoken(journal: SealedJournal, locale: str) -> str:
    """As the session chose it while it lived: by the first words that show a language."""
    return spoken(locale, (decode(entry).message.content for entry in journal.messages))


@dataclass(frozen=True, slots=True)
class UnitSettings:
    """How sessions are cut and summed up. `threshold_tokens`: what may be sent of one without a summary."""

    threshold_tokens: float
    locale: str
    boundaries: BoundarySettings


def build(key: FinalizationKey, journal: SealedJournal, settings: UnitSettings) -> list[MemUnit]:
    """Make the units of one ended session, in order; none when nothing was said in it.

    Seeded turns are not its own. Summaries are cumulative: a unit's says what the conversation comes to by its end.
    """
    settings = replace(settings, locale=_spoken(journal, settings.locale))
    start = session_start(journal.records)
    base = int(start["base_seq"])
    entries = [entry for entry in journal.messages if header(entry)[0] > base]
    messages = [decode(entry) for entry in entries]
    ranges = stretches(messages, settings.boundaries)
    summaries = _summaries(journal, [messages[each.start : each.stop] for each in ranges], settings)
    return [
        _unit(key, journal, (entries[each.start : each.stop], messages[each.start : each.stop], summary), settings)
        for each, summary in zip(ranges, summaries, strict=True)
    ]


def _summaries(
    journal: SealedJournal, parts: Sequence[Sequence[JournalMessage]], settings: UnitSettings
) -> Iterator[str]:
    """The last one is the session's own, with its checkpoints: what comes back in the next one starts from it."""
    limit, locale = settings.threshold_tokens, settings.locale
    summary = str(session_start(journal.records)["summary"])
    for part in parts[:-1]:
        new = summarise(lines_of(part), limit_chars=summary_chars(limit, locale), locale=locale)
        summary = cumulated(summary, new, limit, locale)
        yield summary
    if parts:
        yield final_summary(journal, limit, locale)


def _unit(
    key: FinalizationKey,
    journal: SealedJournal,
    part: tuple[Sequence[bytes], Sequence[JournalMessage], str],
    settings: UnitSettings,
) -> MemUnit:
    entries, messages, summary = part
    original = b"[" + b",".join(entries) + b"]"
    first, last = messages[0], messages[-1]
    checkpoints = decode_checkpoints(journal.records)
    return MemUnit(
        unit_id=memunit_id(key.scope, first.seq, last.seq, original),
        scope=key.scope,
        user_id=journal.user_id,
        session_number=key.number,
        seq_from=first.seq,
        seq_to=last.seq,
        turn_from=first.turn,
        turn_to=last.turn,
        started_ms=first.at_ms,
        ended_ms=last.at_ms,
        subject=_subject(messages),
        summary=summary,
        narrative=summarise(lines_of(messages), limit_chars=NARRATIVE_CHARS_MAX, locale=settings.locale),
        participants=_participants(messages),
        recent_turns=checkpoints[-1].recent_turns if checkpoints else 0,
        messages=original,
    )


def _subject(messages: Sequence[JournalMessage]) -> str:
    """The first thing the user said that is more than a greeting, else the first thing said."""
    said = [m.message for m in messages if m.message.role is Role.USER] or [messages[0].message]
    gist = summarise([Line("user", said[0].content)], limit_chars=SUBJECT_CHARS_MAX) or said[0].content
    sentences = split_sentences(gist)
    text = sentences[0].text if sentences else gist
    return text.strip().partition(": ")[2][:SUBJECT_CHARS_MAX] or text.strip()[:SUBJECT_CHARS_MAX]


def _participants(messages: Sequence[JournalMessage]) -> tuple[str, ...]:
    """Who spoke, in order of their first word: a name where there is one, else the agent, else the role."""
    spoken = (m.message.name or m.message.agent or str(m.message.role) for m in messages)
    return tuple(dict.fromkeys(spoken))
