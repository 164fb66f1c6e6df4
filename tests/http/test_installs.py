"""Installed as people do it, the real command shows the console; from wheel and sdist without Node."""

import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gateways import ROOT, GatewayProcess, clean_environment
from tests.gateways import _port as port_of
from tests.packages import check_out, pack, require_page
from tests.waiting import wait_until

pytestmark = pytest.mark.long

BUILT, NOT_BUILT = '<div id="app">', "make console"


class Installed:
    """An environment of its own, which finds all that this one has, but for the program itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "venv" / "bin"
        venv.create(folder / "venv", symlinks=True)
        self.environment = {
            name: value for name, value in clean_environment().items() if not name.startswith("PYTHON")
        } | {"PATH": str(self.programs)}
        here = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
        (self._packages() / "others.pth").write_text("\n".join(sorted(here)) + "\n", encoding="utf-8")

    def run(self, *command: str) -> str:
        """All that one of its programs says."""
        made = subprocess.run(
            [str(self.programs / command[0]), *command[1:]],
            cwd=self.folder,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
        )
        said = made.stdout + made.stderr
        assert made.returncode == 0, said
        return said

    def install(self, *what: str) -> str:
        """By pip, without Node; a wheel that pip kept of an earlier run is not taken."""
        assert shutil.which("node", path=self.environment["PATH"]) is None
        options = ("-v", "--no-cache-dir", "--no-deps", "--ignore-installed", "--disable-pip-version-check")
        return self.run("python", "-m", "pip", "install", *options, *what)

    @contextmanager
    def serving(self) -> Iterator[GatewayProcess]:
        """`anamnesis serve`."""
        log = self.folder / "gateway.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(self.programs / "anamnesis"), "serve", "--port", "0", "--data-dir", str(self.folder / "data")],
                cwd=self.folder,
                env=self.environment,
                stdout=output,
                stderr=output,
            )
        gateway = GatewayProcess(process, self.folder, log)
        try:
            gateway.port = wait_until(lambda: port_of(gateway), "a port to listen on")
            wait_until(gateway.healthy, "GET /health to answer 200")
            yield gateway
        finally:
            process.terminate()
            process.wait(60)

    def imported_from(self) -> Path:
        """Where the program lies that it runs."""
        return Path(self.run("python", "-c", "import gateway; print(gateway.__file__)").strip())

    def _packages(self) -> Path:
        return Path(self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_installed_program_shows_the_console_and_needed_no_node(installed: Installed, kind: str) -> None:
    require_page()
    said = installed.install(str(pack(ROOT, installed.folder / "packed", kind)))
    assert ("Collecting hatchling" in said) == (kind == "sdist"), "it says what it installs to build with"
    assert "nodejs" not in said
    assert installed.imported_from().is_relative_to(installed.folder / "venv")
    with installed.serving() as gateway:
        page = gateway.get("/console/")
        assert (page.status, page.media) == (200, "text/html")
        assert BUILT in page.body.decode()
        scripts = [part.partition('"')[0] for part in page.body.decode().split('src="')[1:]]
        assert [gateway.get(script).status for script in scripts] == [200]


def test_editable_checkout_without_the_page_says_how_to_build_it(installed: Installed) -> None:
    checkout = check_out(installed.folder / "checkout", "gateway/", "memory/")
    installed.install("--no-build-isolation", "--editable", str(checkout))
    assert installed.imported_from().is_relative_to(checkout)
    with installed.serving() as gateway:
        page = gateway.get("/console/")
        assert (page.status, page.media) == (200, "text/html")
        assert NOT_BUILT in page.body.decode()
        turn = {"conversation_id": "c", "user_id": "u", "user_query": "Hello.", "agent_response": "Hello!"}
        assert gateway.post("WriteTurn", turn).status == 200
