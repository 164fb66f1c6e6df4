"""What was worked out before and may be asked for again."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembering(Generic[K, V]):
    """What was worked out before: the longest unused leaves first. For several threads."""

    def __init__(self, entries_max: int) -> None:
        self._entries_max = entries_max
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, key: K, work_out: Callable[[], V]) -> V:
        """What was worked out for this key, or is now."""
        with self._lock:
            known = self._known.pop(key, None)
        if known is None:
            known = work_out()
        with self._lock:
            self._known[key] = known
            if len(self._known) > self._entries_max:
                self._known.popitem(last=False)
        return known
