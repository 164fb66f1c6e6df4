"""Index generations in the file: each has tables of its own, so that none sees the words or vectors of another."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from memory.errors import StoreUnavailable
from memory.model.generation import Generation, not_there
from memory.stores.sqlite.database import Session, named_queries
from memory.stores.sqlite.erasures import erasing

_TEMPLATES: Final = named_queries("generation.sql")
_MAKE: Final = ("make_entries", "make_words", "open_all")


class Kept(NamedTuple):
    """A generation and its number, by which its tables are named."""

    number: int
    generation: Generation


@lru_cache
def sql(name: str, number: int) -> str:
    """A query of generation.sql for one generation."""
    return _TEMPLATES[name].replace("_N", f"_{number}")


def run(session: Session, name: str, number: int, values: Mapping[str, object] | None = None) -> None:
    """Run a query of generation.sql that answers nothing."""
    session.connection.execute(sql(name, number), values or {})


def run_many(session: Session, name: str, number: int, rows: Sequence[Mapping[str, object]]) -> None:
    """Run a query of generation.sql for each of `rows`."""
    session.connection.executemany(sql(name, number), rows)


def kept(session: Session) -> list[Kept]:
    """All generations of the file, the oldest first."""
    return [
        Kept(row["number"], Generation(row["space"], row["terms"], ready=bool(row["ready"])))
        for row in session.rows("generations")
    ]


def take(session: Session, wanted: Generation, where: str, *, build: bool) -> int:
    """The number of the generation that is wanted; made when there are no memories yet, or with `build`.

    Raises SetupError when it is not there, or not complete and not to be built.
    """
    with session.transaction():
        there = kept(session)
        for number, generation in there:
            if generation.is_same(wanted) and (generation.ready or build):
                return number
        is_empty = session.row("any_memory") is None
        if not build and not is_empty:
            raise not_there(where, wanted, [each.generation for each in there])
        return _make(session, wanted, ready=is_empty)


def _make(session: Session, wanted: Generation, *, ready: bool) -> int:
    session.write("make_generation", {"space": wanted.space, "terms": wanted.terms, "ready": int(ready)})
    number = next(each.number for each in kept(session) if each.generation.is_same(wanted))
    for name in _MAKE:
        run(session, name, number)
    return number


def all_with(session: Session, own: int) -> list[Kept]:
    """All generations; raises StoreUnavailable when `own` is not among them any more."""
    there = kept(session)
    if all(each.number != own for each in there):
        raise StoreUnavailable("the index of this gateway's settings was dropped: start it with the new settings")
    return there


def erase(session: Session, number: int, rids: Sequence[int]) -> None:
    """Remove the entries of records, and their words."""
    rows = [{"rid": rid} for rid in rids]
    run_many(session, "erase_entry", number, rows)
    run_many(session, "erase_words", number, rows)


def drop_others(session: Session, own: int) -> list[Generation]:
    """Remove the tables of all generations but one; their bytes are overwritten and leave the log of writes."""
    with erasing(session):
        gone = [each for each in all_with(session, own) if each.number != own]
        for number, _ in gone:
            run(session, "drop_entries", number)
            run(session, "drop_words", number)
            session.write("drop_generation", {"number": number})
    return [each.generation for each in gone]


def vectors_elsewhere(session: Session, rids: Sequence[int], own: int, space: str) -> list[bytes | None]:
    """Vectors of this space that other generations than our own have of records, as they are kept."""
    same = [number for number, each in kept(session) if each.space == space != "" and number != own]
    found: list[bytes | None] = []
    for rid in rids:
        rows = (session.connection.execute(sql("vector", number), {"rid": rid}).fetchone() for number in same)
        found.append(next((row["vector"] for row in rows if row is not None), None))
    return found
