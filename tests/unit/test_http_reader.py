"""The HTTP reader: the same requests however their bytes are cut, and nothing past a fault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.http.reader import HEAD_BYTES_MAX, HEADERS_MAX, Awaited, Received, RequestReader
from memory.errors import InvalidInput, TooLarge
from memory.limits import BODY_BYTES_MAX

POST = b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"
GET = b"GET /live?x=1 HTTP/1.1\r\nHost: x\r\n\r\n"
OLD = b"GET /live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
UPGRADE = b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\n" + OFFER + b"Content-Length: 2\r\n\r\n{}"
UPGRADE_CHUNKED = b"POST /b HTTP/1.1\r\nHost: x\r\n" + OFFER + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
UPGRADE_WITHOUT = b"GET /live HTTP/1.1\r\nHost: x\r\n" + OFFER + b"\r\n"
KINDS = (POST, CHUNKED, GET, OLD, UPGRADE, UPGRADE_CHUNKED, UPGRADE_WITHOUT)


def read(data: bytes, *cuts: int) -> RequestReader:
    reader = RequestReader()
    at = 0
    for cut in (*sorted(cuts), len(data)):
        reader.feed(data[at:cut])
        at = cut
    return reader


def told(received: Received) -> tuple[bytes, bytes, bytes, bytes]:
    return received.request.method, received.request.target, received.body, received.connection


ALONE = {kind: told(read(kind).whole[0]) for kind in KINDS}


def test_each_kind_alone() -> None:
    assert list(ALONE.values()) == [
        (b"POST", b"/v1/WriteTurn", b"{}", b""),
        (b"POST", b"/a", b"{}", b""),
        (b"GET", b"/live?x=1", b"", b""),
        (b"GET", b"/live", b"", b"keep-alive"),
        (b"POST", b"/v1/WriteTurn", b"{}", b""),
        (b"POST", b"/b", b"{}", b""),
        (b"GET", b"/live", b"", b""),
    ]


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5), st.data())
def test_requests_are_the_same_however_their_bytes_are_cut(kinds: list[bytes], data: st.DataObject) -> None:
    sent = b"".join(kinds)
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=8))
    reader = read(sent, *cuts)
    assert reader.fault is None
    assert [told(received) for received in reader.whole] == [ALONE[kind] for kind in kinds]
    assert (reader.awaited, reader.arriving) == (Awaited.REQUEST, None)


@given(st.binary(max_size=200), st.sampled_from((b"", GET, POST[:-30])))
def test_junk_raises_nothing_and_leaves_what_came_before(junk: bytes, before: bytes) -> None:
    reader = read(before + junk)
    assert len(reader.whole) >= (before == GET)


def test_head_is_known_before_its_body() -> None:
    reader = read(POST[:-1])
    assert reader.arriving is not None
    assert (reader.arriving.target, reader.awaited) == (b"/v1/WriteTurn", Awaited.BODY)
    assert not reader.whole


def test_stage_moves_with_each_head_and_body_and_not_with_dripping_bytes() -> None:
    reader = RequestReader()
    stages = []
    for index in range(len(POST)):
        reader.feed(POST[index : index + 1])
        stages.append(reader.stage)
    assert sorted(set(stages)) == [1, 2]


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * HEAD_BYTES_MAX + b"\r\n",
        b"GET /" + b"a" * HEAD_BYTES_MAX + b" HTTP/1.1\r\nHost: a\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: a\r\n" * HEADERS_MAX,
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
    ],
    ids=[
        "no host",
        "two hosts",
        "two keys",
        "long header",
        "long target",
        "many headers",
        "two framings",
        "two lengths",
    ],
)
def test_head_that_could_mean_two_things_or_too_much_is_a_fault(head: bytes) -> None:
    reader = read(head + b"\r\n" + GET)
    assert isinstance(reader.fault, InvalidInput)
    assert not reader.whole


def test_chunked_body_over_the_limit_is_a_fault_before_it_is_whole() -> None:
    reader = RequestReader()
    reader.feed(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
    for _ in range(BODY_BYTES_MAX // 65_536 + 1):
        reader.feed(chunk)
    assert isinstance(reader.fault, TooLarge)


def test_unexpected_error_in_a_callback_is_not_taken_for_the_peers_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: RequestReader, _url: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(RequestReader, "on_url", broken)
    with pytest.raises(Exception, match="callback") as caught:
        RequestReader().feed(GET)
    assert isinstance(caught.value.__context__, ZeroDivisionError)
