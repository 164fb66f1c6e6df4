"""What callers send to read the memory graph and to say which of its nodes are one, and what they get."""

from typing import Annotated, ClassVar, Literal

from pydantic import AliasChoices, Field, StringConstraints

from memory import limits
from memory.model.fields import GraphCursor, Id, Rfc3339
from memory.model.graph_calls import Label
from memory.model.memory_calls import MemoryAnswer
from memory.model.requests import Request
from memory.model.responses import Response, SparseResponse

Reason = Annotated[str, StringConstraints(max_length=limits.QUOTE_CHARS_MAX)]


class GetGraphRequest(Request):
    """Ask for what is known of a user as a graph: people and things, what holds between them, what led to what.

    Every edge names the memory that says it, every link itself. Large graphs come page by page.
    """

    user_id: Id = Field(description="Whose memories.")
    about: Label | None = Field(
        default=None, description="Only what stands round this: a label, the id of a node, or of a memory."
    )
    depth: Annotated[int, Field(ge=0, le=limits.EXPAND_DEPTH_MAX)] = Field(
        default=1, description="How many steps round it, up to 3; with `about`."
    )
    as_of: Rfc3339 | None = Field(default=None, description="What was held to be true then. Default: now.")
    relations: Annotated[list[Label], Field(max_length=limits.RELATIONS_MAX)] | None = Field(
        default=None, description="Only these: labels of edges, names of relations of links. Up to 32."
    )
    kinds: list[Literal["fact", "created", "link"]] | None = Field(
        default=None,
        max_length=3,
        description="Only what these say: fact (conversations and UpsertFacts), created (CreateMemory), link. "
        "Default: all.",
    )
    cursor: GraphCursor = Field(default="", description="Where the page before ended; empty: from the beginning.")
    limit: Annotated[int, Field(ge=1, le=limits.EDGES_PER_PAGE_MAX)] = Field(
        default=500, description="Edges and links of a page, 1 to 2,000."
    )
    include: list[Literal["conflicts", "suggestions", "merged", "past", "evidence"]] = Field(
        default_factory=list,
        max_length=5,
        description="conflicts: memories that cannot both be so; suggestions: labels that may be one thing; merged: by "
        "what labels are one; past: also what holds no longer, marked as not valid; evidence: of each edge "
        "all memories that say it (what was replaced counts among the 20,000 then).",
    )
    format: Literal["json", "mermaid", "graphml", "dot"] = Field(
        default="json", description="json: nodes, edges, links; mermaid, graphml, dot: a drawing in `text` too."
    )


class WholeNode(SparseResponse):
    """A person or a thing."""

    id: str = Field(description="Its id, of this user alone; a memory's own where it is one.")
    label: str = Field(description="Its name.")
    kind: str = Field(description="person or thing; memory: one that says no triple, or that a path goes through.")
    aliases: list[str] | None = Field(default=None, description="Labels that were said to be the same thing.")


class WholeEdge(SparseResponse):
    """What holds between two nodes, by which memory, in whose words, since and until when."""

    source: str = Field(description="Id of a node.")
    relation: str = Field(description="What holds between them.")
    target: str = Field(description="Id of a node.")
    memory_id: str = Field(description="The memory that says so.")
    type: str = Field(description="event, fact, relation or opinion.")
    evidence: list[str] | None = Field(
        default=None,
        description="All memories that say the same, the earliest first, also those that `memory_id` took the place "
        "of; only with `include: [evidence]`. An edge is there as long as one of them is.",
    )
    quote: str = Field(description="The words that say it; else the memory's own sentence.")
    quoted: bool = Field(description="Whether `quote` is what somebody said, and not the memory's own sentence.")
    importance: float = Field(description="0 to 1.")
    attributes: dict[str, str] | None = Field(default=None, description="What else is said of it.")
    valid: bool = Field(description="False: it held once; only with `include: [past]`.")
    valid_from: str | None = Field(default=None, description="Since when it holds, RFC 3339.")
    valid_to: str | None = Field(default=None, description="Until when it held, RFC 3339.")


class WholeLink(Response):
    """A link between two memories: the source is the ground, the target what follows from it."""

    link_id: str = Field(description="Id of the link.")
    source_memory_id: str = Field(description="The ground.")
    target_memory_id: str = Field(description="What follows from it.")
    relation: str = Field(description="causes, cites, based_on or related.")
    importance: float = Field(description="0 to 1.")
    quote: str = Field(description="The words that say so; empty: none were given.")
    valid: bool = Field(description="False: it was taken off; only with `include: [past]`.")


class ConflictAnswer(Response):
    """Two memories that cannot both be so. Both are kept until ResolveMemoryConflict says which."""

    kind: str = Field(description="opposite: said and denied, liked and disliked; values: two of what has one.")
    memory_ids: list[str] = Field(description="The earlier one, then the later one.")


class SuggestionAnswer(Response):
    """Two labels that may be one thing. MergeNodes takes it up, SplitNodes turns it down; after 30 days it lapses."""

    suggestion_id: str = Field(description="Id of the suggestion, as ListMemories shows it among links.")
    a: str = Field(description="A label.")
    b: str = Field(description="The other one.")
    score: float = Field(description="How surely, 0 to 1.")
    why: str = Field(
        description="meaning: they lie near to each other; term: two names that our words of medicine have for one "
        "thing; number, hyphen, accent, order: the same words but for that; words: the same but for small words, names "
        "of relatives or of medicines; initials: one is the other's; character: a Chinese one stands for two."
    )


