//! The TOML file as written.

use std::fmt;

use fleetfoot::{Diagonal, Neighborhood};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::spec::RunSpec;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use toml::Spanned;

/// The file.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file on its own")]
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) title: Option<String>,
    pub(super) maps: Vec<Spanned<String>>,
    pub(super) planners: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) budgets: Vec<Spanned<Word>>,
    #[serde(default)]
    pub(super) worlds: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) prices: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) seeds: Vec<Spanned<u64>>,
    pub(super) moves: Option<Spanned<u64>>,
    pub(super) diagonal: Option<Spanned<Word>>,
    #[serde(default)]
    pub(super) cut_corners: bool,
    pub(super) terrain: Option<Spanned<String>>,
    pub(super) max_steps: Option<Spanned<u64>>,
    pub(super) trials: Option<Spanned<u64>>,
    #[serde(default)]
    pub(super) skip: bool,
    #[serde(default)]
    pub(super) timed: bool,
    #[serde(default)]
    pub(super) force: bool,
    pub(super) problems: Option<Spanned<Problems>>,
}

/// The table of problems.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Problems {
    pub(super) random: Option<Spanned<u64>>,
    pub(super) scen: Option<Spanned<String>>,
    pub(super) pairs: Option<Spanned<Vec<[u32; 4]>>>,
    pub(super) optimal: Option<Spanned<String>>,
    pub(super) take: Option<Spanned<u64>>,
}

/// A number or a text, such as a budget: `100` or `"inf"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word(pub(super) String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Word;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a text in quotes")
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Word, E> {
                Ok(Word(n.to_string()))
            }
            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Word, E> {
                Ok(Word(x.to_string()))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Word, E> {
                Ok(Word(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl From<&RunSpec> for File {
    fn from(run: &RunSpec) -> Self {
        fn new<T>(value: T) -> Spanned<T> {
            Spanned::new(0..0, value)
        }
        let RunSpec { rules, problems, .. } = run;
        let is_four = rules.rules.neighborhood == Neighborhood::Four;
        let diagonal = match rules.rules.diagonal {
            Diagonal::Sqrt2 => "sqrt2".to_owned(),
            other => other.length().to_string(),
        };
        Self {
            title: None,
            maps: vec![new(run.map.clone())],
            planners: run.planners.iter().cloned().map(new).collect(),
            budgets: run.budgets.iter().cloned().map(|budget| new(Word(budget))).collect(),
            worlds: vec![new(run.world.clone())],
            prices: vec![new(run.prices.to_string())],
            seeds: vec![new(run.seed)],
            moves: Some(new(if is_four { 4 } else { 8 })),
            diagonal: Some(new(Word(diagonal))),
            cut_corners: rules.rules.cut_corners,
            terrain: Some(new(rules.terrain.to_string())),
            max_steps: run.max_steps.map(new),
            trials: run.trials.map(new),
            skip: false,
            timed: false,
            force: run.force,
            problems: Some(new(Problems {
                random: problems.random.map(new),
                scen: problems.scen.clone().map(new),
                pairs: problems.pairs.clone().map(new),
                optimal: problems.optimal.clone().map(new),
                take: problems.take.map(new),
            })),
        }
    }
}

/// The keys of a file, for errors about unknown ones.
const KEYS: &str = "a file has maps, planners, and may have title, budgets, worlds, prices, seeds, moves, diagonal, \
    cut-corners, terrain, max-steps, trials, timed, skip, force, and [problems] with random, scen, pairs, optimal, take";

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, InputError> {
        toml::from_str(text).map_err(|error| {
            let what = error.message().trim().replace('\n', " ");
            // The choices are listed below with more detail.
            let what = match what.split_once(", expected ") {
                Some((unknown, _)) if unknown.starts_with("unknown field") => unknown.to_owned(),
                _ => what,
            };
            match error.span() {
                Some(span) => InputError::at(line_of(text, span.start), what, KEYS),
                None => InputError::new(what, KEYS),
            }
        })
    }
}

/// Returns the line, counted from 1, of a position in the text.
pub(super) fn line_of(text: &str, place: usize) -> usize {
    text.bytes().take(place).filter(|byte| *byte == b'\n').count() + 1
}
