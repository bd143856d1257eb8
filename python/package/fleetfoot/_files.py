"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ._errors import InputError


def check_folder(path: Path) -> None:
    """Whether there is a folder to write to: known before long work begins, not after it."""
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder `{path.parent}`; make it, or name another file")


def write(path: Path, data: bytes) -> None:
    """Writes beside the file, and renames then."""
    check_folder(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot write: {error.strerror}; check the path") from error
    finally:
        beside.unlink(missing_ok=True)
