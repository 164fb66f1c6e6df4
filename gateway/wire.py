"""The one strict JSON reader of every face, and problem documents (RFC 9457).

Python's json accepts NaN, duplicate keys, lone surrogates and bottomless nesting, and answers a five-thousand
digit integer with an error of its own. This reader refuses them all with InvalidInput.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar, cast

from pydantic import BaseModel, ValidationError

from memory.errors import FieldError, InvalidInput, MemoryGatewayError, TooLarge
from memory.limits import BODY_BYTES_MAX, JSON_DEPTH_MAX, JSON_KEYS_MAX, JSON_NUMBER_CHARS_MAX

M = TypeVar("M", bound=BaseModel)

PROBLEM_TYPE: Final = "application/problem+json"
_PROBLEM_BASE: Final = "urn:anamnesis:problem:"
# The closing quote is optional: a string that lacks one is walked to the body's end once, not anew from every quote.
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_ALL_BUT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")
_SPACES: Final = bytes.maketrans(b"\t\n\r", b"   ")
_FIELD_ERRORS_MAX: Final = 20
_LONG_NUMBER: Final = re.compile(rb":[ \t\n\r]*[-+.0-9eE]{%d}" % (JSON_NUMBER_CHARS_MAX + 1))
_FIELD_NAME_CHARS_MAX: Final = 200
"""Names of unknown fields are the caller's own, and may be as long as the body."""


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"{name} is not JSON")


def _whole(text: str) -> int:
    if len(text) > JSON_NUMBER_CHARS_MAX:
        raise InvalidInput(f"a number has more than {JSON_NUMBER_CHARS_MAX} characters")
    return int(text)


def _fraction(text: str) -> float:
    number = float(text) if len(text) <= JSON_NUMBER_CHARS_MAX else float("inf")
    if number in {float("inf"), float("-inf")}:
        raise InvalidInput("a number is out of range")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise InvalidInput("an object has the same key twice")
    return made


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_whole, parse_float=_fraction
)
"""Made once: building one costs as much as reading a small body."""


def read_json(body: bytes, keys_max: int = JSON_KEYS_MAX) -> dict[str, Any]:
    """Parse one JSON object in UTF-8. Raises InvalidInput or TooLarge; never anything else."""
    value = read_value(body, keys_max=keys_max)
    if not isinstance(value, dict):
        raise InvalidInput("the body must be a JSON object")
    return value


def read_value(body: bytes, *, depth_max: int = JSON_DEPTH_MAX, keys_max: int = JSON_KEYS_MAX) -> Any:
    """Parse one JSON value in UTF-8. Raises InvalidInput or TooLarge; never anything else.

    The limits are those of a request; what wraps one in an envelope allows for the envelope.
    """
    if len(body) > BODY_BYTES_MAX:
        raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
    _check_depth(body, depth_max)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("the body is not UTF-8") from None
    value = _parse(text)
    if b"\\u" in body:
        _check_text(value)
    if body.count(b":") > keys_max and _keys(value) > keys_max:
        raise InvalidInput(f"the document has more than {keys_max} keys")
    return value


def _parse(text: str) -> Any:
    if text.startswith("\ufeff"):
        raise InvalidInput("the body begins with a byte order mark")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"the body is not JSON: {error.msg} at character {error.pos}") from None


def _check_depth(body: bytes, depth_max: int) -> None:
    """Nesting is bounded before parsing; few brackets cannot nest deeply, so most bodies skip the walk."""
    if body.count(b"[") + body.count(b"{") <= depth_max:
        return
    brackets = _STRING.sub(b"", body).translate(_BRACKETS, _ALL_BUT_BRACKETS)
    for _ in range(depth_max):  # each round takes off the innermost level
        brackets = brackets.replace(b"[]", b"")
    if b"[]" in brackets or brackets.count(b"[") > depth_max:  # fewer that are never closed: the parser's matter
        raise InvalidInput(f"the body nests deeper than {depth_max}")


