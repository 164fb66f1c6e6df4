"""The answer of QueryMemoryContext, and its encoding: stored bytes are spliced in, never parsed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from json.encoder import encode_basestring_ascii
from typing import Any, Final, NamedTuple

from memory.clinical.findings import ALLERGY, ANYTHING
from memory.clinical.kin import person_of
from memory.model.lifecycle import SessionState
from memory.model.session import ProfileCopy, SessionHead
from memory.session.journal import LABELS, encode_text, render
from memory.session.safety import LIST_OF, LISTS, RELATIVES, SUBJECT, Status
from memory.session.window import Budget, Window

RESUMED: Final = "resumed"
"""The checkpoint id of a summary that a session was seeded with: it is not one of its own."""

_SUMMARY_LABELS: Final = {locale: labels["summary"].encode() + b": " for locale, labels in LABELS.items()}
_STATES: Final = {state: state.encode() for state in SessionState}


class MemoryContext(NamedTuple):
    """What a bot should send to its model now. `extras` are finished JSON members asked for by `include`."""

    conversation_id: str
    state: SessionState
    head: SessionHead | None
    window: Window
    budget: Budget
    summary_json: bytes
    checkpoint_id: str
    profile: ProfileCopy
    locale: str
    seq: int
    resumed: bool
    should_checkpoint: bool
    memories_json: bytes = b"[]"
    recalled_json: bytes = b'""'
    time_json: bytes = b'""'
    time_tokens: int = 0
    core_json: bytes = b'""'
    core_tokens: int = 0
    summary_tokens: int = 0
    recalled_tokens: int = 0
    degraded: Sequence[str] = ()
    extras: Sequence[tuple[str, bytes]] = ()
    memory_ids: Sequence[str] = ()
    user_id: str = ""

    @property
    def tokens(self) -> int:
        """What all of it, with the question, costs a model."""
        return self.window.tokens + self.budget.fixed_tokens

    def blocks(self) -> bytes:
        """The parts of `context` in their order, those that there are, as a JSON array."""
        safety, recalled = json.loads(self.profile.safety_line_json), json.loads(self.recalled_json)
        tools = json.loads(self.head.tools_json) if self.head else ""
        summary = summary_line_text(json.loads(self.summary_json), self.locale).rstrip("\n")
        parts = (
            ("safety", safety, self.profile.safety_tokens),
            ("time", json.loads(self.time_json), self.time_tokens),
            ("core", json.loads(self.core_json), self.core_tokens),
            ("summary", summary, self.summary_tokens),
            ("tools", tools, self.head.tools_tokens if self.head else 0),
            ("recalled", recalled, self.recalled_tokens),
        )
        found = [{"name": name, "text": text, "tokens": tokens} for name, text, tokens in parts if text]
        return json.dumps(found, ensure_ascii=False).encode()

    def encode(self) -> bytes:
        """The JSON document, in UTF-8."""
        lines, messages = render(self.window.entries, self.locale)
        summary = self.summary_json[1:-1]
        summary_line = _SUMMARY_LABELS[self.locale] + summary if summary else b""
        safety_line = self.profile.safety_line_json[1:-1]
        head = self.head
        tools = head.tools_json[1:-1] if head else b""
        members = (
            b'{"conversation_id":"', self.conversation_id.encode(),
            b'","session_state":"', _STATES[self.state],
            b'","rev":%d,"seq":%d,"turn_count":%d,"resumed":' % (
                head.rev if head else 0, self.seq, head.turns if head else 0),
            _boolean(self.resumed),
            b',"mode":"', self.window.mode.encode(),
            b'","history":"', _joined(summary_line, lines),
            b'","messages":', messages,
            b',"context":"', _joined(
                safety_line, self.time_json[1:-1], self.core_json[1:-1], summary_line, tools, self.recalled_json[1:-1]),
            b'","safety":', self.profile.safety_json,
            b',"relatives":', self.profile.relatives_json,
            b',"memories":', self.memories_json, b',"summary":"', summary,
            b'","checkpoint_message_id":"', b"" if self.checkpoint_id == RESUMED else self.checkpoint_id.encode(),
            b'","estimated_tokens":%d,"token_ratio":%.6f,"should_checkpoint_summary":' % (
                self.tokens, self.window.ratio(self.budget)),
            _boolean(self.should_checkpoint),
            b',"window_shrunk":', _boolean(self.window.shrunk),
            b',"degraded":[', b",".join(encode_basestring_ascii(name).encode() for name in self.degraded), b"]",
            *(part for name, value in self.extras for part in (b',"', name.encode(), b'":', value)),
            b"}",
        )  # fmt: skip
        return b"".join(members)


def _boolean(value: bool) -> bytes:  # noqa: FBT001 - it is what is encoded
    return b"true" if value else b"false"


def _joined(*parts: bytes) -> bytes:
    return b"\\n".join([part for part in parts if part])


def summary_line_text(summary: str, locale: str) -> str:
    """The history's summary line, newline included: what a summary costs a model."""
    return f"{LABELS[locale]['summary']}: {summary}\n" if summary else ""


