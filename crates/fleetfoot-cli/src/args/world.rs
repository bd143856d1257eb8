//! Arguments of `fleetfoot world`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use fleetfoot_sim::generate::scripts::Chance;
use fleetfoot_sim::world::Terrain;

use super::cell;

#[derive(Subcommand, Debug)]
pub(crate) enum WorldCommand {
    Doors(DoorsArgs),
    Bridges(BridgesArgs),
    Terrain(TerrainArgs),
    Shortcuts(ShortcutsArgs),
    Info(InfoArgs),
}

/// Doors that open and close at random, and never cut off a path
///
/// In each tick every open door closes, and every closed door opens, with the given probability. A tick that would
/// disconnect cells is drawn again: in every tick, any two free cells are connected that are connected on the map, so the
/// goal is reachable from everywhere. All doors are open at first, and again in the last tick. A door does not close on
/// the agent.
///
/// Doors are found by their shape: passages one cell long and one cell wide, like the doors of `fleetfoot map generate
/// rooms`. --door names others instead.
#[derive(Args, Debug)]
#[command(after_help = DOORS_EXAMPLES)]
pub(crate) struct DoorsArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// Probability that a closed door opens, per tick
    #[arg(long, value_name = "P", default_value = "0.01", allow_hyphen_values = true)]
    pub(crate) open_chance: Chance,

    /// Probability that an open door closes, per tick
    #[arg(long, value_name = "P", default_value = "0.01", allow_hyphen_values = true)]
    pub(crate) close_chance: Chance,

    /// The last tick, in which all doors open
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) ticks: u64,

    /// A cell that never closes, even if it is a door
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    pub(crate) goal: Option<(u32, u32)>,

    /// A door, instead of those found by their shape; can be given several times
    #[arg(long = "door", value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    pub(crate) doors: Vec<(u32, u32)>,
}

/// Bridges over blocked ground that collapse and are rebuilt
///
/// Each leads straight over blocked cells, between two places with a long path around. All are intact in tick 0. A
/// bridge collapses at once, stays in ruins for a while, and is rebuilt cell by cell; in the last tick all are intact
/// again. Bridges only add to the map, so a collapse cuts off only an agent on the bridge, which waits there until it
/// is rebuilt.
#[derive(Args, Debug)]
#[command(after_help = BRIDGES_EXAMPLES)]
pub(crate) struct BridgesArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// Number of bridges, if there is space for them
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) bridges: u32,

    /// Maximum number of blocked cells that a bridge spans
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) longest: u32,

    /// Minimum number of moves that a bridge saves
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) saves: u32,

    /// Probability that an intact bridge collapses, per tick
    #[arg(long, value_name = "P", default_value = "0.005", allow_hyphen_values = true)]
    pub(crate) fall_chance: Chance,

    /// Mean number of ticks in ruins
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) ruin: u32,

    /// The letters of blocked cells that can be built over, such as W for water only
    #[arg(long, value_name = "LETTERS", default_value = "@OTW")]
    pub(crate) over: String,

    /// The last tick, in which all bridges are intact
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) ticks: u64,
}

/// Ground that becomes heavy in places, and light again
///
/// From time to time a round patch of ground becomes heavier, step by step up to a peak, and then lighter until it is
/// as before. In overlaps the heavier patch counts. No cell closes; in the last tick all weights are those of the
/// map.
#[derive(Args, Debug)]
#[command(after_help = TERRAIN_EXAMPLES)]
pub(crate) struct TerrainArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// Probability that a patch begins, per tick
    #[arg(long, value_name = "P", default_value = "0.02", allow_hyphen_values = true)]
    pub(crate) chance: Chance,

    /// Maximum radius of a patch
    #[arg(long, value_name = "R", default_value_t = 6)]
    pub(crate) radius: u32,

    /// Maximum increase of a cell's weight
    #[arg(long, value_name = "W", default_value_t = 5)]
    pub(crate) heavier: u32,

    /// Maximum number of ticks that a patch lasts; the minimum is half of it
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub(crate) lasts: u32,

    /// The last tick, in which all weights are those of the map
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) ticks: u64,

    /// Weights of the map's letters, such as S=3,G=2, as in `fleetfoot run`
    #[arg(long, value_name = "LETTER=W,…", default_value = "", hide_default_value = true)]
    pub(crate) terrain: Terrain,
}

