//! `fleetfoot.Map`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fleetfoot::{
    Graph, Grid, GridError, Map as Inner, Meter, NearestCell, NodeId, Reachability, Rules, Scratch,
};
use fleetfoot_lab::places::{MapSource, Movement};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::map::{write_map, write_map_to};
use fleetfoot_sim::generate::problems::random_problems;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::spec;
use fleetfoot_sim::world::Terrain;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cells::{array, node_at, pair, places};
use crate::errors::{input, wrong};
use crate::numbers;
use crate::turns::Shared;
use crate::work::supervise;

/// A grid map: free cells, weights, and movement rules.
///
/// `array[y, x]` is the cell in column x and row y: 0 is blocked, other numbers up to 255 are weights (1 is plain
/// ground). An array of booleans marks free cells. `max_weight` allows `set` to use larger weights later.
/// Everywhere else a cell is `(x, y)`.
#[pyclass(frozen, module = "fleetfoot")]
pub(crate) struct Map(Shared<Inner>);

/// A search on a larger map runs on its own thread, so that Ctrl-C is handled meanwhile.
const LARGE: usize = 1 << 20;

/// Formats movement rules as in the program's rows.
fn rules_text(rules: Rules) -> String {
    Movement { rules, ..Movement::default() }.to_string()
}

/// Returns the movement rules for Python's arguments.
pub(crate) fn rules(
    py: Python<'_>,
    moves: u32,
    diagonal: &Bound<'_, PyAny>,
    cut_corners: bool,
) -> PyResult<Rules> {
    let neighborhood = spec::neighborhood(&moves.to_string()).map_err(|error| input(py, error))?;
    let diagonal = spec::diagonal(diagonal.str()?.to_str()?).map_err(|error| input(py, error))?;
    Ok(Rules { neighborhood, cut_corners, diagonal })
}

impl From<Inner> for Map {
    fn from(map: Inner) -> Self {
        Self(Shared::new(map))
    }
}

impl Map {
    pub(crate) fn inner(&self) -> &Shared<Inner> {
        &self.0
    }

    fn of(grid: Grid) -> Self {
        Self::from(Inner::from(grid))
    }

    /// Returns the map as letters with their weights. Fails if three weights do not suffice.
    fn letters(&self, py: Python<'_>) -> PyResult<(GridMap, Terrain)> {
        self.0.read(py, |map| letters(map.grid())).map_err(|error| input(py, error))
    }
}

