"""Public dialogue sets through the public API: what arrives, and how exact the token counts are.

    python -m benchmarks.dialogues FILE...        (needs a gateway: anamnesis serve; --url for another address)

Reads the formats of CMtMedQA (JSON with `history`), DialMed (JSON Lines with `dialog`), EverMemOS chats (JSON with
`conversation_list`) and MemoryBank (JSON with `overall_history`), and replay files (JSON Lines with `conversation`,
`role`, `content`). For each file it prints the replay's report and the largest difference between `estimated_tokens`
and tiktoken over the whole text.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.client import DEFAULT_URL, AsyncClient
from gateway.commands.replay import Line, Report, replay
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks

Reader = Callable[[str], Iterator[Line]]


def _line(conversation: str, role: str, content: str, **more: str) -> Line:
    return {"conversation": conversation, "role": role, "content": content, **more}


def read_cmtmedqa(text: str) -> Iterator[Line]:
    """Consultations: pairs in `history`, then `instruction` and `output`."""
    for case in json.loads(text):
        for patient, doctor in [*case["history"], (case["instruction"], case["output"])]:
            yield _line(case["id"], "user", patient)
            yield _line(case["id"], "assistant", doctor)


def read_dialmed(text: str) -> Iterator[Line]:
    """One consultation a line; utterances begin with 患者： or 医生：."""
    for number, line in enumerate(text.splitlines()):
        for utterance in json.loads(line)["dialog"]:
            speaker, _, content = utterance.partition("：")
            yield _line(f"case-{number}", "user" if speaker == "患者" else "assistant", content)


def read_chat(text: str) -> Iterator[Line]:
    """One chat with its participants; whoever is not the assistant is a user with a name."""
    chat = json.loads(text)
    name = chat["session_meta"].get("group_id") or "chat"
    for message in chat["conversation_list"]:
        robot = message["sender"].startswith("robot")
        more = {} if robot or message["sender_name"] == "user" else {"name": message["sender_name"]}
        yield _line(name, "assistant" if robot else "user", message["content"], time=message["create_time"], **more)


def read_memorybank(text: str) -> Iterator[Line]:
    """Users with a chat a day."""
    for user, person in json.loads(text).items():
        for date, exchanges in person["history"].items():
            for exchange in exchanges:
                yield _line(f"{user} {date}", "user", exchange["query"])
                yield _line(f"{user} {date}", "assistant", exchange["response"])


def read_replay(text: str) -> Iterator[Line]:
    """A replay file as it is."""
    yield from map(json.loads, text.splitlines())


def reader_of(text: str) -> Reader:
    """Which of the formats a file has."""
    for mark, reader in (
        ('"conversation_list"', read_chat),
        ('"overall_history"', read_memorybank),
        ('"dialog"', read_dialmed),
        ('"history"', read_cmtmedqa),
        ('"conversation"', read_replay),
    ):
        if mark in text:
            return reader
    raise SystemExit("none of the formats that this program knows")


@dataclass
class TokenCheck:
    """Holds every estimate against tiktoken over what would really be sent."""

    counter: TiktokenCounter
    contexts: int = 0
    worst: float = 0.0
    worst_tokens: int = 0

    def __call__(self, context: dict[str, Any], step: Sequence[Line]) -> None:
        """Compare one context; the query is what is written next."""
        query = step[0]["content"] if step[0]["role"] == "user" else ""
        label = context["history"].partition(": ")[0]
        summary = f"{label}: {context['summary']}"
        beyond = context["context"].replace(summary, "") if context["summary"] else context["context"]
        counted = self.counter.count_now(context["history"] + beyond + query)
        if counted:
            difference = abs(context["estimated_tokens"] - counted)
            self.contexts += 1
            if difference / counted > self.worst and difference > 1:  # one token of a last line break is no error
                self.worst, self.worst_tokens = difference / counted, difference


async def measure(path: Path, url: str, counter: TiktokenCounter) -> tuple[Report, TokenCheck]:
    """Replay one file under fresh conversation ids."""
    text = path.read_text(encoding="utf-8")
    lines = [json.dumps(line, ensure_ascii=False) for line in reader_of(text)(text)]
    check = TokenCheck(counter)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write("\n".join(lines))
        file.flush()
        prefix = f"{uuid.uuid4().hex[:8]}-"
        report = await replay(Path(file.name), AsyncClient(url), user=None, prefix=prefix, finalize=True, observe=check)
    return report, check


def main() -> int:
    """Measure each file; returns 1 when anything was refused or lost, or a count was off by more than 2 %."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--url", default=DEFAULT_URL)
    asked = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as ranks:
        unpack_ranks(Path(ranks))
        counter = TiktokenCounter("o200k_base")
    for path in asked.files:
        report, check = asyncio.run(measure(path, asked.url, counter))
        good = good and report.complete and check.worst <= 0.02
        print(f"== {path.name}\n{report.as_text()}")
        worst = f"{check.worst:.2%} ({check.worst_tokens} tokens)"
        print(f"tokens         {check.contexts} contexts, worst difference {worst}\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
