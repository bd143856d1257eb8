//! Arguments of the program.
#![expect(clippy::doc_markdown, reason = "clap shows these comments to users")]

mod database;
mod fleet;
mod lab;
mod soak;
mod world;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use fleetfoot::registry::Spec;
use fleetfoot_lab::problems::LengthRange;
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::world::{Terrain, WorldSpec};
use fleetfoot_view::fleet::UnitColors;

pub(crate) use self::database::{BuildArgs, DatabaseCommand, KindArg, MergeArgs, WhatArgs};
pub(crate) use self::fleet::{FleetArgs, FleetFormat};
pub(crate) use self::lab::{BenchArgs, HowArgs, JoinArgs, ReproduceArgs};
pub(crate) use self::soak::{SoakArgs, SoakFormat};
pub(crate) use self::world::{
    BridgesArgs, DoorsArgs, InfoArgs, MadeArgs, ShortcutsArgs, TerrainArgs, WorldCommand,
};

/// Real-time heuristic search: agents that move this tick, within a planning budget that does not depend on
/// the map.
///
/// Without a command it shows a demonstration.
#[derive(Parser, Debug)]
#[command(name = "fleetfoot", version, max_term_width = 100, after_help = TOPICS)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const TOPICS: &str = "\
Play: run, fleet, replay, playground, list. Make: map, world, database. Research: bench, reproduce, merge.
`fleetfoot COMMAND -h` is short, `--help` complete; `fleetfoot help scen` describes scenario files.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Run(Box<RunArgs>),
    Fleet(Box<FleetArgs>),
    Replay(ReplayArgs),
    Playground(PlaygroundArgs),
    List(ListArgs),
    /// Show, make, scale and draw maps
    #[command(subcommand, after_long_help = MAP_FORMAT)]
    Map(MapCommand),
    /// Make and show scripts of worlds that change, for `run --world 'dynamic(SCRIPT)'`
    #[command(subcommand)]
    World(WorldCommand),
    /// Compute databases for planners that need them
    #[command(subcommand)]
    Database(DatabaseCommand),
    Bench(BenchArgs),
    Reproduce(ReproduceArgs),
    Merge(JoinArgs),
    Soak(Box<SoakArgs>),
    /// Print a script that completes commands and options in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages, one for each command
    #[command(hide = true)]
    Man {
        /// The folder for the pages
        #[arg(long, short, value_name = "DIR", default_value = "man")]
        output: PathBuf,
    },
}

/// The file formats, for `fleetfoot help map` and `fleetfoot help scen`.
pub(crate) const MAP_FORMAT: &str = "\
A map file (.map), as MovingAI writes it:
  type octile
  height ROWS
  width COLUMNS
  map
  one line per row: `.` and `G` are free, `S` is swamp, `W` water, `@`, `O` and `T` are blocked
--terrain gives letters other weights than 1. `fleetfoot help scen` describes problems.";

pub(crate) const SCEN_FORMAT: &str = "\
A scenario file (.scen), as MovingAI writes it: a line `version 1`, then one problem per line, with 9 fields:
  bucket  map  width  height  start-x  start-y  goal-x  goal-y  optimal-length
Columns and rows count from 0, from the top left. Fields are separated by tabs or spaces.
The optimal length is for diagonals of the square root of two without corner cutting; 0 stands for unknown.
  fleetfoot run maps/den501d.map --scen maps/den501d.map.scen --take 50";

/// Run planners on problems and measure them. A referee checks moves and work
#[derive(Args, Debug)]
#[command(before_help = RUN_EXAMPLES, after_help = RUN_WORLDS)]
pub(crate) struct RunArgs {
    /// A MovingAI map, or builtin:NAME
    #[arg(value_name = "MAP", default_value = "builtin:cave512")]
    pub(crate) map: PathBuf,

    #[command(flatten)]
    pub(crate) problems: ProblemArgs,

