"""What is told, to who counts it, of what the product does."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Final, NamedTuple

from memory.service.linked import Walking
from memory.service.settling import AfterSettling
from memory.service.write import AfterWrite


class Watching(NamedTuple):
    """Each is called while a caller waits: it must be quick and must not raise."""

    after_write: Sequence[AfterWrite] = ()
    after_settling: AfterSettling = lambda _: None
    walking: Walking = lambda _: nullcontext()


UNWATCHED: Final = Watching()
