"""A model that keeps its own memory: it gets the tools, calls them, and asks them back.

Needs `anamnesis serve` and any OpenAI-compatible endpoint whose model knows tools.
"""

import json
import os
from contextlib import suppress
from typing import Any

from openai import OpenAI

from gateway.client import METHODS, Client, ProblemError

MODEL, CONVERSATION, USER = os.environ.get("OPENAI_MODEL", "gpt-4o-mini"), "conv_tools", "user_tools"
ROUNDS_MAX = 4
"""A model that asks for tools again and again is answered without them at last."""


def run(memory: Client, tool: str, arguments: str) -> str:
    """One call of a tool: the bot says whose memory it is, the model never does. A refusal tells it what to mend.

    What the tool does not take (models add a `confidence`) is left out.
    """
    try:
        known = {name: value for name, value in json.loads(arguments).items() if name in TAKES[tool]}
        answer = memory.call(OPERATIONS[RUNS[tool]], {**known, "user_id": USER})
    except KeyError:
        return json.dumps({"error": f"there is no tool {tool}"})
    except (TypeError, AttributeError, ValueError) as error:
        return json.dumps({"error": f"the arguments are no JSON object: {error}"})
    except ProblemError as refused:
        return json.dumps(dict(refused.problem), ensure_ascii=False)
    return answer.model_dump_json(exclude_none=True)


def answered(model: OpenAI, memory: Client, question: str) -> str:
    """What the model says to the user once it has kept and looked up what it wanted."""
    known = memory.query_memory_context(conversation_id=CONVERSATION, user_id=USER, query=question)
    messages: list[Any] = [
        {"role": "system", "content": f"{PROMPT}\n\n{known.context}"},
        *known.model_dump()["messages"],
        {"role": "user", "content": question},
    ]
    for _ in range(ROUNDS_MAX):
        said = model.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS).choices[0].message
        if not said.tool_calls:
            return said.content or ""
        messages.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls:
            done = run(memory, call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": done})
    return model.chat.completions.create(model=MODEL, messages=messages).choices[0].message.content or ""


OPERATIONS = {operation.name: operation for operation in METHODS.values()}
URL = os.environ.get("ANAMNESIS_URL", "http://127.0.0.1:8077")
with Client(URL) as gateway, OpenAI() as endpoint, suppress(EOFError):  # Ctrl-D ends it
    tools = gateway.get_memory_tools(format="openai", locale="zh")
    TOOLS: Any = tools.tools
    TAKES = {tool["function"]["name"]: tool["function"]["parameters"]["properties"] for tool in tools.tools or ()}
    RUNS = tools.operations
    PROMPT = gateway.get_memory_tools(format="prompt", locale="zh").prompt
    while asked := input("> "):
        reply = answered(endpoint, gateway, asked)
        gateway.write_turn(conversation_id=CONVERSATION, user_id=USER, user_query=asked, agent_response=reply)
        print(reply)
