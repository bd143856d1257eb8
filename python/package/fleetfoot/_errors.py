"""What can go wrong. The texts are the program's: what is wrong, where, and what to do about it."""

__all__ = ["DistributedError", "FleetfootError", "InputError", "RuleError"]


class FleetfootError(Exception):
    """All of them."""


class InputError(FleetfootError, ValueError):
    """Something cannot be used: a file, a text, a number."""


class RuleError(FleetfootError):
    """A planner broke a rule of the game: a fault of the planner, not of yours."""


class DistributedError(FleetfootError):
    """Parts of an experiment, a study or a database have failed; the others are done.

    `failures` has the error's text by part.
    """

    def __init__(self, text: str, failures: dict[str, str]) -> None:
        super().__init__(text)
        self.failures = failures

    def __reduce__(self) -> tuple[type["DistributedError"], tuple[str, dict[str, str]]]:
        return DistributedError, (self.args[0], self.failures)
