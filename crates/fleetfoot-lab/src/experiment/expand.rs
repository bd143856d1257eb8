//! From the file to all runs.

use std::path::Path;
use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::database::read_database;
use fleetfoot_sim::world::World;
use toml::Spanned;

use super::file::{File, line_of};
use super::lists::Entrant;
use crate::places::{Files, Place, Unsuited, unpromising, unsuited};
use crate::run::{About, Job, Plan, Problem};

/// No experiment needs more, and a slip of the pen should not fill the memory.
const MOST_RUNS: usize = 20_000_000;

/// A file, about to become runs.
pub(super) struct Expansion<'a> {
    pub(super) text: &'a str,
    pub(super) base: &'a Path,
    pub(super) file: &'a File,
    /// Databases and scripts.
    pub(super) files: Files,
}

impl Expansion<'_> {
    pub(super) fn plan(&self, name: &str) -> Result<Plan, InputError> {
        let file = self.file;
        self.not_empty("maps", file.maps.is_empty())?;
        self.not_empty("planners", file.planners.is_empty())?;
        let (rules, terrain) = (self.rules()?, self.terrain()?);
        let (mut jobs, mut chosen) = (Vec::new(), Vec::new());
        let seeds = self.seeds()?;
        for &seed in &seeds {
            let (maps, scenes) = (self.maps(seed)?, self.scenes(seed)?);
            let entrants = self.entrants(seed)?;
            for (map, line) in &maps {
                let made = map.load().map_err(|error| at(*line, &error))?;
                let (problems, how) = self.problems(map, &made, *line, rules, seed)?;
                chosen.push((map.to_string(), how));
                for (world, scene) in &scenes {
                    let scene = scene.clone();
                    let place = Arc::new(Place { map: map.clone(), rules, terrain, scene });
                    self.check(&entrants, &place, world.line)?;
                    for problem in &problems {
                        self.runs(&mut jobs, (&place, &world.text), *problem, &entrants, seed)?;
                    }
                }
            }
        }
        let about = About {
            title: file.title.clone().unwrap_or_else(|| name.to_owned()),
            notes: self.notes()?,
            problems: told(chosen),
            ..About::default()
        };
        Plan::new(about, jobs)
    }

    fn runs(
        &self,
        jobs: &mut Vec<Job>,
        (place, world): (&Arc<Place>, &str),
        problem: Problem,
        entrants: &[Entrant],
        seed: u64,
    ) -> Result<(), InputError> {
        let max_steps = self.file.max_steps.as_ref().map(|most| *most.get_ref());
        let prices = self.prices()?;
        for entrant in entrants {
            let bounded = entrant.spec.facts().bounded;
            let budgets = if bounded { self.budgets()? } else { vec![Budget::Unlimited] };
            for &budget in &budgets {
                for &list in &prices {
                    let mut parts = vec![format!("{} at {budget}", entrant.name)];
                    parts.extend((prices.len() > 1).then(|| format!("{} prices", list.name())));
                    parts.extend((self.worlds().len() > 1).then(|| world.to_owned()));
                    let label = parts.join(", ");
                    let job = Job::new(place, problem, entrant.spec.clone(), budget).labelled(label);
                    let database = entrant.database.clone();
                    jobs.push(Job { prices: list, database, max_steps, seed, timed: self.file.timed, ..job });
                }
            }
        }
        if jobs.len() > MOST_RUNS {
            let what = format!("the experiment has more than {MOST_RUNS} runs");
            return Err(InputError::new(what, "make several of it"));
        }
        Ok(())
    }

    pub(super) fn line<T>(&self, value: &Spanned<T>) -> usize {
        line_of(self.text, value.span().start)
    }

    fn not_empty(&self, key: &str, is_empty: bool) -> Result<(), InputError> {
        if !is_empty {
            return Ok(());
        }
        let line = self.text.lines().position(|line| line.trim_start().starts_with(key)).map_or(1, |k| k + 1);
        let remedy = if key == "maps" { "such as \"builtin:cave256\"" } else { "such as \"tba\"" };
        Err(InputError::at(line, format!("{key} is empty"), format!("name at least one, {remedy}")))
    }

    /// Refuses planners that do not suit a world.
    fn check(&self, entrants: &[Entrant], place: &Place, line: usize) -> Result<(), InputError> {
        let (is_unknown, is_dynamic) = (place.scene.is_unknown(), place.scene.is_dynamic());
        // Only where something can be wrong with it that would else be found in the middle of the runs.
        let needed = is_dynamic || entrants.iter().any(|entrant| entrant.database.is_some());
        let world = needed.then(|| place.world()).transpose().map_err(|error| at(line, &error))?;
        let trend = world.as_ref().filter(|_| is_dynamic && !self.file.force).map(World::trend);
        let unlimited = self.budgets()?.iter().any(|budget| matches!(budget, Budget::Unlimited));
        for Entrant { spec, line, database, .. } in entrants {
            if let Some(Unsuited { what, able }) = unsuited(spec, is_unknown, is_dynamic) {
                let what = format!("{what}, and there is the world {}", place.scene);
                return Err(InputError::at(*line, what, format!("use one of {able}")));
            }
            if let Some(Unsuited { what, able }) =
                trend.and_then(|trend| unpromising(spec, is_unknown, trend))
            {
                let remedy = format!("use one of {able}, or force = true to run it all the same");
                return Err(InputError::at(*line, what, remedy));
            }
            if let (Some(file), Some(world)) = (database, &world) {
                read_database(file.path(), world.graph()).map_err(|error| at(*line, &error))?;
            }
            if unlimited && !spec.facts().scales {
                let what = format!("planner {spec} may take for ever over a step without a budget");
                return Err(InputError::at(*line, what, "give it one, such as budgets = [1000]"));
            }
        }
        Ok(())
    }

    fn notes(&self) -> Result<Vec<String>, InputError> {
        let mut notes = Vec::new();
        let times = self.budgets()?.into_iter().filter(|budget| matches!(budget, Budget::Interval { .. }));
        let times: Vec<String> = times.map(|budget| budget.to_string()).collect();
        if !times.is_empty() {
            notes.push(format!(
                "budgets in time ({}): such runs are made one at a time, and depend on the machine and on what else it does: \
                 their rows are not reproducible",
                times.join(", ")
            ));
        }
        Ok(notes)
    }
}

/// How problems were chosen: once, where it was the same on all maps.
fn told(chosen: Vec<(String, String)>) -> Vec<String> {
    match chosen.first() {
        Some((_, first)) if chosen.len() > 1 && chosen.iter().all(|(_, how)| how == first) => {
            vec![format!("on each map {first}")]
        }
        _ => chosen.into_iter().map(|(map, how)| format!("{map}: {how}")).collect(),
    }
}

/// An error in a line of the experiment; one that lies in another file says so.
pub(super) fn at(line: usize, error: &InputError) -> InputError {
    let place = match (error.file(), error.line()) {
        (Some(file), Some(line)) => format!("{}:{line}: ", file.display()),
        (Some(file), None) => format!("{}: ", file.display()),
        _ => String::new(),
    };
    InputError::at(line, format!("{place}{}", error.what()), error.remedy())
}
