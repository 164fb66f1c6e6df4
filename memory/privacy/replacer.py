"""What long-term memory is given instead of identifiers, by the policy of the store.

A text is replaced alone (a query), or as one of a dialogue, whose identifiers are learnt first. The same dialogue under
the same policy and key always gives the same texts: no id or hash is made of what was replaced.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from memory.errors import SetupError
from memory.language.speech import located
from memory.ports import Pseudonyms
from memory.privacy.identifier_memory import Known, rewritten
from memory.privacy.identifiers import IdentifierSpan
from memory.privacy.placeholders import is_mark, numbered, pseudonym, redacted
from memory.privacy.policy import Policy

Note = Callable[[Mapping[str, int]], None]
"""Told how many identifiers of each kind were replaced; called on the event loop."""


def unnoted(_: Mapping[str, int]) -> None:
    """Nobody wants to know."""


_KEEP: Final = Policy()
_SAID_BEFORE: Final = ("{}：", "{} ", "我{}：", "my {}: ", "I {} ")
"""How a key may say what its value is; rules look for the words of speech."""
_AGE_DIGITS: Final = 3
"""So few digits stand in a phone number by chance."""


class Replacer:
    """Replaces by a policy. Without one everything stays as it is."""

    def __init__(self, policy: Policy = _KEEP, pseudonyms: Pseudonyms | None = None, note: Note = unnoted) -> None:
        if pseudonyms is None and policy.kinds("pseudonym"):
            raise SetupError("pseudonyms need a key")
        self.kinds: Final = policy.replaced
        self._policy = policy
        self._pseudonyms = pseudonyms
        self._note = note

    def text(self, tenant: str, text: str, keys: Iterable[str] = ()) -> str:
        """One text by itself, e.g. a query: it finds what was stored under the same pseudonyms. `keys`: what it is."""
        if not self.kinds:
            return text
        dialogue = self.dialogue(tenant)
        replaced = dialogue.text(text)
        for key in keys:
            _, replaced = dialogue.beside(key, replaced)
        self.noted(dialogue)
        return replaced

    def fields(
        self, tenant: str, pairs: Sequence[tuple[str, str]], alone: Sequence[str] = ()
    ) -> tuple[list[tuple[str, str]], list[str]]:
        """Keys with their values, and texts beside them: what one of them tells is known in all of them."""
        if not self.kinds:
            return list(pairs), list(alone)
        dialogue = self.dialogue(tenant)
        dialogue.learn([*alone, *map("：".join, pairs)], ())
        covered = [dialogue.beside(key, value) for key, value in pairs], [dialogue.text(text) for text in alone]
        self.noted(dialogue)
        return covered

    def dialogue(self, tenant: str) -> "ReplacedDialogue":
        """For the texts of one dialogue of a tenant."""
        return ReplacedDialogue(self.kinds, lambda kind, value: self._new(tenant, kind, value))

    def noted(self, dialogue: "ReplacedDialogue") -> None:
        """Pass on what was replaced in a dialogue so far."""
        if dialogue.counts:
            self._note(dialogue.counts)

    def _new(self, tenant: str, kind: str, value: str) -> str:
        if self._pseudonyms is None or self._policy.choice(kind) == "redact":
            return redacted(kind)
        return pseudonym(kind, self._pseudonyms.body(tenant, kind, value))


class ReplacedDialogue:
    """The texts of one dialogue without its identifiers. `counts`: how many were replaced, by kind."""

    def __init__(self, kinds: frozenset[str], new: Callable[[str, str], str]) -> None:
        self.counts: Counter[str] = Counter()
        self._kinds = kinds
        self._known = Known(kinds)
        self._spans: dict[str, list[IdentifierSpan]] = {}
        self._make = new
        self._news: dict[tuple[str, str], str] = {}

    def learn(self, texts: Iterable[str], names: Iterable[str]) -> None:
        """Know the identifiers of these texts, and who speaks, in every text.

        People whose names are redacted are numbered, so that two who speak do not become one.
        """
        for name in names:
            if "name" in self._kinds and name and not is_mark(name) and ("name", name) not in self._news:
                new = self._make("name", name)
                number = 1 + len(self._news)
                self._news["name", name] = numbered("name", number) if new == redacted("name") else new
            self._known.learn_name(name)
        for text in texts:
            self._known.learn(text)
        self._spans.clear()

    def text(self, text: str) -> str:
        """A text without them."""
        return rewritten(text, self._known.spans(text), self._counted)

    def beside(self, key: str, value: str) -> tuple[str, str]:
        """A key and its value without them: 护照号 says of what stands beside it that it is one."""
        if not self._kinds:
            return key, value
        at, spans = len(key), self._known.spans(f"{key}：{value}")
        if any(span.start <= at < span.end for span in spans):
            return self.text(key), self.text(value)
        plain = self.text(rewritten(key, [span for span in spans if span.end <= at], self._counted))
        value = self.text(value)
        for said in _SAID_BEFORE:
            before = said.format(key)
            known = [span for span in self._known.spans(before + value) if span.start >= len(before)]
            moved = [IdentifierSpan(span.start - len(before), span.end - len(before), span.kind) for span in known]
            value = rewritten(value, moved, self._counted)
        return plain, value

    def speaker(self, name: str) -> str:
        """A speaker's name, which is a name whole; or a text when names are kept."""
        return self._news.get(("name", name)) or self.text(name)

    def quote(self, message: str, quote: str) -> str:
        """A message's quote, as it stands in the message's own replaced text.

        Of a message in which something is replaced, "" when the quote is none of its words: a mark would support it.
        """
        spans = self._spans_of(message)
        if not spans:
            return quote
        place = located(quote, message)
        if place is None:
            return ""
        held = _held(spans, *place)
        return self._slice(message, held, *place) if held else quote

    def derived(self, message: str, quote: str, text: str) -> str:
        """What was made of a quote of a message: its identifiers replaced, pieces that the quote has cut off too.

        A text that stands in the quote only as a piece of an identifier becomes what the identifier does.
        """
        spans = self._spans_of(message)
        place = located(quote, message) if spans else None
        held = _held(spans, *place) if place else []
        if not (place and held):
            return self._plain(text)
        whole = _only_within(message, text, held)
        if whole is not None:
            return self._new(whole.kind, message[whole.start : whole.end])
        cut_off = _cut_off(message, held, *place)
        known = self._known.with_fragments(cut_off) if cut_off else self._known
        return rewritten(text, known.spans(text), self._new)

    def _spans_of(self, message: str) -> list[IdentifierSpan]:
        """Of a message from which many things are made."""
        if message not in self._spans:
            self._spans[message] = self._known.spans(message)
        return self._spans[message]

    def _plain(self, text: str) -> str:
        return rewritten(text, self._known.spans(text), self._new)

    def _slice(self, message: str, held: Sequence[IdentifierSpan], start: int, end: int) -> str:
        """The replaced text of a stretch, which grows to hold the identifiers that it cuts."""
        start, end = min(start, held[0].start), max(end, held[-1].end)
        moved = [IdentifierSpan(span.start - start, span.end - start, span.kind) for span in held]
        return rewritten(message[start:end], moved, self._new)

    def _counted(self, kind: str, value: str) -> str:
        self.counts[kind] += 1
        return self._new(kind, value)

    def _new(self, kind: str, value: str) -> str:
        if (kind, value) not in self._news:
            self._news[kind, value] = self._make(kind, value)
        return self._news[kind, value]


def _held(spans: Sequence[IdentifierSpan], start: int, end: int) -> list[IdentifierSpan]:
    return [span for span in spans if span.start < end and start < span.end]


def _cut_off(message: str, held: Sequence[IdentifierSpan], start: int, end: int) -> list[tuple[str, str]]:
    """The pieces of identifiers that a stretch begins or ends with."""
    return [
        (message[max(span.start, start) : min(span.end, end)], span.kind)
        for span in held
        if span.start < start or end < span.end
    ]


def _only_within(message: str, text: str, held: Sequence[IdentifierSpan]) -> IdentifierSpan | None:
    """The identifier that a text is a piece of, when it stands nowhere else in the message."""
    if not text or (text.isdigit() and len(text) <= _AGE_DIGITS):
        return None
    first = None
    at = message.find(text)
    while at >= 0:
        over = [span for span in held if span.start <= at and at + len(text) <= span.end]
        if not over:
            return None
        first = first or over[0]
        at = message.find(text, at + 1)
    return first
