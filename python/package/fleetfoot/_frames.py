"""Rows as frames of pandas or polars."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from ._errors import InputError

Library: TypeAlias = Literal["pandas"] | Literal["polars"]

# The columns of a row that are not integers, or may be missing; all others are integers.
TEXTS = {"run", "label", "map", "world", "rules", "planner", "budget", "prices", "outcome", "walk"}
CELLS = {"start", "goal"}
SWITCHES = {"converged", "strayed"}
DECIMALS = {
    "optimal", "cost", "ratio", "expansions_per_move", "max_work", "links_excess", "h_increase",
    "astar_difficulty", "prepared_s", "core_share",
}  # fmt: skip
MAYBE = {
    "trial", "optimal_straight", "optimal_diagonal", "prepared_bytes", "links", "links_longer", "astar_expansions",
    "astar_moves", "plan_ns_total", "plan_ns_p50", "plan_ns_p99", "plan_ns_max", "overruns",
}  # fmt: skip


def library(asked: Library | None) -> Library:
    """Returns the requested library, or an installed one."""
    if asked is not None and asked not in ("pandas", "polars"):
        raise InputError(f"there are no frames of `{asked}`; use pandas or polars")
    names: tuple[Library, ...] = ("pandas", "polars") if asked is None else (asked,)
    for name in names:
        if importlib.util.find_spec(name) is not None:
            return name
    wanted = " or ".join(names)
    raise InputError(f"frames need {wanted}, which is not there; pip install 'fleetfoot[{names[0]}]'")


def from_lines(lines: bytes, asked: Library | None) -> Any:
    """Makes a frame from rows as JSON Lines."""
    rows = [json.loads(line) for line in lines.splitlines()]
    columns = list(rows[0]) if rows else []
    if library(asked) == "pandas":
        import pandas

        for row in rows:
            for cell in CELLS:
                row[cell] = tuple(row[cell])
        frame = pandas.DataFrame.from_records(rows, columns=columns)
        return frame.astype({name: _pandas_type(name) for name in columns})
    import polars

    schema = {name: _polars_type(name, polars) for name in columns}
    return polars.read_ndjson(io.BytesIO(lines), schema=schema) if rows else polars.DataFrame()


def from_records(records: list[dict[str, Any]], asked: Library | None) -> Any:
    """Makes a frame from columns."""
    if library(asked) == "pandas":
        import pandas

        return pandas.DataFrame.from_records(records)
    import polars

    return polars.DataFrame(records, infer_schema_length=None)


def to_records(rows: Any) -> list[dict[str, Any]]:
    """Returns rows from a frame, a row of it, or plain dictionaries."""
    if isinstance(rows, Mapping):
        return [dict(rows)]
    # A pandas row, a pandas frame, a polars frame.
    if hasattr(rows, "to_frame") and hasattr(rows, "index"):
        return [rows.to_dict()]
    if hasattr(rows, "to_dict") and hasattr(rows, "iloc"):
        return list(rows.to_dict("records"))
    if hasattr(rows, "to_dicts"):
        return list(rows.to_dicts())
    if isinstance(rows, Iterable) and not isinstance(rows, (str, bytes)):
        return [record for row in rows for record in to_records(row)]
    raise InputError(f"{type(rows).__name__} has no rows of runs; give rows that fleetfoot.run or bench returned")


def _pandas_type(name: str) -> str:
    if name in TEXTS or name in CELLS:
        return "object" if name in CELLS else "str"
    if name in SWITCHES:
        return "boolean"
    if name in DECIMALS:
        return "float64"
    # Differences of counts may be negative. A seed may be any 64 bits.
    return "Int64" if name in MAYBE else "uint64" if name == "seed" else "int64"


def _polars_type(name: str, polars: Any) -> Any:
    if name in TEXTS:
        return polars.String
    if name in CELLS:
        return polars.List(polars.UInt32)
    if name in SWITCHES:
        return polars.Boolean
    if name in DECIMALS:
        return polars.Float64
    return polars.UInt64 if name == "seed" else polars.Int64
