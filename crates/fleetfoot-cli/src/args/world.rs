//! What can be said after `fleetfoot world`.

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

/// Doors that open and close at random, and never cut off a way
///
/// In each tick every open door closes, and every closed door opens, with the chance given. A tick that would cut off a
/// way is drawn again: in every tick, any two free cells between which the map has a way have one, so the goal can be
/// reached from everywhere. All doors are open at first, and again in the last tick. A door does not close on the agent.
///
/// Doors are found by their shape: passages one cell long and one cell wide, as the doors of `fleetfoot map generate
/// rooms` are. --door names others instead.
#[derive(Args, Debug)]
#[command(after_help = DOORS_EXAMPLES)]
pub(crate) struct DoorsArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// How likely a closed door opens, per tick
    #[arg(long, value_name = "P", default_value = "0.01", allow_hyphen_values = true)]
    pub(crate) open_chance: Chance,

    /// How likely an open door closes, per tick
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

/// Bridges over blocked ground that fall and are rebuilt
///
/// Each leads straight over blocked cells, between two places with a long way round. All stand in tick 0. A bridge falls
/// at once, lies in ruins for a while, and is rebuilt cell by cell; in the last tick all stand again. Bridges only add to the
/// map, so a fall cuts nobody off but the agent that stands on the bridge: it waits there until its bridge is rebuilt.
#[derive(Args, Debug)]
#[command(after_help = BRIDGES_EXAMPLES)]
pub(crate) struct BridgesArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// How many bridges, if there is room for so many
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) bridges: u32,

    /// How many blocked cells a bridge can span
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) longest: u32,

    /// How many moves a bridge saves, at least
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) saves: u32,

    /// How likely a standing bridge falls, per tick
    #[arg(long, value_name = "P", default_value = "0.005", allow_hyphen_values = true)]
    pub(crate) fall_chance: Chance,

    /// How many ticks it lies in ruins, on average
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) ruin: u32,

    /// The letters of blocked cells that can be built over, such as W for water only
    #[arg(long, value_name = "LETTERS", default_value = "@OTW")]
    pub(crate) over: String,

    /// The last tick, in which all bridges stand
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) ticks: u64,
}

/// Ground that grows heavy in places, and light again
///
/// Now and again a round patch of ground begins to grow heavier, step by step up to a peak, and then lighter until it is
/// as it was. Where patches overlap the heavier one counts. No cell closes; in the last tick all weigh as on the map.
#[derive(Args, Debug)]
#[command(after_help = TERRAIN_EXAMPLES)]
pub(crate) struct TerrainArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// How likely a patch begins, per tick
    #[arg(long, value_name = "P", default_value = "0.02", allow_hyphen_values = true)]
    pub(crate) chance: Chance,

    /// The largest radius of a patch
    #[arg(long, value_name = "R", default_value_t = 6)]
    pub(crate) radius: u32,

    /// By how much the weight of a cell rises at most
    #[arg(long, value_name = "W", default_value_t = 5)]
    pub(crate) heavier: u32,

    /// How many ticks a patch lasts at most; at least half of it
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub(crate) lasts: u32,

    /// The last tick, in which all is as on the map
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) ticks: u64,

    /// What letters of the map weigh, such as S=3,G=2: the same as in `fleetfoot run`
    #[arg(long, value_name = "LETTER=W,…", default_value = "", hide_default_value = true)]
    pub(crate) terrain: Terrain,
}

/// Tunnels that open far from the agent and make its way much shorter
///
/// Of each holds, for every agent that begins at --from and makes at most one move per tick, whatever its planner: when it
/// opens, no cell of it is nearer to the agent than --far; and from wherever the agent can be by then, the shortest way to
/// --to is at most --max-ratio percent as long as before (eight moves, no corners cut, ground of equal weight). Nothing closes.
#[derive(Args, Debug)]
#[command(after_help = SHORTCUTS_EXAMPLES)]
pub(crate) struct ShortcutsArgs {
    #[command(flatten)]
    pub(crate) made: MadeArgs,

    /// Where the agent begins [default: as the built-in map has it, if it was made around a problem]
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    pub(crate) from: Option<(u32, u32)>,

    /// Where it has to go
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<(u32, u32)>,

    /// The tick in which the first opens, and the time from one to the next
    #[arg(long, value_name = "TICK", default_value_t = 30)]
    pub(crate) at: u64,

    /// How many, if there is room for so many
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) shortcuts: u32,

    /// How many cells a tunnel can have
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) longest: u32,

    /// How many cells away it is at least
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

    /// What the world depends on; the same seed makes the same world everywhere
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The script to write
    #[arg(long, short, value_name = "SCRIPT")]
    pub(crate) output: PathBuf,
}

/// Show what a script does: its size, ticks, changes, rules, and whether costs fall
#[derive(Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The script
    pub(crate) script: PathBuf,

    /// The map it belongs to. Without it, cells are taken to be free and to weigh 1, unless the first that the script
    /// says of one is that it opens
    #[arg(long, value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,

    /// What letters of the map weigh, such as S=3,G=2
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
