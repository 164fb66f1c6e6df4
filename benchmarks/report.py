"""The report as a reader sees it."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.figures import BELOW, DEARER, Hot, Report, Spread
from benchmarks.measure import MEMORY_CHARACTERS, MEMORY_CONVERSATIONS, MEMORY_MESSAGES

WIDTH = 124  # when the output is no terminal
COLOURS = {"baseline": "dim", BELOW: "red", DEARER: "bold red", "needed": "yellow", "goal": "bold green"}


def show(report: Report) -> None:
    console = Console(width=None if Console().is_terminal else WIDTH, highlight=False)
    console.print(_operations(report))
    console.print(_costs(report))
    _notes(console, report)
    console.print(_hot(report.hot))
    _counted(console, report.hot)
    _memory(console, report)
    for failure in report.failures:
        console.print(f"[bold red]FAILED[/] {escape(failure)}")


def _table(title: str, *columns: str) -> Table:
    """Narrow enough for a terminal of 80 columns."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table


def _operations(report: Report) -> Table:
    plan = report.plan
    title = f"{report.connections} connections, {plan.rounds} interleaved rounds of {plan.seconds:g} s a slot"
    spread = "median (min-max)"
    columns = (
        "operation",
        f"requests/s\n{spread}",
        f"ratio to hello\n{spread}",
        "target\nreached / needed / goal",
        "verdict",
    )
    table = _table(title, *columns)
    for operation in report.operations:
        colour = COLOURS[operation.verdict]
        targets = (
            ("1", "")
            if operation.needed is None
            else (_ratio(operation.ratio), f"{operation.reached:.3f} / {operation.needed:.2f} / {operation.goal:.2f}")
        )
        table.add_row(operation.name, _rates(operation.per_second), *targets, f"[{colour}]{operation.verdict}[/]")
    return table


def _costs(report: Report) -> Table:
    """Busy is the share of a core: `load` near 100 % would mean that the client was the limit."""
    columns = (
        "operation",
        "server\nCPU µs",
        "Redis\nCPU µs",
        "p50\nms",
        "p99\nms",
        "server\nbusy",
        "load\nbusy",
    )
    table = _table("per request", *columns)
    for operation in report.operations:
        cpu = (_cpu(operation.cpu_us.get(part)) for part in ("server", "redis"))
        busy = (f"{operation.server_busy:.0%}", f"{operation.load_busy:.0%}")
        latency = (f"{operation.p50_ms:.1f}", f"{operation.p99_ms:.1f}")
        table.add_row(operation.name, *cpu, *latency, *busy)
    return table


def _notes(console: Console, report: Report) -> None:
    console.print(f"baseline: {report.baseline}")
    for slot, window in report.windows.items():
        console.print(
            f"{slot}: {window.stored_messages} messages stored, {window.answered_messages} in the answer "
            f"({window.answer_bytes:,} bytes)"
        )
    console.print(f"machine: {', '.join(f'{name} {value}' for name, value in report.machine.items())}")
    console.print(f"seed: {report.plan.seed}")
    if report.disturbed:
        console.print("[yellow]note: hello did not get a core of its own; the machine is busy, don't quote this[/]")
    for name in report.saturated:
        console.print(f"[yellow]note: {name} kept the load generator busy all the time and is faster than shown[/]")


def _hot(hot: Hot) -> Table:
    spread = "median (min-max)"
    cpu = ("gateway\nCPU µs", "Redis\nCPU µs", "client\nCPU µs")
    title = "one hot conversation, 64 writers (Lua: one EVALSHA a write, redis-py pool of 64)"
    table = _table(title, "way", f"writes/s\n{spread}", f"ratio to Lua\n{spread}", *cpu)
    rows = (
        ("WriteTurn", hot.gateway, _ratio(hot.ratio), hot.gateway_cpu_us),
        ("Lua, pool", hot.lua, "1", hot.lua_cpu_us),
    )
    for name, rates, ratio, cpu_us in rows:
        parts = (_cpu(cpu_us.get(part)) for part in ("server", "redis", "load"))
        table.add_row(name, _rates(rates), ratio, *parts)
    return table


def _counted(console: Console, hot: Hot) -> None:
    kept = hot.turn_count == hot.acknowledged == hot.rev
    word = "[green]every one counted[/]" if kept else "[bold red]NOT EQUAL[/]"
    console.print(
        f"hot conversation: {hot.acknowledged:,} writes acknowledged, turn_count {hot.turn_count:,}, "
        f"rev {hot.rev:,}: {word}"
    )


def _memory(console: Console, report: Report) -> None:
    memory = report.memory
    console.print(
        f"bytes per conversation ({MEMORY_CONVERSATIONS} of {MEMORY_MESSAGES} messages x {MEMORY_CHARACTERS} "
        f"Chinese characters): [bold]{memory.used:,.0f}[/] of Redis used_memory (without "
        f"client buffers); raw UTF-8 is {memory.raw:,}, ratio [bold]{memory.used / memory.raw:.2f}[/]"
    )
    console.print(
        f"  for comparison: one JSON string per session needs at least the raw {memory.raw:,} "
        f"(without escapes, keys and quotes); zlib packs this text to {memory.zlib:,}"
    )


def _rates(spread: Spread) -> str:
    return f"[bold]{spread.median:,.0f}[/] ({spread.minimum:,.0f}-{spread.maximum:,.0f})"


def _ratio(spread: Spread) -> str:
    return f"[bold]{spread.median:.3f}[/] ({spread.minimum:.3f}-{spread.maximum:.3f})"


def _cpu(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
