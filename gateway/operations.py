"""The table of operations. HTTP routes, OpenAPI, Python client and CLI are made from it; they can't drift apart.

To add an operation, add one entry here and one method to `memory.service.MemoryService`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel

from memory.model import brain_calls as brain
from memory.model import conversation_calls as talk
from memory.model import curation_calls as curation
from memory.model import erasure_calls as erase
from memory.model import graph_calls as graph
from memory.model import graph_view_calls as view
from memory.model import memory_calls as mem
from memory.model import memunit_calls as unit
from memory.model import requests as ask
from memory.model import responses as answer
from memory.service import Caller, MemoryService

READ: Final = "read"
WRITE: Final = "write"
ERASE: Final = "erase"
ADMIN: Final = "admin"
SCOPES: Final = (READ, WRITE, ERASE, ADMIN)


class Effect(Enum):
    """What an operation may do to what is there: what a client may want to ask its user about."""

    READS = "changes nothing"
    ADDS = "adds; the same again adds again, unless an idempotency key says that it is the same"
    SETS = "takes nothing away; the same again changes nothing"
    ERASES = "may overwrite or take away what is there; the same again changes nothing"


Method = Callable[[MemoryService, Caller, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its name on the wire, its models, the service method behind it, the scope it needs.

    `cli` is its command-line name; `example` a request that works; `zh` says in Chinese what `description` says;
    `also` is a second way to it, as (method, path): what stands in braces there, and a query string, are its fields;
    with `sends_none` a client sends a field that is None, because leaving it out would mean more.
    """

    name: str
    request: type[BaseModel]
    response: type[BaseModel]
    method: Method
    scope: str
    cli: str
    tag: str
    example: dict[str, Any] = field(default_factory=dict)
    effect: Effect = Effect.ADDS
    zh: str = ""
    also: tuple[str, str] | None = None
    sends_none: bool = False

    @property
    def path(self) -> str:
        """The HTTP path."""
        return f"/v1/{self.name}"

    @property
    def description(self) -> str:
        """What it does: the request's docstring."""
        return (self.request.__doc__ or "").strip()


_S: Final = MemoryService

