"""Replays: repeated and recorded runs, and the page that plays them."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any

from . import _native
from ._errors import InputError
from ._files import write
from ._frames import to_records
from ._lab import File, map_file, parse_rules
from ._progress import Bar

# Columns that all rows of a replay share.
_COMMON = ("map", "world", "rules", "problem", "start", "goal", "prices")
# Columns that distinguish them.
_OWN = ("run", "planner", "budget")


class Replay:
    """A record and its page, which equals the program's. Notebooks show it inline."""

    def __init__(self, record: bytes, page: str) -> None:
        self.record = record
        self.page = page

    def save(self, path: File) -> Path:
        """Writes the page (`.html`), or the bare record (`.ffr`), completely or not at all."""
        file = Path(path)
        if file.suffix not in (".html", ".htm", ".ffr"):
            raise InputError(f"{file}: a replay is a page (.html) or a bare record (.ffr); name such a file")
        data = self.record if file.suffix == ".ffr" else self.page.encode()
        write(file, data)
        return file

    def _repr_html_(self, height: int = 720) -> str:
        style = f"width:100%;height:{height}px;border:1px solid #ccc"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{style}" allowfullscreen></iframe>'

    def __repr__(self) -> str:
        return f"Replay({len(self.page):,} bytes; .save('x.html') writes the page)"


def replay(run: Any, *, every: int = 1, window: tuple[int, int | None] = (0, None), progress: bool = True) -> Replay:
    """Returns the page that plays runs side by side. Show it in a notebook, or `.save("x.html")` it.

    `run` is one to four rows of one problem, as `fleetfoot.run` or `bench` returned them: they are repeated, move by move,
    and recorded. Or it is a file that `fleetfoot run --replay` wrote. One of every `every` searches is recorded, from after
    the first tick of the `window` to after its last.
    """
    if isinstance(run, Replay):
        return run
    if isinstance(run, (str, os.PathLike)):
        return Replay(*_native.open(os.fspath(run)))
    rows = to_records(run)
    if not 1 <= len(rows) <= 4:
        raise InputError(f"{len(rows)} runs cannot be shown side by side; choose one to four rows")
    for name in (*_COMMON, *_OWN):
        if not all(name in row for row in rows):
            raise InputError(f"there is no column `{name}`; give whole rows, as fleetfoot.run or bench returned them")
    first = rows[0]
    for row in rows[1:]:
        for name in _COMMON:
            if _plain(row[name]) != _plain(first[name]):
                raise InputError(f"the runs differ in `{name}`; choose rows of one problem")
    rules = parse_rules(first["rules"])
    most = re.search(r"\|max=(\d+)", first["run"])
    about = {
        "map": first["map"],
        "file": map_file(first["map"]) or Path(first["map"]),
        "moves": rules["moves"],
        "cut_corners": rules["cut-corners"],
        "terrain": rules["terrain"] or "",
        "world": first["world"],
        "problem": int(first["problem"]),
        "start": _cell(first["start"]),
        "goal": _cell(first["goal"]),
        "prices": first["prices"],
        "max_steps": int(most[1]) if most else None,
        "every": int(every),
        "window": (window[0], 2**64 - 1 if window[1] is None else window[1]),
    }
    lives = [(row["planner"], row["budget"]) for row in rows]
    with Bar(" runs", progress) as bar:
        return Replay(*_native.record(about, rules["diagonal"], lives, bar))


def _cell(cell: Any) -> tuple[int, int]:
    x, y = cell
    return int(x), int(y)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int)) or not hasattr(value, "__iter__") else tuple(value)
