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
    "default_random",
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
    """A grid map: which cells are free, what they weigh, and how one moves.

    `array[y, x]` is the cell in column x and row y: 0 is blocked, other numbers up to 255 are weights (1 is plain ground);
    an array of booleans says what is free. `max_weight` makes room for weights that `set` brings later. Everywhere else a
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
        """Reads a map file, or makes one: `builtin:NAME`, or a generator such as `maze(width=51,seed=3)`."""

    def save(self, path: _File) -> str:
        """Writes a map file; returns what its letters weigh, as `terrain` of `load` wants it."""

    def to_bytes(self) -> tuple[bytes, str]:
        """The bytes of a map file, and what its letters weigh."""

    @property
    def width(self) -> int:
        """How many columns it has."""

    @property
    def height(self) -> int:
        """How many rows it has."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as numpy has them."""

    @property
    def rules(self) -> str:
        """The rules of movement, as the program's rows have them."""

    def to_array(self) -> npt.NDArray[np.uint8]:
        """What the cells weigh, as an array `[y, x]` of its own; 0 is blocked."""

    def weight(self, cell: _Cell) -> int:
        """What a cell weighs; 0 is blocked."""

    def is_free(self, cell: _Cell) -> bool:
        """Whether a cell is free; what lies outside is not."""

    def set(self, cell: _Cell, weight: int) -> bool:
        """Gives a cell another weight: 0 blocks it, 1 makes it plain ground. Tells whether it had another one before."""

    def update_indices(self, cells: int = 1000) -> bool:
        """Updates the reachability index by at most `cells` cells. Returns `True` once `reachability` is exact. Call it every tick."""

    def reachability(self, start: _Cell, goal: _Cell) -> bool:
        """Returns whether there may be a path, without a search. `False` is certain; `True` is certain once `update_indices` has returned `True`."""

    def nearest(self, start: _Cell, goal: _Cell) -> tuple[int, int] | None:
        """Returns the cell nearest to `goal` that can be reached from `start`. `None` if `start` is blocked."""

    def shortest_path(self, start: _Cell, goal: _Cell) -> npt.NDArray[np.int32] | None:
        """Returns a shortest path with both ends: an array with two columns, x and y. `None` if there is no path."""

    def length(self, path: npt.NDArray[np.int32]) -> float:
        """The length of a path: straight moves count 1, diagonal ones as the rules say, times the mean weight of both."""

    def random_problems(self, count: int, seed: int = 0) -> npt.NDArray[np.int32]:
        """Random problems that have a solution, as `fleetfoot run --random` draws them: an array of four columns."""

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
        """Whether the agent will stay where it is, unless the map or its goal changes."""

    def __int__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Agent:
    """An agent on a map: it thinks within its budget, moves, and goes on thinking in the next tick."""

    def __new__(cls, map: Map, planner: str, start: _Cell, goal: _Cell) -> Agent: ...
    def tick(self, budget: int | None) -> Status:
        """Plans within a budget, then makes at most one move. The budget is given in expansions of A* on cells, and all work is
        charged to it. `None` is no limit."""

    def walk(self, budget: int | None, ticks: int | None = None) -> tuple[npt.NDArray[np.int32], Status]:
        """Ticks until the agent has arrived, cannot arrive, or the maximum number of ticks is reached.

        Returns where it was after each tick, its start first, and the last status. Other threads have their turn between two
        ticks.
        """

    @property
    def at(self) -> tuple[int, int]:
        """Where it is; can be set."""

    @at.setter
    def at(self, cell: _Cell) -> None: ...
    @property
    def goal(self) -> tuple[int, int]:
        """The goal; can be set."""

    @goal.setter
    def goal(self, cell: _Cell) -> None: ...
    @property
    def map(self) -> Map:
        """The map that it walks on."""

    @property
    def planner(self) -> str:
        """Its planner."""

    @property
    def memory_bytes(self) -> int:
        """How many bytes its planner holds."""

    def path(self) -> npt.NDArray[np.int32]:
        """Returns the cells of the planned path after the current one, as far as it is decided: an array with two columns."""

@final
class Summary:
    """What the last tick of a fleet was like."""

    @property
    def moved(self) -> int:
        """Units that moved."""

    @property
    def underway(self) -> int:
        """Units that are not at their goals, of those that can get there."""

    @property
    def seeking(self) -> int:
        """Units whose way is still being searched for."""

    @property
    def work(self) -> int:
        """What was spent, in expansions; all work is charged."""

    @property
    def prices(self) -> str:
        """What was charged: `all` work."""

