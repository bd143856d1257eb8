"""The states of a fleet's units."""

from enum import IntEnum


class UnitStatus(IntEnum):
    """The state of a unit, as `Fleet.statuses` returns it."""

    IDLE = 0
    """It has no order."""
    SEEKING = 1
    """It sets out towards its goal, and waits for a search to find its way."""
    UNDERWAY = 2
    """It follows its way."""
    ARRIVED = 3
    """It has been at its goal under this order."""
    UNREACHABLE = 4
    """No way leads to its goal. It stands, and sets out when the map opens one."""
    BURIED = 5
    """A wall was built on it."""
