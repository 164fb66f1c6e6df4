"""`anamnesis replay`: plays dialogues through the public API, and checks that all of them arrived.

One JSON object a line: `{"conversation", "role", "content", "name"?, "time"?}`. Lines of one conversation keep
their order; a user message directly followed by an assistant message is one WriteTurn, as a bot would send it,
with the QueryMemoryContext before it; anything else is a WriteMessages. With `--finalize` each session is ended, and
waited for as long as any of them still becomes memory.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gateway.client import AsyncClient, ProblemError
from memory.errors import SetupError
from memory.limits import MODEL_CONTEXT_WINDOW_TOKENS_MAX

Line = dict[str, str]

_FIELDS: Final = {"conversation", "role", "content", "name", "time"}
_ROLES: Final = {"user", "assistant", "tool", "system"}
_SHOWN_MAX: Final = 5
_WAIT_MS: Final = 5_000
STALLED_AFTER_S: Final = 120.0
"""Sessions that are ending are given up when none has ended for this long: twice what a lost one is left alone for."""

Observer = Callable[[dict[str, Any], Sequence[Line]], None]
Advance = Callable[[int], None]


def _unobserved(_context: dict[str, Any], _step: Sequence[Line]) -> None:
    """Nobody looks."""


@dataclass(slots=True)
class Report:
    """What a replay sent and what came back.

    `unfinished` names the sessions that it ended and that did not become memory, each with its state and the reason.
    """

    conversations: int = 0
    messages: int = 0
    acknowledged: int = 0
    in_journals: int = 0
    turns: int = 0
    finalized: int = 0
    unfinished: list[str] = field(default_factory=list)
    checkpoints_asked: int = 0
    tokens_max: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Nothing refused, nothing lost, and every session that was ended is in memory."""
        kept = self.messages == self.acknowledged == self.in_journals
        return kept and not (self.errors or self.unfinished)

    def as_json(self) -> str:
        """The report as one JSON object."""
        return json.dumps(asdict(self) | {"complete": self.complete}, ensure_ascii=False)

    def as_text(self) -> str:
        """The report for a person."""
        lines = [
            f"conversations  {self.conversations}",
            f"messages       {self.messages} sent, {self.acknowledged} acknowledged, {self.in_journals} in journals",
            f"turns          {self.turns}",
            f"finalized      {self.finalized}, not done {len(self.unfinished)}",
            *_first(self.unfinished),
            f"largest context {self.tokens_max} tokens; summaries asked for: {self.checkpoints_asked}",
            f"errors         {len(self.errors)}",
            *_first(self.errors),
        ]
        return "\n".join(lines)


def _first(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _SHOWN_MAX
    return [f"  {line}" for line in lines[:_SHOWN_MAX]] + ([f"  and {more} more"] if more > 0 else [])


def read_dialogues(path: Path) -> dict[str, list[Line]]:
    """Read JSON Lines by conversation. Raises SetupError that names the first bad line."""
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"cannot read {path}: {error}") from error
    dialogues: dict[str, list[Line]] = defaultdict(list)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            said = _read_line(line, f"{path}:{number}")
            dialogues[said["conversation"]].append(said)
    return dialogues


def _read_line(line: str, where: str) -> Line:
    try:
        said = json.loads(line)
    except ValueError as error:
        raise SetupError(f"{where}: not JSON ({error})") from None
    if not isinstance(said, dict) or not {"conversation", "role", "content"} <= set(said) <= _FIELDS:
        raise SetupError(f"{where}: needs conversation, role and content; may have name and time; nothing else")
    if not all(isinstance(value, str) for value in said.values()):
        raise SetupError(f"{where}: every value must be a text")
    if said["role"] not in _ROLES:
        raise SetupError(f"{where}: role must be one of {', '.join(sorted(_ROLES))}")
    return said


