"""What the domain asks of the world. Each port has one contract suite that runs over every adapter."""

from memory.ports.audit import AuditLog
from memory.ports.batches import Batches
from memory.ports.counts import Counts
from memory.ports.erasures import ErasedFiles, ErasureLog, ErasureRecord
from memory.ports.keys import KeyRing
from memory.ports.long_term import (
    Asks,
    Counted,
    Fades,
    LeavingTimes,
    LongTermStore,
    MemoryArchive,
    MemoryStore,
    MemUnits,
    Profiles,
)
from memory.ports.minds import Embedder, Judge, Mind, Pseudonyms, Reviewer, TokenCounter
from memory.ports.sessions import Attempts, Endings, LivingSessions, ProfileCopies, SessionStore, Tails
from memory.ports.spending import Spending
from memory.ports.users import UserList
from memory.ports.work import Announcements, Background, Claims, Clock, JobQueue

__all__ = [
    "Announcements",
    "Asks",
    "Attempts",
    "AuditLog",
    "Background",
    "Batches",
    "Claims",
    "Clock",
    "Counted",
    "Counts",
    "Embedder",
    "Endings",
    "ErasedFiles",
    "ErasureLog",
    "ErasureRecord",
    "Fades",
    "JobQueue",
    "Judge",
    "KeyRing",
    "LeavingTimes",
    "LivingSessions",
    "LongTermStore",
    "MemUnits",
    "MemoryArchive",
    "MemoryStore",
    "Mind",
    "ProfileCopies",
    "Profiles",
    "Pseudonyms",
    "Reviewer",
    "SessionStore",
    "Spending",
    "Tails",
    "TokenCounter",
    "UserList",
]
