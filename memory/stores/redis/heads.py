"""The packed counters of a session (lua/head.lua), and whether a window is the one that they count."""

from memory.model.session import SessionHead


def head_of(fields: list[bytes | None]) -> SessionHead | None:
    """Unpack `head` (its order stands in lua/head.lua); the summary and the time zone come as they are.

    A fourth field is what tools gave: `tokens|JSON`.
    """
    packed, summary, timezone, *more = fields
    if packed is None:
        return None
    (rev, seq, turns, tokens, fresh, covers, summary_tokens, recent, resumed, base, _turn_base, started, updated,
     first, last, number, stamp, checkpoint, user, agent) = packed.split(b"|")  # fmt: skip
    return SessionHead(
        int(rev),
        int(seq),
        int(turns),
        int(tokens),
        int(fresh),
        user.decode(),
        agent.decode(),
        stamp,
        resumed == b"1",
        int(covers),
        checkpoint.decode(),
        int(recent),
        int(summary_tokens),
        summary or b'""',
        int(base),
        int(started),
        int(updated),
        first,
        last,
        int(number),
        timezone.decode() if timezone else "",
        *(_tools(more[0]) if more and more[0] else ()),
    )


def _tools(packed: bytes) -> tuple[bytes, int]:
    tokens, _, text = packed.partition(b"|")
    return text, int(tokens)


def _seq(entry: bytes) -> bytes:
    return entry[7 : entry.index(b",", 7)]


def untorn(head: SessionHead | None, live: list[bytes]) -> list[bytes] | None:
    """The window as of the head; None when it was moved away between the two reads."""
    if head is None:
        return live
    if not live:
        return live if head.last_seq == b"0" else None
    if _seq(live[-1]) != head.last_seq:
        last = int(head.last_seq)
        while live and int(_seq(live[-1])) > last:
            live.pop()
    return live if live and _seq(live[0]) == head.first_seq and _seq(live[-1]) == head.last_seq else None
