"""The one place where identifiers leave a session's texts, before anything of it is written to long-term memory.

A mind reads what was said; what it made of it is covered afterwards. So a name that is not stored still makes a fact,
which then says `[name]`. Everything else (units, passages, index terms, vectors, ids) is made of covered texts.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memory.model.extraction import Dialogue, Extraction, FoundEvent, FoundFact, Said
from memory.model.finalization import SealedJournal
from memory.model.memunit import MemUnit
from memory.privacy.replacer import ReplacedDialogue, Replacer
from memory.session.journal import decode, header

_COMPACT: Final = (",", ":")


@dataclass(frozen=True, slots=True)
class Covering:
    """How a session's texts are covered. By default not at all."""

    texts: ReplacedDialogue | None = None
    said: Mapping[int, bytes] = field(default_factory=dict)
    """By seq, the entries of the unit in hand that were changed, as they were said."""

    @classmethod
    def by(cls, replacer: Replacer, tenant: str) -> "Covering":
        """For one session of a tenant.

        Identifiers are to be learnt from all of its messages first: so one told without its cue is found too.
        """
        return cls(replacer.dialogue(tenant)) if replacer.kinds else AS_SAID

    def learn(self, entries: Iterable[bytes]) -> None:
        """Know the identifiers and speakers of some of the session's entries."""
        if self.texts is not None:
            messages = [decode(entry).message for entry in entries]
            names = dict.fromkeys(message.name for message in messages)
            self.texts.learn((message.content for message in messages), names)

    def entries(self, entries: Iterable[bytes]) -> Sequence[bytes]:
        """Entries as the store may have them."""
        texts = self.texts
        return list(entries) if texts is None else [_entry(texts, entry) for entry in entries]

    def head(self, journal: SealedJournal) -> SealedJournal:
        """What a journal says beside its messages, as the store may have it."""
        if self.texts is None:
            return journal
        finalization = journal.finalization
        if finalization is not None:
            finalization = replace(finalization, summary=self.texts.text(finalization.summary))
        return replace(
            journal, records=[_record(self.texts, record) for record in journal.records], finalization=finalization
        )

    def of_unit(self, entries: Iterable[bytes]) -> "Covering":
        """The same for the unit that is made of these entries."""
        if self.texts is None:
            return self
        texts = self.texts
        return replace(self, said={header(entry)[0]: entry for entry in entries if _entry(texts, entry) is not entry})

    def as_said(self, unit: MemUnit) -> MemUnit:
        """The unit with its messages as they were said: for a mind to read, not to be stored."""
        if not self.said:
            return unit
        entries = [json.loads(self.said.get(entry["seq"], b"null")) or entry for entry in json.loads(unit.messages)]
        return replace(unit, messages=_json(entries))

    def extraction(self, found: Extraction, dialogue: Dialogue) -> Extraction:
        """What a mind found in a dialogue as it was said, covered. A quote that nobody said becomes empty."""
        if self.texts is None:
            return found
        texts = self.texts
        said = {message.seq: message for message in dialogue.messages}
        return replace(
            found,
            facts=[_fact(texts, fact, said) for fact in found.facts],
            events=[_event(texts, event, said) for event in found.events],
            statements=[
                replace(one, text=texts.text(one.text), quotes=[texts.text(quote) for quote in one.quotes])
                for one in found.statements
            ],
            episodes=[
                replace(one, participant=texts.speaker(one.participant), text=texts.text(one.text))
                for one in found.episodes
            ],
        )


AS_SAID: Final = Covering()


def cover_unit(replacer: Replacer, unit: MemUnit) -> MemUnit:
    """A stretch that is not finalised yet, with its messages covered as far as it goes."""
    if not replacer.kinds:
        return unit
    texts = replacer.dialogue(unit.scope.tenant)
    entries: list[dict[str, Any]] = json.loads(unit.messages)
    texts.learn((each["content"] for each in entries), dict.fromkeys(each.get("name", "") for each in entries))
    covered = [_entry(texts, _json(entry)) for entry in entries]
    return replace(unit, messages=b"[" + b",".join(covered) + b"]")


def _entry(texts: ReplacedDialogue, entry: bytes) -> bytes:
    """A journal entry with its texts covered; the entry itself when there is nothing to cover."""
    fields: dict[str, Any] = json.loads(entry)
    new = fields | {"content": texts.text(fields["content"])}
    if "raw" in fields:
        new["raw"] = texts.text(fields["raw"])
    if "name" in fields:
        new["name"] = texts.speaker(fields["name"])
    return entry if new == fields else _json(new)


def _record(texts: ReplacedDialogue, record: bytes) -> bytes:
    """A record of the journal with its summary covered: that of a checkpoint, or what the session began with."""
    fields: dict[str, Any] = json.loads(record)
    summary = fields.get("summary")
    covered = texts.text(summary) if isinstance(summary, str) else summary
    return record if covered == summary else _json(fields | {"summary": covered})


def _fact(texts: ReplacedDialogue, fact: FoundFact, said: Mapping[int, Said]) -> FoundFact:
    message = said[fact.seq].text if fact.seq in said else ""
    return replace(
        fact,
        subject=texts.derived(message, fact.quote, fact.subject),
        object=texts.derived(message, fact.quote, fact.object),
        quote=texts.quote(message, fact.quote),
        attributes={name: texts.derived(message, fact.quote, said) for name, said in fact.attributes.items()},
    )


def _event(texts: ReplacedDialogue, event: FoundEvent, said: Mapping[int, Said]) -> FoundEvent:
    message = said[event.seq].text if event.seq in said else ""
    return replace(event, text=texts.derived(message, event.quote, event.text), quote=texts.quote(message, event.quote))


def _json(value: dict[str, Any] | Sequence[Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=_COMPACT).encode()
