"""Memories: found, read, changed, reviewed, forgotten; and the units that they are from."""

from typing import Final

from gateway.operations.operation import ADMIN, ERASE, READ, WRITE, Effect, Operation
from memory.model import curation_calls as curation
from memory.model import erasure_calls as erase
from memory.model import memory_calls as mem
from memory.model import memunit_calls as unit
from memory.model import transfer_calls as carry

_RECORD: Final = {
    "memory_id": "00000000-0000-0000-0000-000000000001",
    "user_id": "user_1",
    "kind": "fact",
    "category": "fact",
    "type": "opinion",
    "text": "我喜欢喝茶",
    "source": {"conversation": "conv_1", "unit_id": "", "seqs": [1], "quote": "我喜欢喝茶"},
    "occurred_ms": 1763764800000,
    "recorded_ms": 1763764800000,
    "subject": "user",
    "predicate": "likes",
    "object": "喝茶",
}

MEMORIES: Final = (
    Operation(
        "SearchMemories", mem.SearchMemoriesRequest, mem.SearchMemoriesResponse,
        READ, "search", "Memories",
        {"user_id": "user_1", "query": "上次头痛是什么时候？"},
        effect=Effect.READS,
        zh="按关键词、语义或两者结合搜索用户的长期记忆。最相关的在前，每条都带来源。",
    ),
    Operation(
        "GetMemory", mem.GetMemoryRequest, mem.MemoryAnswer, READ, "memory", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="按 id 读取一条记忆。",
    ),
    Operation(
        "ListMemories", mem.ListMemoriesRequest, mem.ListMemoriesResponse,
        READ, "memories", "Memories", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的记忆。",
    ),
    Operation(
        "ExplainMemory", mem.ExplainMemoryRequest, mem.ExplainMemoryResponse,
        READ, "explain", "Memories", {"user_id": "user_1", "conversation_id": "conv_1", "seq": 2},
        effect=Effect.READS,
        zh="解释一条记忆为何如此，或某条消息后来成了什么、为什么。",
    ),
    Operation(
        "MarkUsed", curation.MarkUsedRequest, curation.MarkUsedResponse,
        WRITE, "mark-used", "Memories",
        {"user_id": "user_1", "memory_ids": ["00000000-0000-0000-0000-000000000000"]},
        effect=Effect.SETS,
        zh="告知哪些记忆真正用在了回答里：它们会变得更牢固。仅仅出现在上下文中的记忆不会。",
    ),
    Operation(
        "CurateMemories", curation.CurateMemoriesRequest, curation.CurateMemoriesResponse,
        WRITE, "curate", "Memories", {"user_id": "user_1", "conversation_id": "conv_1"},
        effect=Effect.SETS,
        zh="查看（dry_run）或执行：一段已结束的会话对先前的记忆说明了什么：哪些真正用在了回答里，哪些被本人更正。",
    ),
    Operation(
        "ArchiveMemory", curation.ArchiveMemoryRequest, mem.MemoryAnswer,
        WRITE, "archive", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.ERASES,
        zh="把一条记忆归档：搜索不到，也不在档案里，可用 RestoreMemory 恢复。安全信息不能这样改。",
    ),
    Operation(
        "RestoreMemory", curation.RestoreMemoryRequest, mem.MemoryAnswer,
        WRITE, "restore", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.SETS,
        zh="恢复一条归档的记忆：重新可以搜到，并从现在起重新淡忘。",
    ),
    Operation(
        "GetDecay", curation.GetDecayRequest, curation.GetDecayResponse,
        READ, "decay", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="查看一条记忆的淡忘曲线：过去、现在、将来有多鲜活，何时复查，何时离开。",
    ),
    Operation(
        "GetMemoryHistory", curation.GetMemoryHistoryRequest, curation.GetMemoryHistoryResponse,
        READ, "history", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="查看一条记忆被怎样改动过：每次改动的前后内容、由谁、何时、为什么，最早的在前。",
    ),
    Operation(
        "ListReviews", curation.ListReviewsRequest, curation.ListReviewsResponse,
        ADMIN, "reviews", "Reviews", {"limit": 50},
        effect=Effect.READS,
        zh="列出等待人来决定的事，开放最久的在前：用户改口或否认的安全信息、需要核实的安全信息，以及（可选）正在淡忘或常被用到的记忆。",
    ),
    Operation(
        "DecideReview", curation.DecideReviewRequest, curation.DecideReviewResponse,
        ADMIN, "decide", "Reviews",
        {"item_id": "00000000-0000-0000-0000-000000000000.contradiction.1763764800000", "verdict": "APPLY"},
        effect=Effect.ERASES,
        zh="对一个待决定的问题作出决定；安全信息的决定在所有对话中立即生效。同样的决定再发一次不改变任何东西，不同的会被拒绝。",
    ),
    Operation(
        "GetMemUnit", unit.GetMemUnitRequest, unit.MemUnitAnswer, READ, "memunit", "Memories",
        {"user_id": "user_1", "unit_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="读取一个记忆单元：已结束对话中的一段，含原始消息与由它得出的全部记忆。",
    ),
    Operation(
        "ListMemUnits", unit.ListMemUnitsRequest, unit.ListMemUnitsResponse,
        READ, "memunits", "Memories", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="按 id 顺序分页列出用户的记忆单元：长期记忆的来源。",
    ),
    Operation(
        "ExportMemories", carry.ExportMemoriesRequest, carry.ExportMemoriesResponse,
        ADMIN, "export", "Memories", {"user_id": "user_1"},
        effect=Effect.READS,
        zh="分页导出一个用户或全部用户的完整记忆，供 ImportMemories 使用；画像由事实生成，不在其中。",
    ),
    Operation(
        "ImportMemories", carry.ImportMemoriesRequest, carry.ImportMemoriesResponse,
        ADMIN, "import", "Memories",
        {"user_id": "user_1", "records": [_RECORD], "dry_run": True},
        effect=Effect.SETS,
        zh="为一个用户存入 ExportMemories 导出的记忆；再导入一次不改变任何东西，不合格的逐条拒绝并说明原因。",
    ),
    Operation(
        "ForgetMemory", erase.ForgetMemoryRequest, erase.ForgetMemoryResponse,
        ERASE, "forget", "Memories", {"user_id": "user_1", "conversation_id": "conv_1"},
        effect=Effect.ERASES,
        zh="永久删除：一条记忆、一个对话的全部，或该用户的全部。回执说明删除了什么。",
        sends_none=True,
    ),
    Operation(
        "GetErasure", erase.GetErasureRequest, erase.ErasureResponse,
        ERASE, "erasure", "Memories", {"erasure_id": "00000000-0000-0000-0000-000000000000"},
        effect=Effect.READS,
        zh="查询一次永久删除之后，被删内容的字节是否已从文件中清除。",
    ),
)  # fmt: skip
