"""Commands that call a running gateway: one for each operation, and `anamnesis replay`."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import aiohttp

from gateway.client import AsyncClient, ProblemError
from gateway.commands.replay import replay
from gateway.operations import Operation
from gateway.terminal import EXIT_REFUSED, complain, show
from memory.errors import InvalidInput


def call(asked: argparse.Namespace, operation: Operation) -> int:
    """Call one operation and print its answer; 1 when it is refused."""
    fields = {name.removeprefix("field_"): value for name, value in vars(asked).items() if name.startswith("field_")}

    async def post() -> Any:
        async with AsyncClient(asked.url, asked.api_key) as client:
            return await client.post(operation.path, {k: v for k, v in fields.items() if v is not None})

    def run() -> int:
        _show(asyncio.run(post()))
        return 0

    return bordered(run)


def forget(asked: argparse.Namespace, operation: Operation) -> int:
    """Count what would be gone, ask, erase, and print the receipt; 1 when it is refused, by the gateway or the user."""
    named = {"user_id": asked.user_id, "conversation_id": asked.conversation_id, "memory_id": asked.memory_id}
    body = {name: value for name, value in named.items() if value is not None}
    _require_exact(asked, body)

    async def post(**more: Any) -> Any:
        async with AsyncClient(asked.url, asked.api_key) as client:
            return await client.post(operation.path, body | more)

    def run() -> int:
        counted = asyncio.run(post(dry_run=True))
        if asked.dry_run:
            _show(counted)
            return 0
        if not asked.yes and not _is_sure(counted):
            complain("nothing was erased")
            return EXIT_REFUSED
        receipt = asyncio.run(post(**{} if asked.wait_ms is None else {"wait_ms": asked.wait_ms}))
        _show(receipt)
        if receipt["state"] == "PENDING":
            complain(f"files are pending: ask `anamnesis erasure --erasure-id {receipt['erasure_id']}`")
        return 0

    return bordered(run)


def _require_exact(asked: argparse.Namespace, body: dict[str, str]) -> None:
    """Raise InvalidInput unless it is said what is meant: all of a user is never what is left when something lacks."""
    one = "conversation_id" in body or "memory_id" in body
    if asked.everything and one:
        raise InvalidInput("--all is all of the user: leave out --conversation-id and --memory-id")
    if asked.everything and "user_id" not in body:
        raise InvalidInput("--all needs a --user-id")
    if not asked.everything and not one:
        raise InvalidInput("say what: --conversation-id, --memory-id, or --all for all of the user")


def _is_sure(counted: dict[str, Any]) -> bool:
    """Show what would be gone, and ask on the terminal. Raises InvalidInput when nobody is there to answer."""
    counts = ", ".join(f"{name} {counted[name]}" for name in ("memories", "memunits", "sessions"))
    profile = ", and the profile" if counted["profile"] else ""
    show(f"Of user {counted['user_id']} this erases for good: {counts}{profile}.", file=sys.stderr)
    if not sys.stdin.isatty():
        raise InvalidInput("nobody is there to ask: say --yes, or --dry-run")
    print("Type yes to go on: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() == "yes"


def _show(answer: Any) -> None:
    show(json.dumps(answer, ensure_ascii=False, indent=2))


def play(asked: argparse.Namespace) -> int:
    """Play a file of dialogues and print the report; 1 when something of it is missing."""

    def run() -> int:
        report = asyncio.run(
            replay(
                asked.file,
                AsyncClient(asked.url, asked.api_key),
                user=asked.user,
                prefix=asked.prefix,
                finalize=asked.finalize,
                at_once=asked.at_once,
            )
        )
        show(report.as_json() if asked.json else report.as_text())
        return 0 if report.complete else EXIT_REFUSED

    return bordered(run)


def bordered(run: Callable[[], int]) -> int:
    """Run it; what a gateway refuses, or that none answers, becomes a line of text and an exit status."""
    try:
        return run()
    except ProblemError as error:
        show(json.dumps(dict(error.problem), ensure_ascii=False, indent=2), file=sys.stderr)
    except TimeoutError:
        complain("the gateway did not answer in time")
    except UnicodeEncodeError:
        complain("a text is not Unicode (it has a lone surrogate)")
    except aiohttp.ClientError as error:
        complain(f"cannot reach the gateway ({error}). Is `anamnesis serve` running?")
    return EXIT_REFUSED
