"""Compares runs and experiments with the program's, in both kinds of frames."""

import json

import fleetfoot
import numpy as np
import pandas
import polars
import pytest

# Times, and columns that depend on how runs share the machine.
TIMES = ["plan_ns_total", "plan_ns_p50", "plan_ns_p99", "plan_ns_max", "prepared_s", "core_share"]


def same(row, other):
    return {k: v for k, v in row.items() if k not in (*TIMES, "index", "label")} == {
        k: v for k, v in other.items() if k not in (*TIMES, "index", "label")
    }


def test_runs_are_the_programs(here, program):
    told = program(
        "run", "builtin:rooms100", "-p", "tbaa", "-p", "lrta", "-b", "5,50", "--random", "4", "--seed", "7",
        "--world", "unknown(radius=7)", "--moves", "4", "--format", "jsonl",
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    theirs = {row["run"]: row for row in map(json.loads, told.stdout.splitlines())}
    ours = fleetfoot.run(
        "builtin:rooms100", ["tbaa", "lrta"], [5, 50], random=4, seed=7, world="unknown(radius=7)", moves=4,
        frame="polars",
    )  # fmt: skip
    assert len(ours) == len(theirs) == 16
    assert all(same(row, theirs[row["run"]]) for row in ours.to_dicts())


def test_all_work_is_charged_unless_other_prices_are_named():
    ask = {"map": "builtin:corner40", "planners": ["tba", "rtaa"], "budgets": 5, "random": 3}
    usual, papers = fleetfoot.run(**ask), fleetfoot.run(**ask, prices="papers")
    # The second is the former name of the first.
    for name in ["all", "honest"]:
        rows = fleetfoot.run(**ask, prices=name)
        assert set(rows["prices"]) == {"all"} and rows["walk"].tolist() == usual["walk"].tolist()
    assert set(usual["prices"]) == {"all"} and set(papers["prices"]) == {"papers"}
    assert usual["steps"].tolist() != papers["steps"].tolist()


def test_problems_by_default(here, program):
    told = program("run", "builtin:rooms100", "-p", "tba", "--format", "jsonl")
    theirs = [json.loads(line)["run"] for line in told.stdout.splitlines()]
    assert fleetfoot.run("builtin:rooms100", "tba")["run"].tolist() == theirs
    told = program("run", "builtin:corner40", "-p", "tba", "--format", "jsonl")
    assert fleetfoot.run("builtin:corner40", "tba")["run"].tolist() == [json.loads(told.stdout)["run"]]
    near = fleetfoot.run("builtin:rooms100", "tba", random=5, seed=3, optimal="10..20")
    assert len(near) == 5 and near["optimal"].between(10, 20).all()
    assert near["start"].tolist() != fleetfoot.run("builtin:rooms100", "tba", random=5, optimal="10..20")["start"].tolist()


def test_frames_of_both_kinds():
    ask = {"map": "builtin:corner40", "planners": ["tba", "rtaa"], "budgets": [5, None]}
    one, other = fleetfoot.run(**ask, frame="pandas"), fleetfoot.run(**ask, frame="polars")
    assert isinstance(one, pandas.DataFrame) and isinstance(other, polars.DataFrame)
    assert list(one.columns) == other.columns and len(one) == len(other) == 4
    assert one["budget"].tolist() == other["budget"].to_list() == ["5", "inf", "5", "inf"]
    assert one["cost"].dtype == float and one["moves"].dtype == np.int64 and one["trial"].isna().all()
    assert other["cost"].dtype == polars.Float64 and other["trial"].null_count() == 4
    assert one["start"][0] == tuple(other["start"][0])
    # A difference of counts is negative, not huge.
    assert (one["moves"] - one["expansions"]).min() < 0
    with pytest.raises(fleetfoot.InputError, match="pandas or polars"):
        fleetfoot.run(**ask, frame="arrow")


def test_columns_have_types():
    """Checks the type of every column of a row."""
    from fleetfoot import _frames

    rows = fleetfoot.run("builtin:corner40", "tba", trials=2)
    special = _frames.TEXTS | _frames.CELLS | _frames.SWITCHES | _frames.DECIMALS | _frames.MAYBE
    assert special <= set(rows.columns)
    for name in set(rows.columns) - special:
        assert rows[name].dtype in (np.int64, np.uint64), name
    assert rows["trial"].tolist() == [1, 2]


def test_runs_on_arrays(wall):
    rows = fleetfoot.run(wall, "tba", 20, start=(2, 2), goal=(61, 2))
    assert rows["outcome"].tolist() == ["arrived"] and rows["map"][0].startswith("array-")
    assert "/" not in rows["map"][0] and "fleetfoot-" not in rows["run"][0]
    again = fleetfoot.run(fleetfoot.Map(wall), "tba", 20, start=(2, 2), goal=(61, 2))
    assert (again["run"][0], again["walk"][0]) == (rows["run"][0], rows["walk"][0])
    heavy = np.where(wall, 3, 0).astype(np.uint8)
    dear = fleetfoot.run(heavy, "tba", 20, pairs=[((2, 2), (61, 2))])
    assert dear["optimal"][0] == pytest.approx(3 * rows["optimal"][0])
    with pytest.raises(fleetfoot.InputError, match="those of the map"):
        fleetfoot.run(fleetfoot.Map(wall), moves=4)
    with pytest.raises(fleetfoot.InputError, match="leave terrain out"):
        fleetfoot.run(wall, terrain="S=3")


def test_problems_and_budgets_of_numpy(wall):
    drawn = fleetfoot.Map(wall).random_problems(3, seed=4)
    rows = fleetfoot.run(wall, "tba", np.int64(20), pairs=drawn)
    assert [[*start, *goal] for start, goal in zip(rows["start"], rows["goal"])] == drawn.tolist()
    assert rows["walk"].tolist() == fleetfoot.run(wall, "tba", 20, random=np.int32(3), seed=4)["walk"].tolist()
    cells = [(drawn[0, :2], drawn[0, 2:])]
    assert fleetfoot.run(wall, "tba", np.array([20]), pairs=cells)["walk"][0] == rows["walk"][0]


def test_scenarios(here, program):
    program("map", "generate", "corner", "--side", "20", "-o", "c.map")
    rows = fleetfoot.run("c.map", "tba")
    assert len(rows) == 1 and rows["outcome"][0] == "arrived"
    assert fleetfoot.run("c.map", "tba", scen="c.map.scen")["walk"].tolist() == rows["walk"].tolist()


def test_refusals(here):
    refuse = [
        (dict(map="nowhere.map"), "there is no map"),
        (dict(map="builtin:corner40", planners="tbb"), "tba"),
        (dict(map="builtin:corner40", budgets=0), "at least 1, or `inf`"),
        (dict(map="builtin:corner40", start=(1, 1)), "give start and goal"),
        (dict(map="builtin:corner40", random=2, scen="x.scen"), "several ways"),
        (dict(map="builtin:corner40", world="fog"), "unknown"),
        (dict(map="builtin:corner40", planners="d-lrta", world="unknown"), "works in known worlds only"),
        (dict(map="builtin:corner40", start=(0, 0), goal=(500, 0)), "not free"),
        (dict(map="builtin:corner40", start=(0, 0), goal=(1.5, 0)), "whole numbers"),
        (dict(map="builtin:corner40", pairs=[((0, 0),)]), "give start and goal"),
        (dict(map="builtin:corner40", random=0), "a number from 1"),
        (dict(map="builtin:corner40", random=-1), "a number from 1"),
    ]
    for ask, text in refuse:
        with pytest.raises(fleetfoot.InputError, match=text) as caught:
            fleetfoot.run(**ask)
        # The text of the experiment is generated.
        assert not str(caught.value).startswith("line ")


def test_experiments_are_the_programs(experiment, program, but_for_the_build):
    rows = fleetfoot.bench(experiment, "ours", frame="polars")
    assert program("bench", "two.toml", "--output", "theirs").returncode == 0
    folder = experiment.parent
    for name in ["rows.jsonl", "rows.csv"]:
        assert (folder / "ours" / name).read_bytes() == (folder / "theirs" / name).read_bytes(), name
    for name in ["report.md", "report.html"]:
        assert but_for_the_build(folder / "ours" / name) == but_for_the_build(folder / "theirs" / name), name
    assert rows["index"].to_list() == list(range(48))
    # By default the folder has the file's name, and existing rows are reused.
    fleetfoot.bench("two.toml")
    made = (folder / "two" / "rows.jsonl").stat().st_mtime_ns
    assert len(fleetfoot.bench("two.toml")) == 48
    assert json.loads((folder / "two" / "lab.json").read_text())["runs"] == 48 and made
    with pytest.raises(fleetfoot.InputError, match=r"two.toml:3: .*"):
        experiment.write_text('\ntitle = "x"\nmaps = 3\n')
        fleetfoot.bench("two.toml")


def test_parts_make_the_whole(experiment):
    whole = fleetfoot.bench(experiment, "whole")
    for part in range(1, 4):
        fleetfoot.bench(experiment, f"part{part}", shard=f"{part}/3")
    with pytest.raises(fleetfoot.InputError, match="runs are missing"):
        fleetfoot.merge(["part1", "part3"], "joined")
    joined = fleetfoot.merge(["part1", "part2", "part3"], "joined")
    assert joined.equals(whole)
    folder = experiment.parent
    assert (folder / "joined/rows.jsonl").read_bytes() == (folder / "whole/rows.jsonl").read_bytes()
    with pytest.raises(fleetfoot.InputError, match="parts count from 1"):
        fleetfoot.bench(experiment, "x", shard="4/3")


def test_the_planners(program):
    table = fleetfoot.planners()
    listed = json.loads(program("list", "--json").stdout)
    assert table["key"].tolist() == [planner["key"] for planner in listed]
    assert table.set_index("key").loc["tba", "bounded"] and table["complete"].dtype == bool
    assert isinstance(fleetfoot.planners(frame="polars"), polars.DataFrame)
    for key in table["key"]:
        if key not in ("ida", "knn-lrta", "d-lrta"):
            fleetfoot.Agent(fleetfoot.Map(np.ones((8, 8), bool), diagonal=1.5), key, (0, 0), (7, 7)).tick(10)


def test_the_studies():
    table = fleetfoot.studies()
    assert {"id", "title", "paper", "claims"} == set(table.columns) and "tba-table1" in table["id"].tolist()
    with pytest.raises(fleetfoot.InputError, match="tba-table1"):
        fleetfoot.reproduce("tba")
