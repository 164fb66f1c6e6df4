"""What every benchmark that runs in rounds is asked with, how it shows its progress, and how it ends."""

import argparse
import json
import random
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.processes import BenchmarkError

FAILED, CANNOT_RUN, INTERRUPTED, TERMINATED = 1, 2, 130, 143


class Done(NamedTuple):
    """What came of a benchmark: its figures for `--json`, what failed, and what is not as it is needed."""

    figures: Any
    failures: list[str]
    missed: list[str]


def common() -> argparse.ArgumentParser:
    """The flags of all of them, as a parent of their parsers."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=count, default=7, help="interleaved rounds (7)")
    parser.add_argument("--seconds", type=duration, default=2.0, help="length of a slot of load in a round (2)")
    parser.add_argument("--quick", action="store_true", help="2 short rounds: a first look, not a figure to quote")
    parser.add_argument("--seed", type=int, help="of the texts (drawn and printed when not given)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE as JSON")
    parser.add_argument("--check", action="store_true", help="exit 1 when a figure is not what is needed")
    return parser


def count(text: str) -> int:
    """A whole number from 1 on."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def duration(text: str) -> float:
    """Seconds."""
    value = float(text)
    if not 0.1 <= value <= 600:
        raise argparse.ArgumentTypeError("between 0.1 and 600 seconds")
    return value


def seed_of(asked: argparse.Namespace) -> int:
    """The seed that was given, or one that is drawn now and kept."""
    if asked.seed is None:
        asked.seed = random.randrange(10**6)
    return int(asked.seed)


def command(name: str) -> str:
    """What was typed, for a report."""
    return shlex.join(["python", "-m", name, *sys.argv[1:]])


def progress() -> Progress:
    """A bar on standard error that leaves nothing behind."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=Console(stderr=True), transient=True)


def finish(name: str, asked: argparse.Namespace, run: Callable[[argparse.Namespace], Done]) -> int:
    """Run it to its exit code; write the JSON that was asked for."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        done = run(asked)
    except KeyboardInterrupt:
        print("interrupted; all processes ended", file=sys.stderr)
        return INTERRUPTED
    except BenchmarkError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return CANNOT_RUN
    if asked.json:
        text = json.dumps(done.figures, ensure_ascii=False, indent=2)
        asked.json.write_text(text + "\n", encoding="utf-8")
    if asked.check and done.missed:
        print(f"not what is needed: {', '.join(done.missed)}", file=sys.stderr)
        return FAILED
    return FAILED if done.failures else 0


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)
