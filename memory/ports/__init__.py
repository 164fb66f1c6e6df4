"""What the domain asks of the world. Each port has one contract suite that runs over every adapter."""

from memory.ports.erasures import ErasedFiles, ErasureLog, ErasureRecord
from memory.ports.long_term import Fades, LongTermStore, MemoryArchive, MemoryStore
from memory.ports.minds import Embedder, Mind, Pseudonyms, TokenCounter
from memory.ports.sessions import SessionStore
from memory.ports.work import Announcements, Background, Clock, JobQueue

__all__ = [
    "Announcements",
    "Background",
    "Clock",
    "Embedder",
    "ErasedFiles",
    "ErasureLog",
    "ErasureRecord",
    "Fades",
    "JobQueue",
    "LongTermStore",
    "MemoryArchive",
    "MemoryStore",
    "Mind",
    "Pseudonyms",
    "SessionStore",
    "TokenCounter",
]
