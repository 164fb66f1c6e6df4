"""What is noted of who asked: in order and once; kept while Redis is away, and counted when that is too long."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

import pytest

from gateway.observe import audit
from gateway.observe.audit import Auditor, Level, Named
from gateway.observe.metrics import Metrics
from gateway.work.background import BackgroundTasks, SystemClock
from memory.errors import StoreUnavailable
from memory.model.audit import AuditEntry, AuditFound, AuditWanted, digest_of
from memory.model.caller import Caller

NURSE = Caller("t1", frozenset({"read"}), "nurse")
MEMORY = "0a5f2b8e-6c9d-5f10-8e2a-3b7c1d9e4f60"


class Log:
    """The AuditLog port, that can be away."""

    def __init__(self) -> None:
        self.writes: list[list[tuple[str, AuditEntry]]] = []
        self.away = False

    @property
    def kept(self) -> list[str]:
        return [entry.operation for write in self.writes for _, entry in write]

    async def note(self, entries: Sequence[tuple[str, AuditEntry]]) -> None:
        await asyncio.sleep(0)
        if self.away:
            raise StoreUnavailable("away")
        if any(entry.operation == "Poison" for _, entry in entries):
            raise TypeError("a bug")
        self.writes.append(list(entries))

    async def page(self, tenant: str, wanted: AuditWanted) -> AuditFound:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_TOGETHER_S", 0.01)
    monkeypatch.setattr(audit, "_AGAIN_S", 0.02)


def auditor(log: Log, level: Level = "all") -> tuple[Auditor, BackgroundTasks, Metrics]:
    background, metrics = BackgroundTasks(), Metrics()
    return Auditor(log, level, background, SystemClock(), metrics), background, metrics


async def test_what_is_noted_together_is_written_together_and_in_order() -> None:
    log = Log()
    noting, background, _ = auditor(log)
    for number in range(3):
        noting.note(NURSE, f"Op{number}", 200)
    await background.drain(5)
    noting.note(NURSE, "Op3", 200)
    await background.drain(5)
    assert [len(write) for write in log.writes] == [3, 1]
    assert log.kept == ["Op0", "Op1", "Op2", "Op3"]


async def test_an_entry_names_by_digests_and_memories_by_what_is_an_id() -> None:
    log = Log()
    noting, _, _ = auditor(log)
    noting.note(NURSE, "GetMemory", 404, Named("ann", "c1", MEMORY))
    noting.note(NURSE, "GetMemory", 404, Named("ann", "", "ann-has-asthma"))
    noting.note(NURSE, "GetMemory", 404, Named("", "", f"{MEMORY}ann"))
    await noting.written()
    ((tenant, first), (_, second), (_, third)) = log.writes[0]
    assert (tenant, first.key, first.status) == ("t1", "nurse", 404)
    assert (first.user, first.conversation, first.memory) == (digest_of("ann"), digest_of("c1"), MEMORY)
    assert (second.conversation, second.memory, third.user, third.memory) == ("", "", "", "")


@pytest.mark.parametrize(
    ("level", "kept"),
    [("all", ["Read", "Refused", "Written"]), ("changes", ["Refused", "Written"]), ("off", [])],
)
async def test_a_level_leaves_out_what_it_says(level: Level, kept: list[str]) -> None:
    log = Log()
    noting, _, _ = auditor(log, level)
    noting.note(NURSE, "Read", 200, reads=True)
    noting.note(NURSE, "Refused", 403, reads=True)
    noting.note(NURSE, "Written", 200)
    await noting.written()
    assert log.kept == kept


async def test_while_redis_is_away_entries_wait_and_none_is_written_twice() -> None:
    log = Log()
    noting, background, metrics = auditor(log)
    log.away = True
    for number in range(700):
        noting.note(NURSE, f"Op{number}", 200)
    await noting.written()
    await asyncio.sleep(0.05)
    assert log.kept == []
    log.away = False
    await asyncio.gather(noting.written(), noting.written(), background.drain(5))
    assert log.kept == [f"Op{number}" for number in range(700)]
    assert [len(write) for write in log.writes] == [500, 200]
    assert metrics.audit_lost == 0


async def test_beyond_what_may_wait_entries_are_lost_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_WAITING_MAX", 5)
    log = Log()
    noting, background, metrics = auditor(log)
    log.away = True
    for number in range(8):
        noting.note(NURSE, f"Op{number}", 200)
    log.away = False
    await background.drain(5)
    noting.note(NURSE, "later", 200)
    await background.drain(5)
    assert log.kept == ["Op0", "Op1", "Op2", "Op3", "Op4", "later"]
    assert metrics.audit_lost == 3
    assert b"anamnesis_audit_entries_lost_total 3.0" in metrics.render()


async def test_a_bug_in_writing_one_costs_those_beside_it_and_no_answer_or_later_entry() -> None:
    log = Log()
    noting, _, metrics = auditor(log)
    noting.note(NURSE, "Poison", 200)
    await noting.written()
    noting.note(NURSE, "later", HTTPStatus.OK)
    await noting.written()
    assert (log.kept, metrics.audit_lost) == (["later"], 1)
    assert type(log.writes[0][0][1].status) is int
