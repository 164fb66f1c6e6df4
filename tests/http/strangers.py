"""Four owners of everything that the product keeps, and what a stranger may ask about it: made from the operations.

Every answer to a stranger is held against that about ids that nobody has. Those are a copy of the owner's ids, one for
one, so that what the stranger's own writes leave under either name is the same too.
"""

import itertools
import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from gateway.operations import OPERATIONS, WATCHES, Operation
from tests.gateways import Answer, GatewayProcess
from tests.waiting import wait_until

IDS: Final = (
    "conversation_id", "user_id", "memory_id", "finalization_id", "from_checkpoint", "cursor", "seq", "erasure_id",
    "fact_ids", "unit_id", "link_id", "source_memory_id", "target_memory_id",
    "memory_ids", "item_id", "prefix", "about", "source", "target", "a", "b", "keep", "source_memory_description",
    "target_memory_description",
)  # fmt: skip
"""The fields of a request that say which object it is about."""
NOT_IDS: Final = ("idempotency_key", "agent_code")
ASKED: Final = (*OPERATIONS, *WATCHES)
"""Named by the caller within an object that the others name."""
CONFLICT: Final = "user_conflict"
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_SESSION: Final = re.compile(r"#\d{10,}")
_EPOCH: Final = re.compile(r'"updated_at": ?\d+')
_TOOK: Final = re.compile(r'"(?:took_ms|retrieval_time_ms)": ?[\d.]+')
_LAST_USED: Final = re.compile(r',? ?"last_used_at": ?"TIME"')
"""Of one's own keys: noted behind the answer before."""
_USED: Final = re.compile(r'"(?:score|strength|shown)": ?[0-9.]+')
"""What a recall changes of one's own memories, in the background: two answers may stand before and after it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a stranger's requests to one operation name at once, each of `about` a request of its own.

    `conflict`: a user of the same tenant who writes into another's living conversation is told that it is another's;
    to other tenants even that is not said. `changes`: it may leave a trace, so such requests come one by one, last.
    """

    about: tuple[tuple[str, ...], ...]
    conflict: bool = False
    changes: bool = False


