"""Real-time heuristic search: agents that move this tick, within a planning budget that does not depend on the map.

>>> import fleetfoot, numpy as np
>>> free = np.ones((64, 64), dtype=bool)
>>> free[:63, 32] = False                     # a wall with a gap at its lower end
>>> map = fleetfoot.Map(free)
>>> agent = fleetfoot.Agent(map, "auto", (2, 2), (61, 2))
>>> while not agent.tick(100).is_final:       # the budget of a tick, in expansions
...     pass
>>> agent.at
(61, 2)
"""

from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import DistributedError, FleetfootError, InputError, RuleError
from ._lab import bench, merge, planners, reproduce, run, studies
from ._native import Agent, Fleet, Map, Status, Summary, __version__
from ._progress import FleetfootWarning
from ._replay import Replay, replay
from ._units import UnitStatus

_native.made_by(_native.__file__)

# Type checkers need `import fleetfoot.distributed`. Otherwise it is imported on first use, since Dask is optional.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "distributed":
            import importlib

            return importlib.import_module(f"{__name__}.distributed")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Agent",
    "DistributedError",
    "Fleet",
    "FleetfootError",
    "FleetfootWarning",
    "InputError",
    "Map",
    "Replay",
    "RuleError",
    "Status",
    "Summary",
    "UnitStatus",
    "__version__",
    "bench",
    "merge",
    "planners",
    "replay",
    "reproduce",
    "run",
    "studies",
]
