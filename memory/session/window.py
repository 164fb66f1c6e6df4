"""Which turns a bot is given, and when a summary is due. Pure arithmetic over token counts.

With T = threshold ratio x model window (tokens), and a window made of a covered part (turns that the
summary covers already) and a fresh part (turns since the last checkpoint):

- below T everything is sent;
- at or above T a summary is due when the fresh part is at least T/4: a checkpoint will then free room;
- otherwise a summary would free next to nothing, so the covered turns shrink instead, oldest first, until
  they fit in T/2. One giant message therefore costs one summary, not one a request.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.model.session import Mode
from memory.session.journal import header

DUE_FRESH_SHARE: Final = 0.25
SHRUNK_COVERED_SHARE: Final = 0.5


class Budget(NamedTuple):
    """What a request may send. `fixed_tokens` are the query, the summary and what stands in the context."""

    model_window_tokens: int
    threshold_ratio: float
    fixed_tokens: int

    @property
    def threshold_tokens(self) -> float:
        """T of the module's docstring."""
        return self.model_window_tokens * self.threshold_ratio


class Window(NamedTuple):
    """The chosen entries. `due`: a summary would help now; `shrunk`: covered turns were left out for room."""

    entries: Sequence[bytes]
    mode: Mode
    tokens: int
    due: bool = False
    shrunk: bool = False

    def ratio(self, budget: Budget) -> float:
        """Tokens of what would be sent, as a share of the model's window."""
        return (self.tokens + budget.fixed_tokens) / budget.model_window_tokens


def choose(
    entries: Sequence[bytes],
    mode: Mode,
    window_tokens: int,
    fresh_tokens: int,
    covers_seq: int,
    budget: Budget,
) -> Window:
    """Choose the window of a live session. Looks inside entries only when the threshold is reached."""
    threshold = budget.threshold_tokens
    if window_tokens + budget.fixed_tokens < threshold:
        return Window(entries, mode, window_tokens)
    if fresh_tokens >= threshold * DUE_FRESH_SHARE:
        return Window(entries, mode, window_tokens, due=True)
    allowed = max(0, threshold * SHRUNK_COVERED_SHARE - budget.fixed_tokens)
    return _shrunk(entries, mode, window_tokens, covers_seq, allowed)


def _shrunk(entries: Sequence[bytes], mode: Mode, window_tokens: int, covers_seq: int, allowed_tokens: float) -> Window:
    headers = [header(entry) for entry in entries]
    covered = sum(tokens for seq, _, tokens in headers if seq <= covers_seq)
    first, turn = 0, 0
    while covered > allowed_tokens:
        turn = headers[first][1]
        while first < len(headers) and headers[first][0] <= covers_seq and headers[first][1] == turn:
            covered -= headers[first][2]
            window_tokens -= headers[first][2]
            first += 1
    return Window(entries[first:], mode, window_tokens, shrunk=first > 0)


def last_turns(entries: Sequence[bytes], covers_seq: int, recent_turns: int) -> Sequence[bytes]:
    """The last `recent_turns` turns up to `covers_seq`, and everything after it."""
    turns: list[int] = []
    first = len(entries)
    for index in range(len(entries) - 1, -1, -1):
        seq, turn, _ = header(entries[index])
        if seq <= covers_seq and (not turns or turns[-1] != turn):
            if len(turns) == recent_turns:
                break
            turns.append(turn)
        first = index
    return entries[first:]


def count(entries: Sequence[bytes], covers_seq: int) -> tuple[int, int]:
    """Return (tokens of all entries, tokens of those after `covers_seq`)."""
    headers = [header(entry) for entry in entries]
    return sum(h[2] for h in headers), sum(h[2] for h in headers if h[0] > covers_seq)
