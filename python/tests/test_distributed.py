"""Tests clusters by processes on one machine: equal bytes, whatever processes die."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import fleetfoot
import numpy as np
import pytest
from distributed import Client, LocalCluster
from fleetfoot import distributed


@pytest.fixture(scope="module")
def client():
    """Returns two workers, each a process with a nurse that restarts it."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


def files(folder: Path) -> dict[str, bytes]:
    """Returns what must be equal on one machine and on a cluster: everything except the build."""
    names = ["rows.jsonl", "rows.csv", "report.md", "report.html", "lab.json"]
    figures = sorted(path.name for path in (folder / "figures").iterdir())
    return {name: (folder / name).read_bytes() for name in [*names, *(f"figures/{figure}" for figure in figures)]}


def pids(client: Client) -> list[int]:
    return list(client.run(os.getpid).values())


def test_the_same_bytes_as_on_one_machine(experiment, client):
    alone = fleetfoot.bench(experiment, "alone")
    for parts in [None, 1, 5, 1000]:
        together = distributed.bench(experiment, client, f"together{parts}", parts=parts, progress=False)
        assert together.equals(alone)
        assert files(experiment.parent / f"together{parts}") == files(experiment.parent / "alone")
        assert not (experiment.parent / f"together{parts}" / "parts").exists()


LONG = """
maps = ["maps/a.map"]
planners = ["lrta"]
budgets = [1, 2, 3, 4, 5, 6]
[problems]
random = 120
"""


def test_killed_workers_lose_nothing(experiment, client):
    """Kills processes in the middle, repeatedly."""
    experiment.write_text(LONG)
    alone = fleetfoot.bench(experiment, "alone")
    kept = experiment.parent / "together" / "parts"
    killed: list[int] = []
    is_over = threading.Event()

    def kill() -> None:
        # Each time some more parts are done, so that it is in the middle. At most five times, since Dask gives up a part
        # that was on too many workers that died.
        for least in [1, 4, 8, 12, 16]:
            while sum(1 for _ in kept.glob("*-of-*/*")) < least:
                if is_over.wait(0.01):
                    return
            victim = pids(client)[0]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        together = distributed.bench(experiment, client, "together", parts=24, progress=False)
    finally:
        is_over.set()
        killer.join()
    assert len(killed) >= 2, "no worker was killed in the middle"
    assert together["run"].is_unique and len(together) == len(alone) == 720
    assert together.equals(alone)
    assert files(experiment.parent / "together") == files(experiment.parent / "alone")


def test_a_client_that_was_killed_goes_on(experiment, client, monkeypatch):
    """Finished parts are on the client's disk, and are not repeated."""
    experiment.write_text(LONG)
    script = f"""
from distributed import Client
import fleetfoot.distributed
with Client({client.scheduler.address!r}) as client:
    fleetfoot.distributed.bench("two.toml", client, "together", parts=24, progress=False)
"""
    asked = subprocess.Popen([sys.executable, "-c", script])
    kept = experiment.parent / "together" / "parts"
    while sum(1 for _ in kept.glob("*-of-24/*")) < 5:
        assert asked.poll() is None
        time.sleep(0.01)
    asked.kill()
    asked.wait()
    before = {path.name for path in kept.glob("*-of-24/*")}
    made: set[str] = set()
    run_parts = distributed._run_parts

    def counted(client, job, sent, wanted, *rest):
        made.update(str(part + 1) for part in wanted)
        return run_parts(client, job, sent, wanted, *rest)

    monkeypatch.setattr(distributed, "_run_parts", counted)
    # The number of parts is that of the previous call.
    together = distributed.bench(experiment, client, "together", progress=False)
    assert made.isdisjoint(before) and made | before == {str(part) for part in range(1, 25)}
    assert together.equals(fleetfoot.bench(experiment, "alone"))


def test_parts_that_fail_name_the_programs_error(experiment, client, monkeypatch):
    """A file with an absolute path is not sent. Workers that cannot read it report an error."""
    script = experiment.parent / "doors.script"
    script.write_text("fleetfoot-script 1\nsize 101 101\n")
    experiment.write_text(
        f'maps = ["builtin:rooms100"]\nplanners = ["rtd"]\nworlds = ["dynamic({script})"]\n[problems]\nrandom = 4\n'
    )
    alone = fleetfoot.bench(experiment, "alone")
    sent = distributed._Bundle.at_workers

    def at_workers(self, client):
        # It exists while the client reads the experiment, and is gone when the workers do.
        script.rename(script.with_suffix(".away"))
        return sent(self, client)

    with monkeypatch.context() as patch, pytest.raises(fleetfoot.DistributedError, match="cannot read") as caught:
        patch.setattr(distributed._Bundle, "at_workers", at_workers)
        distributed.bench(experiment, client, "together", parts=2, progress=False)
    assert set(caught.value.failures) == {"1/2", "2/2"}
    assert all(f"{script}: cannot read" in text for text in caught.value.failures.values())
    script.with_suffix(".away").rename(script)
    assert distributed.bench(experiment, client, "together", progress=False).equals(alone)


