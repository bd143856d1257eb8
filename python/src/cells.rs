//! Cells as Python has them: `(x, y)`, column and row from 0; many of them as an array of two columns.

use fleetfoot::{Grid, Map, NodeId};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;

use crate::errors::wrong;

/// Column and row of one cell: any pair of whole numbers.
pub(crate) fn pair(cell: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
    let numbers = cell.extract::<(i64, i64)>().or_else(|_| cell.extract::<[i64; 2]>().map(|[x, y]| (x, y)));
    let Ok((x, y)) = numbers else {
        let what = format!("{cell} is no cell");
        return Err(wrong(cell.py(), what, "give column and row, such as (12, 34)"));
    };
    match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => Ok((x, y)),
        _ => Err(wrong(cell.py(), format!("there is no cell ({x}, {y})"), "columns and rows count from 0")),
    }
}

/// A cell of a map.
pub(crate) fn node(map: &Map, cell: &Bound<'_, PyAny>) -> PyResult<NodeId> {
    let (x, y) = pair(cell)?;
    map.node(x, y).ok_or_else(|| {
        let (width, height) = (map.grid().width(), map.grid().height());
        let what = format!("cell ({x}, {y}) lies outside the map of {width}x{height} cells");
        wrong(cell.py(), what, "give column and row, in this order; both count from 0")
    })
}

/// Cells as an array: a row each, with column and row of the map.
pub(crate) fn array<'py>(py: Python<'py>, grid: &Grid, cells: &[NodeId]) -> Bound<'py, PyArray2<i32>> {
    let mut numbers = Vec::with_capacity(2 * cells.len());
    for &cell in cells {
        let (x, y) = grid.xy(cell);
        numbers.extend([x.cast_signed(), y.cast_signed()]);
    }
    let array = Array2::from_shape_vec((cells.len(), 2), numbers).expect("two numbers a cell");
    array.into_pyarray(py)
}