fn letters(grid: &Grid) -> Result<(GridMap, Terrain), InputError> {
    let weight = |x, y| grid.node(x, y).map_or(0, |n| grid.weight(n));
    let cells = || (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
    let weights: BTreeSet<u8> = cells().map(|(x, y)| weight(x, y)).filter(|weight| *weight > 0).collect();
    if weights.len() > 3 {
        let what = format!("map files have three kinds of ground, and the map has weights {weights:?}");
        return Err(InputError::new(what, "use three different weights at most"));
    }
    let mut letters = GridMap::new(grid.width(), grid.height(), b'@')?;
    for (x, y) in cells() {
        let at = weight(x, y);
        if let Some((_, letter)) = weights.iter().zip(b".GS").find(|(weight, _)| **weight == at) {
            letters.set(x, y, *letter);
        }
    }
    let named = weights.iter().zip([".", "G", "S"]);
    let text: Vec<String> = named.map(|(weight, letter)| format!("{letter}={weight}")).collect();
    Ok((letters, text.join(",").parse()?))
}

#[pymethods]
impl Map {
    #[new]
    #[pyo3(signature = (array, *, moves=8, diagonal=None, cut_corners=false, max_weight=None))]
    fn new(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        moves: u32,
        diagonal: Option<&Bound<'_, PyAny>>,
        cut_corners: bool,
        max_weight: Option<u8>,
    ) -> PyResult<Self> {
        let sqrt2 = "sqrt2".into_pyobject(py)?.into_any();
        let rules = rules(py, moves, diagonal.unwrap_or(&sqrt2), cut_corners)?;
        let refuse = || {
            let kind =
                array.getattr("dtype").map_or_else(|_| array.get_type().to_string(), |d| d.to_string());
            let what = format!("a map cannot be made of this ({kind})");
            wrong(
                py,
                what,
                "give an array of two axes, of booleans or of numbers from 0 to 255 (dtype uint8)",
            )
        };
        let made = if let Ok(free) = array.extract::<PyReadonlyArray2<'_, bool>>() {
            let (cells, [height, width]) = (free.as_array(), sides(free.shape()));
            Grid::new(width, height, rules, |x, y| u8::from(cells[(y as usize, x as usize)]))
        } else if let Ok(weights) = array.extract::<PyReadonlyArray2<'_, u8>>() {
            let (cells, [height, width]) = (weights.as_array(), sides(weights.shape()));
            Grid::new(width, height, rules, |x, y| cells[(y as usize, x as usize)])
        } else {
            return Err(refuse());
        };
        let grid = made.map_err(|e| input(py, e))?;
        let grid = match max_weight {
            Some(most) => grid.with_weights(1, most).map_err(|e| input(py, e))?,
            None => grid,
        };
        Ok(Self::of(grid))
    }

    /// Reads a map file, or creates a map: `builtin:NAME`, or a generator such as `maze(width=51,seed=3)`.
    #[staticmethod]
    #[pyo3(signature = (path, *, moves=8, diagonal=None, cut_corners=false, terrain=""))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        moves: u32,
        diagonal: Option<&Bound<'_, PyAny>>,
        cut_corners: bool,
        terrain: &str,
    ) -> PyResult<Self> {
        let sqrt2 = "sqrt2".into_pyobject(py)?.into_any();
        let rules = rules(py, moves, diagonal.unwrap_or(&sqrt2), cut_corners)?;
        let terrain: Terrain = terrain.parse().map_err(|e| input(py, e))?;
        let map = supervise(py, None, move |_| {
            let source = MapSource::parse(&path.to_string_lossy(), Path::new(""))?;
            terrain.grid(&source.load()?.map, rules).map_err(|error| error.with_file(&path)).map(Self::of)
        })?;
        map.map_err(|error: InputError| input(py, error))
    }

    /// Writes a map file, and returns the weights of its letters in the format of the argument `terrain` of `load`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<String> {
        let (letters, terrain) = self.letters(py)?;
        py.detach(|| write_map(&path, &letters)).map_err(|error| input(py, error))?;
        Ok(terrain.to_string())
    }

    /// Returns the bytes of a map file, and the weights of its letters.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let (letters, terrain) = self.letters(py)?;
        let mut bytes = Vec::new();
        write_map_to(&mut bytes, &letters)?;
        Ok((PyBytes::new(py, &bytes), terrain.to_string()))
    }

    /// Returns the number of columns.
    #[getter]
    fn width(&self, py: Python<'_>) -> u32 {
        self.0.briefly(py, |map| map.grid().width())
    }

    /// Returns the number of rows.
    #[getter]
    fn height(&self, py: Python<'_>) -> u32 {
        self.0.briefly(py, |map| map.grid().height())
    }

    /// Returns the numbers of rows and columns, like numpy.
    #[getter]
    fn shape(&self, py: Python<'_>) -> (u32, u32) {
        self.0.briefly(py, |map| (map.grid().height(), map.grid().width()))
    }

    /// Returns the movement rules, as in the program's rows.
    #[getter]
    fn rules(&self, py: Python<'_>) -> String {
        rules_text(self.0.briefly(py, |map| map.grid().rules()))
    }

    /// Returns the weights of all cells as a new array `[y, x]`; 0 is blocked.
    fn to_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        let array = self.0.read(py, |map| {
            let grid = map.grid();
            Array2::from_shape_fn((grid.height() as usize, grid.width() as usize), |(y, x)| {
                grid.node(x as u32, y as u32).map_or(0, |n| grid.weight(n))
            })
        });
        array.into_pyarray(py)
    }

    /// Returns the weight of a cell; 0 is blocked.
    fn weight(&self, py: Python<'_>, #[pyo3(from_py_with = pair)] cell: (u32, u32)) -> PyResult<u8> {
        let weight = self.0.briefly(py, |map| node_at(map, cell).map(|n| map.grid().weight(n)));
        weight.map_err(|error| input(py, error))
    }

    /// Returns `True` if a cell is free. Cells outside the map are not.
    fn is_free(&self, py: Python<'_>, #[pyo3(from_py_with = pair)] cell: (u32, u32)) -> bool {
        self.0.briefly(py, |map| map.node(cell.0, cell.1).is_some_and(|n| map.is_free(n)))
    }

    /// Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `True` if the weight changed.
    fn set(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = pair)] cell: (u32, u32),
        #[pyo3(from_py_with = numbers::weight)] weight: u8,
    ) -> PyResult<bool> {
        // Waits for agents of other threads that use the map.
        let set = self.0.write(py, |map| -> Result<Result<bool, GridError>, InputError> {
            let n = node_at(map, cell)?;
            Ok(map.set(n, weight))
        });
        set.map_err(|error| input(py, error))?.map_err(|error| numbers::refused(py, &error))
    }

    /// Updates the reachability index by at most `cells` cells. Returns `True` once `reachability` is exact. Call
    /// it every tick.
    #[pyo3(signature = (cells=1000))]
    fn update_indices(&self, py: Python<'_>, cells: usize) -> bool {
        self.0.write(py, |map| map.update_indices(cells))
    }

    /// Returns whether there may be a path, without a search. `False` is certain; `True` is certain once
    /// `update_indices` has returned `True`.
    fn reachability(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = pair)] start: (u32, u32),
        #[pyo3(from_py_with = pair)] goal: (u32, u32),
    ) -> PyResult<bool> {
        let reach = self.0.briefly(py, |map| Ok(map.reachability(node_at(map, start)?, node_at(map, goal)?)));
        reach.map(|reach| reach == Reachability::Maybe).map_err(|error: InputError| input(py, error))
    }

    /// Returns the cell nearest to `goal` that can be reached from `start`. `None` if `start` is blocked.
    fn nearest(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = pair)] start: (u32, u32),
        #[pyo3(from_py_with = pair)] goal: (u32, u32),
    ) -> PyResult<Option<(u32, u32)>> {
        let found = self.0.read(py, |map| {
            let from = node_at(map, start)?;
            Ok(match map.nearest(from, goal, &mut Meter::unlimited()) {
                NearestCell::Cell(n) => Some(map.xy(n)),
                _ => None,
            })
        });
        found.map_err(|error: InputError| input(py, error))
    }

    /// Returns a shortest path from `start` to `goal` with both ends: an array with two columns, x and y. `None` if
    /// there is no path.
    fn shortest_path<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = pair)] start: (u32, u32),
        #[pyo3(from_py_with = pair)] goal: (u32, u32),
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let (py, map) = (slf.py(), slf.get());
        let find = move |map: &Inner| -> Result<Option<Vec<i32>>, InputError> {
            let (from, to) = (node_at(map, start)?, node_at(map, goal)?);
            if map.reachability(from, to) == Reachability::Unreachable {
                return Ok(None);
            }
            let (mut meter, mut scratch) = (Meter::unlimited(), Scratch::new());
            let found = fleetfoot::shortest_path(map.grid(), from, to, &mut meter, &mut scratch).path();
            Ok(found.map(|(path, _)| places(map.grid(), path)))
        };
        let path = if map.0.briefly(py, |map| map.grid().bound()) > LARGE {
            let map = slf.clone().unbind();
            supervise(py, None, move |_| find(&map.get().0.lock()))?
        } else {
            map.0.read(py, find)
        };
        Ok(path.map_err(|error| input(py, error))?.map(|path| array(py, path)))
    }

    /// Returns the length of a path: straight moves count 1, diagonal ones as the rules define, times the mean
    /// weight of both cells.
    fn length(&self, py: Python<'_>, path: PyReadonlyArray2<'_, i32>) -> PyResult<f64> {
        let rows: Vec<Vec<i32>> = path.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
        self.0.read(py, |map| length(map, &rows)).map_err(|error| input(py, error))
    }

    /// Returns random solvable problems, like `fleetfoot run --random`: an array with four columns.
    #[pyo3(signature = (count, seed=0))]
    fn random_problems<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (letters, _) = self.letters(py)?;
        let pairs = py.detach(|| random_problems(&letters, count, seed)).map_err(|error| input(py, error))?;
        let four = |&((a, b), (c, d)): &((u32, u32), (u32, u32))| [a, b, c, d].map(u32::cast_signed);
        let numbers: Vec<i32> = pairs.iter().flat_map(four).collect();
        Ok(Array2::from_shape_vec((pairs.len(), 4), numbers).expect("four numbers each").into_pyarray(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (width, height, rules) =
            self.0.briefly(py, |map| (map.grid().width(), map.grid().height(), map.grid().rules()));
        format!("Map({width}x{height}, {})", rules_text(rules))
    }
}