def steps(dialogue: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Cut a dialogue into what is written at once: a pair user, assistant, or a single message."""
    index = 0
    while index < len(dialogue):
        pair = dialogue[index : index + 2]
        plain = not any("name" in said for said in pair)
        if plain and [said["role"] for said in pair] == ["user", "assistant"]:
            yield pair
            index += 2
        else:
            yield pair[:1]
            index += 1


async def replay(
    path: Path,
    client: AsyncClient,
    *,
    user: str | None,
    prefix: str = "",
    finalize: bool = False,
    at_once: int = 8,
    observe: Observer = _unobserved,
) -> Report:
    """Play every dialogue of a file, `at_once` conversations in parallel, and say on stderr how far it is.

    `observe` is shown every context that a bot would have sent, with what is written next. The client is
    closed at the end. Raises SetupError for a line that is none, and for `at_once` below 1.
    """
    if at_once < 1:
        raise SetupError(f"--at-once must be at least 1, not {at_once}")
    dialogues = read_dialogues(path)
    report = Report(conversations=len(dialogues), messages=sum(map(len, dialogues.values())))
    gate = asyncio.Semaphore(at_once)
    ended: list[str] = []
    async with client:
        with _progress("replaying", report.messages) as advance:

            async def play(conversation: str, dialogue: list[Line]) -> None:
                player = _Player(client, report, observe, prefix + conversation, user or f"user-{conversation}")
                async with gate:
                    try:
                        for step in steps(dialogue):
                            await player.say(step)
                            advance(len(step))
                        await player.check()
                        if finalize:
                            await player.end()
                            ended.append(prefix + conversation)
                    except ProblemError as error:
                        report.errors.append(f"{conversation}: {error}")

            await asyncio.gather(*(play(name, lines) for name, lines in dialogues.items()))
        if finalize:
            with _progress("finalizing", len(ended)) as advance:
                await _Awaiting(client, report, advance).all_of(ended, at_once)
    return report


@contextmanager
def _progress(what: str, total: int) -> Iterator[Advance]:
    """A bar where a person looks, else a line for each tenth."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Tenths(what, total)
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(what, total=total)
        yield lambda steps: progress.advance(bar, steps)


class _Tenths:
    """Progress as lines of text."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._done = 0

    def __call__(self, steps: int) -> None:
        told = self._done * 10 // self._total
        self._done += steps
        if self._done * 10 // self._total > told:
            sys.stderr.write(f"{self._what}: {self._done} of {self._total}\n")


class _Awaiting:
    """Waits for ended sessions to become memory."""

    def __init__(self, client: AsyncClient, report: Report, advance: Advance) -> None:
        self._client = client
        self._report = report
        self._advance = advance
        self._moved_s = 0.0

    async def all_of(self, conversations: Sequence[str], at_once: int) -> None:
        """Until each is in memory or has failed, or none has moved for STALLED_AFTER_S."""
        clock, gate = asyncio.get_running_loop().time, asyncio.Semaphore(at_once)
        self._moved_s = clock()

        async def wait_for(conversation: str) -> None:
            async with gate:
                state = await self._state(conversation)
                while state == "ENDING" and clock() < self._moved_s + STALLED_AFTER_S:
                    state = await self._state(conversation)
            if state == "ENDED":
                self._report.finalized += 1
            else:
                self._report.unfinished.append(f"{conversation}: {state}")
            if state != "ENDING":
                self._moved_s = clock()
                self._advance(1)

        await asyncio.gather(*map(wait_for, conversations))

    async def _state(self, conversation: str) -> str:
        """Where it stands after some seconds at most; of one that failed with the reason."""
        wanted = {"conversation_id": conversation, "wait_ms": min(_WAIT_MS, int(STALLED_AFTER_S * 1000))}
        try:
            answer = await self._client.post("/v1/FinalizeSessionMemory", wanted)
        except ProblemError as error:
            return str(error)
        reason = answer.get("reason")
        return f"{answer['state']}: {reason}" if reason and answer["state"] == "FAILED" else str(answer["state"])


class _Player:
    """Plays one conversation as a bot would."""

    def __init__(self, client: AsyncClient, report: Report, observe: Observer, conversation: str, user: str) -> None:
        self._client = client
        self._report = report
        self._observe = observe
        self._ids = {"conversation_id": conversation, "user_id": user}

    async def say(self, step: Sequence[Line]) -> None:
        """Query before, write after, summarise when told to."""
        query = step[0]["content"] if step[0]["role"] == "user" else ""
        context = await self._post("QueryMemoryContext", self._ids | {"query": query})
        self._report.tokens_max = max(self._report.tokens_max, context["estimated_tokens"])
        if context["should_checkpoint_summary"]:
            self._report.checkpoints_asked += 1
            await self._post("CheckpointShortMemory", {"conversation_id": self._ids["conversation_id"]})
            context = await self._post("QueryMemoryContext", self._ids | {"query": query})
        self._observe(context, step)
        await self._write(step)
        self._report.acknowledged += len(step)

    async def _write(self, step: Sequence[Line]) -> None:
        time = {"occurred_at": step[0]["time"]} if "time" in step[0] else {}
        if len(step) == 1:
            message = {k: v for k, v in step[0].items() if k in {"role", "content", "name"}}
            await self._post("WriteMessages", self._ids | {"messages": [message | time]})
        else:
            turn = {"user_query": step[0]["content"], "agent_response": step[1]["content"]}
            await self._post("WriteTurn", self._ids | turn | time)

    async def check(self) -> None:
        """Count what the journal holds, against what was acknowledged."""
        asked: dict[str, Any] = self._ids | {"include": ["turns"], "recent_turns": 1000}
        asked["model_context_window"] = MODEL_CONTEXT_WINDOW_TOKENS_MAX  # nothing is left out for room
        context = await self._post("QueryMemoryContext", asked)
        self._report.in_journals += len(context["turns"])
        self._report.turns += context["turn_count"]

    async def end(self) -> None:
        """End the session; it becomes memory in the background."""
        await self._post("FinalizeSessionMemory", {"conversation_id": self._ids["conversation_id"]})

    async def _post(self, operation: str, body: dict[str, Any]) -> Any:
        return await self._client.post(f"/v1/{operation}", body)
