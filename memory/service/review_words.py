"""What is asked of a person about a memory, and what each answer does, in words."""

from collections.abc import Mapping
from typing import Final

from memory.clinical.people import USER
from memory.language.choice import AUTO, spoken
from memory.model.memory import Memory
from memory.model.predicates import PREDICATES
from memory.model.review import Cause, Verdict
from memory.session.safety import POSSIBLE_PREFIX

_ASKED: Final[Mapping[str, Mapping[Cause, str]]] = {
    "zh": {
        Cause.CONTRADICTION: "档案记着“{label}：{object}”，后来却说“{quote}”。哪一个是对的？",
        Cause.UNCERTAIN: "可能有“{label}：{object}”，原话是“{quote}”。请向本人核实。",
        Cause.FADING: "这条记忆很久没有用到，正在淡忘。还要保留吗？",
        Cause.PROMOTE: "这条记忆常被用到（强度 {strength:.1f}）。要让它不再淡忘吗？",
    },
    "en": {
        Cause.CONTRADICTION: "“{label}: {object}” is on record, and later was said: “{quote}”. Which is right?",
        Cause.UNCERTAIN: "There may be “{label}: {object}”; the words are “{quote}”. Ask the person.",
        Cause.FADING: "This memory has not been used for long and fades. Is it to be kept?",
        Cause.PROMOTE: "This memory is used often (strength {strength:.1f}). Shall it never fade?",
    },
}
_MEANS: Final[Mapping[str, Mapping[Cause, Mapping[Verdict, str]]]] = {
    "zh": {
        Cause.CONTRADICTION: {
            Verdict.APPLY: "更正成立：不再把“{object}”列入安全信息",
            Verdict.REJECT: "更正不成立：“{object}”保留，并标为已确认",
        },
        Cause.UNCERTAIN: {
            Verdict.APPLY: "属实：把“{object}”列入安全信息，标为已确认",
            Verdict.REJECT: "不属实：不再提示，除非本人再次说起",
        },
        Cause.FADING: {
            Verdict.KEEP: "保留，从现在起重新计时",
            Verdict.PROMOTE: "永不淡忘",
            Verdict.DELETE: "归档，日常搜索不再出现",
        },
        Cause.PROMOTE: {
            Verdict.PROMOTE: "永不淡忘",
            Verdict.KEEP: "照旧，仍会淡忘",
            Verdict.DELETE: "归档，日常搜索不再出现",
        },
    },
    "en": {
        Cause.CONTRADICTION: {
            Verdict.APPLY: "The patient is right: take “{object}” off the safety lists",
            Verdict.REJECT: "Keep “{object}”, as confirmed",
        },
        Cause.UNCERTAIN: {
            Verdict.APPLY: "It is so: “{object}” joins the safety lists, as confirmed",
            Verdict.REJECT: "It is not so: nobody is asked again unless the person says it again",
        },
        Cause.FADING: {
            Verdict.KEEP: "Keep it: its time begins anew",
            Verdict.PROMOTE: "It never fades",
            Verdict.DELETE: "It is archived, and leaves the usual searches",
        },
        Cause.PROMOTE: {
            Verdict.PROMOTE: "It never fades",
            Verdict.KEEP: "It stays as it is, and fades",
            Verdict.DELETE: "It is archived, and leaves the usual searches",
        },
    },
}


def asked(memory: Memory, cause: Cause, locale: str | None, named: str) -> str:
    """The question as a sentence. Without a locale: in the language of the memory's words.

    `named`: what it is about, as it is on record.
    """
    return _filled(_ASKED[_locale(memory, locale)][cause], memory, locale, named)


def meant(memory: Memory, cause: Cause, verdict: Verdict, locale: str | None, named: str) -> str:
    """What a verdict does."""
    return _filled(_MEANS[_locale(memory, locale)][cause][verdict], memory, locale, named)


def _locale(memory: Memory, locale: str | None) -> str:
    return locale or spoken(AUTO, (memory.source.quote, memory.text))


def _filled(words: str, memory: Memory, locale: str | None, named: str) -> str:
    row = PREDICATES.get(memory.predicate.removeprefix(POSSIBLE_PREFIX))
    label = row.label[_locale(memory, locale)] if row else memory.predicate
    label = label if memory.subject == USER else f"{memory.subject} · {label}"
    quote = memory.source.quote or memory.text
    return words.format(label=label, object=named, quote=quote, strength=memory.strength)
