"""`make demo`: a scripted triage conversation, in Chinese and in English, through a real gateway.

It takes place five days ago (by the times that its messages carry). It crosses the token threshold, tells an allergy
after the summary was written, falls silent until the session has expired, comes back, and shows each time what a bot
would have sent to its model. Today a new conversation asks, and gets the memories that fit: dates, sources and why.

Its settings are its own, whatever the environment has; but with WEAVIATE_URL (`make demo WEAVIATE_URL=...`, with
WEAVIATE_GRPC_PORT and WEAVIATE_API_KEY) the memories lie in that Weaviate, and stay there.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any, Final

import aiohttp
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from gateway.client import AsyncClient
from gateway.commands.replay import Line, replay
from gateway.config.sources import ENVIRONMENT_PREFIX, without_settings
from memory.errors import SetupError
from memory.model.responses import Safety
from memory.visible import visible

_SETTINGS: Final = {
    "SESSION__TTL_S": "3",
    "SESSION__SWEEP_INTERVAL_S": "0.2",
    "SESSION__RECENT_TURNS": "2",
    "LOG__LEVEL": "warning",
}
_WEAVIATE: Final = ("WEAVIATE_URL", "WEAVIATE_GRPC_PORT", "WEAVIATE_API_KEY")
_WINDOW_TOKENS: Final = {"zh": 320, "en": 280}
_START_S: Final = 60.0
_EXPIRY_S: Final = 20.0
_POLL_S: Final = 0.1
_AGO: Final = timedelta(days=5)

_WHERE_TO_LOOK: Final = {
    "zh": "想亲眼看看：make serve，打开 http://127.0.0.1:8077/ ，点“播放示例对话”，看健康卡和“模型看到了什么？”",
    "en": "To see it: make serve, open http://127.0.0.1:8077/ and play the conversation: "
    "look at the card, and at what the model sees.",
}
_TEXTS: Final = {
    "zh": {
        "title": "中文分诊对话（模型窗口只有 320 个 token，摘要后保留 2 轮，会话 3 秒过期）",
        "sends": "机器人发给模型的内容",
        "says": "用户",
        "summary": "（到达阈值，已写摘要）",
        "wait": "用户沉默，等待会话过期并转入长期记忆……",
        "back": "同一个会话 id 回来了：新会话从上一个会话的摘要和最近几轮开始",
        "booking": "同一分钟，挂号智能体的另一个会话已经知道（没有模型，会话还没结束）：",
        "profile": "长期保存的安全信息",
        "memory": "长期记忆中的条目",
        "today": "五天后，一个新的会话。用户问",
        "asks": "我以前说过对什么药过敏？",
        "recalled": "召回的记忆：日期 · 分数 · 内容 · 来源（会话，消息序号）· 为什么",
        "allergy": "青霉素",
        "switch": "又过了一周，用户说",
        "switched": "医生把二甲双胍换成达格列净10mg了，一天一次。",
        "thanks": "好的，已记录。",
        "taken": "现在的用药",
        "left": "二甲双胍",
        "begun": "达格列净",
        "tools": "模型用工具记下两件事，并说明哪件导致哪件；问为什么时沿着关联找到原因",
        "reason": {"subject": "用户", "memory_type": "事件", "topic": "熬夜", "attributes": {"时间": "昨晚"}},
        "state": {"subject": "用户", "memory_type": "事实", "topic": "血压偏高", "attributes": {"时间": "今天"}},
        "why": "我为什么今天血压偏高？",
        "path": "从原因到结果",
    },
    "en": {
        "title": "English triage (model window of 280 tokens, 2 turns kept, sessions expire after 3 s)",
        "sends": "what the bot sends to its model",
        "says": "user",
        "summary": " (threshold reached: summary written)",
        "wait": "The user falls silent: waiting for the session to expire and become memory ...",
        "back": "The same conversation id comes back: a new session, seeded with summary and last turns",
        "booking": "in the same minute the booking agent knows, in another conversation (no model, nothing has ended):",
        "profile": "safety facts kept for good",
        "memory": "in long-term memory",
        "today": "Five days later, in a new conversation, the user asks",
        "asks": "Which drug did I say I am allergic to?",
        "recalled": "recalled: date · score · text · source (conversation, messages) · why",
        "allergy": "penicillin",
        "switch": "A week later the user says",
        "switched": "They switched me from metformin to dapagliflozin 10 mg once a day.",
        "thanks": "Noted.",
        "taken": "medicines now",
        "left": "metformin",
        "begun": "dapagliflozin",
        "tools": "A model keeps two things by tools and says which led to which; asked why, a search follows the link",
        "reason": {
            "subject": "user",
            "memory_type": "event",
            "topic": "up all night",
            "attributes": {"time": "last night"},
        },
        "state": {
            "subject": "user",
            "memory_type": "fact",
            "topic": "high blood pressure",
            "attributes": {"time": "today"},
        },
        "why": "Why is my blood pressure high today?",
        "path": "from the reason to what came of it",
    },
}


def main() -> int:
    """Run both conversations; returns 0 when the allergy is in the context after everything that happened."""
    console = Console(width=110)
    return asyncio.run(_show(console))


async def _show(console: Console) -> int:
    kept = [await _conversation(console, locale) for locale in ("zh", "en")]
    console.print(f"[italic]{_WHERE_TO_LOOK['zh']}\n{_WHERE_TO_LOOK['en']}\n")
    console.print(f"[bold]{'OK' if all(kept) else 'FAILED'}[/]: allergies in the context after expiry: {kept}")
    return 0 if all(kept) else 1


async def _conversation(console: Console, locale: str) -> bool:
    texts: dict[str, Any] = _TEXTS[locale]
    conversation, user = f"triage-{locale}", f"patient-{locale}"
    console.rule(f"[bold]{texts['title']}")
    async with _gateway(locale) as (url, folder):
        watch = _Watch(console, texts)
        await replay(_dialogue(locale, folder), AsyncClient(url), user=user, observe=watch)
        allergy = texts["allergy"]
        async with AsyncClient(url) as client:
            at_once = await _booking(console, client, user, texts)
            console.print(f"\n[italic]{texts['wait']}")
            memory_ids = await _ended(client, conversation)
        console.print(f"[italic]{texts['back']}")
        await replay(_dialogue(f"{locale}-return", folder), AsyncClient(url), user=user, observe=watch)
        async with AsyncClient(url) as client:
            context = await client.query_memory_context(conversation_id=conversation, user_id=user)
        console.print(_titled(texts["profile"], _listed(context.safety)))
        console.print(_titled(texts["memory"], ", ".join(memory_ids) + "\n"))
        async with AsyncClient(url) as client:
            await client.finalize_session_memory(conversation_id=conversation, wait_ms=20_000)
            recalled = await _today(console, client, user, texts)
            changed = await _switched(console, client, user, texts)
            led = await _why(console, client, user, texts)
        told = all(allergy in said for said in (at_once, context.context, recalled))
        return told and context.resumed and changed and led


class _Watch:
    """Prints every context as a bot would send it, once a turn."""

    def __init__(self, console: Console, texts: dict[str, Any]) -> None:
        self._console = console
        self._texts = texts
        self._checkpoint = ""

    def __call__(self, context: dict[str, Any], step: Sequence[Line]) -> None:
        checkpoint = context["checkpoint_message_id"]
        note = self._texts["summary"] if checkpoint not in {"", self._checkpoint} else ""
        self._checkpoint = checkpoint
        sent = "\n".join(part for part in (_beyond_history(context), context["history"]) if part)
        title = f"{self._texts['sends']} · {context['mode']} · {context['estimated_tokens']} tokens "
        title += f"({context['token_ratio']:.0%}){note}"
        question = f"{self._texts['says']}: {step[0]['content']}"
        self._console.print(
            Panel(Text(visible(f"{sent}\n\n▶ {question}".strip())), title=Text(title), title_align="left")
        )


def _titled(title: str, text: str) -> Text:
    """A line with its title; the text is shown as it is."""
    return Text.assemble((title, "bold"), ": ", visible(text))


async def _booking(console: Console, client: AsyncClient, user: str, texts: dict[str, Any]) -> str:
    """Another agent, in the same minute; returns what is sure of its safety facts."""
    context = await client.query_memory_context(conversation_id=f"booking-{user}", user_id=user)
    console.print(f"[bold]{texts['booking']}")
    for detail in context.safety.details:
        where = f"{detail.conversation_id} [{detail.seq}]"
        console.print(Text(visible(f"  {detail.kind} · {detail.text} · {detail.status} · {where} · “{detail.quote}”")))
    return _listed(context.safety)


def _listed(safety: Safety) -> str:
    """The lists of safety facts that hold something."""
    lists = (safety.allergies, safety.chronic_diseases, safety.surgery_history, safety.states)
    return ", ".join(fact for facts in lists for fact in facts)


def _beyond_history(context: dict[str, Any]) -> str:
    """What of the context does not stand in the history already: the safety facts."""
    return "\n".join(line for line in context["context"].splitlines() if line not in context["history"])


async def _ended(client: AsyncClient, conversation: str) -> list[str]:
    """Wait until the session has expired and is in memory."""
    deadline = time.monotonic() + _EXPIRY_S
    while time.monotonic() < deadline:
        session = await client.get_session(conversation_id=conversation)
        if session.state == "ENDED":
            return (await client.get_finalization(conversation_id=conversation)).memory_ids
        await asyncio.sleep(_POLL_S)
    raise SetupError("the session did not end in time")


async def _today(console: Console, client: AsyncClient, user: str, texts: dict[str, Any]) -> str:
    """A new conversation, days later; returns what was recalled into its context."""
    asked = texts["asks"]
    console.print(f"[italic]{texts['today']}[/]: {asked}")
    context = await client.query_memory_context(
        conversation_id=f"today-{user}", user_id=user, query=asked, model_context_window=16_000
    )
    console.print(Panel(Text(visible(context.context)), title=Text(texts["sends"]), title_align="left"))
    found = await client.search_memories(user_id=user, query=asked, limit=3, explain=True)
    console.print(f"[bold]{texts['recalled']}")
    for memory in found.memories:
        why = ", ".join(f"{name} {part:+.2f}" for name, part in (memory.scores or {}).items())
        source = f"{memory.source.conversation_id} {memory.source.seqs}"
        line = f"{memory.occurred_at[:10]} · {memory.score:.2f} · {memory.text} · {source} · {why}"
        console.print(Text(visible(f"  {line}")))
    console.print()
    return context.context


async def _switched(console: Console, client: AsyncClient, user: str, texts: dict[str, Any]) -> bool:
    """A medicine takes the place of another; returns whether the old one is gone."""
    conversation, said = f"switch-{user}", texts["switched"]
    console.print(f"\n[italic]{texts['switch']}: {said}")
    await client.write_turn(conversation_id=conversation, user_id=user, user_query=said, agent_response=texts["thanks"])
    await client.finalize_session_memory(conversation_id=conversation, wait_ms=20_000)
    page = await client.list_memories(user_id=user, kinds=["fact"], limit=100)
    taken = [
        " ".join((fact.object or "", *(fact.attributes or {}).values()))
        for fact in page.items
        if fact.predicate == "medication" and fact.polarity == "+" and not fact.superseded_by
    ]
    console.print(_titled(texts["taken"], "; ".join(taken) + "\n"))
    told = "; ".join(taken).lower()
    return texts["begun"] in told and texts["left"] not in told


async def _why(console: Console, client: AsyncClient, user: str, texts: dict[str, Any]) -> bool:
    """What a model's tool calls do; returns whether the question why leads to the reason."""
    console.print(f"[italic]{texts['tools']}")
    reason, state = [await client.create_memory(user_id=user, **texts[name]) for name in ("reason", "state")]
    link = await client.link_memories(
        user_id=user,
        source_memory_id=reason.memory_id,
        target_memory_id=state.memory_id,
        relation_type="causes",
    )
    console.print(Text(visible(f"  {link.reads}")))
    found = await client.search_memories(user_id=user, query=texts["why"], search_mode="auto", limit=3)
    console.print(_titled(f"{texts['says']}: {texts['why']}", f"({found.searched.why})"))
    for memory in found.memories:
        console.print(Text(visible(f"  {memory.score:.2f} · {memory.distance} · {memory.text}")))
    way = await client.find_path(user_id=user, source=texts["reason"]["topic"], target=texts["state"]["topic"])
    shown = " → ".join(node.label for node in way.paths[0].nodes)
    console.print(_titled(texts["path"], f"{shown}\n"))
    return {each.memory_id: each.distance for each in found.memories}.get(reason.memory_id) == 1


