//! What can be said after `fleetfoot bench`, `merge` and `reproduce`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use fleetfoot_lab::run::Shard;

use super::at_least_one;

/// Run an experiment of your own: maps, problems, planners, budgets and worlds, all with all
///
/// A TOML file describes it; the book's page on the laboratory tells what it can say. Rows are kept as they are made: an
/// experiment that was interrupted goes on where it was when the same command is given again. Ctrl-C lets the runs under way
/// end and says what was kept; pressed twice, it ends at once.
#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// The experiment
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowArgs,

    /// The folder for rows, report and plots [default: the file's name without its ending]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// How an experiment is carried out.
#[derive(Args, Debug)]
pub(crate) struct HowArgs {
    /// Runs at once [default: one per core]. Makes no difference to what comes out; timed runs are always made one
    /// at a time, after all others
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<u64>,

    /// Only this part of the problems, such as 2/8 for the second of eight parts; `fleetfoot merge` joins the folders
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub(crate) shard: Shard,

    /// Forget rows that an earlier call has made, instead of going on from there
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// Join the folders of an experiment's shards, and write its report
///
/// The result is the same, to the last byte, as if the experiment had been made in one go.
#[derive(Args, Debug)]
#[command(after_help = MERGE_EXAMPLES)]
pub(crate) struct JoinArgs {
    /// The folders that the shards were written to
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// The folder for the whole
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Make the papers' tables and figures again, and judge their claims
///
/// Each writes a folder: rows, the paper's table beside ours, plots in the paper's form, and a report that goes claim by claim:
/// what the paper says, what was measured with a 95 % interval, a verdict by a written rule (holds, holds with another number,
/// undecided, fails, not measured), and why where it differs. What was interrupted goes on where it was when the same command is given again.
#[derive(Args, Debug)]
#[command(after_help = REPRODUCE_EXAMPLES)]
pub(crate) struct ReproduceArgs {
    /// Which, as --list shows them, or `all`
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Show all tables and figures
    #[arg(long, conflicts_with_all = ["ids", "quick", "full", "maps", "out"])]
    pub(crate) list: bool,

    /// About a minute each on two cores [default]
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,

    /// With as many problems as in the papers
    #[arg(long)]
    pub(crate) full: bool,

    /// A folder of MovingAI maps, in it or in its folders, where a paper used game maps. Those that a study names (in bg512, dao,
    /// wc3maps512) are taken if they are there, else others in their place, which is told; maps whose ways are too short are
    /// blown up. Without it, maps are generated
    // An empty variable counts as none; clap's own parser of paths would refuse it.
    #[arg(long, value_name = "DIR", env = "FLEETFOOT_MAPS", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) maps: Option<PathBuf>,

    /// The folder for a folder of each
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowArgs,
}

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  fleetfoot reproduce --list
  fleetfoot reproduce rtaa-table1 --out results
  fleetfoot reproduce all --quick --maps maps
  On a cluster, and then together:
    fleetfoot reproduce rtaa-table1 --full --shard 3/16 --out part3
    fleetfoot merge part*/rtaa-table1 --out rtaa-table1";

const BENCH_EXAMPLES: &str = "\
Examples:
  fleetfoot bench book/src/experiments/caves.toml --out caves
  On two machines, and then together:
    fleetfoot bench caves.toml --shard 1/2 --out part1
    fleetfoot bench caves.toml --shard 2/2 --out part2
    fleetfoot merge part1 part2 --out caves";

const MERGE_EXAMPLES: &str = "\
Examples:
  fleetfoot merge part1 part2 part3 --out whole";
