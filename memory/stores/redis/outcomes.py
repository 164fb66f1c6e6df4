"""What the append script answered, as values and errors."""

from collections.abc import Callable
from typing import Any, Final

from memory.errors import (
    IdempotencyConflict,
    InvalidInput,
    InvariantBroken,
    RevisionConflict,
    SessionIsFull,
    UserConflict,
)
from memory.limits import SESSION_STATES_MAX
from memory.model.session import Appended, Mode


def _mode(covers: bytes) -> Mode:
    return Mode.SUMMARY_N if covers != b"0" else Mode.FULL_HISTORY


def _written(reply: list[Any]) -> Appended:
    _, rev, seq, turns, updated, covers, tokens, fresh, summary_tokens, user = reply
    return Appended(
        int(rev), int(seq), int(turns), int(updated), _mode(covers),
        window_tokens=int(tokens), fresh_tokens=int(fresh), summary_tokens=int(summary_tokens or 0),
        nobodys=not user, user_id=user.decode(),
    )  # fmt: skip


def _replayed(reply: list[Any]) -> Appended:
    _, rev, seq, turns, updated, covers, owned = reply
    return Appended(int(rev), int(seq), int(turns), int(updated), _mode(covers), replayed=True, nobodys=not int(owned))


def _absent(_: list[Any]) -> None:
    return None


def _other_revision(reply: list[Any]) -> Appended:
    raise RevisionConflict(f"if_rev does not match: the session is at revision {int(reply[1])}")


def _other_body(_: list[Any]) -> Appended:
    raise IdempotencyConflict("this idempotency key was used with another body")


def _other_user(_: list[Any]) -> Appended:
    raise UserConflict("this conversation belongs to another user")


def _full(_: list[Any]) -> Appended:
    raise SessionIsFull("the session has as many turns or bytes as it may have")


def _many_states(_: list[Any]) -> Appended:
    raise InvalidInput(f"a session has up to {SESSION_STATES_MAX} entities and slots: delete some first (null)")


_OUTCOMES: Final[dict[bytes, Callable[[list[Any]], Appended | None]]] = {
    b"ok": _written,
    b"replayed": _replayed,
    b"absent": _absent,
    b"revision": _other_revision,
    b"idempotency": _other_body,
    b"user": _other_user,
    b"full": _full,
    b"states": _many_states,
}


def appended(reply: list[Any]) -> Appended | None:
    """Read a reply of append.lua; raises what its refusals mean."""
    outcome = _OUTCOMES.get(reply[0])
    if outcome is None:
        raise InvariantBroken(f"append answered {reply[0]!r}")
    return outcome(reply)
