"""Commands that call a gateway: what they say when it is no gateway that answers, or nobody does."""

import http.server
import io
import json
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.client import AsyncClient, ProblemError
from gateway.commands import client

PAGE = b"<html><h1>502 Bad Gateway</h1></html>"
LINE = '{"conversation": "c", "role": "user", "content": "x"}'

Serve = Callable[[int, bytes, str], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A server that gives the same answer to whatever it is asked: status, body, Retry-After. Returns its address."""
    servers: list[http.server.HTTPServer] = []

    def start(status: int, body: bytes, retry_after: str = "") -> str:
        class Answering(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if retry_after:
                    self.send_header("Retry-After", retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("body", [PAGE, b"", b"[]", b"null", b"\xff"], ids=ascii)
@pytest.mark.parametrize("status", [502, 200])
def test_answer_that_is_no_gateways_exits_1_and_says_so(
    serve: Serve, status: int, body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["profile", "--user-id", "u", "--url", serve(status, body, "")]) == 1
    shown = capsys.readouterr()
    assert f"answered {status}, but not as a gateway" in json.loads(shown.err)["detail"]
    assert not shown.out


@pytest.mark.parametrize(("header", "seconds"), [("7", 7), ("Fri, 31 Dec 2027 23:59:59 GMT", None), ("", None)])
async def test_client_tells_a_proxys_page_as_a_problem(serve: Serve, header: str, seconds: int | None) -> None:
    async with AsyncClient(serve(502, PAGE, header)) as client:
        with pytest.raises(ProblemError, match="not as a gateway") as refused:
            await client.get_profile(user_id="u")
    assert (refused.value.status, refused.value.code, refused.value.retry_after_s) == (502, "", seconds)


def test_replay_through_a_proxy_without_its_gateway_reports_it(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dialogues.jsonl"
    file.write_text(LINE, encoding="utf-8")
    assert main(["replay", str(file), "--json", "--url", serve(502, PAGE, "")]) == 1
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert error.startswith("c: 502 ")


@pytest.mark.parametrize("command", ["profile", "replay"])
def test_gateway_that_never_answers_exits_1_and_says_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "AsyncClient", partial(AsyncClient, timeout_s=0.3))
    file = tmp_path / "dialogues.jsonl"
    file.write_text(LINE, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        what = ["--user-id", "u"] if command == "profile" else [str(file)]
        assert main([command, *what, "--url", url]) == 1
    assert "did not answer in time" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1"])
def test_replay_of_fewer_than_one_at_once_exits_2_and_says_so(
    number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dialogues.jsonl"
    file.write_text(LINE, encoding="utf-8")
    assert main(["replay", str(file), "--at-once", number]) == 2
    assert "--at-once must be at least 1" in capsys.readouterr().err


def test_text_that_is_not_unicode_exits_1_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell hands over bytes that are not UTF-8."""
    assert main(["profile", "--user-id", "\udcff", "--url", "http://127.0.0.1:1"]) == 1
    assert "lone surrogate" in capsys.readouterr().err


COUNTED = {
    "user_id": "u",
    "memories": 3,
    "memunits": 1,
    "sessions": 2,
    "profile": True,
    "state": "DONE",
    "erasure_id": "e",
}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--user-id", "u"],
        ["--all"],
        ["--user-id", "u", "--all", "--conversation-id", "c"],
        ["--all", "--memory-id", "m"],
    ],
)
def test_forget_that_does_not_say_exactly_what_exits_2_and_asks_nobody(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forget", *arguments, "--yes", "--url", "http://127.0.0.1:9"]) == 2
    assert "--all" in capsys.readouterr().err


def test_forget_shows_counts_and_without_a_terminal_wants_yes(
    serve: Serve, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve(200, json.dumps(COUNTED).encode(), "")
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert main(["forget", "--user-id", "u", "--all", "--url", url]) == 2
    shown = capsys.readouterr()
    assert "memories 3, memunits 1, sessions 2, and the profile" in shown.err
    assert "--yes" in shown.err
    assert shown.out == ""
    for more in (["--yes"], ["--dry-run"]):
        assert main(["forget", "--user-id", "u", "--all", *more, "--url", url]) == 0
        assert json.loads(capsys.readouterr().out) == COUNTED


@pytest.mark.parametrize(("answer", "code"), [("yes\n", 0), ("y\n", 1), ("\n", 1), ("", 1)])
def test_forget_asks_on_a_terminal_and_only_yes_is_yes(
    serve: Serve, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal(answer))
    url = serve(200, json.dumps(COUNTED).encode(), "")
    assert main(["forget", "--user-id", "u", "--conversation-id", "c", "--url", url]) == code
    shown = capsys.readouterr()
    assert bool(shown.out) == (code == 0)
    assert ("nothing was erased" in shown.err) == (code == 1)
