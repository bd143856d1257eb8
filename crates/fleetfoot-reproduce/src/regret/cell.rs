//! A cell of the study: the runs of all planners on the same terms, and the regret of `auto` among them.

use std::collections::BTreeMap;

use fleetfoot::registry::{ALGORITHMS, Spec};

use super::super::Evidence;
use super::{AUTO, Terms};
use fleetfoot_lab::run::Row;
use fleetfoot_lab::stats::{Interval, bootstrap_parts, mean};

/// The runs of a planner, by map. Runs of two planners on the same problem have the same index.
#[derive(Debug)]
pub(super) struct Sample<'a> {
    pub(super) planner: String,
    rows: Vec<Vec<&'a Row>>,
    /// Ticks until arrival. A run that does not arrive is charged the limit.
    ticks: Vec<Vec<f64>>,
    /// Number of runs that do not arrive.
    pub(super) never: usize,
}

/// The name of a map among all sets.
type Map<'a> = (&'a str, &'a str);

/// All runs on the same terms.
#[derive(Debug)]
pub(super) struct Cell<'a> {
    pub(super) terms: Terms,
    /// The sets of the maps, and their names, in the order of the samples' parts.
    pub(super) maps: Vec<Map<'a>>,
    /// Absent if `auto` has no runs.
    pub(super) auto: Option<Sample<'a>>,
    /// The other planners that ran on all problems of `auto`, in the order of the registry.
    pub(super) rivals: Vec<Sample<'a>>,
    /// The planners that ran on other problems, and are ignored.
    pub(super) incomplete: Vec<String>,
    /// Absent if `auto` has no runs, if no other planner has, or for the maps of one set alone.
    pub(super) regret: Option<Regret>,
}

/// How `auto` compares with the best other planner.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Regret {
    pub(super) auto: f64,
    /// The planner with the fewest ticks, apart from `auto`.
    pub(super) best: String,
    pub(super) best_mean: f64,
    /// `auto` divided by `best_mean`. Below 1 if `auto` is better than all others.
    pub(super) ratio: f64,
    /// In every resample the best planner is chosen again.
    pub(super) interval: Interval,
    /// The same ratio, with the best planner chosen by one half of the problems and compared on the other half. This
    /// removes the selection bias of the best among many planners.
    pub(super) fair: f64,
}

impl<'a> Cell<'a> {
    pub(super) fn of(evidence: &Evidence<'a>, terms: Terms) -> Self {
        let start = terms.start();
        let mut found: BTreeMap<&str, BTreeMap<Map<'a>, Vec<&'a Row>>> = BTreeMap::new();
        for label in evidence.labels(&start) {
            let Some((set, planner)) = label[start.len()..].split_once('/') else { continue };
            let maps = found.entry(planner).or_default();
            for row in evidence.rows(label) {
                maps.entry((set, &row.map)).or_default().push(row);
            }
        }
        let auto = found.remove(AUTO);
        let maps: Vec<Map<'a>> = auto.iter().flat_map(BTreeMap::keys).copied().collect();
        let mut cell =
            Self { terms, maps, auto: None, rivals: Vec::new(), incomplete: Vec::new(), regret: None };
        let Some(auto) = auto else { return cell };
        let mut planners: Vec<&str> = found.keys().copied().collect();
        planners.sort_by_key(|planner| place(planner));
        for planner in planners {
            if problems(&found[planner]) == problems(&auto) {
                let rows = found[planner].values().cloned().collect();
                cell.rivals.push(Sample::new(planner, rows, terms));
            } else {
                cell.incomplete.push(planner.to_owned());
            }
        }
        cell.auto = Some(Sample::new(AUTO, auto.into_values().collect(), terms));
        cell.regret = cell.compared();
        cell
    }

