//! `fleetfoot.Fleet`: many units, controlled and queried with arrays.
//!
//! A unit has a number that is returned when it is created and never used again. Results have the order of the
//! numbers in the query.

use fleetfoot::fleet::{Event, Fleet as Inner, FleetConfig, Goal, Speed, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{GridError, Map as InnerMap, NodeId};
use fleetfoot_sim::budget::PriceList;
use fleetfoot_sim::error::InputError;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cells::{array, node_at, pair, places};
use crate::errors::{input, wrong};
use crate::map::Map;
use crate::numbers;
use crate::turns::Turns;
use crate::work::supervise;

/// Statistics of the last tick of a fleet.
#[pyclass(frozen, get_all, module = "fleetfoot")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Number of units that moved.
    moved: u32,
    /// Number of units that are not at their goals and can reach them.
    underway: u32,
    /// Number of units whose routes are still being searched.
    seeking: u32,
    /// Work in expansions; all work is charged.
    work: u64,
}

#[pymethods]
impl Summary {
    /// Returns the prices: all work is charged.
    #[getter]
    #[expect(clippy::unused_self, reason = "the prices of fleets are always the same")]
    fn prices(&self) -> &'static str {
        PriceList::AllWork.name()
    }

    fn __repr__(&self) -> String {
        let Self { moved, underway, seeking, work } = self;
        let prices = self.prices();
        format!(
            "Summary(moved={moved}, underway={underway}, seeking={seeking}, work={work}, prices='{prices}')"
        )
    }
}

/// A fleet, and the mapping between its units and Python's numbers.
#[derive(Clone)]
struct Held {
    fleet: Inner,
    /// The unit of each Python number. Removed units are kept, so that numbers are not reused.
    units: Vec<UnitId>,
    /// The Python number of each unit index.
    numbers: Vec<i64>,
    teams: Vec<TeamId>,
}

/// Many units on one map. In every tick all units move, then searches continue within the rest of the budget. The
/// map belongs to the fleet and is edited with `Fleet.set`.
#[pyclass(frozen, module = "fleetfoot")]
pub(crate) struct Fleet(Turns<Held>);

/// Numbers of units; all units if `None`.
type Numbers = Option<Vec<i64>>;
/// Columns and rows, as given.
type Cells = Vec<(i64, i64)>;

/// The target of an order.
enum Target {
    /// One cell for all.
    Cell((u32, u32)),
    /// One cell per unit.
    Cells(Cells),
}

impl Held {
    /// Returns the units with these numbers; all existing units if `None`.
    fn chosen(&self, units: &Numbers) -> Result<Vec<UnitId>, InputError> {
        let Some(numbers) = units else { return Ok(self.fleet.units().collect()) };
        numbers.iter().map(|&number| self.unit(number)).collect()
    }

    fn unit(&self, number: i64) -> Result<UnitId, InputError> {
        let unit = usize::try_from(number).ok().and_then(|k| self.units.get(k).copied());
        unit.filter(|unit| self.fleet.at(*unit).is_some()).ok_or_else(|| {
            InputError::new(format!("there is no unit {number}"), "it was removed, or is of another fleet")
        })
    }

    fn number(&self, unit: UnitId) -> i64 {
        self.numbers[unit.index()]
    }

    fn team(&self, team: usize) -> Result<TeamId, InputError> {
        let there = self.teams.len();
        self.teams.get(team).copied().ok_or_else(|| {
            let remedy = format!("there are {there}, counted from 0; add_team makes more");
            InputError::new(format!("there is no team {team}"), remedy)
        })
    }

    /// Adds units of a team at these cells, and returns the number of the first one. If one of them cannot be
    /// placed, none is.
    fn spawn(&mut self, team: usize, cells: &Cells) -> Result<i64, String> {
        let team = self.team(team).map_err(text)?;
        let cells = self::cells(self.fleet.map(), cells, None).map_err(text)?;
        let mut made = Vec::with_capacity(cells.len());
        for &place in &cells {
            match self.fleet.spawn(team, place) {
                Ok(unit) => made.push(unit),
                Err(error) => {
                    for unit in made {
                        self.fleet.remove(unit);
                    }
                    return Err(format!("cell {}: {error}", named(self.fleet.map(), place)));
                }
            }
        }
        let first = self.units.len().cast_signed() as i64;
        for (number, &unit) in (first..).zip(&made) {
            if self.numbers.len() <= unit.index() {
                self.numbers.resize(unit.index() + 1, -1);
            }
            self.numbers[unit.index()] = number;
            self.units.push(unit);
        }
        Ok(first)
    }

