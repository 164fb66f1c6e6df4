"""Values of the living session. All immutable; those that every request makes are tuples, which are made faster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Mode(StrEnum):
    """What a bot is given: everything, or a summary and the last N turns."""

    FULL_HISTORY = "FULL_HISTORY"
    SUMMARY_N = "SUMMARY_N"


class Message(NamedTuple):
    """One message as the caller gave it. `raw` is the agent's answer before its JSON wrapper came off."""

    role: Role
    content: str
    name: str = ""
    agent: str = ""
    occurred_at: str = ""
    raw: str = ""


class EncodedMessage(NamedTuple):
    """A message ready for the journal: everything but the seq, turn and time that the store assigns.

    `tokens` counts the message's whole history line, label and newline included.
    """

    fragment: bytes
    tokens: int
    starts_turn: bool


@dataclass(frozen=True, slots=True)
class JournalMessage:
    """A message of the journal, decoded."""

    seq: int
    turn: int
    at_ms: int
    tokens: int
    message: Message


@dataclass(frozen=True, slots=True)
class CheckpointRecord:
    """A cumulative summary that covers the journal up to `covers_seq`."""

    checkpoint_id: str
    seq: int
    at_ms: int
    covers_seq: int
    recent_turns: int
    summary: str
    summary_tokens: int


class SessionHead(NamedTuple):
    """The counters of a living session, as one read returns them.

    `window_tokens` is the sum over the live window; `fresh_tokens` the part of it after the last
    checkpoint. `stamp` names the encoding and locale that the token counts were made with.
    `summary_json` is a finished JSON string literal (with its quotes). `first_seq` and `last_seq` are those of
    the live window's messages, in digits (0: it is empty). `number` is the session's in its conversation. `timezone` is
    its user's by IANA name, if anybody has said it. `tools_json`: what tools gave in the last turn, in short,
    a finished JSON string literal.
    """

    rev: int
    seq: int
    turns: int
    window_tokens: int
    fresh_tokens: int
    user_id: str
    agent: str
    stamp: bytes
    resumed: bool
    covers_seq: int
    checkpoint_id: str
    recent_turns: int
    summary_tokens: int
    summary_json: bytes
    base_seq: int
    started_ms: int
    updated_ms: int
    first_seq: bytes
    last_seq: bytes
    number: int
    timezone: str = ""
    tools_json: bytes = b'""'
    tools_tokens: int = 0


class HistoryPage(NamedTuple):
    """A stretch of a living session's messages. `next_place`: where the next page begins; None after the last."""

    started_ms: int
    base_seq: int
    next_place: int | None
    entries: Sequence[bytes]


class CoreLines(NamedTuple):
    """What stands in each context of a user beside safety: a JSON array of (memory id, words, line), and its tokens."""

    lines_json: bytes = b"[]"
    tokens: int = 0


class ProfileCopy(NamedTuple):
    """A user's profile as the session tier carries it: finished JSON, with the safety line counted.

    `remembers`: whether there are long-term memories of the user to search; `speakers`: who speaks in them by name;
    `relatives_json`: what is known of the safety of relatives, an array.
    """

    version: int
    safety_json: bytes
    safety_line_json: bytes
    safety_tokens: int
    snapshot_json: bytes
    remembers: bool
    speakers: tuple[str, ...] = ()
    relatives_json: bytes = b"[]"
    core: CoreLines = CoreLines()


class Reading(NamedTuple):
    """What one round trip of a read returns.

    `live` are the encoded messages of the window, oldest first; `archive` and `records` are filled only
    when asked for. `head` is None when no session is alive; `live` may then hold the journal of one that
    expired and was not sealed yet. `profile` is None when there is no fresh copy (or no user was named). `others` are
    the user's conversations that may be alive or not yet in memory, this one left out; None when there is no user.
    `said`: what was found of safety facts in this conversation, as far as it is not in memory yet.
    """

    head: SessionHead | None
    live: Sequence[bytes]
    archive: Sequence[bytes] = ()
    records: Sequence[bytes] = ()
    profile: ProfileCopy | None = None
    others: Sequence[str] | None = None
    said: bytes = b""


