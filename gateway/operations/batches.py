"""Batches: one thing done to many memories, seen before it is done and followed while it is."""

from typing import Final

from gateway.operations.operation import ADMIN, Effect, Operation
from memory.model import batch_calls as batch

_NOBODY: Final = "00000000-0000-0000-0000-000000000000"
_JOB: Final = {"job_id": "0f8fad5bd9cb469fa16570867728950e"}

BATCHES: Final = (
    Operation(
        "PreviewBatch", batch.PreviewBatchRequest, batch.PreviewBatchResponse,
        ADMIN, "preview-batch", "Batches",
        {"user_id": "user_1", "op": "archive", "memory_ids": [_NOBODY]},
        effect=Effect.READS,
        zh="在一次处理用户的许多条记忆之前先看看会发生什么：条数、样本、哪些不在内及原因。什么也不改变。",
    ),
    Operation(
        "StartBatch", batch.StartBatchRequest, batch.JobResponse,
        ADMIN, "start-batch", "Batches",
        {"batch_token": "0f8fad5bd9cb469fa16570867728950e", "user_id": "user_1", "confirm_count": 12},
        effect=Effect.ERASES,
        zh="在后台执行预览过的批量操作；条数与预览不符则什么也不做。同一令牌再发一次不会重新开始。",
    ),
    Operation(
        "GetJob", batch.GetJobRequest, batch.JobResponse, ADMIN, "job", "Batches", _JOB,
        effect=Effect.READS,
        zh="查看一个批量操作进行到哪里，哪些没有改动及原因。保留一周。",
    ),
    Operation(
        "CancelJob", batch.CancelJobRequest, batch.JobResponse, ADMIN, "cancel-job", "Batches", _JOB,
        effect=Effect.SETS,
        zh="停止一个批量操作：还没处理的保持原样，已处理的不会撤回。",
    ),
    Operation(
        "ListJobs", batch.ListJobsRequest, batch.ListJobsResponse,
        ADMIN, "jobs", "Batches", {"limit": 50},
        effect=Effect.READS,
        zh="列出最近一周的批量操作，最新的在前。",
    ),
)  # fmt: skip