/// Tunnels that open far from the agent and make its path much shorter
///
/// For every agent that begins at --from and makes at most one move per tick, whatever its planner: when a tunnel
/// opens, none of its cells is nearer to the agent than --far; and from any cell that the agent can have reached, the
/// shortest path to --to is at most --max-ratio percent as long as before (eight moves, no corner cutting, ground of
/// equal weight). Nothing closes.
#[derive(Args, Debug)]
#[command(after_help = SHORTCUTS_EXAMPLES)]
pub(crate) struct ShortcutsArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// Start of the agent [default: that of the built-in map, if it was made around a problem]
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    pub(crate) from: Option<(u32, u32)>,

    /// Goal of the agent
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<(u32, u32)>,

    /// The tick in which the first tunnel opens, and the interval between tunnels
    #[arg(long, value_name = "TICK", default_value_t = 30)]
    pub(crate) at: u64,

    /// Number of tunnels, if there is space for them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) shortcuts: u32,

    /// Maximum number of cells of a tunnel
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) longest: u32,

    /// Minimum distance to the agent in cells
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) far: u32,

    /// Maximum length of the new path, in percent of the old one
    #[arg(long, value_name = "PERCENT", default_value_t = 70)]
    pub(crate) max_ratio: u32,
}

#[derive(Args, Debug)]
pub(crate) struct MadeArgs {
    /// A map file or builtin:NAME
    pub(crate) map: PathBuf,

    /// Seed of the world; the same seed makes the same world everywhere
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The script to write
    #[arg(long, short, value_name = "SCRIPT")]
    pub(crate) output: PathBuf,
}

/// Show a script's size, ticks, changes and rules, and whether costs fall
#[derive(Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The script
    pub(crate) script: PathBuf,

    /// The map that it belongs to. Without it, cells are assumed to be free with weight 1, unless their first line in
    /// the script opens them
    #[arg(long, value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,

    /// Weights of the map's letters, such as S=3,G=2
    #[arg(long, value_name = "LETTER=W,…", default_value = "", hide_default_value = true, requires = "map")]
    pub(crate) terrain: Terrain,
}

const DOORS_EXAMPLES: &str = "\
Examples:
  Rooms of 10x10 cells with up to four doors each, and an agent that crosses them:
    fleetfoot map generate rooms --width 100 --height 100 --room 10 --doors 100 --centred \\
        -o rooms.map
    fleetfoot world doors rooms.map --seed 1 -o doors.script
    fleetfoot run rooms.map --from 1,1 --to 98,98 --world 'dynamic(doors.script)'
  Busier doors, on a map that needs no file:
    fleetfoot world doors builtin:doors100 --open-chance 5% --close-chance 5% -o busy.script";

const BRIDGES_EXAMPLES: &str = "\
Examples:
  fleetfoot world bridges builtin:cave256 --seed 1 -o bridges.script
  fleetfoot run builtin:cave256 --random 10 --world 'dynamic(bridges.script)'";

const TERRAIN_EXAMPLES: &str = "\
Examples:
  fleetfoot world terrain builtin:cave256 --seed 1 -o rain.script
  fleetfoot run builtin:cave256 --random 10 --world 'dynamic(rain.script)'";

const SHORTCUTS_EXAMPLES: &str = "\
Examples:
  fleetfoot world shortcuts builtin:maze151 --from 1,1 --to 149,149 -o tunnel.script
  fleetfoot run builtin:maze151 --from 1,1 --to 149,149 --world 'dynamic(tunnel.script)' \\
      --picture walk.png";

const INFO_EXAMPLES: &str = "\
Examples:
  fleetfoot world info doors.script
  fleetfoot world info rain.script --map builtin:cave256";
