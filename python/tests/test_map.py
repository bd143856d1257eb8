"""Tests maps."""

import fleetfoot
import numpy as np
import pytest


def test_arrays_go_in_and_out(wall):
    free = fleetfoot.Map(wall)
    assert free.shape == (64, 64) and (free.width, free.height) == (64, 64)
    assert (free.to_array() == wall).all() and free.to_array().dtype == np.uint8
    weights = np.arange(12, dtype=np.uint8).reshape(3, 4)
    heavy = fleetfoot.Map(weights)
    assert heavy.shape == (3, 4) and (heavy.width, heavy.height) == (4, 3)
    assert (heavy.to_array() == weights).all()
    assert heavy.weight((3, 0)) == 3 and not heavy.is_free((0, 0)) and not heavy.is_free((99, 99))
    # Other memory orders give the same map.
    assert (fleetfoot.Map(np.asfortranarray(weights)).to_array() == weights).all()
    assert (fleetfoot.Map(weights[:, ::-1]).to_array() == weights[:, ::-1]).all()


def test_what_is_no_map_is_refused():
    for bad in [np.ones(5, bool), np.ones((2, 2, 2), bool), np.ones((3, 3)), [[1, 0]], "x", None]:
        with pytest.raises(fleetfoot.InputError, match="an array of two axes"):
            fleetfoot.Map(bad)
    with pytest.raises(fleetfoot.InputError, match="at least one cell"):
        fleetfoot.Map(np.ones((0, 5), bool))
    with pytest.raises(ValueError, match="moves is 4 or 8"):
        fleetfoot.Map(np.ones((2, 2), bool), moves=6)
    with pytest.raises(ValueError, match="1.4 or 1.5"):
        fleetfoot.Map(np.ones((2, 2), bool), diagonal=2)


def test_shortest_paths(wall):
    free = fleetfoot.Map(wall)
    path = free.shortest_path((2, 2), (61, 2))
    assert path.dtype == np.int32 and path[0].tolist() == [2, 2] and path[-1].tolist() == [61, 2]
    assert [32, 63] in path.tolist()
    assert abs(np.diff(path, axis=0)).max() == 1
    straight = fleetfoot.Map(wall, moves=4)
    assert straight.length(straight.shortest_path((2, 2), (61, 2))) == 59 + 2 * 61
    assert free.shortest_path((2, 2), (2, 2)).tolist() == [[2, 2]]
    wall[63, 32] = False
    assert fleetfoot.Map(wall).shortest_path((2, 2), (61, 2)) is None


def test_paths_have_lengths():
    ground = fleetfoot.Map(np.full((1, 3), 2, np.uint8))
    assert ground.length(np.array([[0, 0], [1, 0], [2, 0]], np.int32)) == 4
    with pytest.raises(fleetfoot.InputError, match="no move"):
        ground.length(np.array([[0, 0], [2, 0]], np.int32))
    with pytest.raises(fleetfoot.InputError, match="is not a cell of the map"):
        ground.length(np.array([[0, 0], [-1, 0]], np.int32))


def test_edits(wall):
    free = fleetfoot.Map(wall)
    assert free.set((32, 63), 0) and not free.set((32, 63), 0)
    while not free.update_indices(100):
        pass
    assert not free.reachability((2, 2), (61, 2)) and free.reachability((2, 2), (3, 3))
    assert free.nearest((2, 2), (61, 2)) == (31, 2)
    assert free.nearest((32, 0), (61, 2)) is None
    with pytest.raises(fleetfoot.InputError, match="weight 3 lies outside .*; make a map with room for it: .*max_weight=N"):
        free.set((0, 0), 3)
    roomy = fleetfoot.Map(wall, max_weight=9)
    assert roomy.set((0, 0), 9) and roomy.weight((0, 0)) == 9


def test_cells_are_checked(wall):
    free = fleetfoot.Map(wall)
    assert free.weight([1, 1]) == free.weight(np.array([1, 1])) == free.weight((np.int64(1), 1)) == 1
    for bad, text in [
        ((64, 0), "lies outside the map of 64x64"),
        ((-1, 0), "count from 0"),
        ("ab", "is not a cell"),
        ((1, 2, 3), "is not a cell"),
        ((0.5, 1), "is not a cell"),
        (None, "is not a cell"),
    ]:
        with pytest.raises(fleetfoot.InputError, match=text):
            free.weight(bad)


def test_files(here, wall):
    fleetfoot.Map(wall).save("a.map")
    assert (fleetfoot.Map.load("a.map").to_array() == wall).all()
    ground = np.array([[1, 5, 7], [0, 5, 1]], np.uint8)
    terrain = fleetfoot.Map(ground).save(here / "b.map")
    assert terrain == "G=5,S=7"
    assert (fleetfoot.Map.load("b.map", terrain=terrain).to_array() == ground).all()
    with pytest.raises(fleetfoot.InputError, match="three kinds of ground"):
        fleetfoot.Map(np.arange(12, dtype=np.uint8).reshape(3, 4)).save("c.map")
    assert not (here / "c.map").exists()


def test_errors_are_the_programs(here, program):
    (here / "bad.map").write_text("type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n")
    with pytest.raises(fleetfoot.InputError) as caught:
        fleetfoot.Map.load("bad.map")
    told = program("map", "info", "bad.map")
    assert told.returncode == 2 and told.stderr.strip() == f"error: {caught.value}"
    with pytest.raises(fleetfoot.InputError, match="builtin:cave512"):
        fleetfoot.Map.load("nowhere.map")


def test_generators():
    assert fleetfoot.Map.load("builtin:rooms100").shape == (101, 101)
    assert fleetfoot.Map.load("maze(width=31,height=21,seed=4)").shape == (21, 31)
    assert repr(fleetfoot.Map.load("builtin:rooms100", moves=4)) == "Map(101x101, moves=4)"


def test_weights_that_cannot_be():
    free = fleetfoot.Map(np.ones((3, 3), bool))
    for weight, named in [(-1, "-1"), (256, "256"), (1.5, "1.5"), ("wall", "'wall'"), (None, "None")]:
        with pytest.raises(fleetfoot.InputError) as caught:
            free.set((0, 0), weight)
        assert str(caught.value).startswith(f"weight = {named} cannot be; give a whole number: 0 blocks a cell")
    assert free.weight((0, 0)) == 1 and free.set((0, 0), np.int64(0)) and not free.is_free((0, 0))