def _check_text(value: Any) -> None:
    """Escapes can smuggle in what UTF-8 cannot hold (lone surrogates), and NUL, which ends texts elsewhere."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput("a text has a lone surrogate") from None
    if "\\u0000" in text and _has_nul(value):
        raise InvalidInput("a text has a NUL character")


def _keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_keys, value.values()))
    return sum(map(_keys, value)) if isinstance(value, list) else 0


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(_has_nul(part) for part in value)


def read_request(model: type[M], body: bytes) -> M:
    """Read and validate one request. Raises InvalidInput or TooLarge; never anything else.

    Most bodies are one flat object and take the short way, where pydantic parses and validates in one step.
    What that parser would let pass, the checks around it exclude; a body that they can't clear, or that is at
    fault, takes the strict way, which alone refuses (tests/unit/test_wire.py holds the two together).
    """
    if len(body) <= BODY_BYTES_MAX and _is_plain(body):
        try:
            asked = model.__pydantic_validator__.validate_json(body)
        except ValidationError:
            return read_model(model, _read(model, body))
        # Each key has its own `":`; more of them are in texts, or are keys that came twice.
        if body.count(b'":') == len(asked.model_fields_set):
            return cast("M", asked)
    return read_model(model, _read(model, body))


def _read(model: type[M], body: bytes) -> dict[str, Any]:
    """The object, with as many keys as the request may have."""
    return read_json(body, getattr(model, "KEYS_MAX", JSON_KEYS_MAX))


def _is_plain(body: bytes) -> bool:
    """One object, no escapes but the short ones, no constants, and no key that is set apart from its colon.

    One byte is looked for before several: that search is five times as fast.
    """
    return not (
        body.count(b"{") != 1
        or (b"\\" in body and b"\\u" in body)
        or (b"N" in body and b"NaN" in body)
        or (b"I" in body and b"Infinity" in body)
        or b" :" in body.translate(_SPACES)
        or _LONG_NUMBER.search(body)
    )


def read_model(model: type[M], value: dict[str, Any]) -> M:
    """Validate a parsed object. Raises InvalidInput with the fields that are to blame."""
    try:
        return model.model_validate(_without_synonyms(model, value))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        said_as = {name: other for other, name in getattr(model, "SYNONYMS", {}).items() if other in value}
        fields = tuple(
            FieldError(_path(p["loc"], said_as) or "body", _readable(p["type"], p["msg"]))
            for p in problems[:_FIELD_ERRORS_MAX]
        )
        detail = "; ".join(f"{f.field}: {f.message}" for f in fields[:3])
        raise InvalidInput(detail, fields=fields) from None


def _path(place: Sequence[str | int], said_as: Mapping[str, str]) -> str:
    """Where it is in the body, by the names that were sent."""
    named = [said_as.get(str(part), str(part)) if not at else str(part) for at, part in enumerate(place)]
    return ".".join(named)[:_FIELD_NAME_CHARS_MAX]


def _without_synonyms(model: type[M], value: dict[str, Any]) -> dict[str, Any]:
    """Who says the same under both names of a field says it once. Raises InvalidInput where the two differ."""
    said_twice = [
        (other, name) for other, name in getattr(model, "SYNONYMS", {}).items() if other in value and name in value
    ]
    for other, name in said_twice:
        if value[other] != value[name]:
            raise InvalidInput(f"{other} and {name} differ", fields=(FieldError(other, f"differs from {name}"),))
    return {key: each for key, each in value.items() if key not in dict(said_twice)} if said_twice else value


def _readable(kind: str, message: str) -> str:
    return "unknown field" if kind == "extra_forbidden" else message.removeprefix("Value error, ")


def problem(error: MemoryGatewayError) -> bytes:
    """The problem document of an error, as JSON."""
    return json.dumps(problem_document(error), ensure_ascii=True).encode()


def problem_document(error: MemoryGatewayError) -> dict[str, Any]:
    """The problem document of an error."""
    document: dict[str, Any] = {
        "type": _PROBLEM_BASE + error.code,
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
    }
    if error.fields:
        document["errors"] = [{"field": f.field, "message": f.message} for f in error.fields]
    return document | dict(error.more)
