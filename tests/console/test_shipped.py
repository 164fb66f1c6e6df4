"""What is shipped of the console: the page as it was built, whole, small, the same each time, and nothing else."""

import gzip
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.gateways import ROOT
from tests.packages import PAGE, check_out, console_of, files_of_ours, missing, pack, require_page

FIRST_BYTES_MAX: Final = 60_000
"""Packed, of what a browser loads before it shows anything."""
ALL_BYTES_MAX: Final = 150_000
INDEX_BYTES_MAX: Final = 2_000
IN_WHEEL_BYTES_MAX: Final = 300_000
BELOW: Final = "gateway/console/page/"
INFO: Final = re.compile(r"anamnesis_gateway-[^/]+\.dist-info/")
MAP: Final = b"sourceMappingURL"


@pytest.fixture(scope="module")
def page() -> dict[str, bytes]:
    """The files of the page by name."""
    require_page()
    return files_below(PAGE)


@pytest.fixture(scope="module")
def wheel(page: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(pack(ROOT, tmp_path_factory.mktemp("wheel"), "wheel"))


@pytest.fixture(scope="module")
def sdist(page: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that it unpacks to."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(pack(ROOT, folder / "packed", "sdist")) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    return next((folder / "unpacked").iterdir())


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_wheel_holds_the_page(wheel: zipfile.ZipFile, page: dict[str, bytes]) -> None:
    found = {name.removeprefix(BELOW): wheel.read(name) for name in wheel.namelist() if name.startswith(BELOW)}
    assert found == page
    assert {"index.html", ".made-of.json"} <= set(page)
    assert set(named_in(page)) <= set(page)


def test_page_says_whose_work_is_in_it(page: dict[str, bytes]) -> None:
    told = page["licenses.txt"].decode()
    for name in ("vue", "vue-router", "d3-force"):
        found = re.search(rf"^{name} \d+\.\d+\.\d+\n\n(.+?)(?:^-+$|\Z)", told, re.MULTILINE | re.DOTALL)
        assert found is not None, name
        assert "opyright" in found[1]
        assert re.search("Permission (?:is hereby granted|to use, copy)", found[1])


def test_wheel_holds_nothing_of_others(wheel: zipfile.ZipFile) -> None:
    ours = {*files_of_ours(), "gateway/config.yaml"}
    rest = [name for name in wheel.namelist() if not name.startswith(BELOW) and not INFO.match(name)]
    assert [name for name in rest if name not in ours] == []
    assert [name for name in rest if not name.startswith(("gateway/", "memory/"))] == []


def test_sdist_holds_the_page_and_needs_no_node(sdist: Path, page: dict[str, bytes]) -> None:
    assert files_below(sdist / BELOW) == page
    assert console_of(sdist).is_fresh()


def test_sdist_holds_nothing_of_others(sdist: Path) -> None:
    rest = [name for name in files_below(sdist) if not name.startswith(BELOW)]
    ours = {*files_of_ours(), "PKG-INFO"}
    assert [name for name in rest if name not in ours] == []


def test_page_has_no_source_map(page: dict[str, bytes]) -> None:
    assert [name for name, content in page.items() if name.endswith(".map") or MAP in content] == []
    assert {Path(name).suffix for name in page} <= {".html", ".js", ".css", ".json", ".svg", ".woff2", ".png", ".txt"}


def test_page_is_small(page: dict[str, bytes]) -> None:
    packed = {name: len(gzip.compress(content)) for name, content in page.items()}
    assert sum(packed[name] for name in named_in(page)) <= FIRST_BYTES_MAX
    assert sum(packed.values()) <= ALL_BYTES_MAX
    assert len(page["index.html"]) <= INDEX_BYTES_MAX


def test_wheel_is_little_larger_for_the_console(wheel: zipfile.ZipFile) -> None:
    parts = [part for part in wheel.infolist() if part.filename.startswith("gateway/console/")]
    assert 0 < sum(part.compress_size for part in parts) <= IN_WHEEL_BYTES_MAX


def named_in(page: dict[str, bytes]) -> list[str]:
    """What the index loads at first."""
    found = re.findall(r'(?:src|href)="/console/([^"]+)"', page["index.html"].decode())
    assert len(found) >= 2, "a script and a style"
    return found


def test_page_is_the_same_each_time_and_from_another_folder(page: dict[str, bytes], tmp_path: Path) -> None:
    """The third time it was built as the page that is there."""
    if not (ROOT / "console" / "node_modules" / "vite").is_dir():
        missing("what builds the console (`make test-console`)")
    elsewhere = check_out(tmp_path / "elsewhere") / "console"
    shutil.copytree(ROOT / "console" / "node_modules", elsewhere / "node_modules", symlinks=True)
    npm, environment = console_of(ROOT)._node()
    made = {name: content for name, content in page.items() if name not in {".made-of.json", "licenses.txt"}}
    for number, console in enumerate((ROOT / "console", elsewhere)):
        to = tmp_path / str(number)
        command = [*npm, "run", "build", "--", "--outDir", str(to)]
        subprocess.run(command, cwd=console, env=environment, check=True, capture_output=True)
        assert files_below(to) == made
