"""Executes the snippets of the package's README, the book and the tutorial."""

import doctest
import re
from pathlib import Path

import fleetfoot
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["python/README.md", "book/src/python.md", "book/src/many-machines.md"]


def snippets(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, here):
    """Executes a page as one program: later snippets use names of earlier ones."""
    (here / "caves.toml").write_text(
        'maps = ["cave(width=64,height=64,seed=1)"]\nplanners = ["astar", "tba"]\nbudgets = [10]\n[problems]\nrandom = 4\n'
    )
    fleetfoot.Map.load("cave(width=64,height=64,seed=1)").save("x.map")
    names: dict[str, object] = {"__name__": "__page__"}
    assert snippets(page), f"{page} shows no Python"
    for snippet in snippets(page):
        exec(compile(snippet, page, "exec"), names)  # noqa: S102


def test_the_packages_own_words():
    assert doctest.testmod(fleetfoot).failed == 0


def test_the_tutorial(here):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "python/notebooks/tutorial.ipynb", as_version=4)
    assert sum(cell.cell_type == "code" for cell in notebook.cells) == 10, "from a map to a figure in ten cells"
    # Long enough for a busy machine, on which the kernel starts late.
    patient = {"timeout": 600, "startup_timeout": 600}
    NotebookClient(notebook, **patient, kernel_name="python3", resources={"metadata": {"path": str(here)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= kinds
    pages = [output["data"]["text/html"] for output in shown if "text/html" in output.get("data", {})]
    assert any("<iframe srcdoc" in page for page in pages), "the replay is shown where it stands"
