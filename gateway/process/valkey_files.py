"""What of the embedded Valkey's files is older than its last rewrite. The folder is the gateway's alone."""

from pathlib import Path
from typing import Final

_APPEND_ONLY: Final = "appendonlydir"
_SNAPSHOT: Final = "dump.rdb"
_MANIFEST: Final = "*.manifest"
_IN_USE: Final = {"b", "i"}
"""Types in a manifest: the base and what was appended since; `h` waits to be deleted."""


def remove_leftovers(folder: Path) -> None:
    """Before Valkey starts: what one that was killed had begun to write, and snapshots, which nobody reads."""
    for pattern in ("temp-*", f"{_APPEND_ONLY}/temp-*", _SNAPSHOT):
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)


def old_files_gone(folder: Path) -> bool:
    """While it runs: whether nothing is there but what its manifest has in use. A snapshot is removed.

    Files are Valkey's own to delete: one that is not in the manifest may be about to be.
    """
    (folder / _SNAPSHOT).unlink(missing_ok=True)
    files = folder / _APPEND_ONLY
    manifests = list(files.glob(_MANIFEST))
    used = {name for manifest in manifests for name in _in_use(manifest)}
    return {path.name for path in files.iterdir()} <= used | {manifest.name for manifest in manifests}


def _in_use(manifest: Path) -> set[str]:
    """Lines are `file NAME seq NUMBER type LETTER`."""
    lines = [line.split() for line in manifest.read_text(encoding="utf-8").splitlines()]
    return {words[1] for words in lines if words[0] == "file" and words[words.index("type") + 1] in _IN_USE}
