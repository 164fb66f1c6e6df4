"""What an agent really said, taken out of the JSON that some agents wrap it in."""

import json
from typing import Any


def extract_agent_answer(answer: str) -> str:
    """Return the text of `data.msg` when `answer` holds such a JSON object, else `answer` without outer space.

    As the original: text before the object is passed over, `data` may itself be a JSON text, and a `msg`
    that is no text is given as compact JSON.
    """
    text = answer.strip()
    brace = text.find("{")
    if brace < 0:
        return text
    data = _object(text[brace:]).get("data")
    if isinstance(data, str):
        data = _object(data)
    if not isinstance(data, dict) or "msg" not in data:
        return text
    message = data["msg"]
    return message if isinstance(message, str) else json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