_CONVERSATION: Final = ("conversation_id",)
_BOTH: Final = ("conversation_id", "user_id")
_USER: Final = ("user_id",)
RULES: Final[Mapping[str, Rule]] = {
    "CreateShortMemory": Rule((_BOTH,), conflict=True, changes=True),
    "QueryMemoryContext": Rule((_CONVERSATION, _BOTH, (*_BOTH, "from_checkpoint")), conflict=True),
    "WriteTurn": Rule((_BOTH,), conflict=True, changes=True),
    "WriteMessages": Rule((_BOTH,), conflict=True, changes=True),
    "CheckpointShortMemory": Rule((_CONVERSATION,), changes=True),
    "UpdateGlobalState": Rule((_BOTH,), conflict=True, changes=True),
    "GetSession": Rule((_CONVERSATION,)),
    "ListConversations": Rule((_USER, ("user_id", "cursor"))),
    "ListAudit": Rule((_BOTH, ("cursor",))),
    "ListKeys": Rule(((),)),
    "GetStats": Rule((_USER,)),
    "WatchStats": Rule(((),)),
    "GetSettings": Rule(((),)),
    "RunDoctor": Rule(((),)),
    "ListUsers": Rule(((), ("prefix",), ("cursor",))),
    "GetTimeline": Rule((_CONVERSATION, _BOTH)),
    "WatchConversation": Rule((_CONVERSATION, _BOTH)),
    "FinalizeSessionMemory": Rule((_CONVERSATION,), changes=True),
    "GetFinalization": Rule((_CONVERSATION,)),
    "ListFinalizations": Rule(((), ("cursor",))),
    "ReplayFinalization": Rule((_CONVERSATION, ("conversation_id", "finalization_id")), changes=True),
    "UpsertFacts": Rule((_USER, _BOTH), changes=True),
    "ConfirmFacts": Rule((("user_id", "fact_ids"),), changes=True),
    "UpsertPreferences": Rule((_USER, _BOTH), changes=True),
    "GetProfile": Rule((_USER,)),
    "SearchMemories": Rule((_USER, _BOTH)),
    "GetMemory": Rule((("user_id", "memory_id"), ("memory_id",))),
    "ListMemories": Rule((_USER, _BOTH, ("user_id", "cursor"))),
    "ExplainMemory": Rule((("user_id", "memory_id"), ("memory_id",), (*_BOTH, "seq"), ("conversation_id", "seq"))),
    "CreateMemory": Rule((_USER, _BOTH, (*_BOTH, "seq")), changes=True),
    "LinkMemories": Rule(
        (
            ("user_id", "source_memory_id", "target_memory_id"),
            ("user_id", "source_memory_id"),
            ("user_id", "source_memory_description", "target_memory_description"),
        ),
        changes=True,
    ),
    "UnlinkMemories": Rule((("user_id", "link_id"),), changes=True),
    "UpdateMemory": Rule((("user_id", "memory_id"),), changes=True),
    "MarkUsed": Rule((("user_id", "memory_ids"),), changes=True),
    "CurateMemories": Rule((_USER, _BOTH), changes=True),
    "ArchiveMemory": Rule((("user_id", "memory_id"), ("memory_id",)), changes=True),
    "RestoreMemory": Rule((("user_id", "memory_id"), ("memory_id",)), changes=True),
    "GetDecay": Rule((("user_id", "memory_id"), ("memory_id",))),
    "GetMemoryHistory": Rule((("user_id", "memory_id"), ("memory_id",))),
    "ListReviews": Rule(((), _USER, ("user_id", "cursor"))),
    "DecideReview": Rule((("user_id", "item_id"), ("item_id",)), changes=True),
    "PreviewBatch": Rule((("user_id", "memory_ids"),)),
    "StartBatch": Rule((("user_id", "batch_token"),), changes=True),
    "GetJob": Rule((("job_id",),)),
    "WatchJob": Rule((("job_id",),)),
    "CancelJob": Rule((("job_id",),), changes=True),
    "ListJobs": Rule(((), _USER, ("cursor",))),
    "SettleMemories": Rule((_USER,)),
    "GetMemoryTools": Rule(((),)),
    "GetGraph": Rule((_USER, ("user_id", "cursor"), ("user_id", "about"))),
    "FindPath": Rule((_USER, ("user_id", "source", "target"))),
    "MergeNodes": Rule((_USER, ("user_id", "a", "b")), changes=True),
    "SplitNodes": Rule((_USER, ("user_id", "a", "b")), changes=True),
    "ResolveMemoryConflict": Rule((("user_id", "memory_ids"), ("user_id", "memory_ids", "keep"))),
    "GetMemUnit": Rule((("user_id", "unit_id"),)),
    "ListMemUnits": Rule((_USER, _BOTH, ("user_id", "cursor"))),
    "ProcessMemory": Rule((_USER,), changes=True),
    "EndSession": Rule((_USER,), changes=True),
    "GetSessionStatus": Rule((_USER,)),
    "DebugProcessMemory": Rule((_USER,)),
    "GetUserGraph": Rule((_USER, ("user_id", "cursor"))),
    "ExportMemories": Rule(((), _USER, ("user_id", "cursor"), ("cursor",))),
    "ImportMemories": Rule((_USER,), changes=True),
    "GetErasure": Rule((("erasure_id",),)),
    "ForgetMemory": Rule((("user_id", "memory_id"), ("memory_id",), _BOTH, _USER), changes=True),
}


@dataclass(frozen=True)
class Owner:
    """A user of a tenant, the ids of what is his, and a word that stands in all of it."""

    tenant: str
    user: str
    canary: str
    conversations: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    finalizations: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()
    erasures: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    """One that is only previewed, and one that was begun."""
    links: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    """Those of his graph that are `things`, by their ids."""
    seqs: tuple[int, ...] = field(default=(1, 2, 3, 4))

    @property
    def things(self) -> tuple[str, str]:
        """Nodes of his graph, by their labels."""
        return f"{self.canary} 0", f"{self.canary} 1"

    def values(self, name: str) -> tuple[Any, ...]:
        """What a field of that name may say of him."""
        return {
            "conversation_id": self.conversations,
            "user_id": (self.user,),
            "prefix": (self.user, self.user[:-1]),
            "about": (*self.things, *self.nodes, *self.memories[:1]),
            "source": (self.things[0], *self.nodes[:1]),
            "target": (self.things[1], *self.nodes[1:], *self.memories[:1]),
            "a": (self.things[0], *self.nodes[:1]),
            "b": (self.things[1], *self.nodes[1:]),
            "keep": self.memories[:1],
            "source_memory_description": self.things[:1],
            "target_memory_description": (self.things[1], self.memories[0]),
            "memory_id": self.memories,
            "source_memory_id": self.memories[:3],
            "target_memory_id": self.memories[-3:],
            "link_id": self.links,
            "memory_ids": (list(self.memories[:2]),),
            "fact_ids": tuple([fact] for fact in self.facts),
            "unit_id": self.units,
            "finalization_id": self.finalizations,
            "from_checkpoint": self.checkpoints,
            "cursor": (*self.memories[:3], f"e{self.memories[0]}", f"l{self.links[0]}"),
            "item_id": tuple(f"{each}.contradiction.1763764800000" for each in self.memories),
            "seq": self.seqs,
            "erasure_id": self.erasures,
            "batch_token": self.batches[:1],
            "job_id": self.batches[1:],
        }[name]


