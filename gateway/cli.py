"""The command `anamnesis`: serve, worker, doctor, stores, replay, keys, pseudonyms, and one for each operation."""

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from gateway.auth import ALL_SCOPES, DEFAULT_TENANT, hash_key, new_key
from gateway.commands.asked import settings_of
from gateway.config import sources as config
from gateway.config.settings import DEFAULT_URL
from gateway.openapi import program_version
from gateway.operations import OPERATIONS, Operation
from gateway.terminal import EXIT_SETUP, complain, show
from memory.errors import InvalidInput, SetupError
from memory.scope import require_id
from memory.visible import visible

_EXIT_UNREAD: Final = 141
"""As a shell tells a program whose reader has gone."""
MCP_CLIENTS: Final = (
    "claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini", "windsurf", "opencode",
)  # fmt: skip
RULES: Final = ("dates", "facts", "identifiers", "privacy", "resolve", "safety", "statements")

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 1 refused or failed, 2 wrong use or setup."""
    asked = _parser().parse_args(arguments)
    command: Command = asked.command
    return _bordered(lambda: command(asked))


def _bordered(run: Callable[[], int]) -> int:
    """Run it; what users can do something about becomes a line of text and an exit status."""
    try:
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:  # `anamnesis ... | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _EXIT_UNREAD
    except (SetupError, InvalidInput) as error:
        complain(error.detail)
        return EXIT_SETUP
    except KeyboardInterrupt:
        return 130
    return status


class _Parser(argparse.ArgumentParser):
    """One that shows what it was given, and does not let a terminal obey it.

    `fill` adds the arguments once they are asked for: each start names one command, and there are seventy.
    """

    fill: Callable[[argparse.ArgumentParser], None] | None = None

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self)
        return super().parse_known_args(*arguments, **named)

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _late(module: str) -> Any:
    """A module of commands that only they need: loading all for each would double the start of the gateway."""
    return importlib.import_module(f"gateway.{module}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="anamnesis",
        description="A memory gateway for multi-agent bots. 多智能体对话机器人的记忆网关。",
        epilog="Start with `anamnesis serve`; every setting is explained in config.yaml.",
    )
    parser.add_argument("--version", action="version", version=f"anamnesis {program_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_processes(commands)
    _add_tools(commands)
    _add_rules(commands)
    _add_mcp(commands)
    own = {"ForgetMemory": _add_forget, "ExportMemories": _add_export, "ImportMemories": _add_import}
    for operation in OPERATIONS:
        own.get(operation.name, _add_operation)(commands, operation)
    return parser


def _add_processes(commands: Any) -> None:
    gateway = commands.add_parser(
        "serve", help="run the gateway (with its Valkey and its worker, when no REDIS_URL is set)"
    )
    gateway.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    gateway.add_argument("--port", type=int, help="TCP port (default 8077; 0: any)")
    gateway.add_argument("--no-worker", action="store_true", help="leave finalisation to `anamnesis worker`")
    worker = commands.add_parser("worker", help="run only the worker: sweeper and finalisation")
    worker.add_argument("--metrics-port", type=int, help="answer /live, /health and /metrics there (0: any port)")
    doctor = commands.add_parser("doctor", help="check Redis, store, tokens and settings, and say what to do")
    verify = commands.add_parser("verify-store", help="prove of every memory that its store finds it")
    verify.add_argument("--repair", action="store_true", help="write anew what is not found")
    reindex = commands.add_parser(
        "reindex",
        help="build the index of the memories for these settings, beside the one in use",
        description="For another embedding model, or words that are cut in another way. Gateways go on serving.",
    )
    reindex.add_argument(
        "--drop-old", action="store_true", help="remove the indexes of other settings, once no gateway uses them"
    )
    move = commands.add_parser(
        "move-store",
        help="copy all memories, MemUnits and profiles to the other store, and compare",
        description="From SQLite (data.dir) to Weaviate (weaviate.url) or back. Nothing is deleted at the source.",
    )
    move.add_argument("--to", required=True, choices=("weaviate", "sqlite"), help="the store that is copied to")
    move.add_argument(
        "--prune", action="store_true", help="erase from the target what the source does not have (any more)"
    )
    for command, name in (
        (gateway, "serve"),
        (worker, "worker"),
        (doctor, "doctor"),
        (verify, "verify"),
        (reindex, "reindex"),
        (move, "move"),
    ):
        command.add_argument("--data-dir", type=Path, help="folder of the embedded stores (default ./anamnesis-data)")
        command.add_argument("--config", type=Path, help="a YAML file with settings (see config.yaml)")
        command.set_defaults(command=partial(_run_process, name))


def _run_process(name: str, asked: argparse.Namespace) -> int:
    return int(getattr(_late("commands.processes"), name)(asked))


def _add_tools(commands: Any) -> None:
    keys = commands.add_parser("new-key", help="make an API key and the entry of auth.keys for it")
    keys.add_argument("--tenant", required=True, help="the tenant that the key decides")
    keys.add_argument(
        "--scopes",
        default="read,write",
        help="of read, write, erase (to forget), admin (all of these), operate (settings and doctor of the gateway; "
        "in no other) (default read,write)",
    )
    keys.add_argument("--name", default="", help="a note on whose key it is")
    keys.set_defaults(command=_new_key)
    player = commands.add_parser("replay", help="play dialogues (JSON Lines) through a gateway and report")
    player.add_argument("file", type=Path, help="lines of {conversation, role, content, name?, time?}; - for stdin")
    player.add_argument("--user", help="user id of all conversations (default: one for each conversation)")
    player.add_argument("--prefix", default="", help="put before every conversation id")
    player.add_argument("--finalize", action="store_true", help="end each session and wait until it is in memory")
    player.add_argument("--at-once", type=int, default=8, help="conversations played in parallel (default 8)")
    player.add_argument("--json", action="store_true", help="print the report as JSON")
    _add_pseudonyms(commands)
    _add_address(player)
    player.set_defaults(command=lambda asked: _late("commands.client").play(asked))


def _add_pseudonyms(commands: Any) -> None:
    tool = commands.add_parser("pseudonyms", help="make a key for pseudonyms of identifiers, or take them back with it")
    actions = tool.add_subparsers(title="actions", metavar="ACTION", required=True)
    made = actions.add_parser("new-key", help="make a key and the entry of privacy.keys for it")
    made.add_argument("--tenant", default=DEFAULT_TENANT, help="whose identifiers (default: default)")
    made.set_defaults(command=lambda asked: _late("commands.pseudonyms").new_key(asked.tenant))
    back = actions.add_parser("reveal", help="text or JSON Lines on standard input, with the pseudonyms put back")
    back.add_argument("--tenant", default=DEFAULT_TENANT, help="whose key is used (default: default)")
    back.add_argument("--config", type=Path, help="a YAML file with settings (see config.yaml)")
    back.set_defaults(command=lambda asked: _late("commands.pseudonyms").reveal(settings_of(asked), asked.tenant))


def _add_rules(commands: Any) -> None:
    rules = commands.add_parser(
        "rules",
        help="what the rules make of texts (JSON Lines on standard input), and why",
        description='Reads {"text", "context": [{"speaker", "text"}], "user_name"?, "now"?} line by line.',
    )
    rules.add_argument("kind", choices=RULES, help="which rules")
    rules.add_argument("--config", type=Path, help="a YAML file with settings (see config.yaml)")
    rules.set_defaults(command=lambda asked: _late("commands.rules").run(asked.kind, settings_of(asked)))


def _add_mcp(commands: Any) -> None:
    mcp = commands.add_parser(
        "mcp",
        help="serve MCP on standard input and output, for a running gateway; `mcp install` says how clients start it",
    )
    mcp.add_argument("--embedded", action="store_true", help="run a gateway of its own as long as the client is there")
    mcp.add_argument("--data-dir", type=Path, help="with --embedded: folder of its stores (default ./anamnesis-data)")
    mcp.add_argument("--config", type=Path, help="with --embedded: a YAML file with settings (see config.yaml)")
    _add_address(mcp)
    mcp.set_defaults(command=lambda asked: _late("mcp.command").run(asked))
    install = mcp.add_subparsers(title="commands", metavar="install").add_parser(
        "install", help="print what goes into the configuration of MCP clients"
    )
    install.add_argument("--client", choices=MCP_CLIENTS, help="for this client only (default: all)")
    install.add_argument("--name", default="anamnesis", help="what the client calls the server (default anamnesis)")
    _add_address(install, kept=True)
    install.set_defaults(command=lambda asked: _late("mcp.command").install(asked))


def _add_address(command: argparse.ArgumentParser, *, kept: bool = False) -> None:
    """Where the gateway is. `kept`: for a command below one that asks too, whose answer holds unless given again."""
    environment = config.environment()
    url = environment.get("ANAMNESIS_URL", DEFAULT_URL)
    key = environment.get("ANAMNESIS_API_KEY")
    command.add_argument("--url", default=argparse.SUPPRESS if kept else url, help="the gateway's address")
    command.add_argument("--api-key", default=argparse.SUPPRESS if kept else key, help="or ANAMNESIS_API_KEY")


def _add_operation(commands: Any, operation: Operation) -> None:
    text = operation.description
    command = commands.add_parser(operation.cli, help=text.partition(". ")[0], description=text)
    command.fill = partial(_add_fields, operation)
    command.set_defaults(command=lambda asked: _late("commands.client").call(asked, operation))


def _add_fields(operation: Operation, command: argparse.ArgumentParser) -> None:
    schema = operation.request.model_json_schema(by_alias=False)["properties"]
    for name, info in operation.request.model_fields.items():
        plain = _is_text(schema[name])
        command.add_argument(
            "--" + name.replace("_", "-"),
            dest=f"field_{name}",
            required=info.is_required(),
            type=str if plain else _json_value,
            metavar="TEXT" if plain else "JSON",
            help=(info.description or "").replace("%", "%%"),
        )
    _add_address(command)


def _add_forget(commands: Any, operation: Operation) -> None:
    """As other operations, but for what cannot be undone: it counts first, and asks."""
    forget = commands.add_parser(
        operation.cli,
        help=operation.description.partition(". ")[0],
        description=operation.description + " Shows what that is and asks, unless told --yes.",
    )
    forget.add_argument("--user-id", metavar="TEXT", help="whose: with --conversation-id, --memory-id or --all")
    forget.add_argument("--conversation-id", metavar="TEXT", help="all that the user has of one conversation")
    forget.add_argument("--memory-id", metavar="TEXT", help="one memory; whose it is need not be said")
    forget.add_argument("--all", action="store_true", dest="everything", help="all of the user")
    forget.add_argument("--dry-run", action="store_true", help="only count what would be gone")
    forget.add_argument("--wait-ms", type=int, metavar="MS", help="how long to wait for files to be cleaned")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    _add_address(forget)
    forget.set_defaults(command=lambda asked: _late("commands.client").forget(asked, operation))


def _add_export(commands: Any, operation: Operation) -> None:
    """All pages, to a file."""
    export = commands.add_parser(
        operation.cli,
        help="write memories of one user, or of all, to a file",
        description=operation.description,
    )
    export.add_argument("file", type=Path, help="what is written, once it is whole; - for standard output")
    export.add_argument(
        "--user", "--user-id", metavar="ID", help="only this user's (default: of all users of the tenant)"
    )
    export.add_argument(
        "--format",
        choices=("jsonl", "csv", "txt"),
        default="jsonl",
        help="jsonl: for `anamnesis import`, whole; csv: for spreadsheets; txt: to read (default jsonl)",
    )
    _add_language(export)
    _add_address(export)
    export.set_defaults(command=lambda asked: _late("commands.transfer").export(asked, operation))


def _add_import(commands: Any, operation: Operation) -> None:
    """All of a file."""
    take = commands.add_parser(
        operation.cli,
        help="store the memories of a file that `anamnesis export` wrote",
        description=operation.description + " A file that is not whole is refused before anything is stored.",
    )
    take.add_argument("file", type=Path, help="what `anamnesis export` wrote as jsonl; - for standard input")
    take.add_argument("--user", "--user-id", metavar="ID", help="whose they become (default: whose they were)")
    take.add_argument("--dry-run", action="store_true", help="only say what would become of each")
    _add_language(take)
    _add_address(take)
    take.set_defaults(command=lambda asked: _late("commands.transfer").take_in(asked, operation))


def _add_language(command: argparse.ArgumentParser) -> None:
    said = config.environment().get("LANG", "")
    usual = "zh" if said.startswith("zh") else "en"
    command.add_argument("--locale", choices=("en", "zh"), default=usual, help="language of texts and reasons (LANG)")


def _is_text(schema: dict[str, Any]) -> bool:
    kinds = {choice.get("type") for choice in schema.get("anyOf", [schema])}
    return kinds <= {"string", "null"}


def _json_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from None


def _new_key(asked: argparse.Namespace) -> int:
    scopes = tuple(asked.scopes.split(","))
    if unknown := set(scopes) - ALL_SCOPES:
        raise SetupError(f"unknown scopes: {', '.join(sorted(unknown))}")
    key = new_key()
    entry = {"hash": hash_key(key), "tenant": require_id("tenant", asked.tenant), "scopes": scopes, "name": asked.name}
    show(f"key (shown once): {key}")
    show(f"auth.keys entry:  {json.dumps(entry)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
