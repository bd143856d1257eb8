"""Fixtures. Tests use the wheel in a fresh environment: `bash python/check.sh`."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wall() -> npt.NDArray[np.bool_]:
    """Returns 64x64 cells, with a wall in column 32 that has a gap at its lower end."""
    free = np.ones((64, 64), dtype=bool)
    free[:63, 32] = False
    return free


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Executes the program in a folder of the test."""

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        path = os.environ["FLEETFOOT_PROGRAM"]
        return subprocess.run([path, *words], cwd=tmp_path, capture_output=True, text=True)

    return call


@pytest.fixture
def but_for_the_build() -> Callable[[Path], bytes]:
    """Returns a report without the checksum of its program, since the package has another one."""
    return lambda path: re.sub(rb"build [0-9a-f]{16}", b"build", path.read_bytes())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Changes to a folder of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


EXPERIMENT = """
title = "Two planners on two maps"
maps = ["maps/a.map", "rooms(width=41,height=41,room=9,doors=80,seed=2)"]
planners = ["tba", "lrta"]
budgets = [5, 20]

[problems]
random = 6
"""


@pytest.fixture
def experiment(here: Path) -> Path:
    """Returns an experiment of 48 runs with its own map file."""
    import fleetfoot

    (here / "maps").mkdir()
    fleetfoot.Map.load("maze(width=41,height=41,seed=3)").save(here / "maps" / "a.map")
    file = here / "two.toml"
    file.write_text(EXPERIMENT)
    return file