/// Returns the length of a path of rows with column and row.
fn length(map: &Inner, rows: &[Vec<i32>]) -> Result<f64, InputError> {
    let mut cells: Vec<NodeId> = Vec::with_capacity(rows.len());
    for row in rows {
        let at = |k: usize| row.get(k).and_then(|n| u32::try_from(*n).ok());
        let cell = at(0).zip(at(1)).and_then(|(x, y)| map.node(x, y));
        cells.push(cell.ok_or_else(|| {
            let what = format!("{row:?} is not a cell of the map");
            InputError::new(what, "give rows of column and row, such as [12, 34]")
        })?);
    }
    let (grid, mut sum) = (map.grid(), fleetfoot::Length::ZERO);
    for step in cells.windows(2) {
        let ((ax, ay), (bx, by)) = (map.xy(step[0]), map.xy(step[1]));
        if ax.abs_diff(bx).max(ay.abs_diff(by)) != 1 {
            let what = format!("from ({ax}, {ay}) to ({bx}, {by}) is no move");
            return Err(InputError::new(what, "give all cells of the path, each beside the one before"));
        }
        sum += grid.length(step[0], step[1]);
    }
    Ok(sum.value(grid.rules().diagonal))
}

/// Returns the lengths of two axes. They fit, since the array exists.
fn sides(shape: &[usize]) -> [u32; 2] {
    [0, 1].map(|axis| u32::try_from(shape[axis]).unwrap_or(u32::MAX))
}
