"""Which slot of a cluster a command belongs to, and which commands travel together."""

import binascii
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import hiredis

from memory.errors import InvariantBroken
from memory.stores.redis.wire import Command, pack

SLOTS: Final = 16384
_READS_REMEMBERED: Final = 4_096
_KEYLESS: Final = {"PING", "INFO", "TIME", "CLUSTER"}
_COUNTED: Final = {"EVAL", "EVALSHA"}
"""Their keys are counted by the second argument."""


class Unit(NamedTuple):
    """Commands that must run on one node, side by side: one, or a transaction. No slot: any node will do."""

    slot: int | None
    data: bytes
    replies: int
    transaction: bool


def slot_of(key: bytes) -> int:
    """CRC16 (XMODEM) of the hash tag, if there is one, else of the key: as the specification of Redis Cluster says."""
    start = key.find(b"{") + 1
    end = key.find(b"}", start) if start else -1
    return binascii.crc_hqx(key[start:end] if end > start else key, 0) % SLOTS


def units_of(commands: Iterable[Command]) -> tuple[Unit, ...]:
    """Group commands. Raises InvariantBroken for a transaction over several slots."""
    found: list[Unit] = []
    group: list[Command] | None = None
    for command in commands:
        if command[0] == "MULTI":
            group = []
        if group is None:
            found.append(Unit(_slot(command), pack(command), 1, transaction=False))
            continue
        group.append(command)
        if command[0] == "EXEC":
            slots = {_slot(one) for one in group[1:-1]}
            if len(slots) != 1:
                raise InvariantBroken("a transaction names keys of several slots")
            found.append(Unit(slots.pop(), b"".join(map(pack, group)), len(group), transaction=True))
            group = None
    return tuple(found)


@lru_cache(maxsize=_READS_REMEMBERED)
def units_of_packed(data: bytes) -> tuple[Unit, ...]:
    """As `units_of`, for commands on the wire."""
    reader = hiredis.Reader()
    reader.feed(data)
    commands: list[Command] = []
    while (parts := reader.gets()) is not False:
        commands.append((parts[0].decode(), *parts[1:]))
    return units_of(commands)


def _slot(command: Command) -> int | None:
    name = str(command[0])
    if name in _KEYLESS:
        return None
    if name in _COUNTED:
        return _slot_of_part(command[3]) if int(command[2]) else None
    return _slot_of_part(command[1])


def _slot_of_part(key: str | bytes | int) -> int:
    return slot_of(key if isinstance(key, bytes) else str(key).encode())