    fn order(&mut self, units: &Numbers, target: &Target, near: bool) -> Result<(), InputError> {
        let units = self.chosen(units)?;
        match target {
            Target::Cell(at) => {
                let cell = node_at(self.fleet.map(), *at)?;
                self.fleet.order(&units, if near { Goal::near(cell) } else { Goal::at(cell) });
            }
            Target::Cells(each) => {
                let goals = cells(self.fleet.map(), each, Some(units.len()))?;
                for (unit, goal) in units.iter().zip(goals) {
                    self.fleet.order(&[*unit], Goal::at(goal));
                }
            }
        }
        Ok(())
    }

    fn teleport(&mut self, units: &Numbers, cells: &Cells) -> Result<(), String> {
        let units = self.chosen(units).map_err(text)?;
        let places = self::cells(self.fleet.map(), cells, Some(units.len())).map_err(text)?;
        for (unit, place) in units.into_iter().zip(places) {
            self.fleet.teleport(unit, place).map_err(|error| {
                let cell = named(self.fleet.map(), place);
                format!("unit {}, cell {cell}: {error}", self.number(unit))
            })?;
        }
        Ok(())
    }

    /// Applies a function to each of some units.
    fn each<E: std::fmt::Display>(
        &mut self,
        units: &Numbers,
        act: impl Fn(&mut Inner, UnitId) -> Result<(), E>,
    ) -> Result<(), String> {
        for unit in self.chosen(units).map_err(text)? {
            act(&mut self.fleet, unit).map_err(|error| format!("unit {}: {error}", self.number(unit)))?;
        }
        Ok(())
    }
}

fn text(error: InputError) -> String {
    error.to_string()
}

/// Formats a cell for error messages.
fn named(map: &InnerMap, cell: NodeId) -> String {
    let (x, y) = map.xy(cell);
    format!("({x}, {y})")
}

/// Returns cells of a map, one per unit if the number of units is given.
fn cells(map: &InnerMap, cells: &Cells, units: Option<usize>) -> Result<Vec<NodeId>, InputError> {
    if units.is_some_and(|units| units != cells.len()) {
        let what = format!("an array of {}x2 numbers does not fit the number of units", cells.len());
        return Err(InputError::new(what, "give a row for each unit: column and row, such as [12, 34]"));
    }
    let cell = |&(x, y): &(i64, i64)| {
        let place = u32::try_from(x).ok().zip(u32::try_from(y).ok()).and_then(|(x, y)| map.node(x, y));
        place.ok_or_else(|| {
            let (width, height) = (map.grid().width(), map.grid().height());
            let what = format!("cell ({x}, {y}) lies outside the map of {width}x{height} cells");
            InputError::new(what, "give column and row, in this order; both count from 0")
        })
    };
    cells.iter().map(cell).collect()
}

#[pymethods]
impl Fleet {
    #[new]
    #[pyo3(signature = (map, *, collisions=true))]
    fn new(py: Python<'_>, map: &Map, collisions: bool) -> Self {
        let fleet = map.inner().read(py, |map| {
            let mut config = FleetConfig::default();
            config.collisions = collisions;
            Inner::with(map.clone(), config)
        });
        let held = Held { fleet, units: Vec::new(), numbers: Vec::new(), teams: vec![TeamId::FIRST] };
        Self(Turns::new(held))
    }

