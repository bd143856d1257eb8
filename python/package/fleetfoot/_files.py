"""Files that are written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ._errors import InputError


def check_folder(path: Path) -> None:
    """Checks that the folder exists, before long work begins."""
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder `{path.parent}`; make it, or name another file")


def write(path: Path, data: bytes) -> None:
    """Writes to a temporary file in the same folder, then renames it."""
    check_folder(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot write: {error.strerror}; check the path") from error
    finally:
        beside.unlink(missing_ok=True)
