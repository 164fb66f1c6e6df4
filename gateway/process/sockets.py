"""Where the processes of one machine meet: unix sockets beside the data."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

_SOCKET_PATH_BYTES_MAX: Final = 100
"""Of 108 that the kernel takes."""


def socket_path(folder: Path, name: str) -> Path:
    """In this folder, or in the temporary one when the path is too long for a socket."""
    path = folder / f"{name}.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES_MAX:
        return path
    short = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    elsewhere = Path(tempfile.gettempdir()) / f"anamnesis-{os.getuid()}"
    elsewhere.mkdir(mode=0o700, exist_ok=True)
    return elsewhere / f"{short}.sock"
