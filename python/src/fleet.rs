//! `fleetfoot.Fleet`: many units, told and asked by arrays.
//!
//! A unit is a number that Python gets when the unit is made and that no other unit ever has. Numbers in arrays keep their
//! order: what is asked of some units comes in the order in which they were named.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fleetfoot::fleet::{Event, Fleet as Inner, FleetConfig, Goal, Speed, Status, TeamId, UnitId, Vision};
use fleetfoot::{Map as InnerMap, NodeId};
use fleetfoot_sim::budget::PriceList;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cells::{array, node};
use crate::errors::{input, wrong};
use crate::map::Map;
use crate::numbers;
use crate::work::supervise;

/// What the last tick of a fleet was like.
#[pyclass(frozen, get_all, module = "fleetfoot")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Units that moved.
    moved: u32,
    /// Units that are not at their goals, of those that can get there.
    underway: u32,
    /// Units whose way is still being searched for.
    seeking: u32,
    /// What was spent, in expansions; all work is charged.
    work: u64,
}

#[pymethods]
impl Summary {
    /// What was charged: all work.
    #[getter]
    #[expect(clippy::unused_self, reason = "the prices of fleets are always the same")]
    fn prices(&self) -> &'static str {
        PriceList::AllWork.name()
    }

    fn __repr__(&self) -> String {
        let Self { moved, underway, seeking, work } = self;
        let prices = self.prices();
        format!("Summary(moved={moved}, underway={underway}, seeking={seeking}, work={work}, prices='{prices}')")
    }
}

/// A fleet, and which of its units is which of Python's.
#[derive(Clone)]
struct Held {
    fleet: Inner,
    /// By Python's number: the unit. Those that were removed stay, so that no number comes twice.
    units: Vec<UnitId>,
    /// By a unit's place: Python's number.
    numbers: Vec<i64>,
    teams: Vec<TeamId>,
}

/// Many units on one map, moved together: every tick everybody moves, and then searches go on for what is left of the
/// budget. The map is the fleet's own from then on, and is edited by `Fleet.set`.
#[pyclass(frozen, module = "fleetfoot")]
pub(crate) struct Fleet(Mutex<Held>);

type Numbers<'py> = PyReadonlyArray1<'py, i64>;
type Cells<'py> = PyReadonlyArray2<'py, i32>;

impl Held {
    /// The units with these numbers; all that are there if none are named.
    fn chosen(&self, py: Python<'_>, units: Option<&Numbers<'_>>) -> PyResult<Vec<UnitId>> {
        let Some(numbers) = units else { return Ok(self.fleet.units().collect()) };
        numbers.as_array().iter().map(|&number| self.unit(py, number)).collect()
    }

    fn unit(&self, py: Python<'_>, number: i64) -> PyResult<UnitId> {
        let unit = usize::try_from(number).ok().and_then(|k| self.units.get(k).copied());
        unit.filter(|unit| self.fleet.at(*unit).is_some()).ok_or_else(|| {
            wrong(py, format!("there is no unit {number}"), "it was removed, or is of another fleet")
        })
    }

    fn number(&self, unit: UnitId) -> i64 {
        self.numbers[unit.index()]
    }

    fn team(&self, py: Python<'_>, team: usize) -> PyResult<TeamId> {
        let there = self.teams.len();
        self.teams.get(team).copied().ok_or_else(|| {
            wrong(
                py,
                format!("there is no team {team}"),
                &format!("there are {there}, counted from 0; add_team makes more"),
            )
        })
    }
}

/// Cells of a map from an array of two columns; as many as there are units, if that is known.
fn cells(py: Python<'_>, map: &InnerMap, cells: &Cells<'_>, units: Option<usize>) -> PyResult<Vec<NodeId>> {
    let rows = cells.as_array();
    if rows.ncols() != 2 || units.is_some_and(|units| units != rows.nrows()) {
        let what = format!("an array of {}x{} numbers is none of cells here", rows.nrows(), rows.ncols());
        return Err(wrong(py, what, "give a row for each unit: column and row, such as [12, 34]"));
    }
    let cell = |(&x, &y): (&i32, &i32)| {
        let place = u32::try_from(x).ok().zip(u32::try_from(y).ok()).and_then(|(x, y)| map.node(x, y));
        place.ok_or_else(|| {
            let (width, height) = (map.grid().width(), map.grid().height());
            let what = format!("cell ({x}, {y}) lies outside the map of {width}x{height} cells");
            wrong(py, what, "give column and row, in this order; both count from 0")
        })
    };
    rows.column(0).iter().zip(rows.column(1)).map(cell).collect()
}

