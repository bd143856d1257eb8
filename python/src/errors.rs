//! Errors as Python exceptions, with the program's texts. The classes are defined in `fleetfoot/_errors.py`.

use fleetfoot_lab::run::LabError;
use fleetfoot_sim::error::InputError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Creates an exception of `fleetfoot._errors` with this text.
fn raise(py: Python<'_>, cell: &PyOnceLock<Py<PyType>>, class: &str, text: String) -> PyErr {
    match cell.import(py, "fleetfoot._errors", class) {
        Ok(class) => PyErr::from_type(class.clone(), text),
        // The package is broken, which must not hide the error.
        Err(_) => PyRuntimeError::new_err(text),
    }
}

/// Creates an error about an unusable input.
pub(crate) fn input(py: Python<'_>, text: impl ToString) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(py, &CLASS, "InputError", text.to_string())
}

/// Creates an error about an argument, with a remedy.
pub(crate) fn wrong(py: Python<'_>, what: impl Into<String>, remedy: &str) -> PyErr {
    input(py, InputError::new(what, remedy))
}

/// Creates an error about a planner that broke a rule.
fn foul(py: Python<'_>, text: impl ToString) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(py, &CLASS, "RuleError", text.to_string())
}

/// Converts an error of the laboratory.
pub(crate) fn lab(py: Python<'_>, error: &LabError) -> PyErr {
    match error {
        LabError::RuleViolation(_) => foul(py, error),
        LabError::Stopped => pyo3::exceptions::PyKeyboardInterrupt::new_err(error.to_string()),
        LabError::Input(_) | LabError::Build(_) => input(py, error),
    }
}