def nobody(value: Any) -> Any:
    """The id that nobody has, of the same form."""
    if isinstance(value, list):
        return [nobody(each) for each in value]
    if not isinstance(value, str):
        return value
    of_graph, plain = (value[:1], value[1:]) if _UUID.fullmatch(value[1:]) else ("", value)
    if _UUID.fullmatch(plain):
        return of_graph + str(uuid.uuid5(uuid.NAMESPACE_URL, plain))
    return "nobody-" + value


@dataclass(frozen=True)
class Question:
    """One request of a stranger, and the same about nobody."""

    operation: Operation
    body: Mapping[str, Any]
    named: Mapping[str, Any]

    def about_nobody(self) -> dict[str, Any]:
        """The same request about ids that nobody has."""
        return {**self.body, **{name: nobody(value) for name, value in self.named.items()}}


def asked_of(gateway: GatewayProcess, operation: Operation, body: Mapping[str, Any], key: str) -> Answer:
    """The answer to a request: of a watch the head, or what it is refused with."""
    if operation not in WATCHES:
        return gateway.post(operation.name, body, key=key)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "", "Content-Length": ""}
    return gateway.send(f"{operation.path}?{urlencode(body)}", headers=headers, method="GET")


def questions(owner: Owner, own_user: str = "") -> Iterator[Question]:
    """Every way to name something of the owner's in every operation; with `own_user` in that user's name."""
    for operation in ASKED:
        for about in RULES[operation.name].about:
            if own_user and "user_id" not in about:
                continue  # who names no user asks for the tenant
            names = [name for name in about if not (own_user and name == "user_id")]
            if own_user and not names:
                continue  # nothing of the owner's is named
            for values in itertools.product(*map(owner.values, names)):
                named = dict(zip(names, values, strict=True))
                yield Question(operation, _plain_example(operation) | _user(about, own_user) | named, named)


def _user(about: tuple[str, ...], own_user: str) -> dict[str, str]:
    return {"user_id": own_user} if own_user and "user_id" in about else {}


def _plain_example(operation: Operation) -> dict[str, Any]:
    """The example without ids; an end is waited for, so that its answer doesn't depend on the moment."""
    example = {name: value for name, value in operation.example.items() if name not in IDS}
    return example | ({"wait_ms": 10_000} if "wait_ms" in operation.request.model_fields else {})


def unruled() -> set[str]:
    """Operations and fields of requests that no rule speaks of."""
    missing = {operation.name for operation in ASKED} ^ RULES.keys()
    for operation in ASKED:
        named = set().union(*RULES[operation.name].about) if operation.name in RULES else set()
        looks = {name for name in operation.request.model_fields if name.endswith("_id") or name in IDS}
        missing |= {f"{operation.name}.{name}" for name in looks - named - set(NOT_IDS)}
    return missing


def normal(answer: Answer, question: Question) -> tuple[int, str]:
    """An answer without ids and moments; lists in an order of their own. Of a stream there is the head alone."""
    text = answer.body.decode()
    for name, value in question.named.items():
        for said in (nobody(value), value):
            if isinstance(said, str):
                text = text.replace(said, name.upper())
    for pattern, placeholder in (
        (_UUID, "UUID"),
        (_TIME, "TIME"),
        (_LAST_USED, ""),
        (_SESSION, "#1"),
        (_EPOCH, '"updated_at":0'),
        (_TOOK, '"took":0'),
        (_USED, '"used":0'),
    ):
        text = pattern.sub(placeholder, text)
    return answer.status, json.dumps(_sorted(json.loads(text)), sort_keys=True) if text else ""


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value


