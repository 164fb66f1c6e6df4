"""Wheels and sdists in tests, and the checkouts that they are built from."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.gateways import ROOT

PAGE = ROOT / "gateway" / "console" / "page"
PROJECT = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore", "config.yaml")
"""What a build needs beside the sources."""


def missing(what: str) -> None:
    """Skip; fail where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing: CI must have it")
    pytest.skip(f"{what} is missing")


def require_page() -> None:
    """Skip where the console was not built of what is in console/ now."""
    if not console_of(ROOT).is_fresh():
        missing("a fresh page of the console (`make console`)")


def console_of(checkout: Path) -> Any:
    """The module console/build.py of a checkout, in which it leaves nothing."""
    spec = importlib.util.spec_from_file_location("console_build", checkout / "console" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def files_of_ours() -> list[str]:
    """What is in git or could be: all that it does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted({name for name in listed if name and (ROOT / name).is_file()})


def check_out(folder: Path, *below: str) -> Path:
    """A copy of the files of ours whose names begin with one of `below`, and of what a build needs."""
    for name in files_of_ours():
        if name.startswith((*PROJECT, "console/", *below)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def pack(checkout: Path, to: Path, *kinds: str, environment: Mapping[str, str] | None = None) -> Path:
    """Build `wheel` or `sdist`, with what is installed here. Raises CalledProcessError with what it said."""
    targets = [word for kind in kinds for word in ("-t", kind)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(to), *targets],
        cwd=checkout,
        env=os.environ | dict(environment or {}),
        check=True,
        capture_output=True,
        text=True,
    )
    return next(to.glob("*.whl" if kinds[-1] == "wheel" else "*.tar.gz"))
