"""`anamnesis pseudonyms`: makes keys, and puts back what pseudonyms stand for. Never over HTTP."""

import base64
import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from gateway.config.settings import Settings
from gateway.terminal import hand_on, show
from gateway.wiring.privacy import pseudonyms_of
from memory.errors import SetupError
from memory.ports import Pseudonyms
from memory.privacy.placeholders import MARK, revealed
from memory.scope import require_id


def new_key(tenant: str) -> int:
    """Print a fresh key, and the entry of `privacy.keys` for it."""
    require_id("tenant", tenant)
    key = base64.b64encode(importlib.import_module("memory.providers.siv_pseudonyms").new_key()).decode()
    show(f"privacy.keys entry: {json.dumps({tenant: key})}")
    show("Keep it safe: who has it reads the pseudonyms, and without it nobody does.", file=sys.stderr)
    return 0


def reveal(settings: Settings, tenant: str) -> int:
    """Standard input to standard output, pseudonyms put back; says on standard error how many were, or could not be."""
    pseudonyms = pseudonyms_of(settings)
    if pseudonyms is None or tenant not in settings.privacy.keys:
        raise SetupError(f"privacy.keys has no key for {tenant}: set it by --config or ANAMNESIS_PRIVACY__KEYS")
    counts: Counter[bool] = Counter()
    for line in lines(pseudonyms, tenant, sys.stdin, counts):
        hand_on(line)
    show(f"revealed: {counts[True]}, of other keys: {counts[False]}", file=sys.stderr)
    return 0


def lines(pseudonyms: Pseudonyms, tenant: str, given: Iterable[str], counts: Counter[bool]) -> Iterator[str]:
    """Each line with its pseudonyms put back: within the strings of a line of JSON, else in the text as it is."""

    def value(kind: str, body: str) -> str | None:
        found = pseudonyms.value(tenant, kind, body)
        counts[found is not None] += 1
        return found

    reveal_text = partial(revealed, value=value)
    for line in given:
        if not any(match[2] for match in MARK.finditer(line)):
            yield line
            continue
        try:
            parsed = json.loads(line)
        except ValueError:
            yield reveal_text(line)
        else:
            yield json.dumps(_walked(parsed, reveal_text), ensure_ascii=False) + "\n"


def _walked(value: Any, change: Any) -> Any:
    """A JSON value with each of its strings changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_walked(part, change) for part in value]
    if isinstance(value, dict):
        return {change(name): _walked(part, change) for name, part in value.items()}
    return value
