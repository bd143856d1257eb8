//! Runs a method in a case, and records the results.

use std::collections::HashMap;
use std::fmt;

use fleetfoot::{Grid, Meter, NodeId, Scratch, shortest_path};
use fleetfoot_sim::budget::thread_nanos;

use crate::cases::{Case, Kind, Lookout};
use crate::{BUDGET, Rival};

/// Maximum number of ticks.
const MOST_TICKS: usize = 2000;

/// The head of the tables.
pub(crate) const HEAD: &str = "| | first move p50 | p99 | max | frame p99, µs | worst, µs | all there, ticks | length | bytes a unit | failed |
|---|---|---|---|---|---|---|---|---|---|";

/// Numbers of moves of shortest paths on the initial map, cached.
pub(crate) struct Ways {
    grid: Grid,
    known: HashMap<(NodeId, NodeId), usize>,
    scratch: Scratch,
}

impl Ways {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { grid: grid.clone().with_corners(), known: HashMap::new(), scratch: Scratch::new() }
    }

    fn moves(&mut self, from: NodeId, to: NodeId) -> usize {
        *self.known.entry((from, to)).or_insert_with(|| {
            let found = shortest_path(&self.grid, from, to, &mut Meter::unlimited(), &mut self.scratch);
            found.path().map_or(0, |(path, _)| path.len() - 1)
        })
    }
}

/// The records of a unit.
#[derive(Clone, Copy, Default)]
struct Life {
    first_move: Option<usize>,
    moves: usize,
    arrived: bool,
}

pub(crate) struct Score {
    first_moves: Vec<usize>,
    frames: Vec<u64>,
    arrived: usize,
    units: usize,
    length: f64,
    bytes: usize,
}

/// Runs a method until all units have been at their goals, or to the maximum number of ticks. Observing for methods
/// without a fog of their own is not timed.
pub(crate) fn run(case: &Case, rival: &mut dyn Rival, ways: &mut Ways) -> Score {
    let units = case.starts.len();
    let mut lives = vec![Life::default(); units];
    let (mut at, mut frames, mut bytes) = (case.starts.clone(), Vec::new(), 0);
    let (mut arrived, mut ratios, mut walls) = (0, 0.0, Vec::new());
    let mut lookout = (case.kind == Kind::Fog && !rival.looks()).then(|| Lookout::new(&case.grid));
    for tick in 0..MOST_TICKS {
        let mut changes = doors(case, tick, &at);
        walls.clear();
        if let Some(lookout) = &mut lookout {
            for &at in &at {
                lookout.look(&case.grid, at, &mut walls);
            }
        }
        changes.extend(walls.iter().map(|&wall| (wall, 0)));
        let begin = thread_nanos();
        if tick == 0 {
            rival.order();
        }
        for &(cell, weight) in &changes {
            rival.set(cell, weight);
        }
        rival.tick(BUDGET);
        frames.push(thread_nanos() - begin);
        for (unit, life) in lives.iter_mut().enumerate() {
            let now = rival.at(unit);
            if now != at[unit] {
                life.moves += usize::from(!life.arrived);
                if rival.has_way(unit) {
                    life.first_move.get_or_insert(tick + 1);
                }
                at[unit] = now;
            }
            if !life.arrived && rival.is_there(unit) {
                life.arrived = true;
                arrived += 1;
                // A unit that starts at its goal needs no move. A later push does not count.
                life.first_move.get_or_insert(tick + 1);
                let least = ways.moves(case.starts[unit], now);
                ratios += if least == 0 { 1.0 } else { life.moves as f64 / least as f64 };
            }
        }
        if tick % 16 == 0 {
            bytes = bytes.max(rival.bytes());
        }
        if arrived == units {
            break;
        }
    }
    let first = |life: &Life| life.first_move.unwrap_or(MOST_TICKS);
    let mut first_moves: Vec<usize> = lives.iter().map(first).collect();
    first_moves.sort_unstable();
    frames.sort_unstable();
    let length = ratios / arrived.max(1) as f64;
    Score { first_moves, frames, arrived, units, length, bytes }
}

/// Returns the changes of doors in this tick. A door does not close on a unit.
fn doors(case: &Case, tick: usize, at: &[NodeId]) -> Vec<(NodeId, u8)> {
    let mut changes: Vec<(NodeId, u8)> = Vec::new();
    for (opens, cells) in case.turning(tick) {
        changes.extend(cells.iter().map(|&cell| (cell, u8::from(opens))));
    }
    if changes.iter().any(|&(_, weight)| weight == 0) {
        let taken: std::collections::HashSet<NodeId> = at.iter().copied().collect();
        changes.retain(|(cell, weight)| *weight > 0 || !taken.contains(cell));
    }
    changes
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |list: usize, percent: usize| (list * percent / 100).min(list - 1);
        for percent in [50, 99, 100] {
            match self.first_moves[part(self.units, percent)] {
                MOST_TICKS => write!(f, "| never ")?,
                tick => write!(f, "| {tick} ")?,
            }
        }
        for percent in [99, 100] {
            write!(f, "| {} ", self.frames[part(self.frames.len(), percent)] / 1000)?;
        }
        if self.arrived == self.units {
            write!(f, "| {} ", self.frames.len())?;
        } else {
            write!(f, "| {:.1} % by {MOST_TICKS} ", 100.0 * self.arrived as f64 / self.units as f64)?;
        }
        let failed = self.units - self.arrived;
        write!(f, "| {:.3} | {} | {failed} |", self.length, self.bytes / self.units)
    }
}
