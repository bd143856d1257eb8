from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt

_Cell: TypeAlias = tuple[int, int] | Sequence[int] | npt.NDArray[np.integer[Any]]
_Cells: TypeAlias = npt.NDArray[np.integer[Any]] | Sequence[Sequence[int]]
_Units: TypeAlias = npt.NDArray[np.integer[Any]] | Sequence[int] | int | None
_File: TypeAlias = str | PathLike[str]
_Diagonal: TypeAlias = Literal["sqrt2"] | float
_Tell: TypeAlias = Callable[[int, int, list[str]], None] | None

__version__: str
__all__ = [
    "Agent",
    "Fleet",
    "Map",
    "Plan",
    "Status",
    "Summary",
    "__version__",
    "assemble",
    "made_by",
    "merge",
    "open",
    "planners_json",
    "record",
    "records",
    "studies_json",
]

@final
class Map:
    """A grid map: free cells, weights, and movement rules.

    `array[y, x]` is the cell in column x and row y: 0 is blocked, other numbers up to 255 are weights (1 is plain ground);
    an array of booleans marks free cells. `max_weight` allows `set` to use larger weights later. Everywhere else a
    cell is `(x, y)`.
    """

    def __new__(
        cls,
        array: npt.NDArray[np.bool_] | npt.NDArray[np.uint8],
        *,
        moves: int = 8,
        diagonal: _Diagonal | None = None,
        cut_corners: bool = False,
        max_weight: int | None = None,
    ) -> Map: ...
    @staticmethod
    def load(
        path: _File,
        *,
        moves: int = 8,
        diagonal: _Diagonal | None = None,
        cut_corners: bool = False,
        terrain: str = "",
    ) -> Map:
        """Reads a map file, or creates a map: `builtin:NAME`, or a generator such as `maze(width=51,seed=3)`."""

    def save(self, path: _File) -> str:
        """Writes a map file, and returns the weights of its letters in the format of the argument `terrain` of `load`."""

    def to_bytes(self) -> tuple[bytes, str]:
        """Returns the bytes of a map file, and the weights of its letters."""

    @property
    def width(self) -> int:
        """Returns the number of columns."""

    @property
    def height(self) -> int:
        """Returns the number of rows."""

    @property
    def shape(self) -> tuple[int, int]:
        """Returns the numbers of rows and columns, like numpy."""

    @property
    def rules(self) -> str:
        """Returns the movement rules, as in the program's rows."""

    def to_array(self) -> npt.NDArray[np.uint8]:
        """Returns the weights of all cells as a new array `[y, x]`; 0 is blocked."""

    def weight(self, cell: _Cell) -> int:
        """Returns the weight of a cell; 0 is blocked."""

    def is_free(self, cell: _Cell) -> bool:
        """Returns `True` if a cell is free. Cells outside the map are not."""

    def set(self, cell: _Cell, weight: int) -> bool:
        """Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `True` if the weight changed."""

    def update_indices(self, cells: int = 1000) -> bool:
        """Updates the reachability index by at most `cells` cells. Returns `True` once `reachability` is exact. Call it every tick."""

    def reachability(self, start: _Cell, goal: _Cell) -> bool:
        """Returns whether there may be a path, without a search. `False` is certain; `True` is certain once `update_indices` has returned `True`."""

    def nearest(self, start: _Cell, goal: _Cell) -> tuple[int, int] | None:
        """Returns the cell nearest to `goal` that can be reached from `start`. `None` if `start` is blocked."""

    def shortest_path(self, start: _Cell, goal: _Cell) -> npt.NDArray[np.int32] | None:
        """Returns a shortest path with both ends: an array with two columns, x and y. `None` if there is no path."""

    def length(self, path: npt.NDArray[np.int32]) -> float:
        """Returns the length of a path: straight moves count 1, diagonal ones as the rules define, times the mean weight of both cells."""

    def random_problems(self, count: int, seed: int = 0) -> npt.NDArray[np.int32]:
        """Returns random solvable problems, like `fleetfoot run --random`: an array with four columns."""

@final
class Status:
    """The result of a tick of an agent."""

    MOVED: ClassVar[Status]
    WAITING: ClassVar[Status]
    ARRIVED: ClassVar[Status]
    UNREACHABLE: ClassVar[Status]
    RESET: ClassVar[Status]
    @property
    def is_final(self) -> bool:
        """Returns `True` if the agent will not move unless the map or its goal changes."""

    def __int__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Agent:
    """An agent on a map: in each tick it plans within its budget and makes at most one move."""

    def __new__(cls, map: Map, planner: str, start: _Cell, goal: _Cell) -> Agent: ...
    def tick(self, budget: int | None) -> Status:
        """Plans within a budget, then makes at most one move. The unit of the budget is an expansion of A* on cells, and all work is
        charged. `None` is unlimited."""

    def walk(self, budget: int | None, ticks: int | None = None) -> tuple[npt.NDArray[np.int32], Status]:
        """Ticks until the agent has arrived, cannot arrive, or the maximum number of ticks is reached.

        Returns its positions after each tick, its start first, and the last status. Other threads can run between two
        ticks.
        """

    @property
    def at(self) -> tuple[int, int]:
        """The agent's cell. Can be set."""

    @at.setter
    def at(self, cell: _Cell) -> None: ...
    @property
    def goal(self) -> tuple[int, int]:
        """The agent's goal. Can be set."""

    @goal.setter
    def goal(self, cell: _Cell) -> None: ...
    @property
    def map(self) -> Map:
        """Returns the map."""

    @property
    def planner(self) -> str:
        """Returns the spec of the planner."""

    @property
    def memory_bytes(self) -> int:
        """Returns the number of bytes that the planner holds."""

    def path(self) -> npt.NDArray[np.int32]:
        """Returns the cells of the planned path after the current one, as far as it is decided: an array with two columns."""

