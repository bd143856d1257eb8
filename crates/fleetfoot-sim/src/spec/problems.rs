//! Chooses problems: lines of a scenario, or random ones, with optimal lengths in a window.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::InputError;
use crate::formats::scen::{Problem as Line, read_scen};
use crate::generate::problems::{Pair, random_problems};
use crate::map::GridMap;
use crate::world::Terrain;
use fleetfoot::{Meter, Rules, Scratch, shortest_path};

/// Start and goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number among the problems of its map.
    pub index: u64,
    /// Start, as (column, row).
    pub start: (u32, u32),
    /// Goal, as (column, row).
    pub goal: (u32, u32),
}

/// A range of optimal lengths, both ends included: `230..320`, `1000..`, `..50`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRange {
    least: f64,
    most: f64,
}

impl LengthRange {
    /// Creates the range from `least` to `most`.
    pub const fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }

    /// Returns the lower end.
    pub fn least(self) -> f64 {
        self.least
    }

    /// Returns `true` if a length is in the range.
    pub fn contains(self, length: f64) -> bool {
        (self.least..=self.most).contains(&length)
    }
}

impl FromStr for LengthRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = |word: &str, open: f64| match word.trim() {
            "" => Some(open),
            word => word.parse().ok().filter(|n: &f64| *n >= 0.0),
        };
        let ends = text.split_once("..");
        let range =
            ends.and_then(|(a, b)| Some((end(a, 0.0)?, end(b.trim_start_matches('='), f64::INFINITY)?)));
        match range {
            Some((least, most)) if least <= most => Ok(Self { least, most }),
            Some((least, most)) => {
                Err(format!("{least} is more than {most}; write the smaller length first"))
            }
            None => Err("write LO..HI, LO.. or ..HI with lengths such as 100..200".into()),
        }
    }
}

impl fmt::Display for LengthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.least)?;
        if self.most.is_finite() { write!(f, "{}", self.most) } else { Ok(()) }
    }
}

/// Finds the scenario of a map, if there is one: `x.map.scen`, or `x.scen`.
pub fn scenario_beside(map: &Path) -> Option<PathBuf> {
    let mut appended = map.as_os_str().to_owned();
    appended.push(".scen");
    let candidates = [PathBuf::from(appended), map.with_extension("scen")];
    candidates.into_iter().find(|path| path.is_file())
}

/// Returns the indices of the lines of a scenario with such a length, or `take` of them, evenly spread.
///
/// # Errors
/// If the scenario is empty or has no line with such a length.
pub fn select(
    all: &[Line],
    optimal: Option<LengthRange>,
    take: Option<u64>,
) -> Result<Vec<usize>, InputError> {
    if all.is_empty() {
        return Err(InputError::new("the scenario has no problems", "add lines, or use random problems"));
    }
    let fits = |index: &usize| optimal.is_none_or(|lengths| lengths.contains(all[*index].optimal));
    let kept: Vec<usize> = (0..all.len()).filter(fits).collect();
    if kept.is_empty() {
        let lengths = all.iter().map(|problem| problem.optimal);
        let least = lengths.clone().fold(f64::INFINITY, f64::min);
        let most = lengths.fold(0.0, f64::max);
        let wanted = optimal.map(|lengths| lengths.to_string()).unwrap_or_default();
        let what = format!("no problem has an optimal length in {wanted}");
        return Err(InputError::new(what, format!("the file has lengths from {least} to {most}")));
    }
    let take = take.map_or(kept.len(), |n| usize::try_from(n).unwrap_or(usize::MAX).min(kept.len()));
    Ok((0..take).map(|j| kept[j * kept.len() / take]).collect())
}

/// Number of random problems on a map without a scenario.
pub const RANDOM: u64 = 20;

/// Problems of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioSelection {
    /// Each line with its number in the file.
    pub lines: Vec<(usize, Line)>,
    /// Number of problems in the file.
    pub of: usize,
}

impl ScenarioSelection {
    /// Reads a scenario, and selects as [`select`] does. Checks that the scenario is about `map`, which it calls
    /// `name`. In a changing world, starts and goals may be blocked at first.
    ///
    /// # Errors
    /// If the file cannot be read or used, or nothing is left.
    pub fn read(
        file: &Path,
        (map, name): (&GridMap, &str),
        is_dynamic: bool,
        optimal: Option<LengthRange>,
        take: Option<u64>,
    ) -> Result<Self, InputError> {
        let place = |error: InputError| error.with_file(file);
        let all = read_scen(file)?;
        let mut lines = Vec::new();
        for index in select(&all, optimal, take).map_err(place)? {
            all[index].check(map, name, is_dynamic).map_err(place)?;
            lines.push((index, all[index].clone()));
        }
        Ok(Self { lines, of: all.len() })
    }
}

/// Numbers problems from 0.
pub fn numbered(pairs: impl IntoIterator<Item = Pair>) -> Vec<Problem> {
    (0..).zip(pairs).map(|(index, (start, goal))| Problem { index, start, goal }).collect()
}

/// Number of draws per requested problem before the window counts as empty.
const DRAWS: usize = 500;

