"""The command line: help for everything, exit codes that scripts may rely on, and no traceback."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gateway import cli
from gateway.auth import Authenticator, hash_key
from gateway.cli import main
from gateway.config.access import ApiKey
from gateway.operations import OPERATIONS
from tests.gateways import clean_environment

TOOLS = ("serve", "worker", "doctor", "new-key", "replay", "verify-store", "reindex", "move-store")


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", clean_environment())


@pytest.fixture
def logging_as_it_was() -> Any:
    """`doctor` configures the root logger; give it back."""
    import logging  # noqa: PLC0415 - beside its use

    root = logging.getLogger()
    before = root.level, root.handlers[:]
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return ended.value.code


OF_A_FILE = {"ExportMemories": {"states", "cursor", "limit"}, "ImportMemories": {"records"}}
"""Fields that are filled by commands which take all pages, or a file."""


@pytest.mark.parametrize("command", [*TOOLS, *(operation.cli for operation in OPERATIONS)])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(command, "--help") == 0
    shown = capsys.readouterr().out
    assert f"anamnesis {command}" in shown


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.cli)
def test_help_of_an_operation_names_every_field(operation: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(operation.cli, "--help") == 0
    shown = capsys.readouterr().out
    for field in operation.request.model_fields.keys() - OF_A_FILE.get(operation.name, set()):
        assert "--" + field.replace("_", "-") in shown
    assert "--url" in shown
    assert "--api-key" in shown


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--help") == 0
    shown = capsys.readouterr().out
    for command in (*TOOLS, *(operation.cli for operation in OPERATIONS)):
        assert re.search(rf"^ +{command}\b", shown, re.MULTILINE), command


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--version") == 0
    assert re.match(r"anamnesis \d+\.\d+", capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["profile"],
        ["write-turn", "--conversation-id", "c"],
        ["profile", "--user-id", "u", "--nothing", "1"],
        ["query", "--conversation-id", "c", "--recent-turns", "{"],
        ["serve", "--port", "eighty"],
        ["new-key"],
    ],
    ids=str,
)
def test_wrong_use_exits_2_and_says_what(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(*arguments) == 2
    shown = capsys.readouterr().err
    assert "usage: anamnesis" in shown
    assert "error:" in shown


def test_new_key_prints_a_key_and_the_entry_that_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-key", "--tenant", "clinic", "--scopes", "read,admin", "--name", "ward 3"]) == 0
    key, entry = re.findall(r": +(\S.*)$", capsys.readouterr().out, re.MULTILINE)
    parsed = ApiKey.model_validate_json(entry)
    assert (parsed.tenant, parsed.scopes, parsed.name) == ("clinic", ("read", "admin"), "ward 3")
    assert parsed.hash == hash_key(key)
    assert key not in entry
    assert Authenticator([parsed]).identify(f"Bearer {key}").tenant == "clinic"


def test_new_key_is_another_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-key", "--tenant", "t"])
    first = capsys.readouterr().out
    main(["new-key", "--tenant", "t"])
    assert capsys.readouterr().out != first


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--tenant", "t", "--scopes", "read,root"], "root"),
        (["--tenant", "t", "--scopes", ""], "scopes"),
        (["--tenant", "a/b"], "tenant"),
        (["--tenant", ""], "tenant"),
    ],
)
def test_new_key_with_wrong_values_exits_2_and_names_them(
    flags: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-key", *flags]) == 2
    shown = capsys.readouterr()
    assert named in shown.err
    assert not shown.out, "no key that could not be used"


@pytest.mark.parametrize("command", ["serve", "worker", "doctor"])
@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("ANAMNESIS_SESSION__TTL", "2", "session.ttl: unknown setting"),
        ("ANAMNESIS_SESSION__TTL_S", "soon", "session.ttl_s: "),
        ("ANAMNESIS_TTL", "2", "ANAMNESIS_TTL"),
        ("ANAMNESIS_AUTH__KEYS", "[", "auth.keys"),
    ],
)
def test_wrong_setting_exits_2_and_is_named(
    command: str, name: str, value: str, named: str, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.config.os.environ, name, value)
    assert main([command]) == 2
    assert named in capsys.readouterr().err


def test_config_file_that_is_not_there_exits_2_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--config", str(tmp_path / "nothing.yaml")]) == 2
    assert "nothing.yaml" in capsys.readouterr().err


@pytest.mark.usefixtures("logging_as_it_was")
def test_worker_without_a_redis_exits_2_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worker"]) == 2
    assert "REDIS_URL" in capsys.readouterr().err


@pytest.mark.usefixtures("logging_as_it_was")
def test_gateway_without_a_worker_and_without_a_redis_exits_2_and_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No worker could ever end its sessions."""
    assert main(["serve", "--no-worker", "--port", "0", "--data-dir", str(tmp_path / "data")]) == 2
    assert "set REDIS_URL" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["move-store", "--to", "weaviate"], "weaviate.url"),
        (["move-store", "--to", "sqlite"], "weaviate.url"),
    ],
    ids=str,
)
def test_move_without_a_weaviate_exits_2_and_says_what_to_set(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--data-dir", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err


def test_reindex_of_a_fresh_folder_has_nothing_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reindex", "--data-dir", str(tmp_path)]) == 0
    assert "0 records indexed" in capsys.readouterr().out
    assert main(["reindex", "--drop-old", "--data-dir", str(tmp_path)]) == 0
    assert "no other index" in capsys.readouterr().out


def test_operation_without_a_gateway_exits_1_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--user-id", "u", "--url", "http://127.0.0.1:1"]) == 1
    assert "anamnesis serve" in capsys.readouterr().err


@pytest.mark.usefixtures("logging_as_it_was")
def test_doctor_on_a_fresh_folder_finds_nothing_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in lines} >= {"python", "access", "redis", "store", "tokens"}
    assert all(line.startswith("ok ") for line in lines)


