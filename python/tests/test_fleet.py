"""Tests fleets."""

import threading

import fleetfoot
import numpy as np
import pytest
from fleetfoot import UnitStatus


def block(n, x=2, y=2):
    """Returns `count` cells, eight in a row."""
    k = np.arange(n)
    return np.column_stack([x + k % 8, y + k // 8])


@pytest.fixture
def door():
    """Returns a map with a wall that has a gap in the middle."""
    free = np.ones((64, 64), dtype=bool)
    free[:, 32] = False
    free[28:36, 32] = True
    return fleetfoot.Map(free)


def test_everybody_arrives(door):
    fleet = fleetfoot.Fleet(door)
    units = fleet.spawn(block(40))
    assert units.tolist() == list(range(40)) == fleet.units.tolist() and len(fleet) == 40
    assert (fleet.positions() == block(40)).all() and fleet.positions().dtype == np.int32
    assert (fleet.statuses() == UnitStatus.IDLE).all() and (fleet.goals() == -1).all()
    fleet.order(units, (50, 50))
    before, arrived = fleet.positions(), []
    for tick in range(300):
        if tick == 20:
            assert fleet.set((32, 30), 0)
        told = fleet.tick(2000)
        events, now = fleet.events(), fleet.positions()
        # Events are true, units move by one cell, and no two share a cell.
        assert told.moved == len(events["moved"]) == (now != before).any(axis=1).sum()
        assert (events["moved"][:, 3:] == fleet.positions(events["moved"][:, 0])).all()
        assert abs(now - before).max() <= 1 and len(np.unique(now, axis=0)) == 40
        assert all(fleet.map().is_free(cell) for cell in now[:3])
        arrived += events["arrived"][:, 0].tolist()
        before = now
    assert sorted(arrived) == units.tolist()
    assert (fleet.statuses() == UnitStatus.ARRIVED).all() and (fleet.positions() == fleet.goals()).all()
    assert fleet.summary.underway == 0 and fleet.ticks == 300
    assert door.is_free((32, 30)) and not fleet.map().is_free((32, 30)), "the map is the fleet's own"


def test_each_to_its_own_goal(door):
    fleet = fleetfoot.Fleet(door)
    units = fleet.spawn(block(24))
    goals = block(24, x=40, y=20)[::-1]
    fleet.order(units, goals)
    assert (fleet.goals() == goals).all()
    fleet.stop()
    fleet.order(units, goals.tolist())
    assert (fleet.goals() == goals).all(), "lists are as good as arrays"
    assert fleet.run(2000, 1000) < 1000
    assert (fleet.positions() == goals).all() and (fleet.positions(units[::-1]) == goals[::-1]).all()
    fleet.order([units[3]], (2, 2), near=False)
    fleet.tick(2000)
    path = fleet.path(units[3])
    assert path[-1].tolist() == [2, 2] and fleet.statuses([3])[0] in (UnitStatus.SEEKING, UnitStatus.UNDERWAY)
    fleet.stop()
    assert (fleet.goals() == -1).all()


def test_a_run_is_its_ticks(door):
    one = fleetfoot.Fleet(door)
    one.order(one.spawn(block(64)), (50, 50))
    other = one.copy()
    made = one.run(500, 10_000)
    for _ in range(made):
        last = other.tick(500)
    assert last.underway == 0 and (one.positions() == other.positions()).all() and made < 10_000
    assert repr(one) == "Fleet(64 units on 64x64 cells)" and "moved=" in repr(last)


def test_numbers_are_never_used_twice(door):
    fleet = fleetfoot.Fleet(door)
    first = fleet.spawn(block(3))
    fleet.remove(first[1])
    second = fleet.spawn([[20, 20]])
    assert second.tolist() == [3] and sorted(fleet.units.tolist()) == [0, 2, 3] and len(fleet) == 3
    assert fleet.positions(3).tolist() == [[20, 20]]
    for ask in [lambda: fleet.positions([1]), lambda: fleet.path(1), lambda: fleet.order([9], (1, 1))]:
        with pytest.raises(fleetfoot.InputError, match="there is no unit"):
            ask()
    fleet.teleport([0], [[30, 30]])
    assert fleet.positions([0]).tolist() == [[30, 30]]


def test_fog(door):
    fleet = fleetfoot.Fleet(door)
    team = fleet.add_team(radius=5)
    assert team == 1 and fleet.seen().all() and not fleet.seen(team).any()
    fleet.order(fleet.spawn([[2, 2]], team), (60, 60))
    fleet.run(500, 5)
    assert fleet.seen(team)[2, 2] and not fleet.seen(team)[60, 60]
    assert fleet.run(500, 2000) < 2000 and fleet.positions().tolist() == [[60, 60]]
    with pytest.raises(fleetfoot.InputError, match="there is no team 7"):
        fleet.spawn([[5, 5]], 7)


def test_walls_and_ghosts(door):
    fleet = fleetfoot.Fleet(door)
    (unit,) = fleet.spawn([[2, 2]])
    for y in range(28, 36):
        fleet.set((32, y), 0)
    fleet.order(unit, (50, 50), near=False)
    while fleet.statuses()[0] != UnitStatus.UNREACHABLE:
        fleet.tick(1000)
    assert fleet.events()["unreachable"].shape[1] == 3
    fleet.set((2, 2) if fleet.positions().tolist() == [[2, 2]] else tuple(fleet.positions()[0]), 0)
    fleet.tick(1000)
    assert fleet.statuses()[0] == UnitStatus.BURIED
    ghosts = fleetfoot.Fleet(door, collisions=False)
    ghosts.order(ghosts.spawn([[5, 5], [5, 5], [9, 9]]), (40, 40), near=False)
    ghosts.run(1000, 500)
    assert (ghosts.positions() == [40, 40]).all()


def test_refusals(door):
    fleet = fleetfoot.Fleet(door)
    fleet.spawn([[1, 1]])
    for cells, text in [
        ([[5, 5], [1, 1]], r"cell \(1, 1\): another unit stands there"),
        ([[5, 5], [32, 0]], r"cell \(32, 0\): no unit can stand on a blocked cell"),
        ([[5, 64]], "lies outside the map of 64x64"),
        ([[-1, 5]], "lies outside"),
        ([[1, 2, 3]], "a row for each unit"),
        ([1, 2], "an array of two columns"),
        ([[0.5, 1.0]], "an array of two columns"),
        ("x", "an array of two columns"),
    ]:
        with pytest.raises(fleetfoot.InputError, match=text):
            fleet.spawn(cells)
        assert len(fleet) == 1, "all or none"
    with pytest.raises(fleetfoot.InputError, match="a row for each unit"):
        fleet.order(None, np.ones((2, 2), int))
    with pytest.raises(fleetfoot.InputError, match="no numbers of units"):
        fleet.order("x", (1, 1))
    assert len(fleet.spawn(np.zeros((0, 2), int))) == 0 and len(fleet.positions([])) == 0


def test_threads(door):
    """One thread ticks, another one queries and edits."""
    fleet = fleetfoot.Fleet(door)
    fleet.order(fleet.spawn(block(64)), (50, 50))
    work = threading.Thread(target=lambda: [fleet.tick(2000) for _ in range(300)])
    work.start()
    while work.is_alive():
        assert len(fleet.positions()) == 64
        fleet.set((60, 5), 0)
        fleet.set((60, 5), 1)
    assert fleet.ticks == 300 and (fleet.statuses() == UnitStatus.ARRIVED).all()


def test_numbers_that_cannot_be():
    fleet = fleetfoot.Fleet(fleetfoot.Map(np.ones((8, 8), bool)))
    units = fleet.spawn([[1, 1]])
    fleet.order(units, (6, 6))
    for ask, text in [
        (lambda: fleet.tick(-1), "work = -1 cannot be; give a whole number of expansions, 0 or more"),
        (lambda: fleet.tick(2.5), "work = 2.5 cannot be; give a whole number of expansions"),
        (lambda: fleet.run(-1, 5), "work = -1 cannot be"),
        (lambda: fleet.run(10, -5), "ticks = -5 cannot be; give a whole number of ticks, 0 or more"),
        (lambda: fleet.set_speed(units, 0), "every = 0 cannot be; give the number of ticks per move, 1 or more"),
        (lambda: fleet.set_speed(units, -2), "every = -2 cannot be"),
        (lambda: fleet.set((0, 0), -1), "weight = -1 cannot be"),
        (lambda: fleet.set((0, 0), 3), "weight 3 lies outside 1..=1, the range the grid was built for; make a map with room"),
        (lambda: fleet.add_team(-1), "radius = -1 cannot be; give a whole number of cells"),
    ]:
        with pytest.raises(fleetfoot.InputError) as caught:
            ask()
        assert str(caught.value).startswith(text)
    assert fleet.ticks == 0 and fleet.positions(units).tolist() == [[1, 1]]
    fleet.set_speed(units, 2)
    assert fleet.tick(np.int64(100)).moved <= 1
