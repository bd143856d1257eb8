//! Integer arguments. Errors name the argument and its valid range.

use fleetfoot::GridError;
use pyo3::prelude::*;

use crate::errors::wrong;

/// Reads the budget of a tick in expansions.
pub(crate) fn work(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, 0..=u64::MAX, "work", "give a whole number of expansions, 0 or more")
}

/// Reads the budget of a tick in expansions; `None` is unlimited.
pub(crate) fn budget(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let remedy = "give a whole number of expansions, 0 or more, or None for no limit";
    some(value, |value| whole(value, 0..=u64::MAX, "budget", remedy))
}

/// Reads a maximum number of ticks.
pub(crate) fn ticks(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, 0..=u64::MAX, "ticks", "give a whole number of ticks, 0 or more")
}

/// Reads a maximum number of ticks; `None` is unlimited.
pub(crate) fn most_ticks(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let remedy = "give a whole number of ticks, 0 or more, or None for no limit";
    some(value, |value| whole(value, 0..=u64::MAX, "ticks", remedy))
}

/// Reads the number of ticks per move.
pub(crate) fn every(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let remedy = "give the number of ticks per move, 1 or more; to hold a unit, order it to its own cell";
    let number = whole(value, 1..=u64::from(u32::MAX), "every", remedy)?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Reads a radius of vision.
pub(crate) fn radius(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let remedy = "give a whole number of cells, 0 or more, or None for a team that knows the map";
    let number = some(value, |value| whole(value, 0..=u64::from(u32::MAX), "radius", remedy))?;
    Ok(number.and_then(|number| u32::try_from(number).ok()))
}

/// Reads the weight of a cell.
pub(crate) fn weight(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    let remedy = "give a whole number: 0 blocks a cell, 1 is plain ground, up to 255 is ground that is harder to cross";
    let number = whole(value, 0..=255, "weight", remedy)?;
    Ok(u8::try_from(number).unwrap_or(u8::MAX))
}

/// Returns the error for an invalid weight, with a remedy for Python.
pub(crate) fn refused(py: Python<'_>, error: &GridError) -> PyErr {
    let text = error.to_string();
    let what = text.split_once("; ").map_or(text.as_str(), |(what, _)| what);
    wrong(
        py,
        what,
        "make a map with room for it: Map(old.to_array(), max_weight=N), where N is the largest weight",
    )
}

fn some<T>(
    value: &Bound<'_, PyAny>,
    read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { read(value).map(Some) }
}

fn whole(
    value: &Bound<'_, PyAny>,
    range: std::ops::RangeInclusive<u64>,
    name: &str,
    remedy: &str,
) -> PyResult<u64> {
    let number = value.extract::<u64>().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let text = value.repr().map_or_else(|_| "this".into(), |text| text.to_string());
        wrong(value.py(), format!("{name} = {text} cannot be"), remedy)
    })
}
