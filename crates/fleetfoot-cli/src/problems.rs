//! Which problems to run: lines of a scenario, one given problem, or random ones.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::scen::{Problem, read_scen};
use fleetfoot_sim::generate::problems::random_problems;
use fleetfoot_sim::world::WorldSpec;

use crate::args::ProblemArgs;
use crate::source::{Pair, Source};

/// How many random problems a built-in map gets if none are asked for.
const RANDOM: usize = 20;

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    /// Its number among the problems of its file, or of those asked for.
    pub(crate) index: usize,
    pub(crate) start: (u32, u32),
    pub(crate) goal: (u32, u32),
    /// Line and optimal length, if it comes from a scenario.
    pub(crate) stated: Option<(usize, f64)>,
}

/// The problems of a run.
pub(crate) struct Tasks {
    pub(crate) list: Vec<Task>,
    /// What they are, for people.
    pub(crate) about: String,
    /// The scenario, if they come from one.
    pub(crate) file: Option<PathBuf>,
}

impl Tasks {
    /// The problems that were asked for.
    pub(crate) fn choose(args: &ProblemArgs, source: &Source, world: &WorldSpec) -> Result<Self, InputError> {
        if let Some((from, to)) = args.from.zip(args.to) {
            return Ok(Self::pairs(&[(from, to)], "1 problem".into()));
        }
        if let Some(count) = args.random {
            return Self::random(source, count as usize, args.seed);
        }
        if let Some(file) = &args.scen {
            return Self::scenario(args, source, file, world);
        }
        match (&source.file, source.pair) {
            (Some(map), _) => Self::scenario(args, source, &beside(map)?, world),
            (None, _) if args.optimal.is_some() || args.take.is_some() => Err(InputError::new(
                format!("--optimal and --take choose lines of a scenario, and {} has none", source.name),
                "use --random N, or give a scenario with --scen FILE",
            )),
            (None, Some(pair)) => Ok(Self::pairs(&[pair], "the map's own problem".into())),
            (None, None) => Self::random(source, RANDOM, args.seed),
        }
    }

    fn pairs(pairs: &[Pair], about: String) -> Self {
        let task = |(index, &(start, goal))| Task { index, start, goal, stated: None };
        Self { list: pairs.iter().enumerate().map(task).collect(), about, file: None }
    }

    fn random(source: &Source, count: usize, seed: u64) -> Result<Self, InputError> {
        let pairs = random_problems(&source.map, count, seed).map_err(|e| e.with_file(&source.name))?;
        Ok(Self::pairs(&pairs, format!("{} (seed {seed})", plural(count, "random problem"))))
    }

    fn scenario(
        args: &ProblemArgs,
        source: &Source,
        file: &Path,
        world: &WorldSpec,
    ) -> Result<Self, InputError> {
        let all = read_scen(file)?;
        let (total, map) = (all.len(), source.file_name());
        let kept = select(&all, args.optimal, args.take).map_err(|e| e.with_file(file))?;
        let mut list = Vec::with_capacity(kept.len());
        for index in kept {
            let problem = &all[index];
            problem.check(&source.map, &map, world.is_dynamic()).map_err(|e| e.with_file(file))?;
            let stated = problem.line.map(|line| (line, problem.optimal));
            list.push(Task { index, start: problem.start, goal: problem.goal, stated });
        }
        let about = match list.len() {
            n if n == total => plural(n, "problem"),
            n => format!("{n} of {}", plural(total, "problem")),
        };
        Ok(Self { list, about, file: Some(file.to_owned()) })
    }
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// The scenario beside a map: `x.map.scen`, or `x.scen`.
pub(crate) fn beside(map: &Path) -> Result<PathBuf, InputError> {
    let mut appended = map.as_os_str().to_owned();
    appended.push(".scen");
    let candidates = [PathBuf::from(appended), map.with_extension("scen")];
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let remedy = "give problems with --scen FILE, --from X,Y --to X,Y or --random N";
        InputError::new("there is no scenario beside the map", remedy).with_file(map)
    })
}

/// The indices of the lines with such a length, and of those `take` that are spread evenly.
fn select(all: &[Problem], optimal: Option<Lengths>, take: Option<u64>) -> Result<Vec<usize>, InputError> {
    if all.is_empty() {
        return Err(InputError::new("the scenario has no problems", "add lines, or use --random N"));
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

/// A range of optimal lengths, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lengths {
    least: f64,
    most: f64,
}

impl Lengths {
    fn contains(self, length: f64) -> bool {
        (self.least..=self.most).contains(&length)
    }
}

impl FromStr for Lengths {
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

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.least)?;
        if self.most.is_finite() { write!(f, "{}", self.most) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(lengths: &[f64]) -> Vec<Problem> {
        let problem = |&optimal| Problem {
            bucket: 0,
            map: "a".into(),
            width: 1,
            height: 1,
            start: (0, 0),
            goal: (0, 0),
            optimal,
            line: None,
        };
        lengths.iter().map(problem).collect()
    }

    #[test]
    fn ranges_include_both_ends_and_may_be_open() {
        let all = problems(&[1.0, 2.0, 3.0, 4.0]);
        let kept = |text: &str| select(&all, Some(text.parse().unwrap()), None).unwrap();
        assert_eq!(kept("2..3"), [1, 2]);
        assert_eq!(kept("2..=3"), [1, 2]);
        assert_eq!(kept("..2"), [0, 1]);
        assert_eq!(kept("2.5.."), [2, 3]);
        assert_eq!(kept(".."), [0, 1, 2, 3]);
        for bad in ["", "5", "a..b", "-1..3", "nan..3"] {
            assert!(bad.parse::<Lengths>().unwrap_err().contains("LO..HI"), "{bad}");
        }
        assert!("5..3".parse::<Lengths>().unwrap_err().contains("smaller length first"));
    }

    #[test]
    fn takes_evenly_after_filtering() {
        let all = problems(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let kept = |take| select(&all, Some("3..".parse().unwrap()), Some(take)).unwrap();
        assert_eq!(kept(3), [3, 5, 7]); // 7 lines: 0, 2, 4
        assert_eq!(kept(1), [3]);
        assert_eq!(kept(7), [3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(kept(u64::MAX), kept(7));
        let error = select(&all, Some("50..60".parse().unwrap()), None).unwrap_err().to_string();
        assert_eq!(error, "no problem has an optimal length in 50..60; the file has lengths from 0 to 9");
        assert!(select(&[], None, None).unwrap_err().to_string().contains("no problems"));
    }
}
