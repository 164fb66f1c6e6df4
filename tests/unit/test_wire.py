"""The strict JSON reader alone: what it takes, what it refuses, and that both cost little."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from gateway.operations import BY_NAME, OPERATIONS, Operation
from gateway.wire import problem, read_json, read_model, read_request
from memory.errors import (
    Conflict,
    FieldError,
    InvalidInput,
    MemoryGatewayError,
    NotFound,
    Overloaded,
    StoreFull,
    TooLarge,
    Unauthorized,
)
from memory.limits import BODY_BYTES_MAX, IMPORT_KEYS_MAX, JSON_DEPTH_MAX, JSON_KEYS_MAX, JSON_NUMBER_CHARS_MAX
from memory.model.graph_view_calls import FindPathRequest
from memory.model.memory_calls import SearchMemoriesRequest
from memory.model.requests import GetProfileRequest, QueryMemoryContextRequest, WriteTurnRequest
from memory.model.transfer_calls import ImportMemoriesRequest
from tests.growth import assert_grows
from tests.hostile_corpus import CASES, DOCUMENT_CASES, Case, nested, padded, with_keys

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
UNHURRIED = settings(deadline=None)
"""A busy machine is no failure."""
READ = [case for case in CASES if case.status == 200]
REFUSED = [case for case in DOCUMENT_CASES if case.status == 400]


@pytest.mark.parametrize("case", READ, ids=lambda case: case.name)
def test_read_json_within_the_rules_reads_what_python_reads(case: Case) -> None:
    assert read_json(case.body) == json.loads(case.body)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_read_json_beyond_the_rules_raises_invalid_input(case: Case) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_json(case.body)
    assert len(refused.value.detail) < 300


@UNHURRIED
@given(value=st.dictionaries(st.text(max_size=5).filter(lambda key: "\0" not in key), JSON_VALUES, max_size=5))
def test_read_json_reads_back_what_was_written(value: dict[str, Any]) -> None:
    if "\0" not in str(value) and "\\x00" not in repr(value):
        assert read_json(json.dumps(value, ensure_ascii=False).encode()) == value
        assert read_json(json.dumps(value, ensure_ascii=True).encode()) == value


@UNHURRIED
@given(
    body=st.binary(max_size=200) | st.text(max_size=100).map(lambda text: ('{"a": "' + text).encode("utf-8", "replace"))
)
def test_read_json_of_anything_raises_nothing_but_invalid_input(body: bytes) -> None:
    try:
        assert isinstance(read_json(body), dict)
    except InvalidInput:
        return


@UNHURRIED
@given(value=st.text(), cut=st.integers(0, 50))
def test_read_json_cut_short_raises_invalid_input(value: str, cut: int) -> None:
    body = json.dumps({"key": value}).encode()
    with pytest.raises(InvalidInput):
        read_json(body[: min(cut, len(body) - 1)])


def test_read_json_body_size_is_bounded() -> None:
    assert read_json(padded("x", BODY_BYTES_MAX))
    with pytest.raises(TooLarge):
        read_json(padded("x", BODY_BYTES_MAX + 1))


@pytest.mark.parametrize("depth", [JSON_DEPTH_MAX - 1, JSON_DEPTH_MAX])
def test_read_json_depth_within_the_limit_is_read(depth: int) -> None:
    assert read_json(nested("x", depth))


def test_read_json_depth_counts_open_brackets_only() -> None:
    assert len(read_json(b'{"a": [' + b",".join([b"[[]]"] * 1000) + b"]}")["a"]) == 1000
    with pytest.raises(InvalidInput, match="deeper"):
        read_json(nested("x", JSON_DEPTH_MAX + 1))


@pytest.mark.parametrize("text", ['"]]]]"', r'"\"[[["', r'"\\"', r'"\\\"[[[["', '"[' + "[" * 100 + '"'])
def test_read_json_brackets_in_texts_do_not_count(text: str) -> None:
    fill = ",".join(["[]"] * 40)  # enough brackets for the depth to be looked at
    assert read_json(f'{{"a": {text}, "b": [{fill}]}}'.encode())["a"] == json.loads(text)


def test_read_json_keys_within_the_limit_are_read() -> None:
    assert read_json(with_keys("x", JSON_KEYS_MAX))
    with pytest.raises(InvalidInput, match="keys"):
        read_json(with_keys("x", JSON_KEYS_MAX + 1))


def test_request_of_many_records_has_more_keys_than_others() -> None:
    body = {"user_id": "u", "records": [{f"k{key}": 0 for key in range(100)} for _ in range(999)]}
    body["records"].append({f"k{key}": 0 for key in range(IMPORT_KEYS_MAX - 999 * 100 - 2)})
    assert len(read_request(ImportMemoriesRequest, json.dumps(body).encode()).records) == 1_000
    body["records"][-1]["one more"] = 0
    with pytest.raises(InvalidInput, match=f"more than {IMPORT_KEYS_MAX} keys"):
        read_request(ImportMemoriesRequest, json.dumps(body).encode())
    with pytest.raises(InvalidInput, match=f"more than {JSON_KEYS_MAX} keys"):
        read_request(GetProfileRequest, json.dumps(body).encode())


@pytest.mark.parametrize("length", [JSON_NUMBER_CHARS_MAX - 1, JSON_NUMBER_CHARS_MAX])
def test_read_json_numbers_within_the_limit_keep_every_digit(length: int) -> None:
    assert read_json(b'{"n": ' + b"7" * length + b"}") == {"n": int("7" * length)}
    fraction = "0." + "7" * (length - 2)
    assert read_json(f'{{"n": {fraction}}}'.encode())["n"] == float(fraction)


def test_read_json_numbers_too_small_become_zero() -> None:
    assert math.isclose(read_json(b'{"n": 1e-400}')["n"], 0.0)


Junk = tuple[bytes, bytes, bytes]
"""What a body begins with, what it repeats, and what it ends with."""


def assert_linear(read: Callable[[bytes], object], junk: Junk) -> None:
    """Megabytes are refused in a time linear in their number."""
    start, piece, end = junk

    def refuse(body: bytes) -> None:
        with pytest.raises(InvalidInput):
            read(body)

    assert_grows(refuse, lambda count: start + piece * (count // len(piece)) + end, 3_000_000)


@pytest.mark.parametrize(
    "junk",
    [
        (b'"', b'\\"', b"[" * 40),
        (b"{" * 40, b'"\\', b""),
        (b"", b"[", b""),
        (b"", b"]", b"[" * 40),
        (b'{"a":"', b"\\", b""),
        (b'{"a":[', b'"x",', b""),
        (b'{"a":{', b'"":0,', b'"":0}}'),
        (b"", b"1", b""),
        (b"", b" ", b""),
        (b'{"a":"', b"\\ud800", b'"}'),
    ],
    ids=ascii,
)
def test_read_json_of_megabytes_of_junk_takes_time_linear_in_their_number(junk: Junk) -> None:
    assert_linear(read_json, junk)


def _outcome(read: Callable[[], BaseModel]) -> BaseModel | tuple[str, tuple[FieldError, ...]]:
    try:
        return read()
    except InvalidInput as error:
        return error.detail, error.fields


def _check_both_ways(model: type[BaseModel], body: bytes) -> None:
    """The short way of `read_request` and the strict one alone come to the same."""
    strict = _outcome(lambda: read_model(model, read_json(body)))
    assert _outcome(lambda: read_request(model, body)) == strict


PIECES = st.sampled_from(
    ['"', '\\"', ":", " :", ": ", ",", "{", "}", "[", "]", "\\", "\\u0041", "\\ud800", "\\n", "\t", "\n", "\0",
     "\ufeff", "null", "true", "NaN", "-Infinity", "1", "-1", "0.5", "1.0", "1e400", "9" * 40, "0." + "5" * 40, "x",
     "头", "\U0001f600", '"query"', '"conversation_id"', '"c"', '"user_id"', '"patient_id"', '"token_threshold_ratio"',
     '"recent_turns"', '"include"', '["turns"]', '"nothing"'],
)  # fmt: skip
MEMBERS = st.sampled_from(
    ['"conversation_id":"c"', '"conversation_id": "c"', '"conversation_id" :"c"', '"conversation_id":"c/d"',
     '"query":"q"', '"query":"q\\":"', '"query":"\\u0041"', '"query":"\\u0000"', '"query":"\\ud800"', '"query":""',
     '"query":null', '"query":1', '"query":"NaN"', '"query":"{"', '"query":"\t"', '"query":"\\x"', '"qu\\u0065ry":"q"',
     '"user_id":"u"', '"patient_id":"u"', '"user_id":null', '"token_threshold_ratio":0.5', '"token_threshold_ratio":1',
     '"token_threshold_ratio":true', '"token_threshold_ratio":1e-1', '"token_threshold_ratio":NaN',
     '"token_threshold_ratio":0.5' + "0" * 40, '"token_threshold_ratio": 0.5' + "0" * 40,
     '"token_threshold_ratio":1e400',
     '"recent_turns":8', '"recent_turns":8.0', '"recent_turns":1e1', '"recent_turns":-0', '"recent_turns":08',
     '"recent_turns":"8"', '"recent_turns":' + "9" * 33, '"recent_turns":' + "9" * 5000, '"include":["turns"]',
     '"include":["turns","turns"]', '"include":[[[]]]', '"include":' + "[" * 40, '"include":"turns"', '"nothing":1'],
)  # fmt: skip


@settings(deadline=None, max_examples=1000)
@given(members=st.lists(MEMBERS, max_size=5), tail=st.sampled_from(["}", "} ", "}x", "}{}", "", ",}"]))
def test_read_request_of_a_plain_body_reads_what_the_strict_way_reads(members: list[str], tail: str) -> None:
    _check_both_ways(QueryMemoryContextRequest, ("{" + ",".join(members) + tail).encode())


@UNHURRIED
@given(pieces=st.lists(PIECES, max_size=25))
def test_read_request_of_junk_reads_what_the_strict_way_reads(pieces: list[str]) -> None:
    _check_both_ways(QueryMemoryContextRequest, "".join(["{", *pieces, "}"]).encode())


@UNHURRIED
@given(text=st.text(), wide=st.booleans(), spaced=st.booleans())
def test_read_request_of_any_text_reads_what_the_strict_way_reads(text: str, wide: bool, spaced: bool) -> None:  # noqa: FBT001 - drawn
    fields = {"conversation_id": "c", "user_query": text, "agent_response": text[::-1]}
    body = json.dumps(fields, ensure_ascii=not wide, separators=(", ", ": ") if spaced else (",", ":"))
    _check_both_ways(WriteTurnRequest, body.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("case", [case for case in CASES if case.status in {200, 400}], ids=lambda case: case.name)
def test_read_request_of_the_corpus_reads_what_the_strict_way_reads(case: Case) -> None:
    _check_both_ways(BY_NAME[case.operation].request, case.body)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_read_request_of_an_example_reads_what_the_strict_way_reads(operation: Operation) -> None:
    for text in (json.dumps(operation.example), json.dumps(operation.example, ensure_ascii=False, indent=1)):
        _check_both_ways(operation.request, text.encode())
        assert read_request(operation.request, text.encode()) == operation.request.model_validate(operation.example)


@pytest.mark.parametrize(
    "junk",
    [
        (b'{"user_id":', b"9", b"}"),
        (b'{"user_id":0.', b"9", b"}"),
        (b'{"user_id":"u","u":', b"[", b""),
        (b'{"user_id":"', b'\\"', b'"}'),
        (b'{"user_id":"u"', b',"user_id":"u"', b"}"),
    ],
    ids=ascii,
)
def test_read_request_of_megabytes_of_junk_takes_time_linear_in_their_number(junk: Junk) -> None:
    assert_linear(lambda body: read_request(GetProfileRequest, body), junk)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(max_length=3)
    inner: list[dict[str, int]] = []


def test_read_model_names_the_fields_at_fault() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_model(_Model, {"name": "long", "inner": [{"a": 1}, {"a": "1"}], "other": 1})
    fields = {error.field: error.message for error in refused.value.fields}
    assert set(fields) == {"name", "inner.1.a", "other"}
    assert fields["other"] == "unknown field"
    assert "name: " in refused.value.detail


def test_read_model_never_echoes_values() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_model(_Model, {"name": "secret of the patient", "inner": "secret of the patient"})
    assert b"secret" not in problem(refused.value)


def test_read_model_bounds_the_errors_and_their_names() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_model(_Model, {"name": "a"} | {f"{i}" + "k" * 100_000: 1 for i in range(30)})
    assert len(refused.value.fields) == 20
    assert len(problem(refused.value)) < 10_000


@pytest.mark.parametrize(
    ("model", "sent", "to_blame"),
    [
        (FindPathRequest, {"user_id": "u", "from": 5, "to": "b"}, "from"),
        (FindPathRequest, {"user_id": "u", "source": 5, "target": "b"}, "source"),
        (FindPathRequest, {"user_id": "u", "to": "b"}, "source"),
        (SearchMemoriesRequest, {"user_id": "u", "query": "q", "max_results": 0}, "max_results"),
        (SearchMemoriesRequest, {"user_id": "u", "query": "q", "limit": 0}, "limit"),
    ],
)
def test_an_error_names_a_field_as_it_was_sent(model: type[BaseModel], sent: dict[str, Any], to_blame: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_model(model, sent)
    assert [each.field for each in refused.value.fields] == [to_blame]


def test_problem_has_the_members_of_rfc_9457() -> None:
    error = InvalidInput("no", fields=(FieldError("a.0", "too long"),))
    assert json.loads(problem(error)) == {
        "type": "urn:anamnesis:problem:invalid_input",
        "title": "Invalid input",
        "status": 400,
        "detail": "no",
        "code": "invalid_input",
        "errors": [{"field": "a.0", "message": "too long"}],
    }


@pytest.mark.parametrize(
    "error", [MemoryGatewayError(), NotFound(), Conflict("x"), Unauthorized(), Overloaded(), StoreFull(), TooLarge()]
)
def test_problem_without_fields_has_no_errors(error: MemoryGatewayError) -> None:
    document = json.loads(problem(error))
    assert set(document) == {"type", "title", "status", "detail", "code"}
    assert document["detail"]


@UNHURRIED
@given(text=st.text())
def test_problem_of_any_text_is_one_line_of_ascii(text: str) -> None:
    raw = problem(NotFound(text))
    assert raw.isascii()
    assert b"\n" not in raw
    assert b"\r" not in raw
    assert json.loads(raw)["detail"] == (text or "Not found")
