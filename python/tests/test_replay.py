"""Tests replays."""

import fleetfoot
import pytest


def test_the_page_is_the_programs(here, program):
    rows = fleetfoot.run("builtin:rooms100", ["astar", "tba", "lrta"], 10, start=(73, 77), goal=(31, 17))
    told = program(
        "run", "builtin:rooms100", "--from", "73,77", "--to", "31,17", "-p", "astar", "-p", "tba", "-p", "lrta",
        "-b", "10", "--replay", "race.html",
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    made = fleetfoot.replay(rows)
    assert made.page == (here / "race.html").read_text()
    assert fleetfoot.replay(here / "race.html").page == made.page
    shown = made._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<script" not in shown and "&lt;script" in shown


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_what_can_be_replayed(here, wall, frame):
    rows = fleetfoot.run(wall, ["tba", "rtaa"], [5, 20], start=(2, 2), goal=(61, 2), frame=frame)
    page = fleetfoot.replay(rows).page
    one = rows.iloc[0] if frame == "pandas" else rows.row(0, named=True)
    assert fleetfoot.replay(one).page != page
    assert len(fleetfoot.replay(rows, every=10, window=(0, 20)).record) < len(fleetfoot.replay(rows).record)
    saved = fleetfoot.replay(rows).save(here / "x.ffr")
    assert fleetfoot.replay(saved).page == page and not list(here.glob(".*"))
    again = fleetfoot.replay(saved)
    assert fleetfoot.replay(again) is again and "bytes" in repr(again)
    with pytest.raises(fleetfoot.InputError, match=".html"):
        again.save("x.gif")
    with pytest.raises(fleetfoot.InputError, match="there is no folder `nowhere`"):
        again.save("nowhere/x.html")


def test_worlds_and_rules(here, program):
    program("world", "doors", "builtin:doors100", "-o", "doors.script")
    rows = fleetfoot.run(
        "builtin:doors100", "rtd", 512, start=(1, 1), goal=(98, 98), world="dynamic(doors.script)", diagonal=1.4,
        cut_corners=True, max_steps=400, prices="papers",
    )  # fmt: skip
    told = program(
        "run", "builtin:doors100", "-p", "rtd", "-b", "512", "--from", "1,1", "--to", "98,98", "--world",
        "dynamic(doors.script)", "--diagonal", "1.4", "--cut-corners", "--max-ticks", "400", "--prices", "papers",
        "--replay", "doors.html",
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert fleetfoot.replay(rows).page == (here / "doors.html").read_text()


def test_refusals(here):
    rows = fleetfoot.run("builtin:rooms100", "tba", [5, 10, 20], random=2)
    with pytest.raises(fleetfoot.InputError, match="one to four"):
        fleetfoot.replay(rows)
    with pytest.raises(fleetfoot.InputError, match="differ in `problem`"):
        fleetfoot.replay(rows[1:4])
    with pytest.raises(fleetfoot.InputError, match="no rows of runs"):
        fleetfoot.replay(3)
    with pytest.raises(fleetfoot.InputError, match="no column `rules`"):
        fleetfoot.replay(rows[:1].drop(columns="rules"))
    with pytest.raises(fleetfoot.InputError, match="x.ffr: cannot read"):
        fleetfoot.replay("x.ffr")
    (here / "x.ffr").write_bytes(b"no record")
    with pytest.raises(fleetfoot.InputError):
        fleetfoot.replay("x.ffr")
