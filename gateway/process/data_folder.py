"""The folder with a gateway's data: its user's alone, and whole, before anything is started on it."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gateway.config.settings import Settings
from gateway.wiring.stores import SQLITE_FILE
from memory.errors import SetupError
from memory.stores.sqlite.database import SCHEMA_VERSION
from memory.stores.sqlite.soundness import holds_memories, require_sound

_LOG: Final = logging.getLogger("anamnesis.data")
_OWNER_ONLY: Final = 0o077
"""The bits that folders (700) and files (600) have not."""
_OURS: Final = (SQLITE_FILE + "*", "valkey", "tiktoken")
"""What lies in the folder by our hand: nothing else is touched, for a folder may be somebody's home."""
_LOOK_S: Final = 5.0
_EMPTY_BASE_BYTES: Final = 128
"""An append-only file's base without a key has some 90 bytes."""


def prepare(settings: Settings, *, serves: bool) -> None:
    """Make the folder, or narrow its rights (one log line); what this process makes from now on is its user's alone.

    Raises SetupError when the folder cannot be used, when the long-term store in it is damaged, or for who `serves`
    when one of the two is gone that lie in it together, the sessions and the long-term store.
    """
    os.umask(_OWNER_ONLY)
    folder = settings.data.dir
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _narrow(folder)
    except OSError as error:
        raise SetupError(f"cannot use the data folder {folder}: {error.strerror}") from error
    if not settings.weaviate.url:
        require_sound(folder / SQLITE_FILE, int(SCHEMA_VERSION), _LOOK_S)
        if serves and not settings.redis.url:
            _require_whole(folder)


def _require_whole(folder: Path) -> None:
    """What lies in the folder belongs together: sessions and the long-term store that their memories are in."""
    _require_sessions(folder)
    _require_store(folder)


def _require_sessions(folder: Path) -> None:
    """The append-only file is made before the first memory: memories without it have lost it."""
    store, kept = folder / SQLITE_FILE, folder / "valkey" / "appendonlydir"
    if kept.exists() or not holds_memories(store):
        return
    raise SetupError(
        f"the append-only file of the embedded Valkey, {kept}, is missing, but {store} holds memories that were "
        "written beside one: the sessions that lived are in it. Put its last backup back; to go on without those "
        f"sessions (or when they were in another Redis until now), make it empty: mkdir -p {kept}"
    )


def _require_store(folder: Path) -> None:
    """The long-term store is made before the first session: sessions without it have lost it."""
    store = folder / SQLITE_FILE
    if (store.exists() and store.stat().st_size) or not _has_sessions(folder / "valkey"):
        return
    raise SetupError(
        f"the long-term store {store} is {'empty' if store.exists() else 'missing'}, but {folder / 'valkey'} holds "
        "sessions that were written beside one. Put its last backup back (or, if the memories were in Weaviate, run "
        f"`anamnesis move-store --to sqlite`); to begin anew without memories, move {folder / 'valkey'} away, too"
    )


def _has_sessions(valkey: Path) -> bool:
    """Whether an append-only file has more than its head."""
    parts = valkey.glob("appendonlydir/*.aof")
    return any(part.stat().st_size > (_EMPTY_BASE_BYTES if ".base." in part.name else 0) for part in parts)


def wide_in(folder: Path) -> list[Path]:
    """What is ours in the folder, and the folder, as far as others have rights there."""
    return [each for each in (folder, *_ours(folder)) if _is_wide(each)]


def _narrow(folder: Path) -> None:
    """Take from everybody else what rights they have, in what is ours."""
    wide = wide_in(folder)
    if not wide:
        return
    kept = [each for each in wide if not _was_narrowed(each)]
    fields = {"folder": str(folder), "narrowed": len(wide) - len(kept)}
    _LOG.warning("others had rights in the data folder: they are taken away", extra=fields)
    if kept:
        _LOG.warning("others keep rights in the data folder: it belongs to another user", extra={"kept": len(kept)})


def _ours(folder: Path) -> Iterator[Path]:
    for pattern in _OURS:
        for found in folder.glob(pattern):
            yield found
            if found.is_dir() and not found.is_symlink():
                yield from found.rglob("*")


def _is_wide(path: Path) -> bool:
    """Whether others may read or write it. A link, and a folder that all share by its sticky bit, stay as they are."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:  # a file that a running Valkey has just replaced
        return False
    shared = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
    return bool(mode & _OWNER_ONLY) and not stat.S_ISLNK(mode) and not shared


def _was_narrowed(path: Path) -> bool:
    try:
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~_OWNER_ONLY)
    except FileNotFoundError:
        return True
    except PermissionError:
        return False
    return True
