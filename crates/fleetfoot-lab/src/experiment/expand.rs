//! Expands an experiment file to all runs.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::database::read_database;
use fleetfoot_sim::world::World;
use toml::Spanned;

use super::file::{File, line_of};
use super::lists::{Entrant, WorldText};
use crate::places::{Files, Incompatible, Place, check_cost_changes, check_knowledge};
use crate::run::{About, Job, Plan, Problem};

/// Maximum number of runs. Protects the memory from typing errors.
const MOST_RUNS: usize = 20_000_000;
const MOST_TRIALS: u64 = 1_000_000;

/// A file that is being expanded.
pub(super) struct Expansion<'a> {
    pub(super) text: &'a str,
    pub(super) base: &'a Path,
    pub(super) file: &'a File,
    /// The databases and scripts that it names.
    pub(super) files: Files,
}

impl Expansion<'_> {
    pub(super) fn plan(&self, name: &str) -> Result<Plan, InputError> {
        let file = self.file;
        self.not_empty("maps", file.maps.is_empty())?;
        self.not_empty("planners", file.planners.is_empty())?;
        let (rules, terrain) = (self.rules()?, self.terrain()?);
        self.repeatable()?;
        let (mut jobs, mut chosen, mut skipped) = (Vec::new(), Vec::new(), BTreeSet::new());
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
                    let left = self.suited(&entrants, &place, world, &mut skipped)?;
                    for problem in &problems {
                        self.runs(&mut jobs, (&place, &world.text), *problem, &left, seed)?;
                    }
                }
            }
        }
        self.all_run(&jobs)?;
        let about = About {
            title: file.title.clone().unwrap_or_else(|| name.to_owned()),
            notes: self.notes()?,
            problems: told(chosen),
            skipped: skipped.into_iter().collect(),
            ..About::default()
        };
        Plan::new(about, jobs)
    }

    fn runs(
        &self,
        jobs: &mut Vec<Job>,
        (place, world): (&Arc<Place>, &str),
        problem: Problem,
        entrants: &[&Entrant],
        seed: u64,
    ) -> Result<(), InputError> {
        let trials = self.file.trials.as_ref().map(|most| *most.get_ref());
        let max_steps = self.file.max_steps.as_ref().map(|most| *most.get_ref());
        let prices = self.prices()?;
        for entrant in entrants {
            let bounded = entrant.spec.facts().bounded;
            let budgets = if bounded { self.budgets()? } else { vec![Budget::Unlimited] };
            for &budget in &budgets {
                for &list in &prices {
                    let mut parts = vec![format!("{} at {budget}", entrant.name)];
                    parts.extend((prices.len() > 1).then(|| format!("prices {list}")));
                    parts.extend((self.worlds().len() > 1).then(|| world.to_owned()));
                    let label = parts.join(", ");
                    let job = Job::new(place, problem, entrant.spec.clone(), budget).labelled(label);
                    let database = entrant.database.clone();
                    let timed = self.file.timed;
                    jobs.push(Job { prices: list, database, max_steps, trials, seed, timed, ..job });
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

    /// Refuses numbers of trials that cannot work.
    fn repeatable(&self) -> Result<(), InputError> {
        let Some(trials) = &self.file.trials else { return Ok(()) };
        let refuse = |what: String, remedy: &str| Err(InputError::at(self.line(trials), what, remedy));
        if !(1..=MOST_TRIALS).contains(trials.get_ref()) {
            let remedy = format!("give a number from 1 to {MOST_TRIALS}");
            return refuse(format!("trials = {} cannot be", trials.get_ref()), &remedy);
        }
        if self.file.timed || self.budgets()?.iter().any(|budget| matches!(budget, Budget::Interval { .. })) {
            return refuse(
                "times are not taken of trials".into(),
                "leave out trials, or timed and budgets in time",
            );
        }
        Ok(())
    }

    /// Refuses planners without any run.
    fn all_run(&self, jobs: &[Job]) -> Result<(), InputError> {
        let runs: HashSet<&str> = jobs.iter().map(|job| job.spec.info().key).collect();
        for text in &self.file.planners {
            let key = text.get_ref().split('(').next().unwrap_or_default().trim();
            if !runs.contains(key) {
                let what = format!(
                    "planner {} suits none of the worlds, so that nothing is left of it",
                    text.get_ref()
                );
                return Err(InputError::at(
                    self.line(text),
                    what,
                    "leave it out, or name a world that suits it",
                ));
            }
        }
        Ok(())
    }

    /// Returns the planners that support a world. Others are refused, or, if the file says so, skipped and noted.
    fn suited<'e>(
        &self,
        entrants: &'e [Entrant],
        place: &Place,
        world: &WorldText,
        skipped: &mut BTreeSet<String>,
    ) -> Result<Vec<&'e Entrant>, InputError> {
        let line = world.line;
        if let Some(trials) = self.file.trials.as_ref().filter(|_| place.scene.is_dynamic()) {
            let what = format!("trials need static worlds, and {} changes", place.scene);
            return Err(InputError::at(self.line(trials), what, "leave out trials, or that world"));
        }
        let mut left = Vec::new();
        let (is_unknown, is_dynamic) = (place.scene.is_unknown(), place.scene.is_dynamic());
        // Reads the map only for errors that would otherwise appear in the middle of the runs.
        let needed = is_dynamic || entrants.iter().any(|entrant| entrant.database.is_some());
        let made = needed.then(|| place.world()).transpose().map_err(|error| at(line, &error))?;
        let trend = made.as_ref().filter(|_| is_dynamic && !self.file.force).map(World::trend);
        let unlimited = self.budgets()?.iter().any(|budget| matches!(budget, Budget::Unlimited));
        for entrant in entrants {
            let Entrant { spec, line, database, .. } = entrant;
            let lacking = check_knowledge(spec, is_unknown, is_dynamic);
            let lacking = lacking.or_else(|| check_cost_changes(spec, is_unknown, trend?));
            if let Some(Incompatible { what, .. }) = lacking.filter(|_| self.file.skip) {
                skipped.insert(format!("{} in {}: {what}", entrant.name, world.text));
                continue;
            }
            if let Some(Incompatible { what, able }) = check_knowledge(spec, is_unknown, is_dynamic) {
                let what = format!("{what}, and there is the world {}", place.scene);
                let remedy = format!("use one of {able}, or skip = true to leave such pairs out");
                return Err(InputError::at(*line, what, remedy));
            }
            if let Some(Incompatible { what, able }) =
                trend.and_then(|trend| check_cost_changes(spec, is_unknown, trend))
            {
                let remedy = format!(
                    "use one of {able}, skip = true to skip such pairs, or force = true to run it anyway"
                );
                return Err(InputError::at(*line, what, remedy));
            }
            if let (Some(file), Some(world)) = (database, &made) {
                read_database(file.path(), world.graph()).map_err(|error| at(*line, &error))?;
            }
            if unlimited && !spec.facts().polynomial {
                let what = format!("planner {spec} may need unbounded time for a step without a budget");
                return Err(InputError::at(*line, what, "give it one, such as budgets = [1000]"));
            }
            left.push(entrant);
        }
        Ok(left)
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

/// Describes the choice of problems, in one line if it is the same on all maps.
fn told(chosen: Vec<(String, String)>) -> Vec<String> {
    match chosen.first() {
        Some((_, first)) if chosen.len() > 1 && chosen.iter().all(|(_, how)| how == first) => {
            vec![format!("on each map {first}")]
        }
        _ => chosen.into_iter().map(|(map, how)| format!("{map}: {how}")).collect(),
    }
}

/// Attributes an error to a line of the experiment. An error in another file keeps its position.
pub(super) fn at(line: usize, error: &InputError) -> InputError {
    let place = match (error.file(), error.line()) {
        (Some(file), Some(line)) => format!("{}:{line}: ", file.display()),
        (Some(file), None) => format!("{}: ", file.display()),
        _ => String::new(),
    };
    InputError::at(line, format!("{place}{}", error.what()), error.remedy())
}