class Tail(NamedTuple):
    """What one session holds that is not in memory yet: journal entries, oldest first, without those it began with.

    `complete`: False when older or larger ones were left out. `number` is the session's in its conversation.
    """

    conversation: str
    number: int
    entries: Sequence[bytes]
    complete: bool


class Given(NamedTuple):
    """What stood in the context that a bot was given, by ids: what they say may be corrected or forgotten since.

    `last_seq`: the last message that it could know of; `from_seq`: the first one that stood in it (0: none).
    `fact_ids` are those of safety facts, as `safety.details` names them.
    """

    at_ms: int
    user: str
    agent: str
    mode: Mode
    last_seq: int
    from_seq: int
    tokens: int
    memory_ids: Sequence[str]
    fact_ids: Sequence[str]


class StateChange(NamedTuple):
    """A change of the global state. `None` in `entities` deletes that entity; absent parts stay as they are."""

    entities: Mapping[str, object] = MappingProxyType({})
    slot: Mapping[str, object] | None = None
    current_intent: str | None = None
    pending_action: Mapping[str, object] | None = None


class Append(NamedTuple):
    """One atomic write to a conversation: messages, state, or both.

    `turns_max`, `bytes_max`: what the session may have before it; 0: any number. `said`: what was found in the messages
    of safety facts, as `memory/session/said.py` encodes it. `timezone`: of what is said in the session from here on.
    `tools`: what tools gave, in short, until the next messages; `tools_tokens` of it.
    """

    messages: Sequence[EncodedMessage] = ()
    state: StateChange | None = None
    user_id: str = ""
    agent: str = ""
    stamp: bytes = b""
    if_rev: int | None = None
    idempotency_key: str = ""
    digest: str = ""
    turns_max: int = 0
    bytes_max: int = 0
    said: bytes = b""
    timezone: str = ""
    tools: str = ""
    tools_tokens: int = 0


class Appended(NamedTuple):
    """What an append (or its replay) left behind. Token figures are None on a replay, and its `user_id` is not known.

    `nobodys`: the session has no user, so nothing of it can be remembered for a person.
    """

    rev: int
    seq: int
    turns: int
    updated_ms: int
    mode: Mode
    replayed: bool = False
    window_tokens: int | None = None
    fresh_tokens: int | None = None
    summary_tokens: int = 0
    nobodys: bool = False
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class Seed:
    """What a session that comes back starts from: its predecessor's last turns, and a summary of the rest.

    `entries` are journal entries as they were, `turn_base` and `base_seq` the numbers to go on from. The summary says
    what was said up to `covers_seq`.
    """

    summary: str = ""
    summary_tokens: int = 0
    entries: Sequence[bytes] = ()
    entry_tokens: int = 0
    base_seq: int = 0
    covers_seq: int = 0
    turn_base: int = 0
    recent_turns: int = 0
    user_id: str = ""
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a session. `expected_no` is the session number that the caller saw before (0: none).

    `expected_forgotten`: how often the conversation had been forgotten before the caller read what is in the seed.
    `full`: the living session that gives way to it, as the caller saw it; its working state goes on.
    `timezone`: of what is said in it, by IANA name.
    """

    expected_no: int
    user_id: str
    agent: str
    stamp: bytes
    seed: Seed
    expected_forgotten: int = 0
    full: SessionHead | None = None
    timezone: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointWrite:
    """A checkpoint to write. `expected_checkpoint` is the one its summary was merged with, in session `expected_no`."""

    summary: str
    summary_tokens: int
    recent_turns: int
    covers_seq: int | None
    expected_checkpoint: str
    expected_no: int


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """What a checkpoint left behind."""

    checkpoint_id: str
    covers_seq: int
    rev: int
    window_tokens: int


@dataclass(frozen=True, slots=True)
class SessionDetails:
    """The whole state of a living session, for whoever asks for it by name."""

    head: SessionHead
    live: Sequence[bytes]
    expires_in_ms: int
    entities: Mapping[str, object]
    slots: Mapping[str, object]
    current_intent: str
    pending_action: Mapping[str, object] | None
