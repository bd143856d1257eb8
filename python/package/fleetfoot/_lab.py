"""The laboratory: runs, experiments, studies."""

from __future__ import annotations

import hashlib
import json
import numbers
import operator
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import InputError
from ._frames import Library, from_lines, from_records
from ._progress import Bar

File: TypeAlias = str | os.PathLike[str]
Cell: TypeAlias = tuple[int, int] | Sequence[int] | npt.NDArray[np.integer[Any]]
Pair: TypeAlias = tuple[Cell, Cell] | Sequence[int] | npt.NDArray[np.integer[Any]]
Budget: TypeAlias = int | str | float | None
Diagonal: TypeAlias = Literal["sqrt2"] | float

_arrays: tempfile.TemporaryDirectory[str] | None = None


# Paths of maps by their names in rows, which do not contain folders. Known in this process only.
_files: dict[str, Path] = {}


def map_file(name: str) -> Path | None:
    """Returns the file of a map that was an array or an absolute path, by its name in rows."""
    if name in _files:
        return _files[name]
    path = Path(_arrays.name) / name if _arrays is not None else None
    return path if path is not None and path.is_file() else None


def _store(map: _native.Map) -> tuple[Path, str]:
    """Stores a map as a file until Python exits. Returns the file and the weights of its letters."""
    global _arrays
    if _arrays is None:
        _arrays = tempfile.TemporaryDirectory(prefix="fleetfoot-")
    data, terrain = map.to_bytes()
    path = Path(_arrays.name) / f"array-{hashlib.sha256(data).hexdigest()[:12]}.map"
    path.write_bytes(data)
    return path, terrain


def run(
    map: File | _native.Map | npt.NDArray[Any],
    planners: str | Iterable[str] = "auto",
    budgets: Budget | Iterable[Budget] = 100,
    *,
    start: Cell | None = None,
    goal: Cell | None = None,
    pairs: Iterable[Pair] | None = None,
    random: int | None = None,
    seed: int = 0,
    scen: File | None = None,
    optimal: str | None = None,
    take: int | None = None,
    world: str = "known",
    prices: str = "all",
    moves: int | None = None,
    diagonal: Diagonal | None = None,
    cut_corners: bool | None = None,
    terrain: str | None = None,
    max_steps: int | None = None,
    trials: int | None = None,
    force: bool = False,
    threads: int | None = None,
    frame: Library | None = None,
    progress: bool = True,
) -> Any:
    """Runs planners on problems. Returns a frame with a row per run, like `fleetfoot run`.

    Every planner runs on every problem with every budget. `map` is a file, `builtin:NAME`, a generator such as
    `maze(width=51,seed=3)`, a `Map` or an array. Problems are `start` and `goal`, `pairs` of them (or rows of four numbers, as
    returned by `Map.random_problems`), `random` ones (with `seed`; 20 by default), or those of a scenario (`scen`, or the file
    next to the map, of which `optimal` and `take` select some). A budget is a number of expansions of A* on cells per tick,
    `"inf"`, or a time such as `"500us"`.

    `world` is `known`, `unknown(radius=7)`, `dynamic(FILE)` and so on. `prices` says what is charged to a budget: `all` work,
    expansions and key refreshes as in the `papers`, or `expansions` only; rows have it in a column. `moves` (4 or 8),
    `diagonal`, `cut_corners` and `terrain` (`"S=3"`) are the rules of a file; a `Map` has its own, and an array its weights.
    `max_steps` ends longer runs, `trials` repeats each run with what its planner has learned, `force` allows planners in
    worlds for which they guarantee nothing. `threads` is the number of concurrent runs, `frame` is `"pandas"` or `"polars"`,
    and `progress=False` shows no bar.
    """
    rules = _rules(moves, diagonal, cut_corners, terrain)
    if isinstance(map, (str, os.PathLike)):
        source, hidden = os.fspath(map), ""
    else:
        if isinstance(map, _native.Map):
            if any(value is not None for value in (moves, diagonal, cut_corners, terrain)):
                raise InputError("the rules are those of the map; leave moves, diagonal, cut_corners and terrain out")
            rules = map.rules
        else:
            if terrain is not None:
                raise InputError("an array has the weights of its cells itself; leave terrain out")
            map = _native.Map(
                np.asarray(map), moves=moves or 8, diagonal=diagonal or "sqrt2", cut_corners=bool(cut_corners)
            )
        path, letters = _store(map)
        rules = ",".join(part for part in (rules, f"terrain({letters})" if letters else "") if part)
        source, hidden = str(path), f"{path.parent.name}/"
    whole = Path(source)
    if whole.is_absolute() and not hidden:
        _files[f"{whole.parent.name}/{whole.name}"] = whole
    spec: dict[str, Any] = {
        "map": source,
        "rules": rules,
        "world": world,
        "planners": [str(planner) for planner in _several(planners)],
        "budgets": [_budget(budget) for budget in _several(budgets)],
        "prices": prices,
        "problems": _problems(start, goal, pairs, random, scen, optimal, take),
        "seed": int(seed),
        "max-steps": None if max_steps is None else int(max_steps),
        "force": bool(force),
    }
    plan = _native.Plan.of_run(json.dumps(spec))
    with Bar(" runs", progress) as bar:
        rows = plan.make(threads, trials, bar)
    # The name of the map in rows is the same in every process.
    return from_lines(rows.replace(json.dumps(hidden)[1:-1].encode(), b"") if hidden else rows, frame)