class MergeAnswer(Response):
    """By what two labels are one node. SplitNodes undoes it."""

    merge_id: str = Field(description="Id of the verdict.")
    a: str = Field(description="A label.")
    b: str = Field(description="The other one.")
    by: str = Field(description="tool: somebody said so by MergeNodes; rules: they are written alike; or a model.")
    why: str = Field(description="The reason that was given, or how they are alike; may be empty.")
    at: str = Field(description="Since when, RFC 3339.")


class GetGraphResponse(SparseResponse):
    """A page of the graph."""

    nodes: list[WholeNode] = Field(description="People and things that the edges and links of this page touch.")
    edges: list[WholeEdge] = Field(description="What holds between them.")
    links: list[WholeLink] = Field(description="What joins the memories behind the edges.")
    conflicts: list[ConflictAnswer] | None = Field(
        default=None, description="Memories that cannot both be so; only when asked for."
    )
    suggestions: list[SuggestionAnswer] | None = Field(
        default=None, description="Labels that may be one thing, the surest first; only when asked for."
    )
    merged: list[MergeAnswer] | None = Field(
        default=None, description="By what labels are one; only when asked for. Aliases that were told are no verdicts."
    )
    truncated: bool = Field(description="There is more: ask on with `cursor`, or the user has more than 20,000 facts.")
    cursor: str = Field(description="Send it for the next page; empty: this is the last.")
    format: str = Field(description="The format that was asked for.")
    text: str | None = Field(default=None, description="The drawing of this page; only for mermaid, graphml and dot.")


class FindPathRequest(Request):
    """Ask how two things hang together: the shortest ways between them, each step with the words that say it."""

    SYNONYMS: ClassVar = {"from": "source", "to": "target"}
    """Other names of fields. Both may be sent, with the same value."""

    user_id: Id = Field(description="Whose memories.")
    source: Label = Field(
        validation_alias=AliasChoices("source", "from"),
        description="Where to begin: a label, the id of a node or a memory; `from` is the same.",
    )
    target: Label = Field(
        validation_alias=AliasChoices("target", "to"),
        description="Where to end: a label, the id of a node or a memory; `to` is the same.",
    )
    hops_max: Annotated[int, Field(ge=1, le=limits.HOPS_MAX)] = Field(default=4, description="Steps at most, up to 6.")
    paths_max: Annotated[int, Field(ge=1, le=limits.PATHS_MAX)] = Field(default=3, description="Ways at most, up to 5.")
    as_of: Rfc3339 | None = Field(default=None, description="By what was held to be true then. Default: now.")
    relations: Annotated[list[Label], Field(max_length=limits.RELATIONS_MAX)] | None = Field(
        default=None, description="Only by these: labels of edges, names of relations of links. Up to 32."
    )


class PathStep(SparseResponse):
    """One step of a way, by a memory or by a link."""

    source: str = Field(description="Id of the node or memory that it goes from.")
    relation: str = Field(description="What holds between them.")
    target: str = Field(description="Id of the node or memory that it goes to.")
    forward: bool = Field(description="False: it is gone against its direction, from what follows to its ground.")
    memory_id: str | None = Field(default=None, description="The memory that says it.")
    link_id: str | None = Field(default=None, description="The link that says it.")
    quote: str = Field(description="The words that say it, else the memory's own sentence; empty: a link without any.")
    quoted: bool = Field(description="Whether `quote` is what somebody said, and not the memory's own sentence.")


class FoundPath(Response):
    """A way: what it goes through, its steps, and how many they are."""

    nodes: list[WholeNode] = Field(description="What it goes through, in order.")
    steps: list[PathStep] = Field(description="Its steps, in order.")
    length: int = Field(description="How many steps it has.")


class FindPathResponse(Response):
    """The ways, the shortest first; none where there is none so short."""

    paths: list[FoundPath] = Field(description="The ways, the shortest first.")
    truncated: bool = Field(description="Not everything could be looked at: there may be more.")


class MergeNodesRequest(Request):
    """Say that two nodes are one thing, under two labels. Nothing is rewritten: SplitNodes undoes it.

    People are never merged so; numbers, opposites, denials, medicines and places that differ are refused.
    """

    user_id: Id = Field(description="Whose graph.")
    a: Label = Field(description="A node by its label or id.")
    b: Label = Field(description="The other one.")
    reason: Reason | None = Field(default=None, description="Why, for whoever reads it later.")


class MergeNodesResponse(Response):
    """The node that stands for both."""

    node: WholeNode = Field(description="The node as it is now, with its other labels.")
    merge_id: str = Field(description="Id of the verdict, as ListMemories shows it among links.")
    created: bool = Field(description="False: they were one already.")


class SplitNodesRequest(Request):
    """Say that two nodes are two things: what made them one is taken off, and does not come back by itself."""

    user_id: Id = Field(description="Whose graph.")
    a: Label = Field(description="A label or the id of a node.")
    b: Label = Field(description="The other one.")
    reason: Reason | None = Field(default=None, description="Why, for whoever reads it later.")


class SplitNodesResponse(Response):
    """Whether they were one until now."""

    split: bool = Field(description="False: they were not one by a verdict on these two.")
    blocked: str = Field(description="Id of the verdict that keeps them apart.")


class ResolveMemoryConflictRequest(Request):
    """Say which of two memories that cannot both be so holds. The other one ends now; both are kept.

    Safety facts are decided by ConfirmFacts.
    """

    user_id: Id = Field(description="Whose memories.")
    memory_ids: Annotated[list[Id], Field(min_length=2, max_length=2)] = Field(
        description="The two, as GetGraph names them with `include: [conflicts]`."
    )
    keep: Id = Field(description="Which of them holds.")


class ResolveMemoryConflictResponse(Response):
    """Both memories as they are now."""

    kept: MemoryAnswer = Field(description="The one that holds.")
    ended: MemoryAnswer = Field(description="The one that held until now.")
