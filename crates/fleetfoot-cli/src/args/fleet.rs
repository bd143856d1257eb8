//! Arguments of `fleetfoot fleet`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::fleet::Scenario;
use fleetfoot_sim::world::WorldSpec;

use super::{MovesArg, at_least_one};

/// Move a fleet: many units on one map, within one budget per tick
///
/// Every unit moves in every tick unless another one is in its way; searches spend what is left of the budget. A referee that
/// knows only the map and the positions counts conflicts; one of them ends the run with exit code 1. Bad usage or input ends
/// it with 2.
///
/// The run ends after the last tick, or when all units are at their goals or cannot reach them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FleetArgs {
    /// A MovingAI map file, or builtin:NAME (`fleetfoot map list` shows the names) [default: one that suits the scenario]
    #[arg(value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,

    /// Number of units [default: by the scenario, or as many as the file has]
    #[arg(long, short = 'n', value_name = "N", value_parser = at_least_one, allow_hyphen_values = true, help_heading = "Units")]
    pub(crate) agents: Option<u64>,

    /// What they do: swarm (random starts to random goals), cross (from four sides to the opposite ones), streams (two
    /// sides exchange places), doorway (from the west to the east), patrol (back and forth forever), evacuate
    /// (to the nearest exit and off the map), rally (all to one place)
    #[arg(long, value_name = "NAME", default_value = "swarm", conflicts_with_all = ["lifelong", "scen"], help_heading = "Units")]
    pub(crate) scenario: Scenario,

    /// Tasks from two lists of cells: starts of the units, and tasks; unit i of n has tasks i, i + n, i + 2n, …, and takes the
    /// next one when it is at the current one at the end of a tick
    #[arg(long, num_args = 2, value_names = ["FILE.agents", "FILE.tasks"], conflicts_with = "scen", requires = "map", help_heading = "Units")]
    pub(crate) lifelong: Vec<PathBuf>,

    /// A MovingAI scenario: unit i has the start and the goal of line i
    #[arg(long, value_name = "FILE", requires = "map", help_heading = "Units")]
    pub(crate) scen: Option<PathBuf>,

    /// Seed of random starts, goals and ties
    #[arg(long, value_name = "S", default_value_t = 0, help_heading = "Units")]
    pub(crate) seed: u64,

    /// Budget of a tick for all units together, in expansions of A* on cells, or `inf`; all work is charged
    #[arg(
        long,
        short,
        value_name = "WORK",
        default_value = "10000",
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) budget: Budget,

    /// Time per tick instead, such as 500us, 1ms or 2s. Results then depend on the machine
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with = "budget",
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) interval: Option<String>,

    /// Threads that search in parallel; the moves do not depend on it. Times are those of the first thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256), help_heading = "Limits")]
    pub(crate) threads: u64,

    /// Maximum number of ticks [default: 5000, and 1000 where units never stop]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Limits")]
    pub(crate) max_ticks: Option<u64>,

    /// What units know and what changes: known, unknown(radius=R) (they see R cells in every direction),
    /// dynamic(SCRIPT), dynamic(SCRIPT,radius=R). `fleetfoot world` makes scripts. A wall that would bury a unit waits
    /// until the unit has left
    #[arg(long, value_name = "WORLD", default_value = "known", help_heading = "World")]
    pub(crate) world: WorldSpec,

    /// Straight moves only, or diagonal moves as well
    #[arg(long, value_enum, default_value_t = MovesArg::Eight, help_heading = "World")]
    pub(crate) moves: MovesArg,

    /// Each unit searches alone and has a map of its own
    #[arg(long, help_heading = "World")]
    pub(crate) no_share: bool,

    /// Units walk through each other; the referee only checks that the map allows each move
    #[arg(long, help_heading = "World")]
    pub(crate) no_collisions: bool,

    /// A table for readers, or one object for programs [default: by the ending of FILE, or table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<FleetFormat>,

    /// Write to a file, completely or not at all
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write a row per tick
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,

    /// Draw frame times, work, and the numbers of moving and waiting units over the ticks: four files in this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) plots: Option<PathBuf>,

    /// Record the run as a page that plays it (.html): all units, their trails, and for the unit that you click its route and
    /// why it waits; or as a bare record (.ffr) for `fleetfoot replay`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) replay: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FleetFormat {
    Table,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  A thousand units on a generated game map, each with its own goal:
    fleetfoot fleet
  Two streams through a corridor one cell wide, and a page that plays it:
    fleetfoot fleet builtin:passage1 --scenario streams --replay streams.html
  Ten thousand on your own map, as one JSON object, and a row per tick:
    fleetfoot fleet maps/arena2.map --agents 10000 --format json --csv ticks.csv
  An instance of the League of Robot Runners:
    fleetfoot fleet random-32-32-20.map --lifelong random_400.agents random_400.tasks --moves 4
  An instance of the multi-agent benchmark, its first 200 lines:
    fleetfoot fleet room-64-64-8.map --scen room-64-64-8-random-1.scen --agents 200 --moves 4
  Fog of war, and a millisecond per tick:
    fleetfoot fleet builtin:rooms512 --agents 500 --world 'unknown(radius=10)' --interval 1ms";
