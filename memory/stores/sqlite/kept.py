"""What is kept in memory of users' indexes between searches: records in order, words and vectors as arrays, documents.

Reading and decoding sixty records costs ten times what comparing them does. What is kept is used only while the marks
of its user in the file are what they were when it was read, and they are read for every search: any process may have
written meanwhile, and nothing that is forgotten may come back (docs/decisions/0020). For the thread that reads.
"""

import json
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from memory.model.memory import Memory, from_fields
from memory.model.search import Candidate, Columns, Compared, Filter, Numbers, Probe, Vector
from memory.scope import UserScope
from memory.stores.sqlite.database import Session, named_queries
from memory.stores.sqlite.words import Words

QUERIES: Final = named_queries("versions.sql")
_CANDIDATE_BYTES: Final = 600
"""Of one record beside its words and vector: its fields as Python objects, and its place in the columns."""
_DOCUMENT_FACTOR: Final = 3
"""A decoded record takes about so many times its document."""
_CHANGES_MAX: Final = 256
"""Of the process's own, between two searches; the users of those before them are read anew."""


class Version(NamedTuple):
    """The marks of a user."""

    entries: int
    documents: int


class Change(NamedTuple):
    """Records of a user that one transaction has changed, and the marks that it found and left; None: no records."""

    scope: UserScope
    before: Version | None
    after: Version | None
    memories: Sequence[Memory]


def version(session: Session, scope: UserScope) -> Version | None:
    """The marks of a user; None for one without records."""
    names = {"tenant": scope.tenant, "user_id": scope.user}
    row = session.connection.execute(QUERIES["version"], names).fetchone()
    return None if row is None else Version(row["entries"], row["documents"])


@dataclass(frozen=True, slots=True)
class UserIndex:
    """The records of a user that a filter lets in, in order, and what they are compared by.

    `by_meaning`: with their vectors; where words alone were asked for, they are not read.
    """

    rids: Sequence[int]
    candidates: Sequence[Candidate]
    columns: Columns
    words: Words
    having: "np.ndarray[tuple[int], np.dtype[np.intp]]"
    vectors: "np.ndarray[tuple[int, int], np.dtype[np.float32]]"
    by_meaning: bool

    @property
    def nbytes(self) -> int:
        """What it takes of memory, about."""
        return self.words.nbytes + self.vectors.nbytes + len(self.rids) * _CANDIDATE_BYTES

    def lexical(self, terms: Sequence[str]) -> Numbers:
        """BM25 of each record; 0 for all without terms."""
        return self.words.scores(terms) if terms else np.zeros(len(self.rids))

    def cosines(self, vector: Vector | None) -> Numbers:
        """Cosine of each record; nan for one without a vector, and for all when none is asked for."""
        cosines = np.full(len(self.rids), np.nan)
        if vector is not None and len(self.having):
            cosines[self.having] = self.vectors @ vector
        return cosines

    def compared(self, places: Sequence[int]) -> Compared:
        """What some of them are compared with each other by."""
        rows = np.full(len(self.rids), -1, np.intp)
        rows[self.having] = np.arange(len(self.having))
        chosen = rows[list(places)]
        vectors = np.full((len(places), self.vectors.shape[1]), np.nan, np.float32)
        vectors[chosen >= 0] = self.vectors[chosen[chosen >= 0]]
        return Compared(places, self.words.of(places), vectors)


@dataclass(slots=True)
class _User:
    version: Version
    indexes: dict[Filter, UserIndex] = field(default_factory=dict)
    documents: dict[str, Memory] = field(default_factory=dict)
    nbytes: int = 0


