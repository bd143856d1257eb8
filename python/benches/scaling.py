"""The time of a study on 1, 2, 4 and 16 workers: `python python/benches/scaling.py [STUDY] [WORKERS…]`, with the wheel.

Wall time is measured on local processes, one thread each, for the numbers of workers that are named (by default 1 and 2).
For others it is computed: what each part took on one worker (from Dask's task stream) is handed out to so many workers in
the order in which Dask would, and what the client does before and after is added.
"""

import heapq
import sys
import tempfile
import time
from pathlib import Path

import fleetfoot
from distributed import Client, LocalCluster, get_task_stream
from fleetfoot import distributed

PARTS = 128


def measure(study: str, workers: int, out: Path) -> tuple[float, list[float]]:
    """Returns the wall time and the time of each part, in seconds."""
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        with get_task_stream(client) as stream:
            began = time.monotonic()
            distributed.reproduce(study, client, out / str(workers), parts=PARTS, progress=False)
            wall = time.monotonic() - began
        spans = [
            span["stop"] - span["start"]
            for task in stream.data
            if "fleetfoot" in str(task["key"])
            for span in task["startstops"]
            if span["action"] == "compute"
        ]
    return wall, spans


def makespan(spans: list[float], workers: int) -> float:
    """Returns the time at which the last worker is done, if each takes the next part when it is free."""
    free = [0.0] * workers
    for span in spans:
        heapq.heappush(free, heapq.heappop(free) + span)
    return max(free)


def main() -> None:
    study = sys.argv[1] if len(sys.argv) > 1 else "tba-table1"
    measured = [int(word) for word in sys.argv[2:]] or [1, 2]
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        plan = fleetfoot._native.Plan.study(study, False, None)
        print(f"{study}: {plan.runs} runs of {plan.problems} problems, planned in {time.monotonic() - began:.1f} s")
        alone, client_time = [], 0.0
        for workers in measured:
            wall, spans = measure(study, workers, Path(folder))
            if workers == 1:
                alone, client_time = spans, wall - makespan(spans, 1)
                print(f"{len(spans)} parts, {sum(spans):.1f} s in all, the longest {max(spans):.2f} s; client {client_time:.1f} s")
            print(f"{workers:>3} workers: {wall:7.1f} s measured, {sum(spans):7.1f} worker-seconds of work")
        for workers in [2, 4, 16, 64]:
            print(f"{workers:>3} workers: {makespan(alone, workers) + client_time:7.1f} s computed")


if __name__ == "__main__":
    main()