impl Fleet {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Fleet {
    #[new]
    #[pyo3(signature = (map, *, collisions=true))]
    fn new(py: Python<'_>, map: &Map, collisions: bool) -> Self {
        let fleet = py.detach(|| {
            let mut config = FleetConfig::default();
            config.collisions = collisions;
            Inner::with(map.read().clone(), config)
        });
        let held = Held { fleet, units: Vec::new(), numbers: Vec::new(), teams: vec![TeamId::FIRST] };
        Self(Mutex::new(held))
    }

    /// Adds a team, which knows what its units have seen so many cells far; without a radius it knows the map. Team 0 is
    /// there from the beginning, and knows the map.
    #[pyo3(signature = (radius=None))]
    fn add_team(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::radius)] radius: Option<u32>,
    ) -> PyResult<usize> {
        let mut held = self.lock();
        let team = held.fleet.add_team(radius.map_or(Vision::All, Vision::Radius));
        let team = team.map_err(|error| input(py, error))?;
        held.teams.push(team);
        Ok(held.teams.len() - 1)
    }

    /// Puts new units on cells, an array of two columns; returns their numbers. If one cannot be there, none is made.
    #[pyo3(signature = (cells, team=0))]
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_cells)] cells: Cells<'py>,
        team: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut held = self.lock();
        let (team, places) = (held.team(py, team)?, self::cells(py, held.fleet.map(), &cells, None)?);
        let mut made = Vec::with_capacity(places.len());
        for &place in &places {
            match held.fleet.spawn(team, place) {
                Ok(unit) => made.push(unit),
                Err(error) => {
                    for unit in made {
                        held.fleet.remove(unit);
                    }
                    let (x, y) = held.fleet.map().xy(place);
                    return Err(input(py, format!("cell ({x}, {y}): {error}")));
                }
            }
        }
        let first = held.units.len().cast_signed() as i64;
        for (number, &unit) in (first..).zip(&made) {
            if held.numbers.len() <= unit.index() {
                held.numbers.resize(unit.index() + 1, -1);
            }
            held.numbers[unit.index()] = number;
            held.units.push(unit);
        }
        Ok((first..first + made.len().cast_signed() as i64).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Sends units to a cell: each to one of its own around it, or with `near=False` all to this cell and no other. Or, by an
    /// array of two columns, each to its own cell. They set out with the next tick.
    #[pyo3(signature = (units, goal, *, near=true))]
    fn order(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
        goal: &Bound<'_, PyAny>,
        near: bool,
    ) -> PyResult<()> {
        let mut held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        // An array of two axes, which may have no row, or rows of any kind; one cell has numbers.
        let has_axes = goal.getattr("ndim").is_ok_and(|axes| axes.extract::<usize>().is_ok_and(|n| n == 2));
        let has_rows = || goal.get_item(0).is_ok_and(|first| first.len().is_ok());
        if has_axes || has_rows() {
            let goals = cells(py, held.fleet.map(), &as_cells(goal)?, Some(units.len()))?;
            let fleet = &mut held.fleet;
            py.detach(|| {
                for (unit, goal) in units.iter().zip(goals) {
                    fleet.order(&[*unit], Goal::at(goal));
                }
            });
        } else {
            let cell = node(held.fleet.map(), goal)?;
            let goal = if near { Goal::near(cell) } else { Goal::at(cell) };
            let fleet = &mut held.fleet;
            py.detach(|| fleet.order(&units, goal));
        }
        Ok(())
    }

    /// Lets units forget their orders: they stand, and step aside for others.
    #[pyo3(signature = (units=None))]
    fn stop(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
    ) -> PyResult<()> {
        let mut held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        held.fleet.stop(&units);
        Ok(())
    }

    /// Takes units away.
    fn remove(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
    ) -> PyResult<()> {
        let mut held = self.lock();
        for unit in held.chosen(py, units.as_ref())? {
            held.fleet.remove(unit);
        }
        Ok(())
    }

    /// Puts units elsewhere, one after the other. They keep their orders.
    fn teleport(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
        #[pyo3(from_py_with = as_cells)] cells: Cells<'_>,
    ) -> PyResult<()> {
        let mut held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        let places = self::cells(py, held.fleet.map(), &cells, Some(units.len()))?;
        for (unit, place) in units.into_iter().zip(places) {
            let (number, (x, y)) = (held.number(unit), held.fleet.map().xy(place));
            let done = held.fleet.teleport(unit, place);
            done.map_err(|error| input(py, format!("unit {number}, cell ({x}, {y}): {error}")))?;
        }
        Ok(())
    }

    /// Gives units another speed: a move in every so many ticks.
    fn set_speed(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
        #[pyo3(from_py_with = numbers::every)] every: u32,
    ) -> PyResult<()> {
        let mut held = self.lock();
        for unit in held.chosen(py, units.as_ref())? {
            held.fleet.set_speed(unit, Speed::EveryTicks(every)).map_err(|error| input(py, error))?;
        }
        Ok(())
    }

    /// Lets the searches for units come before those for others, or no longer.
    #[pyo3(signature = (units, first=true))]
    fn prefer(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'_>>,
        first: bool,
    ) -> PyResult<()> {
        let mut held = self.lock();
        for unit in held.chosen(py, units.as_ref())? {
            held.fleet.prefer(unit, first).map_err(|error| input(py, error))?;
        }
        Ok(())
    }

    /// Gives a cell of the map another weight: 0 blocks it, 1 makes it plain ground. Tells whether it had another one before.
    fn set(
        &self,
        py: Python<'_>,
        cell: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = numbers::weight)] weight: u8,
    ) -> PyResult<bool> {
        let mut held = self.lock();
        let n = node(held.fleet.map(), cell)?;
        let fleet = &mut held.fleet;
        py.detach(|| fleet.set(n, weight)).map_err(|error| numbers::refused(py, &error))
    }

    /// Moves all units, then continues searches, for at most so many expansions' worth of work; all work is charged.
    fn tick(&self, py: Python<'_>, #[pyo3(from_py_with = numbers::work)] work: u64) -> Summary {
        py.detach(|| {
            let mut held = self.lock();
            let _ = held.fleet.tick(work);
            summary(&held.fleet)
        })
    }

    /// Ticks until nobody is under way, or so many ticks are over; returns how many there were.
    fn run(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::work)] work: u64,
        #[pyo3(from_py_with = numbers::ticks)] ticks: u64,
    ) -> PyResult<u64> {
        let fleet = slf.clone().unbind();
        supervise(slf.py(), None, move |progress| {
            let (mut held, mut made) = (fleet.get().lock(), 0);
            while made < ticks && !progress.is_over() {
                let _ = held.fleet.tick(work);
                made += 1;
                if held.fleet.summary().underway == 0 {
                    break;
                }
            }
            made
        })
    }

    /// What the last tick was like.
    #[getter]
    fn summary(&self) -> Summary {
        summary(&self.lock().fleet)
    }

    /// Ticks so far.
    #[getter]
    fn ticks(&self) -> u64 {
        self.lock().fleet.ticks()
    }

    /// The numbers of the units that are there.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let held = self.lock();
        held.fleet.units().map(|unit| held.number(unit)).collect::<Vec<_>>().into_pyarray(py)
    }

    /// Where units are: an array of two columns.
    #[pyo3(signature = (units=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'py>>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        let places: Vec<NodeId> = units.iter().filter_map(|unit| held.fleet.at(*unit)).collect();
        Ok(array(py, held.fleet.map().grid(), &places))
    }

    /// Where units are to go: an array of two columns; -1 for those that have no order.
    #[pyo3(signature = (units=None))]
    fn goals<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'py>>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        let map = held.fleet.map();
        let place = |unit: &UnitId| corner(map, held.fleet.goal(*unit));
        Ok(table(py, units.iter().map(place)))
    }

    /// How units fare, as the numbers of `UnitStatus`.
    #[pyo3(signature = (units=None))]
    fn statuses<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = as_numbers)] units: Option<Numbers<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let held = self.lock();
        let units = held.chosen(py, units.as_ref())?;
        let status = |unit: &UnitId| held.fleet.status(*unit).map_or(0, code);
        Ok(units.iter().map(status).collect::<Vec<u8>>().into_pyarray(py))
    }

    /// The cells that a unit means to walk, the next one first, as far as that is known: an array of two columns.
    fn path<'py>(&self, py: Python<'py>, unit: i64) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let held = self.lock();
        let unit = held.unit(py, unit)?;
        Ok(array(py, held.fleet.map().grid(), &held.fleet.path(unit)))
    }

    /// What happened in the last tick, by kind: arrays with a row for each event, the unit's number first.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let held = self.lock();
        let (map, number) = (held.fleet.map(), |unit| held.number(unit) as i32);
        let (mut moved, mut arrived, mut blocked, mut sealed) = (vec![], vec![], vec![], vec![]);
        let (mut rerouted, mut unreachable, mut buried) = (vec![], vec![], vec![]);
        for event in held.fleet.events() {
            match *event {
                Event::Moved { unit, from, to } => {
                    let ([a, b], [c, d]) = (corner(map, Some(from)), corner(map, Some(to)));
                    moved.push([number(unit), a, b, c, d]);
                }
                Event::Arrived { unit } => arrived.push([number(unit)]),
                Event::Blocked { unit, by } => blocked.push([number(unit), number(by)]),
                Event::Sealed { unit, by } => sealed.push([number(unit), number(by)]),
                Event::Rerouted { unit } => rerouted.push([number(unit)]),
                Event::Unreachable { unit, nearest } => {
                    let [x, y] = corner(map, nearest);
                    unreachable.push([number(unit), x, y]);
                }
                Event::Buried { unit } => buried.push([number(unit)]),
                _ => {}
            }
        }
        let events = PyDict::new(py);
        events.set_item("moved", table(py, moved.into_iter()))?;
        events.set_item("arrived", table(py, arrived.into_iter()))?;
        events.set_item("blocked", table(py, blocked.into_iter()))?;
        events.set_item("sealed", table(py, sealed.into_iter()))?;
        events.set_item("rerouted", table(py, rerouted.into_iter()))?;
        events.set_item("unreachable", table(py, unreachable.into_iter()))?;
        events.set_item("buried", table(py, buried.into_iter()))?;
        Ok(events)
    }

    /// What a team has seen, as an array `[y, x]` of booleans.
    #[pyo3(signature = (team=0))]
    fn seen<'py>(&self, py: Python<'py>, team: usize) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let held = self.lock();
        let (team, fleet) = (held.team(py, team)?, &held.fleet);
        let grid = fleet.map().grid();
        let seen = |(y, x)| grid.node(x as u32, y as u32).is_some_and(|n| fleet.has_seen(team, n));
        Ok(Array2::from_shape_fn((grid.height() as usize, grid.width() as usize), seen).into_pyarray(py))
    }

    /// A copy of the map as it is now.
    fn map(&self) -> Map {
        Map::from(self.lock().fleet.map().clone())
    }

    /// A copy of the fleet, which goes its own way from here.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(py.detach(|| self.lock().clone())))
    }

    fn __len__(&self) -> usize {
        self.lock().fleet.units().count()
    }

    fn __repr__(&self) -> String {
        let held = self.lock();
        let grid = held.fleet.map().grid();
        format!("Fleet({} units on {}x{} cells)", held.fleet.units().count(), grid.width(), grid.height())
    }
}

