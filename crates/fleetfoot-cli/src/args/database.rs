//! Arguments of `fleetfoot database`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use fleetfoot_lab::run::Shard;
use fleetfoot_sim::error::InputError;

use super::{RulesArgs, at_least_one};

#[derive(Subcommand, Debug)]
pub(crate) enum DatabaseCommand {
    Build(BuildArgs),
    Merge(MergeArgs),
    /// Show the contents of a database, or the progress of a build or a shard
    Info {
        /// A database, a shard, or the `.part` file of a build that was interrupted
        file: PathBuf,
    },
}

/// Make a database for a map
///
/// Finished records are kept in OUTPUT.part: the same command continues an interrupted build. The bytes of the
/// database depend on the map, the kind and its options, not on threads, interruptions or shards.
#[derive(Args, Debug)]
#[command(after_help = BUILD_EXAMPLES)]
pub(crate) struct BuildArgs {
    /// A map file or builtin:NAME
    pub(crate) map: PathBuf,

    #[command(flatten)]
    pub(crate) what: WhatArgs,

    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<u64>,

    /// Make part I of N, for `fleetfoot database merge`
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "cover")]
    pub(crate) shard: Option<(u32, u32)>,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// The kind of database.
#[derive(Args, Debug)]
pub(crate) struct WhatArgs {
    /// The planner that it is for
    #[arg(long, value_enum, default_value_t = KindArg::Knn)]
    pub(crate) kind: KindArg,

    /// knn: number of records [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) records: Option<u32>,

    /// knn: seed of the problems [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,

    /// knn: put subgoals as far apart as climbing allows, trying state by state; much slower, slightly smaller
    #[arg(long)]
    pub(crate) exact: bool,

    /// knn: keep only records of problems that earlier records do not cover. Far fewer suffice, but the build cannot
    /// be sharded; it ends early if no such problem is found
    #[arg(long)]
    pub(crate) cover: bool,

    /// d-lrta: the level of the abstraction whose nodes are the regions; the next level has a quarter of the regions
    /// [default: 3]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(3..=8))]
    pub(crate) level: Option<u32>,

    /// d-lrta: maximum depth of a look-ahead [default: 16]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub(crate) depth: Option<u32>,

    /// d-lrta: the paper's intermediate goals, which may lead in circles, instead of those that never lead back
    #[arg(long)]
    pub(crate) published: bool,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

impl WhatArgs {
    /// Refuses options that the kind does not use.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let of_knn = [
            (self.records.is_some(), "--records"),
            (self.seed.is_some(), "--seed"),
            (self.exact, "--exact"),
            (self.cover, "--cover"),
        ];
        let of_d_lrta = [
            (self.level.is_some(), "--level"),
            (self.depth.is_some(), "--depth"),
            (self.published, "--published"),
        ];
        let (others, kind) = match self.kind {
            KindArg::Knn => (&of_d_lrta[..], "d-lrta"),
            KindArg::DLrta => (&of_knn[..], "knn"),
        };
        match others.iter().find(|(given, _)| *given) {
            Some((_, option)) => {
                let what = format!("{option} is for --kind {kind}");
                Err(InputError::new(what, format!("leave it out, or add --kind {kind}")))
            }
            None => Ok(()),
        }
    }
}

/// Merge shards
///
/// The result equals, byte for byte, that of a build without --shard.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The map that the shards were made for
    pub(crate) map: PathBuf,

    /// All shards, in any order
    #[arg(required = true, value_name = "SHARD")]
    pub(crate) shards: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KindArg {
    /// Solved problems, for knn-lrta
    Knn,
    /// Depths and intermediate goals for pairs of regions, for d-lrta
    DLrta,
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    match text.parse::<Shard>()?.numbers() {
        (part, of @ ..=10_000) => Ok((part as u32, of as u32)),
        _ => Err("a build has 10000 parts at most".into()),
    }
}

const BUILD_EXAMPLES: &str = "\
Examples:
  fleetfoot database build maps/AR0011SR.map --records 20000 -o AR0011SR.knn
  fleetfoot run maps/AR0011SR.map -p 'knn-lrta(database=AR0011SR.knn)' -p tba --budget 1
  Records only where they are needed:
    fleetfoot database build builtin:cave512 --records 5000 --cover -o cave512.knn
  For D LRTA*:
    fleetfoot database build builtin:rooms100 --kind d-lrta -o rooms100.dlrta
  On two machines:
    fleetfoot database build big.map --records 80000 --shard 1/2 -o big.1
    fleetfoot database build big.map --records 80000 --shard 2/2 -o big.2
    fleetfoot database merge big.map big.1 big.2 -o big.knn";
