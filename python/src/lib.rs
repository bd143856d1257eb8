//! The Rust part of the Python package `fleetfoot`: `fleetfoot._native`.
//!
//! Maps and agents are classes; the laboratory is used through [`Plan`](plan::Plan). Long operations let other Python
//! threads run, and check for Ctrl-C ten times a second ([`work`]).

mod agent;
mod cells;
mod database;
mod errors;
mod fleet;
mod map;
mod numbers;
mod plan;
mod record;
mod turns;
mod work;

use fleetfoot::registry::ALGORITHMS;
use fleetfoot_lab::catalogue::as_json;
use fleetfoot_reproduce::STUDIES;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Returns all planners as JSON.
#[pyfunction]
fn planners_json() -> String {
    ALGORITHMS.iter().map(as_json).collect::<Value>().to_string()
}

/// Returns all studies as JSON.
#[pyfunction]
fn studies_json() -> String {
    let study = |study: &fleetfoot_reproduce::Study| json!({ "id": study.id, "title": study.title, "paper": study.paper, "claims": study.claims });
    STUDIES.iter().map(study).collect::<Value>().to_string()
}

/// Sets the file that makes the laboratory's rows: this library, not the interpreter.
#[pyfunction]
fn made_by(file: std::path::PathBuf) {
    fleetfoot_lab::run::made_by(file);
}

/// Creates the module.
#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<map::Map>()?;
    m.add_class::<agent::Agent>()?;
    m.add_class::<agent::Status>()?;
    m.add_class::<fleet::Fleet>()?;
    m.add_class::<fleet::Summary>()?;
    m.add_class::<plan::Plan>()?;
    m.add_function(wrap_pyfunction!(planners_json, m)?)?;
    m.add_function(wrap_pyfunction!(studies_json, m)?)?;
    m.add_function(wrap_pyfunction!(made_by, m)?)?;
    m.add_function(wrap_pyfunction!(plan::merge, m)?)?;
    m.add_function(wrap_pyfunction!(record::record, m)?)?;
    m.add_function(wrap_pyfunction!(record::open, m)?)?;
    m.add_function(wrap_pyfunction!(database::records, m)?)?;
    m.add_function(wrap_pyfunction!(database::assemble, m)?)
}