def _dialogue(name: str, folder: Path) -> Path:
    """The dialogue as it took place five days ago, a message a minute."""
    start = datetime.now(UTC) - _AGO
    script = resources.files("gateway.commands").joinpath("dialogues", f"{name}.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in script.splitlines()]
    for minute, line in enumerate(lines):
        line["time"] = (start + timedelta(minutes=minute)).isoformat()
    dated = folder / f"{name}.jsonl"
    dated.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return dated


@asynccontextmanager
async def _gateway(locale: str) -> AsyncIterator[tuple[str, Path]]:
    """A gateway of its own on the embedded default, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-demo-") as folder, _process(Path(folder), locale) as log:
        deadline = time.monotonic() + _START_S
        async with aiohttp.ClientSession() as session:
            while time.monotonic() < deadline:
                text = log.read_text(encoding="utf-8")
                if "listening on port" in text:
                    url = f"http://127.0.0.1:{text.rpartition('listening on port ')[2].strip()}"
                    async with session.get(f"{url}/health") as answer:
                        answer.raise_for_status()
                    yield url, Path(folder)
                    return
                await asyncio.sleep(_POLL_S)
        raise SetupError(f"the gateway did not start: {log.read_text(encoding='utf-8')}")


@contextlib.contextmanager
def _process(folder: Path, locale: str) -> Iterator[Path]:
    command = [sys.executable, "-m", "gateway.cli", "serve", "--port", "0", "--data-dir", str(folder / "data")]
    log = folder / "gateway.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, env=_environment(os.environ, locale), stderr=output)  # noqa: S603 - our own command
        try:
            yield log
        finally:
            process.terminate()
            process.wait()


def _environment(current: Mapping[str, str], locale: str) -> dict[str, str]:
    """The demo's own settings; of the caller's only where a Weaviate is."""
    own = _SETTINGS | {"SESSION__LOCALE": locale, "SESSION__MODEL_CONTEXT_WINDOW": str(_WINDOW_TOKENS[locale])}
    kept = {name: current[name] for name in _WEAVIATE if current.get(name)}
    return without_settings(current) | kept | {ENVIRONMENT_PREFIX + key: value for key, value in own.items()}


if __name__ == "__main__":
    sys.exit(main())