def test_one_bad_part_of_many(experiment, client, monkeypatch):
    """A failed part is reported by its number, the others are kept, and the next call makes the missing one."""

    def bad(name, job, part, count):
        from fleetfoot.distributed import _part

        if part == 2:
            raise OSError("the disk is full")
        return _part(name, job, part, count)

    with monkeypatch.context() as patch, pytest.raises(fleetfoot.DistributedError, match="1 of 4 parts") as caught:
        patch.setattr(distributed, "_part", bad)
        distributed.bench(experiment, client, "together", parts=4, progress=False)
    assert caught.value.failures == {"3/4": "the disk is full"}
    assert sorted(path.name for path in (experiment.parent / "together/parts").glob("*-of-4/*")) == ["1", "2", "4"]
    together = distributed.bench(experiment, client, "together", progress=False)
    assert together.equals(fleetfoot.bench(experiment, "alone"))


def test_files_go_to_each_worker_once(experiment, client):
    """Two parts of a worker read the same copy; afterwards nothing is left behind."""
    experiment.write_text('maps = ["maps/a.map"]\nplanners = ["tba"]\n[problems]\nrandom = 20\n')

    def there(dask_worker):
        plugins = [name for name in dask_worker.plugins if name.startswith("fleetfoot")]
        return sorted(plugins), sorted(path.name for path in Path(dask_worker.local_directory).glob("fleetfoot-*"))

    # A client that was killed leaves its files behind until the workers end.
    before = client.run(there)
    distributed.bench(experiment, client, "together", parts=20, progress=False)
    assert client.run(there) == before


def test_folders_above_and_beside(here, client):
    """Relative paths stay what they are, so that rows have the same names."""
    (here / "maps/set").mkdir(parents=True)
    (here / "lab").mkdir()
    for seed in range(2):
        fleetfoot.Map.load(f"maze(width=31,height=31,seed={seed})").save(here / f"maps/set/{seed}.map")
    text = 'maps = ["../maps/set"]\nplanners = ["tba", "knn-lrta(database=../maps/0.knn)"]\n[problems]\nrandom = 3\n'
    (here / "lab/x.toml").write_text(text.replace('"../maps/set"', '"../maps/set/0.map"'))
    database = distributed.build_database(here / "maps/set/0.map", 50, client, here / "maps/0.knn", progress=False)
    assert (here / "maps/0.knn").read_bytes() == database
    alone = fleetfoot.bench("lab/x.toml", "alone")
    assert distributed.bench("lab/x.toml", client, "together", progress=False).equals(alone)
    assert set(alone["map"]) == {"../maps/set/0.map"}
    assert files(here / "together") == files(here / "alone")


def test_databases_are_the_programs(here, client, program):
    fleetfoot.Map.load("cave(width=96,height=96,seed=5)").save("c.map")
    assert program("database", "build", "c.map", "--records", "200", "-o", "theirs.knn").returncode == 0
    for parts in [None, 1, 7]:
        distributed.build_database("c.map", 200, client, "ours.knn", parts=parts, progress=False)
        assert (here / "ours.knn").read_bytes() == (here / "theirs.knn").read_bytes()
    assert program("database", "info", "ours.knn").returncode == 0
    with pytest.raises(fleetfoot.InputError, match="from 1"):
        distributed.build_database("c.map", 0, client)
    # Reported before the work, not after it.
    with pytest.raises(fleetfoot.InputError, match="there is no folder `nowhere`"):
        distributed.build_database("c.map", 10**9, client, "nowhere/x.knn")
    ground = np.where(fleetfoot.Map.load("c.map").to_array() > 0, 2, 0).astype(np.uint8)
    grid = fleetfoot.Map(ground, moves=4)
    made = distributed.build_database(grid, 30, client, progress=False)
    assert made == fleetfoot._native.assemble(
        grid, 1, False, [fleetfoot._native.records(grid, 30, 1, False, 0, 1, 1, None)]
    )


def test_studies(here, client, program, but_for_the_build):
    assert program("reproduce", "chapter-fig15", "--output", "theirs").returncode == 0
    claims = distributed.reproduce("chapter-fig15", client, "ours", progress=False)
    ours, theirs = (here / folder / "chapter-fig15/report.md" for folder in ("ours", "theirs"))
    assert but_for_the_build(ours) == but_for_the_build(theirs)
    assert set(claims["study"]) == {"chapter-fig15"} and "holds" in claims["verdict"].tolist()
