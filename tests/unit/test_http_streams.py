"""Streams of bytes at the HTTP layer: the same answers however they are cut, each request under its own key."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.http_peer import exchange, listening, run

A, B = b"Host: x\r\nAuthorization: Bearer A\r\n", b"Host: x\r\nAuthorization: Bearer B\r\n"
H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
WEBSOCKET = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
NEXT = b"POST /next HTTP/1.1\r\n" + B + b"Content-Length: 2\r\n\r\n{}"
TOLD_NEXT = ["POST", "/next", "B", "{}"]


def post(target: bytes, headers: bytes, body: bytes = b"") -> bytes:
    return b"POST " + target + b" HTTP/1.1\r\n" + headers + b"\r\n" + body


def chunked(*chunks: bytes, trailer: bytes = b"") -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\n"


CL = b"Content-Length: "
TE = b"Transfer-Encoding: chunked\r\n"
INNER = post(b"/inner", A + CL + b"2\r\n", b"in")
IN_BODY = ["POST", "/a", "A", INNER.decode()]

TAKEN: dict[str, tuple[bytes, list[Any]]] = {
    "post": (post(b"/a", A + CL + b"2\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
    "get": (b"GET /a?x=1 HTTP/1.1\r\n" + A + b"\r\n", [["GET", "/a?x=1", "A", ""]]),
    "chunked": (post(b"/a", A + TE, chunked(b"{", b"\r\n\r\n", b"}")), [["POST", "/a", "A", "{\r\n\r\n}"]]),
    "request in a body": (post(b"/a", A + CL + b"%d\r\n" % len(INNER), INNER), [IN_BODY]),
    "request in a chunk": (post(b"/a", A + TE, chunked(INNER)), [IN_BODY]),
    "length 00": (post(b"/a", A + CL + b"00\r\n"), [["POST", "/a", "A", ""]]),
    "length 002": (post(b"/a", A + CL + b"002\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
    "length with 5,000 zeros": (
        post(b"/a", A + CL + b"0" * 5000 + b"2\r\n", b"{}"),
        [["POST", "/a", "A", "{}"]],
    ),
    "length 0 and an upgrade": (post(b"/a", A + H2C + CL + b"00\r\n"), [["POST", "/a", "A", ""]]),
    "h2c": (b"GET /a HTTP/1.1\r\n" + A + H2C + b"\r\n", [["GET", "/a", "A", ""]]),
    "h2c with a body": (post(b"/a", A + H2C + CL + b"2\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
    "h2c with chunks": (post(b"/a", A + H2C + TE, chunked(b"\r\n", b"}")), [["POST", "/a", "A", "\r\n}"]]),
    "websocket": (b"GET /a HTTP/1.1\r\n" + A + WEBSOCKET + b"\r\n", [["GET", "/a", "A", ""]]),
    "websocket with a body": (post(b"/a", A + WEBSOCKET + CL + b"2\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
    "trailer with a key": (
        post(b"/a", A + TE, chunked(b"{}", trailer=b"Authorization: Bearer A\r\n")),
        [["POST", "/a", "A", "{}"]],
    ),
    "trailers": (
        post(b"/a", A + TE, chunked(b"{}", trailer=b"X: y\r\nAuthorization: Bearer A\r\nHost: z\r\n")),
        [["POST", "/a", "A", "{}"]],
    ),
    "key in a trailer only": (post(b"/a", b"Host: x\r\n" + TE, chunked(b"{}", trailer=A[9:])), [401]),
    "absolute": (post(b"http://y/a", A + CL + b"2\r\n", b"{}"), [["POST", "http://y/a", "A", "{}"]]),
    "1.0 kept": (
        b"POST /a HTTP/1.0\r\nConnection: keep-alive\r\n" + A + CL + b"2\r\n\r\n{}",
        [["POST", "/a", "A", "{}"]],
    ),
    "refused by its head": (post(b"/nowhere", A + CL + b"%d\r\n" % len(INNER), INNER), [404]),
    "refused by its head, chunked": (post(b"/nowhere", A + TE, chunked(INNER, trailer=b"X: y\r\n" + A[9:])), [404]),
    "without a key": (post(b"/a", b"Host: x\r\n" + CL + b"%d\r\n" % len(INNER), INNER), [401]),
    "empty lines before": (b"\r\n\r\n" + post(b"/a", A + CL + b"2\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
}
"""Requests after which the connection goes on, and what is answered."""

LAST: dict[str, tuple[bytes, list[Any]]] = {
    "close": (post(b"/a", A + b"Connection: close\r\n" + CL + b"2\r\n", b"{}"), [["POST", "/a", "A", "{}"]]),
    "close and upgrade": (
        post(b"/a", A + b"Connection: close, Upgrade\r\nUpgrade: h2c\r\n" + CL + b"2\r\n", b"{}"),
        [["POST", "/a", "A", "{}"]],
    ),
    "1.0": (b"POST /a HTTP/1.0\r\n" + A + CL + b"2\r\n\r\n{}", [["POST", "/a", "A", "{}"]]),
    "1.0 chunked": (b"POST /a HTTP/1.0\r\n" + A + TE + b"\r\n" + chunked(b"{}"), [400]),
    "length and chunks": (post(b"/a", A + CL + b"2\r\n" + TE, chunked(b"{}")), [400]),
    "chunks and length": (post(b"/a", A + TE + CL + b"2\r\n", chunked(b"{}")), [400]),
    "two lengths": (post(b"/a", A + CL + b"2\r\n" + CL + b"3\r\n", b"{}"), [400]),
    "two equal lengths": (post(b"/a", A + CL + b"2\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "list of lengths": (post(b"/a", A + CL + b"2, 2\r\n", b"{}"), [400]),
    "length with a sign": (post(b"/a", A + CL + b"+2\r\n", b"{}"), [400]),
    "length below zero": (post(b"/a", A + CL + b"-1\r\n", b"{}"), [400]),
    "length in hex": (post(b"/a", A + CL + b"0x2\r\n", b"{}"), [400]),
    "length with a gap": (post(b"/a", A + CL + b"6 6\r\n", b"{}"), [400]),
    "length of 2**64": (post(b"/a", A + CL + b"18446744073709551616\r\n", b"{}"), [400]),
    "empty length": (post(b"/a", A + CL + b"\r\n", b"{}"), [400]),
    "chunked twice": (post(b"/a", A + TE + TE, chunked(b"{}")), [400]),
    "xchunked": (post(b"/a", A + b"Transfer-Encoding: xchunked\r\n", chunked(b"{}")), [400]),
    "chunked, identity": (post(b"/a", A + b"Transfer-Encoding: chunked, identity\r\n", chunked(b"{}")), [400]),
    "gzip, chunked": (post(b"/a", A + b"Transfer-Encoding: gzip, chunked\r\n", chunked(b"{}")), [400]),
    "identity": (post(b"/a", A + b"Transfer-Encoding: identity\r\n", b""), [400]),
    "vertical tab": (post(b"/a", A + b"Transfer-Encoding: \x0bchunked\r\n", chunked(b"{}")), [400]),
    "space before the colon": (post(b"/a", A + b"Transfer-Encoding : chunked\r\n", chunked(b"{}")), [400]),
    "folded header": (post(b"/a", A + b"X: y\r\n z\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "bare LF": (post(b"/a", A + b"X: y\n" + CL + b"2\r\n", b"{}"), [400]),
    "bare CR": (post(b"/a", A + b"X: y\rZ: z\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "NUL": (post(b"/a", A + b"X: \0\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "no colon": (post(b"/a", A + b"X\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "chunk that is longer": (post(b"/a", A + TE, b"1\r\n{}\r\n0\r\n\r\n"), [400]),
    "chunk size that is none": (post(b"/a", A + TE, b"g\r\n{}\r\n0\r\n\r\n"), [400]),
    "chunk with a bare LF": (post(b"/a", A + TE, b"2\n{}\r\n0\r\n\r\n"), [400]),
    "chunk beyond 64 bits": (post(b"/a", A + TE, b"10000000000000002\r\n{}\r\n0\r\n\r\n"), [400]),
    "trailer that is a second host": (post(b"/a", A + TE, chunked(b"{}", trailer=A)), [400]),
    "no host": (post(b"/a", A[9:] + CL + b"2\r\n", b"{}"), [400]),
    "two hosts": (post(b"/a", A + b"Host: y\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "two keys": (post(b"/a", A + B[9:] + CL + b"2\r\n", b"{}"), [400]),
    "two types": (post(b"/a", A + b"Content-Type: a/b\r\ncontent-type: c/d\r\n" + CL + b"2\r\n", b"{}"), [400]),
    "target without a host": (post(b"http://[", A + CL + b"2\r\n", b"{}"), [400]),
    "words": (b"GARBAGE\r\n\r\n", [400]),
    "head over its limit": (b"GET /a HTTP/1.1\r\n" + A + b"X: " + b"a" * 16_384 + b"\r\n\r\n", [400]),
}
"""Requests that end their connection, and what is answered: nothing after them."""


@pytest.mark.parametrize("name", TAKEN)
def test_request_cut_anywhere_is_answered_as_itself_and_so_is_the_next(name: str) -> None:
    sent, told = TAKEN[name]
    _check_cuts(sent + NEXT, [*told, TOLD_NEXT], _places(sent))


@pytest.mark.parametrize("name", LAST)
def test_request_that_ends_its_connection_does_so_however_it_is_cut(name: str) -> None:
    sent, told = LAST[name]
    _check_cuts(sent + NEXT, told, _places(sent))


@pytest.mark.parametrize("name", LAST)
def test_request_before_one_that_ends_the_connection_is_answered(name: str) -> None:
    sent, told = LAST[name]
    whole = NEXT + sent + NEXT
    _check_cuts(whole, [TOLD_NEXT, *told], (len(NEXT) - 1, len(NEXT), len(NEXT) + 2, len(whole) - len(NEXT) - 3))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(sorted(TAKEN)), min_size=1, max_size=40), st.data())
def test_pipelined_requests_are_answered_in_order_however_they_are_cut(names: list[str], data: st.DataObject) -> None:
    sent = b"".join(TAKEN[name][0] for name in names)
    told = [each for name in names for each in TAKEN[name][1]]
    _check_cuts(sent, told, data.draw(st.lists(st.integers(1, len(sent) - 1), max_size=4)))


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200))
def test_junk_is_refused_and_what_came_before_it_is_answered(junk: bytes) -> None:
    async def send() -> None:
        async with listening() as port:
            assert (await exchange(port, NEXT + junk))[0] == TOLD_NEXT
            assert (await exchange(port, NEXT, junk))[0] == TOLD_NEXT

    run(send)


def _places(sent: bytes) -> Sequence[int]:
    """Where to cut it: everywhere, or here and there when it is long."""
    return range(1, len(sent) + 5) if len(sent) < 1000 else [*range(1, len(sent), 997), len(sent) - 1, len(sent) + 1]


def _check_cuts(sent: bytes, told: list[Any], places: Sequence[int]) -> None:
    async def send() -> None:
        async with listening() as port:
            assert await exchange(port, sent) == told
            for first in range(0, len(places), 50):
                cuts = places[first : first + 50]
                found = await asyncio.gather(*(exchange(port, sent[:cut], sent[cut:]) for cut in cuts))
                assert {cut: each for cut, each in zip(cuts, found, strict=True) if each != told} == {}

    run(send)
