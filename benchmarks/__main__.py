"""All that `make bench` measures, in one run: `benchmarks.speed`, then `benchmarks.memories`, then one table of both.

Each is also a program of its own, with the same flags.
"""

import argparse
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import speed
from benchmarks.memories import __main__ as memories
from benchmarks.options import Done, command, common, finish, seed_of
from benchmarks.report import WIDTH

EPILOG = """\
exit code: 0 measured; 1 a request failed, a write was lost or (with --check) a figure is not what is needed;
2 a process did not start or died; 130 interrupted.
"""


def _row(name: str, baseline: str, ratio: Any, needed: str, verdict: str) -> tuple[str, ...]:
    shown = "" if ratio is None else f"{ratio['median']:.2f} ({ratio['minimum']:.2f}-{ratio['maximum']:.2f})"
    return tuple(map(escape, (name, shown, needed, verdict, baseline)))


def _show(of_speed: Any, of_memories: Any) -> None:
    """The ratios and verdicts of both, a line each."""
    console = Console(width=None if Console().is_terminal else WIDTH, highlight=False)
    table = Table(title="all of it", title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(("", "ratio, median (range)", "needed", "", "of what")):
        table.add_column(column, justify="left" if number in (0, 4) else "right", no_wrap=number not in (0, 4))
    for each in of_speed["operations"]:
        needed = "" if each["needed"] is None else f">= {each['needed']:g}"
        verdict = of_speed["verdicts"][each["name"]]
        table.add_row(*_row(each["name"], "requests/s of hello", each["ratio"], needed, verdict))
    table.add_row(*_row("hot conversation", "writes/s of bare Lua", of_speed["hot"]["ratio"], "", ""))
    for each in of_memories:
        needed = "" if each["needed"] is None else f"<= {each['needed']:g}"
        unit = f"{each['unit']} of {each['against'].partition(',')[0]}" if each["ratio"] else ""
        if each["measured"] and not each["ratio"]:
            unit = f"{each['measured']['median']:.2f} {each['unit']}"
        table.add_row(*_row(each["name"], unit, each["ratio"], needed, each["verdict"]))
    console.print(table)


def run(asked: argparse.Namespace) -> Done:
    """Both, one after the other. Raises BenchmarkError."""
    seed_of(asked)
    of_speed, of_memories = speed.run(asked), memories.run(asked)
    _show(of_speed.figures, of_memories.figures)
    return Done(
        {"speed": of_speed.figures, "memories": of_memories.figures},
        of_speed.failures + of_memories.failures,
        of_speed.missed + of_memories.missed,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common(), speed.arguments(), memories.arguments()],
    )
    parser.set_defaults(command=command("benchmarks"))
    return finish("benchmarks", parser.parse_args(), run)


if __name__ == "__main__":
    raise SystemExit(main())
