"""Tests agents."""

import threading

import fleetfoot
import numpy as np
import pytest
from fleetfoot import Status


@pytest.mark.parametrize("planner", ["auto", "tba", "lrta", "rtaa", "dstar-lite", "tba(switch-rule=on)"])
def test_agents_arrive(wall, planner):
    free = fleetfoot.Map(wall)
    agent = fleetfoot.Agent(free, planner, (2, 2), (61, 2))
    seen = [agent.at]
    while True:
        status = agent.tick(50)
        if status == Status.MOVED:
            assert agent.at != seen[-1]
        seen.append(agent.at)
        if status.is_final:
            break
    assert status == Status.ARRIVED and agent.at == (61, 2) == agent.goal
    assert agent.planner == planner and agent.map is free and agent.memory_bytes >= 0
    steps = abs(np.diff(np.array(seen), axis=0)).max(axis=1)
    assert steps.max() == 1


def test_a_walk_is_its_ticks(wall):
    free = fleetfoot.Map(wall)
    one, other = (fleetfoot.Agent(free, "tba", (2, 2), (61, 2)) for _ in range(2))
    walk, status = one.walk(10)
    ticks = [other.at]
    while not other.tick(10).is_final:
        ticks.append(other.at)
    assert walk.tolist() == [list(cell) for cell in [*ticks, other.at]] and status == Status.ARRIVED
    third = fleetfoot.Agent(free, "tba", (2, 2), (61, 2))
    first, status = third.walk(10, ticks=7)
    assert len(first) == 8 and not status.is_final
    rest, _ = third.walk(10)
    assert first.tolist() + rest.tolist()[1:] == walk.tolist()
    assert third.walk(10, ticks=0)[0].tolist() == [[61, 2]]


def test_no_limit(wall):
    agent = fleetfoot.Agent(fleetfoot.Map(wall), "astar", (2, 2), (61, 2))
    assert agent.tick(None) == Status.MOVED
    assert len(agent.path()) > 100 and agent.path()[-1].tolist() == [61, 2]


def test_doors_and_goals(wall):
    free = fleetfoot.Map(wall)
    agent = fleetfoot.Agent(free, "auto", (2, 2), (61, 2))
    agent.walk(100)
    free.set((32, 63), 0)
    agent.goal = (2, 2)
    for _ in range(10_000):
        free.update_indices(1000)
        if agent.tick(100).is_final:
            break
    assert agent.tick(100) == Status.UNREACHABLE
    free.set((32, 63), 1)
    assert agent.walk(100)[1] == Status.ARRIVED
    agent.at = (0, 0)
    assert agent.at == (0, 0) and agent.tick(100) == Status.MOVED
    with pytest.raises(fleetfoot.InputError, match="is blocked"):
        agent.goal = (32, 0)


def test_what_is_no_agent_is_refused(wall):
    free = fleetfoot.Map(wall)
    with pytest.raises(fleetfoot.InputError, match="did you mean"):
        fleetfoot.Agent(free, "rta", (2, 2), (61, 2))
    with pytest.raises(fleetfoot.InputError, match="lies outside"):
        fleetfoot.Agent(free, "auto", (2, 2), (61, 200))
    agent = fleetfoot.Agent(free, "auto", (2, 2), (61, 2))
    for bad in [-1, "x", 1.5]:
        with pytest.raises(fleetfoot.InputError, match="budget = .* cannot be"):
            agent.tick(bad)


def test_statuses():
    assert Status.MOVED == 0 and int(Status.UNREACHABLE) == 3
    assert {Status.MOVED: 1}[Status.MOVED] == 1
    assert repr(Status.ARRIVED) == "Status.ARRIVED"
    assert [s.is_final for s in (Status.MOVED, Status.WAITING, Status.ARRIVED, Status.UNREACHABLE)] == [0, 0, 1, 1]


def test_threads_share_a_map(wall):
    """Agents of several threads walk while another thread opens and closes doors: all arrive, and no call fails."""
    free = fleetfoot.Map(wall)
    ends = []

    def walk(row: int) -> None:
        agent = fleetfoot.Agent(free, "auto", (2, row), (61, row))
        while agent.tick(20) != Status.ARRIVED:
            pass
        ends.append(agent.at)

    walkers = [threading.Thread(target=walk, args=(row,)) for row in range(4)]
    for thread in walkers:
        thread.start()
    k = 0
    while any(thread.is_alive() for thread in walkers) and k < 20_000:
        free.set((10, 40), k % 2)
        free.update_indices(100)
        k += 1
    free.set((10, 40), 1)
    for thread in walkers:
        thread.join()
    assert sorted(ends) == [(61, row) for row in range(4)]


def test_other_threads_run_meanwhile():
    """A step without a limit on a large map does not hold the interpreter."""
    free = fleetfoot.Map.load("maze(width=1501,height=1501,seed=1)")
    agent = fleetfoot.Agent(free, "astar(open=heap)", (1, 1), (1499, 1499))
    counted = 0
    work = threading.Thread(target=lambda: agent.tick(None))
    work.start()
    while work.is_alive():
        counted += 1
    assert counted > 100


def test_budgets_that_cannot_be():
    agent = fleetfoot.Agent(fleetfoot.Map(np.ones((4, 4), bool)), "tba", (0, 0), (3, 3))
    for ask, text in [
        (lambda: agent.tick(-1), "budget = -1 cannot be; give a whole number of expansions, 0 or more, or None"),
        (lambda: agent.walk("many"), "budget = 'many' cannot be"),
        (lambda: agent.walk(10, -1), "ticks = -1 cannot be; give a whole number of ticks"),
    ]:
        with pytest.raises(fleetfoot.InputError) as caught:
            ask()
        assert str(caught.value).startswith(text)
    assert agent.at == (0, 0)
