import os
import re
import subprocess
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.config.privacy import Privacy
from gateway.reference import REFERENCE, render
from memory.privacy.policy import KINDS, Policy
from tests.gateways import clean_environment

ROOT = Path(__file__).resolve().parents[2]
READMES = (ROOT / "README.md", ROOT / "README.zh.md")
PAGES = [*READMES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOR_USERS = [page for page in PAGES if page.parent.name not in {"decisions", "measurements"}]
USED = re.compile(r"(?:^ *|`)(?:\.venv/bin/)?anamnesis [a-z-]", re.MULTILINE)
DRAWING = re.compile(r"[─│]")
ACTIVATE = ". .venv/bin/activate"
COMMAND = re.compile(r"^ *anamnesis ([a-z-]+)((?: +--[a-z-]+)*)", re.MULTILINE)
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)(?:#[^)]*)?\)")


def test_reference_is_what_the_code_says() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == render() + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_links_to_what_exists(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_names_make_targets_and_paths_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets
    paths = re.findall(r"`((?:gateway|memory|tests|benchmarks|docs)/[\w/.-]*)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_names_commands_and_flags_that_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, flags in COMMAND.findall(page.read_text("utf-8")):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        shown = capsys.readouterr().out
        assert [flag for flag in flags.split() if flag not in shown] == []


@pytest.mark.parametrize("page", FOR_USERS, ids=lambda page: page.name)
def test_page_says_where_the_command_comes_from_before_it_uses_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    used = USED.search(text)
    assert used is None or ACTIVATE in text[: used.start()]


@pytest.mark.parametrize("page", READMES, ids=lambda page: page.name)
def test_readme_names_two_commands_first(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = re.findall(r"^(?:make|anamnesis|\.) \S+", text, re.MULTILINE)
    assert commands[:5] == ["make demo", "make test", "make setup", ". .venv/bin/activate", "anamnesis serve"]
    assert set(re.findall(r"(?:docs|examples)/\w+\.\w+", text)) >= {"docs/agents.md", "docs/bot.md", "examples/bot.py"}


def shape(page: Path) -> list[tuple[str, object]]:
    """What must be the same in every language: sections, commands, links, and of table rows the figures and names."""
    found: list[tuple[str, object]] = []
    in_code = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            in_code = not in_code
            found.append(("code", line))
        elif in_code and not DRAWING.search(line):
            found.append(("code", re.split(r"(?<=\S)\s{2,}", line)[0]))  # what stands behind is a remark
        elif not in_code and line.startswith("#"):
            found.append(("section", line.count("#")))
        elif line.startswith("|"):
            found.append(("row", (figures(line), sorted(re.findall(r"`[^`]+`", line)))))
        elif line.startswith("- "):
            found.append(("point", figures(line)))
    return found


def figures(text: str) -> list[str]:
    return sorted(re.findall(r"\d[\d,.]*\d|\d", re.sub(r"`[^`]*`|\([^)]*/[^)]*\)", "", text)))


def test_chinese_readme_has_the_sections_commands_and_figures_of_the_english_one() -> None:
    english, chinese = map(shape, READMES)
    for ours, theirs in zip(english, chinese, strict=False):
        assert ours == theirs
    assert len(english) == len(chinese)


def test_chinese_readme_links_to_what_the_english_one_does() -> None:
    english, chinese = (set(LINK.findall(page.read_text(encoding="utf-8"))) for page in READMES)
    chinese = {link.replace("-zh.png", ".png") for link in chinese}  # its pictures show the console in Chinese
    assert english - {"README.zh.md"} == chinese - {"README.md"}


def test_privacy_page_lists_every_kind_with_its_default() -> None:
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\w+) \| (\w+) \|$", page, re.MULTILINE)
    model, store = Policy.of(Privacy().model), Policy.of(Privacy().store)
    assert rows == [(kind, model.choice(kind), store.choice(kind)) for kind in KINDS]


def test_weaviate_page_gives_server_and_gateway_the_same_key(tmp_path: Path) -> None:
    """The lines as they stand, with a `docker` that tells what it was given, and what a gateway would then read."""
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\necho "$WEAVIATE_API_KEY"\n', encoding="utf-8")
    docker.chmod(0o755)
    page = (ROOT / "docs" / "weaviate.md").read_text(encoding="utf-8")
    lines = page.partition("## Start one")[2].partition("```")[2].partition("```")[0]
    told = subprocess.run(
        ["bash", "-euc", f"{lines}\nprintenv WEAVIATE_API_KEY WEAVIATE_URL"],
        env=clean_environment() | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(told[0]) == 64
    assert told == [told[0], told[0], "http://127.0.0.1:8080"]