    /// Adds a team that knows the cells within a radius of its units; without a radius it knows the map. Team 0
    /// exists from the beginning, and knows the map.
    #[pyo3(signature = (radius=None))]
    fn add_team(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::radius)] radius: Option<u32>,
    ) -> PyResult<usize> {
        let added = self.0.with(py, |held| {
            let team = held.fleet.add_team(radius.map_or(Vision::All, Vision::Radius));
            team.map(|team| {
                held.teams.push(team);
                held.teams.len() - 1
            })
        });
        added.map_err(|error| input(py, error))
    }

    /// Adds units at cells, given as an array with two columns, and returns their numbers. If one of them cannot be
    /// placed, none is.
    #[pyo3(signature = (cells, team=0))]
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_cells)] cells: Cells,
        team: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let first = self.0.with(py, |held| held.spawn(team, &cells)).map_err(|error| input(py, error))?;
        Ok((first..first + cells.len().cast_signed() as i64).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Sends units to a cell: each to a cell of its own around it, or with `near=False` all to exactly this cell.
    /// An array with two columns sends each unit to its own cell. They start with the next tick.
    #[pyo3(signature = (units, goal, *, near=true))]
    fn order(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
        #[pyo3(from_py_with = as_target)] goal: Target,
        near: bool,
    ) -> PyResult<()> {
        self.0.with(py, |held| held.order(&units, &goal, near)).map_err(|error| input(py, error))
    }

    /// Cancels the orders of units: they wait, and step aside for others.
    #[pyo3(signature = (units=None))]
    fn stop(&self, py: Python<'_>, #[pyo3(from_py_with = as_numbers)] units: Numbers) -> PyResult<()> {
        let stopped = self.0.with(py, |held| held.chosen(&units).map(|units| held.fleet.stop(&units)));
        stopped.map_err(|error| input(py, error))
    }

    /// Removes units.
    fn remove(&self, py: Python<'_>, #[pyo3(from_py_with = as_numbers)] units: Numbers) -> PyResult<()> {
        let removed = self.0.with(py, |held| {
            held.chosen(&units).map(|units| {
                for unit in units {
                    held.fleet.remove(unit);
                }
            })
        });
        removed.map_err(|error| input(py, error))
    }

    /// Moves units to other cells at once, one after another. They keep their orders.
    fn teleport(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
        #[pyo3(from_py_with = as_cells)] cells: Cells,
    ) -> PyResult<()> {
        self.0.with(py, |held| held.teleport(&units, &cells)).map_err(|error| input(py, error))
    }

    /// Sets the speed of units: one move every N ticks.
    fn set_speed(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
        #[pyo3(from_py_with = numbers::every)] every: u32,
    ) -> PyResult<()> {
        let set = |fleet: &mut Inner, unit| fleet.set_speed(unit, Speed::EveryTicks(every));
        self.0.with(py, |held| held.each(&units, set)).map_err(|error| input(py, error))
    }

    /// Gives the searches of units priority over others, or removes it.
    #[pyo3(signature = (units, first=true))]
    fn prefer(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
        first: bool,
    ) -> PyResult<()> {
        let prefer = |fleet: &mut Inner, unit| fleet.prefer(unit, first);
        self.0.with(py, |held| held.each(&units, prefer)).map_err(|error| input(py, error))
    }

    /// Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `True` if the weight changed.
    fn set(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = pair)] cell: (u32, u32),
        #[pyo3(from_py_with = numbers::weight)] weight: u8,
    ) -> PyResult<bool> {
        let set = self.0.with(py, |held| -> Result<Result<bool, GridError>, InputError> {
            let n = node_at(held.fleet.map(), cell)?;
            Ok(held.fleet.set(n, weight))
        });
        set.map_err(|error| input(py, error))?.map_err(|error| numbers::refused(py, &error))
    }

    /// Moves all units, then continues searches within this number of expansions; all work is charged.
    fn tick(&self, py: Python<'_>, #[pyo3(from_py_with = numbers::work)] work: u64) -> Summary {
        self.0.with(py, |held| {
            let _ = held.fleet.tick(work);
            summary(&held.fleet)
        })
    }

    /// Ticks until no unit is under way, or the maximum number of ticks is reached. Returns the number of ticks.
    /// Other threads can run between two ticks.
    fn run(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::work)] work: u64,
        #[pyo3(from_py_with = numbers::ticks)] ticks: u64,
    ) -> PyResult<u64> {
        let fleet = slf.clone().unbind();
        supervise(slf.py(), None, move |progress| {
            let mut made = 0;
            while made < ticks && !progress.is_over() {
                let mut held = fleet.get().0.lock();
                let _ = held.fleet.tick(work);
                made += 1;
                if held.fleet.summary().underway == 0 {
                    break;
                }
            }
            made
        })
    }

    /// Returns statistics of the last tick.
    #[getter]
    fn summary(&self, py: Python<'_>) -> Summary {
        self.0.briefly(py, |held| summary(&held.fleet))
    }

    /// Returns the number of ticks so far.
    #[getter]
    fn ticks(&self, py: Python<'_>) -> u64 {
        self.0.briefly(py, |held| held.fleet.ticks())
    }

    /// Returns the numbers of all units.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let numbers =
            self.0.briefly(py, |held| held.fleet.units().map(|unit| held.number(unit)).collect::<Vec<_>>());
        numbers.into_pyarray(py)
    }

    /// Returns the positions of units: an array with two columns.
    #[pyo3(signature = (units=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let rows = self.0.briefly(py, |held| {
            let units = held.chosen(&units)?;
            Ok(places(held.fleet.map().grid(), units.iter().filter_map(|unit| held.fleet.at(*unit))))
        });
        rows.map(|rows| array(py, rows)).map_err(|error: InputError| input(py, error))
    }

    /// Returns the goals of units: an array with two columns; -1 for units without orders.
    #[pyo3(signature = (units=None))]
    fn goals<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let rows = self.0.briefly(py, |held| {
            let (units, map) = (held.chosen(&units)?, held.fleet.map());
            Ok(units.iter().flat_map(|unit| corner(map, held.fleet.goal(*unit))).collect())
        });
        rows.map(|rows| array(py, rows)).map_err(|error: InputError| input(py, error))
    }

    /// Returns the states of units, as numbers of `UnitStatus`.
    #[pyo3(signature = (units=None))]
    fn statuses<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Numbers,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let codes = self.0.briefly(py, |held| {
            let units = held.chosen(&units)?;
            Ok(units.iter().map(|unit| held.fleet.status(*unit).map_or(0, code)).collect::<Vec<u8>>())
        });
        codes.map(|codes| codes.into_pyarray(py)).map_err(|error: InputError| input(py, error))
    }

    /// Returns the known cells of a unit's route, the next one first: an array with two columns.
    fn path<'py>(&self, py: Python<'py>, unit: i64) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let rows = self.0.briefly(py, |held| {
            let unit = held.unit(unit)?;
            Ok(places(held.fleet.map().grid(), held.fleet.path(unit)))
        });
        rows.map(|rows| array(py, rows)).map_err(|error: InputError| input(py, error))
    }

    /// Returns the events of the last tick by kind: arrays with a row per event, the unit's number first.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = self.0.briefly(py, |held| Told::of(held));
        let events = PyDict::new(py);
        events.set_item("moved", table(py, told.moved.into_iter()))?;
        events.set_item("arrived", table(py, told.arrived.into_iter()))?;
        events.set_item("blocked", table(py, told.blocked.into_iter()))?;
        events.set_item("sealed", table(py, told.sealed.into_iter()))?;
        events.set_item("rerouted", table(py, told.rerouted.into_iter()))?;
        events.set_item("unreachable", table(py, told.unreachable.into_iter()))?;
        events.set_item("buried", table(py, told.buried.into_iter()))?;
        Ok(events)
    }

    /// Returns what a team has observed, as an array `[y, x]` of booleans.
    #[pyo3(signature = (team=0))]
    fn seen<'py>(&self, py: Python<'py>, team: usize) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let seen = self.0.with(py, |held| {
            let (team, fleet) = (held.team(team)?, &held.fleet);
            let grid = fleet.map().grid();
            let seen = |(y, x)| grid.node(x as u32, y as u32).is_some_and(|n| fleet.has_seen(team, n));
            Ok(Array2::from_shape_fn((grid.height() as usize, grid.width() as usize), seen))
        });
        seen.map(|seen| seen.into_pyarray(py)).map_err(|error: InputError| input(py, error))
    }

    /// Returns a copy of the current map.
    fn map(&self, py: Python<'_>) -> Map {
        Map::from(self.0.with(py, |held| held.fleet.map().clone()))
    }

    /// Returns an independent copy of the fleet.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(Turns::new(self.0.with(py, |held| held.clone())))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.0.briefly(py, |held| held.fleet.units().count())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.0.briefly(py, |held| {
            let grid = held.fleet.map().grid();
            format!("Fleet({} units on {}x{} cells)", held.fleet.units().count(), grid.width(), grid.height())
        })
    }
}