@final
class Summary:
    """Statistics of the last tick of a fleet."""

    @property
    def moved(self) -> int:
        """Number of units that moved."""

    @property
    def underway(self) -> int:
        """Number of units that are not at their goals and can reach them."""

    @property
    def seeking(self) -> int:
        """Number of units whose routes are still being searched."""

    @property
    def work(self) -> int:
        """Work in expansions; all work is charged."""

    @property
    def prices(self) -> str:
        """Returns the prices: all work is charged."""

@final
class Fleet:
    """Units on one map.

    In every tick all units move, then searches continue within the rest of the budget. The fleet has its own copy of the map,
    which is edited with `Fleet.set`. Units are numbers, which `spawn` returns; `None` stands for all units.
    """

    def __new__(cls, map: Map, *, collisions: bool = True) -> Fleet: ...
    def add_team(self, radius: int | None = None) -> int:
        """Adds a team that knows the cells within a radius of its units; without a radius it knows the map."""

    def spawn(self, cells: _Cells, team: int = 0) -> npt.NDArray[np.int64]:
        """Adds units at cells, an array with two columns, and returns their numbers. If one cannot be placed, none is."""

    def order(self, units: _Units, goal: _Cell | _Cells, *, near: bool = True) -> None:
        """Sends units to a cell: each to a cell of its own around it, or with `near=False` all to exactly this cell.

        An array with two columns sends each unit to its own cell. They start with the next tick.
        """

    def stop(self, units: _Units = None) -> None:
        """Cancels the orders of units: they wait, and step aside for others."""

    def remove(self, units: _Units) -> None:
        """Removes units."""

    def teleport(self, units: _Units, cells: _Cells) -> None:
        """Moves units to other cells at once, one after another. They keep their orders."""

    def set_speed(self, units: _Units, every: int) -> None:
        """Sets the speed of units: one move every N ticks."""

    def prefer(self, units: _Units, first: bool = True) -> None:
        """Gives the searches of units priority over others, or removes it."""

    def set(self, cell: _Cell, weight: int) -> bool:
        """Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `True` if the weight changed."""

    def tick(self, work: int) -> Summary:
        """Moves all units, then continues searches within this number of expansions; all work is charged."""

    def run(self, work: int, ticks: int) -> int:
        """Ticks until no unit is under way, or the maximum number of ticks is reached. Returns the number of ticks.

        Other threads can run between two ticks.
        """

    @property
    def summary(self) -> Summary:
        """Returns statistics of the last tick."""

    @property
    def ticks(self) -> int:
        """Returns the number of ticks so far."""

    @property
    def units(self) -> npt.NDArray[np.int64]:
        """Returns the numbers of all units."""

    def positions(self, units: _Units = None) -> npt.NDArray[np.int32]:
        """Returns the positions of units: an array with two columns."""

    def goals(self, units: _Units = None) -> npt.NDArray[np.int32]:
        """Returns the goals of units: an array with two columns; -1 for units without orders."""

    def statuses(self, units: _Units = None) -> npt.NDArray[np.uint8]:
        """Returns the states of units, as numbers of `UnitStatus`."""

    def path(self, unit: int) -> npt.NDArray[np.int32]:
        """Returns the known cells of a unit's route, the next one first: an array with two columns."""

    def events(self) -> dict[str, npt.NDArray[np.int32]]:
        """Returns the events of the last tick by kind: arrays with a row per event, the unit's number first."""

    def seen(self, team: int = 0) -> npt.NDArray[np.bool_]:
        """Returns what a team has observed, as an array `[y, x]` of booleans."""

    def map(self) -> Map:
        """Returns a copy of the current map."""

    def copy(self) -> Fleet:
        """Returns an independent copy of the fleet."""

    def __len__(self) -> int: ...

@final
class Plan:
    """All runs of an experiment."""

    @staticmethod
    def read(path: _File) -> Plan: ...
    @staticmethod
    def of_run(json: str) -> Plan: ...
    @staticmethod
    def study(id: str, full: bool, maps: _File | None) -> Plan: ...
    @property
    def runs(self) -> int: ...
    @property
    def problems(self) -> int: ...
    @property
    def title(self) -> str: ...
    def files(self) -> list[PathLike[str]]: ...
    def carry_out(
        self, out: _File, threads: int | None, shard: str, fresh: bool, tell: _Tell
    ) -> tuple[bytes, str]: ...
    def make(self, threads: int | None, trials: int | None, tell: _Tell) -> bytes: ...

def planners_json() -> str: ...
def studies_json() -> str: ...
def made_by(file: _File) -> None: ...
def merge(parts: Sequence[_File], out: _File, tell: _Tell) -> tuple[bytes, str]: ...
def record(
    about: dict[str, Any], diagonal: _Diagonal, lives: Sequence[tuple[str, str]], tell: _Tell
) -> tuple[bytes, str]: ...
def open(path: _File) -> tuple[bytes, str]: ...
def records(
    map: Map, count: int, seed: int, exact: bool, part: int, parts: int, threads: int, tell: _Tell
) -> bytes: ...
def assemble(map: Map, seed: int, exact: bool, parts: Sequence[bytes]) -> bytes: ...
