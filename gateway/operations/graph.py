"""The memory graph, and memory by tools."""

from typing import Final

from gateway.operations.operation import READ, WRITE, Effect, Operation
from memory.model import graph_calls as graph
from memory.model import graph_view_calls as view

GRAPH: Final = (
    Operation(
        "CreateMemory", graph.CreateMemoryRequest, graph.CreateMemoryResponse,
        WRITE, "create-memory", "Memory graph",
        {"user_id": "user_1", "subject": "用户", "memory_type": "事件", "topic": "失眠"},
        effect=Effect.SETS,
        zh="创建一条记忆：主体、类型、主题、客体与属性。立即可以搜到，时间会标准化。过敏、疾病、手术用 UpsertFacts。",
    ),
    Operation(
        "LinkMemories", graph.LinkMemoriesRequest, graph.LinkMemoriesResponse,
        WRITE, "link-memories", "Memory graph",
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
        WRITE, "unlink-memories", "Memory graph",
        {"user_id": "user_1", "link_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.ERASES,
        zh="取消一条关联；两端的记忆不变。",
    ),
    Operation(
        "UpdateMemory", graph.UpdateMemoryRequest, graph.UpdateMemoryResponse,
        WRITE, "update-memory", "Memory graph",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000", "importance": 0.8},
        effect=Effect.ERASES,
        zh="修改一条记忆的重要性、属性或有效期，或更正它的内容（事实：客体与正反；创建的记忆：文字）。安全信息与姓名不在此列。",
    ),
    Operation(
        "GetGraph", view.GetGraphRequest, view.GetGraphResponse,
        READ, "get-graph", "Memory graph", {"user_id": "user_1", "format": "mermaid"},
        effect=Effect.READS,
        zh="取得用户的记忆图：人与事物、彼此的关系、记忆之间的关联，可只看某个节点周围，分页返回，也可画成图。",
    ),
    Operation(
        "FindPath", view.FindPathRequest, view.FindPathResponse,
        READ, "find-path", "Memory graph",
        {"user_id": "user_1", "source": "失眠", "target": "没心情"},
        effect=Effect.READS,
        zh="查找两个事物之间的最短路径：每一步都附上说出它的原话。",
    ),
    Operation(
        "MergeNodes", view.MergeNodesRequest, view.MergeNodesResponse,
        WRITE, "merge-nodes", "Memory graph", {"user_id": "user_1", "a": "心情", "b": "情绪"},
        effect=Effect.SETS,
        zh="说明两个节点是同一事物，不改写记忆，可用 SplitNodes 撤销。人、数字、相反词、否定、药名不同的不合并。",
    ),
    Operation(
        "SplitNodes", view.SplitNodesRequest, view.SplitNodesResponse,
        WRITE, "split-nodes", "Memory graph", {"user_id": "user_1", "a": "心情", "b": "情绪"},
        effect=Effect.ERASES,
        zh="说明两个节点是两个事物：撤销合并，且不会自动再合并。",
    ),
    Operation(
        "ResolveMemoryConflict", view.ResolveMemoryConflictRequest, view.ResolveMemoryConflictResponse,
        WRITE, "resolve-conflict", "Memory graph",
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
        WRITE, "settle", "Memory graph", {"user_id": "user_1"},
        zh="立即整理一个用户的记忆：补全索引，写法相同的标签合为一个节点，可能相同的给出建议；平时由后台自动完成。",
    ),
    Operation(
        "GetMemoryTools", graph.GetMemoryToolsRequest, graph.GetMemoryToolsResponse,
        READ, "memory-tools", "Memory graph", {"format": "openai", "locale": "zh"},
        effect=Effect.READS,
        zh="取得让模型自己建立和搜索记忆的工具定义（OpenAI、严格模式、MCP），或相应的系统提示词与示例。",
    ),
)  # fmt: skip
