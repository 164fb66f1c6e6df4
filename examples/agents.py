"""Three agents, one conversation: what each leaves for the next. Needs `anamnesis serve` and a model of OpenAI's kind.

The triage agent finds the department, the medication agent answers for drugs, the booking agent makes an appointment
when the user has said yes. They share nothing but the conversation's id.
"""

import os
from typing import Any

from openai import OpenAI

from gateway.client import Client

CONVERSATION, USER = "conv_1", "user_1"
MODEL = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
PROMPTS = {
    "triage_agent": "You find the department that a patient needs. Ask one question at a time.",
    "medication_agent": "You answer questions about drugs. Mind the allergies.",
    "booking_agent": "You book appointments. Never book without a clear yes.",
}
memory = Client(os.environ.get("ANAMNESIS_URL", "http://127.0.0.1:8077"))
model = OpenAI()


def choose(question: str, pending: dict[str, Any] | None) -> str:
    """Who answers. An operation that waits for the user's word belongs to the agent that proposed it."""
    if pending or "挂号" in question:
        return "booking_agent"
    return "medication_agent" if "吃" in question else "triage_agent"


def act(agent: str, question: str, state: dict[str, Any]) -> dict[str, Any]:
    """What an agent changes in the working state. Yours would take it from the model's tool calls."""
    shared, pending = state.get("entities") or {}, state.get("pending_action")
    if agent == "triage_agent":
        return {
            "entities": {"symptom_summary": question, "target_dept": "神经内科"},  # every agent sees these
            "slot": {"asked": ["how long", "fever"]},  # the triage agent alone sees this
            "current_intent": "find a department",
        }
    if agent == "medication_agent":
        return {"slot": {"checked": question}, "current_intent": "ask about a drug"}
    if pending is None:
        params = {"department": shared["target_dept"], "reason": shared["symptom_summary"]}
        action = {"tool_name": "book_appointment", "tool_params": params, "reason": "waits for the patient's yes"}
        return {"current_intent": "book", "pending_action": action}
    if "好" not in question:
        return {"clear_pending_action": True, "current_intent": ""}
    print(f"  [{pending['tool_name']} {pending['tool_params']}]")  # here you would call it
    return {"clear_pending_action": True, "entities": {"booked": True}, "current_intent": ""}


def turn(question: str) -> None:
    """One turn: look who is asked, give the model what that agent may know, write the turn with what it changed."""
    session = memory.get_session(conversation_id=CONVERSATION).session
    pending = session.global_state.pending_action if session else None
    agent = choose(question, pending)
    known = memory.query_memory_context(
        conversation_id=CONVERSATION, user_id=USER, agent_code=agent, query=question, include=["session"]
    )
    state = known.session.global_state.model_dump() if known.session else {}
    messages: list[Any] = [
        {"role": "system", "content": f"{PROMPTS[agent]}\n\n{known.context}\n\nWorking state: {state}"},
        *known.model_dump()["messages"],
        {"role": "user", "content": question},
    ]
    answer = model.chat.completions.create(model=MODEL, messages=messages).choices[0].message.content or ""
    changed = act(agent, question, state)
    memory.write_turn(
        conversation_id=CONVERSATION,
        user_id=USER,
        agent_code=agent,
        user_query=question,
        agent_response=answer,
        state=changed,
    )
    print(f"{agent}: {answer}")


memory.upsert_facts(user_id=USER, facts={"allergies": ["青霉素"]})
for said in ("我头痛三天了", "能吃阿莫西林吗？", "那帮我挂号吧", "好的"):
    print(f"> {said}")
    turn(said)
memory.close()
