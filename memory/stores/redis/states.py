"""How working state lies in a session's hash: a field for each entity and slot, the intent, what is pending."""

import json
from collections.abc import Mapping
from typing import Final

from memory.model.session import StateChange

_ENTITY: Final = "e:"
_SLOT: Final = "slot:"


def entities(fields: Mapping[str, bytes]) -> dict[str, object]:
    """What all agents share."""
    return _prefixed(fields, _ENTITY)


def slots(fields: Mapping[str, bytes], agent: str) -> dict[str, object]:
    """Of the agents' own notes those of this one."""
    return {name: value for name, value in _prefixed(fields, _SLOT).items() if agent and name == agent}


def changes(state: StateChange, agent: str) -> list[str | bytes | int]:
    """Fields and values as append.lua takes them: an empty value deletes."""
    args: list[str | bytes | int] = []
    for name, value in state.entities.items():
        args += (_ENTITY + name, "" if value is None else json.dumps(value, ensure_ascii=False))
    if state.slot is not None:
        args += (_SLOT + agent, json.dumps(state.slot, ensure_ascii=False))
    if state.current_intent is not None:
        args += ("intent", state.current_intent)
    if state.pending_action is not None:
        args += ("pending", json.dumps(state.pending_action, ensure_ascii=False) if state.pending_action else "")
    return args


def _prefixed(fields: Mapping[str, bytes], prefix: str) -> dict[str, object]:
    return {k.removeprefix(prefix): json.loads(v) for k, v in fields.items() if k.startswith(prefix)}
