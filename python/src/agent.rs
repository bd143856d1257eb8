//! `fleetfoot.Agent` and `fleetfoot.Status`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fleetfoot::{Agent as Inner, NodeId, Status as InnerStatus};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::cells::{array, node};
use crate::errors::{input, wrong};
use crate::map::Map;
use crate::numbers;
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
}

impl From<InnerStatus> for Status {
    fn from(status: InnerStatus) -> Self {
        match status {
            InnerStatus::Moved(_) => Self::Moved,
            InnerStatus::Waiting => Self::Waiting,
            InnerStatus::Arrived => Self::Arrived,
            InnerStatus::Unreachable => Self::Unreachable,
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
    inner: Mutex<Inner>,
}

/// Returns what a tick may cost, in expansions: nothing said is no limit.
fn expansions(budget: Option<u64>) -> u64 {
    budget.unwrap_or(u64::MAX)
}

/// A tick that may cost more is work for a thread of its own, so that Ctrl-C is heard meanwhile.
const LONG: u64 = 1_000_000;

impl Agent {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(
        py: Python<'_>,
        map: Py<Map>,
        planner: &str,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let its = map.get();
        let (at, goal) = {
            let map = its.read();
            (node(&map, start)?, node(&map, goal)?)
        };
        let inner = py.detach(|| Inner::new(&its.read(), planner, at, goal));
        Ok(Self { map, inner: Mutex::new(inner.map_err(|error| input(py, error))?) })
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
            let status = supervise(py, None, move |_| {
                let its = agent.get();
                its.lock().tick(&its.map.get().read(), budget)
            })?;
            return Ok(status.into());
        }
        Ok(py.detach(|| its.lock().tick(&its.map.get().read(), budget)).into())
    }

    /// Ticks until it has arrived, or cannot, or so many ticks are over. Returns where it was after each tick, its start
    /// first, and the last status.
    #[pyo3(signature = (budget, ticks=None))]
    fn walk<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = numbers::budget)] budget: Option<u64>,
        #[pyo3(from_py_with = numbers::most_ticks)] ticks: Option<u64>,
    ) -> PyResult<(Bound<'py, PyArray2<i32>>, Status)> {
        let (agent, budget, most) = (slf.clone().unbind(), expansions(budget), ticks.unwrap_or(u64::MAX));
        let (walk, status) = supervise(slf.py(), None, move |progress| {
            let (mut agent, map) = (agent.get().lock(), agent.get().map.get().read());
            let (mut walk, mut status) = (vec![agent.at()], InnerStatus::Waiting);
            while walk.len() as u64 <= most && !status.is_final() && !progress.is_over() {
                status = agent.tick(&map, budget);
                walk.push(agent.at());
            }
            (walk, status)
        })?;
        Ok((array(slf.py(), slf.get().map.get().read().grid(), &walk), status.into()))
    }

    /// Where it is.
    #[getter]
    fn at(&self) -> (u32, u32) {
        self.map.get().read().xy(self.lock().at())
    }

    /// Puts it elsewhere.
    #[setter]
    fn set_at(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.lock().teleport(n);
        Ok(())
    }

    /// Where it wants to be.
    #[getter]
    fn goal(&self) -> (u32, u32) {
        self.map.get().read().xy(self.lock().goal())
    }

    /// Sends it elsewhere.
    #[setter]
    fn set_goal(&self, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.node(cell)?;
        self.lock().set_goal(n);
        Ok(())
    }

    /// The map that it walks on.
    #[getter]
    fn map(&self, py: Python<'_>) -> Py<Map> {
        self.map.clone_ref(py)
    }

    /// Its planner.
    #[getter]
    fn planner(&self) -> String {
        self.lock().spec().to_string()
    }

    /// How many bytes its planner holds.
    #[getter]
    fn memory_bytes(&self) -> u64 {
        self.lock().stats().memory_bytes
    }

    /// The cells that it means to walk, the next one first, as far as that is decided: an array of two columns.
    fn path<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        let map = self.map.get();
        let path = py.detach(|| self.lock().path(&map.read()));
        array(py, map.read().grid(), &path)
    }

    fn __repr__(&self) -> String {
        let ((x, y), (gx, gy)) = (self.at(), self.goal());
        format!("Agent({}, at ({x}, {y}), goal ({gx}, {gy}))", self.planner())
    }
}

impl Agent {
    fn node(&self, cell: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let map = self.map.get().read();
        let n = node(&map, cell)?;
        if map.is_free(n) {
            return Ok(n);
        }
        let remedy = "give a free cell, or ask Map.nearest for one";
        Err(wrong(cell.py(), format!("cell {cell} is blocked"), remedy))
    }
}