class KeptIndexes:
    """At most `bytes_max` of users' indexes, about; the user who was not asked for longest leaves first."""

    def __init__(self, bytes_max: int, share_max: int = 4) -> None:
        """One user takes a `share_max`-th of all the room at most; who needs more is read anew each time."""
        self._bytes_max, self._share_max = bytes_max, share_max
        self._users: OrderedDict[UserScope, _User] = OrderedDict()
        self._changes: deque[Change] = deque(maxlen=_CHANGES_MAX)
        self.nbytes = 0

    def index(self, session: Session, scope: UserScope, probe: Probe, read: Callable[[], UserIndex]) -> UserIndex:
        """The index of what the filter of a probe lets in: as it is kept, or `read` now.

        The marks are read before it: what changes between the two is seen by the next search.
        """
        user, wanted = self._current(session, scope), probe.filter
        kept = user.indexes.get(wanted) if user is not None else None
        if kept is not None and (kept.by_meaning or not probe.needs_vectors):
            return kept
        made = read()
        if user is not None and wanted == Filter(wanted.kinds, wanted.categories, wanted.types):
            user.indexes[wanted] = made  # a filter that names a conversation or a time is asked for once
            self._grow(scope, user, made.nbytes - (kept.nbytes if kept is not None else 0))
        return made

    def documents(
        self, session: Session, scope: UserScope, memory_ids: Sequence[str], read: Callable[[str], str | None]
    ) -> list[Memory]:
        """Records that are there, in the order asked for; `read` gives the document of one."""
        return self._documents(self._current(session, scope), scope, memory_ids, read)

    def documents_beside(
        self, scope: UserScope, memory_ids: Sequence[str], read: Callable[[str], str | None]
    ) -> list[Memory]:
        """The same of a user whose index was asked for just now."""
        return self._documents(self._users.get(scope), scope, memory_ids, read)

    def changed(self, change: Change) -> None:
        """Take over what this process itself has committed, with the marks around it. For any thread."""
        self._changes.append(change)

    def _documents(
        self, user: _User | None, scope: UserScope, memory_ids: Sequence[str], read: Callable[[str], str | None]
    ) -> list[Memory]:
        known: dict[str, Memory] = user.documents if user is not None else {}
        grown = 0
        for memory_id in memory_ids:
            document = None if memory_id in known else read(memory_id)
            if document is not None:
                known[memory_id] = from_fields(json.loads(document))
                grown += _DOCUMENT_FACTOR * len(document)
        found = [known[memory_id] for memory_id in memory_ids if memory_id in known]
        if user is not None:
            self._grow(scope, user, grown)
        return found

    def holds(self, scope: UserScope) -> bool:
        """Whether anything of a user is kept. For any thread."""
        return scope in self._users

    def drop(self, scope: UserScope) -> None:
        """Keep nothing of a user."""
        user = self._users.pop(scope, None)
        if user is not None:
            self.nbytes -= user.nbytes

    def _current(self, session: Session, scope: UserScope) -> _User | None:
        """What is kept of a user and still so; None for one without records."""
        while self._changes:
            self._take_over(self._changes.popleft())
        now = version(session, scope)
        if now is None:
            self.drop(scope)
            return None
        user = self._users.get(scope)
        if user is None or user.version != now:
            same = user.indexes if user is not None and user.version.entries == now.entries else {}
            self.drop(scope)
            user = self._users[scope] = _User(now, same)
            self._grow(scope, user, sum(index.nbytes for index in same.values()))
        self._users.move_to_end(scope)
        return user

    def _take_over(self, change: Change) -> None:
        """What was kept before a change is so after it, but for the records that it is about."""
        user = self._users.get(change.scope)
        if user is None or change.after is None or user.version != change.before:
            return
        if change.after.entries == user.version.entries:
            user.version = change.after
            user.documents |= {each.memory_id: each for each in change.memories if each.memory_id in user.documents}

    def _grow(self, scope: UserScope, user: _User, nbytes: int) -> None:
        if self._users.get(scope) is not user:
            return
        user.nbytes += nbytes
        self.nbytes += nbytes
        if user.nbytes * self._share_max > self._bytes_max:
            self.drop(scope)
        while self.nbytes > self._bytes_max:
            self.drop(next(iter(self._users)))
