//! Which problems to run: lines of a scenario, one given problem, or random ones.

use std::path::{Path, PathBuf};

use fleetfoot_lab::problems::{scenario_beside, select};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::scen::read_scen;
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
    scenario_beside(map).ok_or_else(|| {
        let remedy = "give problems with --scen FILE, --from X,Y --to X,Y or --random N";
        InputError::new("there is no scenario beside the map", remedy).with_file(map)
    })
}
