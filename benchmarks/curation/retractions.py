"""What people take back of what is held of them from before: what ends, and what is asked, by rules and by a model.

A line of the file is {"id", "lang", "held": [{"subject", "predicate", "object", "said"}],
"messages": [{"who", "text"}], "corrections": [{"held", "right", "message"}]}. `retractions_author1.jsonl` was written
and labelled on 2026-11-26 by a run of a language model with nothing but a brief: it had read no code. Each case goes
through a real service in this process: the facts are stored, the dialogue is written, the session becomes memory, and
what is held then is looked at.

No model runs here. `--requests FILE` writes down what one would be sent; `--answers FILE` ({"id", "answer"} a line) has
the product read, guard and apply what one has answered.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from memory.clinical.findings import CONTRADICTS, TAKEN_BACK
from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.corrections import Corrector
from memory.consolidation.derive import fact_category, fact_type, flags, indexed
from memory.consolidation.finalise import Finaliser
from memory.consolidation.judging import Judging
from memory.consolidation.memunit import UnitSettings
from memory.consolidation.remember import Rememberer
from memory.model.memory import Kind, Memory, Source, id_of
from memory.model.requests import FinalizeSessionMemoryRequest
from memory.model.search import IndexEntry
from memory.providers.openai_judge import OpenAIJudge
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.scope import UserScope
from tests.inprocess import EVERYONE, FakeCommands, World, by_rules, world
from tests.openai_models import asking
from tests.openai_server import ScriptedServer

FROZEN: Final = Path(__file__).with_name("retractions_author1.jsonl")
_BEFORE_MS: Final = 1_700_000_000_000
_NONE: Final = '{"corrections": []}'


class Outcome(NamedTuple):
    """By places of what was held: what ended, of what a person is asked; and the values that are held since."""

    ended: frozenset[int]
    asked: frozenset[int]
    new: Sequence[str]


class Recorded:
    """A model's answers by case, and what it is sent for each."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self.case = ""
        self.requests: dict[str, Sequence[Mapping[str, str]]] = {}

    def __call__(self, body: Mapping[str, Any]) -> str:
        """The answer to the case at hand."""
        self.requests[self.case] = body["messages"]
        return self._answers.get(self.case, _NONE)


