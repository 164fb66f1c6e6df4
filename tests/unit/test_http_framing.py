"""Where heads and bodies end: the same places however the bytes are cut, and never past the end of a message."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.http.framing import Framing

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n\r\n"


def pieces(framing: Framing, *packets: bytes) -> list[bytes]:
    found = []
    for packet in packets:
        data = packet
        while data:
            size = framing.size(data)
            assert 0 < size <= len(data)
            found.append(data[:size])
            data = data[size:]
    return found


def test_framing_cuts_after_each_empty_line() -> None:
    assert pieces(Framing(), HEAD + HEAD + b"GET") == [HEAD, HEAD, b"GET"]


@given(st.binary(max_size=20).map(lambda b: b.replace(b"\r", b"")), st.data())
def test_framing_finds_an_empty_line_however_it_is_cut(after: bytes, data: st.DataObject) -> None:
    sent = HEAD + after
    cut = data.draw(st.integers(1, len(sent) - 1))
    found = pieces(Framing(), sent[:cut], sent[cut:])
    assert b"".join(found) == sent
    ends = [len(b"".join(found[: i + 1])) for i in range(len(found))]
    assert len(HEAD) in ends


def test_framing_of_a_body_with_a_length_is_that_length_and_empty_lines_in_it_are_nothing() -> None:
    framing = Framing()
    framing.begin_body(12)
    assert pieces(framing, b"a\r\n\r\n", b"b\r\n\r\n12" + HEAD) == [b"a\r\n\r\n", b"b\r\n\r\n12", HEAD]


def test_framing_of_chunks_ends_where_an_empty_line_does() -> None:
    framing = Framing()
    framing.begin_body(None)
    assert pieces(framing, b"1\r\na\r\n0\r", b"\n\r\n" + HEAD) == [b"1\r\na\r\n0\r", b"\n\r\n", HEAD]


def test_framing_tells_chunks_that_cost_more_than_they_hold() -> None:
    framing = Framing()
    framing.begin_body(None)
    size = 0
    while not framing.wastes(size):
        framing.size(b"1\r\na\r\n")
        size += 1
    assert 5_000 < size < 10_000, "a small body may come in any chunks"
    framing.end_body()
    assert not framing.wastes(0)
