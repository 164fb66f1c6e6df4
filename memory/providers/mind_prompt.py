"""What a model is sent about a dialogue: the prompt of a locale and set, and the dialogue in parts, as data.

A message may say anything, orders to the model among it. So the dialogue goes in as JSON between two marks that no
message can hold, and the prompt says that it is data. What keeps the answer in form all the same is its strict reading.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final, Literal

from memory.errors import SetupError
from memory.model.extraction import Said
from memory.model.predicates import told_to_models
from memory.privacy.placeholders import MARK
from memory.zones import clock_at

Count = Callable[[str], int]
"""Tokens of a text; called on any thread."""
Message = dict[str, str]
Part = tuple[Said, ...]
PromptSet = Literal["production", "evaluation"]

_VERSION: Final = "version: "
_PREDICATES: Final = "{predicates}"
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ENDS: Final = "\n。！？.!?； "
_PIECE_CHARS_MIN: Final = 64
_AGAIN: Final = {
    "en": "This answer was refused: {reason}. Answer again, with the one JSON object that was described, whole.",
    "zh": "这个回答未被接受：{reason}。请重新回答，只给出前面说明的那一个 JSON 对象，并且完整。",
}
_WITHHELD: Final = {
    "en": "Words like `[mobile_1]` or `[name_2]` stand for what is withheld from you: treat each as the number or name "
    "that it is, and copy it character by character, brackets included.",
    "zh": "形如 `[mobile_1]`、`[name_2]` 的文字代替了对你隐去的内容：把它当作相应的号码或姓名，逐字照抄，包括方括号。",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: what to do, without its first line, which is its version."""

    version: int
    text: str


def load_prompt(locale: str, prompt_set: str) -> Prompt:
    """The prompt for an extraction, with its examples. Raises SetupError when there is none for this locale and set."""
    prompt = _read(f"{locale}/{prompt_set}", locale, prompt_set, "extract.md")
    return Prompt(prompt.version, f"{prompt.text}\n\n{_read(f'{locale}/examples', locale, 'examples.md').text}")


def load_statements_prompt(locale: str) -> Prompt:
    """What an extraction prompt goes on with for a dialogue in which only the user speaks. Raises as `load_prompt`."""
    return _read(f"{locale}/statements", locale, "statements.md")


def load_same_prompt(locale: str) -> Prompt:
    """The prompt that asks of pairs of labels whether they are one thing. Raises as `load_prompt`."""
    return _read(f"{locale}/same", locale, "same.md")


def load_used_prompt(locale: str) -> Prompt:
    """The prompt that asks which answers rest on which memories. Raises as `load_prompt`."""
    return _read(f"{locale}/used", locale, "used.md")


def load_corrected_prompt(locale: str) -> Prompt:
    """The prompt that asks what a dialogue takes back of what is held. Raises as `load_prompt`."""
    return _read(f"{locale}/corrected", locale, "corrected.md")


def load_review_prompt(locale: str) -> Prompt:
    """The prompt that asks what becomes of a memory. Raises as `load_prompt`."""
    return _read(f"{locale}/review", locale, "review.md")


def _read(name: str, locale: str, *path: str) -> Prompt:
    file = resources.files("memory.providers").joinpath("prompts", locale, *path)
    try:
        head, _, text = file.read_text(encoding="utf-8").partition("\n")
    except OSError:
        raise SetupError(f"there is no prompt {name!r}") from None
    number = head.removeprefix(_VERSION)
    if not (head.startswith(_VERSION) and number.isdecimal()):
        raise SetupError(f"the first line of the prompt {name} is not its version")
    return Prompt(int(number), text.strip().replace(_PREDICATES, told_to_models(locale)))


def parts_of(messages: Sequence[Said], tokens_max: int, count: Count) -> list[Part]:
    """Cut a dialogue into parts of at most `tokens_max` tokens as data, those in which no participant speaks left out.

    A message that is longer than half a part is cut into pieces of the same seq. A part that would begin with an answer
    begins with what the assistant said before it.
    """
    parts: list[Part] = []
    part: list[Said] = []
    tokens = 0
    for piece in (piece for message in messages for piece in _pieces(message, tokens_max // 2, count)):
        size = _size(piece, count)
        if part and tokens + size > tokens_max:
            parts.append(tuple(part))
            part = [part[-1]] if piece.own and not part[-1].own else []
            tokens = sum(_size(one, count) for one in part)
        part.append(piece)
        tokens += size
    parts.append(tuple(part))
    return [part for part in parts if any(message.own for message in part)]


def request_messages(prompt: Prompt, part: Part, user_name: str, locale: str) -> list[Message]:
    """The prompt, and the part as data. A part in which identifiers are withheld is told so."""
    data: dict[str, Any] = {"participants": list(dict.fromkeys(said.speaker for said in part if said.own))}
    if user_name:
        data["user_name"] = user_name
    data["messages"] = [_data(said) for said in part]
    text = data_between("dialogue", data)
    told = f"{prompt.text}\n\n{_WITHHELD[locale]}" if MARK.search(text) else prompt.text
    return [{"role": "system", "content": told}, {"role": "user", "content": text}]


def repaired(messages: list[Message], content: str, reason: str, locale: str) -> list[Message]:
    """The request once more, with the answer that was refused and why; the request as it was when there was none."""
    if not content:
        return messages
    again = _AGAIN[locale].format(reason=reason)
    return [*messages, {"role": "assistant", "content": content}, {"role": "user", "content": again}]


def _pieces(said: Said, tokens_max: int, count: Count) -> Iterator[Said]:
    if len(said.text) < 2 * _PIECE_CHARS_MIN or _size(said, count) <= tokens_max:
        yield said
        return
    half = len(said.text) // 2
    cut = max(said.text.rfind(end, half // 2, half) for end in _ENDS) + 1 or half
    for text in (said.text[:cut], said.text[cut:]):
        yield from _pieces(replace(said, text=text), tokens_max, count)


def _size(said: Said, count: Count) -> int:
    return count(_json(_data(said))) + 1


def _data(said: Said) -> dict[str, Any]:
    at = clock_at(said.at_ms, said.clock)
    moment = at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {
        "seq": said.seq,
        "speaker": said.speaker,
        "own": said.own,
        "at": f"{moment} {_DAYS[at.weekday()]}",
        "text": said.text,
    }


def data_between(mark: str, value: Any) -> str:
    """A value as JSON between two marks that nothing in it can close."""
    return f"<{mark}>\n{_json(value)}\n</{mark}>"


def _json(value: Any) -> str:
    """JSON in which no text can close the mark: the slash of `</` is escaped, which is the same text."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
