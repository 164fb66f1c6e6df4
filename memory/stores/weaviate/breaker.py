"""A circuit breaker: after failures in a row it stops asking a server that does not answer; later it tries one call."""

from dataclasses import dataclass, field

from memory.errors import StoreUnavailable


@dataclass(slots=True)
class Breaker:
    """Closed: calls pass. Open: calls fail at once. After `open_s` one call passes, and its outcome decides.

    Times are seconds of a clock that never goes back; the caller gives them.
    """

    failures_max: int
    open_s: float
    _failures: int = field(default=0, init=False)
    _retry_at: float = field(default=0.0, init=False)
    _probing: bool = field(default=False, init=False)

    @property
    def is_open(self) -> bool:
        """Whether calls fail at once, but for the one that tries."""
        return self._failures >= self.failures_max

    def admit(self, now: float) -> None:
        """Let a call pass, or raise StoreUnavailable. Whoever passed says how it went."""
        if not self.is_open:
            return
        if self._probing or now < self._retry_at:
            raise StoreUnavailable("Weaviate did not answer several times in a row; asked again in a few seconds")
        self._probing = True

    def succeeded(self) -> None:
        """The server answered (an error of its own is an answer)."""
        self._failures = 0
        self._probing = False

    def failed(self, now: float) -> None:
        """The server did not answer."""
        self._failures += 1
        self._probing = False
        self._retry_at = now + self.open_s

    def abandoned(self) -> None:
        """The caller went away before there was an outcome."""
        self._probing = False
