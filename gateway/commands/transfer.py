"""`anamnesis export` and `anamnesis import`: memories of a running gateway to a file, and from one."""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from gateway.client import AsyncClient, ProblemError
from gateway.commands.client import bordered
from gateway.commands.record_files import Checked, Head, Json, Lines, Table, Text, Writer, checked, records
from gateway.operations import Operation
from gateway.terminal import EXIT_REFUSED, complain, hand_on, show
from memory.errors import InvalidInput, Overtaken, SetupError

_PAGE: Final = 500
_BATCH_BYTES_MAX: Final = 1024 * 1024
_TRIES: Final = 10
_BUSY: Final = frozenset({429, 503})
_OURS_ALONE: Final = 0o600
"""Who else uses the machine may not read what a file holds."""

Advance = Callable[[int], None]
Batch = tuple[str, list[int], list[Json]]
"""Whose they become, the numbers of the lines, the records."""


def export(asked: argparse.Namespace, operation: Operation) -> int:
    """Write a file; it has its name only once it is whole."""

    def run() -> int:
        with _written(asked.file) as write, _progress("exporting") as advance:
            count = asyncio.run(_export(asked, operation, write, advance))
        show(f"{count} records exported", file=sys.stderr)
        return 0

    return bordered(run)


async def _export(
    asked: argparse.Namespace, operation: Operation, write: Callable[[str], None], advance: Advance
) -> int:
    writer, count, cursor, begun = _writer(asked), 0, "", False
    async with AsyncClient(asked.url, asked.api_key) as client:
        while cursor or not begun:
            body = {"cursor": cursor, "limit": _PAGE} | ({"user_id": asked.user} if asked.user else {})
            page = await _asked(client, operation, body)
            if not begun:
                write(writer.begin(Head(page["as_of"], asked.user or "")))
            for record in page["records"]:
                write(writer.add(record))
            count, cursor, begun = count + len(page["records"]), page["cursor"], True
            advance(len(page["records"]))
    write(writer.end())
    return count


def _writer(asked: argparse.Namespace) -> Writer:
    if asked.format == "csv":
        return Table()
    return Text(asked.locale) if asked.format == "txt" else Lines()


@contextmanager
def _written(path: Path) -> Iterator[Callable[[str], None]]:
    """What writes a text to the file, or to standard output for `-`. Cut off, there is no file."""
    if str(path) == "-":
        yield hand_on
        return
    part = path.with_name(path.name + ".part")
    try:
        file = os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OURS_ALONE), "w", encoding="utf-8", newline=""
        )
    except OSError as error:
        raise SetupError(f"cannot write {part}: {error}") from error
    try:
        with file:
            yield lambda text: _put(file, text)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _put(file: IO[str], text: str) -> None:
    file.write(text)


def take_in(asked: argparse.Namespace, operation: Operation) -> int:
    """Check a file whole, then import it; 1 when something of it is refused."""

    def run() -> int:
        with _read(asked.file) as file:
            found = checked(file)
            if asked.user and found.users > 1:
                raise InvalidInput(f"the file has memories of {found.users} users: --user would make them one person's")
            counts = asyncio.run(_import(asked, operation, file, found))
        told = ", ".join(f"{name} {counts[name]}" for name in ("added", "same", "refused"))
        show(f"{told}{' (dry run: nothing was changed)' if asked.dry_run else ''}")
        return EXIT_REFUSED if counts["refused"] else 0

    return bordered(run)


async def _import(asked: argparse.Namespace, operation: Operation, file: BinaryIO, found: Checked) -> Counter[str]:
    counts: Counter[str] = Counter()
    more = {"dry_run": asked.dry_run, "locale": asked.locale}
    with _progress("importing", found.memories) as advance:
        async with AsyncClient(asked.url, asked.api_key) as client:
            for user, numbers, batch in _batches(file, asked.user):
                answer = await _asked(client, operation, {"user_id": user, "records": batch, **more})
                for number, outcome in zip(numbers, answer["outcomes"], strict=True):
                    if outcome["outcome"] == "refused":
                        complain(f"line {number}: {outcome['reason']}")
                counts.update({name: answer[name] for name in ("added", "same", "refused")})
                advance(len(batch))
    return counts


def _batches(file: BinaryIO, user: str | None) -> Iterator[Batch]:
    """Records of one user each, as many as one request takes."""
    numbers, batch, size, whose = list[int](), list[Json](), 0, ""
    for number, length, record in records(file):
        owner = user or record["user_id"]
        if batch and (owner != whose or len(batch) == _PAGE or size + length > _BATCH_BYTES_MAX):
            yield whose, numbers, batch
            numbers, batch, size = [], [], 0
        whose = owner
        numbers.append(number)
        batch.append(record)
        size += length
    if batch:
        yield whose, numbers, batch


@contextmanager
def _read(path: Path) -> Iterator[BinaryIO]:
    """The file, or standard input for `-`, to be read twice. Raises SetupError."""
    if str(path) == "-":
        with tempfile.TemporaryFile() as kept:
            shutil.copyfileobj(sys.stdin.buffer, kept)
            yield kept
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise SetupError(f"cannot read {path}: {error}") from error
    with file:
        yield file


async def _asked(client: AsyncClient, operation: Operation, body: Json) -> Any:
    """The answer; a gateway that is busy is asked again. What an erasure has overtaken is not: nobody wants it back."""
    tried = 0
    while True:
        tried += 1
        try:
            return await client.post(operation.path, body)
        except ProblemError as error:
            if tried == _TRIES or error.status not in _BUSY or error.code == Overtaken.code:
                raise
            await asyncio.sleep(error.retry_after_s or 1)


@contextmanager
def _progress(doing: str, total: int | None = None) -> Iterator[Advance]:
    """A bar on stderr; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn(doing),
        BarColumn(),
        TextColumn("{task.completed} records"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task(doing, total=total)
        yield lambda count: progress.advance(bar, count)
