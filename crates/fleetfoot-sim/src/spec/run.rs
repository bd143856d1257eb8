//! A run as text, part by part.

use std::fmt;

use super::Movement;
use crate::budget::PriceList;

/// A run: planners with budgets on the problems of a map. Parts that files and other crates give a meaning to are text, as
/// the program's options and experiments have them.
///
/// Experiments expand it; the playground prints it as a command; the Python package passes it as JSON (feature `serde`).
///
/// ```
/// use fleetfoot_sim::spec::RunSpec;
/// let run = RunSpec { planners: vec!["tba".into()], ..RunSpec::new("builtin:cave256") };
/// assert_eq!(run.to_string(), "fleetfoot run builtin:cave256 \\\n    -p 'tba' \\\n    -b 100");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, rename_all = "kebab-case"))]
pub struct RunSpec {
    /// A file, `builtin:NAME` or a generator.
    pub map: String,
    /// The rules of movement, and the weights of the map's letters.
    #[cfg_attr(feature = "serde", serde(default, with = "text"))]
    pub rules: Movement,
    /// What the agent knows, and what changes.
    #[cfg_attr(feature = "serde", serde(default = "known"))]
    pub world: String,
    /// The planners.
    pub planners: Vec<String>,
    /// Budgets of a tick: expansions, `inf`, or times.
    #[cfg_attr(feature = "serde", serde(default = "hundred"))]
    pub budgets: Vec<String>,
    /// What is charged to a budget.
    #[cfg_attr(feature = "serde", serde(default, with = "text"))]
    pub prices: PriceList,
    /// Starts and goals.
    #[cfg_attr(feature = "serde", serde(default))]
    pub problems: ProblemSpec,
    /// Seed of random problems. It also replaces `{seed}` in map, world and planners.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
    /// The number of ticks after which agents give up.
    #[cfg_attr(feature = "serde", serde(default))]
    pub max_steps: Option<u64>,
    /// Maximum number of trials per problem.
    #[cfg_attr(feature = "serde", serde(default))]
    pub trials: Option<u64>,
    /// Allows planners in worlds for which they guarantee nothing.
    #[cfg_attr(feature = "serde", serde(default))]
    pub force: bool,
}

/// The problems of a run: random ones, those of a scenario, or pairs. By default those beside the map, or its own, or
/// [`RANDOM`](super::problems::RANDOM) random ones.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct ProblemSpec {
    /// Number of random problems.
    pub random: Option<u64>,
    /// File of a scenario, or `beside` for the one beside the map.
    pub scen: Option<String>,
    /// Start column, start row, goal column, goal row.
    pub pairs: Option<Vec<[u32; 4]>>,
    /// Window of optimal lengths, such as `230..320`.
    pub optimal: Option<String>,
    /// Number of problems of the scenario, evenly spread.
    pub take: Option<u64>,
}

impl RunSpec {
    /// Creates a run without planners on a map: known, with default rules, a budget of 100 and all work charged.
    pub fn new(map: impl Into<String>) -> Self {
        Self {
            map: map.into(),
            rules: Movement::default(),
            world: known(),
            planners: Vec::new(),
            budgets: hundred(),
            prices: PriceList::default(),
            problems: ProblemSpec::default(),
            seed: 0,
            max_steps: None,
            trials: None,
            force: false,
        }
    }
}

fn known() -> String {
    "known".to_owned()
}

fn hundred() -> Vec<String> {
    vec!["100".to_owned()]
}

/// Formats the command of the program. A line per planner; the last line has no end, so that options can follow.
impl fmt::Display for RunSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fleetfoot run {}", self.map)?;
        let ProblemSpec { random, scen, pairs, optimal, take } = &self.problems;
        if let Some(&[[sx, sy, gx, gy]]) = pairs.as_deref() {
            write!(f, " --from {sx},{sy} --to {gx},{gy}")?;
        }
        if let Some(random) = random {
            write!(f, " --random {random} --seed {}", self.seed)?;
        }
        if let Some(scen) = scen.as_deref().filter(|scen| *scen != "beside") {
            write!(f, " --scen '{scen}'")?;
        }
        if let Some(optimal) = optimal {
            write!(f, " --optimal {optimal}")?;
        }
        if let Some(take) = take {
            write!(f, " --take {take}")?;
        }
        for planner in &self.planners {
            write!(f, " \\\n    -p '{planner}'")?;
        }
        write!(f, " \\\n    -b {}", self.budgets.join(","))?;
        if self.prices != PriceList::default() {
            write!(f, " --prices {}", self.prices)?;
        }
        f.write_str(&self.rules.options())?;
        if self.world != "known" {
            write!(f, " --world '{}'", self.world)?;
        }
        if self.force {
            f.write_str(" --force")?;
        }
        if let Some(trials) = self.trials {
            write!(f, " --trials {trials}")?;
        }
        if let Some(most) = self.max_steps {
            write!(f, " --max-ticks {most}")?;
        }
        Ok(())
    }
}

/// Values that are written as they print and parse.
#[cfg(feature = "serde")]
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(from: D) -> Result<T, D::Error>
    where
        T::Err: Display,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_only_what_differs_from_the_defaults() {
        let mut run = RunSpec::new("a.map");
        run.planners = vec!["tba".into(), "lss-lrta(lookahead=9)".into()];
        assert_eq!(
            run.to_string(),
            "fleetfoot run a.map \\\n    -p 'tba' \\\n    -p 'lss-lrta(lookahead=9)' \\\n    -b 100"
        );
        run.rules = "moves=4,cut-corners,terrain(G=2,S=4)".parse().unwrap();
        run.problems.random = Some(3);
        (run.seed, run.prices, run.max_steps) = (7, PriceList::Papers, Some(50));
        run.world = "unknown(radius=7)".into();
        let text = run.to_string();
        assert!(text.starts_with("fleetfoot run a.map --random 3 --seed 7 \\\n"), "{text}");
        let end = "-b 100 --prices papers --moves 4 --cut-corners --terrain G=2,S=4 --world 'unknown(radius=7)' --max-ticks 50";
        assert!(text.ends_with(end), "{text}");
    }
}