    /// A planner, see `list`; repeatable [default: auto]
    #[arg(long = "planner", short, value_name = "SPEC", help_heading = "Planners")]
    pub(crate) planners: Vec<Spec>,

    /// Repeat each problem; agents keep what they learn
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Planners")]
    pub(crate) trials: Option<u64>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) world: WorldArgs,

    /// Allow planners without guarantees for the world
    #[arg(long, help_heading = "Planners")]
    pub(crate) force: bool,

    /// Concurrent runs; 1 for stable times [default: cores]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Planners")]
    pub(crate) threads: Option<u64>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Problems")]
pub(crate) struct ProblemArgs {
    /// A scenario [default: MAP.scen or MAP.map.scen]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "random"])]
    pub(crate) scen: Option<PathBuf>,

    /// Only problems with such an optimal length
    #[arg(long, value_name = "LO..HI", conflicts_with_all = ["from", "to", "random"])]
    pub(crate) optimal: Option<LengthRange>,

    /// Only N problems, evenly spread over the file
    #[arg(long, value_name = "N", value_parser = at_least_one, conflicts_with_all = ["from", "to", "random"])]
    pub(crate) take: Option<u64>,

    /// One problem: the start, counted from 0
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to", conflicts_with = "random")]
    pub(crate) from: Option<(u32, u32)>,

    /// One problem: the goal
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<(u32, u32)>,

    /// N random solvable problems
    #[arg(long, value_name = "N", value_parser = random_count)]
    pub(crate) random: Option<u64>,

    /// Seed of random problems
    #[arg(long, value_name = "S", default_value_t = 0, conflicts_with_all = ["scen", "optimal", "take", "from", "to"])]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Expansions a tick, or `inf`
    #[arg(
        long,
        short,
        value_name = "N,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "100"
    )]
    pub(crate) budget: Vec<Budget>,

    /// Budgets as times, such as 500us or 1.5ms
    #[arg(long, value_name = "TIME", value_delimiter = ',', conflicts_with_all = ["budget", "prices"])]
    pub(crate) interval: Vec<String>,

    /// Wall or processor time
    #[arg(long, value_enum, value_name = "wall|cpu", hide_possible_values = true, default_value_t = ClockArg::Wall, requires = "interval")]
    pub(crate) clock: ClockArg,

    /// Charged work: all, papers or expansions
    #[arg(long, value_name = "LIST", value_parser = price_list(), hide_possible_values = true, default_value_t)]
    pub(crate) prices: PriceList,

    /// Maximum number of ticks of a run
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) max_ticks: Option<u64>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "World")]
pub(crate) struct WorldArgs {
    /// Knowledge and changes, see below
    #[arg(long, value_name = "WORLD", default_value = "known")]
    pub(crate) world: WorldSpec,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "World")]
pub(crate) struct RulesArgs {
    /// Four or eight directions
    #[arg(long, value_enum, value_name = "4|8", hide_possible_values = true, default_value_t = MovesArg::Eight)]
    pub(crate) moves: MovesArg,

    /// sqrt2, 1.4 or 1.5
    #[arg(long, value_enum, value_name = "LENGTH", hide_possible_values = true, default_value_t = DiagonalArg::Sqrt2)]
    pub(crate) diagonal: DiagonalArg,

    /// Let diagonal moves pass between blocked cells
    #[arg(long)]
    pub(crate) cut_corners: bool,

    /// Weights of the map's letters, such as S=3,G=2
    #[arg(long, value_name = "LETTER=W", default_value = "", hide_default_value = true)]
    pub(crate) terrain: Terrain,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// table, csv or jsonl [default: by FILE, or table]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(crate) format: Option<Format>,

    /// Columns, or `all` [default: those that fit]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,

    /// Explain the columns of the table
    #[arg(long)]
    pub(crate) explain: bool,

    /// Write to a file, completely or not at all
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the first problem's walks, up to four
    #[arg(long, value_name = "PNG", conflicts_with = "trials")]
    pub(crate) picture: Option<PathBuf>,

