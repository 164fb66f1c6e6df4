"""Commands that call a running gateway: one for each operation, and `anamnesis replay`."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any, Final

import aiohttp

from gateway.client import AsyncClient, ProblemError
from gateway.operations import Operation
from gateway.replay import replay
from gateway.terminal import complain, show

_REFUSED: Final = 1


def call(asked: argparse.Namespace, operation: Operation) -> int:
    """Call one operation and print its answer; 1 when it is refused."""
    fields = {name.removeprefix("field_"): value for name, value in vars(asked).items() if name.startswith("field_")}

    async def post() -> Any:
        async with AsyncClient(asked.url, asked.api_key) as client:
            return await client.post(operation.path, {k: v for k, v in fields.items() if v is not None})

    def run() -> int:
        show(json.dumps(asyncio.run(post()), ensure_ascii=False, indent=2))
        return 0

    return _bordered(run)


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
        return 0 if report.complete else _REFUSED

    return _bordered(run)


def _bordered(run: Callable[[], int]) -> int:
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
    return _REFUSED