OPERATIONS: Final = (
    Operation(
        "CreateShortMemory", ask.CreateShortMemoryRequest, answer.CreateShortMemoryResponse,
        _S.create_short_memory, WRITE, "create", "Session",
        {"conversation_id": "conv_1", "user_id": "user_1"},
        effect=Effect.SETS,
        zh="开始一个会话；已经存在时如实说明。",
    ),
    Operation(
        "QueryMemoryContext", ask.QueryMemoryContextRequest, answer.QueryMemoryContextResponse,
        _S.query_memory_context, READ, "query", "Session",
        {"conversation_id": "conv_1", "query": "我最近感觉头痛"},
        effect=Effect.READS,
        zh="查询现在该发给模型的上下文：安全信息、摘要或完整历史、召回的记忆，以及精确的 token 数。"
        "不写入任何内容，只可能领取下一次摘要的租约。",
    ),
    Operation(
        "WriteTurn", ask.WriteTurnRequest, answer.WriteResponse, _S.write_turn, WRITE, "write-turn", "Session",
        {
            "conversation_id": "conv_1",
            "user_id": "user_1",
            "agent_code": "triage_agent",
            "user_query": "我头痛三天了",
            "agent_response": "请问体温多少？",
        },
        effect=Effect.ADDS,
        zh="记录一轮对话：用户说了什么、智能体回答了什么。返回成功即已保存。",
    ),
    Operation(
        "WriteMessages", ask.WriteMessagesRequest, answer.WriteResponse,
        _S.write_messages, WRITE, "write-messages", "Session",
        {"conversation_id": "conv_1", "messages": [{"role": "user", "content": "I have had a headache for 3 days."}]},
        effect=Effect.ADDS,
        zh="按顺序记录多条消息，全部成功或全部不写。用户消息开始新的一轮。",
    ),
    Operation(
        "CheckpointShortMemory", ask.CheckpointShortMemoryRequest, answer.CheckpointShortMemoryResponse,
        _S.checkpoint_short_memory, WRITE, "checkpoint", "Session",
        {"conversation_id": "conv_1", "summary": "用户头痛三天，体温38.5度", "recent_turns": 8},
        effect=Effect.ADDS,
        zh="用摘要覆盖此前的对话。不给摘要时，网关按规则从对话中生成。",
    ),
    Operation(
        "ListConversations", talk.ListConversationsRequest, talk.ListConversationsResponse,
        _S.list_conversations, READ, "conversations", "Session", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的对话，进行中的和已结束的：状态、轮数、主题、最近一次是什么时候。",
    ),
    Operation(
        "GetTimeline", talk.GetTimelineRequest, talk.GetTimelineResponse,
        _S.get_timeline, READ, "timeline", "Session", {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="按顺序查看一个对话里说过和做过的一切，跨越它的所有会话：消息、摘要、已转入记忆的段落。只看，不改变任何东西。",
    ),
    Operation(
        "UpdateGlobalState", ask.UpdateGlobalStateRequest, answer.UpdateGlobalStateResponse,
        _S.update_global_state, WRITE, "update-state", "Session",
        {"conversation_id": "conv_1", "agent_code": "triage_agent", "entities": {"target_dept": "神经内科"}},
        effect=Effect.ERASES,
        zh="只更新工作状态：共享实体、智能体私有槽位、意图、待确认操作。值为 null 的实体会被移除。",
    ),
    Operation(
        "GetSession", ask.GetSessionRequest, answer.GetSessionResponse, _S.get_session, READ, "session", "Session",
        {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="读取会话的工作状态。只显示调用者自己的智能体槽位。",
    ),
    Operation(
        "FinalizeSessionMemory", ask.FinalizeSessionMemoryRequest, answer.FinalizationResponse,
        _S.finalize_session_memory, WRITE, "finalize", "End of a session",
        {"conversation_id": "conv_1", "wait_ms": 5000},
        effect=Effect.SETS,
        zh="立即结束会话并转为长期记忆。用 wait_ms 等待完成。",
    ),
    Operation(
        "GetFinalization", ask.GetFinalizationRequest, answer.FinalizationResponse,
        _S.get_finalization, READ, "finalization", "End of a session",
        {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="查询某个对话最近一次结束的会话进行到哪一步。",
    ),
    Operation(
        "ListFinalizations", ask.ListFinalizationsRequest, answer.FinalizationList,
        _S.list_finalizations, ADMIN, "finalizations", "End of a session", {"limit": 100},
        effect=Effect.READS,
        zh="列出本租户正在结束或结束失败的会话，最早的在前。",
    ),
    Operation(
        "ReplayFinalization", ask.ReplayFinalizationRequest, answer.ReplayFinalizationResponse,
        _S.replay_finalization, ADMIN, "replay-finalization", "End of a session",
        {"conversation_id": "conv_1"},
        effect=Effect.SETS,
        zh="用保留的日志重试失败的会话结束流程。",
    ),
    Operation(
        "UpsertFacts", ask.UpsertFactsRequest, answer.ProfileResponse, _S.upsert_facts, WRITE, "facts", "Profile",
        {"user_id": "user_1", "facts": {"allergies": ["青霉素"]}},
        effect=Effect.ERASES,
        zh="向用户档案添加安全信息（过敏、慢性病、手术史），或移除错误的。已有的不会重复；三元组立即成为长期记忆中的事实。",
    ),
    Operation(
        "ConfirmFacts", ask.ConfirmFactsRequest, answer.ProfileResponse,
        _S.confirm_facts, WRITE, "confirm", "Profile",
        {"user_id": "user_1", "fact_ids": ["00000000-0000-0000-0000-000000000000"], "verdict": "confirmed"},
        effect=Effect.ERASES,
        zh="由人确认或否定安全信息，在所有对话中立即生效；进行中的会话里刚说的也可以。被否定的不再出现，除非用户再次说起。",
    ),
    Operation(
        "UpsertPreferences", ask.UpsertPreferencesRequest, answer.ProfileResponse,
        _S.upsert_preferences, WRITE, "preferences", "Profile",
        {"user_id": "user_1", "preferences": {"language": "zh"}},
        effect=Effect.ERASES,
        zh="设置用户偏好。值为 null 的偏好会被移除。",
    ),
    Operation(
        "GetProfile", ask.GetProfileRequest, answer.ProfileResponse, _S.get_profile, READ, "profile", "Profile",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="读取用户档案。",
    ),
    Operation(
        "SearchMemories", mem.SearchMemoriesRequest, mem.SearchMemoriesResponse,
        _S.search_memories, READ, "search", "Memories",
        {"user_id": "user_1", "query": "上次头痛是什么时候？"},
        effect=Effect.READS,
        zh="按关键词、语义或两者结合搜索用户的长期记忆。最相关的在前，每条都带来源。",
    ),
    Operation(
        "GetMemory", mem.GetMemoryRequest, mem.MemoryAnswer, _S.get_memory, READ, "memory", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="按 id 读取一条记忆。",
    ),
    Operation(
        "ListMemories", mem.ListMemoriesRequest, mem.ListMemoriesResponse,
        _S.list_memories, READ, "memories", "Memories", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的记忆。",
    ),
    Operation(
        "ExplainMemory", mem.ExplainMemoryRequest, mem.ExplainMemoryResponse,
        _S.explain_memory, READ, "explain", "Memories", {"user_id": "user_1", "conversation_id": "conv_1", "seq": 2},
        effect=Effect.READS,
        zh="解释一条记忆为何如此，或某条消息后来成了什么、为什么。",
    ),
    Operation(
        "CreateMemory", graph.CreateMemoryRequest, graph.CreateMemoryResponse,
        _S.create_memory, WRITE, "create-memory", "Memory graph",
        {"user_id": "user_1", "subject": "用户", "memory_type": "事件", "topic": "失眠"},
        effect=Effect.SETS,
        zh="创建一条记忆：主体、类型、主题、客体与属性。立即可以搜到，时间会标准化。过敏、疾病、手术用 UpsertFacts。",
    ),
    Operation(
        "LinkMemories", graph.LinkMemoriesRequest, graph.LinkMemoriesResponse,
        _S.link_memories, WRITE, "link-memories", "Memory graph",
        {
            "user_id": "user_1",
            "source_memory_id": "00000000-0000-0000-0000-000000000000",
            "target_memory_id": "00000000-0000-0000-0000-000000000001",
            "relation_type": "导致",
        },
        effect=Effect.SETS,
        zh="关联两条记忆：因果、引用、依据或相关。源是原因或依据，目标是由它而来的；可以用 id，也可以用一句话描述。",
    ),
    Operation(
        "UnlinkMemories", graph.UnlinkMemoriesRequest, graph.UnlinkMemoriesResponse,
        _S.unlink_memories, WRITE, "unlink-memories", "Memory graph",
        {"user_id": "user_1", "link_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.ERASES,
        zh="取消一条关联；两端的记忆不变。",
    ),
    Operation(
        "UpdateMemory", graph.UpdateMemoryRequest, graph.UpdateMemoryResponse,
        _S.update_memory, WRITE, "update-memory", "Memory graph",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000", "importance": 0.8},
        effect=Effect.ERASES,
        zh="修改一条记忆的重要性、属性或有效期。安全信息由 UpsertFacts 和 ConfirmFacts 修改。",
    ),
    Operation(
        "MarkUsed", curation.MarkUsedRequest, curation.MarkUsedResponse,
        _S.mark_used, WRITE, "mark-used", "Memories",
        {"user_id": "user_1", "memory_ids": ["00000000-0000-0000-0000-000000000000"]},
        effect=Effect.SETS,
        zh="告知哪些记忆真正用在了回答里：它们会变得更牢固。仅仅出现在上下文中的记忆不会。",
    ),
    Operation(
        "GetMemoryHistory", curation.GetMemoryHistoryRequest, curation.GetMemoryHistoryResponse,
        _S.get_memory_history, READ, "history", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="查看一条记忆被怎样改动过：每次改动的前后内容、由谁、何时、为什么，最早的在前。",
    ),
    Operation(
        "ListReviews", curation.ListReviewsRequest, curation.ListReviewsResponse,
        _S.list_reviews, ADMIN, "reviews", "Reviews", {"limit": 50},
        effect=Effect.READS,
        zh="列出等待人来决定的事，开放最久的在前：用户改口或否认的安全信息、需要核实的安全信息，以及（可选）正在淡忘或常被用到的记忆。",
    ),
    Operation(
        "DecideReview", curation.DecideReviewRequest, curation.DecideReviewResponse,
        _S.decide_review, ADMIN, "decide", "Reviews",
        {"item_id": "00000000-0000-0000-0000-000000000000.contradiction.1763764800000", "verdict": "APPLY"},
        effect=Effect.ERASES,
        zh="对一个待决定的问题作出决定；安全信息的决定在所有对话中立即生效。同样的决定再发一次不改变任何东西，不同的会被拒绝。",
    ),
    Operation(
        "GetGraph", view.GetGraphRequest, view.GetGraphResponse,
        _S.get_graph, READ, "get-graph", "Memory graph", {"user_id": "user_1", "format": "mermaid"},
        effect=Effect.READS,
        zh="取得用户的记忆图：人与事物、彼此的关系、记忆之间的关联，可只看某个节点周围，分页返回，也可画成图。",
    ),
    Operation(
        "FindPath", view.FindPathRequest, view.FindPathResponse,
        _S.find_path, READ, "find-path", "Memory graph",
        {"user_id": "user_1", "source": "失眠", "target": "没心情"},
        effect=Effect.READS,
        zh="查找两个事物之间的最短路径：每一步都附上说出它的原话。",
    ),
    Operation(
        "MergeNodes", view.MergeNodesRequest, view.MergeNodesResponse,
        _S.merge_nodes, WRITE, "merge-nodes", "Memory graph", {"user_id": "user_1", "a": "心情", "b": "情绪"},
        effect=Effect.SETS,
        zh="说明两个节点是同一事物，不改写记忆，可用 SplitNodes 撤销。人、数字、相反词、否定、药名不同的不合并。",
    ),
    Operation(
        "SplitNodes", view.SplitNodesRequest, view.SplitNodesResponse,
        _S.split_nodes, WRITE, "split-nodes", "Memory graph", {"user_id": "user_1", "a": "心情", "b": "情绪"},
        effect=Effect.ERASES,
        zh="说明两个节点是两个事物：撤销合并，且不会自动再合并。",
    ),
    Operation(
        "ResolveMemoryConflict", view.ResolveMemoryConflictRequest, view.ResolveMemoryConflictResponse,
        _S.resolve_memory_conflict, WRITE, "resolve-conflict", "Memory graph",
        {
            "user_id": "user_1",
            "memory_ids": ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001"],
            "keep": "00000000-0000-0000-0000-000000000001",
        },
        effect=Effect.ERASES,
        zh="两条记忆不能同时成立时，说明哪一条成立；另一条到此为止，两条都保留。安全信息由 ConfirmFacts 决定。",
    ),
    Operation(
        "SettleMemories", graph.SettleMemoriesRequest, graph.SettleMemoriesResponse,
        _S.settle_memories, WRITE, "settle", "Memory graph", {"user_id": "user_1"},
        zh="立即整理一个用户的记忆：补全索引，写法相同的标签合为一个节点，可能相同的给出建议；平时由后台自动完成。",
    ),
    Operation(
        "GetMemoryTools", graph.GetMemoryToolsRequest, graph.GetMemoryToolsResponse,
        _S.get_memory_tools, READ, "memory-tools", "Memory graph", {"format": "openai", "locale": "zh"},
        effect=Effect.READS,
        zh="取得让模型自己建立和搜索记忆的工具定义（OpenAI、严格模式、MCP），或相应的系统提示词与示例。",
    ),
    Operation(
        "GetMemUnit", unit.GetMemUnitRequest, unit.MemUnitAnswer, _S.get_mem_unit, READ, "memunit", "Memories",
        {"user_id": "user_1", "unit_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="读取一个记忆单元：已结束对话中的一段，含原始消息与由它得出的全部记忆。",
    ),
    Operation(
        "ListMemUnits", unit.ListMemUnitsRequest, unit.ListMemUnitsResponse,
        _S.list_mem_units, READ, "memunits", "Memories", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的记忆单元：长期记忆的来源。",
    ),
    Operation(
        "ForgetMemory", erase.ForgetMemoryRequest, erase.ForgetMemoryResponse,
        _S.forget_memory, ERASE, "forget", "Memories", {"user_id": "user_1", "conversation_id": "conv_1"},
        effect=Effect.ERASES,
        zh="永久删除：一条记忆、一个对话的全部，或该用户的全部。回执说明删除了什么。",
        sends_none=True,
    ),
    Operation(
        "GetErasure", erase.GetErasureRequest, erase.ErasureResponse,
        _S.get_erasure, ERASE, "erasure", "Memories", {"erasure_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="查询一次永久删除之后，被删内容的字节是否已从文件中清除。",
    ),
    Operation(
        "ProcessMemory", brain.ProcessMemoryRequest, brain.ProcessMemoryResponse,
        _S.process_memory, WRITE, "process", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"},
        effect=Effect.ADDS,
        zh="告诉外挂大脑用户说了什么，取回长期记忆中的相关内容。会话自动建立、自动结束。",
        also=("POST", "/process"),
    ),
    Operation(
        "EndSession", brain.EndSessionRequest, brain.EndSessionResponse,
        _S.end_session, WRITE, "end-session", "Plug-in brain", {"user_id": "user_1"},
        effect=Effect.SETS,
        zh="立即结束该用户的会话，并在后台整合为长期记忆。",
        also=("POST", "/end-session"),
    ),
    Operation(
        "GetSessionStatus", brain.GetSessionStatusRequest, brain.GetSessionStatusResponse,
        _S.get_session_status, READ, "session-status", "Plug-in brain",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="查询该用户的会话：有多少事件，何时自动结束。",
        also=("GET", "/session-status/{user_id}"),
    ),
    Operation(
        "DebugProcessMemory", brain.DebugProcessMemoryRequest, brain.DebugProcessMemoryResponse,
        _S.debug_process_memory, READ, "debug", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"},
        effect=Effect.READS,
        zh="查看 process_memory 会怎样处理这句话：每一步的耗时与理由，不存储任何内容。",
        also=("POST", "/debug"),
    ),
    Operation(
        "GetUserGraph", brain.GetUserGraphRequest, brain.GetUserGraphResponse,
        _S.get_user_graph, READ, "graph", "Plug-in brain",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="取得该用户的知识图谱：人与事物、彼此的关系，以及每条关系的出处。",
        also=("GET", "/graph/{user_id}"),
    ),
)  # fmt: skip

BY_NAME: Final = MappingProxyType({operation.name: operation for operation in OPERATIONS})
