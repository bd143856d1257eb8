//! The description of a record, stored as JSON.

use fleetfoot::{Graph, Grid, Neighborhood, NodeId, Prices, WorkKind};
use serde::{Deserialize, Serialize};

/// Describes a problem and the tracks recorded on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The program that wrote the record.
    pub generator: String,
    /// Name of the map.
    pub map: String,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// What the agents know and what changes, as on the command line.
    pub world: String,
    /// Agents know only what they have seen.
    pub sighted: bool,
    /// The rules of movement, as on the command line.
    pub rules: String,
    /// Number of the problem within its run.
    pub problem: u64,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// Move costs.
    pub costs: Costs,
    /// The kinds of work, in the order of their numbers.
    pub kinds: Vec<String>,
    /// Price of each kind, in tenths of an expansion.
    pub prices: Vec<u32>,
    /// Price of each kind if all work is charged, in tenths of an expansion.
    #[serde(alias = "honest")]
    pub all_work: Vec<u32>,
    /// Length of a shortest path, if one exists.
    pub optimal: Option<f64>,
    /// One to four tracks.
    pub lives: Vec<TrackMeta>,
}

/// Describes one track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackMeta {
    /// The planner, as on the command line.
    pub planner: String,
    /// Display name of the planner.
    pub name: String,
    /// The budget of a tick, as on the command line.
    pub budget: String,
    /// The budget of a tick in expansions, if it is given in them.
    pub expansions: Option<u64>,
    /// Number of ticks before recording began, which is the number of the first moment.
    pub first: u64,
    /// Number of recorded ticks.
    pub ticks: u64,
    /// Column and row of the agent before the first recorded tick.
    pub at: (u32, u32),
    /// The outcome. `None` if it was not recorded.
    pub outcome: Option<String>,
    /// Length of the recorded walk.
    pub length: f64,
    /// One of this many searches was recorded.
    pub every: u64,
    /// The planner has a local search next to a global one.
    pub near: bool,
    /// Maximum difference between a learned and an initial value, in cost units.
    pub highest: u32,
}

/// Move costs in whole units, from which g and f are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// Cost of a length of 1.
    pub unit: u32,
    /// Cost of a straight move. On weighted terrain it is multiplied by the sum of both cells' weights.
    pub straight: u32,
    /// Cost of a diagonal move, likewise.
    pub diagonal: u32,
    /// The terrain has weights.
    pub weighted: bool,
    /// Heuristic cost of a straight step.
    pub h_straight: u32,
    /// Heuristic cost of a diagonal step.
    pub h_diagonal: u32,
    /// Weight that unknown terrain is assumed to have.
    pub least: u8,
}

impl Costs {
    /// Determines the move costs of a grid.
    pub fn of(grid: &Grid) -> Self {
        let (unit, origin) = (grid.unit(), grid.node(0, 0).unwrap_or(NodeId::NONE));
        let h = |x, y| grid.node(x, y).map(|n| grid.h(origin, n).raw());
        let h_straight = h(1, 0).or_else(|| h(0, 1)).unwrap_or(unit);
        let h_diagonal = h(1, 1).unwrap_or(2 * h_straight);
        // The heuristic assumes the lightest terrain.
        let least = (h_straight / unit).max(1);
        let four = grid.rules().neighborhood == Neighborhood::Four;
        let diagonal = if four { unit } else { h_diagonal / least };
        // Without weights no diagonal move costs as much as two straight ones; with weights the most expensive move
        // does.
        let weighted = grid.max_edge_cost().raw() >= 2 * unit;
        let half = if weighted { 2 } else { 1 };
        Self {
            unit,
            straight: unit / half,
            diagonal: diagonal / half,
            weighted,
            h_straight,
            h_diagonal,
            least: u8::try_from(least).unwrap_or(u8::MAX),
        }
    }

    /// Returns the octile distance of two cells with these offsets.
    #[inline]
    pub(crate) fn distance(&self, dx: u32, dy: u32) -> u32 {
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        let (straight, diagonal) = (u64::from(self.h_straight), u64::from(self.h_diagonal));
        u32::try_from((long - short) * straight + short * diagonal).unwrap_or(u32::MAX)
    }

    /// Returns the cost of a move in direction `d` between cells of weights `a` and `b`.
    #[inline]
    pub(crate) fn cost(&self, d: usize, a: u8, b: u8) -> u32 {
        let factor = if self.weighted { u32::from(a) + u32::from(b) } else { 1 };
        (if d < 4 { self.straight } else { self.diagonal }).saturating_mul(factor)
    }
}

/// Returns the price of each kind of work, in tenths of an expansion.
pub fn prices(prices: &Prices) -> Vec<u32> {
    WorkKind::ALL.map(|kind| prices.of(kind)).to_vec()
}

/// Returns the names of the kinds of work, in the order of their numbers.
pub fn kinds() -> Vec<String> {
    WorkKind::ALL.map(|kind| kind.name().to_owned()).to_vec()
}