def settle(gateway: GatewayProcess, key: str, owner: Owner) -> Owner:
    """Give the owner something of each kind; returns him with the ids of it."""
    ended, alive, both = (f"{owner.user}-{name}" for name in ("ended", "alive", "both"))
    said = f"{owner.canary}：我对青霉素过敏。上周三我开始头痛。"
    turn = {"user_id": owner.user, "user_query": said, "agent_response": f"{owner.canary}，记下了。"}
    about = {"user_id": owner.user}
    state = {"entities": {"secret": owner.canary}, "current_intent": owner.canary, "user_id": owner.user}
    end = {"summary": owner.canary}
    steps = [
        ("UpsertFacts", about | {"facts": {"allergies": [owner.canary]}}),
        ("UpsertPreferences", about | {"preferences": {"secret": owner.canary}, "name": owner.canary}),
        *(("WriteTurn", turn | {"conversation_id": name}) for name in (ended, ended, both)),
        *(("FinalizeSessionMemory", end | {"conversation_id": name}) for name in (ended, both)),
        *(("WriteTurn", turn | {"conversation_id": name}) for name in (both, alive)),
        ("UpdateGlobalState", state | {"conversation_id": alive}),
    ]
    for operation, body in steps:
        answer = gateway.post(operation, body, key=key)
        assert answer.status == 200, (operation, answer)
        if operation == "FinalizeSessionMemory":
            wait_until(partial(_ended, gateway, key, body["conversation_id"]), "it is in memory")
    made = [_made(gateway, key, about | {"topic": f"{owner.canary} {number}"}) for number in range(2)]
    nodes = []
    for thing in owner.things:
        near = gateway.post("GetGraph", about | {"about": thing, "depth": 0}, key=key)
        nodes += [node["id"] for node in near.json()["nodes"]]
        assert gateway.post("GetGraph", about | {"about": nodes[-1]}, key=key).status == 200, thing
    joined = dict(zip(("source_memory_id", "target_memory_id"), made, strict=True))
    batches = [_batch(gateway, key, about, memory_id) for memory_id in made]
    _start(gateway, key, about | {"batch_token": batches[1], "why": owner.canary})
    alike = [_made(gateway, key, about | {"topic": f"{owner.canary} {word}"}) for word in ("mood", "feeling")]
    assert len(set(alike)) == len(alike)
    one = {name: f"{owner.canary} {word}" for name, word in (("a", "mood"), ("b", "feeling"))}
    merge = gateway.post("MergeNodes", about | one, key=key)
    link = gateway.post("LinkMemories", about | joined | {"relation_type": "causes", "quote": owner.canary}, key=key)
    asked = gateway.post("CheckpointShortMemory", {"conversation_id": alive, "summary": owner.canary}, key=key)
    erased = gateway.post("ForgetMemory", {"user_id": f"{owner.user}-gone"}, key=key)
    listed = gateway.post("ListMemories", about | {"limit": 200}, key=key).json()["items"]
    details = gateway.post("GetProfile", about, key=key).json()["details"]
    units = gateway.post("ListMemUnits", about, key=key).json()["items"]
    ends = [gateway.post("GetFinalization", {"conversation_id": name}, key=key).json() for name in (ended, both)]
    return replace(
        owner,
        conversations=(ended, alive, both),
        memories=tuple(each["memory_id"] for each in listed),
        links=(link.json()["link_id"], merge.json()["merge_id"]),
        nodes=tuple(nodes),
        facts=tuple(each["fact_id"] for each in details),
        units=tuple(each["unit_id"] for each in units),
        finalizations=tuple(each["finalization_id"] for each in ends),
        erasures=(erased.json()["erasure_id"],),
        batches=tuple(batches),
        checkpoints=(asked.json()["checkpoint_message_id"],),
    )


def _made(gateway: GatewayProcess, key: str, about: Mapping[str, Any]) -> str:
    """A created memory."""
    body = {"subject": "user", "memory_type": "fact", **about}
    return str(gateway.post("CreateMemory", body, key=key).json()["memory_id"])


def _batch(gateway: GatewayProcess, key: str, about: Mapping[str, Any], memory_id: str) -> str:
    """One that is only previewed."""
    body = {"op": "forget", "memory_ids": [memory_id], **about}
    return str(gateway.post("PreviewBatch", body, key=key).json()["batch_token"])


def _start(gateway: GatewayProcess, key: str, body: Mapping[str, Any]) -> None:
    """Begin a batch of one, and stop it: it may be done by then."""
    for operation, asked in (
        ("StartBatch", {"confirm_count": 1, **body}),
        ("CancelJob", {"job_id": body["batch_token"]}),
    ):
        answer = gateway.post(operation, asked, key=key)
        assert answer.status == 200, answer
    wait_until(lambda: _is_over(gateway, key, body["batch_token"]), "the batch is over")


def _is_over(gateway: GatewayProcess, key: str, job_id: str) -> bool:
    return gateway.post("GetJob", {"job_id": job_id}, key=key).json()["state"] in {"done", "cancelled"}


def _ended(gateway: GatewayProcess, key: str, conversation: str) -> bool:
    return gateway.post("GetFinalization", {"conversation_id": conversation}, key=key).json()["state"] == "ENDED"


def seen(gateway: GatewayProcess, key: str, owner: Owner) -> dict[str, bytes]:
    """What the owner's own tenant reads of him."""
    found = {}
    for conversation in owner.conversations:
        about = {"conversation_id": conversation}
        include = {"include": ["turns", "full_history", "session", "no_memories"]}
        found[f"context {conversation}"] = gateway.post("QueryMemoryContext", about | include, key=key).body
        found[f"end {conversation}"] = gateway.post("GetFinalization", about, key=key).body
    for operation in ("GetProfile", "ListMemories", "ListMemUnits"):
        found[operation] = gateway.post(operation, {"user_id": owner.user}, key=key).body
    return found
