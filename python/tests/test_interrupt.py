"""Checks that Ctrl-C ends long work soon, and that finished work is kept."""

import subprocess
import sys
import time

import fleetfoot
import pytest

LONG = """
maps = ["cave(width=512,height=512,seed=1)"]
planners = ["lrta", "rtaa"]
budgets = [1, 2, 3]
[problems]
random = 2000
"""

SCRIPT = """
import time, fleetfoot
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("heard", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        'fleetfoot.bench("long.toml", progress=False)',
        'fleetfoot.run("cave(width=512,height=512,seed=1)", "lrta", 1, random=5000)',
        'fleetfoot.Agent(fleetfoot.Map.load("maze(width=1001,height=1001)"), "lrta", (1, 1), (999, 999)).walk(1)',
        'fleetfoot.run("builtin:cave512", "tba", random=100000, optimal="999..1000")',
        'from fleetfoot import _native as n; n.records(fleetfoot.Map.load("builtin:cave512"), 10**7, 1, False, 0, 1, 2, None)',
    ],
)
def test_ctrl_c(here, call):
    (here / "long.toml").write_text(LONG)
    work = subprocess.Popen([sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, text=True)
    assert work.stdout is not None and work.stdout.readline() == "ready\n"
    time.sleep(2)
    assert work.poll() is None, "it was to take long"
    work.send_signal(2)
    began = time.monotonic()
    assert work.stdout.readline() == "heard\n"
    print(f"heard after {time.monotonic() - began:.2f} s: {call}")
    assert work.wait() == 0


def test_what_was_done_is_kept(here):
    (here / "long.toml").write_text(LONG)
    call = SCRIPT.format(call='fleetfoot.bench("long.toml", progress=False)')
    work = subprocess.Popen([sys.executable, "-c", call], stdout=subprocess.PIPE, text=True)
    assert work.stdout is not None and work.stdout.readline() == "ready\n"
    journal = here / "long" / "journal.jsonl"
    while not journal.is_file() or journal.read_bytes().count(b"\n") < 20:
        assert work.poll() is None
        time.sleep(0.05)
    work.send_signal(2)
    assert work.stdout.readline() == "heard\n" and work.wait() == 0
    lines = journal.read_bytes()
    assert lines.endswith(b"\n") and lines.count(b"\n") >= 20


def test_progress_is_told():
    told = []
    plan = fleetfoot._native.Plan.of_run(
        '{"map": "builtin:rooms100", "planners": ["lrta"], "problems": {"random": 50}}'
    )
    plan.make(1, None, lambda done, total, notes: told.append((done, total)))
    assert told[-1] == (50, 50) and told == sorted(told)

    def refuse(done, total, notes):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        plan.make(1, None, refuse)
