//! The problems of each map.

use std::path::PathBuf;

use fleetfoot::Rules;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::scen::Problem as Line;
use fleetfoot_sim::generate::Generated;
use toml::Spanned;

use super::expand::{Expansion, at};
use super::file::Problems;
use crate::places::{MapSource, checksum};
use crate::problems::{LengthRange, RANDOM, ScenarioSelection, numbered, random_within, scenario_beside};
use crate::run::Problem;

/// Maximum number of problems on a map. Protects the memory from typing errors.
const MOST: u64 = 1_000_000;

impl Expansion<'_> {
    pub(super) fn problems(
        &self,
        map: &MapSource,
        made: &Generated,
        line: usize,
        rules: Rules,
        seed: u64,
    ) -> Result<(Vec<Problem>, String), InputError> {
        let (nothing, problems_line) =
            (Problems::default(), self.file.problems.as_ref().map(|p| self.line(p)));
        let asked = self.file.problems.as_ref().map_or(&nothing, Spanned::get_ref);
        let line = problems_line.unwrap_or(line);
        let given = [asked.random.is_some(), asked.scen.is_some(), asked.pairs.is_some()];
        if given.iter().filter(|is_given| **is_given).count() > 1 {
            let what = "problems are given in several ways";
            return Err(InputError::at(line, what, "give random, scen or pairs, and only one of them"));
        }
        self.obeyable(asked)?;
        if let Some(pairs) = &asked.pairs {
            let line = self.line(pairs);
            let pairs = pairs.get_ref().iter().map(|&[a, b, c, d]| ((a, b), (c, d)));
            let list = on_the_map(made, numbered(pairs), line)?;
            let how = format!("{} given", list.len());
            return Ok((list, how));
        }
        let optimal = self.optimal(asked)?;
        if let (None, Some(scenario)) = (&asked.random, self.scenario(asked, map)) {
            let take = asked.take.as_ref().map(|n| *n.get_ref());
            // Worlds are not known here: the same problems are used in all worlds of the file.
            let chosen =
                ScenarioSelection::read(&scenario, (&made.map, &map.to_string()), true, optimal, take);
            let chosen = chosen.map_err(|error| at(line, &error))?;
            let problem = |(index, line): &(usize, Line)| Problem {
                index: *index as u64,
                start: line.start,
                goal: line.goal,
            };
            let sum =
                checksum(&scenario).map_err(|cause| at(line, &InputError::io(&scenario, "read", &cause)))?;
            let file = scenario.file_name().unwrap_or_default().to_string_lossy();
            let spread = if take.is_some() { ", spread evenly (take)" } else { "" };
            let (n, of) = (chosen.lines.len(), chosen.of);
            let how = format!("{n} of the {of} of {file}{}{spread} (checksum {sum:016x})", window(optimal));
            return Ok((chosen.lines.iter().map(problem).collect(), how));
        }
        self.without_scenario(asked, map)?;
        if let (None, Some(pair)) = (&asked.random, made.start.zip(made.goal)) {
            return match &asked.optimal {
                None => Ok((numbered(vec![pair]), "the map's own".into())),
                Some(optimal) => {
                    let what = format!("optimal chooses among problems, and {map} has one of its own");
                    Err(InputError::at(self.line(optimal), what, "leave optimal out, or give random too"))
                }
            };
        }
        let n = asked.random.as_ref().map_or(RANDOM, |n| *n.get_ref()) as usize;
        let how = format!("{n} random ones{}", window(optimal));
        random_within(&made.map, rules, optimal, n, seed)
            .map(|pairs| (numbered(pairs), how))
            .map_err(|error| at(line, &error.with_file(map.to_string())))
    }

    /// Refuses settings that no map could use.
    fn obeyable(&self, asked: &Problems) -> Result<(), InputError> {
        let refuse = |line, what: String, remedy: &str| Err(InputError::at(line, what, remedy));
        if let Some(random) = &asked.random
            && !(1..=MOST).contains(random.get_ref())
        {
            let what = format!("random = {} cannot be", random.get_ref());
            return refuse(self.line(random), what, &format!("give a number from 1 to {MOST}"));
        }
        if let Some(take) = asked.take.as_ref().filter(|take| *take.get_ref() == 0) {
            return refuse(self.line(take), "take = 0 leaves no problem".into(), "give a number from 1");
        }
        let given = if asked.random.is_some() { "random" } else { "pairs" };
        if let Some(take) = asked.take.as_ref().filter(|_| asked.random.is_some() || asked.pairs.is_some()) {
            let what = format!("take is for the problems of a scenario, and here is {given}");
            return refuse(self.line(take), what, "leave one of them out");
        }
        if let (Some(pairs), Some(optimal)) = (&asked.pairs, &asked.optimal) {
            let what = format!(
                "optimal is for scenarios and random problems, and line {} has pairs",
                self.line(pairs)
            );
            return refuse(self.line(optimal), what, "leave one of them out");
        }
        match &asked.pairs {
            Some(pairs) if pairs.get_ref().is_empty() => {
                let remedy = "write pairs as [[start x, start y, goal x, goal y], …], or leave it out";
                refuse(self.line(pairs), "pairs is empty".into(), remedy)
            }
            _ => Ok(()),
        }
    }

    /// Refuses settings for scenarios on a map without a scenario.
    fn without_scenario(&self, asked: &Problems, map: &MapSource) -> Result<(), InputError> {
        if let Some(scen) = &asked.scen {
            let what = format!("there is no scenario next to {map}");
            let remedy = "put one there (x.map.scen or x.scen), name a file, or give random instead";
            return Err(InputError::at(self.line(scen), what, remedy));
        }
        match &asked.take {
            None => Ok(()),
            Some(take) => {
                let what = format!("take is for the problems of a scenario, and there is none next to {map}");
                Err(InputError::at(self.line(take), what, "give random instead, or leave the map out"))
            }
        }
    }

    fn optimal(&self, asked: &Problems) -> Result<Option<LengthRange>, InputError> {
        let parse = |text: &Spanned<String>| {
            text.get_ref().parse().map_err(|error: String| {
                InputError::at(self.line(text), format!("optimal = \"{}\" cannot be", text.get_ref()), error)
            })
        };
        asked.optimal.as_ref().map(parse).transpose()
    }

    fn scenario(&self, asked: &Problems, map: &MapSource) -> Option<PathBuf> {
        match (&asked.scen, map) {
            (Some(scen), _) if scen.get_ref() != "beside" => Some(self.base.join(scen.get_ref())),
            (_, MapSource::File { path, .. }) => scenario_beside(path),
            _ => None,
        }
    }
}

/// Formats a range of lengths for reports.
fn window(optimal: Option<LengthRange>) -> String {
    optimal.map(|lengths| format!(", optimal length {lengths}")).unwrap_or_default()
}

/// Refuses problems that begin or end on a blocked cell.
fn on_the_map(made: &Generated, list: Vec<Problem>, line: usize) -> Result<Vec<Problem>, InputError> {
    let is_free = |(x, y): (u32, u32)| made.map.passable(x, y);
    match list.iter().find(|problem| !is_free(problem.start) || !is_free(problem.goal)) {
        None => Ok(list),
        Some(Problem { start: (a, b), goal: (c, d), .. }) => {
            let what = format!("the pair [{a}, {b}, {c}, {d}] begins or ends on a cell that is not free");
            let remedy = "write pairs as [start x, start y, goal x, goal y] of free cells";
            Err(InputError::at(line, what, remedy))
        }
    }
}
