//! Replays: recorded runs, and the page that plays them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot_lab::places::{Files, MapSource, Place, Scene};
use fleetfoot_lab::record::record as recorded;
use fleetfoot_lab::run::{About, Ground, Job, LabError, Plan, PriceList, Problem};
use fleetfoot_sim::budget::{Budget, monotonic_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::read_file;
use fleetfoot_sim::world::Terrain;
use fleetfoot_view::{Record, RecordFilter, html};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{input, lab};
use crate::map::rules;
use crate::work::supervise;

/// A record's bytes, and the page that plays it.
type Replay<'py> = (Bound<'py, PyBytes>, String);

/// The settings of a run, from its row.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Where {
    map: String,
    file: PathBuf,
    moves: u32,
    cut_corners: bool,
    terrain: String,
    world: String,
    problem: u64,
    start: (u32, u32),
    goal: (u32, u32),
    prices: String,
    max_steps: Option<u64>,
    every: u64,
    window: (u64, u64),
}

/// Repeats runs of a problem, and records them: up to four planners with their budgets.
#[pyfunction]
pub(crate) fn record<'py>(
    py: Python<'py>,
    about: Where,
    diagonal: &Bound<'py, PyAny>,
    lives: Vec<(String, String)>,
    tell: Option<Py<PyAny>>,
) -> PyResult<Replay<'py>> {
    let rules = rules(py, about.moves, diagonal, about.cut_corners)?;
    let done = supervise(py, tell, move |_| {
        let (map, made) = match MapSource::parse(&about.map, Path::new("")) {
            Ok(map) if map.path().is_none() => {
                let made = map.load()?;
                (map, made)
            }
            _ => MapSource::read(&about.map, &about.file)?,
        };
        let terrain: Terrain = about.terrain.parse()?;
        let scene = Scene::parse(&about.world, &Files::at(Path::new("")))?;
        let place = Arc::new(Place { map, rules, terrain, scene });
        let problem = Problem { index: about.problem, start: about.start, goal: about.goal };
        let prices: PriceList = about.prices.parse()?;
        let mut jobs = Vec::new();
        for (planner, budget) in &lives {
            let spec = planner.parse().map_err(|error| LabError::Build(format!("{error}")))?;
            let job = Job::new(&place, problem, spec, parse_budget(budget)?);
            jobs.push(Job { prices, max_steps: about.max_steps, ..job });
        }
        // A plan finds the planners' databases.
        let plan = Plan::new(About::default(), jobs)?;
        let ground = Ground::new(&place, place.world_on(&made)?);
        let jobs: Vec<&Job> = plan.jobs().iter().collect();
        let record =
            recorded(&ground, &made.map, &jobs, RecordFilter { every: about.every, window: about.window })?;
        Ok((record.to_bytes(), html::page(&record)))
    })?;
    done.map(|(bytes, page)| (PyBytes::new(py, &bytes), page)).map_err(|error: LabError| lab(py, &error))
}

/// Reads a record, or a page that contains one.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Replay<'_>> {
    let read = || {
        let record = Record::from_bytes(&read_file(&path)?).map_err(|error| error.with_file(&path))?;
        Ok((record.to_bytes(), html::page(&record)))
    };
    let done = py.detach(read);
    done.map(|(bytes, page)| (PyBytes::new(py, &bytes), page)).map_err(|error: InputError| input(py, error))
}

/// Parses expansions, `inf`, or a time.
fn parse_budget(text: &str) -> Result<Budget, InputError> {
    let is_time = text.ends_with('s') && text.starts_with(|c: char| c.is_ascii_digit());
    if is_time { Budget::interval(text, monotonic_nanos) } else { text.parse() }
}
