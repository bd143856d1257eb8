"""Checks that threads and callbacks cause no deadlocks. Each case runs in a process of its own with a time limit, so
that a hang is a failure of one test and not of the whole suite."""

import subprocess
import sys

import pytest

LIMIT = 60

BEGIN = """
import sys, threading, time
import numpy as np
import fleetfoot
free = np.ones((128, 128), dtype=bool)
free[:, 64] = False
free[60:64, 64] = True
sys.setswitchinterval(1e-5)

def block(n, x=2):
    k = np.arange(n)
    return np.column_stack([x + k % 20, 2 + k // 20])

def together(*jobs, seconds=2.0):
    end, faults = time.monotonic() + seconds, []
    def work(job):
        try:
            while time.monotonic() < end and not faults:
                job()
        except BaseException as fault:
            faults.append(fault)
    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    if faults: raise faults[0]
"""

END = """
print("over")
"""


def runs(text: str) -> str:
    """Executes a program that must end."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + text + END], capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "over", done.stdout
    return lines[0]


@pytest.mark.parametrize(
    "change",
    [
        "fleet.order(units, (120, 120))",
        "fleet.order(units, block(len(units), x=100))",
        "fleet.set((64, 61), next(weights))",
        "fleet.tick(1000)",
        "fleet.stop(units)",
        "fleet.set_speed(units, 2)",
        "fleet.run(100, 3)",
        "fleet.copy()",
    ],
)
def test_a_fleet_in_two_threads(change):
    text = """
import itertools
fleet, weights = fleetfoot.Fleet(fleetfoot.Map(free)), itertools.cycle([0, 1])
units = fleet.spawn(block(400))
def ask():
    fleet.summary, fleet.ticks, fleet.units, len(fleet), repr(fleet)
    fleet.positions(), fleet.goals(), fleet.statuses(), fleet.path(0), fleet.events(), fleet.seen()
def change(): CHANGE
together(ask, ask, change)
"""
    runs(text.replace("CHANGE", change))


def test_a_long_run_lets_others_ask_and_order():
    runs("""
fleet = fleetfoot.Fleet(fleetfoot.Map(free))
units = fleet.spawn(block(400))
seen, runs, is_over = set(), 0, False
def run():
    global runs
    while not is_over:
        fleet.order(units, (120, 120 - runs % 9))
        runs += 1
        fleet.run(2000, 1_000_000)
thread = threading.Thread(target=run)
thread.start()
while len(seen) < 40:
    seen.add(fleet.ticks)
    fleet.positions()
    fleet.order(units[:5], (len(seen) % 50 + 2, 100))
is_over = True
thread.join()
# A thread that waits for the end of a run would see one tick of each.
assert runs < 20, runs
""")


def test_an_agent_and_its_map_in_many_threads():
    runs("""
import itertools
map, cells = fleetfoot.Map(free), itertools.cycle([0, 1])
agent = fleetfoot.Agent(map, "tba", (2, 2), (120, 120))
def look(): agent.at, agent.goal, agent.planner, agent.memory_bytes, agent.path(), repr(agent)
def ask(): map.width, map.shape, map.weight((3, 3)), map.is_free((4, 4)), map.reachability((2, 2), (120, 2)), repr(map)
def edit(): map.set((64, 61), next(cells)); map.update_indices(10)
def live(): agent.tick(20)
def walk():
    agent.at = (2, 2)
    agent.walk(20, 50)
together(look, ask, edit, live, walk, seconds=3)
""")


def test_a_walk_lets_others_edit_its_map():
    runs("""
map = fleetfoot.Map(free)
agent = fleetfoot.Agent(map, "lrta", (2, 2), (120, 120))
walks, is_over = 0, False
def walk():
    global walks
    while not is_over:
        walks += 1
        agent.at = (2, 2)
        agent.walk(1)
thread = threading.Thread(target=walk)
thread.start()
for edit in range(200):
    map.set((10, 100), edit % 2); map.shape; agent.at
is_over = True
thread.join()
# A thread that waits for the end of a walk would make one edit in each.
assert walks < 100, walks
""")


# The caller's objects are read while nothing is locked, so they may call anything.
BACK = """
map = fleetfoot.Map(free)
fleet = fleetfoot.Fleet(map)
units = fleet.spawn(block(3))
agent = fleetfoot.Agent(map, "tba", (2, 2), (60, 60))
class Cell:
    def __init__(self, x, y): self.numbers = (x, y)
    def __len__(self): return 2
    def back(self):
        fleet.positions(); fleet.set((50, 50), 1); fleet.order(units, (9, 9)); fleet.tick(10)
        map.set((50, 50), 1); map.shape; agent.at; agent.tick(5)
    def __getitem__(self, k):
        self.back()
        return self.numbers[k]
class Number:
    def __init__(self, number): self.number = number
    def __index__(self):
        Cell(0, 0).back()
        return self.number
"""


@pytest.mark.parametrize(
    "call",
    [
        "fleet.order(units, Cell(20, 20))",
        "fleet.order(units, (Number(20), Number(20)))",
        "fleet.order(Number(0), (20, 20))",
        "fleet.set(Cell(20, 20), Number(1))",
        "fleet.tick(Number(10))",
        "fleet.path(Number(0))",
        "map.set(Cell(20, 20), Number(1))",
        "map.weight(Cell(20, 20))",
        "map.is_free(Cell(20, 20))",
        "map.reachability(Cell(20, 20), Cell(21, 20))",
        "map.nearest(Cell(20, 20), Cell(21, 20))",
        "map.shortest_path(Cell(20, 20), Cell(21, 20))",
        "agent.goal = Cell(20, 20)",
        "agent.at = Cell(20, 20)",
        "agent.tick(Number(3))",
        'fleetfoot.Agent(map, "tba", Cell(20, 20), Cell(21, 20))',
    ],
)
def test_objects_that_call_back(call):
    # These objects may be accepted or refused, but must not hang.
    runs(BACK + f"\ntry:\n    {call}\nexcept fleetfoot.InputError as error:\n    print(error)\n")


def test_cells_that_do_not_fit_are_not_other_cells():
    said = runs("""
fleet = fleetfoot.Fleet(fleetfoot.Map(free))
units = fleet.spawn([[3, 3]])
try:
    fleet.order(units, [[2**32 + 5, 3]])
except fleetfoot.InputError as error:
    print(error)
""")
    assert "cell (4294967301, 3) lies outside the map" in said


@pytest.mark.parametrize("count", [2**31, 2**62])
def test_counts_are_checked(count):
    said = runs(f"""
map = fleetfoot.Map(free)
said = []
for call in [lambda: map.random_problems({count}), lambda: fleetfoot.run(map, "tba", random={count})]:
    try:
        call()
    except fleetfoot.InputError as error:
        said.append(str(error))
assert len(said) == 2, said
print(*said)
""")
    assert "random problems are too many for a map of 128x128 cells" in said
    assert f"random = {count} cannot be; give a number from 1 to 1000000" in said
