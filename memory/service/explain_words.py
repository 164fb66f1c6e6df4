"""Why a memory is there, or what became of a message, in sentences: for ExplainMemory, in English and Chinese."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from memory.graph.created import TOOL
from memory.model.memory import Kind, Memory
from memory.model.responses import TurnMessage
from memory.privacy.placeholders import kinds_in

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "not_yet": "said in a session that is not in long-term memory yet; it is searched all the same",
        "made": "made by {by} from messages {seqs}",
        "profile": "made anew from the facts that are held true whenever one of them changes",
        "told": "told by a {by}",
        "tool": "told by a tool call: {said}",
        "superseded": "superseded by {by}",
        "used": "answers that rested on it: {count}, which added {strength:.2f} to its strength",
        "shown": "shown in contexts, counted once in two hours: {count}",
        "from_message": "{kind}: {id} by {by}",
        "nothing": "nothing of this message is kept but its place in the record of the conversation",
        "replaced": "identifiers were replaced before it was stored: {told}",
        "join": ", ",
    },
    "zh": {
        "not_yet": "说于一个尚未存入长期记忆的会话；照样可以搜到",
        "made": "由{by}从第 {seqs} 条消息得出",
        "profile": "由仍然有效的事实重新生成，其中任何一条改变都会更新",
        "told": "由{by}告知",
        "tool": "由工具调用告知：{said}",
        "superseded": "已被 {by} 取代",
        "used": "有 {count} 次回答以它为依据，强度因此增加 {strength:.2f}",
        "shown": "在上下文中出现过，两小时内只计一次：{count} 次",
        "from_message": "{kind_named}：{id}，由{by}得出",
        "nothing": "这条消息除了在对话记录中的位置，没有留下任何内容",
        "replaced": "存储之前替换了身份信息：{told}",
        "join": "、",
    },
}
_BY: Final[Mapping[str, str]] = {"rules": "规则", "caller": "调用方", "tool": "工具"}
_KINDS: Final[Mapping[Kind, str]] = {
    Kind.FACT: "事实",
    Kind.EVENT: "事件",
    Kind.EPISODE: "片段",
    Kind.PROFILE: "画像",
    Kind.CREATED: "创建的记忆",
    Kind.LINK: "关联",
}
_SKIPPED: Final[Mapping[str, str]] = {
    "public": "与个人无关",
    "not stored": "未存储",
    "nothing that a rule recognises": "规则没有识别出内容",
    "kept as part of its episode only": "只作为片段的一部分保留",
    "question": "是提问",
    "command": "是指令",
    "small_talk": "是寒暄",
    "courtesy": "是寒暄",
    "general": "是常识",
    "unresolved": "指的是谁不清楚",
    "empty": "没有内容",
    "nothing": "没有说到本人",
}
"""What a reason of the rules begins with, or is. What it quotes stays as it is."""


def not_yet(locale: str) -> str:
    """It is in no long-term memory yet."""
    return _WORDS[locale]["not_yet"]


def why_it_is(memory: Memory, locale: str) -> list[str]:
    """Where a memory is from, and what has become of it."""
    words = _WORDS[locale]
    reasons = [words["made"].format(by=_by(memory.mind, locale), seqs=words["join"].join(map(str, memory.source.seqs)))]
    if memory.kind is Kind.PROFILE:
        reasons = [words["profile"]]
    elif not memory.source.unit_id:
        reasons = [words["told"].format(by=_by(memory.mind, locale))]
    if memory.mind == TOOL:
        reasons = [words["tool"].format(said=memory.source.quote or memory.text)]
    if memory.superseded_by:
        reasons.append(words["superseded"].format(by=memory.superseded_by))
    if memory.accesses:
        reasons.append(words["used"].format(count=memory.accesses, strength=memory.strength - 1))
    if memory.shown:
        reasons.append(words["shown"].format(count=memory.shown))
    return reasons


def what_became(made: Sequence[Memory], skipped: str, messages: Sequence[TurnMessage], locale: str) -> list[str]:
    """What was made of a message, or why nothing was (`skipped`), and what was replaced in it."""
    words = _WORDS[locale]
    reasons = [
        words["from_message"].format(
            kind=memory.kind, kind_named=_KINDS[memory.kind], id=memory.memory_id, by=_by(memory.mind, locale)
        )
        for memory in made
    ]
    reasons += [skipped if locale == "en" else _skipped_in_chinese(skipped)] if skipped else []
    return [*reasons, *_replaced(messages, locale)] or [words["nothing"]]


def _by(mind: str, locale: str) -> str:
    return mind if locale == "en" else _BY.get(mind, mind)


def _skipped_in_chinese(reason: str) -> str:
    return "：".join(_SKIPPED.get(part, part) for part in reason.split(": ", 2))


def _replaced(messages: Sequence[TurnMessage], locale: str) -> list[str]:
    """How many identifiers stand in messages as marks."""
    words = _WORDS[locale]
    counts = sum((kinds_in(message.content) for message in messages), Counter())
    told = words["join"].join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return [words["replaced"].format(told=told)] if told else []
