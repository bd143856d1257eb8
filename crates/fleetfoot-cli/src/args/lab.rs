//! Arguments of `fleetfoot bench`, `merge` and `reproduce`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use fleetfoot_lab::run::Shard;

use super::at_least_one;

/// Run an experiment of your own: maps, problems, planners, budgets and worlds in all combinations
///
/// A TOML file describes it; see the book's page on the laboratory. Rows are stored as they are made: the same command
/// continues an interrupted experiment. Ctrl-C lets running episodes end and reports what is kept; pressed twice, it ends at once.
#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// The experiment
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowArgs,

    /// The folder for rows, report and plots [default: the file's name without its ending]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// How an experiment is executed.
#[derive(Args, Debug)]
pub(crate) struct HowArgs {
    /// Runs at once [default: one per core]. Results do not depend on it; timed runs are made one at a time, after all
    /// others
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<u64>,

    /// Only this part of the problems, such as 2/8 for the second of eight; `fleetfoot merge` joins the folders
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub(crate) shard: Shard,

    /// Delete the rows of earlier calls instead of continuing them
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// Join the folders of an experiment's shards, and write its report
///
/// The result equals, to the last byte, that of one uninterrupted run.
#[derive(Args, Debug)]
#[command(after_help = MERGE_EXAMPLES)]
pub(crate) struct JoinArgs {
    /// The folders that the shards were written to
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// The folder for the joined experiment
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

/// Make the papers' tables and figures again, and judge their claims
///
/// Each study writes a folder: rows, the paper's table next to ours, plots in the paper's form, and a report by claim: what the
/// paper says, what was measured with a 95 % interval, the verdict of a written rule (holds, holds with another number, undecided,
/// fails, not measured), and why it differs. The same command continues an interrupted study.
#[derive(Args, Debug)]
#[command(after_help = REPRODUCE_EXAMPLES)]
pub(crate) struct ReproduceArgs {
    /// Ids as shown by --list, or `all`
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Show all tables and figures
    #[arg(long, conflicts_with_all = ["ids", "quick", "full", "maps", "output"])]
    pub(crate) list: bool,

    /// About a minute each on two cores [default]
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,

    /// With the papers' numbers of problems
    #[arg(long)]
    pub(crate) full: bool,

    /// A folder of MovingAI maps, searched with its subfolders, for papers that used game maps. Maps that a study names (in bg512,
    /// dao, wc3maps512) are taken if they exist, otherwise others, which is reported; maps whose paths are too short are scaled
    /// up. Without it, maps are generated
    // An empty variable counts as none; clap's own parser of paths would refuse it.
    #[arg(long, value_name = "DIR", env = "FLEETFOOT_MAPS", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) maps: Option<PathBuf>,

    /// The folder for the folders of all studies
    #[arg(long, short, value_name = "DIR", default_value = "reproduced")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowArgs,
}

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  fleetfoot reproduce --list
  fleetfoot reproduce rtaa-table1 --output results
  fleetfoot reproduce all --quick --maps maps
  On a cluster, and then together:
    fleetfoot reproduce rtaa-table1 --full --shard 3/16 --output part3
    fleetfoot merge part*/rtaa-table1 --output rtaa-table1";

const BENCH_EXAMPLES: &str = "\
Examples:
  fleetfoot bench book/src/experiments/caves.toml --output caves
  On two machines, and then together:
    fleetfoot bench caves.toml --shard 1/2 --output part1
    fleetfoot bench caves.toml --shard 2/2 --output part2
    fleetfoot merge part1 part2 --output caves";

const MERGE_EXAMPLES: &str = "\
Examples:
  fleetfoot merge part1 part2 part3 --output whole";