fn summary(fleet: &Inner) -> Summary {
    let its = fleet.summary();
    Summary { moved: its.moved, underway: its.underway, seeking: its.seeking, work: its.work }
}

/// The number of a status; `UnitStatus` of the package has them.
fn code(status: Status) -> u8 {
    match status {
        Status::Seeking => 1,
        Status::Underway => 2,
        Status::Arrived => 3,
        Status::Unreachable => 4,
        Status::Buried => 5,
        _ => 0,
    }
}

fn corner(map: &InnerMap, cell: Option<NodeId>) -> [i32; 2] {
    cell.map_or([-1, -1], |n| <[u32; 2]>::from(map.xy(n)).map(u32::cast_signed))
}

/// Rows of numbers as an array.
fn table<const N: usize>(py: Python<'_>, rows: impl Iterator<Item = [i32; N]>) -> Bound<'_, PyArray2<i32>> {
    let numbers: Vec<i32> = rows.flatten().collect();
    Array2::from_shape_vec((numbers.len() / N, N), numbers).expect("whole rows").into_pyarray(py)
}

/// Numbers of units: any whole numbers in a row, one alone, or `None` for all.
fn as_numbers<'py>(units: &Bound<'py, PyAny>) -> PyResult<Option<Numbers<'py>>> {
    if units.is_none() {
        return Ok(None);
    }
    if let Ok(numbers) = units.extract() {
        return Ok(Some(numbers));
    }
    let refuse = || {
        wrong(units.py(), "these are no numbers of units", "give what Fleet.spawn returned, or some of it")
    };
    let made = as_array(units, "int64", 1).map_err(|_| refuse())?;
    made.extract::<Numbers<'py>>().map(Some).map_err(|_| refuse())
}

/// Cells: rows of two whole numbers.
fn as_cells<'py>(cells: &Bound<'py, PyAny>) -> PyResult<Cells<'py>> {
    if let Ok(cells) = cells.extract() {
        return Ok(cells);
    }
    let refuse = || {
        wrong(cells.py(), "these are no cells", "give an array of two columns, column and row of each cell")
    };
    let made = as_array(cells, "int32", 2).map_err(|_| refuse())?;
    made.extract::<Cells<'py>>().map_err(|_| refuse())
}

/// An array of whole numbers of anything that is one, without rounding.
fn as_array<'py>(numbers: &Bound<'py, PyAny>, kind: &str, axes: usize) -> PyResult<Bound<'py, PyAny>> {
    let numpy = numbers.py().import("numpy")?;
    let plain = numpy.call_method1("asarray", (numbers,))?;
    let is_whole = plain.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
    let is_empty = plain.getattr("size")?.extract::<usize>()? == 0;
    if !is_empty && is_whole != "i" && is_whole != "u" {
        return Err(pyo3::exceptions::PyTypeError::new_err("no whole numbers"));
    }
    let made = plain.call_method1("astype", (kind,))?;
    if axes == 1 { made.call_method1("reshape", (-1,)) } else { Ok(made) }
}