def _rules(
    moves: int | None, diagonal: Diagonal | None, cut_corners: bool | None, terrain: str | None
) -> str:
    """Returns the rules that are given, as rows have them."""
    parts = {"moves": moves, "diagonal": diagonal}
    rules = [f"{name}={value}" for name, value in parts.items() if value is not None]
    rules += ["cut-corners"] if cut_corners else []
    rules += [f"terrain({terrain})"] if terrain is not None else []
    return ",".join(rules)


def _problems(
    start: Cell | None,
    goal: Cell | None,
    pairs: Iterable[Pair] | None,
    random: int | None,
    scen: File | None,
    optimal: str | None,
    take: int | None,
) -> dict[str, Any]:
    if (start is None) != (goal is None):
        raise InputError("a problem has two ends; give start and goal")
    given = [start is not None, pairs is not None, random is not None, scen is not None or take is not None]
    if sum(given) > 1:
        raise InputError("problems are given in several ways; give start and goal, pairs, random or scen")
    if random is not None and random < 1:
        raise InputError(f"random = {random} cannot be; give a number from 1")
    if start is not None and goal is not None:
        pairs = [(start, goal)]
    return {
        "random": None if random is None else int(random),
        "scen": None if scen is None else os.fspath(scen),
        "pairs": None if pairs is None else [_four(pair) for pair in pairs],
        "optimal": optimal,
        "take": None if take is None else int(take),
    }


def _four(pair: Any) -> list[int]:
    """Converts start and goal to four numbers."""
    try:
        parts = list(pair)
        ends = parts if len(parts) == 4 else [number for cell in parts for number in cell]
        four = [operator.index(number) for number in ends]
    except TypeError:
        four = []
    if len(four) != 4 or min(four) < 0:
        raise InputError(f"{pair} is no problem; give start and goal, such as ((1, 2), (30, 40)), in whole numbers from 0")
    return four


def bench(
    experiment: File,
    out: File | None = None,
    *,
    shard: str = "1/1",
    fresh: bool = False,
    threads: int | None = None,
    frame: Library | None = None,
    progress: bool = True,
) -> Any:
    """Executes an experiment from a TOML file, like `fleetfoot bench`. Returns a frame with a row per run.

    The folder `out` (by default the file's name without its ending) contains rows, report and plots. An interrupted
    experiment continues with the same call. `shard="2/8"` is the second of eight parts, for `merge`.
    """
    folder = Path(experiment).with_suffix("").name if out is None else Path(out)
    plan = _native.Plan.read(os.fspath(experiment))
    with Bar(" runs", progress) as bar:
        rows, _ = plan.carry_out(folder, threads, shard, fresh, bar)
    return from_lines(rows, frame)


