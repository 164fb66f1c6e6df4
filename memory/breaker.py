"""A circuit breaker: who asks a dead endpoint again and again waits in vain each time, and keeps it dead."""

from collections.abc import Callable


class CircuitBreaker:
    """Closed: all calls pass. After `failures_max` failures in a row it is open for `open_s` seconds: none pass.

    Then one call passes as a probe, and no other one until the probe ends (or `open_s` went by without a word of it):
    success closes the breaker, failure opens it for `open_s` again. `now`: seconds of a
    clock that only goes forward. For one event loop; nothing here waits.
    """

    def __init__(self, failures_max: int, open_s: float, now: Callable[[], float]) -> None:
        self._failures_max = failures_max
        self._open_s = open_s
        self._now = now
        self._failures = 0
        self._open_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether no call passes, but for a probe."""
        return self._failures >= self._failures_max

    def allow(self) -> bool:
        """Whether a call may be made now. One who got True tells how it went."""
        if not self.is_open:
            return True
        now = self._now()
        if now < self._open_until:
            return False
        self._open_until = now + self._open_s
        return True

    def succeeded(self) -> None:
        """The call was answered."""
        self._failures = 0

    def abandoned(self) -> None:
        """The caller went away before there was an outcome: another call may probe."""
        if self.is_open:
            self._open_until = self._now()

    def failed(self) -> None:
        """The call was not answered."""
        self._failures += 1
        if self.is_open:
            self._open_until = self._now() + self._open_s
