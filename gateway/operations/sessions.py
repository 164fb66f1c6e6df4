"""Sessions, how they end, and profiles."""

from typing import Final

from gateway.operations.operation import ADMIN, READ, WRITE, Effect, Operation
from memory.model import audit_calls as audit
from memory.model import conversation_calls as talk
from memory.model import requests as ask
from memory.model import responses as answer
from memory.model import stats_calls as much
from memory.model import user_calls as who

SESSIONS: Final = (
    Operation(
        "CreateShortMemory", ask.CreateShortMemoryRequest, answer.CreateShortMemoryResponse,
        WRITE, "create", "Session",
        {"conversation_id": "conv_1", "user_id": "user_1"},
        effect=Effect.SETS,
        zh="开始一个会话；已经存在时如实说明。",
    ),
    Operation(
        "QueryMemoryContext", ask.QueryMemoryContextRequest, answer.QueryMemoryContextResponse,
        READ, "query", "Session",
        {"conversation_id": "conv_1", "query": "我最近感觉头痛"},
        effect=Effect.READS,
        zh="查询现在该发给模型的上下文：安全信息、摘要或完整历史、召回的记忆，以及精确的 token 数。"
        "不写入任何内容，只可能领取下一次摘要的租约。",
    ),
    Operation(
        "WriteTurn", ask.WriteTurnRequest, answer.WriteResponse, WRITE, "write-turn", "Session",
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
        WRITE, "write-messages", "Session",
        {"conversation_id": "conv_1", "messages": [{"role": "user", "content": "I have had a headache for 3 days."}]},
        effect=Effect.ADDS,
        zh="按顺序记录多条消息，全部成功或全部不写。用户消息开始新的一轮。",
    ),
    Operation(
        "CheckpointShortMemory", ask.CheckpointShortMemoryRequest, answer.CheckpointShortMemoryResponse,
        WRITE, "checkpoint", "Session",
        {"conversation_id": "conv_1", "summary": "用户头痛三天，体温38.5度", "recent_turns": 8},
        effect=Effect.ADDS,
        zh="用摘要覆盖此前的对话。不给摘要时，网关按规则从对话中生成。",
    ),
    Operation(
        "ListUsers", who.ListUsersRequest, who.ListUsersResponse,
        ADMIN, "users", "Session", {"limit": 50},
        effect=Effect.READS,
        zh="分页列出本租户的用户，最近活跃的在前，或按 id 顺序：最近一次活跃是什么时候、有多少个对话。",
    ),
    Operation(
        "GetStats", much.GetStatsRequest, much.GetStatsResponse,
        READ, "stats", "Operations", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="有多少记忆：按状态、种类、类别、由谁得出，以及每天记录了多少。指定用户时当场统计；"
        "全部用户（需要 admin 权限）时给出工作进程最近一次统计的数字，超过一分钟便重新统计。",
    ),
    Operation(
        "ListAudit", audit.ListAuditRequest, audit.ListAuditResponse,
        ADMIN, "audit", "Operations", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="分页列出本租户中谁请求了什么，最新的在前；不含任何请求或回答的内容。",
    ),
    Operation(
        "ListKeys", audit.ListKeysRequest, audit.ListKeysResponse,
        ADMIN, "keys", "Operations", {},
        effect=Effect.READS,
        zh="列出本租户的 API 密钥：名称、权限、是否已撤销、最近一次使用；不含密钥本身的任何内容。",
    ),
    Operation(
        "ListConversations", talk.ListConversationsRequest, talk.ListConversationsResponse,
        READ, "conversations", "Session", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的对话，进行中的和已结束的：状态、轮数、主题、最近一次是什么时候。",
    ),
    Operation(
        "GetTimeline", talk.GetTimelineRequest, talk.GetTimelineResponse,
        READ, "timeline", "Session", {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="按顺序查看一个对话里说过和做过的一切，跨越它的所有会话：消息、摘要、已转入记忆的段落。只看，不改变任何东西。",
    ),
    Operation(
        "UpdateGlobalState", ask.UpdateGlobalStateRequest, answer.UpdateGlobalStateResponse,
        WRITE, "update-state", "Session",
        {"conversation_id": "conv_1", "agent_code": "triage_agent", "entities": {"target_dept": "神经内科"}},
        effect=Effect.ERASES,
        zh="只更新工作状态：共享实体、智能体私有槽位、意图、待确认操作。值为 null 的实体会被移除。",
    ),
    Operation(
        "GetSession", ask.GetSessionRequest, answer.GetSessionResponse, READ, "session", "Session",
        {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="读取会话的工作状态。只显示调用者自己的智能体槽位。",
    ),
    Operation(
        "FinalizeSessionMemory", ask.FinalizeSessionMemoryRequest, answer.FinalizationResponse,
        WRITE, "finalize", "End of a session",
        {"conversation_id": "conv_1", "wait_ms": 5000},
        effect=Effect.SETS,
        zh="立即结束会话并转为长期记忆。用 wait_ms 等待完成。",
    ),
    Operation(
        "GetFinalization", ask.GetFinalizationRequest, answer.FinalizationResponse,
        READ, "finalization", "End of a session",
        {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="查询某个对话最近一次结束的会话进行到哪一步。",
    ),
    Operation(
        "ListFinalizations", ask.ListFinalizationsRequest, answer.FinalizationList,
        ADMIN, "finalizations", "End of a session", {"limit": 100},
        effect=Effect.READS,
        zh="列出本租户正在结束或结束失败的会话，最早的在前。",
    ),
    Operation(
        "ReplayFinalization", ask.ReplayFinalizationRequest, answer.ReplayFinalizationResponse,
        ADMIN, "replay-finalization", "End of a session",
        {"conversation_id": "conv_1"},
        effect=Effect.SETS,
        zh="用保留的日志重试失败的会话结束流程。",
    ),
    Operation(
        "UpsertFacts", ask.UpsertFactsRequest, answer.ProfileResponse, WRITE, "facts", "Profile",
        {"user_id": "user_1", "facts": {"allergies": ["青霉素"]}},
        effect=Effect.ERASES,
        zh="向用户档案添加安全信息（过敏、慢性病、手术史），或移除错误的。已有的不会重复；三元组立即成为长期记忆中的事实。",
    ),
    Operation(
        "ConfirmFacts", ask.ConfirmFactsRequest, answer.ProfileResponse,
        WRITE, "confirm", "Profile",
        {"user_id": "user_1", "fact_ids": ["00000000-0000-0000-0000-000000000000"], "verdict": "confirmed"},
        effect=Effect.ERASES,
        zh="由人确认或否定安全信息，在所有对话中立即生效；进行中的会话里刚说的也可以。被否定的不再出现，除非用户再次说起。",
    ),
    Operation(
        "UpsertPreferences", ask.UpsertPreferencesRequest, answer.ProfileResponse,
        WRITE, "preferences", "Profile",
        {"user_id": "user_1", "preferences": {"language": "zh"}},
        effect=Effect.ERASES,
        zh="设置用户偏好。值为 null 的偏好会被移除。",
    ),
    Operation(
        "GetProfile", ask.GetProfileRequest, answer.ProfileResponse, READ, "profile", "Profile",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="读取用户档案。",
    ),
)  # fmt: skip
