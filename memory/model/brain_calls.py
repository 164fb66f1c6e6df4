"""What callers of the plug-in brain send, and what it answers: the seed's interface. Times are RFC 3339 UTC."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from memory import limits
from memory.model.as_models_write import whole
from memory.model.fields import GraphCursor, Id
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse


class ProcessMemoryRequest(Request):
    """Say what the user said; get back what the long-term memory knows of it. Sessions make and end themselves."""

    input: Annotated[str, StringConstraints(min_length=1, max_length=limits.QUERY_CHARS_MAX, pattern=r"\S")] = Field(
        description="What the user said, 1 to 10,000 characters."
    )
    user_id: Id = Field(description="Who said it.")


class DebugProcessMemoryRequest(ProcessMemoryRequest):
    """See what process_memory would do, step by step, with times and reasons. Nothing is stored."""


class EndSessionRequest(Request):
    """End the user's session now; it becomes long-term memory in the background."""

    user_id: Id = Field(description="Whose session.")


class GetSessionStatusRequest(Request):
    """Ask for the user's session: how many events it has, and when it ends by itself."""

    user_id: Id = Field(description="Whose session.")


class GetUserGraphRequest(Request):
    """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance."""

    user_id: Id = Field(description="Whose memories.")
    format: Literal["json", "mermaid", "graphml", "dot"] = Field(
        default="json", description="json: nodes and edges; mermaid, graphml, dot: a drawing in `text` too."
    )
    cursor: GraphCursor = Field(default="", description="Where the page before ended; empty: from the beginning.")
    limit: Annotated[int, Field(ge=1, le=limits.USERS_EDGES_MAX), BeforeValidator(whole)] = Field(
        default=limits.USERS_EDGES_MAX, description="Edges of a page, 1 to 5,000."
    )


class FoundMemory(Response):
    """A memory in words that stand alone, and how well it fits (0..1)."""

    content: str = Field(description="What is remembered, in words that stand alone.")
    score: float = Field(description="How well it fits, 0 to 1.")


class FoundRelation(Response):
    """What holds between two: people, or a person and a thing."""

    source: str = Field(description="Who or what.")
    relation: str = Field(description="What holds between them.")
    target: str = Field(description="To whom or what.")


class ProcessMetadata(SparseResponse):
    """How the answer was found. `degraded` names what was down."""

    retrieval_time_ms: int = Field(description="Milliseconds that the search took.")
    has_memory: bool = Field(description="Whether anything was found.")
    degraded: list[str] | None = Field(
        default=None, description="What was down while this was answered; empty: nothing was missing."
    )


class ProcessMemoryResponse(Response):
    """What the long-term memory knows. `resolved_query` is the input with its pronoun resolved, as it was searched."""

    status: str = Field(description="`success`; failures are problem documents.")
    resolved_query: str = Field(description="The input with its pronouns resolved, as it was searched.")
    memories: list[FoundMemory] = Field(description="What fits, the best first.")
    relations: list[FoundRelation] = Field(description="What holds between the people and things named in them.")
    metadata: ProcessMetadata = Field(description="How it was found.")


class DebugStep(Response):
    """One step: what it found, and why."""

    step: str = Field(description="Its name.")
    took_ms: float = Field(description="Milliseconds that it took.")
    details: dict[str, Any] = Field(description="What it found, and why.")


class DebugProcessMemoryResponse(Response):
    """The steps of a call that stored nothing."""

    status: str = Field(description="`success`; failures are problem documents.")
    resolved_query: str = Field(description="The input with its pronouns resolved, as it was searched.")
    steps: list[DebugStep] = Field(description="In the order in which they were taken.")


class SessionEnded(Response):
    """A session that was ended."""

    event_count: int = Field(description="Events that it had.")
    duration_seconds: int = Field(description="Seconds from its beginning to its end.")
    created_at: str = Field(description="When it began, RFC 3339.")
    ended_at: str = Field(description="When it was ended, RFC 3339.")


class EndSessionResponse(Response):
    """`session_info` is null when there was no session."""

    status: str = Field(description="`success`; failures are problem documents.")
    message: str = Field(description="What happened, as a sentence.")
    session_info: SessionEnded | None = Field(description="The session that was ended; null: there was none.")


class SessionLiving(Response):
    """A session that goes on."""

    event_count: int = Field(description="Events so far.")
    created_at: str = Field(description="When it began, RFC 3339.")
    last_active_at: str = Field(description="When its last event came, RFC 3339.")
    time_until_timeout_seconds: int = Field(description="Seconds until it ends unless another event comes.")


class GetSessionStatusResponse(Response):
    """`state`: active, ending (on its way into memory), ended, or none."""

    status: str = Field(description="`success`; failures are problem documents.")
    has_active_session: bool = Field(description="Whether one is alive.")
    state: str = Field(description="active, ending (becoming memory), ended, or none.")
    session_info: SessionLiving | None = Field(description="The living session; null: none.")


class GraphNode(Response):
    """A person or a thing."""

    id: str = Field(description="Its id, of this user alone.")
    label: str = Field(description="Its name.")
    kind: str = Field(description="person or thing.")


class GraphEdge(Response):
    """What holds between two nodes, and which memory says so. Not `valid`: it held once."""

    source: str = Field(description="Id of a node.")
    relation: str = Field(description="What holds between them.")
    target: str = Field(description="Id of a node.")
    memory_id: str = Field(description="The memory that says so.")
    valid: bool = Field(description="False: it held once.")


class GetUserGraphResponse(SparseResponse):
    """Nodes and edges; `text` is the drawing in the format that was asked for."""

    status: str = Field(description="`success`; failures are problem documents.")
    nodes: list[GraphNode] = Field(description="People and things.")
    edges: list[GraphEdge] = Field(description="What holds between them.")
    format: str = Field(description="The format that was asked for.")
    text: str | None = Field(default=None, description="The drawing; only for mermaid, graphml and dot.")
    truncated: bool = Field(description="There is more: ask on with `cursor`, or the user has more than 20,000 facts.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