    /// Returns the cell restricted to the maps of one set.
    pub(super) fn only(&self, set: &str) -> Self {
        let places: Vec<usize> = (0..self.maps.len()).filter(|k| self.maps[*k].0 == set).collect();
        let part = |sample: &Sample<'a>| {
            let rows = places.iter().map(|k| sample.rows[*k].clone()).collect();
            Sample::new(&sample.planner, rows, self.terms)
        };
        Self {
            terms: self.terms,
            maps: places.iter().map(|k| self.maps[*k]).collect(),
            auto: self.auto.as_ref().filter(|_| !places.is_empty()).map(part),
            rivals: self.rivals.iter().map(part).collect(),
            incomplete: self.incomplete.clone(),
            regret: None,
        }
    }

    /// Returns the sets of the maps without duplicates.
    pub(super) fn sets(&self) -> Vec<&'a str> {
        let mut sets: Vec<&str> = self.maps.iter().map(|(set, _)| *set).collect();
        sets.dedup();
        sets
    }

    /// Returns all planners, `auto` first.
    pub(super) fn samples(&self) -> impl Iterator<Item = &Sample<'a>> {
        self.auto.iter().chain(&self.rivals)
    }

    /// Returns the number of problems.
    pub(super) fn problems(&self) -> usize {
        self.auto.as_ref().map_or(0, Sample::len)
    }

    /// Compares `auto` with the best other planner.
    fn compared(&self) -> Option<Regret> {
        let auto = self.auto.as_ref()?;
        let sizes: Vec<usize> = auto.ticks.iter().map(Vec::len).collect();
        let all: Vec<Vec<usize>> = sizes.iter().map(|size| (0..*size).collect()).collect();
        let best = self.best(&all)?;
        let ratio = |places: &[Vec<usize>]| {
            let best = self.rivals.iter().map(|rival| rival.level(places)).fold(f64::INFINITY, f64::min);
            auto.level(places) / best
        };
        let [interval] = bootstrap_parts(&sizes, |places| [ratio(places)]);
        Some(Regret {
            auto: auto.level(&all),
            best: best.planner.clone(),
            best_mean: best.level(&all),
            ratio: ratio(&all),
            interval,
            fair: self.fair(auto, &sizes),
        })
    }

    /// Returns the planner with the fewest ticks on these problems, apart from `auto`. Ties are broken by the order
    /// of the registry.
    fn best(&self, places: &[Vec<usize>]) -> Option<&Sample<'a>> {
        let least = self.rivals.iter().map(|rival| rival.level(places)).min_by(f64::total_cmp)?;
        self.rivals.iter().find(|rival| rival.level(places) <= least)
    }

    /// Returns the regret with the best planner chosen by the other half of the problems: the geometric mean over
    /// both halves.
    fn fair(&self, auto: &Sample<'a>, sizes: &[usize]) -> f64 {
        let half = |odd: usize| -> Vec<Vec<usize>> {
            sizes.iter().map(|size| (0..*size).filter(|k| k % 2 == odd).collect()).collect()
        };
        let halves = [half(0), half(1)];
        if halves.iter().any(|half| half.iter().all(Vec::is_empty)) {
            return f64::NAN;
        }
        let one = |by: usize| {
            let best = self.best(&halves[by])?.level(&halves[1 - by]);
            Some(auto.level(&halves[1 - by]) / best)
        };
        match (one(0), one(1)) {
            (Some(a), Some(b)) => (a * b).sqrt(),
            _ => f64::NAN,
        }
    }

    /// Returns the planners whose runs `auto` repeats step by step, with their numbers of problems. If several do,
    /// the first in the registry is named. Problems on which `auto` switches its planner are not counted.
    pub(super) fn chosen(&self) -> Vec<(&str, usize)> {
        let Some(auto) = &self.auto else { return Vec::new() };
        let own: Vec<&Row> = auto.rows.concat();
        let same = |a: &Row, b: &Row| {
            (&a.walk, a.steps, a.expansions, &a.outcome) == (&b.walk, b.steps, b.expansions, &b.outcome)
        };
        let repeated = |rival: &Sample<'a>| -> Vec<bool> {
            rival.rows.iter().flatten().zip(&own).map(|(row, own)| same(row, own)).collect()
        };
        let repeated: Vec<Vec<bool>> = self.rivals.iter().map(repeated).collect();
        let (mut left, mut chosen) = (vec![true; own.len()], Vec::new());
        loop {
            let count = |repeated: &Vec<bool>| left.iter().zip(repeated).filter(|(a, b)| **a && **b).count();
            let counted: Vec<usize> = repeated.iter().map(count).collect();
            let most = counted.iter().copied().max().unwrap_or(0);
            let Some(k) = counted.iter().position(|n| *n == most).filter(|_| most > 0) else { return chosen };
            left.iter_mut().zip(&repeated[k]).for_each(|(left, repeated)| *left &= !repeated);
            chosen.push((self.rivals[k].planner.as_str(), most));
        }
    }
}

impl<'a> Sample<'a> {
    fn new(planner: &str, rows: Vec<Vec<&'a Row>>, terms: Terms) -> Self {
        let never = rows.iter().flatten().filter(|row| !row.arrived()).count();
        let ticks = rows.iter().map(|part| part.iter().map(|row| charged(row, terms)).collect()).collect();
        Self { planner: planner.to_owned(), rows, ticks, never }
    }

    /// Returns the number of runs.
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Returns mean ticks over all problems.
    pub(super) fn mean(&self) -> f64 {
        level(self.ticks.iter().map(|part| mean(part)))
    }

    /// Returns mean ticks over these problems of each map.
    fn level(&self, places: &[Vec<usize>]) -> f64 {
        let parts = self.ticks.iter().zip(places).filter(|(_, places)| !places.is_empty());
        level(parts.map(|(part, places)| places.iter().map(|k| part[*k]).sum::<f64>() / places.len() as f64))
    }
}

/// Returns the mean of the maps' means.
fn level(means: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for mean in means {
        sum += mean;
        count += 1.0;
    }
    sum / count
}

/// Returns the ticks that a run is charged.
fn charged(row: &Row, terms: Terms) -> f64 {
    if row.arrived() {
        return row.steps as f64;
    }
    let limit = row.optimal.map_or(0, |optimal| terms.world.most_ticks(terms.budget, optimal));
    row.steps.max(limit) as f64
}

/// Returns the problems of a planner, by map.
fn problems<'a>(maps: &BTreeMap<Map<'a>, Vec<&Row>>) -> Vec<(Map<'a>, Vec<u64>)> {
    maps.iter().map(|(map, rows)| (*map, rows.iter().map(|row| row.problem).collect())).collect()
}

/// Returns the position of a planner in the registry. Specs with parameters come after the plain one.
fn place(planner: &str) -> (usize, usize, &str) {
    let key = planner.parse::<Spec>().map(|spec| spec.info().key).ok();
    let place = ALGORITHMS.iter().position(|info| Some(info.key) == key);
    (place.unwrap_or(usize::MAX), planner.len(), planner)
}
