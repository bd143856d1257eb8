"""Errors. Their texts are the program's: what is wrong, where, and what to do about it."""

__all__ = ["DistributedError", "FleetfootError", "InputError", "RuleError"]


class FleetfootError(Exception):
    """The base class of all errors."""


class InputError(FleetfootError, ValueError):
    """A file, a text or a number cannot be used."""


class RuleError(FleetfootError):
    """A planner broke a rule, which is an error in the planner."""


class DistributedError(FleetfootError):
    """Parts of an experiment, a study or a database have failed; the others are done.

    `failures` has the error's text by part.
    """

    def __init__(self, text: str, failures: dict[str, str]) -> None:
        super().__init__(text)
        self.failures = failures

    def __reduce__(self) -> tuple[type["DistributedError"], tuple[str, dict[str, str]]]:
        return DistributedError, (self.args[0], self.failures)
