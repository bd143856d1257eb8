//! Experiments: read, executed completely or in parts, and merged.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot_lab::report::{Report, write_jsonl};
use fleetfoot_lab::run::{
    self, Done, LabError, Live, Merged, Plan as Inner, Row, Settings, Shard, carry_out, make,
};
use fleetfoot_lab::{experiment, problems};
use fleetfoot_reproduce::{Scale, Setup, find, report};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::spec::RunSpec;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::errors::{input, lab};
use crate::work::supervise;

/// All runs of an experiment.
#[pyclass(frozen, module = "fleetfoot._native")]
pub(crate) struct Plan(Arc<Inner>);

/// The result of an experiment: rows as JSON Lines, and findings as JSON.
type Outcome<'py> = (Bound<'py, PyBytes>, String);

#[pymethods]
impl Plan {
    /// Reads an experiment's file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        planned(py, move || experiment::read(&path))
    }

    /// Expands a run given as JSON.
    #[staticmethod]
    fn of_run(py: Python<'_>, json: &str) -> PyResult<Self> {
        let run: RunSpec = serde_json::from_str(json).map_err(|error| {
            // The position in the JSON text would not help.
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            let (what, remedy) = what.split_once("; ").unwrap_or((what, "see help(fleetfoot.run)"));
            input(py, InputError::new(what, remedy))
        })?;
        planned(py, move || experiment::plan(&run, Path::new("")))
    }

    /// Returns a study of a paper, with maps from this folder.
    #[staticmethod]
    fn study(py: Python<'_>, id: &str, full: bool, maps: Option<PathBuf>) -> PyResult<Self> {
        let scale = if full { Scale::Full } else { Scale::Quick };
        let study = find(id).map_err(|error| input(py, error))?;
        planned(py, move || study.plan(&Setup { scale, maps }))
    }

    /// Returns the number of its runs.
    #[getter]
    fn runs(&self) -> usize {
        self.0.jobs().len()
    }

    /// Returns the number of its problems.
    #[getter]
    fn problems(&self) -> usize {
        self.0.problems()
    }

    /// Returns its title.
    #[getter]
    fn title(&self) -> String {
        self.0.about.title.clone()
    }

    /// Returns the files that it depends on: maps and their scenarios, scripts, databases.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = self.0.files();
        let beside: Vec<PathBuf> = files.iter().filter_map(|file| problems::scenario_beside(file)).collect();
        files.extend(beside);
        files.into_iter().collect()
    }

    /// Executes the runs that are not in a folder yet. Writes a report if the experiment is complete.
    fn carry_out<'py>(
        &self,
        py: Python<'py>,
        out: PathBuf,
        threads: Option<usize>,
        shard: &str,
        fresh: bool,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Outcome<'py>> {
        let shard: Shard = shard.parse().map_err(|error: String| input(py, error))?;
        let (plan, threads) = (Arc::clone(&self.0), self.threads(threads));
        let done = supervise(py, tell, move |watch| {
            let settings = Settings { out: &out, threads, shard, fresh, watch };
            // Held until the report is written.
            let Done { about, rows, hold: _hold, .. } = carry_out(&plan, &settings)?;
            let report = if shard.is_whole() { Some(written(&about, &rows, &out)?) } else { None };
            Ok((lines(&rows), found(report.as_ref())))
        })?;
        outcome(py, done)
    }

    /// Executes all runs; the rows stay in memory.
    fn make<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
        trials: Option<u64>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (plan, threads) = (Arc::clone(&self.0), self.threads(threads));
        let done = supervise(py, tell, move |watch| {
            make(&plan, &Live { threads, trials, until: None, ground: None, watch }).map(|rows| lines(&rows))
        })?;
        done.map(|lines| PyBytes::new(py, &lines)).map_err(|error| lab(py, &error))
    }
}

impl Plan {
    fn of(plan: Inner) -> Self {
        Self(Arc::new(plan))
    }

    /// Returns the number of threads: by default one per available core.
    fn threads(&self, asked: Option<usize>) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        asked.unwrap_or_else(cores).clamp(1, self.runs().clamp(1, 1024))
    }
}

/// Reads a plan, which may include making maps and solving problems.
fn planned(
    py: Python<'_>,
    read: impl FnOnce() -> Result<Inner, InputError> + Send + 'static,
) -> PyResult<Plan> {
    let plan = supervise(py, None, move |_| read())?;
    plan.map(Plan::of).map_err(|error| input(py, error))
}

/// Merges the parts of an experiment, and writes its report.
#[pyfunction]
pub(crate) fn merge(
    py: Python<'_>,
    parts: Vec<PathBuf>,
    out: PathBuf,
    tell: Option<Py<PyAny>>,
) -> PyResult<Outcome<'_>> {
    let done = supervise(py, tell, move |watch| {
        let Merged { about, rows, hold: _hold } = run::merge(&parts, &out, watch)?;
        let report = written(&about, &rows, &out)?;
        Ok((lines(&rows), found(Some(&report))))
    })?;
    outcome(py, done)
}

fn outcome(py: Python<'_>, done: Result<(Vec<u8>, String), LabError>) -> PyResult<Outcome<'_>> {
    done.map(|(lines, found)| (PyBytes::new(py, &lines), found)).map_err(|error| lab(py, &error))
}

/// Writes the report of a whole experiment.
fn written(about: &run::About, rows: &[Row], out: &Path) -> Result<Report, LabError> {
    let report = report(about, rows)?;
    report.write(out, rows)?;
    Ok(report)
}

/// Formats rows as JSON Lines.
fn lines(rows: &[Row]) -> Vec<u8> {
    let mut lines = Vec::new();
    write_jsonl(rows, &mut lines).expect("memory takes everything");
    lines
}

/// Returns the findings by claim as JSON.
fn found(report: Option<&Report>) -> String {
    let findings = report.map(|report| &report.findings[..]).unwrap_or_default();
    let finding = |finding: &fleetfoot_lab::report::Finding| {
        let (verdict, measured) = (finding.verdict.to_string(), finding.lines());
        json!({ "claim": finding.id, "verdict": verdict, "says": finding.says, "measured": measured, "why": finding.why })
    };
    findings.iter().map(finding).collect::<Value>().to_string()
}