def merge(parts: Iterable[File], out: File, *, frame: Library | None = None) -> Any:
    """Merges the folders of an experiment's parts, with the bytes of an undivided run. Returns a frame of all rows."""
    with Bar(" runs", False) as bar:
        rows, _ = _native.merge([os.fspath(part) for part in parts], os.fspath(out), bar)
    return from_lines(rows, frame)


def reproduce(
    ids: str | Iterable[str],
    out: File = "reproduced",
    *,
    full: bool = False,
    maps: File | None = None,
    fresh: bool = False,
    threads: int | None = None,
    frame: Library | None = None,
    progress: bool = True,
) -> Any:
    """Reproduces tables and figures of papers, and judges their claims. Returns a frame with a row per claim.

    `ids` are those of `studies()`, or `"all"`. Each writes a folder in `out`, with its report.
    """
    found: list[dict[str, Any]] = []
    for study in chosen(ids):
        plan = study_plan(study, full, maps)
        with Bar(" runs", progress) as bar:
            _, findings = plan.carry_out(Path(out) / study, threads, "1/1", fresh, bar)
        found += claims(study, findings)
    return from_records(found, frame)


def claims(study: str, findings: str) -> list[dict[str, Any]]:
    """Returns a row per claim of a study."""
    rows = json.loads(findings)
    return [{"study": study, **row, "measured": "\n".join(row["measured"])} for row in rows]


def study_plan(study: str, full: bool, maps: File | None) -> _native.Plan:
    """Returns all runs of a study."""
    folder = os.environ.get("FLEETFOOT_MAPS") if maps is None else os.fspath(maps)
    return _native.Plan.study(study, full, folder or None)


def chosen(ids: str | Iterable[str]) -> list[str]:
    """Returns the requested studies without duplicates."""
    wanted = [ids] if isinstance(ids, str) else list(ids)
    known = [study["id"] for study in json.loads(_native.studies_json())]
    for name in wanted:
        if name != "all" and name not in known:
            raise InputError(f"there is no study `{name}`; there are {', '.join(known)}, and all")
    return known if "all" in wanted else [study for study in known if study in wanted]


def studies(*, frame: Library | None = None) -> Any:
    """Returns a frame of the tables and figures that `reproduce` supports."""
    rows = json.loads(_native.studies_json())
    return from_records([{**row, "claims": " ".join(row["claims"])} for row in rows], frame)


def planners(*, frame: Library | None = None) -> Any:
    """Returns a frame of all planners with their needs, properties and parameters, like `fleetfoot list`."""
    rows = []
    for planner in json.loads(_native.planners_json()):
        needs = {f"needs_{name}": is_needed for name, is_needed in planner["needs"].items()}
        parameters = ", ".join(f"{param['name']}={param['default']}" for param in planner["parameters"])
        about = {name: planner[name] for name in ("key", "name", "paper", "summary")}
        rows.append({**about, **planner["facts"], **needs, "parameters": parameters})
    return from_records(rows, frame)


def parse_rules(text: str) -> dict[str, Any]:
    """Parses the rules of movement of a row: `moves=8,diagonal=sqrt2,cut-corners,terrain(S=3)`."""
    terrain = None
    if text.endswith(")"):
        text, _, terrain = text[:-1].partition("terrain(")
    words = [word for word in text.split(",") if word]
    values = dict(word.split("=") for word in words if "=" in word)
    diagonal = values.get("diagonal", "sqrt2")
    return {
        "moves": int(values["moves"]),
        "diagonal": diagonal if diagonal == "sqrt2" else float(diagonal),
        "cut-corners": "cut-corners" in words,
        "terrain": terrain,
    }


def _several(value: Any) -> list[Any]:
    # Accepts numpy's numbers.
    return [value] if value is None or isinstance(value, (str, numbers.Number)) else list(value)


def _budget(budget: Budget) -> str:
    return "inf" if budget is None or budget == float("inf") else str(budget)
