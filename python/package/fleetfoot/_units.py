"""The states of a fleet's units."""

from enum import IntEnum


class UnitStatus(IntEnum):
    """The state of a unit, as `Fleet.statuses` returns it."""

    IDLE = 0
    """It has no order."""
    SEEKING = 1
    """It has an order, and a search for its route is not finished."""
    UNDERWAY = 2
    """It follows its route."""
    ARRIVED = 3
    """It has been at its goal during this order."""
    UNREACHABLE = 4
    """Its goal is unreachable. It waits until the map opens a path."""
    BURIED = 5
    """A wall was built on it."""
