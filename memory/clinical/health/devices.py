"""Devices that somebody wears or uses, and those that they do no longer: a CPAP, hearing aids, a cast, a wheelchair."""

from collections.abc import Iterator

from memory.clinical.findings import DEVICE, Finding
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.operations import stays_inside
from memory.clinical.reading import Reading


def devices(reading: Reading, health: HealthGrammar) -> Iterator[Finding]:
    """What is used (or denied: left off, handed back). What stays in the body is safety's."""
    for at, group in reading.groups("V"):
        clause = reading.sketch.clause_at(at)
        if reading.retracted(at) or clause.asked:
            continue
        prefix, suffix = reading.prefix(at), reading.suffix(at + 1)
        if health.not_taken_before.search(prefix) or reading.grammar.planned.search(prefix):
            continue
        left = health.stopped_before.search(prefix) or health.stopped_after.search(suffix)
        left = left or health.left_after.search(suffix)
        used = health.used_before.search(prefix) or health.used_after.search(suffix)
        if not left and (not used or reading.denied(at, at + 1)):
            continue
        for name in reading.names(group):
            if not stays_inside(name):
                for finding in reading.told(DEVICE, name, at):
                    yield finding._replace(denied=left is not None)
