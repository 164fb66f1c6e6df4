"""Where the next head or body in a stream of bytes ends at the latest. No I/O and no parser here."""

from typing import Final

_END: Final = b"\r\n\r\n"
_TINY_CHUNKS_BYTES_MAX: Final = 16_384
_CHUNKED_RATIO_MAX: Final = 4


class Framing:
    """Cuts what arrives so that no piece holds the end of one message and the beginning of the next.

    What a parser takes in one call it answers or refuses as one. Cut here, the same bytes are the same requests
    however the network cut them, and a request is read only when the one before it is answered. Heads and chunked
    bodies end with an empty line, of which there may be more within a chunk; other bodies end where their length says.
    """

    __slots__ = ("_chunked_bytes", "_left", "_seen", "chunked")

    def __init__(self) -> None:
        self.chunked = False
        self._chunked_bytes = 0
        self._left = 0
        self._seen = b""

    def begin_body(self, length: int | None) -> None:
        """A head has ended, and a body of so many bytes follows; None: in chunks."""
        self.chunked = length is None
        self._chunked_bytes = 0
        self._left = length or 0

    def end_body(self) -> None:
        """A head follows."""
        self.chunked = False

    def size(self, data: bytes) -> int:
        """How many bytes of `data`, which is not empty, are the next piece."""
        if self._left:
            size = min(self._left, len(data))
            self._left -= size
            return size
        seen = self._seen + data
        at = seen.find(_END)
        if at < 0:
            self._seen = seen[-len(_END) + 1 :]
            size = len(data)
        else:
            size = at + len(_END) - len(self._seen)
            self._seen = b""
        self._chunked_bytes += size
        return size

    def wastes(self, content: int) -> bool:
        """Whether the chunks of a body cost much more than its `content`: tiny ones, or endless extensions."""
        return self.chunked and self._chunked_bytes > _TINY_CHUNKS_BYTES_MAX + _CHUNKED_RATIO_MAX * content
