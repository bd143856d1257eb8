//! `fleetfoot.Agent` and `fleetfoot.Status`.

use fleetfoot::{Agent as Inner, NodeId, TickOutcome as InnerStatus};
use fleetfoot_sim::error::InputError;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::cells::{array, node_at, pair, places};
use crate::errors::{input, wrong};
use crate::map::Map;
use crate::numbers;
use crate::turns::Turns;
use crate::work::supervise;

/// The result of a tick of an agent.
#[pyclass(eq, eq_int, frozen, hash, module = "fleetfoot")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    /// The agent moved.
    #[pyo3(name = "MOVED")]
    Moved,
    /// The agent did not move; the search is not finished.
    #[pyo3(name = "WAITING")]
    Waiting,
    /// The agent is at its goal.
    #[pyo3(name = "ARRIVED")]
    Arrived,
    /// The current map has no path to the goal.
    #[pyo3(name = "UNREACHABLE")]
    Unreachable,
    /// The planner returned an illegal move and restarts. The agent stayed.
    #[pyo3(name = "RESET")]
    Reset,
}

impl From<InnerStatus> for Status {
    fn from(status: InnerStatus) -> Self {
        match status {
            InnerStatus::Moved(_) => Self::Moved,
            InnerStatus::Arrived => Self::Arrived,
            InnerStatus::Unreachable => Self::Unreachable,
            InnerStatus::Reset => Self::Reset,
            // `Waiting`, and outcomes that later versions add.
            _ => Self::Waiting,
        }
    }
}

#[pymethods]
impl Status {
    /// Returns `True` if the agent will not move unless the map or its goal changes.
    #[getter]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "Python hands over a reference")]
    fn is_final(&self) -> bool {
        matches!(self, Self::Arrived | Self::Unreachable)
    }
}

/// An agent on a map: in each tick it plans within its budget and makes at most one move.
#[pyclass(frozen, module = "fleetfoot")]
pub(crate) struct Agent {
    map: Py<Map>,
    /// To lock both, lock this first, then the map.
    inner: Turns<Inner>,
}

/// Returns the budget of a tick in expansions; `None` is unlimited.
fn expansions(budget: Option<u64>) -> u64 {
    budget.unwrap_or(u64::MAX)
}

/// A tick with a larger budget runs on its own thread, so that Ctrl-C is handled meanwhile.
const LONG: u64 = 1_000_000;

impl Agent {
    /// Performs a tick once agent and map are available.
    fn live(&self, budget: u64) -> (InnerStatus, NodeId) {
        let mut agent = self.inner.lock();
        let status = agent.tick(&self.map.get().inner().lock(), budget);
        (status, agent.at())
    }

    /// Returns column and row of a cell.
    fn xy(&self, py: Python<'_>, cell: NodeId) -> (u32, u32) {
        self.map.get().inner().briefly(py, |map| map.xy(cell))
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(
        py: Python<'_>,
        map: Py<Map>,
        planner: &str,
        #[pyo3(from_py_with = pair)] start: (u32, u32),
        #[pyo3(from_py_with = pair)] goal: (u32, u32),
    ) -> PyResult<Self> {
        let made = map.get().inner().read(py, |map| {
            let (at, goal) = (node_at(map, start)?, node_at(map, goal)?);
            Ok(Inner::new(map, planner, at, goal))
        });
        let made = made.map_err(|error: InputError| input(py, error))?;
        Ok(Self { map, inner: Turns::new(made.map_err(|error| input(py, error))?) })
    }

    /// Plans within a budget, then makes at most one move. The unit of the budget is an expansion of A* on cells,
    /// and all work is charged. `None` is unlimited.
    fn tick(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::budget)] budget: Option<u64>,
    ) -> PyResult<Status> {
        let (py, its, budget) = (slf.py(), slf.get(), expansions(budget));
        if budget > LONG {
            let agent = slf.clone().unbind();
            let (status, _) = supervise(py, None, move |_| agent.get().live(budget))?;
            return Ok(status.into());
        }
        Ok(py.detach(|| its.live(budget)).0.into())
    }

    /// Ticks until the agent has arrived, cannot arrive, or the maximum number of ticks is reached. Returns its
    /// positions after each tick, its start first, and the last status. Other threads can run between two ticks.
    #[pyo3(signature = (budget, ticks=None))]
    fn walk<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = numbers::budget)] budget: Option<u64>,
        #[pyo3(from_py_with = numbers::most_ticks)] ticks: Option<u64>,
    ) -> PyResult<(Bound<'py, PyArray2<i32>>, Status)> {
        let (agent, budget, most) = (slf.clone().unbind(), expansions(budget), ticks.unwrap_or(u64::MAX));
        let (walk, status) = supervise(slf.py(), None, move |progress| {
            let its = agent.get();
            let (mut walk, mut status) = (vec![its.inner.lock().at()], InnerStatus::Waiting);
            while walk.len() as u64 <= most && !status.is_final() && !progress.is_over() {
                let (now, at) = its.live(budget);
                status = now;
                walk.push(at);
            }
            (places(its.map.get().inner().lock().grid(), walk), status)
        })?;
        Ok((array(slf.py(), walk), status.into()))
    }

    /// Returns the agent's cell.
    #[getter]
    fn at(&self, py: Python<'_>) -> (u32, u32) {
        let cell = self.inner.briefly(py, |agent| agent.at());
        self.xy(py, cell)
    }

    /// Moves the agent to another cell at once.
    #[setter]
    fn set_at(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.inner.briefly(cell.py(), |agent| agent.teleport(n));
        Ok(())
    }

    /// Returns the agent's goal.
    #[getter]
    fn goal(&self, py: Python<'_>) -> (u32, u32) {
        let cell = self.inner.briefly(py, |agent| agent.goal());
        self.xy(py, cell)
    }

    /// Sets a new goal.
    #[setter]
    fn set_goal(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.inner.briefly(cell.py(), |agent| agent.set_goal(n));
        Ok(())
    }

    /// Returns the map.
    #[getter]
    fn map(&self, py: Python<'_>) -> Py<Map> {
        self.map.clone_ref(py)
    }

    /// Returns the spec of the planner.
    #[getter]
    fn planner(&self, py: Python<'_>) -> String {
        self.inner.briefly(py, |agent| agent.spec().to_string())
    }

    /// Returns the number of bytes that the planner holds.
    #[getter]
    fn memory_bytes(&self, py: Python<'_>) -> u64 {
        self.inner.briefly(py, |agent| agent.stats().memory_bytes)
    }

    /// Returns the cells of the planned path after the current one, as far as it is decided: an array with two
    /// columns.
    fn path<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        let path = py.detach(|| {
            let agent = self.inner.lock();
            let map = self.map.get().inner().lock();
            places(map.grid(), agent.path(&map))
        });
        array(py, path)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let ((x, y), (gx, gy)) = (self.at(py), self.goal(py));
        format!("Agent({}, at ({x}, {y}), goal ({gx}, {gy}))", self.planner(py))
    }
}

impl Agent {
    fn node(&self, cell: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let (py, (x, y)) = (cell.py(), pair(cell)?);
        let found =
            self.map.get().inner().briefly(py, |map| node_at(map, (x, y)).map(|n| (n, map.is_free(n))));
        let (n, is_free) = found.map_err(|error| input(py, error))?;
        if is_free {
            return Ok(n);
        }
        let remedy = "give a free cell, or ask Map.nearest for one";
        Err(wrong(py, format!("cell ({x}, {y}) is blocked"), remedy))
    }
}
