"""The plug-in brain."""

from typing import Final

from gateway.operations.operation import READ, WRITE, Effect, Operation
from memory.model import brain_calls as brain

BRAIN: Final = (
    Operation(
        "ProcessMemory", brain.ProcessMemoryRequest, brain.ProcessMemoryResponse,
        WRITE, "process", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"},
        effect=Effect.ADDS,
        zh="告诉外挂大脑用户说了什么，取回长期记忆中的相关内容。会话自动建立、自动结束。",
        also=("POST", "/process"),
    ),
    Operation(
        "EndSession", brain.EndSessionRequest, brain.EndSessionResponse,
        WRITE, "end-session", "Plug-in brain", {"user_id": "user_1"},
        effect=Effect.SETS,
        zh="立即结束该用户的会话，并在后台整合为长期记忆。",
        also=("POST", "/end-session"),
    ),
    Operation(
        "GetSessionStatus", brain.GetSessionStatusRequest, brain.GetSessionStatusResponse,
        READ, "session-status", "Plug-in brain",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="查询该用户的会话：有多少事件，何时自动结束。",
        also=("GET", "/session-status/{user_id}"),
    ),
    Operation(
        "DebugProcessMemory", brain.DebugProcessMemoryRequest, brain.DebugProcessMemoryResponse,
        READ, "debug", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"},
        effect=Effect.READS,
        zh="查看 process_memory 会怎样处理这句话：每一步的耗时与理由，不存储任何内容。",
        also=("POST", "/debug"),
    ),
    Operation(
        "GetUserGraph", brain.GetUserGraphRequest, brain.GetUserGraphResponse,
        READ, "graph", "Plug-in brain",
        {"user_id": "user_1"},
        effect=Effect.READS,
        zh="取得该用户的知识图谱：人与事物、彼此的关系，以及每条关系的出处。",
        also=("GET", "/graph/{user_id}"),
    ),
)  # fmt: skip