SAFETY_LABELS: Final = {
    "zh": {
        "title": "安全信息",
        "allergies": "过敏史",
        "chronic_diseases": "慢病史",
        "surgery_history": "手术史",
        "states": "特殊状态",
        "possible": "待确认",
        "relatives": "家人",
        "allergy": "{}过敏",
        "taken_back": "{}（本人已改口，待确认）",
        "of": "{}（{}）",
        "nothing": "无已知过敏",
        "item": "、",
        "kind": "；",
        "colon": "：",
    },
    "en": {
        "title": "Safety facts",
        "allergies": "allergies",
        "chronic_diseases": "chronic diseases",
        "surgery_history": "surgery",
        "states": "states",
        "possible": "to be confirmed",
        "relatives": "relatives",
        "allergy": "{} allergy",
        "taken_back": "{} (taken back, to be confirmed)",
        "of": "{} ({})",
        "nothing": "no known allergies",
        "item": ", ",
        "kind": "; ",
        "colon": ": ",
    },
}


def without_safety_line(text: str) -> str:
    """A text without the safety lines of contexts that were pasted into it: they say what was known already."""
    titles = tuple(labels["title"] + labels["colon"].rstrip() for labels in SAFETY_LABELS.values())
    if not any(title in text for title in titles):
        return text
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(titles))


def safety_line_text(safety: Mapping[str, Any], locale: str) -> str:
    """One line for the system prompt; empty when nothing is known. Line breaks inside a fact become spaces.

    `safety`: as `safety_view` gives it. What is possible stands with the words that were said, what is a relative's
    with who it is; of what somebody took back it says so.
    """
    labels = SAFETY_LABELS[locale]
    doubts = [each for each in safety["details"] if each["status"] == Status.POSSIBLE]
    possible = [
        f"{each['text']} ({each['quote']})" if each.get("quote", each["text"]) != each["text"] else each["text"]
        for each in doubts
    ]
    doubted = {(LIST_OF[kind], text) for kind, text in _taken_back(safety)}
    listed = {
        kind: [
            labels["taken_back"].format(text) if (kind, text.casefold()) in doubted else text for text in safety[kind]
        ]
        for kind in LISTS
    }
    known = listed | {"possible": possible, "relatives": _relatives(safety, labels)}
    kinds = [
        labels[kind] + labels["colon"] + labels["item"].join(" ".join(fact.split()) for fact in facts)
        for kind, facts in known.items()
        if facts
    ]
    if safety["no_known_allergies"]:
        kinds.append(labels["nothing"])
    return labels["title"] + labels["colon"] + labels["kind"].join(kinds) if kinds else ""


def _taken_back(safety: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is denied beside the claim, and nobody has decided: by kind and text."""
    for each in safety["details"]:
        if each.get("denied") and each["text"] != ANYTHING and each["status"] != Status.CONFIRMED:
            yield each["kind"], each["text"].casefold()


def _relatives(safety: Mapping[str, Any], labels: Mapping[str, str]) -> list[str]:
    """What is known of each, once, by whatever words for them: 孩子（花生过敏、哮喘）."""
    names: dict[str, str] = {}
    known: dict[str, dict[str, None]] = {}
    for each in safety[RELATIVES]:
        if each["status"] != Status.POSSIBLE and not each.get("denied"):
            text = labels["allergy"].format(each["text"]) if each["kind"] == ALLERGY else each["text"]
            who = names.setdefault(person_of(each[SUBJECT]), each[SUBJECT])
            known.setdefault(who, {})[text] = None
    return [labels["of"].format(who, labels["item"].join(facts)) for who, facts in known.items()]


def text_json(text: str) -> bytes:
    """A finished JSON string literal."""
    return encode_text(text)
