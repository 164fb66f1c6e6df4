"""What callers of the plug-in brain send, and what it answers: the seed's interface. Times are RFC 3339 UTC."""

from typing import Annotated, Any, Literal

from pydantic import StringConstraints

from memory import limits
from memory.model.requests import Id, Request
from memory.model.responses import Response, SparseResponse


class ProcessMemoryRequest(Request):
    """Say what the user said; get back what the long-term memory knows of it. Sessions make and end themselves."""

    input: Annotated[str, StringConstraints(min_length=1, max_length=limits.QUERY_CHARS_MAX, pattern=r"\S")]
    user_id: Id


class DebugProcessMemoryRequest(ProcessMemoryRequest):
    """See what process_memory would do, step by step, with times and reasons. Nothing is stored."""


class EndSessionRequest(Request):
    """End the user's session now; it becomes long-term memory in the background."""

    user_id: Id


class GetSessionStatusRequest(Request):
    """Ask for the user's session: how many events it has, and when it ends by itself."""

    user_id: Id


class GetUserGraphRequest(Request):
    """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance."""

    user_id: Id
    format: Literal["json", "mermaid", "graphml"] = "json"


class FoundMemory(Response):
    """A memory in words that stand alone, and how well it fits (0..1)."""

    content: str
    score: float


class FoundRelation(Response):
    """What holds between two: people, or a person and a thing."""

    source: str
    relation: str
    target: str


class ProcessMetadata(SparseResponse):
    """How the answer was found. `degraded` names what was down."""

    retrieval_time_ms: int
    has_memory: bool
    degraded: list[str] | None = None


class ProcessMemoryResponse(Response):
    """What the long-term memory knows. `resolved_query` is the input with its pronoun resolved, as it was searched."""

    status: str
    resolved_query: str
    memories: list[FoundMemory]
    relations: list[FoundRelation]
    metadata: ProcessMetadata


class DebugStep(Response):
    """One step: what it found, and why."""

    step: str
    took_ms: float
    details: dict[str, Any]


class DebugProcessMemoryResponse(Response):
    """The steps of a call that stored nothing."""

    status: str
    resolved_query: str
    steps: list[DebugStep]


class SessionEnded(Response):
    """A session that was ended."""

    event_count: int
    duration_seconds: int
    created_at: str
    ended_at: str


class EndSessionResponse(Response):
    """`session_info` is null when there was no session."""

    status: str
    message: str
    session_info: SessionEnded | None


class SessionLiving(Response):
    """A session that goes on."""

    event_count: int
    created_at: str
    last_active_at: str
    time_until_timeout_seconds: int


class GetSessionStatusResponse(Response):
    """`state`: active, ending (on its way into memory), ended, or none."""

    status: str
    has_active_session: bool
    state: str
    session_info: SessionLiving | None


class GraphNode(Response):
    """A person or a thing."""

    id: str
    label: str
    kind: str


class GraphEdge(Response):
    """What holds between two nodes, and which memory says so. Not `valid`: it held once."""

    source: str
    relation: str
    target: str
    memory_id: str
    valid: bool


class GetUserGraphResponse(SparseResponse):
    """Nodes and edges; `text` is the drawing in the format that was asked for."""

    status: str
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    format: str
    text: str | None = None
