"""The table of operations. HTTP routes, OpenAPI, Python client and CLI are made from it; they can't drift apart.

To add an operation, add one entry to one of these files and one method to `memory.service.MemoryService`, or to
`gateway.operating.service.Operating` where it is about the gateway and not about what it remembers.
"""

from types import MappingProxyType
from typing import Final

from gateway.operations.batches import BATCHES
from gateway.operations.brain import BRAIN
from gateway.operations.graph import GRAPH
from gateway.operations.memories import MEMORIES
from gateway.operations.operating import OPERATING
from gateway.operations.operation import ADMIN, ERASE, OPERATE, READ, SCOPES, WRITE, Answerer, Effect, Method, Operation
from gateway.operations.sessions import SESSIONS
from gateway.operations.watches import WATCHES

__all__ = [
    "ADMIN",
    "BY_NAME",
    "ERASE",
    "OPERATE",
    "OPERATIONS",
    "READ",
    "SCOPES",
    "WATCHES",
    "WRITE",
    "Answerer",
    "Effect",
    "Method",
    "Operation",
]

OPERATIONS: Final = (*SESSIONS, *MEMORIES, *BATCHES, *GRAPH, *BRAIN, *OPERATING)
BY_NAME: Final = MappingProxyType({operation.name: operation for operation in OPERATIONS})
