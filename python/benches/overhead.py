"""The overhead of ticks from Python over the native step: `python python/benches/overhead.py`, with the wheel installed.

`Agent.walk` ticks natively, in one call; the same walk is then made by calls of `Agent.tick`. `Fleet.run` and `Fleet.tick`
likewise, the array of all positions after every tick included. The first line is a tick that has nothing to do: nothing but
the call. Processor time, the least of many rounds, since others work on the machine, too; rounds alternate.
"""

import time

import fleetfoot
import numpy as np

ROUNDS = 40
UNITS = 10_000


def fleets() -> None:
    """Returns ten thousand units that cross a cave."""
    free = fleetfoot.Map.load("builtin:cave512")
    rng = np.random.default_rng(1)
    rows, columns = np.nonzero(free.to_array())
    cells = np.column_stack([columns, rows]).astype(np.int32)
    cells = cells[[free.reachability(cells[0], cell) for cell in cells]]
    starts, goals = (cells[rng.permutation(len(cells))[:UNITS]] for _ in range(2))
    fleet = fleetfoot.Fleet(free)
    fleet.order(fleet.spawn(starts), goals)
    fleet.run(20_000, 20)
    print(f"\n{'units':<12}{'budget':>8}{'ticks':>8}{'native us':>12}{'Python us':>12}{'over':>10}")
    for budget in [1000, 10_000]:
        native, called, ticks = [], [], 10
        for _ in range(ROUNDS // 2):
            one, other = fleet.copy(), fleet.copy()
            began = time.process_time_ns()
            one.run(budget, ticks)
            native.append(time.process_time_ns() - began)
            began = time.process_time_ns()
            for _ in range(ticks):
                other.tick(budget)
                other.positions()
            called.append(time.process_time_ns() - began)
            assert (one.positions() == other.positions()).all()
        a, b = min(native) / ticks / 1000, min(called) / ticks / 1000
        print(f"{UNITS:<12}{budget:>8}{ticks:>8}{a:>12.0f}{b:>12.0f}{b / a - 1:>10.1%}")


def main() -> None:
    free = fleetfoot.Map.load("builtin:cave512")
    start, goal = max(
        ((tuple(p[:2]), tuple(p[2:])) for p in free.random_problems(20).tolist()),
        key=lambda pair: len(free.shortest_path(*pair)),
    )
    print(f"{'planner':<12}{'budget':>8}{'ticks':>8}{'native ns':>12}{'Python ns':>12}{'over ns':>10}")
    idle = fleetfoot.Agent(free, "auto", goal, goal).tick
    calls = []
    for _ in range(ROUNDS):
        began = time.process_time_ns()
        for _ in range(10_000):
            idle(100)
        calls.append(time.process_time_ns() - began)
    print(f"{'(at its goal)':<13}{100:>7}{10_000:>8}{'':>12}{min(calls) / 10_000:>12.0f}{min(calls) / 10_000:>10.0f}")
    for planner, budget in [("auto", 100), ("tba", 100), ("tba", 1000), ("lrta", 1), ("rtaa", 10)]:
        native, called, ticks = [], [], 0
        for _ in range(ROUNDS):
            agent = fleetfoot.Agent(free, planner, start, goal)
            began = time.process_time_ns()
            walk, _ = agent.walk(budget, ticks=20_000)
            native.append(time.process_time_ns() - began)
            ticks = len(walk) - 1
            tick = fleetfoot.Agent(free, planner, start, goal).tick
            began = time.process_time_ns()
            for _ in range(ticks):
                tick(budget)
            called.append(time.process_time_ns() - began)
        one, other = min(native) / ticks, min(called) / ticks
        print(f"{planner:<12}{budget:>8}{ticks:>8}{one:>12.0f}{other:>12.0f}{other - one:>10.0f}")
    fleets()


if __name__ == "__main__":
    main()