/// The events of a tick by kind, in rows: units by number, then cells by column and row.
#[derive(Default)]
struct Told {
    moved: Vec<[i32; 5]>,
    arrived: Vec<[i32; 1]>,
    blocked: Vec<[i32; 2]>,
    sealed: Vec<[i32; 2]>,
    rerouted: Vec<[i32; 1]>,
    unreachable: Vec<[i32; 3]>,
    buried: Vec<[i32; 1]>,
}

impl Told {
    fn of(held: &Held) -> Self {
        let (map, number) = (held.fleet.map(), |unit| held.number(unit) as i32);
        let mut told = Self::default();
        for event in held.fleet.events() {
            match *event {
                Event::Moved { unit, from, to } => {
                    let ([a, b], [c, d]) = (corner(map, Some(from)), corner(map, Some(to)));
                    told.moved.push([number(unit), a, b, c, d]);
                }
                Event::Arrived { unit } => told.arrived.push([number(unit)]),
                Event::Blocked { unit, by } => told.blocked.push([number(unit), number(by)]),
                Event::Sealed { unit, by } => told.sealed.push([number(unit), number(by)]),
                Event::Rerouted { unit } => told.rerouted.push([number(unit)]),
                Event::Unreachable { unit, nearest } => {
                    let [x, y] = corner(map, nearest);
                    told.unreachable.push([number(unit), x, y]);
                }
                Event::Buried { unit } => told.buried.push([number(unit)]),
                _ => {}
            }
        }
        told
    }
}