def cases_of(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def held_of(case: Mapping[str, Any], scope: UserScope) -> list[Memory]:
    """What is held before the dialogue, in order."""
    return [
        Memory(
            memory_id=id_of(f"{case['id']}/{place}", scope.tenant, scope.user),
            user_id=scope.user,
            kind=Kind.FACT,
            category=fact_category(each["predicate"], "+", each["object"], subject=each["subject"]),
            type=fact_type(each["predicate"]),
            text=each["said"],
            source=Source("before", "unit", (place + 1,), each["said"]),
            occurred_ms=_BEFORE_MS + place,
            recorded_ms=_BEFORE_MS + place,
            subject=each["subject"],
            predicate=each["predicate"],
            object=each["object"],
            valid_from_ms=_BEFORE_MS + place,
        )
        for place, each in enumerate(case["held"])
    ]


async def outcome_of(here: World, case: Mapping[str, Any], model: OpenAIJudge | None) -> Outcome:
    """What is so of a case once its session is in memory."""
    scope = UserScope("default", case["id"])
    held = held_of(case, scope)
    made = [indexed(each) for each in held]
    await here.memories.put(scope, [IndexEntry(one.memory, one.terms, None, *flags(one.memory)) for one in made])
    said = [each["text"] for each in case["messages"]]
    for query, answer in zip(said[::2], [*said[1::2], "OK."], strict=False):
        await here.write(query, answer, case["id"], user_id=scope.user)
    minds = by_rules("auto")
    rememberer = Rememberer(here.memories, minds)
    corrector = Corrector(here.memories, rememberer, model) if model else None
    units = UnitSettings(12_000, "auto", BoundarySettings())
    finaliser = Finaliser(
        here.sessions,
        here.store,
        rememberer=rememberer,
        units=units,
        attempts_max=1,
        judging=Judging(corrector=corrector),
    )
    await here.service.finalize_session_memory(EVERYONE, FinalizeSessionMemoryRequest(conversation_id=case["id"]))
    await finaliser.run(here.jobs.waiting.pop())
    now = {each.memory_id: each for each in await here.memories.get(scope, [each.memory_id for each in held])}
    every = [entry.memory async for entry in here.memories.entries(scope) if entry.memory.kind is Kind.FACT]
    again = {each.memory_id: each for each in every}
    ended = frozenset(place for place, each in enumerate(held) if _is_over(now[each.memory_id], again))
    doubts = [
        each for each in every
        if each.polarity == "-" and each.holds and not {TAKEN_BACK, CONTRADICTS}.isdisjoint(each.attributes)
    ]  # fmt: skip
    asked = frozenset(
        place for place, each in enumerate(held) for doubt in doubts
        if (doubt.subject, doubt.predicate, doubt.object) == (each.subject, each.predicate, each.object)
    )  # fmt: skip
    new = [each.object for each in every if each.polarity == "+" and each.holds and each.memory_id not in now]
    return Outcome(ended, asked - ended, new)


def _is_over(memory: Memory, every: Mapping[str, Memory]) -> bool:
    """Whether it is held no longer, and not because it was only told again."""
    by = every.get(memory.superseded_by)
    told_again = by is not None and (by.polarity, by.object.casefold()) == ("+", memory.object.casefold())
    return not memory.holds and not (told_again and by is not None and by.holds)


def judged(case: Mapping[str, Any], outcome: Outcome) -> Counter[str]:
    """How many there are of each column."""
    wrong = {each["held"]: each["right"] for each in case["corrections"]}
    touched = outcome.ended | outcome.asked
    held = {place: right for place, right in wrong.items() if right}
    return Counter(
        {
            "cases": 1,
            "taken back": len(wrong),
            "found": len(wrong.keys() & touched),
            "of these asked": len(wrong.keys() & outcome.asked),
            "wrongly": len(touched - wrong.keys()),
            "instead": len(held),
            "held now": sum(any(_alike(right, new) for new in outcome.new) for right in held.values()),
        }
    )


def _alike(one: str, other: str) -> bool:
    return one.casefold() in other.casefold() or other.casefold() in one.casefold()


async def outcomes(cases: Sequence[Mapping[str, Any]], recorded: Recorded | None) -> list[Outcome]:
    """Of every case, each with a user of its own. `recorded`: a model's answers; None: rules alone."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        unpack_ranks(folder / "tiktoken")
        commands = FakeCommands()
        here = await stack.enter_async_context(
            world(commands, folder, TiktokenCounter("o200k_base"), locale="auto", minds={"locale": "auto"})
        )
        stack.push_async_callback(commands.client.aclose)
        model = await _model(stack, recorded) if recorded else None
        found = []
        for case in track(cases, "sessions become memory", console=Console(stderr=True)):
            if recorded:
                recorded.case = case["id"]
            found.append(await outcome_of(here, case, model))
        return found


async def _model(stack: AsyncExitStack, recorded: Recorded) -> OpenAIJudge:
    server = await stack.enter_async_context(ScriptedServer(chat=recorded))
    settings, endpoint = asking(server)
    stack.push_async_callback(endpoint.close)
    return OpenAIJudge(settings, endpoint)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curation.retractions", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FROZEN, help="labelled cases (the frozen ones)")
    parser.add_argument("--requests", type=Path, help="write what a model would be sent, and end")
    parser.add_argument("--answers", type=Path, help="what a model has answered")
    parser.add_argument("--show", action="store_true", help="name the cases that went wrong")
    asked = parser.parse_args()
    cases = cases_of(asked.file)
    answers = {each["id"]: each["answer"] for each in cases_of(asked.answers)} if asked.answers else {}
    recorded = Recorded(answers) if asked.answers or asked.requests else None
    found = asyncio.run(outcomes(cases, recorded))
    if asked.requests and recorded:
        sent = ({"id": name, "messages": messages} for name, messages in recorded.requests.items())
        lines = [json.dumps(each, ensure_ascii=False) for each in sent]
        asked.requests.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    columns = ("cases", "taken back", "found", "of these asked", "wrongly", "instead", "held now")
    console, table = Console(width=140), Table("", *columns)
    for language in ("zh", "en"):
        counts = sum(
            (judged(case, one) for case, one in zip(cases, found, strict=True) if case["lang"] == language), Counter()
        )
        table.add_row(language, *(str(counts[column]) for column in columns))
    console.print(table)
    for case, one in zip(cases, found, strict=True) if asked.show else ():
        if {each["held"] for each in case["corrections"]} != one.ended | one.asked:
            touched = [case["held"][place]["object"] for place in sorted(one.ended | one.asked)]
            wanted = [case["held"][each["held"]]["object"] for each in case["corrections"]]
            said = " / ".join(each["text"] for each in case["messages"] if each["who"] == "user")
            console.print(f"{case['id']}: wanted {wanted}, ended or asked {touched}: {said}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
