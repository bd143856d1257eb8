"""Experiments on a Dask cluster.

>>> from dask.distributed import Client, LocalCluster          # doctest: +SKIP
>>> client = Client(LocalCluster(n_workers=4, threads_per_worker=1))  # doctest: +SKIP
>>> rows = fleetfoot.distributed.bench("caves.toml", client)   # doctest: +SKIP

The same call serves any cluster that Dask can start: SLURM, Kubernetes, SSH. A part is a task; Dask gives it to another
worker when its worker dies. What a part returns does not depend on where and how often it was tried, and each part is
counted once, so that the rows are the same, to the last byte, as on one machine. Files go to every worker once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import DistributedError, InputError
from ._files import check_folder, write
from ._frames import Library, from_lines, from_records
from ._lab import Diagonal, File, chosen, claims, study_plan
from ._progress import Bar

if importlib.util.find_spec("distributed") is None:
    raise ImportError("fleetfoot.distributed needs Dask; pip install 'fleetfoot[distributed]'")
from distributed import Client, Future, WorkerPlugin, as_completed, get_worker

if TYPE_CHECKING:
    from distributed import Worker

__all__ = ["bench", "build_database", "reproduce"]

# Parts per thread of the cluster: more parts balance different durations, and lose less work with a worker.
PARTS_PER_THREAD = 8
# Subfolder of an experiment's finished parts while others are missing.
PARTS = "parts"


def bench(
    experiment: File,
    client: Client,
    out: File | None = None,
    *,
    parts: int | None = None,
    fresh: bool = False,
    frame: Library | None = None,
    progress: bool = True,
) -> Any:
    """Executes an experiment on a cluster. Returns the same frame as `fleetfoot.bench`.

    Finished parts are kept in `out`: an interrupted or partly failed call continues from there. Maps,
    scenarios, scripts and databases that the experiment names by relative paths are sent to the workers; those with
    absolute paths must be there already, on a common disk.
    """
    # A relative path, so that relative paths in it differ from absolute ones.
    file = Path(os.path.relpath(experiment))
    folder = Path(file.stem) if out is None else Path(out)
    plan = _native.Plan.read(file)
    wanted = [file, *map(Path, plan.files()), *_scenario(file)]
    sent = _Bundle.of([path for path in wanted if not path.is_absolute()])
    job = _Job("bench", (sent.name_of(file),))
    rows, _ = _spread(client, plan, job, sent, folder, parts, fresh, progress)
    return from_lines(rows, frame)


def reproduce(
    ids: str | Iterable[str],
    client: Client,
    out: File = "reproduced",
    *,
    full: bool = False,
    maps: File | None = None,
    parts: int | None = None,
    fresh: bool = False,
    frame: Library | None = None,
    progress: bool = True,
) -> Any:
    """Reproduces tables and figures of papers on a cluster. Returns the same frame as `fleetfoot.reproduce`."""
    maps = maps or os.environ.get("FLEETFOOT_MAPS") or None
    found: list[dict[str, Any]] = []
    for study in chosen(ids):
        plan = study_plan(study, full, maps)
        # Studies search for their maps below the folder.
        sent = _Bundle.of([Path(path) for path in plan.files()], None if maps is None else Path(maps))
        job = _Job("study", (study, full, maps is not None))
        _, findings = _spread(client, plan, job, sent, Path(out) / study, parts, fresh, progress)
        found += claims(study, findings)
    return from_records(found, frame)


def build_database(
    map: File | _native.Map,
    records: int,
    client: Client,
    out: File | None = None,
    *,
    seed: int = 1,
    exact: bool = False,
    moves: int = 8,
    diagonal: Diagonal | None = None,
    cut_corners: bool = False,
    terrain: str = "",
    parts: int | None = None,
    progress: bool = True,
) -> bytes:
    """Makes a database of solved problems on a cluster, for `knn-lrta(database=FILE)`. Writes it to `out` and returns it.

    The bytes are those of `fleetfoot database build`. Parts stay in memory until all are finished: if some fail, the next call
    makes all of them.
    """
    if records < 1:
        raise InputError(f"records = {records} cannot be; give a number from 1")
    if out is not None:
        check_folder(Path(out))
    if not isinstance(map, _native.Map):
        map = _native.Map.load(map, moves=moves, diagonal=diagonal, cut_corners=cut_corners, terrain=terrain)
    data, letters = map.to_bytes()
    sent = _Bundle({"x.map": data})
    job = _Job("records", (map.rules, letters, records, seed, exact))
    count = min(records, _count(client, parts, records))
    made: dict[int, bytes] = {}

    def keep(part: int, result: dict[str, bytes]) -> None:
        made[part] = result["records"]

    _run_parts(client, job, sent, list(range(count)), count, keep, progress, fate="done, but not kept")
    file = _native.assemble(map, seed, exact, [made[part] for part in range(count)])
    if out is not None:
        write(Path(out), file)
    return file


# ---- Client: distributes parts, collects and stores results.


def _spread(
    client: Client,
    plan: _native.Plan,
    job: _Job,
    sent: _Bundle,
    out: Path,
    parts: int | None,
    fresh: bool,
    progress: bool,
) -> tuple[bytes, str]:
    """Executes a plan in parts, and merges them."""
    folder = out / PARTS
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    # Parts of a different division, or of another experiment, cannot be merged.
    token = f"{sent.digest}-{job.token()}"
    before = sorted(folder.glob(f"{token}-of-*")) if parts is None else []
    count = int(before[0].name.rpartition("-")[2]) if before else _count(client, parts, plan.problems)
    kept = folder / f"{token}-of-{count}"
    names = {part: kept / f"{part + 1}" for part in range(count)}
    missing = [part for part, path in names.items() if not path.is_dir()]
    kept.mkdir(parents=True, exist_ok=True)

    def keep(part: int, files: dict[str, bytes]) -> None:
        # Completely or not at all.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".") as beside:
            whole = Path(beside) / "part"
            whole.mkdir()
            for name, data in files.items():
                (whole / name).write_bytes(data)
            whole.replace(names[part])

    _run_parts(client, job, sent, missing, count, keep, progress)
    with Bar(" runs", False) as bar:
        result = _native.merge(list(names.values()), out, bar)
    shutil.rmtree(folder, ignore_errors=True)
    return result


def _count(client: Client, asked: int | None, most: int) -> int:
    """Returns the number of parts: by default several for every thread of the cluster."""
    if asked is not None and asked < 1:
        raise InputError(f"parts = {asked} cannot be; give a number from 1")
    threads = sum(client.nthreads().values())
    return max(1, min(most, asked if asked is not None else PARTS_PER_THREAD * max(1, threads)))


def _run_parts(
    client: Client,
    job: _Job,
    sent: _Bundle,
    wanted: list[int],
    count: int,
    keep: Callable[[int, dict[str, bytes]], None],
    progress: bool,
    fate: str = "done and kept",
) -> None:
    """Executes parts, and stores each when it is finished. Reports failures when all others are done."""
    failures: dict[str, str] = {}
    with sent.at_workers(client), Bar(" parts", progress) as bar:
        futures: dict[Future, int] = {}
        for part in wanted:
            # A key of its own for every part and call: Dask repeats it if its worker dies, and returns it once.
            key = f"fleetfoot-{job.kind}-{part + 1}of{count}-{sent.call}"
            futures[client.submit(_part, sent.name, job, part, count, key=key, pure=False)] = part
        bar(0, len(wanted), [])
        try:
            for done, future in enumerate(as_completed(list(futures)), start=1):
                part = futures[future]
                try:
                    # Waits again if the worker has died meanwhile, and its part is repeated.
                    files = future.result()
                except Exception as error:
                    failures[f"{part + 1}/{count}"] = str(error) or type(error).__name__
                else:
                    keep(part, files)
                del futures[future]
                future.release()
                bar(done, len(wanted), [])
        finally:
            # On any exception, including Ctrl-C, the other parts are canceled.
            client.cancel(list(futures), force=True)
    if failures:
        told = "; ".join(f"part {part}: {text}" for part, text in sorted(failures.items()))
        raise DistributedError(
            f"{len(failures)} of {count} parts have failed, the others are {fate}: {told}", failures
        )


def _scenario(file: Path) -> list[Path]:
    """Returns the scenario that an experiment names, if any."""
    scen = tomllib.loads(file.read_text("utf-8")).get("problems", {}).get("scen", "beside")
    return [] if scen == "beside" else [file.parent / scen]


# ---- Data for the workers.


class _Bundle:
    """Files with their relative paths, sent to every worker once, including later ones."""

    def __init__(self, files: dict[str, bytes], root: Path = Path()) -> None:
        self.files = files
        self.root = root
        digest = hashlib.sha256()
        for name, data in sorted(files.items()):
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        self.digest = digest.hexdigest()[:16]
        # Two calls with the same files must differ.
        self.call = os.urandom(4).hex()
        self.name = f"fleetfoot-{self.digest}-{self.call}"

    @classmethod
    def of(cls, paths: list[Path], root: Path | None = None) -> _Bundle:
        whole = sorted({Path(os.path.abspath(path)) for path in paths})
        if root is None:
            root = Path(os.path.commonpath([path.parent for path in whole])) if whole else Path()
        root = Path(os.path.abspath(root))
        return cls({path.relative_to(root).as_posix(): path.read_bytes() for path in whole}, root)

    def name_of(self, path: Path) -> str:
        return Path(os.path.abspath(path)).relative_to(self.root).as_posix()

    @contextmanager
    def at_workers(self, client: Client) -> Iterator[None]:
        client.register_plugin(_Files(self.name, self.files), name=self.name)
        try:
            yield
        finally:
            client.unregister_worker_plugin(self.name)


class _Files(WorkerPlugin):
    """Files in a temporary folder of the worker."""

    def __init__(self, name: str, files: dict[str, bytes]) -> None:
        self.name = name
        self.files: dict[str, bytes] | None = files
        self.folder: Path | None = None
        self.plans: dict[str, Any] = {}

    def setup(self, worker: Worker) -> None:
        self.lock = threading.Lock()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.name}-", dir=worker.local_directory))
        for name, data in (self.files or {}).items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        # The files are on the disk now.
        self.files = None

    def teardown(self, worker: Worker) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def once(self, token: str, make: Callable[[], Any]) -> Any:
        """Returns a value that all parts need, made by the first of them."""
        with self.lock:
            if token not in self.plans:
                self.plans[token] = make()
            return self.plans[token]


class _Job:
    """The experiment, study or database that a part belongs to."""

    def __init__(self, kind: str, about: tuple[Any, ...]) -> None:
        self.kind = kind
        self.about = about

    def token(self) -> str:
        return hashlib.sha256(repr((self.kind, self.about)).encode()).hexdigest()[:8]


# ---- Worker.


def _part(name: str, job: _Job, part: int, count: int) -> dict[str, bytes]:
    """Executes one part with one thread: a worker executes one part per thread at a time."""
    files = get_worker().plugins[name]
    assert isinstance(files, _Files) and files.folder is not None
    folder = files.folder
    if job.kind == "records":
        rules, letters, records, seed, exact = job.about
        grid = files.once("map", lambda: _map(folder / "x.map", rules, letters))
        made = _native.records(grid, records, seed, exact, part, count, 1, None)
        return {"records": made}
    plan = files.once("plan", lambda: _plan(job, folder))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".out-") as out:
        plan.carry_out(out, 1, f"{part + 1}/{count}", False, None)
        return {file.name: file.read_bytes() for file in Path(out).glob("*.json*")}


def _plan(job: _Job, folder: Path) -> _native.Plan:
    if job.kind == "bench":
        (file,) = job.about
        return _native.Plan.read(folder / file)
    study, full, has_maps = job.about
    return _native.Plan.study(study, full, folder if has_maps else None)


def _map(path: Path, rules: str, letters: str) -> _native.Map:
    from ._lab import parse_rules

    its = parse_rules(rules)
    return _native.Map.load(
        path, moves=its["moves"], diagonal=its["diagonal"], cut_corners=its["cut-corners"], terrain=letters
    )
