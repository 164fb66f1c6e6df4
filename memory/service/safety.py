"""Safety at once: what users have said of allergies, diseases and operations stands in every answer about them.

Rules read each message as it is written (memory/clinical); what they find goes into the same atomic write, and every
context of the user shows it from then on: before the session has ended, with no model, and beside what is remembered.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from memory.clinical.answers import may_answer
from memory.clinical.corrections.held import Correction, Held, before, held_of, put_right
from memory.clinical.corrections.reading import corrections
from memory.clinical.findings import Finding, each_once
from memory.clinical.follow_ups import ASKED_MAX, answered_by, is_open
from memory.clinical.languages import in_use
from memory.clinical.owned import says_whose
from memory.clinical.people import OTHER
from memory.clinical.spoken import needs_those_before
from memory.consolidation.knowledge.profiles import safety_details
from memory.consolidation.remember import Rememberer
from memory.errors import TemporaryError
from memory.language.fenced import without_fenced
from memory.limits import SAID_CONVERSATIONS_MAX
from memory.model.memory import Memory
from memory.model.session import Message, ProfileCopy, Role
from memory.ports import Clock, SessionStore, TokenCounter
from memory.privacy.replacer import Replacer
from memory.scope import ConversationScope, UserScope
from memory.service.hearing import Hearing
from memory.service.remembering import Remembering
from memory.session.context import safety_line_text, text_json, without_safety_line
from memory.session.journal import decode
from memory.session.safety import RELATIVES, SUBJECT, Detail, Status, safety_view, shown, users_own
from memory.session.said import Said, decode_said, encode_said, is_full

P = ParamSpec("P")
T = TypeVar("T")

_REMEMBERED_MAX: Final = 512
_REMEMBERED_BYTES_MAX: Final = 8_192
"""Of what was said, for it to be remembered beside the profile: some 20 MB in all at the most."""
_SHORT_MAX: Final = 500
"""Characters that are read at once: a millisecond or two; more is read on a thread."""
_LATELY: Final = 12
"""Messages before one that names nobody which may say of whom it is."""
NOT_READ: Final = "safety"
LEFT_OUT: Final = "safety_limit"


class Elsewhere(NamedTuple):
    """What a user has said in other conversations, the profile's copy as it is after that, and what was not read."""

    said: Sequence[Said]
    copy: ProfileCopy | None
    degraded: tuple[str, ...] = ()


class _Read(NamedTuple):
    """What one message says of the user and relatives, and what it may put right."""

    found: Sequence[Finding]
    corrections: Sequence[Correction]
    own: bool = False
    """Whether the user said it."""


