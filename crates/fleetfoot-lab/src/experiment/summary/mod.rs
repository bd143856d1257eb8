//! The report of a user-defined experiment, from its rows, over all maps and by map.

mod pairs;
mod sample;
mod tables;
mod trials;

use std::collections::BTreeMap;

use rayon::prelude::*;

use self::sample::{Sample, means};
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Report, Section, conditions};
use crate::run::{About, Row};

/// Makes the report of an experiment.
pub fn summarise(about: &About, rows: &[Row]) -> Report {
    let maps = Maps::of(rows);
    // Only the first of several trials counts, in which agents have learned nothing.
    let first: Vec<&Row> = rows.iter().filter(|row| row.trial.is_none_or(|trial| trial == 1)).collect();
    let groups = groups(&first, &maps);
    let mut tables = tables::means(&groups).to_vec();
    if maps.names.len() == 1 {
        tables.push(tables::spread(&groups));
    }
    tables.extend(pairs::table(&groups));
    tables.push(tables::problems(&first, &maps));
    if first.iter().any(|row| row.core_share.is_some()) {
        tables.push(tables::times(&groups));
    }
    let mut figures = vec![pareto(&groups, None)];
    if let Some((figure, table)) = trials::told(rows, &maps) {
        figures.insert(0, figure);
        tables.insert(0, table);
    }
    Report {
        title: about.title.clone(),
        conditions: conditions(about, rows),
        source: about.source.clone(),
        setup: about.all_notes(),
        tables,
        figures,
        sections: if maps.names.len() > 1 { sections(&first, &maps) } else { Vec::new() },
        ..Report::default()
    }
}

/// Maximum number of maps of a study that have sections of their own. Studies with more maps have tables by map.
const MOST: usize = 12;

/// Returns a study's means by map, if it has more than one map.
pub fn by_map(rows: &[Row]) -> Vec<Section> {
    let maps = Maps::of(rows);
    if !(2..=MOST).contains(&maps.names.len()) {
        return Vec::new();
    }
    let section = |(number, name): (usize, &String)| {
        let these: Vec<&Row> = rows.iter().filter(|row| maps.number(row) == number).collect();
        let tables = tables::means(&groups(&these, &Maps::one(name))).to_vec();
        Section { title: name.clone(), tables, figures: Vec::new() }
    };
    maps.names.iter().enumerate().map(section).collect()
}

/// The maps of an experiment, in the order of its rows. Maps that differ only by the experiment's seed are one.
struct Maps {
    names: Vec<String>,
    /// By the map's name in rows and its seed.
    numbers: BTreeMap<(String, u64), usize>,
}

impl Maps {
    fn of(rows: &[Row]) -> Self {
        let mut maps = Self { names: Vec::new(), numbers: BTreeMap::new() };
        let has_seeds = rows.first().is_some_and(|first| rows.iter().any(|row| row.seed != first.seed));
        let mut last: Option<(&str, u64)> = None;
        for row in rows {
            if last.replace((&row.map, row.seed)) == Some((&row.map, row.seed)) {
                continue;
            }
            let drawn = format!("seed={}", row.seed);
            let name = if has_seeds { row.map.replace(&drawn, "seed={seed}") } else { row.map.clone() };
            let number = maps.names.iter().position(|other| *other == name).unwrap_or(maps.names.len());
            if number == maps.names.len() {
                maps.names.push(name);
            }
            maps.numbers.insert((row.map.clone(), row.seed), number);
        }
        maps
    }

    fn one(name: &str) -> Self {
        Self { names: vec![name.to_owned()], numbers: BTreeMap::new() }
    }

    fn number(&self, row: &Row) -> usize {
        self.numbers.get(&(row.map.clone(), row.seed)).copied().unwrap_or(0)
    }

    /// Groups values of rows by map.
    fn split<T>(&self, rows: &[&Row], of: impl Fn(&Row) -> Option<T>) -> Vec<Vec<T>> {
        let mut parts: Vec<Vec<T>> = self.names.iter().map(|_| Vec::new()).collect();
        for row in rows {
            if let Some(value) = of(row) {
                parts[self.number(row)].push(value);
            }
        }
        parts
    }
}

/// Returns a section for each map.
fn sections(rows: &[&Row], maps: &Maps) -> Vec<Section> {
    let section = |(number, name): (usize, &String)| {
        let these: Vec<&Row> = rows.iter().copied().filter(|row| maps.number(row) == number).collect();
        let groups = groups(&these, &Maps::one(name));
        let mut tables = tables::means(&groups).to_vec();
        tables.push(tables::spread(&groups));
        tables.extend(pairs::table(&groups));
        Section { title: name.clone(), tables, figures: vec![pareto(&groups, Some((number, name)))] }
    };
    maps.names.iter().enumerate().map(section).collect()
}