/// Draws `n` solvable problems with an optimal length in the window. Pairs are drawn as in [`random_problems`] and
/// rejected outside of the window, so all pairs inside are equally likely.
///
/// # Errors
/// If the map has no two connected cells, or hardly any of such a length.
pub fn random_within(
    map: &GridMap,
    rules: Rules,
    lengths: Option<LengthRange>,
    n: usize,
    seed: u64,
) -> Result<Vec<Pair>, InputError> {
    let Some(lengths) = lengths else { return random_problems(map, n, seed) };
    let grid = Terrain::default().grid(map, rules)?;
    let (mut found, mut scratch) = (Vec::new(), Scratch::new());
    for round in 0..DRAWS as u64 {
        // A different seed for each round, far from typical seeds.
        let drawn = random_problems(map, n, seed.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15)))?;
        for (start, goal) in drawn {
            if found.len() < n && fits(&grid, (start, goal), lengths, &mut scratch) {
                found.push((start, goal));
            }
        }
        if found.len() == n {
            return Ok(found);
        }
    }
    let what =
        format!("of {} random problems only {} have an optimal length in {lengths}", DRAWS * n, found.len());
    Err(InputError::new(what, "choose a wider window, fewer problems, or a larger map"))
}

/// Returns the number of random problems out of `draws` with an optimal length in the window. Returns `draws` without
/// a window, and 0 if no two cells are connected.
pub fn count_within(map: &GridMap, rules: Rules, lengths: Option<LengthRange>, draws: usize) -> usize {
    let Ok(drawn) = random_problems(map, draws, 1) else { return 0 };
    let Some(lengths) = lengths else { return draws };
    let Ok(grid) = Terrain::default().grid(map, rules) else { return 0 };
    let mut scratch = Scratch::new();
    drawn.into_iter().filter(|pair| fits(&grid, *pair, lengths, &mut scratch)).count()
}

fn fits(grid: &fleetfoot::Grid, (start, goal): Pair, lengths: LengthRange, scratch: &mut Scratch) -> bool {
    // Pairs that are too far apart even on open ground need no search.
    let apart = f64::from(start.0.abs_diff(goal.0).max(start.1.abs_diff(goal.1)));
    if apart > lengths.most {
        return false;
    }
    optimal_length(grid, (start, goal), scratch).is_some_and(|length| lengths.contains(length))
}

/// Returns the length of a shortest path, or `None` if there is no path.
pub fn optimal_length(grid: &fleetfoot::Grid, (start, goal): Pair, scratch: &mut Scratch) -> Option<f64> {
    let (from, to) = (grid.node(start.0, start.1)?, grid.node(goal.0, goal.1)?);
    let found = shortest_path(grid, from, to, &mut Meter::unlimited(), scratch);
    let (path, _) = found.path()?;
    let steps = path.windows(2).map(|step| grid.length(step[0], step[1]));
    let length = steps.fold(fleetfoot::Length::ZERO, |sum, step| sum + step);
    Some(length.value(grid.rules().diagonal))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lengths: &[f64]) -> Vec<Line> {
        let line = |&optimal| Line {
            bucket: 0,
            map: "a".into(),
            width: 1,
            height: 1,
            start: (0, 0),
            goal: (0, 0),
            optimal,
            line: None,
        };
        lengths.iter().map(line).collect()
    }

    #[test]
    fn ranges_include_both_ends_and_may_be_open() {
        let all = lines(&[1.0, 2.0, 3.0, 4.0]);
        let kept = |text: &str| select(&all, Some(text.parse().unwrap()), None).unwrap();
        assert_eq!(kept("2..3"), [1, 2]);
        assert_eq!(kept("2..=3"), [1, 2]);
        assert_eq!(kept("..2"), [0, 1]);
        assert_eq!(kept("2.5.."), [2, 3]);
        assert_eq!(kept(".."), [0, 1, 2, 3]);
        for bad in ["", "5", "a..b", "-1..3", "nan..3"] {
            assert!(bad.parse::<LengthRange>().unwrap_err().contains("LO..HI"), "{bad}");
        }
        assert!("5..3".parse::<LengthRange>().unwrap_err().contains("smaller length first"));
    }

    #[test]
    fn takes_evenly_after_filtering() {
        let all = lines(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let kept = |take| select(&all, Some("3..".parse().unwrap()), Some(take)).unwrap();
        assert_eq!(kept(3), [3, 5, 7]); // 7 lines: 0, 2, 4
        assert_eq!(kept(1), [3]);
        assert_eq!(kept(7), [3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(kept(u64::MAX), kept(7));
        let error = select(&all, Some("50..60".parse().unwrap()), None).unwrap_err().to_string();
        assert_eq!(error, "no problem has an optimal length in 50..60; the file has lengths from 0 to 9");
        assert!(select(&[], None, None).unwrap_err().to_string().contains("no problems"));
    }

    #[test]
    fn random_problems_are_in_the_window() {
        let map = crate::generate::cave::generate(96, 96, 3).unwrap().map;
        let window = LengthRange::new(20.0, 30.0);
        let rules = Rules::default();
        let found = random_within(&map, rules, Some(window), 25, 7).unwrap();
        assert_eq!(found.len(), 25);
        let grid = Terrain::default().grid(&map, rules).unwrap();
        assert!(found.iter().all(|pair| fits(&grid, *pair, window, &mut Scratch::new())));
        assert_eq!(found, random_within(&map, rules, Some(window), 25, 7).unwrap());
        assert_ne!(found, random_within(&map, rules, Some(window), 25, 8).unwrap());
        let far = random_within(&map, rules, Some(LengthRange::new(1e6, 2e6)), 2, 7).unwrap_err();
        assert!(far.to_string().contains("wider window"));
        assert_eq!(random_within(&map, rules, None, 3, 7).unwrap(), random_problems(&map, 3, 7).unwrap());
    }
}
