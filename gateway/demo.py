"""`make demo`: a scripted triage conversation, in Chinese and in English, through a real gateway.

It crosses the token threshold, tells an allergy after the summary was written, falls silent until the session
has expired, comes back, and shows each time what a bot would have sent to its model.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Final

import aiohttp
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from gateway.client import AsyncClient
from gateway.replay import Line, replay
from memory.errors import SetupError

_SETTINGS: Final = {
    "SESSION__TTL_S": "3",
    "SESSION__SWEEP_INTERVAL_S": "0.2",
    "SESSION__RECENT_TURNS": "2",
    "LOG__LEVEL": "warning",
}
_WINDOW_TOKENS: Final = {"zh": 320, "en": 280}
_START_S: Final = 20.0
_EXPIRY_S: Final = 20.0
_POLL_S: Final = 0.1

_TEXTS: Final = {
    "zh": {
        "title": "中文分诊对话（模型窗口只有 320 个 token，摘要后保留 2 轮，会话 3 秒过期）",
        "sends": "机器人发给模型的内容",
        "says": "用户",
        "summary": "（到达阈值，已写摘要）",
        "wait": "用户沉默，等待会话过期并转入长期记忆……",
        "back": "同一个会话 id 回来了：新会话从上一个会话的摘要和最近几轮开始",
        "profile": "长期保存的安全信息",
        "memory": "长期记忆中的条目",
        "facts": ("青霉素", "高血压"),
    },
    "en": {
        "title": "English triage (model window of 280 tokens, 2 turns kept, sessions expire after 3 s)",
        "sends": "what the bot sends to its model",
        "says": "user",
        "summary": " (threshold reached: summary written)",
        "wait": "The user falls silent: waiting for the session to expire and become memory ...",
        "back": "The same conversation id comes back: a new session, seeded with summary and last turns",
        "profile": "safety facts kept for good",
        "memory": "in long-term memory",
        "facts": ("penicillin", "type 2 diabetes"),
    },
}


def main() -> int:
    """Run both conversations; returns 0 when the allergy is in the context after everything that happened."""
    console = Console(width=110)
    return asyncio.run(_show(console))


async def _show(console: Console) -> int:
    kept = [await _conversation(console, locale) for locale in ("zh", "en")]
    console.print(f"[bold]{'OK' if all(kept) else 'FAILED'}[/]: allergies in the context after expiry: {kept}")
    return 0 if all(kept) else 1


async def _conversation(console: Console, locale: str) -> bool:
    texts: dict[str, Any] = _TEXTS[locale]
    conversation, user = f"triage-{locale}", f"patient-{locale}"
    console.rule(f"[bold]{texts['title']}")
    async with _gateway(locale) as url:
        watch = _Watch(console, texts)
        await replay(_dialogue(locale), AsyncClient(url), user=user, observe=watch)
        async with AsyncClient(url) as client:
            allergy, disease = texts["facts"]
            facts = {"allergies": [allergy], "chronic_diseases": [disease]}
            await client.upsert_facts(user_id=user, conversation_id=conversation, facts=facts)
            console.print(f"\n[italic]{texts['wait']}")
            memory_ids = await _ended(client, conversation)
        console.print(f"[italic]{texts['back']}")
        await replay(_dialogue(f"{locale}-return"), AsyncClient(url), user=user, observe=watch)
        async with AsyncClient(url) as client:
            context = await client.query_memory_context(conversation_id=conversation, user_id=user)
        console.print(f"[bold]{texts['profile']}[/]: {context.safety.model_dump()}")
        console.print(f"[bold]{texts['memory']}[/]: MemUnit {', '.join(memory_ids)}\n")
        return allergy in context.context and context.resumed


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
        self._console.print(Panel(Text(f"{sent}\n\n▶ {question}".strip()), title=Text(title), title_align="left"))


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


def _dialogue(name: str) -> Path:
    return Path(str(resources.files("gateway").joinpath("dialogues", f"{name}.jsonl")))


@asynccontextmanager
async def _gateway(locale: str) -> AsyncIterator[str]:
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
                    yield url
                    return
                await asyncio.sleep(_POLL_S)
        raise SetupError(f"the gateway did not start: {log.read_text(encoding='utf-8')}")


@contextlib.contextmanager
def _process(folder: Path, locale: str) -> Iterator[Path]:
    environment = {key: value for key, value in os.environ.items() if key != "REDIS_URL"}
    environment |= {f"ANAMNESIS_{key}": value for key, value in _SETTINGS.items()}
    environment["ANAMNESIS_SESSION__LOCALE"] = locale
    environment["ANAMNESIS_SESSION__MODEL_CONTEXT_WINDOW"] = str(_WINDOW_TOKENS[locale])
    command = [sys.executable, "-m", "gateway.cli", "serve", "--port", "0", "--data-dir", str(folder / "data")]
    log = folder / "gateway.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, env=environment, stderr=output)  # noqa: S603 - our own command
        try:
            yield log
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
