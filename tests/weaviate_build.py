"""Builds the Weaviate server that tests start: a Go module, built once (minutes) and kept outside the tree.

Needs nothing but Python's library, so that a new machine can begin with it: `python3 tests/weaviate_build.py`.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

VERSION: Final = "1.39.0"
MODULE: Final = f"github.com/weaviate/weaviate/cmd/weaviate-server@v{VERSION}"


def cached() -> Path:
    """Where the server's program is, or is to be: ANAMNESIS_WEAVIATE_BINARY, else in the user's cache."""
    named = os.environ.get("ANAMNESIS_WEAVIATE_BINARY")
    return Path(named) if named else Path.home() / ".cache" / "anamnesis" / f"weaviate-server-{VERSION}"


def build(target: Path) -> str:
    """Build the server, or wait for another process that does; returns why it could not be, or nothing."""
    go = shutil.which("go")
    if go is None:
        return "no weaviate-server in the cache, and no Go to build it"
    target.parent.mkdir(parents=True, exist_ok=True)
    waiting = target.with_name(f"{target.name}.lock")
    with waiting.open("w") as lock, tempfile.TemporaryDirectory(dir=target.parent) as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if target.exists():
            return ""
        command = [go, "install", "-trimpath", "-ldflags", "-s -w", MODULE]
        done = subprocess.run(command, env={**os.environ, "GOBIN": folder}, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"`go install {MODULE}` failed: {done.stderr[-500:]}"
        (Path(folder) / "weaviate-server").rename(target)
    return ""


if __name__ == "__main__":
    sys.exit(0 if cached().exists() else build(cached()) or 0)
