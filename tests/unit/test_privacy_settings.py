"""Section `privacy`, and the commands around its keys: mistakes are named, keys are never shown."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gateway import cli
from gateway.cli import main
from gateway.config.privacy import Privacy
from gateway.config.settings import Settings
from gateway.config.sources import load
from gateway.observe.metrics import Metrics
from gateway.wiring.privacy import privacy_of
from memory.errors import SetupError
from memory.privacy.policy import KINDS, Policy
from memory.providers.siv_pseudonyms import SivPseudonyms
from tests.gateways import clean_environment

KEY = base64.b64encode(b"k" * 64).decode()
OLD = base64.b64encode(b"o" * 32).decode()


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", clean_environment())


@pytest.fixture
def logging_as_it_was() -> Any:
    import logging  # noqa: PLC0415 - beside its use

    root = logging.getLogger()
    before = root.level, root.handlers[:]
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def loaded(**values: Any) -> Settings:
    environment = {f"ANAMNESIS_PRIVACY__{name.upper()}": json.dumps(value) for name, value in values.items()}
    return load(None, environment, {})


def test_default_withholds_numbers_from_models_and_papers_and_cards_from_the_store() -> None:
    privacy = Privacy()
    assert set(KINDS) - Policy.of(privacy.model).replaced == {"url", "name", "address", "birth"}
    assert Policy.of(privacy.store).replaced == {"id_card", "passport", "ssn", "card", "iban"}
    assert Policy.of(privacy.store).kinds("pseudonym") == frozenset(), "nothing needs a key by default"


def test_choices_without_a_default_change_what_they_name_alone() -> None:
    settings = loaded(store={"mobile": "redact", "card": "keep"})
    assert Policy.of(settings.privacy.store).replaced == {"mobile", "id_card", "passport", "ssn", "iban"}
    assert Policy.of(loaded(model={"name": "redact"}).privacy.model).choice("mobile") == "redact"


def test_choices_with_a_default_stand_alone() -> None:
    assert Policy.of(loaded(store={"default": "keep"}).privacy.store).replaced == frozenset()
    assert Policy.of(loaded(model={"default": "keep", "card": "redact"}).privacy.model).replaced == {"card"}
    assert Policy.of(loaded(store={"default": "redact", "name": "keep"}).privacy.store).replaced == set(KINDS) - {
        "name"
    }


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"store": {"idcard": "redact"}}, "privacy.store.idcard"),
        ({"store": {"card": "hide"}}, "privacy.store.card"),
        ({"model": {"card": "pseudonym"}}, "privacy.model: pseudonym is for the store"),
        ({"model": ["card"]}, "privacy.model"),
        ({"keys": {"a/b": KEY}}, "privacy.keys.a/b"),
        ({"keys": {"t": "short"}}, "privacy.keys.t.0: must be base64"),
        ({"keys": {"t": KEY[:-8]}}, "privacy.keys.t.0: must be"),
        ({"keys": {"t": []}}, "privacy.keys.t"),
        ({"keys": {"t": [KEY, 7]}}, "privacy.keys.t.1: must be base64"),
        ({"kyes": {}}, "privacy.kyes: unknown setting"),
    ],
)
def test_mistake_is_named_and_no_key_is_shown(values: dict[str, Any], named: str) -> None:
    with pytest.raises(SetupError, match=re.escape(named)) as refused:
        loaded(**values)
    assert KEY[:-8] not in refused.value.detail


def test_keys_are_in_no_representation_of_the_settings() -> None:
    settings = loaded(keys={"default": [KEY, OLD]})
    assert settings.privacy.keys == {"default": (b"k" * 64, b"o" * 32)}
    for shown in (repr(settings), str(settings), repr(settings.privacy)):
        assert KEY not in shown
        assert "kkkkkkkk" not in shown


def test_pseudonyms_without_a_key_of_each_tenant_are_refused_with_what_to_do() -> None:
    with pytest.raises(SetupError, match=r"no key for default: make one with `anamnesis pseudonyms new-key"):
        privacy_of(loaded(store={"mobile": "pseudonym"}), Metrics())
    privacy_of(loaded(store={"mobile": "pseudonym"}, keys={"default": KEY}), Metrics())
    auth = json.dumps([{"hash": "0" * 64, "tenant": tenant} for tenant in ("a", "b")])
    environment = {
        "ANAMNESIS_AUTH__KEYS": auth,
        "ANAMNESIS_PRIVACY__STORE": '{"mobile": "pseudonym"}',
        "ANAMNESIS_PRIVACY__KEYS": json.dumps({"a": KEY}),
    }
    with pytest.raises(SetupError, match="no key for b: "):
        privacy_of(load(None, environment, {}), Metrics())


@pytest.mark.usefixtures("logging_as_it_was")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_serve_that_lacks_a_key_exits_2(
    processes: str, tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_PRIVACY__STORE", '{"mobile": "pseudonym"}')
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_SERVER__PROCESSES", processes)
    assert main(["serve", "--port", "0", "--data-dir", str(tmp_path)]) == 2
    assert "anamnesis pseudonyms new-key" in capsys.readouterr().err


@pytest.mark.usefixtures("logging_as_it_was")
def test_doctor_says_what_is_replaced_and_never_a_key(
    tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_PRIVACY__KEYS", json.dumps({"default": KEY}))
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.split()[1] == "privacy"]
    assert "not for the store: card, iban, id_card, passport, ssn" in line
    assert "keys of 1 tenants" in line
    assert KEY not in line


def test_new_pseudonym_key_is_an_entry_that_the_settings_take(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pseudonyms", "new-key", "--tenant", "clinic"]) == 0
    entry = json.loads(capsys.readouterr().out.partition(": ")[2])
    assert len(loaded(keys=entry).privacy.keys["clinic"][0]) == 64
    assert main(["pseudonyms", "new-key", "--tenant", "a/b"]) == 2


@pytest.mark.usefixtures("logging_as_it_was")
def test_reveal_puts_back_what_the_tenant_s_keys_know_in_text_and_json_lines(
    monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    keys, old = SivPseudonyms({"clinic": [b"k" * 64], "other": [b"k" * 64]}), SivPseudonyms({"clinic": [b"o" * 32]})
    quoted = 'a"b\\c'
    first = f"[url:{keys.body('clinic', 'url', quoted)}]"
    tabbed = "138\t1234\t5678"
    second = f"[mobile:{old.body('clinic', 'mobile', tabbed)}]"
    foreign = f"[mobile:{keys.body('other', 'mobile', '1')}]"
    lines = [
        f"我的号码是{second}，{foreign}",
        json.dumps({"memories": [{"text": f"看{first}", "n": 1.5}], "x": second}, ensure_ascii=False),
        "no pseudonym [mobile] here",
    ]
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_PRIVACY__KEYS", json.dumps({"clinic": [KEY, OLD]}))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["pseudonyms", "reveal", "--tenant", "clinic"]) == 0
    shown = capsys.readouterr()
    text, parsed, plain = shown.out.splitlines()
    assert text == f"我的号码是138\t1234\t5678，{foreign}"
    assert json.loads(parsed) == {"memories": [{"text": f"看{quoted}", "n": 1.5}], "x": "138\t1234\t5678"}
    assert plain == lines[2]
    assert "revealed: 3, of other keys: 1" in shown.err


@pytest.mark.usefixtures("logging_as_it_was")
def test_reveal_without_a_key_exits_2_and_says_where_it_belongs(
    monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pseudonyms", "reveal"]) == 2
    assert "privacy.keys" in capsys.readouterr().err
    monkeypatch.setitem(cli.config.os.environ, "ANAMNESIS_PRIVACY__KEYS", json.dumps({"clinic": KEY}))
    assert main(["pseudonyms", "reveal", "--tenant", "other"]) == 2


def test_replaced_identifiers_are_counted_by_destination_and_kind() -> None:
    metrics = Metrics()
    privacy = privacy_of(loaded(), metrics)
    assert (
        privacy.replacer.text("default", "身份证11010519491231002X，手机13812345678")
        == "身份证[id_card]，手机13812345678"
    )
    assert privacy.withheld.text("手机13812345678") == "手机[mobile]"
    shown = metrics.render().decode()
    assert 'anamnesis_identifiers_replaced_total{destination="store",kind="id_card"} 1.0' in shown
    assert 'anamnesis_identifiers_replaced_total{destination="model",kind="mobile"} 1.0' in shown
    assert 'kind="email"' not in shown
