"""From a sealed journal to MemUnits. Pure: the same journal always makes the same units."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from memory.consolidation.boundaries import BoundarySettings, Cutter
from memory.extraction.summary.brief import summarise_briefly
from memory.extraction.summary.exchange import Line
from memory.extraction.summary.subject import subject_of
from memory.extraction.summary.writing import merge_summaries, summarise
from memory.language.choice import Listener, spoken
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
_SUMMED_UP_AT_ONCE: Final = 2_000
"""Messages. Shorter sessions are summed up whole."""


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


def _covered_by_seed(start: Mapping[str, Any]) -> int:
    """Up to where the summary goes that a session started from; older sessions did not say, it went up to all."""
    return int(start.get("covers_seq", start["base_seq"]))


class _Summing:
    """What a session leaves as its summary: its checkpoints, what came after them, and the caller's last word.

    What came after them is summed up a thousand turns at a time: it costs what it is long, and so much room.
    """

    def __init__(self, journal: SealedJournal, threshold_tokens: float, locale: str) -> None:
        start = session_start(journal.records)
        checkpoints = decode_checkpoints(journal.records)
        self._summary = checkpoints[-1].summary if checkpoints else str(start["summary"])
        self.covered = checkpoints[-1].covers_seq if checkpoints else _covered_by_seed(start)
        self._given = journal.finalization.summary if journal.finalization else ""
        self._threshold_tokens = threshold_tokens
        self.listener = Listener(locale)
        self._fresh: list[JournalMessage] = []

    def add(self, messages: Iterable[JournalMessage]) -> None:
        """The next messages."""
        for message in messages:
            self.listener.hear(message.message.content)
            if message.seq > self.covered:
                self._fresh.append(message)
                if len(self._fresh) == _SUMMED_UP_AT_ONCE:
                    self._fold()

    def end(self) -> str:
        """The summary of all of them."""
        self._fold()
        return cumulated(self._summary, self._given, self._threshold_tokens, self.listener.locale)

    def _fold(self) -> None:
        locale = self.listener.locale
        limit = summary_chars(self._threshold_tokens, locale)
        new = summarise_briefly(lines_of(self._fresh), limit_chars=limit, locale=locale)
        self._summary = cumulated(self._summary, new, self._threshold_tokens, locale)
        self._fresh = []


def final_summary(journal: SealedJournal, threshold_tokens: float, locale: str) -> str:
    """What a session leaves as its summary, by its whole journal."""
    spoken_in = spoken(locale, (decode(entry).message.content for entry in journal.messages))
    summing = _Summing(journal, threshold_tokens, spoken_in)
    covered = summing.covered
    summing.add(decode(entry) for entry in journal.messages if header(entry)[0] > covered)
    return summing.end()


@dataclass(frozen=True, slots=True)
class UnitSettings:
    """How sessions are cut and summed up. `threshold_tokens`: what may be sent of one without a summary."""

    threshold_tokens: float
    locale: str
    boundaries: BoundarySettings


class Made(NamedTuple):
    """A unit, and of how many entries of the journal it is made."""

    unit: MemUnit
    entries: int


def next_turns(journal: SealedJournal) -> int:
    """With how many turns the next session starts: as who ended this one said, else as its last checkpoint; or 0."""
    checkpoints = decode_checkpoints(journal.records)
    asked = journal.finalization.recent_turns if journal.finalization else 0
    return asked or (checkpoints[-1].recent_turns if checkpoints else 0)


class UnitMaker:
    """Makes the units of one ended session from its entries as they come; none when nothing was said in it.

    Seeded turns are not its own. Summaries are cumulative: a unit's says what the conversation comes to by its end.
    The same entries make the same units, however they come. `journal` needs no messages.
    """

    def __init__(self, key: FinalizationKey, journal: SealedJournal, settings: UnitSettings) -> None:
        start = session_start(journal.records)
        self._key = key
        self._user = journal.user_id
        self._settings = settings
        self._base = int(start["base_seq"])
        self._covered = _covered_by_seed(start)
        self._seeded: list[JournalMessage] = []
        self._summary = str(start["summary"])
        self._recent_turns = next_turns(journal)
        self._cutter = Cutter(settings.boundaries)
        self._whole = _Summing(journal, settings.threshold_tokens, settings.locale)
        self._listener = Listener(settings.locale)
        self._open: list[tuple[bytes, JournalMessage]] = []
        self.seeded = 0
        """Entries that were not the session's own: all of them came first."""

    def add(self, entries: Iterable[bytes]) -> list[Made]:
        """The units that are complete by these next entries."""
        some = list(entries)
        new = [(entry, decode(entry)) for entry in some if header(entry)[0] > self._base]
        for entry in some[: len(some) - len(new)]:
            self._hear_seeded(decode(entry))
        self.seeded += len(some) - len(new)
        messages = [message for _, message in new]
        self._open += new
        self._whole.add(messages)
        return [self._made(length, self._cumulated) for length in self._cutter.add(messages)]

    def end(self) -> list[Made]:
        """The units of what is left. The last one's summary is the session's: what comes back starts from it."""
        *lengths, last = self._cutter.end() or (0,)
        made = [self._made(length, self._cumulated) for length in lengths]
        return [*made, self._made(last, lambda _: self._whole.end())] if last else made

    def _hear_seeded(self, message: JournalMessage) -> None:
        """The session goes on in the language that it began with; what its summary left to these turns is not lost."""
        self._listener.hear(message.message.content)
        self._whole.add((message,))
        if message.seq > self._covered:
            self._seeded.append(message)

    def _cumulated(self, messages: Sequence[JournalMessage]) -> str:
        limit, locale = self._settings.threshold_tokens, self._listener.locale
        lines, self._seeded = lines_of([*self._seeded, *messages]), []
        new = summarise_briefly(lines, limit_chars=summary_chars(limit, locale), locale=locale)
        self._summary = cumulated(self._summary, new, limit, locale)
        return self._summary

    def _made(self, length: int, summary: Callable[[Sequence[JournalMessage]], str]) -> Made:
        part, self._open = self._open[:length], self._open[length:]
        messages = [message for _, message in part]
        for message in messages:
            self._listener.hear(message.message.content)
        return Made(self._unit([entry for entry, _ in part], messages, summary(messages)), length)

    def _unit(self, entries: Sequence[bytes], messages: Sequence[JournalMessage], summary: str) -> MemUnit:
        original = b"[" + b",".join(entries) + b"]"
        first, last = messages[0], messages[-1]
        locale = self._listener.locale
        return MemUnit(
            unit_id=memunit_id(self._key.scope, first.seq, last.seq, original),
            scope=self._key.scope,
            user_id=self._user,
            session_number=self._key.number,
            seq_from=first.seq,
            seq_to=last.seq,
            turn_from=first.turn,
            turn_to=last.turn,
            started_ms=first.at_ms,
            ended_ms=last.at_ms,
            subject=_subject(messages),
            summary=summary,
            narrative=summarise(lines_of(messages), limit_chars=NARRATIVE_CHARS_MAX, locale=locale),
            participants=_participants(messages),
            recent_turns=self._recent_turns,
            messages=original,
        )


def _subject(messages: Sequence[JournalMessage]) -> str:
    """What the user tells first, else what is said first."""
    said = [m.message.content for m in messages if m.message.role is Role.USER]
    return subject_of(said or [messages[0].message.content], SUBJECT_CHARS_MAX)


def _participants(messages: Sequence[JournalMessage]) -> tuple[str, ...]:
    """Who spoke, in order of their first word: a name where there is one, else the agent, else the role."""
    spoken = (m.message.name or m.message.agent or str(m.message.role) for m in messages)
    return tuple(dict.fromkeys(spoken))
