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

/// How an agent has fared in a tick.
#[pyclass(eq, eq_int, frozen, hash, module = "fleetfoot")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    /// It has moved.
    #[pyo3(name = "MOVED")]
    Moved,
    /// It stands, and thinks.
    #[pyo3(name = "WAITING")]
    Waiting,
    /// It stands on its goal.
    #[pyo3(name = "ARRIVED")]
    Arrived,
    /// On the map as it is now no way leads to the goal.
    #[pyo3(name = "UNREACHABLE")]
    Unreachable,
    /// Its planner decided on a move that the map does not have, and starts afresh. The agent has stayed.
    #[pyo3(name = "RESET")]
    Reset,
}

impl From<InnerStatus> for Status {
    fn from(status: InnerStatus) -> Self {
        match status {
            InnerStatus::Moved(_) => Self::Moved,
            InnerStatus::Waiting => Self::Waiting,
            InnerStatus::Arrived => Self::Arrived,
            InnerStatus::Unreachable => Self::Unreachable,
            InnerStatus::Reset => Self::Reset,
        }
    }
}

#[pymethods]
impl Status {
    /// Whether the agent will stay where it is, unless the map or its goal changes.
    #[getter]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "Python hands over a reference")]
    fn is_final(&self) -> bool {
        matches!(self, Self::Arrived | Self::Unreachable)
    }
}

/// An agent on a map: it thinks within its budget, moves, and goes on thinking in the next tick.
#[pyclass(frozen, module = "fleetfoot")]
pub(crate) struct Agent {
    map: Py<Map>,
    /// Whoever needs both takes this first, then the map.
    inner: Turns<Inner>,
}

/// Returns what a tick may cost, in expansions: nothing said is no limit.
fn expansions(budget: Option<u64>) -> u64 {
    budget.unwrap_or(u64::MAX)
}

/// A tick that may cost more is work for a thread of its own, so that Ctrl-C is heard meanwhile.
const LONG: u64 = 1_000_000;

impl Agent {
    /// A tick, once agent and map are to be had.
    fn live(&self, budget: u64) -> (InnerStatus, NodeId) {
        let mut agent = self.inner.lock();
        let status = agent.tick(&self.map.get().inner().lock(), budget);
        (status, agent.at())
    }

    /// Column and row of a cell.
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

    /// Plans within a budget, then makes at most one move. The budget is given in expansions of A* on cells, and all work is
    /// charged to it. `None` is no limit.
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

    /// Ticks until it has arrived, or cannot, or so many ticks are over. Returns where it was after each tick, its start
    /// first, and the last status. Other threads have their turn between two ticks.
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

    /// Where it is.
    #[getter]
    fn at(&self, py: Python<'_>) -> (u32, u32) {
        let cell = self.inner.briefly(py, |agent| agent.at());
        self.xy(py, cell)
    }

    /// Puts it elsewhere.
    #[setter]
    fn set_at(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.inner.briefly(cell.py(), |agent| agent.teleport(n));
        Ok(())
    }

    /// Where it wants to be.
    #[getter]
    fn goal(&self, py: Python<'_>) -> (u32, u32) {
        let cell = self.inner.briefly(py, |agent| agent.goal());
        self.xy(py, cell)
    }

    /// Sends it elsewhere.
    #[setter]
    fn set_goal(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.inner.briefly(cell.py(), |agent| agent.set_goal(n));
        Ok(())
    }

    /// The map that it walks on.
    #[getter]
    fn map(&self, py: Python<'_>) -> Py<Map> {
        self.map.clone_ref(py)
    }

    /// Its planner.
    #[getter]
    fn planner(&self, py: Python<'_>) -> String {
        self.inner.briefly(py, |agent| agent.spec().to_string())
    }

    /// How many bytes its planner holds.
    #[getter]
    fn memory_bytes(&self, py: Python<'_>) -> u64 {
        self.inner.briefly(py, |agent| agent.stats().memory_bytes)
    }

    /// The cells that it means to walk, the next one first, as far as that is decided: an array of two columns.
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
