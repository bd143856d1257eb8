"""A tqdm progress bar for long work."""

from __future__ import annotations

import sys
import time
import warnings
from types import TracebackType
from typing import Any

# Shorter work shows no bar.
SOON = 0.5


class FleetfootWarning(UserWarning):
    """A note of the program."""


class Bar:
    """Receives finished work, total work, and notes. Shows a bar if the work takes long enough."""

    def __init__(self, noun: str, show: bool) -> None:
        self._noun = noun
        self._show = show
        self._began = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, total: int, notes: list[str]) -> None:
        for note in notes:
            warnings.warn(note, FleetfootWarning, stacklevel=4)
        if not self._show or total == 0:
            return
        if self._bar is None:
            if time.monotonic() - self._began < SOON:
                return
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, unit=self._noun, file=sys.stderr, leave=False)
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