@pytest.mark.usefixtures("logging_as_it_was")
@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis://192.0.2.1:6379/0", "unix:///nowhere/redis.sock"])
def test_doctor_with_a_black_redis_fails_in_time_and_says_where(
    tmp_path: Path, url: str, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.config.os.environ, "REDIS_URL", url)
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_REDIS__DEADLINE_MS", "500")
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    (failed,) = [line for line in lines if not line.startswith("ok ")]
    assert failed.split()[:2] == ["FAIL", "redis"]
    assert "REDIS_URL" in failed


@pytest.mark.parametrize("command", ["doctor", "serve", "worker"])
@pytest.mark.parametrize("url", ["redis://:secret@[", "http://secret@127.0.0.1", "redis://secret:99999999", "secret"])
def test_redis_address_that_is_none_exits_2_without_showing_it(
    command: str, url: str, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.config.os.environ, "REDIS_URL", url)
    assert main([command]) == 2
    shown = capsys.readouterr().err
    assert re.search(r"redis\.url: (must begin with redis://|has a bad host or port)", shown)
    assert "secret" not in shown


@pytest.mark.usefixtures("logging_as_it_was")
def test_doctor_finds_what_is_unsafe(tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.dumps([{"key": "ana_key_in_plain_text", "tenant": "t", "name": "the bot"}])
    for name, value, expected in (
        ("ANAMNESIS_AUTH__KEYS", plain, "keys in plain text (the bot)"),
        ("ANAMNESIS_SERVER__HOST", "0.0.0.0", "anamnesis new-key"),  # noqa: S104 - it is refused
        ("ANAMNESIS_SESSION__ENCODING", "no_such_encoding", "no_such_encoding"),
    ):
        with monkeypatch.context() as patched:
            patched.setitem(cli.config.os.environ, name, value)
            assert main(["doctor", "--data-dir", str(tmp_path / name)]) == 1
            shown = capsys.readouterr()
            assert expected in shown.out
            assert "ana_key_in_plain_text" not in shown.out


@pytest.mark.usefixtures("logging_as_it_was")
def test_doctor_with_a_folder_it_cannot_use_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    assert main(["doctor", "--data-dir", str(tmp_path / "data")]) == 1
    shown = capsys.readouterr().out
    assert "FAIL  redis" in shown
    assert "FAIL  store" in shown


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", ":1: not JSON"),
        ('{"conversation": "c", "role": "user"}', ":1: needs"),
        ('{"conversation": "c", "role": "root", "content": "x"}', ":1: role"),
        ('{"conversation": "c", "role": "user", "content": "x", "id": 1}', ":1: needs"),
        ("\n[]\n", ":2: needs"),
        ('{"conversation": 1, "role": "user", "content": "x"}', ":1: "),
        ('{"conversation": "c", "role": "user", "content": null}', ":1: "),
        ('{"conversation": "c", "role": ["user"], "content": "x"}', ":1: "),
    ],
)
def test_replay_of_a_bad_line_exits_2_and_names_it(
    tmp_path: Path, text: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dialogues.jsonl"
    file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file), "--url", "http://127.0.0.1:1"]) == 2
    assert named in capsys.readouterr().err


def test_replay_of_a_file_that_is_not_there_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "nothing.jsonl")]) == 2
    assert "nothing.jsonl" in capsys.readouterr().err


def test_main_takes_its_arguments_from_the_process(monkeypatch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["anamnesis", "new-key", "--tenant", "t"])
    assert main() == 0
    assert "auth.keys entry" in capsys.readouterr().out