@final
class Fleet:
    """Many units on one map, moved together.

    Every tick everybody moves, and then searches go on for what is left of the budget. The map is the fleet's own from then
    on, and is edited by `Fleet.set`. Units are numbers, which `spawn` returns; where `None` is given, all units are meant.
    """

    def __new__(cls, map: Map, *, collisions: bool = True) -> Fleet: ...
    def add_team(self, radius: int | None = None) -> int:
        """Adds a team that knows the cells within a radius of its units; without a radius it knows the map."""

    def spawn(self, cells: _Cells, team: int = 0) -> npt.NDArray[np.int64]:
        """Puts new units on cells, an array of two columns; returns their numbers. If one cannot be there, none is made."""

    def order(self, units: _Units, goal: _Cell | _Cells, *, near: bool = True) -> None:
        """Sends units to a cell: each to one of its own around it, or with `near=False` all to this cell and no other.

        Or, by an array of two columns, each to its own cell. They set out with the next tick.
        """

    def stop(self, units: _Units = None) -> None:
        """Lets units forget their orders: they stand, and step aside for others."""

    def remove(self, units: _Units) -> None:
        """Takes units away."""

    def teleport(self, units: _Units, cells: _Cells) -> None:
        """Moves units to other cells at once, one after another. They keep their orders."""

    def set_speed(self, units: _Units, every: int) -> None:
        """Sets the speed of units: one move every N ticks."""

    def prefer(self, units: _Units, first: bool = True) -> None:
        """Lets the searches for units come before those for others, or no longer."""

    def set(self, cell: _Cell, weight: int) -> bool:
        """Gives a cell of the map another weight: 0 blocks it, 1 makes it plain ground."""

    def tick(self, work: int) -> Summary:
        """Moves all units, then continues searches within this number of expansions; all work is charged."""

    def run(self, work: int, ticks: int) -> int:
        """Ticks until no unit is under way, or the maximum number of ticks is reached. Returns the number of ticks.

        Other threads have their turn between two ticks.
        """

    @property
    def summary(self) -> Summary:
        """What the last tick was like."""

    @property
    def ticks(self) -> int:
        """Ticks so far."""

    @property
    def units(self) -> npt.NDArray[np.int64]:
        """The numbers of the units that are there."""

    def positions(self, units: _Units = None) -> npt.NDArray[np.int32]:
        """Where units are: an array of two columns."""

    def goals(self, units: _Units = None) -> npt.NDArray[np.int32]:
        """Where units are to go: an array of two columns; -1 for those that have no order."""

    def statuses(self, units: _Units = None) -> npt.NDArray[np.uint8]:
        """Returns the states of units, as numbers of `UnitStatus`."""

    def path(self, unit: int) -> npt.NDArray[np.int32]:
        """Returns the known cells of a unit's route, the next one first: an array with two columns."""

    def events(self) -> dict[str, npt.NDArray[np.int32]]:
        """What happened in the last tick, by kind: arrays with a row for each event, the unit's number first."""

    def seen(self, team: int = 0) -> npt.NDArray[np.bool_]:
        """What a team has seen, as an array `[y, x]` of booleans."""

    def map(self) -> Map:
        """A copy of the map as it is now."""

    def copy(self) -> Fleet:
        """A copy of the fleet, which goes its own way from here."""

    def __len__(self) -> int: ...

@final
class Plan:
    """All runs of an experiment."""

    @staticmethod
    def read(path: _File) -> Plan: ...
    @staticmethod
    def parse(text: str) -> Plan: ...
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
def default_random(map: str) -> int | None: ...
def merge(parts: Sequence[_File], out: _File, tell: _Tell) -> tuple[bytes, str]: ...
def record(
    about: dict[str, Any], diagonal: _Diagonal, lives: Sequence[tuple[str, str]], tell: _Tell
) -> tuple[bytes, str]: ...
def open(path: _File) -> tuple[bytes, str]: ...
def records(
    map: Map, count: int, seed: int, exact: bool, part: int, parts: int, threads: int, tell: _Tell
) -> bytes: ...
def assemble(map: Map, seed: int, exact: bool, parts: Sequence[bytes]) -> bytes: ...
