"""What a tick costs from Python over the native step: `python python/benches/overhead.py`, with the wheel installed.

`Agent.walk` ticks natively, in one call; the same walk is then made by calls of `Agent.tick`. The least of many rounds
counts, since others work on the machine, too; rounds alternate.
"""

import time

import fleetfoot

ROUNDS = 40


def main() -> None:
    free = fleetfoot.Map.load("builtin:cave512")
    start, goal = max(
        ((tuple(p[:2]), tuple(p[2:])) for p in free.random_problems(20).tolist()),
        key=lambda pair: len(free.shortest_path(*pair)),
    )
    print(f"{'planner':<12}{'budget':>8}{'ticks':>8}{'native ns':>12}{'Python ns':>12}{'over ns':>10}")
    for planner, budget in [("auto", 100), ("tba", 100), ("tba", 1000), ("lrta", 1), ("rtaa", 10)]:
        native, called, ticks = [], [], 0
        for _ in range(ROUNDS):
            agent = fleetfoot.Agent(free, planner, start, goal)
            began = time.perf_counter_ns()
            walk, _ = agent.walk(budget, ticks=20_000)
            native.append(time.perf_counter_ns() - began)
            ticks = len(walk) - 1
            tick = fleetfoot.Agent(free, planner, start, goal).tick
            began = time.perf_counter_ns()
            for _ in range(ticks):
                tick(budget)
            called.append(time.perf_counter_ns() - began)
        one, other = min(native) / ticks, min(called) / ticks
        print(f"{planner:<12}{budget:>8}{ticks:>8}{one:>12.0f}{other:>12.0f}{other - one:>10.0f}")


if __name__ == "__main__":
    main()
