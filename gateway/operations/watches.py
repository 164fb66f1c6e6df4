"""What can be followed: `GET /v1/Watch…` answers with events. Each is an operation whose response is that of one look.

Its request has the field `since`, its response the field `revision`, and its method gives None while they agree.
"""

from typing import Final

from gateway.operations.operation import ADMIN, READ, Effect, Operation
from memory.model import batch_calls as many
from memory.model import conversation_calls as talk
from memory.model import stats_calls as much

WATCHES: Final = (
    Operation(
        "WatchConversation", talk.WatchConversationRequest, talk.ConversationChanged,
        READ, "", "Session", {"conversation_id": "conv_1"},
        effect=Effect.READS,
        zh="关注一个对话：立即收到一个事件，此后每次变化一个，不论由哪个进程引起。事件只说明对话的状态，不含内容。不改变任何东西。",
    ),
    Operation(
        "WatchJob", many.WatchJobRequest, many.JobAnswer,
        ADMIN, "", "Batches", {"job_id": "0f8fad5bd9cb469fa16570867728950e"},
        effect=Effect.READS,
        zh="关注一个批量操作：立即收到一个事件，此后每有进展一个，不论由哪个进程执行。不改变任何东西。",
    ),
    Operation(
        "WatchStats", much.WatchStatsRequest, much.GetStatsResponse,
        ADMIN, "", "Operations", {"days": 30},
        effect=Effect.READS,
        zh="关注全部用户有多少记忆：立即收到一个事件，此后每重新统计一次一个。有人关注时按 GetStats 所述重新统计。",
    ),
)  # fmt: skip