async def _beside(chars: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work of which others wait for a millisecond or two at the most: more of it is done on a thread."""
    return await asyncio.to_thread(work, *args, **kwargs) if chars > _SHORT_MAX else work(*args, **kwargs)


def _agents(message: Message) -> str:
    """What an agent said; empty for anybody else."""
    return message.content if message.role is Role.ASSISTANT else ""


def _questions(lately: Sequence[Message], messages: Sequence[Message]) -> list[str]:
    """What each message answers. `lately`: what was said before them."""
    asked = [_agents(each) for each in (*lately, *messages)]
    return [
        answered_by(each.content, asked[max(0, at - ASKED_MAX) : at]) if each.role is Role.USER else ""
        for at, each in enumerate(messages, len(lately))
    ]


class _Messages:
    """The messages of one write, to be read. `texts`: the user's own (others are empty), and what each answers."""

    def __init__(self, hearing: Hearing, texts: Sequence[str], asked: Sequence[str]) -> None:
        self._hearing = hearing
        self._texts = texts
        self._asked = asked
        self._safety = cache(hearing.read_safety)
        self._corrections = cache(_corrections)

    def read(self, lately: Sequence[Message] = ()) -> list[_Read]:
        """Read each. `lately`: what was said before, as far as it may say of whom the first one is.

        Again for other messages before them costs little where these say nothing new of whom they are.
        """
        hearing = self._hearing
        spoken, read = hearing.spoken(lately), list[_Read]()
        goes_on = len(self._texts) > 1 and any(map(hearing.names_a_relative, self._texts))
        for text, question in zip(self._texts, self._asked, strict=False):
            if not text:
                read.append(_Read((), ()))
                continue
            told = self._safety(text, question, spoken.about(question))
            found = [each._replace(subject=spoken.called(each.subject)) for each in told]
            if goes_on:
                hearing.hear(spoken, text, question)
            read.append(_Read([each for each in found if each.subject != OTHER], self._corrections(text), own=True))
        return read


def _corrections(text: str) -> Sequence[Correction]:
    """What a message puts right, unless it says itself who it is that does not bear it."""
    right = corrections(text)
    return [] if right and says_whose(text) else right


class SafetyReader:
    """Finds safety facts in what is written, and those of a user that are not in memory yet."""

    def __init__(
        self,
        sessions: SessionStore,
        rememberer: Rememberer,
        tokens: TokenCounter,
        clock: Clock,
        replacer: Replacer,
        stamp: bytes,
    ) -> None:
        """`stamp`: of the settings with which copies of profiles are made. Reads the lexicons."""
        self._sessions = sessions
        self._rememberer = rememberer
        self._tokens = tokens
        self._clock = clock
        self._replacer = replacer
        self._stamp = stamp
        self._known: Remembering[object, _Merged] = Remembering(_REMEMBERED_MAX)
        self._hearing = Hearing()
        in_use()

    async def found_in(self, scope: ConversationScope, user: str, messages: Sequence[Message]) -> bytes:
        """What a write holds, as the session tier keeps it; empty when there is nothing. `user`: empty if unknown.

        A short first message may be an answer: then the last one of the conversation is read, in one round trip; where
        the answer tells something and does not say of whom, those before it, in one more. What a message may take back
        is read of the user, in up to three; while that cannot be read, only what the same write says is taken back.
        """
        own = [message.role is Role.USER and not message.name for message in messages]
        if not any(own):
            return b""
        first = messages[0].content if own[0] and may_answer(messages[0].content) else ""
        last = await self._lately(scope, 1) if first else []
        lately = last
        if last and is_open(first, _agents(last[-1])):
            lately = await self._lately(scope, _LATELY)
        questions = _questions(lately, messages)
        texts = [
            without_safety_line(without_fenced(each.content)) if is_own else ""
            for each, is_own in zip(messages, own, strict=True)
        ]
        chars = sum(map(len, texts))
        written = _Messages(self._hearing, texts, questions)
        read = await _beside(chars, written.read)
        if last and needs_those_before(first, questions[0], found=bool(read[0].found)):
            lately = lately if len(lately) > 1 else await self._lately(scope, _LATELY)
            read = await _beside(chars, written.read, lately)
        held = await self._held(scope, user) if any(each.corrections for each in read) else ()
        return encode_said(await _beside(chars, self._put_right, scope.tenant, read, held))

    def _put_right(self, tenant: str, read: Sequence[_Read], held: Sequence[Held]) -> list[list[Finding]]:
        """What was read, with what was put right, and with what the store may have instead of identifiers."""
        cover, known, every = partial(self._replacer.text, tenant), list(held), list[list[Finding]]()
        for each_read in read:
            found = each_read.found
            whole = each_once([*found, *put_right(each_read.corrections, [*known, *held_of(found)])])
            known = before([*known, *held_of(whole)]) if each_read.own else known
            every.append(
                [
                    each._replace(text=cover(each.text), quote=cover(each.quote), reaction=cover(each.reaction))
                    for each in whole
                ]
            )
        return every

    async def _held(self, scope: ConversationScope, user: str) -> list[Held]:
        """What is held of the user, the oldest first: what is in the profile's copy, said elsewhere, and said here."""
        try:
            reading = await self._sessions.read(scope, user or None, profile_stamp=self._stamp)
            head = reading.head
            who = user or (head.user_id if head else "")
            if head is not None and head.user_id not in {"", who}:  # the write is refused
                return []
            said = [Said(scope.conversation, reading.said, head.number if head else 0)] if reading.said else []
            lately = head.seq - 1 if head else 0  # what was said there was answered by the last message
            known: list[dict[str, Any]] = []
            if who:
                owner = UserScope(scope.tenant, who)
                known = await self._known_of(owner, reading.profile)
                said += (await self.elsewhere(owner, None, but=scope.conversation)).said
        except TemporaryError:
            return []
        every = [*known, *map(shown, details_of(said, scope.tenant, who))]
        return [
            Held(
                each["kind"],
                each["text"],
                here=here,
                possible=each["status"] == Status.POSSIBLE,
                last=here and each.get("seq", 0) >= lately > 0,
                own=SUBJECT not in each,
            )
            for each in every
            for here in [each.get("conversation_id") == scope.conversation]
            if not each.get("denied")
        ]

    async def _known_of(self, scope: UserScope, copy: ProfileCopy | None) -> list[dict[str, Any]]:
        """What stands in the profile's copy; just after something became memory there is none, and memory is read."""
        if copy is None:
            return list(map(shown, self.known(await self._rememberer.core_facts(scope), "")))
        return list(json.loads(copy.safety_json).get("details", ()))

    async def _lately(self, scope: ConversationScope, count: int) -> list[Message]:
        return [decode(entry).message for entry in await self._sessions.latest(scope, count)]

    async def elsewhere(
        self, scope: UserScope, conversations: Sequence[str] | None, copy: ProfileCopy | None = None, but: str = ""
    ) -> Elsewhere:
        """What this user has said in these conversations (None: in all, but one). `copy`: the profile's, as it was.

        One round trip when there are any, and one more to learn which.
        """
        try:
            if conversations is None:
                conversations = [name for name in await self._sessions.unconsolidated(scope) if name != but]
            if not conversations:
                return Elsewhere([], copy)
            if len(conversations) > SAID_CONVERSATIONS_MAX:  # who is over fills the list until it is read
                await self._sessions.tails(scope, conversations)
                conversations = [name for name in await self._sessions.unconsolidated(scope) if name != but]
            listed = conversations[:SAID_CONVERSATIONS_MAX]
            found, copy = await self._sessions.said(scope, listed, self._stamp)
        except TemporaryError:
            return Elsewhere([], copy, (NOT_READ,))
        said = [Said(name, lines) for name, lines in zip(listed, found, strict=True) if lines]
        whole = len(listed) == len(conversations) and not any(map(is_full, said))
        return Elsewhere(said, copy, () if whole else (LEFT_OUT,))

    def known(self, facts: Sequence[Memory], name: str) -> list[Detail]:
        """What is remembered of a user's safety and holds today. `name`: what the user is called."""
        return safety_details(facts, self._clock.now_ms(), name)

    async def tokens_of(self, line: str) -> int:
        """What a safety line costs a model."""
        return await self._tokens.count(_counted(line)) if line else 0

    async def with_said(
        self, copy: ProfileCopy, said: Sequence[Said], tenant: str, user: str, locale: str
    ) -> ProfileCopy:
        """A profile with what this user has said beside what is known."""
        if not said:
            return copy
        about = (copy.safety_json, copy.relatives_json, copy.snapshot_json, tuple(said), (tenant, user, locale))
        if sum(len(each.lines) for each in said) <= _REMEMBERED_BYTES_MAX:
            merged = self._known.of(about, lambda: _merged(*about))
        else:
            merged = _merged(*about)
        return copy._replace(
            safety_json=merged.safety_json,
            relatives_json=merged.relatives_json,
            safety_line_json=merged.line_json,
            safety_tokens=await self._tokens.count(merged.counted) if merged.counted else 0,
            snapshot_json=merged.snapshot_json,
        )


def _counted(line: str) -> str:
    """A line that leads a context and its end, as it costs a model; empty where there is none."""
    return line and line + "\n"


class _Merged(NamedTuple):
    line_json: bytes
    counted: str
    safety_json: bytes
    relatives_json: bytes
    snapshot_json: bytes


def details_of(said: Sequence[Said], tenant: str, user: str) -> list[Detail]:
    """What this user has said, the oldest first."""
    details = (detail for each in said for detail in decode_said(each, tenant, user))
    return sorted(details, key=lambda detail: (detail.said_ms, detail.seq))


def _merged(
    safety_json: bytes, relatives_json: bytes, snapshot_json: bytes, said: Sequence[Said], about: tuple[str, str, str]
) -> _Merged:
    """`about`: the tenant, the user, and the locale of the line that leads a context."""
    tenant, user, locale = about
    known: dict[str, Any] = json.loads(safety_json)
    view = safety_view(
        known, [*known["details"], *json.loads(relatives_json), *map(shown, details_of(said, tenant, user))]
    )
    snapshot = json.loads(snapshot_json)
    if snapshot is not None:
        snapshot |= {name: value for name, value in view.items() if value}
    line = safety_line_text(view, locale)
    return _Merged(text_json(line), _counted(line), _json(users_own(view)), _json(view[RELATIVES]), _json(snapshot))


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
