import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.session import Message, Mode, Role
from memory.session.journal import decode, encode_message, header, render
from memory.session.window import Budget, choose, count, last_turns

WINDOW = 1000  # tokens of the model; threshold 750


def entry(seq: int, turn: int, tokens: int, content: str = "x") -> bytes:
    encoded = encode_message(Message(Role.USER, content), tokens, starts_turn=True)
    return b'{"seq":%d,"turn":%d,"at":1,' % (seq, turn) + encoded.fragment


def chosen(sizes: list[int], covered: int, fixed: int = 0) -> tuple[list[int], bool, bool]:
    """Turns of one message each; the first `covered` are covered. Returns (seqs kept, due, shrunk)."""
    entries = [entry(n + 1, n + 1, size) for n, size in enumerate(sizes)]
    tokens, fresh = count(entries, covered)
    window = choose(entries, Mode.SUMMARY_N, tokens, fresh, covered, Budget(WINDOW, 0.75, fixed))
    assert window.tokens == sum(header(kept)[2] for kept in window.entries)
    return [header(kept)[0] for kept in window.entries], window.due, window.shrunk


@pytest.mark.parametrize(("total", "due"), [(749, False), (750, True), (751, True)])
def test_summary_is_due_from_the_threshold_on(total: int, *, due: bool) -> None:
    kept, is_due, shrunk = chosen([total], covered=0)
    assert (kept, is_due, shrunk) == ([1], due, False)


@pytest.mark.parametrize(("fresh", "due"), [(187, False), (188, True)])
def test_summary_is_due_only_when_it_frees_a_quarter(fresh: int, *, due: bool) -> None:
    _, is_due, shrunk = chosen([700, fresh], covered=1)
    assert (is_due, shrunk) == (due, not due)


def test_covered_turns_leave_oldest_first_until_half_the_threshold() -> None:
    assert chosen([200, 200, 200, 200], covered=4) == ([4], False, True)
    assert chosen([300, 70, 300, 100], covered=3) == ([2, 3, 4], False, True)


def test_fresh_turns_are_never_left_out() -> None:
    assert chosen([900, 100], covered=1, fixed=740) == ([2], False, True)


def test_giant_query_asks_for_no_summary() -> None:
    assert chosen([10], covered=0, fixed=900) == ([1], False, False)


def test_last_turns_keeps_whole_turns_and_all_since() -> None:
    entries = [entry(n, (n + 1) // 2, 1) for n in range(1, 11)]
    assert [header(e)[0] for e in last_turns(entries, 8, 2)] == [5, 6, 7, 8, 9, 10]
    assert [header(e)[0] for e in last_turns(entries, 8, 0)] == [9, 10]
    assert last_turns(entries, 10, 99) == entries


@given(st.lists(st.integers(1, 400), max_size=30), st.integers(0, 30), st.integers(0, 400))
def test_window_never_drops_what_no_summary_covers(sizes: list[int], covered: int, fixed: int) -> None:
    kept, due, shrunk = chosen(sizes, covered, fixed)
    assert set(range(covered + 1, len(sizes) + 1)) <= set(kept)
    assert kept == list(range(len(sizes) - len(kept) + 1, len(sizes) + 1))
    assert not (due and shrunk)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(texts, st.sampled_from(Role), st.text(min_size=0, max_size=12), texts, st.integers(0, 10**6))
def test_entry_reads_back_whatever_it_holds(content: str, role: Role, name: str, raw: str, tokens: int) -> None:
    name = name.encode("utf-8", "ignore").decode()
    message = Message(role, content, name, "agent_1", "2026-01-01T00:00:00Z", raw)
    stored = b'{"seq":7,"turn":4,"at":12,' + encode_message(message, tokens, starts_turn=True).fragment
    assert header(stored) == (7, 4, tokens)
    assert decode(stored).message == message
    history, messages = render([stored, stored], "zh")
    assert history
    assert messages.count(b'"role"') >= 2