fn summary(fleet: &Inner) -> Summary {
    let its = fleet.summary();
    Summary { moved: its.moved, underway: its.underway, seeking: its.seeking, work: its.work }
}

/// Returns the number of a status; the package's `UnitStatus` lists them.
fn code(status: UnitStatus) -> u8 {
    match status {
        UnitStatus::Seeking => 1,
        UnitStatus::Underway => 2,
        UnitStatus::Arrived => 3,
        UnitStatus::Unreachable => 4,
        UnitStatus::Buried => 5,
        _ => 0,
    }
}

fn corner(map: &InnerMap, cell: Option<NodeId>) -> [i32; 2] {
    cell.map_or([-1, -1], |n| <[u32; 2]>::from(map.xy(n)).map(u32::cast_signed))
}

/// Converts rows of numbers to an array.
fn table<const N: usize>(py: Python<'_>, rows: impl Iterator<Item = [i32; N]>) -> Bound<'_, PyArray2<i32>> {
    let numbers: Vec<i32> = rows.flatten().collect();
    Array2::from_shape_vec((numbers.len() / N, N), numbers).expect("whole rows").into_pyarray(py)
}

/// Reads numbers of units: a sequence of integers, a single one, or `None` for all.
fn as_numbers(units: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    if units.is_none() {
        return Ok(None);
    }
    let owned = |numbers: PyReadonlyArray1<'_, i64>| numbers.as_array().to_vec();
    if let Ok(numbers) = units.extract() {
        return Ok(Some(owned(numbers)));
    }
    let refuse = || {
        wrong(units.py(), "these are no numbers of units", "give what Fleet.spawn returned, or some of it")
    };
    let made = as_array(units, 1).map_err(|_| refuse())?;
    made.extract().map(owned).map(Some).map_err(|_| refuse())
}

/// Reads cells: rows of two integers.
fn as_cells(cells: &Bound<'_, PyAny>) -> PyResult<Cells> {
    let refuse = || {
        wrong(cells.py(), "these are not cells", "give an array of two columns, column and row of each cell")
    };
    if let Ok(numbers) = cells.extract::<PyReadonlyArray2<'_, i32>>() {
        let rows = numbers.as_array();
        return two_columns(cells.py(), rows.dim(), rows.iter().copied().map(i64::from));
    }
    let made = as_array(cells, 2).map_err(|_| refuse())?;
    let numbers = made.extract::<PyReadonlyArray2<'_, i64>>().map_err(|_| refuse())?;
    let rows = numbers.as_array();
    two_columns(cells.py(), rows.dim(), rows.iter().copied())
}

fn two_columns(
    py: Python<'_>,
    (rows, columns): (usize, usize),
    mut numbers: impl Iterator<Item = i64>,
) -> PyResult<Cells> {
    if columns != 2 {
        let what = format!("an array of {rows}x{columns} numbers is none of cells here");
        return Err(wrong(py, what, "give a row for each unit: column and row, such as [12, 34]"));
    }
    Ok(std::iter::from_fn(|| numbers.next().zip(numbers.next())).collect())
}

/// Reads the target of an order: a cell for all, or a two-dimensional array with one for each.
fn as_target(goal: &Bound<'_, PyAny>) -> PyResult<Target> {
    // A two-dimensional array may be empty or have rows of any kind; one cell consists of numbers.
    let has_axes = goal.getattr("ndim").is_ok_and(|axes| axes.extract::<usize>().is_ok_and(|n| n == 2));
    let has_rows = || goal.get_item(0).is_ok_and(|first| first.len().is_ok());
    if has_axes || has_rows() { as_cells(goal).map(Target::Cells) } else { pair(goal).map(Target::Cell) }
}

/// Converts anything array-like to an array of integers, without rounding.
fn as_array<'py>(numbers: &Bound<'py, PyAny>, axes: usize) -> PyResult<Bound<'py, PyAny>> {
    let numpy = numbers.py().import("numpy")?;
    let plain = numpy.call_method1("asarray", (numbers,))?;
    let is_whole = plain.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
    let is_empty = plain.getattr("size")?.extract::<usize>()? == 0;
    if !is_empty && is_whole != "i" && is_whole != "u" {
        return Err(pyo3::exceptions::PyTypeError::new_err("no whole numbers"));
    }
    let made = plain.call_method1("astype", ("int64",))?;
    if axes == 1 { made.call_method1("reshape", (-1,)) } else { Ok(made) }
}
