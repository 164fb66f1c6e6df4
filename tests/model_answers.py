"""What an endpoint may do instead of answering, by name."""

import json

from memory.errors import DeadlineExceeded, MemoryGatewayError, ModelRefused, ModelUnavailable, Overloaded
from tests.openai_server import (
    Behaviour,
    answer,
    body,
    chat_answer,
    endless,
    hang_up,
    rate_limited,
    refusal,
    silent,
    status,
)

KEY = "sk-test-4711-never-shown"
SECRET = "the patient is called Zhang Wei"
NOTHING = json.dumps({"facts": [], "events": [], "episodes": []})
WRONG = json.dumps({"found": "nothing"})
DOWN: dict[str, tuple[Behaviour, type[MemoryGatewayError], int]] = {
    "500": (status(500, message=SECRET), ModelUnavailable, 2),
    "429": (rate_limited(), Overloaded, 2),
    "401": (status(401, message=f"{KEY} {SECRET}"), ModelRefused, 1),
    "404": (status(404), ModelRefused, 1),
    "409": (status(409), ModelUnavailable, 2),
    "silent": (silent(), DeadlineExceeded, 1),
    "without end": (endless(), ModelUnavailable, 2),
    "hang up": (hang_up(), ModelUnavailable, 2),
    "hang up half way": (hang_up(after=30), ModelUnavailable, 2),
    "empty": (body(b""), ModelUnavailable, 2),
    "junk": (body(b"<html>proxy</html>", "text/html"), ModelUnavailable, 2),
}
"""An endpoint that does not answer now: what is raised, and after how many requests."""
USELESS: dict[str, tuple[Behaviour, int]] = {
    "413": (status(413), 1),
    "400 in every form": (status(400, message=SECRET), 3),
    "422 in every form": (status(422), 3),
    "null": (answer(None), 2),
    "no choices": (answer({"choices": []}), 2),
    "choices of strings": (answer({"choices": ["a"]}), 2),
    "error with 200": (answer({"error": {"message": SECRET}}), 2),
    "refusal": (refusal(SECRET), 2),
    "refusal beside words": (answer(chat_answer({"role": "assistant", "content": NOTHING, "refusal": SECRET})), 2),
    "content null": (answer(chat_answer({"role": "assistant", "content": None})), 2),
    "content no text": (answer(chat_answer({"role": "assistant", "content": [SECRET]})), 2),
    "content a poem": (answer(chat_answer({"role": "assistant", "content": SECRET})), 2),
    "content of the wrong schema": (answer(chat_answer({"role": "assistant", "content": WRONG})), 2),
    "cut off": (answer(chat_answer({"role": "assistant", "content": NOTHING[:12]}, "length")), 2),
    "filtered": (answer(chat_answer({"role": "assistant", "content": NOTHING}, "content_filter")), 2),
}
"""Answers of which nothing can be used, and after how many requests that is plain."""
