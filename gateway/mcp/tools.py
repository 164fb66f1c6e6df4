"""The table of operations as MCP tools. Loaded with the SDK, at the first MCP request."""

from collections.abc import Mapping
from typing import Any, Final

from mcp_types import Tool, ToolAnnotations

from gateway.client import METHODS
from gateway.mcp.schemas import self_contained
from gateway.operations import OPERATE, Effect, Operation

INSTRUCTIONS: Final = (
    "Memory of conversations. Before you answer a user: query_memory_context, and heed its safety facts. After it: "
    "write_turn. search_memories finds what was said long ago; forget_memory erases for good. Ids are yours: keep one "
    "conversation_id a conversation and one user_id a person.\n"
    "对话记忆。回答用户之前调用 query_memory_context，并遵守其中的安全信息；回答之后调用 write_turn。"
    "search_memories 查找很久以前说过的话；forget_memory 永久删除。"
    "id 由你决定：一个对话一个 conversation_id，一个人一个 user_id。"
)
NAMES: Final[Mapping[str, Operation]] = {
    name: operation for name, operation in METHODS.items() if operation.scope != OPERATE
}
"""Tools by name: the operation's, in snake case. What is asked of the gateway itself is no model's affair."""


def tool_of(name: str, operation: Operation) -> Tool:
    """How a tool is shown to a client, made from its operation alone.

    Its description is in both languages: a client lists tools once for all its users, whatever they speak.
    """
    effect = operation.effect
    return Tool(
        name=name,
        title=operation.name,
        description=f"{operation.description}\n\n{operation.zh}",
        input_schema=self_contained(operation.request) | {"examples": [operation.example]},
        output_schema=self_contained(operation.response),
        annotations=ToolAnnotations(
            title=operation.name,
            read_only_hint=effect is Effect.READS,
            destructive_hint=effect is Effect.ERASES,
            idempotent_hint=effect is not Effect.ADDS,
            open_world_hint=False,
        ),
    )


def waits_ms(operation: Operation, arguments: Mapping[str, Any]) -> int | None:
    """How long a call may take because its caller wants to wait: the total of its progress."""
    asked = arguments.get("wait_ms") if "wait_ms" in operation.request.model_fields else None
    return asked if isinstance(asked, int) else None


def smaller_page(
    operation: Operation, arguments: Mapping[str, Any], answer: Any, excess: float
) -> dict[str, Any] | None:
    """The same question for fewer items, when it can ask for fewer; `excess` is how many times too large it was."""
    if "limit" not in operation.request.model_fields:
        return None
    found = max((len(part) for part in answer.values() if isinstance(part, list)), default=0)
    return {**arguments, "limit": max(1, min(found - 1, int(found / excess)))} if found > 1 else None


def page_note(limit: int, chars_max: int) -> str:
    """What an agent reads when it got fewer items than it asked for."""
    return (
        f"Shortened to `limit` {limit}: more would be over {chars_max} characters. Ask on with the `cursor`, if the "
        f"answer has one, or narrow the question.\n已缩短为 limit {limit}：更多会超过 {chars_max} 个字符。"
        "如答案带有 cursor，请用它继续查询，或缩小问题范围。"
    )


def cut_note(size: int, chars_max: int) -> str:
    """What an agent reads when texts and lists were cut."""
    return (
        f"Shortened from {size} to at most {chars_max} characters: long texts (marked […N…]) and long lists lost their "
        f"middle. Ask for less to see it.\n已从 {size} 个字符缩短到 {chars_max} 个以内：较长的文本（标有 […N…]）和列表"
        "略去了中间部分。请缩小请求范围后再查看。"
    )
