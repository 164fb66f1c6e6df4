"""A bot that remembers: two calls around the model. Needs `anamnesis serve` and any OpenAI-compatible endpoint."""

import os
from contextlib import suppress
from typing import Any

from openai import OpenAI

from gateway.client import Client

MODEL, CONVERSATION, USER = os.environ.get("OPENAI_MODEL", "gpt-4o-mini"), "conv_1", "user_1"
URL = os.environ.get("ANAMNESIS_URL", "http://127.0.0.1:8077")
with Client(URL) as memory, OpenAI() as model, suppress(EOFError):  # Ctrl-D ends it
    while question := input("> "):
        known = memory.query_memory_context(conversation_id=CONVERSATION, user_id=USER, query=question)
        messages: list[Any] = [
            {"role": "system", "content": f"You are a nurse at the front desk.\n\n{known.context}"},  # what is known
            *known.model_dump()["messages"],  # what was said in this conversation
            {"role": "user", "content": question},  # what is asked now: it stands in neither
        ]
        answer = model.chat.completions.create(model=MODEL, messages=messages).choices[0].message.content or ""
        memory.write_turn(conversation_id=CONVERSATION, user_id=USER, user_query=question, agent_response=answer)
        print(answer)