    /// Draw what up to three planners learned on it
    #[arg(long, value_name = "PNG", conflicts_with = "trials")]
    pub(crate) learned: Option<PathBuf>,

    /// Record the first problem as a page (.html) or .ffr
    #[arg(long, value_name = "FILE", help_heading = "Replay")]
    pub(crate) replay: Option<PathBuf>,

    /// One search of N, all moves
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value_t = 1, requires = "replay", help_heading = "Replay")]
    pub(crate) replay_every: u64,

    /// Record only these ticks, such as 0..50000
    #[arg(long, value_name = "A..B", value_parser = window, requires = "replay", help_heading = "Replay")]
    pub(crate) replay_window: Option<(u64, u64)>,

    /// Show the book's pages on the planners as well
    #[arg(long, requires = "replay", help_heading = "Replay")]
    pub(crate) story: bool,
}

/// Play a record: as a page, as pictures, or as a trace for other tools
///
/// RECORD is what `fleetfoot run --replay` or `fleetfoot fleet --replay` wrote: a bare record, or a page that holds one.
#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// What `--replay` wrote
    pub(crate) record: PathBuf,

    /// What to make of it [default: by the ending of FILE, or html]
    #[arg(long, value_enum)]
    pub(crate) to: Option<ReplayFormat>,

    /// File to write [default: the record's name with another ending]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// For png: the moment after this many ticks, numbered as on the page; 0 is the start [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) tick: Option<u64>,

    /// For gif: number of frames [default: 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub(crate) frames: Option<u32>,

    /// For gif and png: maximum length of a side in pixels [default: 640 for gif, 2000 for png]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=8000))]
    pub(crate) side: Option<u32>,

    /// For png and gif of fleets: what the color of a unit shows [default: status]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) color_by: Option<UnitColorsArg>,

    /// For posthoc and workspace: number of the planner in the record, counted from 1 [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub(crate) life: Option<u32>,
}

