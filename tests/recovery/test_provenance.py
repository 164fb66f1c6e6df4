"""What a real gateway remembers was said: it cites its turns (G8), and what was recalled is not told again (G4)."""

import json
from collections.abc import Callable
from typing import Any

from processes import Gateway

from tests.waiting import wait_until

LOOPS = 50
SAID = (
    ("我叫李雷，今年35岁。我对青霉素过敏。", "好的，记下了。还有别的病史吗？"),
    ("我有高血压，上周三去医院做了检查。我妈妈有糖尿病。", "血压多少？"),
    ("我住在上海，是一名老师。医生让我吃布洛芬。", "按说明服用。"),
    ("My name is Ann and I am allergic to penicillin.", "Noted. Any other illness?"),
    ("I have asthma, and I had my appendix removed last March.", "Thank you."),
    ("I live in Boston. I started taking metformin yesterday.", "Good."),
    ("北京是中国的首都吗？", "是的。"),
    ("谢谢", "不客气。"),
)


def call(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body)
    assert status == 200, (operation, answer)
    return answer


def end(gateway: Gateway, conversation: str) -> None:
    call(gateway, "FinalizeSessionMemory", conversation_id=conversation)

    def ended() -> bool:
        return call(gateway, "GetFinalization", conversation_id=conversation)["state"] == "ENDED"

    wait_until(ended, f"{conversation} is in memory")


def memories(gateway: Gateway, user: str) -> list[dict[str, Any]]:
    return list(call(gateway, "ListMemories", user_id=user, limit=200)["items"])


def test_g8_every_stored_memory_cites_turns_that_hold_its_quote(make_gateway: Callable[..., Gateway]) -> None:
    gateway = make_gateway(EMBEDDINGS__PROVIDER="none").start()
    for number, (asked, answered) in enumerate(SAID):
        turn = {"user_query": asked, "agent_response": answered, "user_id": f"user-{number % 2}"}
        for conversation in (f"alone-{number}", f"together-{number % 2}"):
            call(gateway, "WriteTurn", conversation_id=conversation, **turn)
        end(gateway, f"alone-{number}")
    for number in range(2):
        end(gateway, f"together-{number}")
    checked = {"fact": 0, "event": 0, "episode": 0}
    for user in ("user-0", "user-1"):
        for memory in memories(gateway, user):
            if memory["kind"] == "profile":  # a view of facts, each of which cites its own
                continue
            explained = call(gateway, "ExplainMemory", user_id=user, memory_id=memory["memory_id"])
            cited = {message["seq"]: message["content"] for message in explained["messages"]}
            source = memory["source"]
            assert source["seqs"], memory
            assert list(cited) == source["seqs"], "a cited turn is not in the record"
            quote = source.get("quote") or ""
            assert quote or memory["kind"] == "episode", memory
            assert all(quote in content for content in cited.values()), memory
            checked[memory["kind"]] += 1
    print(f"G8: {checked} cite turns that hold their quotes; without support 0")
    assert checked["fact"] >= 8
    assert checked["event"] >= 1


def test_g4_recalled_memories_and_system_prompts_are_not_extracted_again_in_50_loops(
    make_gateway: Callable[..., Gateway],
) -> None:
    """A bot that puts all it is given into its transcript: the context as a system message, and in both voices."""
    gateway = make_gateway(EMBEDDINGS__PROVIDER="none", RECALL__DEADLINE_MS="5000").start()
    turn = {"user_query": "我对青霉素过敏。我有高血压。", "agent_response": "好的，记下了。"}
    call(gateway, "WriteTurn", conversation_id="first", user_id="ann", **turn)
    end(gateway, "first")
    told = {memory["memory_id"] for memory in memories(gateway, "ann")}
    blocks = 0
    for loop in range(LOOPS):
        conversation = f"loop-{loop}"
        asked = {"conversation_id": conversation, "user_id": "ann", "query": "我能吃青霉素吗？"}
        context = call(gateway, "QueryMemoryContext", **asked)["context"]
        blocks += "青霉素" in context and "<recalled_memories>" in context
        block = context[context.index("<recalled_memories>") :] if "<recalled_memories>" in context else ""
        messages = [
            {"role": "system", "content": f"你是分诊助手。病人对磺胺过敏。{context}"},
            {"role": "user", "content": f"{block}第{loop}次：今天有点累。"},
            {"role": "assistant", "content": f"好的，第{loop}次。{block}"},
            {"role": "tool", "content": f"档案：{context}"},
        ]
        call(gateway, "WriteMessages", conversation_id=conversation, user_id="ann", messages=messages)
        call(gateway, "FinalizeSessionMemory", conversation_id=conversation)
    for loop in range(LOOPS):
        end(gateway, f"loop-{loop}")
    added = [memory for memory in memories(gateway, "ann") if memory["memory_id"] not in told]
    again = [
        memory for memory in added if "青霉素" in json.dumps(memory, ensure_ascii=False) or "磺胺" in memory["text"]
    ]
    print(
        f"G4: {LOOPS} loops, {blocks} with recalled memories; {len(added)} memories added, extracted again {len(again)}"
    )
    assert not again, again[:2]
    assert blocks == LOOPS, "nothing was recalled: the loops showed nothing"
    assert len(added) >= LOOPS
