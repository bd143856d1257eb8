//! Chooses problems: lines of a scenario, one given problem, or random ones.

use std::path::{Path, PathBuf};

use fleetfoot_lab::problems::{RANDOM, ScenarioSelection, numbered, scenario_beside};
use fleetfoot_lab::run::Problem;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::{Pair, random_problems};
use fleetfoot_sim::world::WorldSpec;

use crate::args::ProblemArgs;
use crate::output::columns::plural;
use crate::source::Source;

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedProblem {
    pub(crate) problem: Problem,
    /// Line and optimal length, if it comes from a scenario.
    pub(crate) stated: Option<(usize, f64)>,
    /// Its goal is known to be unreachable.
    pub(crate) is_hopeless: bool,
}

/// The problems of a run.
pub(crate) struct ProblemSet {
    pub(crate) list: Vec<StatedProblem>,
    /// Their description.
    pub(crate) about: String,
    /// The scenario, if they come from one.
    pub(crate) file: Option<PathBuf>,
}

impl ProblemSet {
    /// Returns the requested problems.
    pub(crate) fn choose(args: &ProblemArgs, source: &Source, world: &WorldSpec) -> Result<Self, InputError> {
        if let Some(pair) = args.from.zip(args.to) {
            return Ok(Self::pairs([pair], "1 problem".into()));
        }
        if let Some(count) = args.random {
            return Self::random(source, count, args.seed);
        }
        if let Some(file) = &args.scen {
            return Self::scenario(args, source, file, world);
        }
        match (source.file(), source.pair()) {
            (Some(map), _) => Self::scenario(args, source, &beside(map)?, world),
            (None, _) if args.optimal.is_some() || args.take.is_some() => Err(InputError::new(
                format!("--optimal and --take choose lines of a scenario, and {} has none", source.name),
                "use --random N, or give a scenario with --scen FILE",
            )),
            (None, Some(pair)) => Ok(Self::pairs([pair], "the map's own problem".into())),
            (None, None) => Self::random(source, RANDOM, args.seed),
        }
    }

    pub(crate) fn pairs(pairs: impl IntoIterator<Item = Pair>, about: String) -> Self {
        let list = numbered(pairs).into_iter().map(|problem| StatedProblem {
            problem,
            stated: None,
            is_hopeless: false,
        });
        Self { list: list.collect(), about, file: None }
    }

    fn random(source: &Source, count: u64, seed: u64) -> Result<Self, InputError> {
        let pairs =
            random_problems(source.map(), count as usize, seed).map_err(|e| e.with_file(&source.name))?;
        Ok(Self::pairs(pairs, format!("{} (seed {seed})", plural(count, "random problem"))))
    }

    fn scenario(
        args: &ProblemArgs,
        source: &Source,
        file: &Path,
        world: &WorldSpec,
    ) -> Result<Self, InputError> {
        let map = (source.map(), source.file_name());
        let ScenarioSelection { lines, of } =
            ScenarioSelection::read(file, (map.0, &map.1), world.is_dynamic(), args.optimal, args.take)?;
        let about = match lines.len() {
            n if n == of => plural(n as u64, "problem"),
            n => format!("{n} of {}", plural(of as u64, "problem")),
        };
        let task = |(index, line): (usize, fleetfoot_sim::formats::scen::Problem)| StatedProblem {
            problem: Problem { index: index as u64, start: line.start, goal: line.goal },
            stated: line.line.map(|number| (number, line.optimal)),
            is_hopeless: false,
        };
        Ok(Self { list: lines.into_iter().map(task).collect(), about, file: Some(file.to_owned()) })
    }
}

/// Returns the scenario of a map: `x.map.scen`, or `x.scen`.
pub(crate) fn beside(map: &Path) -> Result<PathBuf, InputError> {
    scenario_beside(map).ok_or_else(|| {
        let remedy = "give problems with --scen FILE, --from X,Y --to X,Y or --random N";
        InputError::new("there is no scenario next to the map", remedy).with_file(map)
    })
}
