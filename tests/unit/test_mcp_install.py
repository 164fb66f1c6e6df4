import json
import shlex
import tomllib

import pytest

from gateway.cli import MCP_CLIENTS, main
from gateway.mcp.install import CLIENTS, Wanted, render

KEYED = Wanted("memory", "http://127.0.0.1:8077/", "/opt/bin/anamnesis", keyed=True)
OPEN = Wanted("memory", "http://127.0.0.1:8077", "/opt/bin/anamnesis", keyed=False)
JSON_CLIENTS = ("claude-desktop", "cursor", "vscode", "gemini", "windsurf", "opencode")


def parts(client: str, wanted: Wanted) -> dict[str, str]:
    """What is printed for a client, by transport."""
    sections = render(wanted, client).split("\n## ")[1:]
    return {section.partition("\n")[0]: section.partition("\n")[2] for section in sections}


def test_command_line_knows_the_clients_that_there_are() -> None:
    assert set(MCP_CLIENTS) == set(CLIENTS)


@pytest.mark.parametrize("client", JSON_CLIENTS)
@pytest.mark.parametrize("wanted", [KEYED, OPEN], ids=["keyed", "open"])
def test_json_configuration_names_server_and_key(client: str, wanted: Wanted) -> None:
    printed = parts(client, wanted)
    assert set(printed) == ({"stdio"} if client == "claude-desktop" else {"http", "stdio"})
    for transport, text in printed.items():
        document = json.loads(text)
        server = next(value for key, value in document.items() if key != "inputs")["memory"]
        if transport == "http":
            assert "http://127.0.0.1:8077/mcp" in server.values()
            assert ("Authorization" in server.get("headers", {})) is wanted.keyed
        else:
            command = server["command"]
            program = command if isinstance(command, list) else [command, *server["args"]]
            assert program[:3] == ["/opt/bin/anamnesis", "mcp", "--url"]
            assert ("ANAMNESIS_API_KEY" in str(server)) is wanted.keyed


@pytest.mark.parametrize("wanted", [KEYED, OPEN], ids=["keyed", "open"])
def test_codex_configuration_is_toml(wanted: Wanted) -> None:
    printed = {
        transport: tomllib.loads(text)["mcp_servers"]["memory"] for transport, text in parts("codex", wanted).items()
    }
    assert printed["http"]["url"] == "http://127.0.0.1:8077/mcp"
    assert printed["http"].get("bearer_token_env_var") == ("ANAMNESIS_API_KEY" if wanted.keyed else None)
    assert printed["stdio"]["command"] == "/opt/bin/anamnesis"
    assert printed["stdio"].get("env_vars") == (["ANAMNESIS_API_KEY"] if wanted.keyed else None)


def test_claude_code_configuration_is_commands() -> None:
    printed = {transport: shlex.split(text) for transport, text in parts("claude-code", KEYED).items()}
    assert printed["http"] == [
        "claude", "mcp", "add", "--transport", "http", "memory", "http://127.0.0.1:8077/mcp",
        "--header", "Authorization: Bearer $ANAMNESIS_API_KEY",
    ]  # fmt: skip
    assert printed["stdio"][-4:] == ["/opt/bin/anamnesis", "mcp", "--url", "http://127.0.0.1:8077/"]


@pytest.mark.parametrize("name", ["", "a b", 'a"]', "记忆", "x" * 65])
def test_name_that_not_every_client_takes_is_refused(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["mcp", "install", "--name", name]) == 2
    assert "--name" in capsys.readouterr().err


def test_install_prints_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "install", "--api-key", "ana_very_secret_key"]) == 0
    printed = capsys.readouterr().out
    assert all(client.title in printed for client in CLIENTS.values())
    assert "ana_very_secret" not in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ["mcp", "--url", "http://far.example:9", "install"],
        ["mcp", "install", "--url", "http://far.example:9"],
        ["mcp", "--url", "http://other.example", "install", "--url", "http://far.example:9"],
    ],
    ids=" ".join,
)
def test_install_prints_the_address_that_is_given(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANAMNESIS_URL", "http://elsewhere.example")
    assert main([*arguments, "--client", "claude-code"]) == 0
    printed = capsys.readouterr().out
    assert " http://far.example:9/mcp\n" in printed
    assert printed.strip().endswith("--url http://far.example:9")


def test_install_after_a_key_prints_where_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--api-key", "ana_very_secret_key", "install", "--client", "codex"]) == 0
    assert 'bearer_token_env_var = "ANAMNESIS_API_KEY"' in capsys.readouterr().out