/// Write the playground: a web page in which planners race on maps that you draw while they move
///
/// The folder contains the library itself, compiled for the browser. It opens from disk by double-click, needs no
/// network, and can be put on any host.
#[derive(Args, Debug)]
pub(crate) struct PlaygroundArgs {
    /// The folder to write
    #[arg(long, short, value_name = "DIR", default_value = "playground")]
    pub(crate) output: PathBuf,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayFormat {
    /// A page that plays it
    Html,
    /// The bare record
    Ffr,
    /// A picture of the walks up to a tick
    Png,
    /// A moving picture
    Gif,
    /// One JSON object per line
    Jsonl,
    /// A search trace, format 1.4, for Posthoc (.trace.yaml), and the map below it next to it (.grid)
    Posthoc,
    /// Both in one packed file for Posthoc: a fifth of their size
    Workspace,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitColorsArg {
    /// Whether it moved, waits, or is at its goal
    Status,
    /// The direction from its start to its goal, which distinguishes streams of units
    Heading,
}

impl UnitColorsArg {
    pub(crate) fn colors(self) -> UnitColors {
        match self {
            Self::Status => UnitColors::Status,
            Self::Heading => UnitColors::Heading,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Csv,
    Jsonl,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum ClockArg {
    Wall,
    Cpu,
}

/// Parses a price list by its name. Accepts the former name of `all`, which help does not show.
fn price_list() -> impl TypedValueParser<Value = PriceList> {
    let value = |list: PriceList| {
        let value = PossibleValue::new(list.name()).help(list.charged());
        if list == PriceList::AllWork { value.alias(PriceList::FORMER_NAME) } else { value }
    };
    PossibleValuesParser::new(PriceList::ALL.map(value)).try_map(|name| name.parse::<PriceList>())
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum MovesArg {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum DiagonalArg {
    Sqrt2,
    #[value(name = "1.4")]
    D14,
    #[value(name = "1.5")]
    D15,
}

/// Show the planners: their needs, properties and parameters
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Show this planner in detail
    pub(crate) key: Option<String>,

    /// As JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum MapCommand {
    /// Show a map's size, free cells, connected parts and terrain
    Info {
        /// A map file or builtin:NAME
        map: PathBuf,
    },
    /// Show the built-in maps, and the map files in a folder
    List {
        /// A folder to look through
        dir: Option<PathBuf>,
    },
    /// Make a map; the same seed makes the same map everywhere
    Generate(GenerateArgs),
    /// Scale a map: every cell becomes FACTOR by FACTOR cells
    Scale {
        /// A map file or builtin:NAME
        map: PathBuf,
        /// Factor of width and height
        factor: u32,
        /// The file to write
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
    },
    Render(RenderArgs),
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: Generator,

    /// Seed of the map
    #[arg(long, global = true, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The map to write; a map made around one problem also gets FILE.scen
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Generator {
    /// A perfect maze: exactly one path between any two places
    Maze {
        #[command(flatten)]
        size: SizeArgs,
        /// Width of corridors in cells
        #[arg(long, value_name = "N", default_value_t = 1)]
        corridor: u32,
    },
    /// Square rooms with doors between adjacent rooms
    Rooms {
        #[command(flatten)]
        size: SizeArgs,
        /// Side of a room, without walls
        #[arg(long, value_name = "N", default_value_t = 15)]
        room: u32,
        /// Probability of a door between two adjacent rooms, in percent
        #[arg(long, value_name = "PERCENT", default_value_t = 70)]
        doors: u32,
        /// Put doors in the middle of their walls instead of anywhere
        #[arg(long)]
        centred: bool,
        /// Keep rooms without a path to them
        #[arg(long)]
        unconnected: bool,
    },
    /// Randomly scattered obstacles
    Random {
        #[command(flatten)]
        size: SizeArgs,
        /// Share of blocked cells in percent
        #[arg(long, value_name = "PERCENT", default_value_t = 25)]
        blocked: u32,
    },
    /// The corner depression: a wall bent around the path to the goal
    Corner {
        /// Columns and rows
        #[arg(long, value_name = "N", default_value_t = 40)]
        side: u32,
    },
    /// A game-like landscape: open areas, rock, cliffs and woods
    Cave {
        #[command(flatten)]
        size: SizeArgs,
    },
    /// Two corridors, of which the tempting one is longer or a dead end
    Corridors {
        /// Length of the corridors
        #[arg(long, value_name = "N", default_value_t = 60)]
        length: u32,
        /// Width of the corridors in cells
        #[arg(long, value_name = "N", default_value_t = 3)]
        width: u32,
        /// Number of rows that the tempting one climbs at its end; 0 makes it a dead end
        #[arg(long, value_name = "N", default_value_t = 20)]
        detour: u32,
        /// Number of rows of a hall beyond its opening, which lures an agent there
        #[arg(long, value_name = "N", default_value_t = 0)]
        hall: u32,
    },
}

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SizeArgs {
    /// Columns
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub(crate) width: u32,
    /// Rows
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub(crate) height: u32,
}

/// Draw a map as a PNG picture, with a problem and its shortest path on request
///
/// Colors: ground is pale, grass pale green, swamp tan; rock is dark gray, cells outside black, trees dark green,
/// water blue. The start is a blue square, the goal a pink diamond, the path orange.
#[derive(Args, Debug)]
#[command(after_help = RENDER_EXAMPLES)]
pub(crate) struct RenderArgs {
    /// A map file or builtin:NAME
    pub(crate) map: PathBuf,

    /// The picture to write
    #[arg(long, short, value_name = "PNG")]
    pub(crate) output: PathBuf,

    /// Pixels per cell [default: the picture is about 1024 pixels large]
    #[arg(long, value_name = "K")]
    pub(crate) scale: Option<u32>,

    /// The scenario that --line refers to [default: MAP.scen]
    #[arg(long, value_name = "FILE", requires = "line")]
    pub(crate) scen: Option<PathBuf>,

    /// Draw problem N of the scenario, counted from 0 like the rows' `problem`
    #[arg(long, value_name = "N", conflicts_with = "from")]
    pub(crate) line: Option<usize>,

    /// Draw a problem: the start
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    pub(crate) from: Option<(u32, u32)>,

    /// The goal
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    pub(crate) to: Option<(u32, u32)>,

    /// Also draw the shortest path
    #[arg(long)]
    pub(crate) path: bool,
}

fn cell(text: &str) -> Result<(u32, u32), String> {
    let number = |word: &str| word.trim().parse().ok();
    text.split_once(',')
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| "write column and row, such as 12,34".into())
}

fn window(text: &str) -> Result<(u64, u64), String> {
    let end = |word: &str, open: u64| match word.trim() {
        "" => Some(open),
        word => word.parse().ok(),
    };
    let ends = text.split_once("..").and_then(|(a, b)| Some((end(a, 0)?, end(b, u64::MAX)?)));
    match ends {
        Some((a, b)) if a < b => Ok((a, b)),
        Some(_) => Err("the window is empty; write the earlier tick first".into()),
        None => Err("write A..B, A.. or ..B with ticks such as 0..50000".into()),
    }
}

/// Returns the number of threads: by default one per available core.
pub(crate) fn threads(asked: Option<u64>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(cores, |n| usize::try_from(n).unwrap_or(usize::MAX).min(1024))
}

fn at_least_one(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "write a whole number of at least 1".into())
}

fn random_count(text: &str) -> Result<u64, String> {
    let fits = |n: &u64| (1..=1_000_000).contains(n);
    text.parse().ok().filter(fits).ok_or_else(|| "write a whole number from 1 to 1000000".into())
}

const RUN_EXAMPLES: &str = "\
Examples:
  fleetfoot run builtin:cave512 -p astar -p tba -b 10,100,1000,inf
  fleetfoot run arena2.map --optimal 200.. --take 10 -o arena2.jsonl
  fleetfoot run builtin:rooms100 --world 'unknown(radius=7)' --replay fog.html";

const RUN_WORLDS: &str = "\
Worlds: known, unknown, unknown(sight=4|8), unknown(radius=7), dynamic(SCRIPT),
  partial(hidden=0.5,seed=1), dynamic(SCRIPT,radius=7); see `fleetfoot world`.
Exit codes: 1 if a planner broke a rule, 2 for bad input.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  A page that plays three planners side by side, opened by double-click:
    fleetfoot run builtin:rooms100 -p astar -p tba -p lrta -b 10 --replay race.html
  A record, and what can be made of it:
    fleetfoot run builtin:rooms100 -p rtaa --world unknown --replay rtaa.ffr
    fleetfoot replay rtaa.ffr --to gif
    fleetfoot replay rtaa.ffr --to png --tick 200
    fleetfoot replay rtaa.ffr -o rtaa.html
  A long life, thinned out:
    fleetfoot run builtin:cave1024 -p rtaa -b 500 --replay-every 10 --replay-window 0..50000 --replay long.html";

const RENDER_EXAMPLES: &str = "\
Examples:
  fleetfoot map render builtin:cave512 -o cave.png
  fleetfoot map render maps/arena2.map --line 300 --path -o arena2.png";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn windows() {
        assert_eq!(window("5..9"), Ok((5, 9)));
        assert_eq!(window(" ..9"), Ok((0, 9)));
        assert_eq!(window("5.."), Ok((5, u64::MAX)));
        for bad in ["", "5", "9..5", "5..5", "a..b", "-1..3"] {
            assert!(window(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cells() {
        assert_eq!(cell("3,4"), Ok((3, 4)));
        assert_eq!(cell(" 3 , 4 "), Ok((3, 4)));
        for bad in ["", "3", "3;4", "-1,2", "a,b", "1,2,3"] {
            assert!(cell(bad).is_err(), "{bad}");
        }
    }
}
