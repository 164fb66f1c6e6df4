"""What goes into the configuration of MCP clients. Keys are never printed: clients read ANAMNESIS_API_KEY."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memory.errors import InvalidInput

_KEY: Final = "ANAMNESIS_API_KEY"
_PLACEHOLDER: Final = "<your key>"
_NAME: Final = re.compile("[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be installed: a name, the gateway's address, this program's path, and whether a key is needed."""

    name: str
    url: str
    command: str
    keyed: bool

    @property
    def endpoint(self) -> str:
        """Where MCP is answered."""
        return self.url.rstrip("/") + "/mcp"

    def headers(self, reference: str) -> dict[str, Any]:
        """The header of the key, in the client's way of naming an environment variable."""
        return {"headers": {"Authorization": f"Bearer {reference}"}} if self.keyed else {}

    def program(self) -> dict[str, Any]:
        """Command, arguments and environment of the stdio variant."""
        environment = {"env": {_KEY: _PLACEHOLDER}} if self.keyed else {}
        return {"command": self.command, "args": ["mcp", "--url", self.url], **environment}


@dataclass(frozen=True, slots=True)
class Client:
    """A client: where its configuration is, and what goes there over HTTP (None: it can't) and over stdio."""

    title: str
    place: str
    http: Callable[[Wanted], str] | None
    stdio: Callable[[Wanted], str]


def render(wanted: Wanted, client: str | None) -> str:
    """The text for one client, or for all. Raises InvalidInput for a name that not every client takes."""
    if not _NAME.fullmatch(wanted.name):
        raise InvalidInput("--name: letters, digits, - and _, at most 64 of them")
    chosen = [CLIENTS[client]] if client else list(CLIENTS.values())
    return "\n\n".join(_section(wanted, client) for client in chosen)


def _section(wanted: Wanted, client: Client) -> str:
    parts = [f"# {client.title}: {client.place}"]
    if client.http is not None:
        parts += ["## http", client.http(wanted)]
    parts += ["## stdio", client.stdio(wanted)]
    return "\n".join(parts)


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)


def _servers(wanted: Wanted, server: Mapping[str, Any], key: str = "mcpServers") -> str:
    return _json({key: {wanted.name: server}})


def _claude_code_http(wanted: Wanted) -> str:
    header = f' --header "Authorization: Bearer ${_KEY}"' if wanted.keyed else ""
    return f"claude mcp add --transport http {shlex.quote(wanted.name)} {shlex.quote(wanted.endpoint)}{header}"


def _claude_code_stdio(wanted: Wanted) -> str:
    environment = f" --env {_KEY}=${_KEY}" if wanted.keyed else ""
    program = shlex.join([wanted.command, "mcp", "--url", wanted.url])
    return f"claude mcp add --transport stdio {shlex.quote(wanted.name)}{environment} -- {program}"


def _vscode(wanted: Wanted, server: Mapping[str, Any]) -> str:
    asked = {"id": "anamnesis-key", "type": "promptString", "description": "Anamnesis API key", "password": True}
    return _json({"servers": {wanted.name: server}} | ({"inputs": [asked]} if wanted.keyed else {}))


def _vscode_stdio(wanted: Wanted) -> str:
    environment = {"env": {_KEY: "${input:anamnesis-key}"}} if wanted.keyed else {}
    return _vscode(wanted, {"type": "stdio"} | wanted.program() | environment)


def _codex_http(wanted: Wanted) -> str:
    key = [f'bearer_token_env_var = "{_KEY}"'] if wanted.keyed else []
    return "\n".join([f"[mcp_servers.{wanted.name}]", f"url = {json.dumps(wanted.endpoint)}", *key])


def _codex_stdio(wanted: Wanted) -> str:
    program = wanted.program()
    lines = [f"[mcp_servers.{wanted.name}]", f"command = {json.dumps(program['command'])}"]
    lines += [f"args = {json.dumps(program['args'])}"]
    return "\n".join([*lines, f'env_vars = ["{_KEY}"]'] if wanted.keyed else lines)


def _opencode(wanted: Wanted) -> str:
    program = wanted.program()
    environment = {"environment": {_KEY: f"{{env:{_KEY}}}"}} if wanted.keyed else {}
    server = {"type": "local", "command": [program["command"], *program["args"]], "enabled": True}
    return _servers(wanted, server | environment, "mcp")


CLIENTS: Final[Mapping[str, Client]] = {
    "claude-code": Client("Claude Code", "run in a shell", _claude_code_http, _claude_code_stdio),
    "claude-desktop": Client(
        "Claude Desktop", "claude_desktop_config.json (Settings, Developer, Edit Config)",
        None, lambda wanted: _servers(wanted, wanted.program()),
    ),
    "cursor": Client(
        "Cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
        lambda wanted: _servers(wanted, {"url": wanted.endpoint} | wanted.headers(f"${{env:{_KEY}}}")),
        lambda wanted: _servers(wanted, wanted.program()),
    ),
    "vscode": Client(
        "VS Code", ".vscode/mcp.json, or the user's: MCP: Open User Configuration",
        lambda wanted: _vscode(
            wanted, {"type": "http", "url": wanted.endpoint} | wanted.headers("${input:anamnesis-key}")
        ),
        _vscode_stdio,
    ),
    "codex": Client("Codex", "~/.codex/config.toml", _codex_http, _codex_stdio),
    "gemini": Client(
        "Gemini CLI", "~/.gemini/settings.json, or .gemini/settings.json in a project",
        lambda wanted: _servers(wanted, {"httpUrl": wanted.endpoint} | wanted.headers(f"${_KEY}")),
        lambda wanted: _servers(wanted, wanted.program()),
    ),
    "windsurf": Client(
        "Windsurf", "~/.codeium/windsurf/mcp_config.json",
        lambda wanted: _servers(wanted, {"serverUrl": wanted.endpoint} | wanted.headers(f"${{env:{_KEY}}}")),
        lambda wanted: _servers(wanted, wanted.program()),
    ),
    "opencode": Client(
        "OpenCode", "opencode.json",
        lambda wanted: _servers(
            wanted,
            {"type": "remote", "url": wanted.endpoint, "enabled": True} | wanted.headers(f"{{env:{_KEY}}}"),
            "mcp",
        ),
        _opencode,
    ),
}  # fmt: skip
"""The usual clients, as their documentation had it in November 2026."""
