//! Cells in Python: `(x, y)`, column and row from 0, or an array with two columns.
//!
//! Reading an object may call Python, so it is done before a map is locked. Functions that use a map never call
//! Python.

use fleetfoot::{Grid, Map, NodeId};
use fleetfoot_sim::error::InputError;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;

use crate::errors::wrong;

/// Reads a cell: any pair of integers.
pub(crate) fn pair(cell: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
    let numbers = cell.extract::<(i64, i64)>().or_else(|_| cell.extract::<[i64; 2]>().map(|[x, y]| (x, y)));
    let Ok((x, y)) = numbers else {
        let what = format!("{cell} is not a cell");
        return Err(wrong(cell.py(), what, "give column and row, such as (12, 34)"));
    };
    match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => Ok((x, y)),
        _ => Err(wrong(cell.py(), format!("there is no cell ({x}, {y})"), "columns and rows count from 0")),
    }
}

/// Returns a cell of a map.
pub(crate) fn node_at(map: &Map, (x, y): (u32, u32)) -> Result<NodeId, InputError> {
    map.node(x, y).ok_or_else(|| {
        let (width, height) = (map.grid().width(), map.grid().height());
        let what = format!("cell ({x}, {y}) lies outside the map of {width}x{height} cells");
        InputError::new(what, "give column and row, in this order; both count from 0")
    })
}

/// Returns columns and rows of cells, alternating.
pub(crate) fn places(grid: &Grid, cells: impl IntoIterator<Item = NodeId>) -> Vec<i32> {
    cells.into_iter().flat_map(|cell| <[u32; 2]>::from(grid.xy(cell)).map(u32::cast_signed)).collect()
}

/// Returns columns and rows as an array with a row per cell.
pub(crate) fn array(py: Python<'_>, numbers: Vec<i32>) -> Bound<'_, PyArray2<i32>> {
    let array = Array2::from_shape_vec((numbers.len() / 2, 2), numbers).expect("two numbers a cell");
    array.into_pyarray(py)
}
