//! Arguments of `fleetfoot soak`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use fleetfoot_sim::budget::{Budget, monotonic_nanos};
use fleetfoot_soak::Case;

use super::at_least_one;

/// Run random worlds, judged by a referee and an oracle that share no code with the library
///
/// Agents and fleets on random maps, with edits, fog, teams, teleports, removals, speeds, orders that cannot be met, saves and all
/// planners. A case that fails is made as small as possible, and its line runs it again. Exit code 1 if a case fails.
#[derive(Args, Debug)]
#[command(hide = true, after_help = SOAK_EXAMPLES)]
#[command(group = clap::ArgGroup::new("what").args(["case", "deadline", "served", "burn"]))]
#[command(group = clap::ArgGroup::new("how-long").args(["hours", "minutes", "cases", "case"]).multiple(true))]
pub(crate) struct SoakArgs {
    /// Stop after this number of hours
    #[arg(long, value_name = "H", value_parser = positive, conflicts_with = "what")]
    pub(crate) hours: Option<f64>,

    /// Stop after this number of minutes [default: 1, without --hours and --cases]
    #[arg(long, value_name = "M", value_parser = positive, conflicts_with_all = ["what", "hours"])]
    pub(crate) minutes: Option<f64>,

    /// Stop after N cases, with those of earlier calls
    #[arg(long, value_name = "N", value_parser = at_least_one, conflicts_with = "what")]
    pub(crate) cases: Option<u64>,

    /// What the cases depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Cases at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<u64>,

    /// The journal: the same command goes on from there
    #[arg(long, short, value_name = "FILE", conflicts_with = "what")]
    pub(crate) output: Option<PathBuf>,

    /// A table for people, or JSON
    #[arg(long, value_enum, default_value_t = SoakFormat::Table)]
    pub(crate) format: SoakFormat,

    /// Run this case alone
    #[arg(long, value_name = "CASE")]
    pub(crate) case: Option<Case>,

    /// Instead: fleets with this time for each tick, such as 1ms, alone and with a process on each core that wants it too
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) deadline: Option<Duration>,

    /// Instead: how long units wait for their searches, next to the bound that a fleet promises
    #[arg(long)]
    pub(crate) served: bool,

    /// Burn a core until the input ends
    #[arg(long, hide = true)]
    pub(crate) burn: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SoakFormat {
    Table,
    Json,
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|n| (0.0..1e6).contains(n) && *n > 0.0)
        .ok_or_else(|| "write a number above 0".into())
}

fn time(text: &str) -> Result<Duration, String> {
    match Budget::interval(text, monotonic_nanos).map_err(|error| error.to_string())? {
        Budget::Interval { nanos, .. } => Ok(Duration::from_nanos(nanos)),
        _ => Err("write a time such as 1ms".into()),
    }
}

const SOAK_EXAMPLES: &str = "\
Examples:
  fleetfoot soak --minutes 10
  fleetfoot soak --hours 8 --seed 7 -o soak.json
  fleetfoot soak --case 'fleet seed=7 map=maze …'
  fleetfoot soak --deadline 1ms";