/// Rows with the same label, and statistics of them that are used more than once.
struct Group<'a> {
    label: &'a str,
    rows: Vec<&'a Row>,
    /// The map of each row.
    map: Vec<usize>,
    maps: usize,
    ratio: Sample,
    steps: Sample,
    expansions: Sample,
    work: f64,
}

impl<'a> Group<'a> {
    fn new((label, rows): (&'a str, Vec<&'a Row>), maps: &Maps) -> Self {
        let split = |of: fn(&Row) -> f64| maps.split(&rows, |row| Some(of(row)));
        let [ratio] = means([maps.split(&rows, |row| row.ratio)]);
        let [steps, expansions] = means([split(|row| row.steps as f64), split(|row| row.expansions as f64)]);
        let work = sample::level(&split(|row| row.expansions_per_move));
        let map = rows.iter().map(|row| maps.number(row)).collect();
        Self { label, map, maps: maps.names.len(), rows, ratio, steps, expansions, work }
    }

    /// Returns the rows that arrived, with their maps.
    fn arrived(&self) -> impl Iterator<Item = (usize, &'a Row)> {
        self.map.iter().copied().zip(self.rows.iter().copied()).filter(|(_, row)| row.arrived())
    }

    /// Returns the mean of the maps' means.
    fn level(&self, of: impl Fn(&Row) -> Option<f64>) -> f64 {
        let mut parts = vec![Vec::new(); self.maps];
        for (row, map) in self.rows.iter().zip(&self.map) {
            parts[*map].extend(of(row));
        }
        sample::level(&parts)
    }

    fn budget(&self) -> &'a str {
        self.rows.first().map_or("", |row| &row.budget)
    }

    /// Returns the planner: the label up to the budget. Prices and worlds follow the budget.
    fn entrant(&self) -> &'a str {
        self.label.split_once(&format!(" at {}", self.budget())).map_or(self.label, |(name, _)| name)
    }
}

/// Groups rows by label, in the order of the first occurrence.
fn groups<'a>(rows: &[&'a Row], maps: &Maps) -> Vec<Group<'a>> {
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let k = *place.entry(&row.label).or_insert_with(|| {
            groups.push((&row.label, Vec::new()));
            groups.len() - 1
        });
        groups[k].1.push(row);
    }
    // Resampling takes nearly all the time of a report.
    groups.into_par_iter().map(|group| Group::new(group, maps)).collect()
}

/// Plots work per move against the quality of the walk, for one map or for all.
fn pareto(groups: &[Group<'_>], map: Option<(usize, &String)>) -> Figure {
    let mut series: Vec<Series> = Vec::new();
    for group in groups.iter().filter(|group| !group.ratio.is_empty()) {
        let (budget, ratio) = (group.budget(), &group.ratio);
        // One line per planner, one point per budget.
        let name = group.label.replacen(&format!(" at {budget}"), "", 1);
        let bar = Some((ratio.interval.low, ratio.interval.high));
        let point = Point { x: group.work, y: ratio.mean, bar };
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => {
                series.points.push(point);
                series.labels.push(budget.to_owned());
            }
            None => series.push(Series::line(name, vec![point]).labelled(vec![budget.to_owned()])),
        }
    }
    let (name, title) = match map {
        None => ("pareto".to_owned(), "Work per move against cost".to_owned()),
        Some((number, map)) => {
            (format!("pareto-{}-{}", number + 1, word(map)), format!("{map}: work per move against cost"))
        }
    };
    let maps = groups.first().map_or(1, |group| group.maps);
    let counting = if maps > 1 { ", in which every map counts the same" } else { "" };
    Figure {
        name,
        caption: format!(
            "Means over all runs that arrived{counting}, one point per budget, labeled with it; bars: 95 % intervals. Lower left is better."
        ),
        plot: Plot { title, x: Axis::log("expansions per move"), y: Axis::log("cost / optimal"), series },
    }
}

/// Returns a map's name as a part of a file name.
fn word(map: &str) -> String {
    let name = map.rsplit('/').next().unwrap_or(map);
    let name = name.strip_suffix(".map").unwrap_or(name);
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name: String = parts.collect::<Vec<_>>().join("-").chars().take(40).collect();
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
